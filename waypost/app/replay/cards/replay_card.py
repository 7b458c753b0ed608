"""What the cards of a replay share: a column of parts, or one line where there is nothing."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.widgets.parts import WrappingColumn, label, scroll_panel

NO_EPISODE: Final = "Choose an episode to replay."


class ReplayCard(QWidget):
    """Empty at first; a subclass fills its column once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = WrappingColumn()
        self._nothing = label(NO_EPISODE, "muted")
        self._nothing.setContentsMargins(10, 10, 10, 10)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._area = scroll_panel(self.body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._nothing)
        layout.addWidget(self._area, 1)
        self.show_body()

    def fill(self, *parts: QWidget) -> None:
        """Put the parts into the column, from top to bottom."""
        column = QVBoxLayout(self.body)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(5)
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)

    def show_body(self, why_not: str = NO_EPISODE) -> None:
        """Show the column, or the sentence that says why there is none; empty shows the column."""
        # With its bar: what scrolled there before is gone.
        self._area.setVisible(not why_not)
        self._nothing.setVisible(bool(why_not))
        if why_not:
            self._nothing.setText(why_not)
