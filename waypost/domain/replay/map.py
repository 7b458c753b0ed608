"""The map of a replay as plain lines and marks, for the window, PNG and HTML alike.

Coordinates are metres in plan: x to the right, y up, as in the scene frame.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.replay.columns import Floats, distinct
from waypost.domain.replay.panorama import markers_at
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

Point = tuple[float, float]

MARGIN_M: Final = 2.5
"""Around reference and path."""

MOST_PIECES: Final = 300
"""Coloured pieces of a path without viewpoints."""

_VIRIDIS: Final = (
    (68, 1, 84), (72, 40, 120), (62, 73, 137), (49, 104, 142), (38, 130, 142),
    (31, 158, 137), (53, 183, 121), (110, 206, 88), (181, 222, 43),
)  # fmt: skip
_BESIDE_M: Final = 0.14


class LineRole(StrEnum):
    """What a line of the map stands for, in the order of drawing."""

    EDGE = "edge"
    EDGE_ELSEWHERE = "edge_elsewhere"
    """An edge of another storey."""

    REFERENCE = "reference"
    PATH = "path"


class MarkRole(StrEnum):
    """What a mark of the map stands for, in the order of drawing."""

    NODE = "node"
    NODE_ELSEWHERE = "node_elsewhere"
    """A viewpoint of another storey."""

    GOAL_CIRCLE = "goal_circle"
    GOAL = "goal"
    START = "start"
    OPTION = "option"
    """A viewpoint that the agent could go to from the cursor, with its number in the pictures."""

    CHOSEN = "chosen"
    """The option it went to."""

    REVISIT = "revisit"
    DEVIATION = "deviation"
    END = "end"


@dataclass(frozen=True, slots=True)
class MapLine:
    """A line through points."""

    role: LineRole
    points: tuple[Point, ...]
    colour: tuple[int, int, int] | None = None
    """Red, green, blue of a piece of the path; ``None`` where the role decides."""

    step: int | None = None
    """The step that a piece of the path arrives at."""

    heights_m: tuple[float, float] | None = None
    """Heights of the first and the last point of a piece of the path, scene frame."""


@dataclass(frozen=True, slots=True)
class MapMark:
    """A point with a meaning."""

    role: MarkRole
    at: Point
    label: str = ""
    radius_m: float = 0.0
    """Of the goal's circle; other marks have a size on the screen."""

    step: int | None = None
    height_m: float | None = None
    """Scene frame; ``None`` for the viewpoints of the graph."""


@dataclass(frozen=True, slots=True)
class ReplayMap:
    """Everything to draw, in order, and the part of the map to show."""

    lines: tuple[MapLine, ...]
    marks: tuple[MapMark, ...]
    low: Point
    high: Point


def time_colour(share: float) -> tuple[int, int, int]:
    """Viridis from dark violet (0, the start) to bright green (1, the end).

    It stops short of yellow, which a light ground would swallow.
    """
    at = min(max(share, 0.0), 1.0) * (len(_VIRIDIS) - 1)
    below = min(int(at), len(_VIRIDIS) - 2)
    part = at - below
    red, green, blue = (
        round(a + part * (b - a)) for a, b in zip(_VIRIDIS[below], _VIRIDIS[below + 1], strict=True)
    )
    return red, green, blue


def replay_map(replay: Replay, cursor: int | None = None) -> ReplayMap:
    """Lay out the map of a run up to a step.

    Args:
        replay: With positions, of its own or of its graph.
        cursor: The path is drawn up to this step, and what lies on another storey than the agent
            stands on there is set apart; the whole run without, and then what lies on another
            storey than everything of reference and run.
    """
    last = len(replay) - 1 if cursor is None else cursor
    path = replay.positions_m[: last + 1]
    known = path[np.isfinite(path).all(axis=1)]
    near = known[-1:] if cursor is not None else np.concatenate((known, replay.reference_points_m))
    lines, marks = _graph_parts(replay, near)
    reference = distinct(replay.reference_points_m)
    if len(reference):
        lines.append(MapLine(LineRole.REFERENCE, _points(reference)))
    lines += path_lines(replay, last)
    marks += goal_marks(replay)
    if cursor is not None:
        marks += _option_marks(replay, cursor)
    marks += _path_marks(replay, last)
    low, high = map_bounds(replay)
    return ReplayMap(tuple(lines), tuple(marks), low, high)


def step_marks(replay: Replay, cursor: int) -> list[MapMark]:
    """Options, start, revisits so far, first deviation if past, and where the agent is."""
    return _option_marks(replay, cursor) + _path_marks(replay, cursor)


def map_bounds(replay: Replay) -> tuple[Point, Point]:
    """The part of the map that shows reference, run and goals, with a margin."""
    reference = distinct(replay.reference_points_m)
    shown = [replay.positions_m[np.isfinite(replay.positions_m).all(axis=1)], reference]
    return _bounds(shown, replay)


def _graph_parts(replay: Replay, near_m: Floats) -> tuple[list[MapLine], list[MapMark]]:
    graph = replay.graph
    if graph is None:
        return [], []
    shapes = _shapes_of(graph)
    is_near = _on_storeys(graph.positions_m[:, 2], near_m[:, 2], replay.rules.storey_m)
    edges = is_near[shapes.ends].any(axis=1) if len(shapes.ends) else is_near[:0]
    lines = [shapes.edges[index][0] for index in np.flatnonzero(~edges)]
    lines += [shapes.edges[index][1] for index in np.flatnonzero(edges)]
    nodes = is_near[shapes.places].tolist()
    return lines, [pair[near] for pair, near in zip(shapes.nodes, nodes, strict=True)]


@dataclass(frozen=True, eq=False, slots=True)
class _Shapes:
    """What a graph looks like, made once: the same for every run and step."""

    ends: NDArray[np.int64]
    """(E, 2) viewpoints of each edge."""

    edges: tuple[tuple[MapLine, MapLine], ...]
    """(E) each elsewhere and here."""

    places: NDArray[np.int64]
    """(N,) viewpoints that are not excluded."""

    nodes: tuple[tuple[MapMark, MapMark], ...]
    """(N) each elsewhere and here."""


@lru_cache(maxsize=32)
def _shapes_of(graph: ViewpointGraph) -> _Shapes:
    pairs = [(a, b) for a, others in enumerate(graph.neighbours) for b in others if a < b]
    points = _points(graph.positions_m)
    places = np.flatnonzero(graph.is_included)
    return _Shapes(
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        tuple(
            (
                MapLine(LineRole.EDGE_ELSEWHERE, (points[a], points[b])),
                MapLine(LineRole.EDGE, (points[a], points[b])),
            )
            for a, b in pairs
        ),
        places,
        tuple(
            (
                MapMark(MarkRole.NODE_ELSEWHERE, points[place]),
                MapMark(MarkRole.NODE, points[place]),
            )
            for place in places
        ),
    )


def _on_storeys(heights_m: Floats, near_m: Floats, storey_m: float) -> NDArray[np.bool_]:
    if not len(near_m):
        return np.ones(len(heights_m), dtype=bool)
    gaps = np.abs(heights_m[:, None] - np.unique(near_m)[None]).min(axis=1)
    return np.asarray(gaps < storey_m)


def path_lines(replay: Replay, last: int) -> list[MapLine]:
    """Pieces coloured by time: one per move on a graph, where a move made again runs beside it.

    Args:
        replay: With positions; moves between unknown ones are left out.
        last: The step that the path ends at.
    """
    if not replay.viewpoint_ids:
        return _line_pieces(replay, last)
    walked: Counter[tuple[int, int]] = Counter()
    lines = []
    points = replay.positions_m
    for step in _moving_steps(replay, last):
        start, end = points[step - 1, :2], points[step, :2]
        a, b = int(replay.places[step - 1]), int(replay.places[step])
        pair = (min(a, b), max(a, b))
        aside = _aside(start, end, walked[pair])
        walked[pair] += 1
        start, end = start + aside, end + aside
        colour = time_colour(step / max(1, len(replay) - 1))
        heights = (float(points[step - 1, 2]), float(points[step, 2]))
        pair_of_points = (_point(start), _point(end))
        lines.append(MapLine(LineRole.PATH, pair_of_points, colour, step, heights))
    return lines


def _line_pieces(replay: Replay, last: int) -> list[MapLine]:
    """At most ``MOST_PIECES`` pieces, however many poses there are; the last one ends at a step."""
    if not replay.has_positions:
        return []
    pieces = _whole_line(replay)
    span = _span(replay)
    whole = last // span
    lines = [piece for piece in pieces[:whole] if piece is not None]
    rest = _piece(replay, whole * span, last)
    return lines if rest is None else [*lines, rest]


@lru_cache(maxsize=8)
def _whole_line(replay: Replay) -> tuple[MapLine | None, ...]:
    """Every piece of the whole path, made once for all steps."""
    last, span = len(replay) - 1, _span(replay)
    return tuple(_piece(replay, start, min(start + span, last)) for start in range(0, last, span))


def _span(replay: Replay) -> int:
    return max(1, -(-(len(replay) - 1) // MOST_PIECES))


def _piece(replay: Replay, start: int, end: int) -> MapLine | None:
    points = distinct(replay.positions_m[start : end + 1])
    if len(distinct(points[:, :2])) < 2:
        return None
    colour = time_colour(end / max(1, len(replay) - 1))
    heights = (float(points[0, 2]), float(points[-1, 2]))
    return MapLine(LineRole.PATH, _points(distinct(points[:, :2])), colour, end, heights)


def _moving_steps(replay: Replay, last: int) -> list[int]:
    gaps = np.diff(replay.positions_m[: last + 1], axis=0)
    return (np.flatnonzero(np.isfinite(gaps).all(axis=1) & (gaps != 0).any(axis=1)) + 1).tolist()


def _aside(start: Floats, end: Floats, times_before: int) -> Floats:
    gap = end - start
    length = float(np.hypot(*gap))
    if times_before == 0 or length == 0:
        return np.zeros(2)
    return np.array((gap[1], -gap[0])) / length * _BESIDE_M * ((times_before + 1) // 2)


def goal_marks(replay: Replay) -> list[MapMark]:
    """The goals, each with the circle of success around it; circles come first.

    An answer to a question has no circle: naming a place near the goal is no success.
    """
    radius = success_circle_m(replay)
    circles = [
        _mark(MarkRole.GOAL_CIRCLE, goal, f"{radius:g} m", radius_m=radius)
        for goal in (replay.goal_points_m if radius else ())
    ]
    return circles + [_mark(MarkRole.GOAL, goal, "goal") for goal in replay.goal_points_m]


def success_circle_m(replay: Replay) -> float:
    """Radius of the circle of success around each goal; 0 where distance is no success."""
    return 0.0 if replay.run.answer.agent_key else replay.rules.success_radius_m


def _option_marks(replay: Replay, cursor: int) -> list[MapMark]:
    graph = replay.graph
    if graph is None:
        return []
    return [
        _mark(
            MarkRole.CHOSEN if option.is_chosen else MarkRole.OPTION,
            graph.positions_m[graph.index[option.viewpoint_id]],
            str(option.number),
            cursor,
        )
        for option in markers_at(replay, cursor)
        if option.is_offered
    ]


def _path_marks(replay: Replay, last: int) -> list[MapMark]:
    points = replay.positions_m
    if last < 0 or not np.isfinite(points[0]).all():
        return []
    marks = [_mark(MarkRole.START, points[0], "start", 0)]
    visits: dict[int, tuple[int, int]] = {}
    for step in replay.revisit_steps:
        if step <= last:
            visits[int(replay.places[step])] = (step, int(replay.visits[step]))
    marks += [
        _mark(MarkRole.REVISIT, points[step], f"×{times}", step)
        for step, times in visits.values()
        if np.isfinite(points[step]).all()
    ]
    deviation = replay.first_deviation_step
    if deviation is not None and deviation <= last and np.isfinite(points[deviation]).all():
        text = f"leaves the reference (step {deviation})"
        marks.append(_mark(MarkRole.DEVIATION, points[deviation], text, deviation))
    if np.isfinite(points[last]).all():
        text = "end" if last == len(replay) - 1 else f"step {last}"
        marks.append(_mark(MarkRole.END, points[last], text, last))
    return marks


def _mark(
    role: MarkRole, at: Floats, label: str, step: int | None = None, radius_m: float = 0.0
) -> MapMark:
    return MapMark(role, _point(at), label, radius_m, step, float(at[2]))


def _bounds(parts: list[Floats], replay: Replay) -> tuple[Point, Point]:
    points = np.concatenate([part[:, :2] for part in parts])
    if not len(points):
        return (-1.0, -1.0), (1.0, 1.0)
    low, high = points.min(axis=0) - MARGIN_M, points.max(axis=0) + MARGIN_M
    reach = success_circle_m(replay) + 0.3
    for goal in replay.goal_points_m[:, :2]:
        low, high = np.minimum(low, goal - reach), np.maximum(high, goal + reach)
    return _point(low), _point(high)


def _point(values: Floats) -> Point:
    return float(values[0]), float(values[1])


def _points(values: Floats) -> tuple[Point, ...]:
    return tuple(_point(row) for row in values)


def scale_bar_m(width_m: float) -> float:
    """A round length of about a fifth of a width: 1, 2 or 5 times a power of ten, metres."""
    goal = max(width_m, 1e-6) / 5
    power = 10.0 ** math.floor(math.log10(goal))
    return max(step * power for step in (1, 2, 5) if step * power <= goal)
