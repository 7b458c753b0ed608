"""Frames of the engine's camera on a card over the stage while somebody drives."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, SignalInstance
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from waypost.app.shell.stage import Stage
from waypost.domain.scene.scene import Scene
from waypost.io.picture_sources.take_frames import FAR_M, depth_picture
from waypost.services.engine.camera_eye import CameraEye
from waypost.simulators.camera_feed import CameraFrame, CameraPlace
from waypost.widgets.parts import label
from waypost.widgets.stage_card import StageCard

LONGEST_PX: Final = 260
"""The longer side of a picture on the card is no longer."""

_SHORTEST_PX: Final = 96
"""On a smaller picture nothing could be made out; the stage has no room for one."""

_EDGE_PX: Final = 12
_TOP_PX: Final = 54
"""Below the tools of the view."""


class CameraCard(StageCard):
    """The newest frame with its simulated time, at the right of the stage, where there is room.

    Args:
        stage: What it is shown over.
        beside: What keeps the right edge of the stage.
    """

    def __init__(self, stage: QWidget, beside: QWidget) -> None:
        super().__init__(stage)
        self._beside = beside
        self.setAccessibleName("What the camera of the engine sees")
        self.picture = QLabel()
        self.caption = label("", "muted")
        self.caption.setWordWrap(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.picture)
        layout.addWidget(self.caption)

    def show_frame(self, frame: CameraFrame) -> None:
        """Show another frame."""
        is_depth = frame.rgb is None
        what = f"depth, black from {FAR_M:g} m on" if is_depth else "colours"
        self.show_picture(_drawn(frame), f"{frame.time_ns / 1e9:.1f} s · {what}")

    def show_picture(self, colours: NDArray[np.uint8], caption: str) -> None:
        """Show another picture, (H, W, 3) RGB; nothing where the stage has no room for it."""
        room_px = min(LONGEST_PX, self.stage.width() // 3, self.stage.height() // 2)
        if room_px < _SHORTEST_PX:
            self.hide()
            return
        lines, columns, _ = colours.shape
        image = QImage(colours.tobytes(), columns, lines, 3 * columns, QImage.Format.Format_RGB888)
        size = image.size().scaled(room_px, room_px, Qt.AspectRatioMode.KeepAspectRatio)
        self.picture.setPixmap(
            QPixmap.fromImage(image).scaled(
                size,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )
        self.picture.show()
        self._say(caption, is_long=False)

    def show_lack(self, reason: str) -> None:
        """Say in place of a picture why there is none."""
        self.picture.hide()
        self._say(reason, is_long=True)

    def _say(self, text: str, *, is_long: bool) -> None:
        self.caption.setWordWrap(is_long)
        self.caption.setText(text)
        self.show()
        self.place()

    def place(self) -> None:
        """At the right, below the tools of the view."""
        self.adjustSize()
        edge_px = self.stage.width() if self._beside.isHidden() else self._beside.x()
        self.move(edge_px - self.width() - _EDGE_PX, _TOP_PX)
        self.raise_()


class CameraView(QObject):
    """Shows the frames of the engine's camera from one moment to another.

    Args:
        eye: Draws them.
        stage: Where they are shown.
        parent: Qt owner.
    """

    def __init__(self, eye: CameraEye, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self._eye, self._is_on = eye, False
        self.card = CameraCard(stage.view, stage.slider)
        eye.drawn.connect(self._on_frame)
        # The last frame would look like what is seen now.
        eye.given_up.connect(self.card.hide)

    def show_between(self, started: SignalInstance, ended: SignalInstance) -> None:
        """Show them while something lasts."""
        started.connect(self.begin)
        ended.connect(lambda *_: self.end())

    def look_from(self, scene: Scene, place: CameraPlace) -> None:
        """Show what is seen from a place in a scene, once it is drawn."""
        if self._eye.settings is None:
            self.end()
            return
        self._eye.set_scene(scene)
        self.begin()
        self._eye.look_from(place)

    def begin(self) -> None:
        """Show them from now on, as soon as the next comes."""
        self._is_on = True
        self._eye.watch(is_watched=True)

    def end(self) -> None:
        """Show none."""
        if self._is_on:
            self._is_on = False
            self._eye.watch(is_watched=False)
        self.card.hide()

    def _on_frame(self, frame: CameraFrame) -> None:
        if self._is_on and self._eye.settings is not None:
            self.card.show_frame(frame)


def _drawn(frame: CameraFrame) -> NDArray[np.uint8]:
    """A frame as colours."""
    if frame.rgb is not None:
        return frame.rgb
    if frame.depth_m is not None:
        return depth_picture(frame.depth_m)
    return np.zeros((1, 1, 3), np.uint8)
