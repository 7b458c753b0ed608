"""Scores of a take as rows; each says its definition where the pointer rests."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from waypost.widgets.parts import ElidedLabel, label


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One score of a take."""

    name: str
    value: str
    tip: str
    """How it is defined, and why it is undefined if it is."""


class ScoreTable(QWidget):
    """Name at the left, value at the right.

    Args:
        is_narrow: Whether names shorten where they have no room.
        parent: Qt owner.
    """

    def __init__(self, *, is_narrow: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_narrow = is_narrow
        self.lines: tuple[ScoreLine, ...] = ()
        """What is shown."""

        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 4, 0, 4)
        self._rows.setSpacing(3)

    def set_lines(self, lines: tuple[ScoreLine, ...]) -> None:
        """Show other scores."""
        self.lines = lines
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for line in lines:
            self._rows.addWidget(self._row(line))
        self.setVisible(bool(lines))

    def _row(self, line: ScoreLine) -> QWidget:
        name: QLabel = ElidedLabel(line.name) if self._is_narrow else label(line.name)
        name.setProperty("role", "muted")
        value = label(line.value)
        for cell in (name, value):
            cell.setWordWrap(False)
            cell.setAccessibleDescription(line.tip)
        made = QWidget()
        made.setToolTip(line.tip)
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(name, 1)
        row.addWidget(value)
        return made
