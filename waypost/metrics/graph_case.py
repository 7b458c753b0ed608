"""One run on a viewpoint graph, prepared once for all scores of a profile."""

from __future__ import annotations

import itertools
import math
from functools import cached_property

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.metrics import fidelity
from waypost.metrics.profile import Scenery
from waypost.metrics.undefined import (
    NO_GROUND_TRUTH,
    InvalidRunError,
    UndefinedScoreError,
)


class GraphCase:
    """A path and its reference as indices into one graph.

    Args:
        episode: What was asked.
        run: What was done.
        graph: The scan, with all distances.
        goal: Viewpoint that distances are measured to; the end of the reference without.
    """

    def __init__(
        self, episode: Episode, run: EpisodeRun, graph: ViewpointGraph, goal: str = ""
    ) -> None:
        self.episode = episode
        self.run = run
        self.graph = graph
        self.rows = graph.geodesic_rows
        self.path = self._indices(run.route.viewpoint_ids, InvalidRunError)
        if not episode.has_ground_truth:
            raise UndefinedScoreError(NO_GROUND_TRUTH)
        if not self.path and len(run.route):
            raise UndefinedScoreError("the run has no viewpoints")
        if not self.path:
            raise InvalidRunError("the path is empty")
        self.reference = self._indices(episode.reference.viewpoint_ids, UndefinedScoreError)
        if not self.reference:
            raise UndefinedScoreError("the episode has no reference path")
        self.start = self.reference[0]
        self.goal = graph.index[goal] if goal else self.reference[-1]
        self.final = self.path[-1]

    def _indices(self, names: tuple[str, ...], error: type[UndefinedScoreError]) -> list[int]:
        index = self.graph.index
        try:
            places = list(map(index.__getitem__, names))
        except KeyError:
            raise error("a viewpoint is unknown to the graph") from None
        if not all(map(self.graph.is_included_list.__getitem__, places)):
            raise error("a viewpoint is excluded from the graph")
        return places

    def require_start(self) -> None:
        """Refuse a run that does not begin where its episode does.

        Raises:
            InvalidRunError: If it begins elsewhere.
        """
        if self.path[0] != self.start:
            raise InvalidRunError("the run does not begin at the start of the episode")

    def require_edges(self) -> None:
        """Refuse a run that jumps.

        Raises:
            InvalidRunError: If two viewpoints in a row have no edge between them.
        """
        neighbours = self.graph.neighbours
        for here, there in itertools.pairwise(self.path):
            if here != there and there not in neighbours[here]:
                raise InvalidRunError("two viewpoints in a row have no edge between them")

    def along(self, places: list[int]) -> float:
        """Length of a path as the sum of shortest ways between its viewpoints, metres."""
        rows = self.rows
        return sum([rows[a][b] for a, b in itertools.pairwise(places)])

    def to_goal(self, place: int) -> float:
        """Shortest way from a viewpoint to the goal, metres.

        Raises:
            UndefinedScoreError: If there is none.
        """
        way = self.rows[place][self.goal]
        if math.isinf(way):
            raise UndefinedScoreError("no way leads to the goal")
        return way

    @cached_property
    def length_m(self) -> float:
        """TL: the sum of shortest ways between viewpoints in a row, metres."""
        length = self.along(self.path)
        if math.isinf(length):
            raise UndefinedScoreError("the path jumps between separate parts of the graph")
        return length

    @cached_property
    def reference_m(self) -> float:
        """Length of the reference path, metres."""
        return self.along(self.reference)

    @cached_property
    def shortest_m(self) -> float:
        """Shortest way from start to goal, metres."""
        return self.to_goal(self.start)

    @cached_property
    def error_m(self) -> float:
        """NE: shortest way from the last viewpoint to the goal, metres."""
        return self.to_goal(self.final)

    @cached_property
    def oracle_m(self) -> float:
        """The least distance to the goal over all viewpoints of the path, metres."""
        column = self.rows[self.goal]
        nearest = min(map(column.__getitem__, self.path))
        if math.isinf(nearest):
            raise UndefinedScoreError("no way leads to the goal")
        return nearest

    @cached_property
    def moves(self) -> list[int]:
        """The path with turns in place dropped and revisits kept."""
        return [place for place, _ in itertools.groupby(self.path)]

    @cached_property
    def costs(self) -> list[list[float]]:
        """(N, M) shortest ways from each move to each reference viewpoint, metres."""
        reference = self.reference
        return [[row[j] for j in reference] for row in map(self.rows.__getitem__, self.moves)]

    @cached_property
    def dtw_m(self) -> float:
        """DTW over the moves, metres."""
        return _finite(fidelity.dtw_of_costs(self.costs))

    @cached_property
    def ndtw(self) -> float:
        """Graph nDTW with 3 m, turns in place dropped."""
        return fidelity.ndtw(self.dtw_m, len(self.reference))

    @cached_property
    def dtw_with_turns_m(self) -> float:
        """DTW over every pose: a viewpoint that stands twice in a row counts twice, metres."""
        if len(self.moves) == len(self.path):
            return self.dtw_m
        rows, reference = self.rows, self.reference
        costs = [[rows[place][j] for j in reference] for place in self.path]
        return _finite(fidelity.dtw_of_costs(costs))

    @cached_property
    def ndtw_with_turns(self) -> float:
        """Graph nDTW with 3 m over every pose."""
        return fidelity.ndtw(self.dtw_with_turns_m, len(self.reference))

    @property
    def groups(self) -> int:
        """Groups of the trajectory minus one; one viewpoint is a group where there are none.

        A decision that moved is a group; one that is logged and led nowhere, a stop or an answer
        without a valid move, is none.
        """
        decisions = self.run.decisions
        if not any(decision.end_pose > decision.first_pose for decision in decisions):
            return len(self.path) - 1
        return sum(
            decision.end_pose > decision.first_pose or not (decision.action or decision.events)
            for decision in decisions
        )

    @cached_property
    def cls(self) -> float:
        """CLS with 3 m and lengths as sums of shortest ways."""
        return fidelity.coverage_by_length(
            fidelity.coverage(self.costs), self.reference_m, self.length_m
        )

    def success(self, radius_m: float, *, is_strict: bool = True) -> float:
        """1 if the run ended within a radius of the goal, else 0."""
        return within(self.error_m, radius_m, is_strict=is_strict)

    def oracle_success(self, radius_m: float) -> float:
        """1 if any viewpoint of the path lies strictly within a radius of the goal, else 0."""
        return within(self.oracle_m, radius_m)


def _finite(dtw_m: float) -> float:
    if math.isinf(dtw_m):
        raise UndefinedScoreError("path and reference lie in separate parts of the graph")
    return dtw_m


def within(distance_m: float, radius_m: float, *, is_strict: bool = True) -> float:
    """1 if a distance is below a radius (or equal, if not strict), else 0."""
    return float(distance_m < radius_m if is_strict else distance_m <= radius_m)


def graph_of(scenery: Scenery) -> ViewpointGraph:
    """The graph that a profile scores on.

    Raises:
        UndefinedScoreError: If there is none.
    """
    if scenery.graph is None:
        raise UndefinedScoreError(scenery.no_graph)
    return scenery.graph


def strict_case(episode: Episode, run: EpisodeRun, scenery: Scenery) -> GraphCase:
    """A case whose run begins at the start and moves along edges only."""
    case = GraphCase(episode, run, graph_of(scenery))
    case.require_start()
    case.require_edges()
    return case


def jumping_case(episode: Episode, run: EpisodeRun, scenery: Scenery) -> GraphCase:
    """A case whose run begins at the start; jumps count with their shortest way."""
    case = GraphCase(episode, run, graph_of(scenery))
    case.require_start()
    return case
