"""Small worlds with distances that can be checked by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph


def line_graph(*gaps_m: float, names: str = "ABCDEFGHIJ") -> ViewpointGraph:
    """Viewpoints in a row along +X with the given gaps between neighbours."""
    xs = np.concatenate(([0.0], np.cumsum(gaps_m)))
    joined = np.eye(len(xs), k=1, dtype=bool)
    positions = np.stack([xs, 0 * xs, 0 * xs + 1.5], axis=1)
    ids = tuple(names[: len(xs)])
    return build_viewpoint_graph("line", ids, positions, joined, heights_m=np.full(len(xs), 1.5))


def grid_graph(columns: int, rows: int) -> ViewpointGraph:
    """Viewpoints ``x,y`` on a unit grid, joined to their four neighbours."""
    places = [(x, y) for x in range(columns) for y in range(rows)]
    positions = np.array([(x, y, 0.0) for x, y in places])
    gaps = np.abs(positions[:, None] - positions[None]).sum(axis=2)
    ids = tuple(f"{x},{y}" for x, y in places)
    return build_viewpoint_graph("grid", ids, positions, gaps == 1)


def graph_episode(path: Sequence[str], episode_id: str = "1_0", **fields: Any) -> Episode:
    """An episode whose reference is a path of viewpoints."""
    return Episode(
        dataset="r2r",
        split="",
        episode_id=episode_id,
        scene_id="line",
        instruction=Instruction("go"),
        **{
            "reference": Route(tuple(path)),
            "goals": (Goal(path[-1]),) if path else (),
            "start_viewpoint_id": path[0] if path else "",
            **fields,
        },
    )


def graph_run(path: Iterable[str], episode_id: str = "1_0", **fields: Any) -> EpisodeRun:
    """A run over viewpoints."""
    return EpisodeRun(episode_id, Route(tuple(path)), **fields)


def space_episode(points_m: Any, **fields: Any) -> Episode:
    """An episode whose reference is a path of points."""
    reference = route(positions_m=points_m)
    assert reference.positions_m is not None
    end = tuple(reference.positions_m[-1].tolist())
    return Episode(
        dataset="test",
        split="",
        episode_id="1",
        scene_id="hall",
        instruction=Instruction("go"),
        **{"reference": reference, "goals": (Goal(position_m=end),), **fields},
    )


def space_run(points_m: Any, **fields: Any) -> EpisodeRun:
    """A run through points."""
    return EpisodeRun("1", route(positions_m=points_m), **fields)


def connectivity_entries(
    names: Sequence[str], points_m: Sequence[Sequence[float]], edges: Iterable[tuple[int, int]]
) -> list[dict[str, Any]]:
    """Records of a Matterport3D connectivity file; cameras stand 1.5 m above their floor."""
    count = len(names)
    pairs = {*edges}
    entries = []
    for i, (name, (x, y, z)) in enumerate(zip(names, points_m, strict=True)):
        joined = [(i, j) in pairs or (j, i) in pairs for j in range(count)]
        entries.append(
            {
                "image_id": name,
                "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
                "included": True,
                "visible": list(joined),
                "unobstructed": joined,
                "height": 1.5,
            }
        )
    return entries


def write_line_scan(folder: Path, *gaps_m: float, names: str = "ABCDEFGHIJ") -> Path:
    """A connectivity folder with the scan ``line``; see ``line_graph``."""
    xs = [sum(gaps_m[:i]) for i in range(len(gaps_m) + 1)]
    points = [(x, 0.0, 1.5) for x in xs]
    edges = [(i, i + 1) for i in range(len(gaps_m))]
    entries = connectivity_entries(names[: len(xs)], points, edges)
    folder.mkdir(exist_ok=True)
    (folder / "line_connectivity.json").write_text(json.dumps(entries))
    return folder


LINE_POINTS_M = [[1.0, 0.2, -2.0 * n] for n in range(4)]
"""Habitat: Y up, forward −Z; 6 m ahead in four poses."""


def line_annotations() -> dict[str, Any]:
    """An annotation file of VLN-CE whose one episode, 7, goes along ``LINE_POINTS_M``."""
    start, goal = LINE_POINTS_M[0], LINE_POINTS_M[-1]
    episode = {
        "episode_id": 7,
        "trajectory_id": 3,
        "scene_id": "mp3d/line/line.glb",
        "start_position": start,
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "info": {"geodesic_distance": 6.0},
        "goals": [{"position": goal, "radius": 3.0}],
        "instruction": {"instruction_text": "Go ahead.", "instruction_tokens": [1]},
        "reference_path": [start, goal],
    }
    return {"episodes": [episode], "instruction_vocab": {"word_list": ["ahead"]}}
