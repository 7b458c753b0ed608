"""A small house of boxes, seen from straight above at 50 px per metre."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from waypost.annotators.graph.tool import GraphContext, GraphEdit, GraphTool, ToolResult
from waypost.domain.scene.graph import NavigationGraph, add_node
from waypost.domain.scene.scene import Mesh, Scene, Storey
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.geometry.ray_index import RayIndex
from waypost.viewers.scene.pointer import LEFT_BUTTON, NO_BUTTON, PointerEvent, PointerPhase

PX_PER_M = 50.0
GROUND = Storey("Ground floor", 0.0)
UPPER = Storey("Upper floor", 2.72)

_SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
_FACES = np.array(
    [t for a, b, c, d in _SIDES for t in ((a, b, c), (a, c, d))],
    dtype=np.int32,
)


def _box(name: str, low: tuple[float, float, float], high: tuple[float, float, float]) -> Mesh:
    corners = [
        (x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])
    ]
    return Mesh(name, np.array(corners, dtype=np.float32), _FACES)


def house_scene() -> Scene:
    """Floor 10 × 10 m, a wall with a 0.80 m door, a table, stairs of 16 risers of 17 cm."""
    meshes = [
        _box("floor", (-5, -5, -0.2), (5, 5, 0)),
        _box("wall south", (2, -5, 0), (2.2, 0, 2.5)),
        _box("wall north", (2, 0.8, 0), (2.2, 3.4, 2.5)),
        _box("ceiling", (-5, -5, 2.5), (5, 3.4, 2.72)),
        _box("table", (-2.5, -2.5, 0.7), (-1.5, -1.5, 0.74)),
        _box("cupboard", (-4.5, -4.5, 0), (-3.5, -4.0, 0.9)),
    ]
    meshes += [
        _box(f"step {i}", (-4 + 0.28 * i, 3.5, 0), (-4 + 0.28 * (i + 1), 4.5, 0.17 * (i + 1)))
        for i in range(16)
    ]
    return Scene("house", "house.glb", "glb", tuple(meshes), storeys=(GROUND, UPPER))


def top_view(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([points[:, 0] * PX_PER_M + 500, 500 - points[:, 1] * PX_PER_M])


def at(
    x_m: float, y_m: float, phase: PointerPhase = PointerPhase.HOVER, **modifiers: object
) -> PointerEvent:
    """The pointer straight above a point of the floor."""
    pressed = phase in {PointerPhase.HOVER, PointerPhase.LEAVE}
    event = PointerEvent(
        phase,
        x_m * PX_PER_M + 500,
        500 - y_m * PX_PER_M,
        (x_m, y_m, 20.0),
        (0.0, 0.0, -1.0),
        NO_BUTTON if pressed else LEFT_BUTTON,
    )
    return replace(event, **modifiers)


@dataclass
class ToolPlayer:
    """Plays events through a tool and carries out what it answers, as the window does."""

    context: GraphContext
    tool: GraphTool
    edits: list[GraphEdit] = field(default_factory=list)
    last: ToolResult | None = None

    def send(self, event: PointerEvent) -> ToolResult:
        result = self.tool.handle(event, self.context)
        self.tool, self.last = result.tool, result
        if result.edit is not None:
            self.edits.append(result.edit)
            self.context = replace(
                self.context,
                graph=result.edit.graph,
                selection_nodes=result.edit.selection_nodes,
                selection_edges=result.edit.selection_edges,
            )
        elif result.selection is not None:
            self.context = replace(
                self.context,
                selection_nodes=result.selection.nodes,
                selection_edges=result.selection.edges,
            )
        return result

    def click(self, x_m: float, y_m: float, **modifiers: object) -> ToolResult:
        pressed = self.send(at(x_m, y_m, PointerPhase.PRESS, **modifiers))
        released = self.send(at(x_m, y_m, PointerPhase.RELEASE, **modifiers))
        return released if released.edit or released.selection or released.message else pressed

    def double_click(self, x_m: float, y_m: float, **modifiers: object) -> ToolResult:
        self.click(x_m, y_m, **modifiers)
        result = self.send(at(x_m, y_m, PointerPhase.DOUBLE, **modifiers))
        self.send(at(x_m, y_m, PointerPhase.RELEASE, **modifiers))
        return result

    def select(self, *node_ids: str) -> None:
        self.context = replace(
            self.context, selection_nodes=frozenset(node_ids), selection_edges=frozenset()
        )


def make_player(rays: RayIndex, tool: GraphTool, *places: tuple[float, float, float]) -> ToolPlayer:
    """A tool and nodes at the given places; the house is cut at 1.5 m."""
    graph = NavigationGraph()
    for place in places:
        graph, _ = add_node(graph, place)
    nothing: frozenset[str] = frozenset()
    context = GraphContext(graph, nothing, nothing, rays, 1.5, (GROUND, UPPER), top_view)
    return ToolPlayer(context, tool)


def wheelchair() -> AgentProfile:
    """The published wheelchair: 0.7 × 1.0 × 1.2 m, 13 mm."""
    return AgentProfile(
        "wheelchair", "Wheelchair", BodyShape.BOX, 0.7, 1.0, 1.2, 0.013, False, True, True
    )
