"""A splitter that turns, so that a narrow window cuts nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QSplitter


class TurningSplitter(QSplitter):
    """Its parts stand beside each other where each has the width it needs, or in a column."""

    def minimumSizeHint(self) -> QSize:
        """As narrow as the widest part; it can turn."""
        widest = max((part.width() for part in self._least_sizes()), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Turn for another width, and for parts that need another one."""
        handled = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            needed = sum(part.width() for part in self._least_sizes()) + self.handleWidth()
            ways = Qt.Orientation
            way = ways.Horizontal if needed <= self.width() else ways.Vertical
            if way is not self.orientation():
                self.setOrientation(way)
        return handled

    def _least_sizes(self) -> list[QSize]:
        parts = (self.widget(place) for place in range(self.count()))
        return [part.minimumSizeHint().expandedTo(part.minimumSize()) for part in parts if part]
