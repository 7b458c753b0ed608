"""The form that says how much memory and time the reading of one file may take."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, number_box

_MOST_GB: Final = 4096
_MOST_MINUTES: Final = 1440


class ReadingLimitsDialog(FormDialog):
    """Asks for the two limits.

    Args:
        memory_gb: The limit in force; 0 where it follows the size of the file.
        minutes: The limit in force.
        parent: Qt owner.
    """

    def __init__(self, memory_gb: int, minutes: int, parent: QWidget | None = None) -> None:
        super().__init__("Limits of reading", "Use these", parent)
        self.setMinimumWidth(420)
        self.memory_box = number_box(0, _MOST_GB, memory_gb, none="By the size of the file")
        self.minutes_box = number_box(1, _MOST_MINUTES, minutes)
        memory, time = Field("Memory in GB", self.memory_box), Field("Minutes", self.minutes_box)
        memory.set_hint("For one scene or database; raise it where a sound file needs more.")
        self.lay_out(((memory,), (time,)))
        self.primary.setDefault(True)
        self.primary.clicked.connect(self.accept)
