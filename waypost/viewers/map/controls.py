"""The buttons over a map: storeys, following the agent, the whole run in view."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QWidget


class MapControls(QWidget):
    """Small enough to lie over the upper edge of the map."""

    storey_stepped = Signal(int)
    """+1 for up, −1 for down."""

    follow_chosen = Signal(bool)
    """Whether the map shows the agent's storey by itself."""

    fit_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._title = QLabel()
        self._has_title = False
        self._up = _button("▲", "One storey up")
        self._down = _button("▼", "One storey down")
        self._follow = _button("Follow", "Follow the agent from storey to storey")
        self._follow.setCheckable(True)
        self._fit = _button("Fit", "Show the whole run")
        self._up.clicked.connect(lambda: self.storey_stepped.emit(1))
        self._down.clicked.connect(lambda: self.storey_stepped.emit(-1))
        self._follow.toggled.connect(self.follow_chosen)
        self._fit.clicked.connect(self.fit_chosen)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(4)
        for column, part in enumerate((self._title, self._down, self._up)):
            self._grid.addWidget(part, 0, column)
        self._arrange(rows=1)

    def show_storey(
        self, title: str, index: int, count: int, *, is_pinned: bool, has_agent: bool = True
    ) -> None:
        """Say which storey is shown; with a single one there is nothing to say.

        Args:
            title: In words.
            index: From 0, the lowest.
            count: How many there are.
            is_pinned: Whether it stays whatever the agent does.
            has_agent: Whether there is an agent that could be followed.
        """
        self._title.setText(title.capitalize())
        self._has_title = count > 1
        for part in (self._title, self._up, self._down):
            part.setVisible(count > 1)
        self._follow.setVisible(count > 1 and has_agent)
        self._up.setEnabled(index < count - 1)
        self._down.setEnabled(index > 0)
        self._follow.blockSignals(True)
        self._follow.setChecked(not is_pinned)
        self._follow.blockSignals(False)

    def fit_into(self, room_px: int) -> None:
        """Take the size that suits; in little room the title stands in tool tips alone.

        In less the buttons stand in two rows.
        """
        self._title.setVisible(self._has_title)
        self._arrange(rows=1)
        if self._grid.totalSizeHint().width() > room_px:
            self._title.hide()
        if self._grid.totalSizeHint().width() > room_px and self._has_title:
            self._arrange(rows=2)
        for button in (self._up, self._down):
            told = f"{button.accessibleName()}; shown: {self._title.text()}"
            button.setToolTip(told if self._has_title else button.accessibleName())
        self.adjustSize()

    def _arrange(self, *, rows: int) -> None:
        for column, part in enumerate((self._follow, self._fit), start=1):
            self._grid.addWidget(part, rows - 1, column if rows > 1 else column + 2)


def _button(text: str, name: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(name)
    button.setAccessibleName(name)
    button.setAutoRaise(False)
    return button
