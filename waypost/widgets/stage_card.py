"""A card over the stage that keeps its place while the stage and its own text change."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFrame, QWidget


class StageCard(QFrame):
    """Hidden at first; a subclass says in ``place`` how large it is and where it stands.

    Args:
        stage: What it is shown over.
    """

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.stage = stage
        self.setProperty("role", "card")
        stage.installEventFilter(self)
        self.hide()

    def place(self) -> None:
        """Take the size and the place that fit the stage and the text now."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Follow the text and its scale."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self.place()
        return handled

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the stage."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)
