"""A small house for the window: two rooms with a door, a storey above, five nodes."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from worlds.box_scenes import box, scene

from tools.scene_files.write_glb import write_glb
from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.domain.scene.scene import Scene
from waypost.io.agent_files import shipped_agents
from waypost.store.project_store import ProjectStore

WALL_X_M = 1.0
"""The wall between the rooms, 10 cm thick, with a door of 0.90 m at y = 0."""

FREE_FLOOR_M = (-2.5, 1.5, 0.0)
"""A place on the ground floor without a node near it."""

_PROJECT = "house.waypost"


def house() -> Scene:
    """8 × 6 m, 2.6 m to the ceiling, a second storey at 2.8 m."""
    ground = [
        box("floor", (-4.0, -3.0, -0.1), (4.0, 3.0, 0.0)),
        box("ceiling", (-4.0, -3.0, 2.6), (4.0, 3.0, 2.8)),
        box("wall_a", (WALL_X_M, -3.0, 0.0), (WALL_X_M + 0.1, -0.45, 2.6)),
        box("wall_b", (WALL_X_M, 0.45, 0.0), (WALL_X_M + 0.1, 3.0, 2.6)),
    ]
    outside = [
        box(f"outer_{name}_{storey}", (*low, z), (*high, z + 2.6))
        for storey, z in (("ground", 0.0), ("upper", 2.8))
        for name, low, high in (
            ("west", (-4.0, -3.0), (-3.9, 3.0)),
            ("east", (3.9, -3.0), (4.0, 3.0)),
            ("south", (-3.9, -3.0), (3.9, -2.9)),
            ("north", (-3.9, 2.9), (3.9, 3.0)),
        )
    ]
    return scene(*ground, *outside)


def graph() -> NavigationGraph:
    """Hall, Door, Kitchen in a row; Pantry off the kitchen; Attic above the hall."""
    nodes = (
        Node("node_1", "Hall", (-2.5, 0.0, 0.0)),
        Node("node_2", "Door", (0.0, 0.0, 0.0)),
        Node("node_3", "Kitchen", (2.5, 0.0, 0.0)),
        Node("node_4", "Pantry", (2.5, -2.0, 0.0)),
        Node("node_5", "Attic", (-2.5, 0.0, 2.8)),
    )
    edges = (
        Edge("edge_1", "node_1", "node_2", EdgeKind.WALK),
        Edge("edge_2", "node_2", "node_3", EdgeKind.DOOR),
        Edge("edge_3", "node_3", "node_4", EdgeKind.WALK),
        Edge("edge_4", "node_1", "node_5", EdgeKind.ELEVATOR),
    )
    return build_graph(nodes, edges)


def write_house(folder: Path, *, has_graph: bool = True) -> Path:
    """A project with its scene; returns the project file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in _files(has_graph=has_graph).items():
        (folder / name).write_bytes(content)
    return folder / _PROJECT


@cache
def _files(*, has_graph: bool) -> dict[str, bytes]:
    """Made once: a project takes as long as its window."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_glb(house(), folder / "house.glb")
        drawn = graph() if has_graph else NavigationGraph()
        project = Project("House", "house.glb", graph=drawn, agents=shipped_agents())
        ProjectStore.create(folder / _PROJECT, project, "ana").close()
        return {path.name: path.read_bytes() for path in folder.iterdir()}
