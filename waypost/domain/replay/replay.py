"""One episode played back: what the agent saw, thought and did, step by step, against the truth.

A **step** is a pose of the run, or a further decision taken without leaving a pose (text without
a valid move, for example). The decision of a step was taken *at* its pose: thought and options
stand where the agent stood when it was asked, the poses it led to are the steps that follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import vec3
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.route import Route
from waypost.domain.episode.run import SCORES_ONLY, EpisodeRun
from waypost.domain.replay.columns import (
    Floats,
    frozen,
    graph_lengths,
    graph_ndtw,
    headings_to_show,
    level,
    lies_at_cameras,
    line_lengths,
    line_ndtw,
    lines_to_goal,
    positions_of,
    taken,
    ways_to_goal,
)
from waypost.domain.replay.curves import progress_of
from waypost.domain.replay.places import (
    is_arrival,
    places_of_positions,
    places_of_viewpoints,
    visit_numbers,
)
from waypost.domain.replay.reference import first_false, follow_line, follow_viewpoints
from waypost.domain.replay.rules import DEFAULT_RULES, ReplayRules
from waypost.domain.replay.step import Step, StepKind
from waypost.domain.scene.viewpoint_graph import ViewpointGraph


@dataclass(frozen=True, eq=False)
class Replay:
    """One run beside its episode; build it with ``build_replay``. Arrays are read-only.

    Columns that cost something are computed when first asked for, each in one go, so that a run
    of 10,000 poses can be scrubbed.
    """

    episode: Episode
    run: EpisodeRun
    graph: ViewpointGraph | None
    rules: ReplayRules
    poses: NDArray[np.int64]
    """(T,) pose of each step, −1 without poses."""

    decisions: NDArray[np.int64]
    """(T,) index of the decision taken at each step, −1 for none."""

    def __len__(self) -> int:
        return len(self.poses)

    @property
    def step_count(self) -> int:
        """Steps after the start, which is number 0: the number of the last one."""
        return max(0, len(self) - 1)

    def step(self, index: int) -> Step:
        """One step.

        Raises:
            IndexError: If there is no such step.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"there is no step {index} among {len(self)}")
        pose = int(self.poses[index])
        point, yaw = self.positions_m[index], float(self.yaws_rad[index])
        distance = float(self.to_goal_m[index])
        chosen = int(self.decisions[index])
        return Step(
            index=index,
            pose=None if pose < 0 else pose,
            viewpoint_id=self.viewpoint_ids[index] if self.viewpoint_ids else "",
            position_m=vec3(point) if np.isfinite(point).all() else None,
            yaw_rad=yaw if np.isfinite(yaw) else None,
            kind=self._kind(index),
            visit=int(self.visits[index]),
            on_reference=None if self.on_reference is None else bool(self.on_reference[index]),
            to_goal_m=distance if np.isfinite(distance) else None,
            decision=None if chosen < 0 else self.run.decisions[chosen],
        )

    def steps(self) -> Iterator[Step]:
        """All steps in order."""
        return (self.step(index) for index in range(len(self)))

    def _kind(self, index: int) -> StepKind:
        if self.poses[index] < 0:
            return StepKind.TEXT
        if index == 0:
            return StepKind.START
        if self.arrives[index]:
            return StepKind.RETURN if self.visits[index] > 1 else StepKind.MOVE
        if self.poses[index] == self.poses[index - 1]:
            return StepKind.STAY
        here, before = self.positions_m[index], self.positions_m[index - 1]
        has_moved = not self.viewpoint_ids and bool((here != before).any())
        return StepKind.MOVE if has_moved else StepKind.TURN

    @cached_property
    def viewpoint_ids(self) -> tuple[str, ...]:
        """(T,) viewpoint of each step; empty where the run has none."""
        names = self.run.route.viewpoint_ids
        return tuple(names[pose] for pose in self.poses.tolist()) if names else ()

    @cached_property
    def positions_m(self) -> Floats:
        """(T, 3) scene frame, NaN where unknown."""
        return frozen(taken(positions_of(self.run.route, self.graph), self.poses))

    @cached_property
    def is_at_cameras(self) -> bool:
        """Whether positions are where the cameras of viewpoints were, and not of a body.

        Positions that a run on viewpoints states itself are told by what they are nearer to.
        """
        names, stated = self.run.route.viewpoint_ids, self.run.route.positions_m
        if not names or stated is None or self.graph is None:
            return bool(names) and stated is None
        return lies_at_cameras(names, stated, self.graph)

    @cached_property
    def yaws_rad(self) -> Floats:
        """(T,) scene yaw as logged, NaN where it is not."""
        yaws = self.run.route.yaws_rad
        return frozen(np.full(len(self), np.nan) if yaws is None else taken(yaws, self.poses))

    @cached_property
    def facing_rad(self) -> Floats:
        """(T,) scene yaw to show: as logged, else the way it came, else the start of the episode.

        Agents of the R2R family face the way they walked. NaN where nothing tells.
        """
        start = self.episode.start_yaw_rad
        return frozen(
            headings_to_show(
                self.yaws_rad, self.positions_m, self.arrives, np.nan if start is None else start
            )
        )

    @cached_property
    def times_s(self) -> Floats | None:
        """(T,) seconds since the start; ``None`` where the run has no times."""
        if self.run.times_s is None or not len(self.run.route):
            return None
        return frozen(np.array(self.run.times_s)[self.poses])

    @cached_property
    def has_positions(self) -> bool:
        """Whether every step has a position."""
        return bool(len(self) and np.isfinite(self.positions_m).all())

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """(T,) number of the place of each step; viewpoints, or discs where there are none."""
        if self.viewpoint_ids:
            return places_of_viewpoints(self.viewpoint_ids)
        if not self.has_positions:
            return np.zeros(len(self), dtype=np.int64)
        return places_of_positions(self.positions_m, self.rules.place_radius_m, self.rules.storey_m)

    @cached_property
    def arrives(self) -> NDArray[np.bool_]:
        """(T,) whether each step comes from another place; the start counts."""
        return is_arrival(self.places)

    @cached_property
    def visits(self) -> NDArray[np.int64]:
        """(T,) how many-th visit to its place each step belongs to."""
        return visit_numbers(self.places, self.arrives)

    @cached_property
    def revisit_steps(self) -> tuple[int, ...]:
        """Steps that arrive at a place where the agent had been before."""
        return tuple(np.flatnonzero(self.arrives & (self.visits > 1)).tolist())

    @cached_property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """(place, step) of every arrival in order: the run without turns in place."""
        steps = np.flatnonzero(self.arrives)
        return tuple(zip(self.places[steps].tolist(), steps.tolist(), strict=True))

    @cached_property
    def reference_points_m(self) -> Floats:
        """(M, 3) of the reference, dense where the dataset has it; (0, 3) if unknown."""
        dense = self.episode.dense_reference_m
        if len(dense) and not self.viewpoint_ids:
            return positions_of(dense, self.graph)
        points = positions_of(self.episode.reference, self.graph)
        return points[np.isfinite(points).all(axis=1)]

    @cached_property
    def on_reference(self) -> NDArray[np.bool_] | None:
        """(T,) whether each step follows the reference; ``None`` where nothing tells."""
        if not self.episode.has_ground_truth or not len(self) or self.poses[0] < 0:
            return None
        wanted = self.episode.reference.viewpoint_ids
        if self.viewpoint_ids and wanted:
            return np.array(follow_viewpoints(self.viewpoint_ids, wanted), dtype=bool)
        if not len(self.reference_points_m) or not self.has_positions:
            return None
        return follow_line(
            level(self.positions_m),
            level(self.reference_points_m),
            self.rules.off_reference_m,
            self.rules.storey_m,
        )

    @cached_property
    def first_deviation_step(self) -> int | None:
        """First step that leaves the reference; ``None`` if it never does or nothing tells."""
        return first_false(self.on_reference)

    @cached_property
    def deviation_steps(self) -> tuple[int, ...]:
        """Every step at which the run leaves the reference, having been on it before."""
        if self.on_reference is None:
            return ()
        before = np.concatenate(([True], self.on_reference[:-1]))
        return tuple(np.flatnonzero(before & ~self.on_reference).tolist())

    @cached_property
    def goal_viewpoint_ids(self) -> tuple[str, ...]:
        """Viewpoints of which one must be reached: those of the goals, else the reference's end."""
        if not self.episode.has_ground_truth:
            return ()
        named = tuple(g.viewpoint_id for g in self.episode.goals if g.viewpoint_id)
        return named or self.episode.reference.viewpoint_ids[-1:]

    @cached_property
    def goal_points_m(self) -> Floats:
        """(G, 3) places of which one must be reached; (0, 3) if unknown."""
        points = [g.position_m for g in self.episode.goals if g.position_m is not None]
        if points:
            return np.array(points, dtype=np.float64)
        found = positions_of(Route(self.goal_viewpoint_ids), self.graph)
        found = found[np.isfinite(found).all(axis=1)]
        if len(found) or not self.episode.has_ground_truth:
            return found
        return self.reference_points_m[-1:]

    @cached_property
    def base_height_m(self) -> float:
        """Height of the episode's start, which the heights of goals are taken relative to."""
        if self.episode.start_position_m is not None:
            return self.episode.start_position_m[2]
        points = self.reference_points_m if len(self.reference_points_m) else self.goal_points_m
        return float(points[0, 2]) if len(points) else 0.0

    @cached_property
    def to_goal_m(self) -> Floats:
        """(T,) distance to the nearest goal, NaN where unknown.

        Along the graph where run and goal have viewpoints of a given graph, else a straight line
        with heights taken relative to the start of run and episode.
        """
        unknown = np.full(len(self), np.nan)
        if not self.episode.has_ground_truth:
            return frozen(unknown)
        if self.graph is not None and self.viewpoint_ids:
            ways = ways_to_goal(self.viewpoint_ids, self.goal_viewpoint_ids, self.graph)
            if ways is not None:
                return frozen(ways)
        if not len(self.goal_points_m) or not self.has_positions:
            return frozen(unknown)
        return frozen(lines_to_goal(self.positions_m, self.goal_points_m, self.base_height_m))

    @cached_property
    def oracle_m(self) -> Floats:
        """(T,) the least distance to the goal so far."""
        return frozen(np.fmin.accumulate(self.to_goal_m))

    @cached_property
    def progress(self) -> Floats:
        """(T,) share of the way from start to goal that is done; negative when further away."""
        return frozen(progress_of(self.to_goal_m))

    @cached_property
    def travelled_m(self) -> Floats:
        """(T,) length walked so far: along the graph, else straight from pose to pose."""
        if self.graph is not None and self.viewpoint_ids:
            return frozen(graph_lengths(self.viewpoint_ids, self.graph))
        return frozen(line_lengths(self.positions_m))

    @cached_property
    def ndtw_so_far(self) -> Floats:
        """(T,) nDTW of the run up to each step; turns in place leave it as it is.

        The last value is the nDTW of the whole run as the R2R profile defines it (with
        viewpoints of a given graph) or over straight lines. NaN where undefined.
        """
        if self.on_reference is None:
            return frozen(np.full(len(self), np.nan))
        wanted = self.episode.reference.viewpoint_ids
        if self.graph is not None and self.viewpoint_ids and wanted:
            return frozen(graph_ndtw(self.viewpoint_ids, self.arrives, wanted, self.graph))
        if not len(self.reference_points_m) or not self.has_positions:
            return frozen(np.full(len(self), np.nan))
        return frozen(line_ndtw(level(self.positions_m), level(self.reference_points_m)))

    @property
    def why_no_path(self) -> str:
        """One sentence where the run shows no path although its source may be whole; else empty."""
        if self.run.has_scores_only:
            return f"There is no path to show: {SCORES_ONLY}."
        return "" if len(self) else "This run has no steps: its log ends before the start."

    @property
    def ended_by(self) -> str:
        """Why the run ended: as logged, else ``stop``, ``no stop`` or ``end of path``.

        ``not stated`` where there is neither: scores without a path.
        """
        end = self.run.end
        if end.has_fallen:
            return "fall"
        if end.is_stuck:
            return "stuck"
        if end.reason:
            return end.reason
        without = "not stated" if self.run.has_scores_only else "end of path"
        return {True: "stop", False: "no stop", None: without}[end.called_stop]


def build_replay(
    episode: Episode,
    run: EpisodeRun,
    graph: ViewpointGraph | None = None,
    rules: ReplayRules = DEFAULT_RULES,
) -> Replay:
    """Lay out the steps of a run; everything else is computed when asked for.

    Args:
        episode: What was asked.
        run: What was done.
        graph: The scan, for runs on viewpoints; positions and distances are unknown without.
        rules: Thresholds.
    """
    count = len(run.route)
    at: dict[int, list[int]] = {}
    for index, decision in enumerate(run.decisions):
        at.setdefault(min(max(decision.first_pose - 1, 0), count - 1), []).append(index)
    poses: list[int] = []
    decisions: list[int] = []
    for pose in range(count) if count else (-1,):
        taken = at.get(pose, [-1] if count else [])
        poses += [pose] * len(taken)
        decisions += taken
    columns = np.array(poses, dtype=np.int64), np.array(decisions, dtype=np.int64)
    for column in columns:
        column.flags.writeable = False
    return Replay(episode, run, graph, rules, *columns)
