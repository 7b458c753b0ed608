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
        self._room_px: int | None = None
        self.setProperty("role", "card")
        stage.installEventFilter(self)
        self.hide()

    @property
    def room_px(self) -> int:
        """Up to where the stage is its own, from the left."""
        return self.stage.width() if self._room_px is None else self._room_px

    def set_room(self, room_px: int) -> None:
        """Say where another control begins, at the right of the stage."""
        self._room_px = room_px
        if self.isVisible():
            self.place()

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
