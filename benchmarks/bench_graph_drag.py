"""A graph of 1,000 nodes: how fast it follows the pointer, is drawn with labels and is checked."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from waypost.annotators.graph.drawing import GraphLook, graph_drawing_steps
from waypost.annotators.graph.select_tool import SelectTool
from waypost.annotators.graph.tool import GraphContext
from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import exhaust
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.domain.scene.scene import Mesh, Scene, Storey
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    TraversabilityLabel,
    Verdict,
)
from waypost.geometry.graph_checks import check_graph
from waypost.geometry.ray_index import RayIndex
from waypost.io.agent_files import shipped_agents
from waypost.viewers.scene.pointer import LEFT_BUTTON, PointerEvent, PointerPhase

SIDE = 32
COUNT = 1000
PX_PER_M = 20.0
MOVES = 60
REPEATS = 9


def run() -> list[dict[str, object]]:
    """Drag one node, and all nodes, and count the events per second.

    Returns:
        Rows with name, value, unit, limit, ratio_to and note.
    """
    one = _events_per_second(frozenset())
    every = _events_per_second(frozenset(_graph().nodes))
    note = "1,000 nodes, 1,936 edges; tool.handle + graph_drawing, median of 60 moves"
    return [
        _row("graph drag, one node", one, note),
        _row("graph drag, all 1,000 nodes", every, note),
        _labelled_row(),
        _checked_row(),
    ]


def _labelled_row() -> dict[str, object]:
    """A drawing of the same graph with a label on every edge."""
    graph, profile = _graph(), shipped_agents()["wheelchair"]
    judged = Provenance("scene", profile.profile_hash)
    labels = {}
    for edge in graph.edges.values():
        passage = Passage(edge.from_id, edge.to_id, "wheelchair")
        labels[passage] = TraversabilityLabel(passage, Verdict.TRAVELS, provenance=judged)
    look = GraphLook(agent=profile, labels=labels, scene_hash="scene")
    return _best_row(
        "graph drawn with all its labels", lambda: exhaust(graph_drawing_steps(graph, look)), 33.0
    )


def _checked_row() -> dict[str, object]:
    """What is wrong with the same graph, as it is asked at every edit."""
    graph, floor = _graph(), _floor()
    return _best_row("graph checked in its scene", lambda: check_graph(graph, floor), 50.0)


def _best_row(name: str, work: Callable[[], object], limit_ms: float) -> dict[str, object]:
    times_ms = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        work()
        times_ms.append((time.perf_counter() - begin) * 1000)
    value = statistics.median(times_ms)
    return {
        "name": name,
        "value": value,
        "unit": "ms",
        "limit": f"< {limit_ms:.0f} ms",
        "ratio_to": f"{value / limit_ms:.2f} of the limit",
        "note": f"1,000 nodes, 1,936 edges; median of {REPEATS}, fastest {min(times_ms):.1f} ms",
    }


def _row(name: str, value: float, note: str) -> dict[str, object]:
    return {
        "name": name,
        "value": round(value, 1),
        "unit": "events/s",
        "limit": 30.0,
        "ratio_to": None,
        "note": note,
    }


def _events_per_second(selection: frozenset[str]) -> float:
    graph = _graph()
    context = GraphContext(
        graph, selection, frozenset(), _floor(), 1.5, (Storey("Ground floor", 0.0),), _project
    )
    tool = SelectTool().handle(_event(PointerPhase.PRESS, 5.0, 5.0), context).tool
    look = GraphLook(selection_nodes=selection, storeys=context.storeys, cut_z_m=1.5)
    seconds = []
    for i in range(MOVES):
        event = _event(PointerPhase.MOVE, 5.0 + 0.02 * (i + 20), 5.0)
        begin = time.perf_counter()
        result = tool.handle(event, context)
        drawing = exhaust(graph_drawing_steps(graph, replace(look, moved_m=result.moved_m)))
        seconds.append(time.perf_counter() - begin)
        tool = result.tool
        if not result.moved_m or len(drawing.markers) < COUNT:
            raise RuntimeError("the drag did not move anything, so nothing was measured")
    return 1.0 / statistics.median(seconds)


def _graph() -> NavigationGraph:
    nodes = [
        Node(f"node_{i}", f"Place {i}", (float(i % SIDE), float(i // SIDE), 0.0))
        for i in range(COUNT)
    ]
    pairs = [(i, i + 1) for i in range(COUNT - 1) if (i + 1) % SIDE]
    pairs += [(i, i + SIDE) for i in range(COUNT - SIDE)]
    edges = [Edge(f"edge_{k}", f"node_{a}", f"node_{b}") for k, (a, b) in enumerate(pairs)]
    return build_graph(nodes, edges)


def _floor() -> RayIndex:
    corners = np.array([[-5, -5, 0], [40, -5, 0], [40, 40, 0], [-5, 40, 0]], dtype=np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
    return RayIndex.build(Scene("floor", "", "glb", (Mesh("floor", corners, faces),)))


def _project(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return points[:, :2] * PX_PER_M


def _event(phase: PointerPhase, x_m: float, y_m: float) -> PointerEvent:
    origin: Vec3 = (x_m, y_m, 10.0)
    return PointerEvent(
        phase, x_m * PX_PER_M, y_m * PX_PER_M, origin, (0.0, 0.0, -1.0), LEFT_BUTTON
    )


if __name__ == "__main__":
    for row in run():
        print(row)
