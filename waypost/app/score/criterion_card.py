"""The card of one criterion: what it is called, what is chosen on it, and whether it is current."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from waypost.domain.score.rubric import Criterion
from waypost.widgets.parts import button, label, set_property


class CriterionCard(QFrame):
    """Shows one criterion; reports what is clicked and chooses nothing by itself."""

    chosen = Signal(str)
    """Criterion that was clicked: it is the current one."""

    def __init__(self, criterion: Criterion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.criterion = criterion
        self.setProperty("role", "card")
        self.setAccessibleName(criterion.title)
        must = "" if criterion.is_required else " (optional)"
        self._told = label(criterion.description, "muted")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 8, 10, 8)
        self._column.setSpacing(4)
        self._column.addWidget(label(f"{criterion.title}{must}", "title"))
        self._column.addWidget(self._told)

    def _chip(self, text: str, name: str) -> QPushButton:
        """A button that is chosen or not, named after the criterion."""
        made = button(text, f"{self.criterion.title}: {name}", "chip")
        made.setCheckable(True)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return made

    def set_current(self, *, is_current: bool) -> None:
        """Show whether keys are about this one."""
        set_property(self, "level", "current" if is_current else None)
        self.setAccessibleDescription("current" if is_current else "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make it the current one."""
        self.chosen.emit(self.criterion.key)
        super().mousePressEvent(event)
