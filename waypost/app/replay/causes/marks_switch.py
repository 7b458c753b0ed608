"""The switch that lifts blindness: own marks, or everyone's, and what that means."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QWidget

from waypost.widgets.parts import label, set_property

TITLE: Final = "Everyone's marks"
BLIND: Final = (
    "Off: you see only your own marks, so yours stay independent. For whoever coordinates."
)
SEEING: Final = (
    "Others' marks are shown: what you mark from now on is no longer blind, and agreement leaves"
    " it out."
)
SEEN: Final = (
    "Off, but you have seen others' marks: what you mark in this session is no longer blind, and"
    " agreement leaves it out."
)

_WIDER: Final = 3
"""Times the width of the switch that both beside each other need."""


class MarksSwitch(QWidget):
    """Reports what is asked for; shows what holds.

    Args:
        is_wide: Whether the sentence stands beside the switch where there is room for both.
        parent: Qt owner.
    """

    asked = Signal(bool)
    """Whether everyone's marks are wanted."""

    def __init__(self, *, is_wide: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox(TITLE)
        self.box.setAccessibleName(TITLE)
        self._told = label("", "small")
        self._is_wide = is_wide
        self._rows = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self._rows.addWidget(self.box)
        self._rows.addWidget(self._told, 1)
        self.box.toggled.connect(self.asked)
        self.set_everyone(is_on=False)

    def set_everyone(self, *, is_on: bool, has_seen: bool = False) -> None:
        """Show whose marks are seen, and whether others' ones ever were; emits nothing."""
        with QSignalBlocker(self.box):
            self.box.setChecked(is_on)
        self._told.setText(SEEING if is_on else SEEN if has_seen else BLIND)
        set_property(self._told, "role", "warning" if is_on or has_seen else "small")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the sentence beside the switch if it gets most of the width there."""
        super().resizeEvent(event)
        is_beside = self._is_wide and self.box.sizeHint().width() * _WIDER <= self.width()
        ways = QBoxLayout.Direction
        self._rows.setDirection(ways.LeftToRight if is_beside else ways.TopToBottom)
        self._rows.setSpacing(10 if is_beside else 2)
        edge = Qt.AlignmentFlag.AlignVCenter if is_beside else Qt.AlignmentFlag.AlignTop
        self._told.setAlignment(edge)
