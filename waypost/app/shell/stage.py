"""The 3D stage: one scene for all workspaces, its cut, and a line that says what a click does."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtWidgets import QHBoxLayout, QRubberBand, QSizePolicy, QVBoxLayout, QWidget

from waypost.app.shell.cut_slider import CutSlider
from waypost.app.shell.fly_card import FlyCard
from waypost.app.shell.stage_map import GAP_PX, StageMap
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Scene
from waypost.viewers.scene.free_area import Area
from waypost.viewers.scene.in_view import sees_box
from waypost.viewers.scene.prepared_scene import PreparedScene
from waypost.viewers.scene.view import SceneView
from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.empty_state import EmptyState
from waypost.widgets.parts import ElidedLabel, label, set_property

_COMPASS_PX = 64
"""Kept free below the slider."""

_CLEAR_PX = 4
"""Between a control and the scene that is framed beside it."""

_PLACED = {QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Move, QEvent.Type.Resize}

_CAMERA_TITLES = {
    "orbit": "Orbit",
    "fly": "Fly",
    "top": "Top-down",
    "chase": "Chase",
    "first_person": "First person",
}
_FREE_CAMERAS = frozenset({"orbit", "fly", "top"})
"""What no agent carries along."""


class Stage(QWidget):
    """Shows one scene to every workspace, so that switching keeps the place.

    Args:
        parent: Qt owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_driving = False
        self._is_bare = False
        self.view = SceneView()
        self.slider = CutSlider(self.view)
        self.slider.cut_changed.connect(self.view.set_cut_z)
        self.slider.width_changed.connect(self._place_slider)
        self.map = StageMap(self.view)
        self._hint = ElidedLabel("")
        self._hint.setAccessibleName("What a click does here")
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._camera_name = label("", "muted")
        self._camera_name.setWordWrap(False)
        self.cameras = ChoiceStrip("Camera")
        self.cameras.chosen.connect(self.set_camera_mode)
        self.tools = ChoiceStrip("Tool", self.view)
        self.tools.setProperty("role", "card")
        self.tools.hide()
        self.tools.content_changed.connect(self._place_tools)
        self.empty = EmptyState(self.view)
        self._fly_card = FlyCard(self.view)
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, self.view)
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(10, 0, 6, 0)
        foot.addWidget(self._hint, 1)
        foot.addWidget(self._camera_name)
        foot.addWidget(self.cameras)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._foot)
        self._over_view = (self.slider, self.map.widget, self.tools, self.empty)
        # A scene that opens moves many of them many times; finding room for it takes long.
        self._placed = QTimer(self, singleShot=True, interval=0)
        self._placed.timeout.connect(self._make_room)
        for watched in (self.view, *self._over_view):
            watched.installEventFilter(self)
        self._name_camera()

    def set_scene(self, scene: Scene | None, prepared: PreparedScene | None = None) -> None:
        """Show another scene, cut so that the first storey can be seen into."""
        self.view.set_scene(scene, prepared.packed if prepared else None)
        self.map.set_prepared(prepared)
        if scene is None:
            self.slider.set_range(0.0, 3.0, ())
            self.slider.hide()
            self.view.set_cut_z(None)
            return
        low, high = scene.bounds_m
        self.slider.set_range(low[2], high[2], scene.storeys)
        self.slider.setHidden(self._is_bare)
        self._place_slider()
        stops = self.slider.stops
        self.set_cut(stops[0].cut_z_m if stops else None)
        self.view.frame_bounds(low, high)

    def set_cut(self, cut_z_m: float | None) -> None:
        """Cut at a height; ``None`` shows the whole scene. Who draws by the cut hears of it."""
        before = self.view.cut_z
        self.slider.set_cut(cut_z_m)
        self.view.set_cut_z(self.slider.cut_z_m)
        if self.view.cut_z != before:
            self.slider.cut_changed.emit(self.view.cut_z)

    def show_height(self, z_m: float) -> None:
        """Cut so that a place at this height is in view and its ceiling is not."""
        at_or_above = [stop for stop in self.slider.stops if stop.cut_z_m > z_m + 0.3]
        self.set_cut(at_or_above[0].cut_z_m if at_or_above else None)

    def go_to(self, point_m: Vec3) -> None:
        """Bring a place into view, on its own storey."""
        cut = self.view.cut_z
        if cut is not None and not 0.3 <= cut - point_m[2] <= 3.0:
            self.show_height(point_m[2])
        self.view.look_at(point_m)

    def set_camera_mode(self, mode: str) -> None:
        """Look in another way; see ``SceneView.set_camera_mode``.

        Where the new camera would show nothing of the scene, it is brought into view.
        """
        self.view.set_camera_mode(mode)
        self._show_something()
        self._name_camera()

    def set_theme(self, *, dark: bool) -> None:
        """Use the dark or the light theme."""
        self.view.set_theme(dark)
        self.map.widget.set_theme(dark)

    def set_camera_keys(self, keys: Mapping[str, str]) -> None:
        """Write the key of each camera on its button; camera → key."""
        self.cameras.set_choices(
            (mode, _CAMERA_TITLES[mode], key, f"Look: {_CAMERA_TITLES[mode].lower()}")
            for mode, key in keys.items()
        )
        self._name_camera()

    def set_driving(self, *, is_driving: bool) -> None:
        """Name the camera while an agent is driven; offer all of them otherwise."""
        self._is_driving = is_driving
        self._name_camera()

    def set_bare(self, *, is_bare: bool) -> None:
        """Show the scene alone: no cut, map, cameras or hints; or all of them again."""
        if is_bare == self._is_bare:
            return
        self._is_bare = is_bare
        self._foot.setHidden(is_bare)
        self.slider.setHidden(is_bare or self.view.scene is None)
        self.map.set_suspended(is_suspended=is_bare)
        self._name_camera()

    def show_tools(self, *, is_shown: bool) -> None:
        """Show the tools in the corner of the view, or take them away."""
        self.tools.setVisible(is_shown)
        self._place_tools()

    def set_hint(self, text: str, *, is_refused: bool = False) -> None:
        """Say what a click would do here, or why it does nothing."""
        self._hint.set_full_text(text)
        set_property(self._hint, "role", "warning" if is_refused else "muted")

    def show_box(self, box_px: tuple[float, float, float, float] | None) -> None:
        """Draw the rubber band, or take it away."""
        if box_px is None:
            self._band.hide()
            return
        left, top, right, bottom = (round(v) for v in box_px)
        self._band.setGeometry(QRect(left, top, right - left, bottom - top))
        self._band.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the slider in its corner of the view, and the scene beside what lies over it."""
        if watched is self.view and event.type() == QEvent.Type.Resize:
            self._place_slider()
        elif watched is not self.view and event.type() in _PLACED:
            self._placed.start()
        return super().eventFilter(watched, event)

    def _make_room(self) -> None:
        self.view.set_taken(_area(w) for w in self._over_view if not w.isHidden())

    def _place_slider(self) -> None:
        self.slider.set_view_width(self.view.width())
        hint = self.slider.sizeHint()
        most = self.view.height() - 2 * GAP_PX - _COMPASS_PX
        height = min(max(hint.height(), self.view.height() // 2), most)
        left = self.view.width() - hint.width() - GAP_PX
        self.slider.setGeometry(left, GAP_PX, hint.width(), height)
        self.slider.raise_()
        for card in (self.empty, self._fly_card):
            card.set_room(left - GAP_PX)
        self._place_tools()

    def _place_tools(self) -> None:
        self.tools.move(GAP_PX, GAP_PX)
        self.tools.fit(self.slider.x() - 2 * GAP_PX)
        self.tools.raise_()

    def _show_something(self) -> None:
        scene, view = self.view.scene, self.view
        if str(view.camera_mode) not in _FREE_CAMERAS or scene is None or not scene.triangle_count:
            return
        low, high = scene.bounds_m
        top_m = high[2] if view.cut_z is None else max(min(high[2], view.cut_z), low[2])
        if not sees_box(view.lens, low, (high[0], high[1], top_m)):
            view.frame_bounds(low, high)

    def _name_camera(self) -> None:
        mode = str(self.view.camera_mode)
        is_flying = mode == "fly" and not self._is_driving and not self._is_bare
        self._fly_card.setVisible(is_flying)
        if is_flying:
            self._fly_card.place()
        self.cameras.set_current(mode)
        # An agent's own cameras have keys of their own while it is driven.
        self._camera_name.setText(_CAMERA_TITLES[mode])
        self._camera_name.setVisible(self._is_driving)
        self.cameras.setVisible(not self._is_driving)


def _area(widget: QWidget) -> Area:
    """What a control over the view takes of it."""
    place = widget.geometry().adjusted(-_CLEAR_PX, -_CLEAR_PX, _CLEAR_PX, _CLEAR_PX)
    return Area(place.left(), place.top(), place.right() + 1.0, place.bottom() + 1.0)
