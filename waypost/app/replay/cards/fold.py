"""A part of a panel that opens and closes under its title, by mouse or keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from waypost.app.replay.cards.flow_text import LongText
from waypost.domain.base.visible_text import one_line
from waypost.widgets.parts import WrappingColumn, set_property


class Fold(WrappingColumn):
    """A title with a text under it; the text is laid out only while it is open."""

    toggled = Signal(bool)
    """The user opened or closed it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read: Callable[[], str] = str
        self._title = ""
        self._detail = ""
        self.header = QPushButton()
        self.header.setCheckable(True)
        self.header.setAutoDefault(False)
        self.header.setProperty("role", "fold")
        self.header.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.header.clicked.connect(self._on_clicked)
        self.content = LongText("")
        self.content.setContentsMargins(12, 0, 0, 0)
        self.content.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.content)

    @property
    def title(self) -> str:
        """What it is called."""
        return self._title

    @property
    def is_open(self) -> bool:
        """Whether its text shows."""
        return self.header.isChecked()

    def set_part(self, title: str, text: str, *, is_open: bool) -> None:
        """Show another text under another title; emits nothing.

        Args:
            title: One line; longer ones are shortened to the width.
            text: Of any length, plain.
            is_open: Whether to show the text.
        """
        self._title = one_line(title, 60)
        self._detail = f"{len(text):,} characters" if len(text) > 80 else one_line(text, 40)
        self._read = lambda: text
        self.content.flow.setAccessibleName(self._title)
        self.header.setChecked(is_open)
        self._show()

    def _on_clicked(self) -> None:
        self._show()
        self.toggled.emit(self.is_open)

    def _show(self) -> None:
        if self.is_open:
            self.content.set_text(self._read())
        self.content.setVisible(self.is_open)
        set_property(self.header, "level", "open" if self.is_open else "closed")
        state = "open" if self.is_open else "closed"
        self.header.setAccessibleName(f"{self._title}, {state}")
        self._write()

    def _write(self) -> None:
        mark = "▾" if self.is_open else "▸"
        whole = f"{mark} {self._title}"
        if not self.is_open and self._detail:
            whole += f" · {self._detail}"
        room = max(self.header.width() - 14, 20)
        shown = self.header.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room)
        # Qt takes an & in the text of a button for the mark of a key.
        self.header.setText(shown.replace("&", "&&"))
        self.header.setToolTip("")

    def minimumSizeHint(self) -> QSize:
        """As narrow as the panel."""
        return QSize(60, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the title anew."""
        super().resizeEvent(event)
        self._write()
