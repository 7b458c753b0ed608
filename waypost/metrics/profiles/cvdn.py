"""CVDN, navigation from dialogue history: end viewpoints, and three paths to be compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Final

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.metrics import efficiency
from waypost.metrics.graph_case import GraphCase, graph_of, within
from waypost.metrics.profile import Metric, Profile, Scenery
from waypost.metrics.profiles import r2r
from waypost.metrics.undefined import UndefinedScoreError

SOURCE: Final = "mmurray/cvdn:tasks/NDH/eval.py"
HAMT_SOURCE: Final = "cshizhe/VLN-HAMT:finetune_src/cvdn/env.py"


class NdhCase(GraphCase):
    """A case with the rooms or viewpoints of which one has to be reached."""

    def __init__(self, episode: Episode, run: EpisodeRun, scenery: Scenery) -> None:
        super().__init__(episode, run, graph_of(scenery))
        self.require_start()
        self.require_edges()
        index = self.graph.index
        names = [goal.viewpoint_id for goal in episode.goals if goal.viewpoint_id]
        self.ends = [index[name] for name in names if name in index]
        if not self.ends:
            raise UndefinedScoreError("the episode names no end viewpoints")

    def to_ends(self, place: int) -> float:
        """Shortest way from a viewpoint to the nearest end, metres."""
        nearest = min(self.rows[place][end] for end in self.ends)
        if nearest == float("inf"):
            raise UndefinedScoreError("no way leads to the goal")
        return nearest

    @property
    def ends_at_end(self) -> float:
        """1 if the last viewpoint is one of the ends."""
        return float(self.final in self.ends)

    @cached_property
    def to_planned_goal_m(self) -> float:
        """The least distance over the path to the end of the planner's path, metres."""
        planner = self.episode.alternatives.get("planner")
        goal = None if not planner else self.graph.index.get(planner.viewpoint_ids[-1])
        if goal is None:
            raise UndefinedScoreError("the episode has no planner's path")
        nearest = min(self.rows[place][goal] for place in self.path)
        if nearest == float("inf"):
            raise UndefinedScoreError("no way leads to the goal")
        return nearest


def _case_along(name: str, episode: Episode, run: EpisodeRun, scenery: Scenery) -> NdhCase:
    reference = episode.alternatives.get(name)
    if not reference:
        raise UndefinedScoreError(f"the episode has no {name}'s path")
    return NdhCase(replace(episode, reference=reference), run, scenery)


def _spl(case: NdhCase) -> float:
    if case.shortest_m == 0:
        return case.success(r2r.RADIUS_M) * float(case.length_m == 0)
    return efficiency.spl(case.success(r2r.RADIUS_M), case.shortest_m, case.length_m)


_METRICS: Final = (
    r2r.length(SOURCE),
    Metric(
        "GP",
        "Goal progress: how much nearer the last viewpoint is to the nearest end viewpoint than"
        " the start; negative where the agent went away.",
        "m",
        SOURCE,
        lambda case: case.to_ends(case.start) - case.to_ends(case.final),
    ),
    r2r.error(SOURCE),
    Metric(
        "SR",
        "1 if the last viewpoint is less than 3 m (strictly) from the end of the reference path.",
        "fraction",
        SOURCE,
        lambda case: case.success(r2r.RADIUS_M),
    ),
    r2r.oracle_success(SOURCE),
    Metric(
        "OPSR",
        "Oracle path success: 1 if any visited viewpoint, the start included, is less than 3 m"
        " (strictly) from the end of the planner's path along the graph, whichever path is the"
        " reference.",
        "fraction",
        SOURCE,
        lambda case: within(case.to_planned_goal_m, r2r.RADIUS_M),
    ),
    Metric(
        "SPL",
        "SR · d / max(TL, d); where start is goal, 1 if the agent stayed and 0 if it moved.",
        "fraction",
        SOURCE,
        _spl,
    ),
    Metric(
        "SR_room",
        "1 if the last viewpoint is one of the end viewpoints (no 3 m).",
        "fraction",
        HAMT_SOURCE,
        lambda case: case.ends_at_end,
    ),
    Metric(
        "OSR_room",
        "1 if any visited viewpoint is one of the end viewpoints.",
        "fraction",
        HAMT_SOURCE,
        lambda case: float(not set(case.path).isdisjoint(case.ends)),
    ),
    Metric(
        "SPL_room",
        "SR_room · d / max(TL, d, 0.01 m) with d the shortest way from the start to the nearest end"
        " viewpoint.",
        "fraction",
        HAMT_SOURCE,
        lambda case: efficiency.spl_with_floor(
            case.ends_at_end, case.to_ends(case.start), case.length_m
        ),
    ),
    r2r.viewpoint_steps("steps", HAMT_SOURCE),
)


def _profile(
    key: str, title: str, make_case: Callable[[Episode, EpisodeRun, Scenery], NdhCase], notes: str
) -> Profile:
    return Profile(key, title, _METRICS, make_case, needs_graph=True, notes=notes)


CVDN: Final = _profile(
    "cvdn",
    "CVDN, navigation from dialogue history",
    NdhCase,
    "The reference is the trusted path: the player's if it passes the end of the planner's after"
    " the start, else the planner's. cvdn-planner and cvdn-player take the other two.",
)

PLANNER: Final = _profile(
    "cvdn-planner",
    "CVDN, compared with the planner's path",
    partial(_case_along, "planner"),
    "NE, SR, OSR and SPL are measured to the end of the planner's path; all else is as in cvdn.",
)

PLAYER: Final = _profile(
    "cvdn-player",
    "CVDN, compared with the player's path",
    partial(_case_along, "player"),
    "NE, SR, OSR and SPL are measured to the end of the player's path; all else is as in cvdn.",
)
