"""The camera frame that was kept with a take, of the sample under review, over the stage."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject

from waypost.app.shell.camera.camera_card import LONGEST_PX, CameraCard
from waypost.app.shell.stage import Stage
from waypost.services.replay.picture_loading import PictureLoading, StepWish
from waypost.services.replay.picture_tiles import TileWish
from waypost.services.study.take_loading import SeenFrames

_TILES: Final = TileWish(-(-LONGEST_PX // 4), LONGEST_PX)
"""A single picture has the room of four tiles beside each other."""

_AHEAD: Final = (0, 1, 2, 3)
"""Samples whose frames are loaded, the one at hand first."""


class ReviewFrames(QObject):
    """Follows the sample under review with what the camera of the engine saw last by then.

    Args:
        stage: What it is shown over.
        parent: Qt owner. Call ``show_take`` with ``None`` before it goes.
    """

    def __init__(self, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self.card = CameraCard(stage.view, stage.slider)
        self._frames: SeenFrames | None = None
        self._feed: PictureLoading | None = None
        self._wish: StepWish | None = None
        """Of the sample at hand."""

    def show_take(self, frames: SeenFrames | None) -> None:
        """Show the frames of another take, or none, from its next sample on."""
        if self._feed is not None:
            self._feed.close()
            self._feed.deleteLater()
            self._feed = None
        self._frames, self._wish = frames, None
        self.card.hide()
        if frames is not None:
            self._feed = PictureLoading(frames.source, parent=self)
            self._feed.arrived.connect(self._show)

    def show_sample(self, index: int) -> None:
        """Show the frame of a sample once it is there; until then the one before stays."""
        frames, feed = self._frames, self._feed
        if frames is None or feed is None:
            return
        steps = [step for ahead in _AHEAD if (step := index + ahead) < len(frames.replay)]
        wishes = [StepWish(frames.replay, step, _TILES) for step in steps]
        self._wish = wishes[0]
        feed.ask(wishes)
        self._show()

    def _show(self) -> None:
        if self._feed is None or self._wish is None:
            return
        found = self._feed.shown(self._wish)
        if found is None:
            return
        tile = found.tiles[0] if found.tiles else None
        if tile is not None and tile.pixels is not None:
            self.card.show_picture(tile.pixels, found.caption)
        else:
            self.card.show_lack(tile.reason if tile else found.reason)
