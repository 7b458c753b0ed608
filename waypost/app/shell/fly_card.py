"""What to press while flying, over the stage for as long as one flies."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.widgets.key_legend import KeyLegend
from waypost.widgets.stage_card import StageCard

FLY_KEYS: Final = (
    ("↑ ↓ ← →", "fly"),
    ("Shift + ↑ ↓ ← →", "look round"),
    ("right drag", "look round"),
    ("wheel", "go there"),
)
"""Key or gesture, and what it does."""

_GAP_PX: Final = 10
_TOP_PX: Final = 54
"""Below the tools; the map has the corner at the foot."""


class FlyCard(StageCard):
    """The keys of the camera that flies, below the tools of the view.

    Args:
        stage: The view it is shown over.
    """

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.setAccessibleName("What to press while flying")
        self._legend = KeyLegend()
        self._legend.set_keys(FLY_KEYS)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.addWidget(self._legend)

    def place(self) -> None:
        """In as many rows as what stands beside it leaves room for."""
        room_px = self.room_px - 2 * _GAP_PX
        margins = self.contentsMargins().left() + self.contentsMargins().right() + 24
        self.setFixedWidth(min(self._legend.row_width_px + margins, room_px))
        layout = self.layout()
        height_px = layout.totalHeightForWidth(self.width()) if layout is not None else -1
        height_px = height_px if height_px > 0 else self.sizeHint().height()
        self.resize(self.width(), height_px)
        self.move(_GAP_PX, _TOP_PX)
        self.raise_()
