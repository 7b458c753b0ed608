"""Where the viewpoints of an episode lie for a run that is recorded in positions only.

A viewpoint graph states where cameras stood, and how high above the floor. Runs through space
state the floor under the agent, its camera, or some point of its body, in a frame that may not
be the graph's. The first pose tells: every run begins at the start of its episode.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import GLTF, Vec3
from waypost.domain.episode.episode import Episode, Goal, Placing
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

START_M: Final = 1.0
"""A run begins at most so far in plan from its start viewpoint. VLN-CE moved viewpoints by up to
half a metre onto the navmesh."""

FLOOR_M: Final = 0.3
"""A first pose no further above or below the floor than this is on it."""

CAMERA_M: Final = 0.1
"""A first pose no further above or below the camera of the viewpoint than this is a camera."""

LOWEST_M: Final = -0.5
"""A first pose further below the floor than this is not at the start viewpoint."""

_BLOCK: Final = 2048

HIGHEST_M: Final = 2.2
"""A first pose further above the floor than this is not at the start viewpoint."""

ON_FLOOR: Final = (
    "reference and goal are the points on the floor under the cameras of the viewpoints (camera"
    " minus camera height, from the connectivity), joined by straight lines"
)
AT_CAMERAS: Final = (
    "reference and goal are the cameras of the viewpoints, since the run is recorded at camera"
    " height, joined by straight lines"
)
NO_GRAPH: Final = (
    "the episode names viewpoints only and the run positions only; the connectivity of the scan,"
    " which tells where viewpoints lie, was not given"
)
NO_HEIGHTS: Final = (
    "the run begins neither on the floor of its start viewpoint nor at the camera there, so that"
    " its heights cannot be compared"
)
AMBIGUOUS: Final = (
    "the run does not state the frame of its positions, and its first one fits the start with Z up"
    " and with Y up alike; state the frame in the results"
)
ELSEWHERE: Final = (
    "the run begins elsewhere than at the viewpoint that its episode starts at, so that its"
    " positions are not known to be in the frame of the connectivity"
)
LEAVES: Final = (
    "the run goes where the connectivity has no viewpoint far and wide, so that its positions are"
    " not known to be in that frame, although the first one fits"
)
OTHERWISE: Final = (
    "the run goes nearer to the viewpoints where its positions are taken the other way up, so that"
    " they are not known to be in the frame that the results state"
)
FAR_M: Final = 5.0
"""Matterport3D's viewpoints stand some two metres apart: no pose of a run is further from all."""


def needs_placing(episode: Episode, run: EpisodeRun) -> bool:
    """Whether a run in positions only meets an episode in viewpoints only."""
    if run.route.positions_m is None or run.route.viewpoint_ids or not len(run.route):
        return False
    if not episode.has_ground_truth:
        return False
    return _lacks(episode.reference) or any(_is_unplaced(goal) for goal in episode.goals)


def placed_for(episode: Episode, run: EpisodeRun, graph: ViewpointGraph | None) -> Episode:
    """The episode with positions that a run in positions can be compared with.

    Args:
        episode: In viewpoints; returned as it is where ``needs_placing`` says no.
        run: Its first pose tells whether it is in the frame of the graph, and what its heights
            are of.
        graph: Of the scan; ``None`` if it is not known.

    Returns:
        The episode with a ``placing`` that says what stands for its viewpoints; without positions
        and with the reason where that cannot be known.
    """
    if not needs_placing(episode, run):
        return episode
    positions = run.route.positions_m
    if graph is None or positions is None:
        return replace(episode, placing=Placing(NO_GRAPH))
    problem = _unknown_viewpoint(episode, graph) or _elsewhere(
        positions[0], _start_floor(episode, graph), is_frame_stated=run.is_frame_stated
    )
    problem = problem or _strays(positions, graph, _start_floor(episode, graph))
    if problem:
        return replace(episode, placing=Placing(problem))
    at_m = float(positions[0, 2] - _start_floor(episode, graph)[2])
    camera_m = float(graph.heights_m[graph.index[_start_id(episode)]])
    if abs(at_m - camera_m) <= CAMERA_M < abs(at_m):
        return _placed(episode, graph, graph.positions_m, Placing(AT_CAMERAS, is_placed=True))
    no_heights = "" if abs(at_m) <= FLOOR_M else NO_HEIGHTS
    placing = Placing(ON_FLOOR, is_placed=True, no_heights=no_heights)
    return _placed(episode, graph, graph.floor_positions_m, placing)


def placing_warning(placing: Placing) -> str:
    """What is said once of all episodes that were placed in the same way."""
    return f"runs in positions of episodes in viewpoints: {placing.note}"


def floor_under(graph: ViewpointGraph, viewpoint_id: str) -> Vec3 | None:
    """The floor under the camera of a viewpoint; ``None`` where the graph does not know it."""
    at = graph.index.get(viewpoint_id)
    if at is None:
        return None
    x, y, z = (float(value) for value in graph.positions_m[at])
    height_m = float(graph.heights_m[at])
    return (x, y, z - height_m) if math.isfinite(height_m) else None


def _lacks(told: Route) -> bool:
    return bool(told.viewpoint_ids) and told.positions_m is None


def _is_unplaced(goal: Goal) -> bool:
    return bool(goal.viewpoint_id) and goal.position_m is None


def _start_id(episode: Episode) -> str:
    return episode.start_viewpoint_id or next(iter(episode.reference.viewpoint_ids), "")


def _start_floor(episode: Episode, graph: ViewpointGraph) -> NDArray[np.float64]:
    floor: NDArray[np.float64] = graph.floor_positions_m[graph.index[_start_id(episode)]]
    return floor


def _names(episode: Episode) -> Iterator[str]:
    yield _start_id(episode)
    yield from episode.reference.viewpoint_ids
    goals = (*episode.goals, *episode.stages)
    yield from (goal.viewpoint_id for goal in goals if goal.viewpoint_id)


def _unknown_viewpoint(episode: Episode, graph: ViewpointGraph) -> str:
    """Why some viewpoint cannot be placed; empty where all can."""
    for name in _names(episode):
        if name not in graph.index:
            named = f"the viewpoint {name}" if name else "the viewpoint that the episode starts at"
            return f"the connectivity of {graph.scene_id} does not have {named}"
        if floor_under(graph, name) is None:
            return (
                f"the connectivity of {graph.scene_id} states no camera height of the viewpoint"
                f" {name}, so that the floor under it is unknown"
            )
    return ""


def _elsewhere(
    first: NDArray[np.float64], floor: NDArray[np.float64], *, is_frame_stated: bool
) -> str:
    """Why a first pose is not known to be in the frame of the graph; empty where it is."""
    if _fits(first, floor):
        is_clear = is_frame_stated or not _fits(GLTF.to_scene(first), floor)
        return "" if is_clear else AMBIGUOUS
    if _fits(GLTF.to_scene(first), floor):
        return f"{ELSEWHERE}; they would fit if they were Y up (habitat)"
    if _fits(GLTF.from_scene(first), floor):
        return f"{ELSEWHERE}; they would fit if they were Z up (scene)"
    return ELSEWHERE


def _strays(
    points_m: NDArray[np.float64], graph: ViewpointGraph, floor_m: NDArray[np.float64]
) -> str:
    """Why a run that begins well is not known to be in the frame of the graph all the same."""
    if _to_nearest_floor_m(np.unique(points_m, axis=0), graph).max() > FAR_M:
        return LEAVES
    others = [turned(points_m) for turned in (GLTF.to_scene, GLTF.from_scene)]
    others = [points for points in others if _fits(points[0], floor_m)]
    if not others:
        return ""
    here, *gaps_m = (_gap_m(points, graph, floor_m) for points in (points_m, *others))
    return OTHERWISE if min(gaps_m) < here else ""


def _gap_m(
    points_m: NDArray[np.float64], graph: ViewpointGraph, floor_m: NDArray[np.float64]
) -> float:
    """Mean distance of a run from the nearest floors, whatever the height it is recorded at."""
    distinct = np.unique(points_m, axis=0)
    distinct[:, 2] -= points_m[0, 2] - floor_m[2]
    return float(_to_nearest_floor_m(distinct, graph).mean())


def _to_nearest_floor_m(
    points_m: NDArray[np.float64], graph: ViewpointGraph
) -> NDArray[np.float64]:
    """(N,) metres from each point to the nearest floor under a viewpoint of the scan."""
    floors_m = graph.floor_positions_m
    floors_m = floors_m[np.isfinite(floors_m).all(axis=1)]
    nearest = [
        np.linalg.norm(block[:, None] - floors_m[None], axis=2).min(axis=1)
        for block in np.array_split(points_m, len(points_m) // _BLOCK + 1)
    ]
    return np.concatenate(nearest)


def _fits(point_m: NDArray[np.float64], floor_m: NDArray[np.float64]) -> bool:
    x, y, z = (float(gap) for gap in point_m - floor_m)
    return math.hypot(x, y) <= START_M and LOWEST_M <= z <= HIGHEST_M


def _placed(
    episode: Episode, graph: ViewpointGraph, points_m: NDArray[np.float64], placing: Placing
) -> Episode:
    told = episode.reference
    if _lacks(told):
        places = [graph.index[name] for name in told.viewpoint_ids]
        told = route(told.viewpoint_ids, points_m[places], told.yaws_rad, told.elevations_rad)
    start = episode.start_position_m or _point(graph, points_m, _start_id(episode))
    return replace(
        episode,
        reference=told,
        start_position_m=start,
        goals=tuple(_placed_goal(goal, graph, points_m) for goal in episode.goals),
        stages=tuple(_placed_goal(goal, graph, points_m) for goal in episode.stages),
        placing=placing,
    )


def _placed_goal(goal: Goal, graph: ViewpointGraph, points_m: NDArray[np.float64]) -> Goal:
    if not _is_unplaced(goal):
        return goal
    return replace(goal, position_m=_point(graph, points_m, goal.viewpoint_id))


def _point(graph: ViewpointGraph, points_m: NDArray[np.float64], name: str) -> Vec3:
    x, y, z = (float(value) for value in points_m[graph.index[name]])
    return x, y, z
