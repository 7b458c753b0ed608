"""What a graph tool is told and what it answers, as frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import NavigationGraph, Node
from waypost.domain.scene.scene import Storey
from waypost.geometry.walking_down import STOREY_TOLERANCE_M
from waypost.viewers.scene.drawing import NOTHING, Drawing
from waypost.viewers.scene.pointer import LEFT_BUTTON, PointerEvent, PointerPhase


class SurfaceHit(Protocol):
    """Where a ray meets the scene."""

    @property
    def point_m(self) -> Vec3:
        """Scene frame."""

    @property
    def normal(self) -> Vec3:
        """Unit normal on the side that the ray came from."""

    @property
    def distance_m(self) -> float:
        """From the origin of the ray."""

    @property
    def is_back(self) -> bool:
        """Whether the ray came from behind the triangle, as when it leaves a closed body."""


class SceneRays(Protocol):
    """The rays that tools need; ``geometry.ray_index.RayIndex`` has them."""

    def first_hit(
        self,
        origin: Vec3,
        direction: Vec3,
        *,
        max_distance_m: float = ...,
        cut_z_m: float | None = ...,
    ) -> SurfaceHit | None:
        """The first surface along a ray, ignoring what lies above the cut."""

    def first_hit_distances(
        self, origins: NDArray[np.float64], directions: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Distances along (N, 3) rays, metres; infinite where nothing is hit."""


@dataclass(frozen=True, slots=True)
class GraphContext:
    """The world as a tool sees it at one event."""

    graph: NavigationGraph
    selection_nodes: frozenset[str]
    selection_edges: frozenset[str]
    rays: SceneRays | None
    """``None`` while the index is still being built."""

    cut_z_m: float | None
    storeys: tuple[Storey, ...]
    project: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    """(N, 3) metres to (N, 2) pixels of the view; nan behind the camera."""


@dataclass(frozen=True, slots=True)
class GraphEdit:
    """One undoable step."""

    text: str
    """What the undo menu says."""

    graph: NavigationGraph
    selection_nodes: frozenset[str] = frozenset()
    """Selected once the edit is done."""

    selection_edges: frozenset[str] = frozenset()
    merge_key: object | None = None


@dataclass(frozen=True, slots=True)
class GraphSelection:
    """Nodes and edges to select."""

    nodes: frozenset[str] = frozenset()
    edges: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of an event."""

    tool: GraphTool
    """The tool in its next state."""

    preview: Drawing = NOTHING
    """Drawn over the graph: ghost node, rubber line, measures."""

    edit: GraphEdit | None = None
    selection: GraphSelection | None = None
    """A new selection without an edit; ``None`` leaves it."""

    asked: tuple[str, ...] = ()
    """Nodes that a new question leads from, through and to."""

    message: str = ""
    """What a click would do here, or why nothing was done."""

    moved_m: Mapping[str, Vec3] = field(default_factory=dict)
    """Positions that nodes are shown at while they are dragged; not an edit yet."""

    box_px: tuple[float, float, float, float] | None = None
    """Left, top, right, bottom of the rubber band, if one is being drawn."""

    hover_node: str | None = None
    hover_edge: str | None = None
    is_refused: bool = False
    """Whether ``message`` says why a click does nothing."""


class GraphTool(Protocol):
    """A tool in one state; immutable."""

    @property
    def is_busy(self) -> bool:
        """Whether a gesture is half made, which Esc would drop."""

    def handle(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        """Answer one pointer event."""

    def cancel(self) -> ToolResult:
        """Drop the half-made gesture (Esc); nothing else changes."""


Answer = Callable[[PointerEvent, GraphContext], ToolResult]
"""What a tool makes of one kind of pointer event."""


def hover_or_click(
    tool: GraphTool, event: PointerEvent, context: GraphContext, hover: Answer, click: Answer
) -> ToolResult:
    """Answer a pointer event with a tool that knows only moves and clicks.

    Args:
        tool: Stays as it is at every other event.
        event: What happened; the second press of a quick pair of clicks is a click, too.
        context: What the tool is told.
        hover: Answers moves, with a button down or not.
        click: Answers presses of the left button.
    """
    if event.phase in {PointerPhase.HOVER, PointerPhase.MOVE}:
        return hover(event, context)
    is_press = event.phase in {PointerPhase.PRESS, PointerPhase.DOUBLE}
    if is_press and event.button == LEFT_BUTTON:
        return click(event, context)
    return ToolResult(tool)


def active_range(storeys: tuple[Storey, ...], cut_z_m: float | None) -> tuple[float, float]:
    """Heights of the storey in view: from just under its floor up to the cut.

    Args:
        storeys: In any order.
        cut_z_m: Height of the cut; ``None`` means that everything is in view.

    Returns:
        Lowest and highest z in metres, infinite where there is no limit.
    """
    if cut_z_m is None:
        return (-np.inf, np.inf)
    below = [s.floor_z_m for s in storeys if s.floor_z_m < cut_z_m]
    return (max(below) - STOREY_TOLERANCE_M if below else -np.inf, cut_z_m)


def is_active(node: Node, heights_m: tuple[float, float]) -> bool:
    """Whether a node lies in the storey in view; only those can be clicked."""
    return heights_m[0] <= node.position_m[2] <= heights_m[1]
