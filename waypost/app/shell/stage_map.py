"""The mini-map in the corner of the stage: shows the storey at hand and takes one elsewhere."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import NavigationGraph
from waypost.viewers.map.mini_map import MiniMap
from waypost.viewers.scene.camera import CameraMode
from waypost.viewers.scene.drawing import Color
from waypost.viewers.scene.floor_plan import FloorPlan
from waypost.viewers.scene.prepared_scene import PreparedScene
from waypost.viewers.scene.view import SceneView
from waypost.widgets.parts import STAYS_IN_VIEW

GAP_PX = 10
_SHARE = 0.27
"""Of the width of the view, up to the size that the map would like to have."""

_LEAST_VIEW_PX = 560
"""A narrower view has no corner to spare."""

_BELOW_FLOOR_M = 0.5
"""What stands this little below the floor of a storey still belongs to it."""


class StageMap(QObject):
    """Keeps a mini-map in the lower left corner of a view in step with it.

    It is hidden where it would say nothing new (seen from above, without a scene), where there is
    no room for it, and on request.

    Args:
        view: Gets the map as a child.
    """

    corner_changed = Signal(QSize)
    """How much of the corner is taken now, gap included; nothing while the map is hidden."""

    def __init__(self, view: SceneView) -> None:
        super().__init__(view)
        self._view = view
        self.widget = MiniMap(view)
        self.widget.setProperty(STAYS_IN_VIEW, True)
        self.widget.hide()
        self._prepared: PreparedScene | None = None
        self._graph = NavigationGraph()
        self._storey: tuple[float, FloorPlan] | None = None
        self._is_folded = False
        self._is_suspended = False
        self._has_nodes = True
        self._corner = QSize(0, 0)
        self.widget.place_chosen.connect(self._go_to)
        view.camera_changed.connect(self._follow)
        view.installEventFilter(self)

    @property
    def is_shown(self) -> bool:
        """Whether there is a map in the corner."""
        return not self.widget.isHidden()

    @property
    def corner(self) -> QSize:
        """How much of the corner is taken now; see ``corner_changed``."""
        return self._corner

    def set_prepared(self, prepared: PreparedScene | None) -> None:
        """Show the storeys of another scene; ``None`` shows no map."""
        self._prepared, self._storey = prepared, None
        self._show_storey()
        self._follow()

    def set_graph(self, graph: NavigationGraph) -> None:
        """Show the nodes of this graph that are on the storey at hand."""
        if graph is not self._graph:
            self._graph = graph
            self._show_nodes()

    def set_plain(self, *, is_plain: bool) -> None:
        """Show walls alone and let no place be chosen, or nodes as well."""
        self._has_nodes = not is_plain
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, is_plain)
        self._show_nodes()

    def set_agent(
        self, position_m: Vec3 | None, yaw_rad: float = 0.0, color: Color | None = None
    ) -> None:
        """Show where the agent is, in its own colour if it has one; ``None`` takes it away."""
        self.widget.set_agent(position_m and (position_m[0], position_m[1], yaw_rad), color)

    def toggle(self) -> None:
        """Fold the map away, or unfold it."""
        self._is_folded = not self._is_folded
        self._place()

    def set_suspended(self, *, is_suspended: bool) -> None:
        """Keep the map away whatever else is asked for, or show it as before."""
        self._is_suspended = is_suspended
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner of the view."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        """Show from where the scene is seen, and the storey that is looked at."""
        self._place()
        if not self.is_shown or self._prepared is None:
            return
        lens, cut_z_m = self._view.lens, self._view.cut_z
        height_m = self._view.camera.focus_m[2] + _BELOW_FLOOR_M if cut_z_m is None else cut_z_m
        storey = self._prepared.storey_at(height_m)
        if storey is not self._storey:
            self._storey = storey
            self._show_storey()
        x, y = float(lens.eye_m[0]), float(lens.eye_m[1])
        self.widget.set_viewer((x, y, math.atan2(lens.forward[1], lens.forward[0])))

    def _show_storey(self) -> None:
        self.widget.set_floor_plan(self._storey[1] if self._storey else None)
        self._show_nodes()

    def _show_nodes(self) -> None:
        if self._storey is None or self._prepared is None or not self._has_nodes:
            self.widget.set_nodes(())
            return
        floor_z_m = self._storey[0]
        above = (z for z, _ in self._prepared.plans if z > floor_z_m)
        low, high = floor_z_m - _BELOW_FLOOR_M, next(above, math.inf) - _BELOW_FLOOR_M
        points = (node.position_m for node in self._graph.nodes.values())
        self.widget.set_nodes([(p[:2], None) for p in points if low <= p[2] < high])

    def _place(self) -> None:
        is_from_above = self._view.camera_mode is CameraMode.TOP
        has_plan = self._prepared is not None and bool(self._prepared.plans)
        has_room = self._view.width() >= _LEAST_VIEW_PX
        is_wanted = not self._is_folded and not self._is_suspended
        is_shown = has_plan and has_room and not is_from_above and is_wanted
        corner = QSize(0, 0)
        if is_shown:
            size = self.widget.sizeHint()
            width = min(size.width(), round(self._view.width() * _SHARE))
            height = round(size.height() * width / size.width())
            top = self._view.height() - height - GAP_PX
            self.widget.setGeometry(GAP_PX, top, width, height)
            self.widget.raise_()
            corner = QSize(width + GAP_PX, height + GAP_PX)
        self.widget.setVisible(is_shown)
        if corner != self._corner:
            self._corner = corner
            self.corner_changed.emit(corner)

    def _go_to(self, x_m: float, y_m: float) -> None:
        if self._storey:
            self._view.look_at((x_m, y_m, self._storey[0]))
