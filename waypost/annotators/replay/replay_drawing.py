"""A replay over the scene: reference, driven way up to a step, marks and agent.

What stays the same from step to step is ``still_drawing``, made once per replay; a view with
layers shows it in one of them and ``step_drawing`` in another.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.annotators import palette
from waypost.domain.base.frames import Vec3
from waypost.domain.episode.viewpoint_path import CAMERA_HEIGHT_M
from waypost.domain.replay.columns import distinct
from waypost.domain.replay.map import success_circle_m, time_colour
from waypost.domain.replay.panorama import markers_at
from waypost.domain.replay.replay import Replay
from waypost.services.appearance import DARK
from waypost.viewers.scene.drawing import (
    Color,
    Drawing,
    Label3D,
    MarkerShape,
    PolyLine,
    SceneMarker,
    rgb,
)
from waypost.viewers.scene.shapes import circle, disc

Floats = NDArray[np.float64]

LIFT_M: Final = 0.06
MOST_PIECES: Final = 240
"""Coloured pieces of a long way."""

_POINTS_A_PIECE: Final = 4
_MOST_REST: Final = 600
_ARROW_M: Final = 0.6
_GOAL = rgb(DARK.travels)
_OPTION = rgb(DARK.travels_fill)
_REVISIT = rgb(DARK.disagreement)
_DEVIATION = rgb(DARK.does_not)
_AGENT = rgb(DARK.agent)
_REST = rgb("#d5dbe4", 0.45)


@lru_cache(maxsize=8)
def still_drawing(replay: Replay) -> Drawing:
    """Reference, goals with the circle of success, start, and the whole way, thin and pale."""
    lines: list[PolyLine] = []
    reference = _lifted(distinct(_reference(replay)))
    if len(reference) > 1:
        lines.append(PolyLine(reference, palette.PATH, 8.0, dash_px=10.0, outline=palette.OUTLINE))
    path = _path(replay)
    known = distinct(path[np.isfinite(path).all(axis=1)])
    if len(known) > 1:
        chosen = np.unique(np.linspace(0, len(known) - 1, min(len(known), _MOST_REST)).round())
        lines.append(PolyLine(_lifted(known[chosen.astype(int)]), _REST, 1.5))
    goals = _lifted(_goals(replay))
    radius = success_circle_m(replay)
    circled = goals if radius else ()
    lines += [circle(goal, radius, _GOAL, width_px=2.5) for goal in circled]
    meshes = tuple(disc(goal, radius, (*_GOAL[:3], 0.14)) for goal in circled)
    markers = [SceneMarker(goal, _GOAL, 16.0, MarkerShape.DIAMOND) for goal in goals]
    labels = [Label3D(goal, "goal") for goal in goals]
    if len(known) and np.isfinite(path[0]).all():
        (start,) = _lifted(path[:1])
        markers.append(SceneMarker(start, palette.HOVER, 13.0, MarkerShape.SQUARE))
        labels.append(Label3D(start, "start"))
    return Drawing(tuple(lines), tuple(markers), tuple(labels), meshes)


def step_drawing(replay: Replay, step: int) -> Drawing:
    """The way so far coloured by time, revisits, first deviation, options and the agent."""
    step = min(step, len(replay) - 1)
    if step < 0:
        return Drawing()
    marks = _passed_marks(replay, step) + _options(replay, step) + _agent(replay, step)
    return Drawing(lines=_driven(replay, step)) + marks


def _driven(replay: Replay, step: int) -> tuple[PolyLine, ...]:
    pieces = _pieces(replay)
    whole = list(itertools.takewhile(lambda piece: piece[1] <= step, pieces))
    lines = [line for _, _, line in whole]
    if len(whole) < len(pieces) and pieces[len(whole)][0] < step:
        begun = _piece(replay, pieces[len(whole)][0], step)
        lines += [] if begun is None else [begun]
    if not lines:
        return ()
    # One rim under all pieces: rims of their own would look like beads.
    way = tuple(point for line in lines for point in line.points)
    return (PolyLine(way, palette.HOVER, 7.0), *lines)


@lru_cache(maxsize=8)
def _pieces(replay: Replay) -> tuple[tuple[int, int, PolyLine], ...]:
    """First and last step and line of every piece of the whole way that leads somewhere."""
    last = len(replay) - 1
    cuts = np.unique(np.linspace(0, max(last, 0), min(last, MOST_PIECES) + 1).round().astype(int))
    made = ((a, b, _piece(replay, a, b)) for a, b in itertools.pairwise(cuts.tolist()))
    return tuple((a, b, line) for a, b, line in made if line is not None)


def _piece(replay: Replay, first: int, last: int) -> PolyLine | None:
    chosen = np.unique(np.linspace(first, last, _POINTS_A_PIECE).round().astype(int))
    points = _path(replay)[chosen]
    points = distinct(points[np.isfinite(points).all(axis=1)])
    if len(points) < 2:
        return None
    return PolyLine(_lifted(points), _colour_at(replay, last), 4.0)


def _passed_marks(replay: Replay, step: int) -> Drawing:
    path = _path(replay)
    visits = {
        int(replay.places[i]): (i, int(replay.visits[i]))
        for i in replay.revisit_steps
        if i <= step and np.isfinite(path[i]).all()
    }
    labels = [
        Label3D(point, f"×{times}", _REVISIT, offset_px=(-22.0, 0.0), priority=2, is_bold=True)
        for index, times in visits.values()
        for point in _lifted(path[index : index + 1])
    ]
    markers: list[SceneMarker] = []
    first = replay.first_deviation_step
    if first is not None and first <= step and np.isfinite(path[first]).all():
        (point,) = _lifted(path[first : first + 1])
        markers.append(SceneMarker(point, _DEVIATION, 16.0, MarkerShape.DIAMOND))
        text = f"⚑ leaves the reference (step {first})"
        labels.append(Label3D(point, text, _DEVIATION, offset_px=(0.0, 22.0), priority=3))
    return Drawing(markers=tuple(markers), labels=tuple(labels))


def _options(replay: Replay, step: int) -> Drawing:
    graph = replay.graph
    offered = [option for option in markers_at(replay, step) if option.is_offered]
    if graph is None or not offered:
        return Drawing()
    floor = _under_cameras(replay, graph.positions_m)
    places = _lifted(floor[[graph.index[option.viewpoint_id] for option in offered]])
    markers = tuple(
        SceneMarker(place, _OPTION, 20.0, outline=palette.SELECTION, outline_px=4.0)
        if option.is_chosen
        else SceneMarker(place, _OPTION, 16.0)
        for place, option in zip(places, offered, strict=True)
    )
    labels = tuple(
        Label3D(
            place, str(option.number), offset_px=(0.0, 0.0), priority=100, is_bold=option.is_chosen
        )
        for place, option in zip(places, offered, strict=True)
    )
    return Drawing(markers=markers, labels=labels)


def _agent(replay: Replay, step: int) -> Drawing:
    point = _path(replay)[step]
    if not np.isfinite(point).all():
        return Drawing()
    ((x, y, z),) = _lifted(point[None])
    yaw = float(replay.facing_rad[step])
    marker = SceneMarker((x, y, z), _AGENT, 15.0)
    if not math.isfinite(yaw):
        return Drawing(markers=(marker,))
    tip = (x + _ARROW_M * math.cos(yaw), y + _ARROW_M * math.sin(yaw), z)
    arrow = PolyLine(((x, y, z), tip), _AGENT, 5.0, has_arrow=True, outline=palette.OUTLINE)
    return Drawing(lines=(arrow,), markers=(marker,))


@lru_cache(maxsize=8)
def _path(replay: Replay) -> Floats:
    """(T, 3) the way on the floor: under cameras, or as the run states it."""
    points = replay.positions_m
    return _under_cameras(replay, points) if replay.is_at_cameras else points


def _reference(replay: Replay) -> Floats:
    """(M, 3) the reference on the floor: under its viewpoints, or as the data set states it."""
    points = replay.reference_points_m
    episode = replay.episode
    used = episode.reference if replay.viewpoint_ids else episode.dense_reference_m
    used = used if len(used) else episode.reference
    return points if used.positions_m is not None else _under_cameras(replay, points)


def _goals(replay: Replay) -> Floats:
    """(G, 3) the goals on the floor, as the data set states them or under their viewpoints."""
    points = replay.goal_points_m
    is_stated = any(goal.position_m is not None for goal in replay.episode.goals)
    return points if is_stated or not replay.goal_viewpoint_ids else _under_cameras(replay, points)


def _under_cameras(replay: Replay, points_m: Floats) -> Floats:
    """Points under the cameras of viewpoints.

    A graph that does not say how high its cameras stand leaves points where they are, unless the
    run states floors of its own: then they are taken to be ``CAMERA_HEIGHT_M`` up.
    """
    graph = replay.graph
    if graph is None or not len(points_m):
        return points_m
    known = np.flatnonzero(np.isfinite(graph.heights_m))
    if not len(known):
        height_m = 0.0 if replay.is_at_cameras else CAMERA_HEIGHT_M
        return np.asarray(points_m - np.array([0.0, 0.0, height_m]))
    gaps = np.linalg.norm(points_m[:, None] - graph.positions_m[known][None], axis=2)
    nearest = known[np.nan_to_num(gaps, nan=np.inf).argmin(axis=1)]
    heights = graph.heights_m[nearest]
    return np.asarray(points_m - np.stack([0 * heights, 0 * heights, heights], axis=1))


def _lifted(points: Floats) -> tuple[Vec3, ...]:
    return tuple((x, y, z + LIFT_M) for x, y, z in points.tolist())


def _colour_at(replay: Replay, step: int) -> Color:
    red, green, blue = time_colour(step / max(1, len(replay) - 1))
    return (red / 255, green / 255, blue / 255, 1.0)
