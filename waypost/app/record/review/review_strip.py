"""Timeline and curves of a take, one above the other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from waypost.viewers.curves.plot import CurvePlot
from waypost.widgets.theme import tokens_in_force
from waypost.widgets.timeline import Timeline


class ReviewStrip(QFrame):
    """What stands below the stage while a take is reviewed.

    Args:
        parent: Qt owner.
    """

    height_changed = Signal()
    """Another size of text needs another height."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.timeline, self.plots = Timeline(), CurvePlot()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.timeline)
        layout.addWidget(self.plots, 1)
        self.plots.set_theme(tokens_in_force().is_dark)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.plots.set_theme(tokens_in_force().is_dark)

    def event(self, event: QEvent) -> bool:
        """Notice another height."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.sizeHint().height() != self.height():
            self.height_changed.emit()
        return handled
