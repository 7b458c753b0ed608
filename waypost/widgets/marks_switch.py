"""The switch that lifts blindness: own marks, or everyone's, and what that means."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from waypost.widgets.parts import label, set_property

TITLE: Final = "Everyone's marks"
BLIND: Final = (
    "Off: you see only your own marks, so yours stay independent. For whoever coordinates."
)
SEEING: Final = (
    "Others' marks are shown: what you mark from now on is no longer blind, and agreement with"
    " it proves less."
)


class MarksSwitch(QWidget):
    """Reports what is asked for; shows what holds.

    Args:
        is_wide: Whether the sentence stands beside the switch instead of below.
        parent: Qt owner.
    """

    asked = Signal(bool)
    """Whether everyone's marks are wanted."""

    def __init__(self, *, is_wide: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox(TITLE)
        self.box.setAccessibleName(TITLE)
        self._told = label("", "small")
        rows = QHBoxLayout(self) if is_wide else QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10 if is_wide else 2)
        rows.addWidget(self.box, 0, Qt.AlignmentFlag.AlignTop)
        rows.addWidget(self._told, 1)
        self.box.toggled.connect(self.asked)
        self.set_everyone(is_on=False)

    @property
    def told(self) -> str:
        """What the switch means for blindness as it stands."""
        return self._told.text()

    def set_everyone(self, *, is_on: bool) -> None:
        """Show whose marks are seen; emits nothing."""
        with QSignalBlocker(self.box):
            self.box.setChecked(is_on)
        self._told.setText(SEEING if is_on else BLIND)
        set_property(self._told, "role", "warning" if is_on else "small")
