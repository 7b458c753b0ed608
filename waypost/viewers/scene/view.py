"""The stage: shows a scene with overlays and reports what the pointer does, never edits."""

from __future__ import annotations

from collections.abc import Generator, Iterable

import numpy as np
import shiboken6
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Scene
from waypost.services.appearance import DARK, tokens_named
from waypost.viewers.scene.camera import Camera, CameraMode, Extent
from waypost.viewers.scene.camera_rig import NO_SCENE, CameraRig
from waypost.viewers.scene.drawing import NOTHING, Drawing, rgb
from waypost.viewers.scene.frame_state import FrameState, frame_state
from waypost.viewers.scene.free_area import Area
from waypost.viewers.scene.gl_stage import GlStage
from waypost.viewers.scene.gl_surface import has_opengl
from waypost.viewers.scene.label_overlay import LabelOverlay
from waypost.viewers.scene.lens import ViewLens
from waypost.viewers.scene.mesh_batches import PackedScene, pack_scene
from waypost.viewers.scene.pointer import PointerPhase
from waypost.viewers.scene.pointer_input import PointerInput

_WITHOUT_GL = (
    "The 3D view needs OpenGL, which this display does not offer.\n"
    "Lists, labels, import and export work without it."
)
_ZOOM_PER_NOTCH = 1.15
_TURN_PX = 20.0
"""An arrow with Shift turns as far as a drag over so many pixels."""

_ARROWS = {
    Qt.Key.Key_Up: (1.0, 0.0),
    Qt.Key.Key_Down: (-1.0, 0.0),
    Qt.Key.Key_Right: (0.0, 1.0),
    Qt.Key.Key_Left: (0.0, -1.0),
}


class SceneView(QWidget):
    """A 3D view of one scene; draws only when something has changed.

    The left button belongs to the tool (see ``pointer``); right drag turns, middle drag or
    Shift + right drag shifts, the wheel zooms to the pointer, Alt + left drag turns.
    Positions are device-independent pixels, metres of the scene frame, and radians.
    """

    pointer = Signal(object)
    """A ``PointerEvent``."""

    camera_changed = Signal()
    """What is seen has changed: camera, size or cut."""

    picture_drawn = Signal()
    """A new picture of the scene was drawn for the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("3D scene")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._rig = CameraRig()
        self._drawn_lens = self._rig.lens()
        self._input = PointerInput(self, self._rig, self.pointer.emit, self._camera_moved)
        self._scene: Scene | None = None
        self._packed: PackedScene | None = None
        self._origin_m: Vec3 = (0.0, 0.0, 0.0)
        self._cut_z: float | None = None
        self._dim = 0.0
        self._floors_m: list[float] = []
        self._colors = DARK
        self._layers: dict[str, Drawing] = {}
        self._has_new_overlays = False
        self._is_framed = False
        self._framed: tuple[Extent, Camera | None] = (NO_SCENE, self._rig.camera)
        self._pointer_at = QPointF()
        self._message = _message(self, _WITHOUT_GL)
        self._stage = self._new_stage() if has_opengl() else None
        self._renewal = QTimer(self, singleShot=True)
        self._renewal.timeout.connect(self._renew_stage)
        self._message.setVisible(self._stage is None)
        self._overlay = LabelOverlay(self)
        self.set_theme(dark=True)

    @property
    def has_graphics(self) -> bool:
        """Whether there is an OpenGL context; without one a message is shown instead."""
        return self._stage is not None

    @property
    def scene(self) -> Scene | None:
        """What is shown."""
        return self._scene

    @property
    def cut_z(self) -> float | None:
        """Height of the horizontal cut, or ``None``."""
        return self._cut_z

    @property
    def camera_mode(self) -> CameraMode:
        """How the scene is looked at."""
        return self._rig.mode

    @property
    def camera(self) -> Camera:
        """The camera at hand."""
        return self._rig.camera

    @property
    def lens(self) -> ViewLens:
        """The projection of the next picture."""
        return self._rig.lens()

    @property
    def is_complete(self) -> bool:
        """Whether the scene is drawn; a large one reaches the card over several pictures."""
        return self._stage is None or self._stage.is_complete

    def set_scene(self, scene: Scene | None, packed: PackedScene | None = None) -> None:
        """Show another scene, framed as a whole; ``None`` shows nothing.

        Args:
            scene: What is shown.
            packed: The same scene packed beside the window, which takes a while for a large
                one; without it that is done here and now.
        """
        if packed is None and scene is not None and self._stage is not None:
            packed = pack_scene(scene)
        self._scene, self._packed = scene, packed
        self._origin_m = scene.origin_m if scene is not None else (0.0, 0.0, 0.0)
        extent = Extent(*scene.bounds_m) if scene and scene.triangle_count else NO_SCENE
        self._floors_m = [s.floor_z_m for s in scene.storeys] if scene else []
        if self._stage is not None:
            self._stage.set_scene(scene, packed)
        self._rig.set_scene_extent(extent)
        self._has_new_overlays = True
        # Framed again once the real size of the view is known.
        self._is_framed = self.isVisible()
        self.frame_bounds(extent.low, extent.high)

    def set_cut_z(self, cut_z: float | None) -> None:
        """Draw nothing of the scene above a height; ``None`` draws everything."""
        if cut_z != self._cut_z:
            self._cut_z = cut_z
            self._camera_moved()

    def set_aids(
        self, *, scale_bar: bool = True, compass: bool = True, heading: bool = False
    ) -> None:
        """Choose what helps to find one's way: on plans scale bar and axes, else the heading."""
        self._overlay.set_aids(scale_bar=scale_bar, compass=compass, heading=heading)

    def set_dim(self, dim: float) -> None:
        """Push the scene back behind the overlays: 0 as it is, 1 dark and grey."""
        self._dim = min(max(dim, 0.0), 1.0)
        self._redraw()

    def set_camera_mode(self, mode: str) -> None:
        """Look in another way: ``orbit``, ``fly``, ``top``, ``chase`` or ``first_person``.

        Raises:
            ValueError: If there is no such way.
        """
        self._rig.set_mode(CameraMode(mode))
        self._camera_moved()

    def frame_bounds(self, low: Vec3, high: Vec3) -> None:
        """Cover a box with the picture, as far as it is not cut away and controls leave room."""
        if self._cut_z is not None and low[2] < self._cut_z < high[2]:
            high = (high[0], high[1], self._cut_z)
        extent = Extent(low, high)
        self._rig.frame(extent)
        self._framed = (extent, self._rig.camera)
        self._camera_moved()

    def set_taken(self, areas: Iterable[Area]) -> None:
        """Say where controls lie over the picture.

        What was framed comes out from under them, unless somebody has moved the camera since.
        Nothing moves where one just goes away.
        """
        before, self._rig.taken = self._rig.taken, tuple(areas)
        extent, camera = self._framed
        if camera is self._rig.camera and not set(before).issuperset(self._rig.taken):
            self.frame_bounds(extent.low, extent.high)

    def look_at(self, point_m: Vec3) -> None:
        """Bring a point to the middle of the picture."""
        self._rig.look_at(point_m)
        self._camera_moved()

    def set_camera(self, camera: Camera, mode: str) -> None:
        """Take a camera as it is, e.g. for a picture from a certain place."""
        # Who looks so on purpose is not moved when controls come.
        self._framed = (NO_SCENE, None)
        self._rig.set_mode(CameraMode(mode))
        self._rig.camera = camera
        self._is_framed = True
        self._camera_moved()

    def set_chase_pose(self, position_m: Vec3, yaw_rad: float, eye_height_m: float) -> None:
        """Where the agent is: the floor point under it, its heading, its eyes above the floor."""
        self._rig.follow(position_m, yaw_rad, eye_height_m)
        if self._rig.mode in {CameraMode.CHASE, CameraMode.FIRST_PERSON}:
            self._camera_moved()

    def set_drawing(self, layer: str, drawing: Drawing) -> None:
        """Replace what one overlay layer shows; layers are stacked in the order first used."""
        if self._layers.get(layer, NOTHING) is drawing:
            return
        self._layers[layer] = drawing
        self._has_new_overlays = True
        self._overlay.set_labels([n for d in self._layers.values() for n in d.labels])
        self._redraw()

    def prepare_steps(self, drawing: Drawing) -> Generator[None, None, None]:
        """Get a large drawing ready in steps before it is set, so that its picture comes soon."""
        if self._stage is not None:
            yield from self._stage.prepare_steps(drawing, self._origin_m)

    def project(self, points: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) pixels of (N, 3) points; NaN behind the camera."""
        return self._rig.lens().project(points)

    def ray_at(self, x_px: float, y_px: float) -> tuple[Vec3, Vec3]:
        """Start and unit direction of the ray through a pixel position."""
        return self._rig.lens().ray_at(x_px, y_px)

    def set_theme(self, dark: bool) -> None:
        """Use the dark or the light theme."""
        colors = self._colors = tokens_named("dark" if dark else "light")
        self._overlay.set_colors(colors)
        self._message.setStyleSheet(f"background: {colors.stage}; color: {colors.text};")
        self._redraw()

    def _camera_moved(self) -> None:
        self._redraw()
        self.camera_changed.emit()

    def _redraw(self) -> None:
        if self._stage is None or not self._stage.is_behind:
            self._overlay.set_lens(self._rig.lens())
        if self._stage is not None:
            self._stage.update()

    def _new_stage(self) -> GlStage:
        return GlStage(self, self._frame_state, self._lose_stage, self._on_painted)

    def _on_painted(self) -> None:
        if self._stage is not None and self._stage.is_behind:
            # Labels move with the picture, not ahead of it.
            self._overlay.set_lens(self._drawn_lens)
        self.picture_drawn.emit()

    def _lose_stage(self) -> None:
        # Qt is in the middle of taking the context down, or the whole view with its timer.
        if shiboken6.isValid(self._renewal):
            self._renewal.start(0)

    def _renew_stage(self) -> None:
        if self._stage is None:
            return
        self._stage.close()
        self._stage = self._new_stage()
        self._stage.set_scene(self._scene, self._packed)
        self._stage.widget.setGeometry(self.rect())
        self._stage.widget.show()
        # Controls that others have put over the picture stay over it.
        self._stage.widget.lower()
        self._has_new_overlays = True
        self._redraw()

    def _frame_state(self, width: int, height: int) -> FrameState:
        self._drawn_lens = self._rig.lens()
        if self._has_new_overlays and self._stage is not None:
            self._has_new_overlays = False
            self._stage.set_overlays(self._layers.values(), self._origin_m)
        return frame_state(
            self._drawn_lens,
            self._origin_m,
            size=(width, height),
            cut_z=self._cut_z,
            colors=(rgb(self._colors.section), rgb(self._colors.stage)),
            dim=self._dim,
            floors_m=self._floors_m or [self._rig.extent.low[2]],
        )

    def sizeHint(self) -> QSize:
        """As much as there is."""
        return QSize(960, 600)

    def minimumSizeHint(self) -> QSize:
        """Small enough for any layout."""
        return QSize(160, 120)

    def showEvent(self, event: QShowEvent) -> None:
        """Frame the scene once the real size is known."""
        super().showEvent(event)
        if not self._is_framed:
            self._is_framed = True
            self.frame_bounds(self._rig.extent.low, self._rig.extent.high)
        self._redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill the view."""
        super().resizeEvent(event)
        self._rig.width_px = float(max(1, self.width()))
        self._rig.height_px = float(max(1, self.height()))
        self._message.setGeometry(self.rect())
        if self._stage is not None:
            self._stage.widget.setGeometry(self.rect())
        self._overlay.setGeometry(self.rect())
        self._camera_moved()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a gesture."""
        self._input.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Second press of a double click."""
        self._input.press(event, PointerPhase.DOUBLE)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with a gesture, or hover."""
        self._pointer_at = event.position()
        self._input.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a gesture."""
        self._input.release(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self._input.leave(self._pointer_at)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom to the pointer."""
        notches = event.angleDelta().y() / 120.0
        self._rig.zoom(_ZOOM_PER_NOTCH**-notches, *event.position().toTuple())
        self._camera_moved()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows step while flying, with Shift they turn; other keys are left to the window."""
        arrow = _ARROWS.get(Qt.Key(event.key()))
        is_turn = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if arrow is not None and is_turn and self._rig.mode is CameraMode.FLY:
            self._rig.turn(arrow[1] * _TURN_PX, -arrow[0] * _TURN_PX)
            self._camera_moved()
            return
        if arrow is not None and self._rig.step(arrow[0] * 0.3, arrow[1] * 0.3):
            self._camera_moved()
            return
        super().keyPressEvent(event)


def _message(parent: QWidget, text: str) -> QLabel:
    """A text in the middle of a view; the view gets the pointer."""
    message = QLabel(text, parent)
    message.setAlignment(Qt.AlignmentFlag.AlignCenter)
    message.setWordWrap(True)
    message.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return message
