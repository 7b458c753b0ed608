"""What a camera of the engine sees from the agent, on a card over the stage while it drives."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from waypost.app.shell.workspace import Surroundings
from waypost.app.traverse.driver import Driver
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFrame
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, choice_box, decimal_box, number_box
from waypost.widgets.parts import label
from waypost.widgets.stage_card import StageCard

_FAR_M: Final = 10.0
_LONGEST_PX: Final = 260
_EDGE_PX: Final = 12
_TOP_PX: Final = 54
"""Below the tools of the view."""

_CHOICES: Final = {"colours": "Colours", "depth": "Depth", "nothing": "Nothing"}


class CameraDialog(FormDialog):
    """Asks which camera the agent carries.

    Args:
        settings: Proposed.
        parent: Qt owner.
    """

    def __init__(self, settings: CameraSettings, parent: QWidget | None = None) -> None:
        super().__init__("Camera of the engine", "Use this camera", parent)
        self.shown = choice_box(_CHOICES)
        self.columns, self.lines = (
            number_box(16, 4096, pixels) for pixels in (settings.width_px, settings.height_px)
        )
        self.fov = decimal_box(
            1.0, 170.0, math.degrees(settings.field_of_view_rad), "°", decimals=1
        )
        self.lens = decimal_box(0.0, 10.0, settings.height_m, "m")
        self.tilt = decimal_box(-90.0, 90.0, math.degrees(settings.tilt_rad), "°", decimals=1)
        fov = Field("Field of view", self.fov, "From the left to the right edge.")
        tilt = Field("Tilt", self.tilt, "Above the horizon; negative looks down.")
        self.lay_out(
            (
                (Field("Shown while driving", self.shown),),
                (Field("Width in pixels", self.columns), Field("Height in pixels", self.lines)),
                (fov, Field("Height of the lens", self.lens)),
                (tilt,),
            )
        )
        self.resize(520, 420)
        self.primary.setDefault(True)
        self.primary.clicked.connect(self.accept)

    @property
    def settings(self) -> CameraSettings | None:
        """What was given; ``None`` for no camera."""
        shown = str(self.shown.currentData())
        if shown == "nothing":
            return None
        return CameraSettings(
            self.columns.value(),
            self.lines.value(),
            math.radians(self.fov.value()),
            self.lens.value(),
            math.radians(self.tilt.value()),
            rgb=shown == "colours",
            depth=shown == "depth",
        )


class CameraCard(StageCard):
    """The newest frame with its simulated time, at the right of the stage.

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
        colours = _drawn(frame)
        lines, columns, _ = colours.shape
        image = QImage(colours.tobytes(), columns, lines, 3 * columns, QImage.Format.Format_RGB888)
        room_px = min(_LONGEST_PX, self.stage.width() // 3)
        size = image.size().scaled(room_px, room_px, Qt.AspectRatioMode.KeepAspectRatio)
        self.picture.setPixmap(
            QPixmap.fromImage(image).scaled(
                size,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )
        what = "colours" if frame.rgb is not None else f"depth, black from {_FAR_M:g} m on"
        self.caption.setText(f"{frame.time_ns / 1e9:.1f} s · {what}")
        self.show()
        self.place()

    def place(self) -> None:
        """At the right, below the tools of the view."""
        self.adjustSize()
        edge_px = self.stage.width() if self._beside.isHidden() else self._beside.x()
        self.move(edge_px - self.width() - _EDGE_PX, _TOP_PX)
        self.raise_()


class AgentCamera(QObject):
    """Asks for a camera and shows its frames while an agent drives.

    Args:
        around: Has the engine, the stage and the window.
        driver: Tells when an agent drives.
        parent: Qt owner.
    """

    def __init__(self, around: Surroundings, driver: Driver, parent: QObject) -> None:
        super().__init__(parent)
        self._engine, self._driver, self._window = around.engine, driver, around.window
        self._settings = CameraSettings()
        self.card = CameraCard(around.stage.view, around.stage.slider)
        around.engine.frame_received.connect(self._on_frame)
        around.engine.no_frames.connect(lambda sentence: around.say(f"No frames: {sentence}."))
        driver.ended.connect(lambda _: self.card.hide())

    def ask(self) -> None:
        """Ask which camera is wanted."""
        dialog = CameraDialog(self._settings, self._window)
        dialog.accepted.connect(lambda: self._use(dialog.settings))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _use(self, settings: CameraSettings | None) -> None:
        self._settings = settings or self._settings
        self._engine.set_camera(settings)
        if settings is None:
            self.card.hide()

    def _on_frame(self, frame: CameraFrame) -> None:
        if self._driver.is_driving:
            self.card.show_frame(frame)


def _drawn(frame: CameraFrame) -> NDArray[np.uint8]:
    """A frame as colours; of depth, near is bright."""
    if frame.rgb is not None:
        return frame.rgb
    if frame.depth_m is None:
        return np.zeros((1, 1, 3), np.uint8)
    near = 1.0 - np.minimum(frame.depth_m, _FAR_M) / _FAR_M
    return np.repeat((255 * near).astype(np.uint8)[..., None], 3, axis=2)
