"""Takes pictures of a scene from any pose without a window on the screen."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.domain.scene.scene import Scene
from waypost.services.appearance import DARK
from waypost.viewers.scene.camera import Extent
from waypost.viewers.scene.camera_rig import NO_SCENE
from waypost.viewers.scene.drawing import rgb
from waypost.viewers.scene.frame_state import FrameState, frame_state
from waypost.viewers.scene.gl_stage import GlStage
from waypost.viewers.scene.gl_surface import has_opengl
from waypost.viewers.scene.lens import ViewLens, axes_of, perspective
from waypost.viewers.scene.mesh_batches import PackedScene, pack_scene
from waypost.viewers.scene.picture_pixels import rgb_pixels

NEAR_M = 0.03
"""What is nearer is not drawn."""


class PictureCamera:
    """Draws a scene as the window does, ceilings included, into pictures.

    Needs a Qt application on a platform with OpenGL and stays on its thread. Close it, or use
    it as a context manager.

    Args:
        scene: What is taken.
        packed: The same packed already; without it that is done here.
        background: Colour behind everything, ``#rrggbb``; that of the dark stage by default.

    Raises:
        InputError: If there is no OpenGL.
    """

    def __init__(
        self, scene: Scene, packed: PackedScene | None = None, background: str = DARK.stage
    ) -> None:
        if not has_opengl():
            raise InputError("pictures need OpenGL, which this display does not offer")
        has_triangles = scene.triangle_count > 0
        self._scene = scene
        self._extent = Extent(*scene.bounds_m) if has_triangles else NO_SCENE
        self._floors_m = [s.floor_z_m for s in scene.storeys] or [self._extent.low[2]]
        self._colors = (rgb(DARK.section), rgb(background))
        self._host = QWidget()
        self._host.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._lens: ViewLens | None = None
        self._has_headlight = True
        self._is_lost = False
        self._stage = GlStage(self._host, self._frame_state, self._lose)
        self._stage.set_scene(scene, pack_scene(scene) if packed is None else packed)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the graphics card go."""
        self.close()

    def take(
        self, pose: CameraPose, fov: FieldOfView, size: PictureSize, *, has_headlight: bool = True
    ) -> NDArray[np.uint8]:
        """One picture, (H, W, 3) RGB.

        Args:
            pose: Of the camera.
            fov: Of the picture.
            size: Of the picture.
            has_headlight: Whether what is faced is a little brighter, as in the window; without
                it a surface looks the same from everywhere and pictures join without a seam.

        Raises:
            InputError: If the graphics card makes none of this size.
        """
        return exhaust(self.take_steps(pose, fov, size, has_headlight=has_headlight))

    def take_steps(
        self, pose: CameraPose, fov: FieldOfView, size: PictureSize, *, has_headlight: bool = True
    ) -> Generator[None, None, NDArray[np.uint8]]:
        """One picture as ``take`` takes it, in short turns; none other may be taken meanwhile.

        Yields:
            Between turns.

        Returns:
            (H, W, 3) RGB.

        Raises:
            InputError: If the graphics card makes none of this size.
        """
        self._lens = lens_of(pose, fov, size, self._extent)
        self._has_headlight = has_headlight
        widget = self._stage.widget
        if (widget.width(), widget.height()) != (size.width_px, size.height_px):
            before = widget.size()
            widget.resize(size.width_px, size.height_px)
            # Qt tells a hidden widget of its new size only when it is shown.
            QApplication.sendEvent(widget, QResizeEvent(widget.size(), before))
        image = yield from self._stage.grab_steps()
        if self._is_lost or image.isNull():
            raise InputError(f"the graphics card makes no picture of {size}")
        return _pixels(image, size)

    def prepare(self) -> bool:
        """Bring a piece of the scene to the card, so that the first picture takes no longer.

        Returns:
            Whether all of it is there; call it again until it is. ``take`` brings the rest at once.
        """
        if self._lens is None:
            size = PictureSize(16, 16)
            pose = CameraPose(self._extent.center, 0.0)
            self._lens = lens_of(pose, FieldOfView(math.pi / 2), size, self._extent)
        return self._stage.bring_more() or self._is_lost

    def close(self) -> None:
        """Let the graphics card go; no picture can be taken afterwards."""
        canvas = self._stage.widget
        self._stage.close()
        self._host.deleteLater()
        for widget in (canvas, self._host):
            QApplication.sendPostedEvents(widget, QEvent.Type.DeferredDelete)

    def _lose(self) -> None:
        self._is_lost = True

    def _frame_state(self, width: int, height: int) -> FrameState:
        lens = self._lens
        if lens is None:
            raise RuntimeError("a picture was drawn before it was asked for")
        frame = frame_state(
            lens,
            self._scene.origin_m,
            size=(width, height),
            cut_z=None,
            colors=self._colors,
            dim=0.0,
            floors_m=self._floors_m,
        )
        if self._has_headlight:
            return frame
        # Of a perspective picture the shader takes nothing else from this direction.
        return replace(frame, forward=np.zeros(3, np.float32))


def lens_of(pose: CameraPose, fov: FieldOfView, size: PictureSize, extent: Extent) -> ViewLens:
    """The projection of a picture that covers a scene of this extent."""
    far_m = math.dist(pose.position_m, extent.center) + extent.radius_m * 1.5 + 5.0
    aspect = size.width_px / size.height_px
    return ViewLens(
        np.asarray(pose.position_m, dtype=np.float64),
        axes_of(pose.yaw_rad, pose.pitch_rad),
        perspective(fov.vertical_rad(size), aspect, NEAR_M, far_m),
        float(size.width_px),
        float(size.height_px),
    )


def _pixels(image: QImage, size: PictureSize) -> NDArray[np.uint8]:
    image.setDevicePixelRatio(1.0)
    if (image.width(), image.height()) != (size.width_px, size.height_px):
        # The screen counts several real pixels as one.
        image = image.scaled(
            size.width_px,
            size.height_px,
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    return rgb_pixels(image)
