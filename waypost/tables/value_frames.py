"""Frames of graphs, labels, episodes, runs and recordings: units in the names, reasons beside."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from waypost.domain.base.frames import Vec3, distance_m
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.route import Route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_ids import told_apart
from waypost.domain.episode.run_source import RunSource
from waypost.domain.record.recording import Recording
from waypost.domain.replay.charts import reference_length_m
from waypost.domain.scene.graph import Edge, NavigationGraph, Node
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel
from waypost.io.recordings.columns import COLUMNS, cells_of
from waypost.tables.frames import Columns, column, frame_of

if TYPE_CHECKING:
    import pandas as pd

NOT_SAID: Final = "the source does not say"
_NO_POSITIONS: Final = "it names viewpoints only; their graph has the positions"
_NO_POSES: Final = "there are no poses"

_AXES: Final = tuple(enumerate("xyz"))
_WHOLE: Final = {"time_ns", "wall_time_ns", "contact_count", "focus"}


def node_frame(graph: NavigationGraph) -> pd.DataFrame:
    """One row per node; positions on the floor, scene frame."""
    columns: Columns[Node] = {
        "node_id": (str, lambda node: node.node_id),
        "name": (str, lambda node: node.name),
        **_position(lambda node: node.position_m),
        "description": (str, lambda node: node.description),
    }
    return frame_of(graph.nodes.values(), columns)


def edge_frame(graph: NavigationGraph) -> pd.DataFrame:
    """One row per edge; lengths along the straight line."""

    def length(edge: Edge) -> float:
        return distance_m(graph.nodes[edge.from_id].position_m, graph.nodes[edge.to_id].position_m)

    columns: Columns[Edge] = {
        "edge_id": (str, lambda edge: edge.edge_id),
        "from_id": (str, lambda edge: edge.from_id),
        "to_id": (str, lambda edge: edge.to_id),
        "kind": (str, lambda edge: edge.kind.value),
        "length_m": (float, length),
    }
    return frame_of(graph.edges.values(), columns)


def viewpoint_frame(graph: ViewpointGraph) -> pd.DataFrame:
    """One row per viewpoint; positions of the camera, scene frame."""
    places = range(len(graph.viewpoint_ids))
    columns: Columns[int] = {
        "node_id": (str, lambda place: graph.viewpoint_ids[place]),
        **_position(lambda place: graph.positions_m[place].tolist()),
        "camera_height_m": (float, lambda place: float(graph.heights_m[place])),
        "is_included": (bool, lambda place: bool(graph.is_included[place])),
    }
    return frame_of(places, columns)


def viewpoint_edge_frame(graph: ViewpointGraph) -> pd.DataFrame:
    """One row per pair of joined viewpoints; lengths along the straight line."""
    ends = np.argwhere(np.triu(np.isfinite(graph.edge_lengths_m), k=1)).tolist()
    columns: Columns[list[int]] = {
        "from_id": (str, lambda pair: graph.viewpoint_ids[pair[0]]),
        "to_id": (str, lambda pair: graph.viewpoint_ids[pair[1]]),
        "length_m": (float, lambda pair: float(graph.edge_lengths_m[*pair])),
    }
    return frame_of(ends, columns)


def label_frame(
    labels: Iterable[TraversabilityLabel], stale: Mapping[Passage, bool | None]
) -> pd.DataFrame:
    """One row per label.

    Args:
        labels: The labels.
        stale: Whether each is; ``None`` where the scene is not there to tell.
    """
    columns: Columns[TraversabilityLabel] = {
        "from_id": (str, lambda label: label.passage.from_id),
        "to_id": (str, lambda label: label.passage.to_id),
        "agent": (str, lambda label: label.passage.agent_key),
        "verdict": (str, lambda label: label.verdict.value),
        "reason": (str, lambda label: label.reason and label.reason.value),
        "note": (str, lambda label: label.note),
        "author": (str, lambda label: label.author),
        "time_utc": (str, lambda label: label.time_utc),
        "engine": (str, lambda label: label.provenance.engine),
        "engine_version": (str, lambda label: label.provenance.engine_version),
        "engine_parameters": (str, lambda label: label.provenance.engine_parameters or None),
        "is_stale": (bool, lambda label: stale[label.passage]),
    }
    return frame_of(labels, columns)


def episode_frame(episodes: Iterable[Episode]) -> pd.DataFrame:
    """One row per episode."""
    columns: Columns[Episode] = {
        "episode_id": (str, lambda episode: episode.episode_id),
        "dataset": (str, lambda episode: episode.dataset),
        "split": (str, lambda episode: episode.split),
        "scene_id": (str, lambda episode: episode.scene_id),
        "instruction": (str, lambda episode: episode.instruction.text),
        "language": (str, lambda episode: episode.instruction.language),
        "start_viewpoint": (str, lambda episode: episode.start_viewpoint_id or None),
        **_position(lambda episode: episode.start_position_m, "start_"),
        "start_yaw_rad": (float, lambda episode: episode.start_yaw_rad),
        "goal_count": (int, lambda episode: len(episode.goals)),
        "reference_pose_count": (int, lambda episode: len(episode.reference)),
        "reference_length_m": (float, lambda episode: _length(episode.reference)),
        "reference_length_m_undefined": (str, lambda episode: _no_length(episode.reference)),
        "geodesic_m": (float, lambda episode: episode.geodesic_m),
        "geodesic_m_undefined": (str, _no_geodesic),
        "has_ground_truth": (bool, lambda episode: episode.has_ground_truth),
    }
    return frame_of(episodes, columns)


def run_frame(runs: Iterable[EpisodeRun]) -> pd.DataFrame:
    """One row per run of an episode; the source's own scores come last, under its names."""
    kept = tuple(runs)
    stated = dict.fromkeys(name for run in kept for name in run.reported)
    numbers = dict(zip(map(id, kept), _attempts(kept), strict=True))
    columns: Columns[EpisodeRun] = {
        "episode_id": (str, lambda run: run.episode_id),
        "attempt": (int, lambda run: numbers[id(run)]),
        "scene_id": (str, lambda run: run.scene_id or None),
        "pose_count": (int, lambda run: len(run.route)),
        "decision_count": (int, lambda run: len(run.decisions)),
        "path_length_m": (float, lambda run: _length(run.route)),
        "path_length_m_undefined": (str, lambda run: _no_length(run.route)),
        "duration_s": (float, lambda run: run.times_s[-1] if run.times_s else None),
        "duration_s_undefined": (str, lambda run: None if run.times_s else NOT_SAID),
        "called_stop": (bool, lambda run: run.end.called_stop),
        "end_reason": (str, lambda run: run.end.reason or None),
        "action_count": (int, lambda run: run.end.action_count),
        "collision_count": (int, lambda run: run.end.collision_count),
        "has_fallen": (bool, lambda run: run.end.has_fallen),
        "is_stuck": (bool, lambda run: run.end.is_stuck),
        "answer": (str, lambda run: run.answer.says),
        "answer_object_id": (str, lambda run: run.answer.object_id),
        **{f"stated.{name}": (float, partial(_stated, name)) for name in stated},
    }
    return frame_of(kept, columns)


def _attempts(runs: Sequence[EpisodeRun]) -> Iterator[int]:
    """The how many-th run of its episode each is; of one without id nobody knows another."""
    counts: Counter[str] = Counter()
    for run in told_apart(runs, RunSource()):
        counts[run.episode_id] += 1
        yield counts[run.episode_id] if run.episode_id else 1


def recording_frame(recording: Recording) -> pd.DataFrame:
    """One row per sample, with the columns of a recording's CSV; ``mark`` says what is wrong."""
    marks = {mark.row: mark.message for mark in recording.marks}
    cells = cells_of(recording.trajectory)
    kinds = {name: int if name in _WHOLE else float for name in COLUMNS} | {"action": str}
    frame = frame_of(range(len(recording.trajectory)), {})
    for name in COLUMNS:
        frame[name] = column(cells[name], kinds[name])
    frame["mark"] = column(map(marks.get, range(len(frame))), str)
    return frame


def _position(place: Callable[[Any], Sequence[float] | Vec3 | None], prefix: str = "") -> Any:
    def coordinate(axis: int, item: Any) -> float | None:
        found = place(item)
        return None if found is None else found[axis]

    return {f"{prefix}{name}_m": (float, partial(coordinate, axis)) for axis, name in _AXES}


def _length(route: Route) -> float | None:
    return None if route.positions_m is None else reference_length_m(route.positions_m)


def _no_length(route: Route) -> str | None:
    if not len(route):
        return _NO_POSES
    return _NO_POSITIONS if route.positions_m is None else None


def _no_geodesic(episode: Episode) -> str | None:
    return None if episode.geodesic_m is not None else episode.geodesic_note or NOT_SAID


def _stated(name: str, run: EpisodeRun) -> float | None:
    value = run.reported.get(name)
    return None if value is None or not math.isfinite(value) else value
