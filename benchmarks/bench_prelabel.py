"""Passages measured per minute, the growth with edges and triangles, and the memory taken."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.scenes import SMALL_HOUSE, bumpy_room
from waypost.domain.base.frames import FRAMES
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.domain.scene.scene import Mesh, Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import all_passages
from waypost.io.agent_files import shipped_agents
from waypost.io.graphs.graph_files import read_graph_file
from waypost.io.scenes.open_scene import read_scene
from waypost.sample.navigation import build_navigation
from waypost.services.measuring.measure_passages import measure_passages

GRAPH = Path(__file__).resolve().parents[1] / "tests/realdata/small_house_graph.json"
WORKERS = 2
AIM_S = 60.0
AIM_MB = 500.0
EDGES = (8, 32)
TRIANGLES = (20_000, 500_000)


def run() -> list[dict[str, Any]]:
    """Rows of two whole houses, and of generated floors with more edges and more triangles."""
    houses = [*_house("small_house", SMALL_HOUSE, read_graph_file(GRAPH).build(FRAMES["scene"]))]
    with as_file(files("waypost.resources").joinpath("sample/scenes/home.glb")) as home:
        houses += _house("the sample home", home, build_navigation())
    return [*houses, *_growth()]


def _house(name: str, path: Path, graph: NavigationGraph) -> list[dict[str, Any]]:
    title = f"measuring {name}, {WORKERS} processes"
    if not path.exists():
        return [{"name": title, "value": None, "note": "scene absent"}]
    taken_s, largest_mb, count = _measured(read_scene(path), graph, shipped_agents())
    return [
        {
            "name": title,
            "value": taken_s,
            "unit": "s",
            "limit": f"≤ {AIM_S:g}",
            "ratio_to": f"{60 * count / taken_s:.0f} of {count} passages per minute",
        },
        {
            "name": f"memory of the largest process that measures {name}",
            "value": largest_mb,
            "unit": "MB",
            "limit": f"≤ {AIM_MB:g}",
        },
    ]


def _growth() -> list[dict[str, Any]]:
    agents = {key: shipped_agents()[key] for key in ("human", "wheelchair")}
    few, many = (_measured(_furnished(TRIANGLES[0]), _row_of_edges(n), agents)[0] for n in EDGES)
    large = _measured(_furnished(TRIANGLES[1]), _row_of_edges(EDGES[0]), agents)[0]
    more_edges, more_triangles = EDGES[1] / EDGES[0], TRIANGLES[1] / TRIANGLES[0]
    return [
        {
            "name": f"measuring {more_edges:g} × the edges",
            "value": many / few,
            "unit": "× the time",
            "limit": f"≤ {1.2 * more_edges:g}",
            "note": f"{few:.1f} s for {EDGES[0]}, processes and engines started included",
        },
        {
            "name": f"measuring among {more_triangles:g} × the triangles",
            "value": large / few,
            "unit": "× the time",
            "limit": f"≤ {more_triangles / 2:g}",
            "note": f"floors of {TRIANGLES[0]:,} and {TRIANGLES[1]:,} triangles",
        },
    ]


def _measured(
    scene: Scene, graph: NavigationGraph, agents: Mapping[str, AgentProfile]
) -> tuple[float, float, int]:
    """Seconds, megabytes of the largest process, and passages."""
    asked = all_passages(graph, agents)
    ended = threading.Event()
    largest = [0.0]
    watcher = threading.Thread(target=_watch, args=(ended, largest), daemon=True)
    watcher.start()
    begin = time.perf_counter()
    count = sum(1 for _ in measure_passages(scene, graph, agents, asked, workers=WORKERS))
    taken_s = time.perf_counter() - begin
    ended.set()
    watcher.join()
    return taken_s, largest[0], count


def _watch(ended: threading.Event, largest: list[float]) -> None:
    own = psutil.Process()
    while not ended.wait(0.2):
        for child in own.children(recursive=True):
            try:
                largest[0] = max(largest[0], child.memory_info().rss / 1e6)
            except psutil.NoSuchProcess:
                continue


def _row_of_edges(count: int) -> NavigationGraph:
    """Edges of 2 m beside one another, so that none shares what was found for the next."""
    nodes, edges = [], []
    for number in range(count):
        row, column = divmod(number, 8)
        x, y = -8.0 + 2.2 * column, -8.0 + 4.0 * row
        ends = [Node(f"{number}{end}", "", (x, y + dy, 0.0)) for end, dy in (("a", 0), ("b", 2))]
        nodes += ends
        edges.append(Edge(f"e{number}", ends[0].node_id, ends[1].node_id))
    return build_graph(nodes, edges)


def _furnished(triangle_count: int) -> Scene:
    """A level floor of this many triangles with a block beside each place of an edge."""
    scene = bumpy_room(triangle_count)
    floor = scene.meshes[0]
    level = floor.vertices * np.array([1, 1, 0], dtype=np.float32)
    blocks = [
        _block(f"block {n}", -8.0 + 2.2 * (n % 8) + 0.75, -7.0 + 4.0 * (n // 8)) for n in range(32)
    ]
    return replace(scene, meshes=(Mesh("floor", level, floor.faces), *blocks))


def _block(name: str, x: float, y: float) -> Mesh:
    corners = [(x + dx, y + dy, dz) for dx in (0, 0.3) for dy in (0, 0.3) for dz in (0, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]
    return Mesh(name, np.array(corners, dtype=np.float32), np.array(faces, dtype=np.int32))


if __name__ == "__main__":
    for row in run():
        print(row)
