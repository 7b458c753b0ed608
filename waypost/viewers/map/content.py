"""What the map of a replay shows on each storey, and what is under a pointer; without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import Vec3
from waypost.domain.replay.columns import distinct, ways_to_goal
from waypost.domain.replay.map import MapLine, MapMark, Point, path_lines, step_marks
from waypost.domain.replay.panorama import markers_at
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.storeys import Storeys, storeys_of_floors, storeys_of_heights
from waypost.domain.traverse.traversability import PassageState
from waypost.services.appearance import NO_EDGE, SIGNS, Sign
from waypost.viewers.scene.prepared_scene import PreparedScene

Floats = NDArray[np.float64]

_SAME_WAY_M = 0.2
"""Ways so close together are one under the pointer; it cycles through the visits."""


class EdgeMark(NamedTuple):
    """What an agent's ground truth says about an edge."""

    start_m: Vec3
    end_m: Vec3
    state: PassageState
    text: str = ""
    """Why, shown when pointed at."""

    is_edge: bool = True
    """Whether the graph joins its ends."""

    @property
    def sign(self) -> Sign:
        """What stands beside it, so that colour alone tells nothing."""
        return SIGNS[self.state] if self.is_edge else NO_EDGE


class OtherRun(NamedTuple):
    """Another run of the same episode, drawn beside."""

    title: str
    replay: Replay
    step: int
    """Where its agent is at the common cursor."""


@dataclass(frozen=True, eq=False, slots=True)
class MapContent:
    """The parts of a map with their storeys; build it with ``map_content``."""

    replay: Replay
    storeys: Storeys
    node_ids: tuple[str, ...]
    nodes_m: Floats
    """(N, 2) viewpoints that are no ghosts."""

    node_storeys: NDArray[np.int64]
    edges_m: Floats
    """(E, 2, 2) ends of the edges of the graph."""

    edge_storeys: NDArray[np.int64]
    """(E, 2) storeys of their ends."""

    reference_m: Floats
    """(M, 2)"""

    reference_storeys: NDArray[np.int64]
    pieces: tuple[MapLine, ...]
    """Of the whole path, coloured by time."""

    piece_points_m: Floats
    """(P, 2) of all pieces, one after the other."""

    piece_starts: NDArray[np.int64]
    """Where each piece starts in them."""

    step_storeys: NDArray[np.int64]
    """(T,)"""

    def storey_at(self, step: int) -> int:
        """Where the agent is; the lowest one for a run without steps."""
        return int(self.step_storeys[step]) if len(self.step_storeys) else 0

    def partial_at(self, step: int) -> MapLine | None:
        """The piece that is being driven at a step, as far as it is; none at the end of one."""
        if self.replay.viewpoint_ids or not len(self.replay):
            return None
        last = next(reversed(path_lines(self.replay, step)), None)
        is_begun = last is not None and last.step == step
        return last if is_begun and all(piece.step != step for piece in self.pieces) else None

    def marks_at(self, step: int) -> tuple[MapMark, ...]:
        """Options, start, revisits, first deviation and the agent's place."""
        return _marks_at(self.replay, step) if len(self.replay) else ()

    def is_on(self, line: MapLine, storey: int) -> bool:
        """Whether a piece of the path begins or ends on a storey."""
        if line.heights_m is None:
            return True
        return storey in {self.storeys.index_of(height) for height in line.heights_m}

    def step_near(self, point: Point, reach_m: float, storey: int, cursor: int) -> int | None:
        """The step whose place is nearest to a point of the map.

        Where the path passes several times, the next time after the cursor, and from the last
        one the first again.
        """
        away = _away_from_steps(self.replay.positions_m[:, :2], point, self.step_storeys == storey)
        if not len(away) or away.min() > reach_m:
            return None
        near = np.flatnonzero(away <= max(away.min(), 1e-9) + _SAME_WAY_M)
        stays = np.split(near, np.flatnonzero(np.diff(near) > 1) + 1)
        visits = [int(stay[away[stay].argmin()]) for stay in stays]
        return next((step for step in visits if step > cursor), visits[0])

    def node_near(self, point: Point, reach_m: float, storey: int) -> str:
        """The viewpoint of a storey nearest to a point; empty where none is in reach."""
        if not len(self.node_ids):
            return ""
        away = np.hypot(*(self.nodes_m - point).T)
        away[self.node_storeys != storey] = np.inf
        place = int(away.argmin())
        return self.node_ids[place] if away[place] <= reach_m else ""

    def node_text(self, viewpoint_id: str) -> str:
        """Id, visits and distance to the goal of a viewpoint, a line each."""
        replay = self.replay
        lines = [f"viewpoint {viewpoint_id}"]
        steps = [i for i, name in enumerate(replay.viewpoint_ids) if name == viewpoint_id]
        arrivals = [i for i in steps if replay.arrives[i]]
        if arrivals:
            times = "once" if len(arrivals) == 1 else f"{len(arrivals)} times"
            lines.append(f"visited {times}, {_steps_text(arrivals)}")
        else:
            lines.append("not visited")
        if replay.graph is not None and replay.goal_viewpoint_ids:
            ways = ways_to_goal((viewpoint_id,), replay.goal_viewpoint_ids, replay.graph)
            if ways is not None and np.isfinite(ways[0]):
                lines.append(f"{ways[0]:.2f} m to the goal")
        return "\n".join(lines)

    def step_text(self, step: int) -> str:
        """Number, visit and distance to the goal of a step, for continuous runs."""
        away = float(self.replay.to_goal_m[step])
        told = f" · {away:.2f} m to the goal" if math.isfinite(away) else ""
        visit = int(self.replay.visits[step])
        again = f" · visit {visit} here" if visit > 1 else ""
        return f"step {step}{again}{told}"

    def description(self, step: int, storey: int) -> str:
        """The state of the map in words, for screen readers."""
        replay = self.replay
        if not len(replay):
            return "No steps."
        told = replay.step(step)
        place = f" at {told.viewpoint_id}" if told.viewpoint_id else ""
        parts = [f"Step {step} of {len(replay) - 1}{place}"]
        if len(self.storeys.levels_m) > 1:
            parts.append(f"shown: {self.storeys.title(storey)}")
        if told.on_reference is not None:
            parts.append("on the reference" if told.on_reference else "off the reference")
        if told.visit > 1:
            parts.append(f"visit {told.visit} here")
        if told.to_goal_m is not None:
            parts.append(f"{told.to_goal_m:.1f} m to the goal")
        options = [option for option in markers_at(replay, step) if option.is_offered]
        if options:
            chosen = next((str(o.number) for o in options if o.is_chosen), "none")
            parts.append(f"{counted(len(options), 'option')}, chosen: {chosen}")
        first = replay.first_deviation_step
        if first is not None and first <= step:
            parts.append(f"first deviation at step {first}")
        return ", ".join(parts) + "."


def map_content(replay: Replay, scene: PreparedScene | None = None) -> MapContent:
    """Lay out a replay for its map.

    Args:
        replay: With or without graph.
        scene: Gives the storeys; without, they come from the heights of graph or run.
    """
    graph, path = replay.graph, replay.positions_m
    places = np.flatnonzero(graph.is_included) if graph is not None else np.empty(0, np.int64)
    at = graph.positions_m if graph is not None else np.empty((0, 3))
    if scene is not None and scene.plans:
        storeys = storeys_of_floors(floor for floor, _ in scene.plans)
    else:
        heights = at[places, 2] if len(places) else path[:, 2]
        storeys = storeys_of_heights(heights)
    around = graph.neighbours if graph is not None else ()
    pairs = [(a, b) for a, others in enumerate(around) for b in others if a < b]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    reference = distinct(replay.reference_points_m)
    levels = storeys.indices_of(at[:, 2])
    pieces = tuple(path_lines(replay, len(replay) - 1))
    piece_points = [point for piece in pieces for point in piece.points]
    return MapContent(
        replay=replay,
        storeys=storeys,
        node_ids=tuple(graph.viewpoint_ids[i] for i in places) if graph is not None else (),
        nodes_m=at[places, :2],
        node_storeys=levels[places],
        edges_m=at[ends, :2],
        edge_storeys=levels[ends],
        reference_m=reference[:, :2],
        reference_storeys=storeys.indices_of(reference[:, 2]),
        pieces=pieces,
        piece_points_m=np.array(piece_points, dtype=np.float64).reshape(-1, 2),
        piece_starts=np.cumsum([0, *(len(piece.points) for piece in pieces)])[:-1],
        step_storeys=storeys.indices_of(path[:, 2]),
    )


@lru_cache(maxsize=8)
def _marks_at(replay: Replay, step: int) -> tuple[MapMark, ...]:
    # A step asks for those of the one before too, to tell what has changed.
    return tuple(step_marks(replay, step))


def _away_from_steps(points_m: Floats, point: Point, is_shown: NDArray[np.bool_]) -> Floats:
    """(T,) how far the way from or to each step passes a point; each half goes to its end."""
    away = np.full(len(points_m), np.inf)
    known = is_shown & np.isfinite(points_m).all(axis=1)
    away[known] = np.hypot(*(points_m[known] - point).T)
    starts = np.flatnonzero(
        (known[:-1] | known[1:])
        & np.isfinite(points_m[1:]).all(axis=1)
        & np.isfinite(points_m[:-1]).all(axis=1)
    )
    begin, gap = points_m[starts], points_m[starts + 1] - points_m[starts]
    length = np.maximum((gap**2).sum(axis=1), 1e-12)
    share = np.clip(((point - begin) * gap).sum(axis=1) / length, 0.0, 1.0)
    off = np.hypot(*(begin + share[:, None] * gap - point).T)
    np.minimum.at(away, starts + (share >= 0.5), off)
    return away


def _steps_text(steps: list[int]) -> str:
    shown = ", ".join(str(step) for step in steps[:8]) + (" …" if len(steps) > 8 else "")
    return f"step {shown}" if len(steps) == 1 else f"steps {shown}"
