"""The attempts at one episode: what they came to, and whether they count."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from waypost.widgets.parts import button, frame, label


@dataclass(frozen=True, slots=True)
class TakeLine:
    """One attempt."""

    number: int
    """From 1."""

    title: str
    """E.g. ``Take 1: 12.4 m in 31 s``."""

    status: str
    """``counts``, or why it does not."""

    counts: bool
    sign: str = "✕"
    """Of one that does not count."""

    excluded_reason: str = ""
    """Why a coordinator excluded it; empty: it is not excluded."""


class TakeList(QWidget):
    """Takes, each of which can be kept out of the scores and taken back."""

    excluded = Signal(int, str)
    """Number of the take and the reason."""

    included = Signal(int)
    """Number of the take that counts again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[TakeLine, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self.hide()

    def set_lines(self, lines: tuple[TakeLine, ...]) -> None:
        """Show other takes; a reason being typed stays while its take is the same."""
        if lines == self._lines:
            return
        self._lines = lines
        while self._layout.count():
            item = self._layout.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for line in lines:
            self._layout.addWidget(self._row(line))
        self.setVisible(bool(lines))

    def _row(self, line: TakeLine) -> QWidget:
        row = frame("card")
        layout = QVBoxLayout(row)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(4)
        layout.addWidget(label(line.title))
        sign, role = ("✓", "good") if line.counts else (line.sign, "muted")
        layout.addWidget(label(f"{sign} {line.status}", role))
        if line.excluded_reason:
            back = button("Take it back", f"Let take {line.number} count again")
            back.clicked.connect(lambda: self.included.emit(line.number))
            layout.addWidget(back)
        else:
            layout.addLayout(self._exclusion(line))
        return row

    def _exclusion(self, line: TakeLine) -> QHBoxLayout:
        reason = QLineEdit()
        reason.setPlaceholderText("Why not?")
        reason.setAccessibleName(f"Reason to keep take {line.number} out of the scores")
        exclude = button("Exclude", f"Keep take {line.number} out of the scores")
        exclude.setEnabled(False)
        reason.textChanged.connect(lambda text: exclude.setEnabled(bool(text.strip())))
        exclude.clicked.connect(lambda: self.excluded.emit(line.number, reason.text()))
        row = QHBoxLayout()
        row.addWidget(reason, 1)
        row.addWidget(exclude)
        return row
