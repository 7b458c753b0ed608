"""Every command by its name: Ctrl+Shift+P."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from waypost.widgets.picker import Picker


class CommandPalette(Picker):
    """Commands with category and key; ``entry_chosen`` carries the action's id."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Search commands", "Type a command, e.g. “top-down”")
