"""Benchmarks in continuous space: VLN-CE, Open-Nav, VLN-PE, VLNVerse and its human demo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.metrics import efficiency, fidelity
from waypost.metrics.graph_case import within
from waypost.metrics.profile import Metric, Profile, Scenery
from waypost.metrics.space_case import NavmeshCase, SpaceCase, without_repeats
from waypost.metrics.undefined import UndefinedScoreError

VLNCE_SOURCE: Final = "jacobkrantz/VLN-CE:habitat_extensions/measures.py; Habitat-Lab nav measures"
OPEN_NAV_SOURCE: Final = "YanyuanQiao/Open-Nav"
VLNPE_SOURCE: Final = (
    "InternRobotics/InternNav:internnav/env/utils/internutopia_extension/metrics/vln_pe_metrics.py"
)
VLNVERSE_SOURCE: Final = "VLNVerse, arXiv:2512.19021; sihaoevery/vlnverse_emr"
HUMAN_SOURCE: Final = "william13077/IAmGoodNavigator:demo.py"
RADIUS_M: Final = 3.0
_DENSE_NDTW: Final = (
    "exp(−DTW / (3 m · number of expert positions)); exact DTW over straight lines between agent"
    " positions (repeats dropped) and the expert's dense positions. The original uses the"
    " approximation fastdtw by default; the dense reference makes it incomparable with graph nDTW."
)
_FAST: Final = (
    "exp(−DTW / (3 m · number of expert positions)) with DTW approximated by FastDTW (radius 1)"
    " over straight lines between agent positions ({repeats}) and the expert's dense positions, as"
    " the released code computes it; never above the exact value."
)


def _length(source: str, definition: str) -> Metric:
    return Metric("TL", definition, "m", source, lambda case: case.length_m, None)


def _actions(source: str) -> Metric:
    return Metric(
        "steps",
        "Actions taken, a called STOP included.",
        "count",
        source,
        lambda case: case.action_count,
        None,
    )


def _vlnce_success(case: NavmeshCase) -> float:
    return float(case.has_stopped) * within(case.error_m, RADIUS_M)


VLNCE: Final = Profile(
    "vlnce",
    "VLN-CE (R2R-CE, RxR-CE)",
    (
        _length(VLNCE_SOURCE, "Sum of straight lines between positions in a row, 3-D."),
        Metric(
            "NE",
            "Shortest way over the navmesh from the last position to the goal.",
            "m",
            VLNCE_SOURCE,
            lambda case: case.error_m,
            False,
        ),
        Metric(
            "OSR",
            "1 if any position, the start included, is less than 3 m (strictly) from the goal over"
            " the navmesh; no STOP is needed.",
            "fraction",
            VLNCE_SOURCE,
            lambda case: within(case.oracle_m, RADIUS_M),
        ),
        Metric(
            "SR",
            "1 if STOP was called and NE is less than 3 m (strictly).",
            "fraction",
            VLNCE_SOURCE,
            _vlnce_success,
        ),
        Metric(
            "SPL",
            "SR · g / max(TL, g) with g the geodesic from start to goal that the episode states, or"
            " else the shortest way over the navmesh from the first position.",
            "fraction",
            VLNCE_SOURCE,
            lambda case: efficiency.spl(_vlnce_success(case), case.start_to_goal_m, case.length_m),
        ),
        Metric("nDTW", _DENSE_NDTW, "fraction", VLNCE_SOURCE, lambda case: case.ndtw),
        Metric(
            "nDTW_fastdtw",
            _FAST.format(repeats="repeats dropped"),
            "fraction",
            VLNCE_SOURCE,
            lambda case: case.fast_ndtw(without_repeats(case.path_m)),
        ),
        Metric(
            "SDTW",
            "SR · nDTW.",
            "fraction",
            VLNCE_SOURCE,
            lambda case: _vlnce_success(case) * case.ndtw,
        ),
        _actions(VLNCE_SOURCE),
    ),
    NavmeshCase,
    needs_graph=False,
)


def _open_nav_success(case: NavmeshCase) -> float:
    return within(case.error_m, RADIUS_M, is_strict=False)


def _collision_share(case: SpaceCase) -> float:
    end = case.run.end
    if end.collision_count is None:
        raise UndefinedScoreError("the run does not log collisions")
    if not end.action_count:
        raise UndefinedScoreError("the run does not say how many actions it took")
    return end.collision_count / end.action_count


OPEN_NAV: Final = Profile(
    "open-nav",
    "Open-Nav",
    (
        _length(OPEN_NAV_SOURCE, "Sum of straight lines between positions in a row, 3-D."),
        Metric(
            "NE",
            "Shortest way over the navmesh from the last position to the goal.",
            "m",
            OPEN_NAV_SOURCE,
            lambda case: case.error_m,
            False,
        ),
        Metric(
            "OSR",
            "1 if any position is at most 3 m from the goal over the navmesh.",
            "fraction",
            OPEN_NAV_SOURCE,
            lambda case: within(case.oracle_m, RADIUS_M, is_strict=False),
        ),
        Metric(
            "SR",
            "1 if NE is at most 3 m (equality counts); no STOP is needed.",
            "fraction",
            OPEN_NAV_SOURCE,
            _open_nav_success,
        ),
        Metric(
            "SPL",
            "SR · g / max(TL, g) with g the geodesic from start to goal that the episode states, or"
            " else the shortest way over the navmesh from the first position.",
            "fraction",
            OPEN_NAV_SOURCE,
            lambda case: efficiency.spl(
                _open_nav_success(case), case.start_to_goal_m, case.length_m
            ),
        ),
        Metric(
            "nDTW",
            _FAST.format(repeats="every one, also where it stood still"),
            "fraction",
            OPEN_NAV_SOURCE,
            lambda case: case.fast_ndtw(case.path_m),
        ),
        Metric("nDTW_exact", _DENSE_NDTW, "fraction", OPEN_NAV_SOURCE, lambda case: case.ndtw),
        Metric(
            "collisions",
            "Share of actions during which the agent touched something.",
            "fraction",
            OPEN_NAV_SOURCE,
            _collision_share,
            False,
        ),
        _actions(OPEN_NAV_SOURCE),
    ),
    NavmeshCase,
    needs_graph=False,
)


def _plan_case(episode: Episode, run: EpisodeRun, scenery: Scenery) -> SpaceCase:
    del scenery
    return SpaceCase(episode, run, dimensions=2)


def _macro_oracle(case: SpaceCase) -> float:
    samples = case.run.samples
    ends = case.to_goal_m[1:] if samples is None else case.to_goal_m[np.asarray(samples, int)]
    return within(float(ends.min()), RADIUS_M) if len(ends) else 0.0


def _macro_error(case: SpaceCase) -> float:
    samples = case.run.samples
    if samples is None:
        return case.error_m
    if not samples:
        # Nothing to compare with the goal: the released code fails on such a run.
        raise UndefinedScoreError("no macro action of the run ended")
    return float(case.to_goal_m[samples[-1]])


def _plan_success(case: SpaceCase) -> float:
    return within(_macro_error(case), RADIUS_M)


def _plan_spl(case: SpaceCase, shortest_m: float) -> float:
    if case.length_m == 0:
        return 0.0
    return efficiency.spl(_plan_success(case), shortest_m, case.length_m)


def _flag(value: bool | None, missing: str) -> float:
    if value is None:
        raise UndefinedScoreError(missing)
    return float(value)


def _plan_metrics(
    source: str, spl_definition: str, spl: Callable[[SpaceCase], float]
) -> tuple[Metric, ...]:
    return (
        _length(source, "Sum of plan (x, y) distances between logged positions in a row."),
        Metric(
            "NE",
            "Plan distance from where the last macro action ended, the last position where the run"
            " does not say, to the end of the reference path.",
            "m",
            source,
            _macro_error,
            False,
        ),
        Metric(
            "OSR",
            "1 if any position at which a macro action ended is less than 3 m (strictly) from the"
            " goal in plan; the start does not count.",
            "fraction",
            source,
            _macro_oracle,
        ),
        Metric(
            "SR",
            "1 if NE is less than 3 m (strictly); no STOP is needed, so a time-out or a fall inside"
            " 3 m counts.",
            "fraction",
            source,
            _plan_success,
        ),
        Metric("SPL", spl_definition, "fraction", source, spl),
    )


_NEARNESS: Final = Metric(
    "nearness",
    "Mean over the start and the positions at which a macro action ended of exp(−d² / 18 m²), d ="
    " plan distance to the nearest reference point; over all positions where the run does not say"
    " which ones those are. The code calls it “ndtw”, but it is one-sided, blind to order and no"
    " DTW.",
    "fraction",
    VLNPE_SOURCE,
    lambda case: fidelity.nearness(case.macro_path_m, case.reference_points_m),
)
_AS_STATED: Final = Metric(
    "SPL_InternNav",
    "SR · g / max(TL, g) with g exactly as the file states it, as the released code computes it:"
    " with the placeholder −1 (unknown) a success gets a negative value; 0 if TL is 0.",
    "fraction",
    VLNPE_SOURCE,
    lambda case: (
        0.0
        if case.length_m == 0
        else _plan_success(case) * case.stated_m / max(case.length_m, case.stated_m)
    ),
)
_PLAN_NDTW: Final = (
    "exp(−DTW / (3 m · number of reference points)); exact DTW over plan distances, repeated"
    " points of path and reference dropped."
)

VLN_PE: Final = Profile(
    "vln-pe",
    "VLN-PE (InternNav)",
    (
        *_plan_metrics(
            VLNPE_SOURCE,
            "SR · g / max(TL, g) with g the stated geodesic, or the length of the reference where"
            " the file has the placeholder −1 (SPL_InternNav is what the released code gives then);"
            " 0 if TL is 0.",
            lambda case: _plan_spl(case, case.shortest_m),
        ),
        _AS_STATED,
        _NEARNESS,
        Metric(
            "FR",
            "1 if the run ended in a fall.",
            "fraction",
            VLNPE_SOURCE,
            lambda case: _flag(case.run.end.has_fallen, "the run does not say whether it fell"),
            False,
        ),
        Metric(
            "StR",
            "1 if the run ended stuck.",
            "fraction",
            VLNPE_SOURCE,
            lambda case: _flag(case.run.end.is_stuck, "the run does not say whether it was stuck"),
            False,
        ),
    ),
    _plan_case,
    needs_graph=False,
)


def _stages(case: SpaceCase) -> float:
    goals = [goal.position_m for goal in case.episode.stages]
    if not goals:
        raise UndefinedScoreError("the episode has no stages")
    reached = 0
    since = 0
    for goal in goals:
        if goal is None:
            raise UndefinedScoreError("a stage has no position")
        gaps = np.linalg.norm(case.path_m[since:] - np.asarray(goal[:2]), axis=1)
        near = np.flatnonzero(gaps < RADIUS_M)
        if not len(near):
            break
        reached += 1
        since += int(near[0])
    return reached / len(goals)


VLNVERSE: Final = Profile(
    "vlnverse",
    "VLNVerse",
    (
        *_plan_metrics(
            VLNVERSE_SOURCE,
            "SR · L / max(TL, L) with L the stated geodesic, or the length of the reference path in"
            " three dimensions where the file has the placeholder −1; 0 if TL is 0.",
            lambda case: _plan_spl(case, case.shortest_in_space_m),
        ),
        Metric("nDTW", _PLAN_NDTW, "fraction", VLNVERSE_SOURCE, lambda case: case.ndtw),
        _NEARNESS,
        Metric(
            "CR",
            "Collisions per action: actions with a contact divided by all actions.",
            "fraction",
            VLNVERSE_SOURCE,
            _collision_share,
            False,
        ),
        Metric(
            "SR_n",
            "Share of the stages of a long-horizon task reached in order, each within 3 m"
            " (strictly) in plan.",
            "fraction",
            VLNVERSE_SOURCE,
            _stages,
        ),
    ),
    _plan_case,
    needs_graph=False,
    notes=(
        "Repeated points of the reference, where the expert turns in place, change no score; in"
        " vlnverse-human they count in nDTW."
    ),
)


def _human_success(case: SpaceCase) -> float:
    return within(case.error_m, RADIUS_M, is_strict=False)


VLNVERSE_HUMAN: Final = Profile(
    "vlnverse-human",
    "VLNVerse human demo",
    (
        _length(HUMAN_SOURCE, "Sum of plan (x, y) distances between logged positions in a row."),
        Metric(
            "NE",
            "Plan distance from the last logged position to the end of the reference path.",
            "m",
            HUMAN_SOURCE,
            lambda case: case.error_m,
            False,
        ),
        Metric(
            "OSR",
            "1 if any logged position (about every 2 s in the original) is at most 3 m from the"
            " goal in plan.",
            "fraction",
            HUMAN_SOURCE,
            lambda case: within(case.oracle_m, RADIUS_M, is_strict=False),
        ),
        Metric(
            "SR",
            "1 if NE is at most 3 m (equality counts); pressing Enter ends the run.",
            "fraction",
            HUMAN_SOURCE,
            _human_success,
        ),
        Metric(
            "SPL",
            "SR · L / max(TL, L) with L the length of the reference path in plan.",
            "fraction",
            HUMAN_SOURCE,
            lambda case: efficiency.spl(_human_success(case), case.reference_m, case.length_m),
        ),
        Metric(
            "nDTW",
            "exp(−DTW / (3 m · number of reference points)); exact DTW over plan distances,"
            " repeated points of the path dropped, those of the reference kept, as the released"
            " code does.",
            "fraction",
            HUMAN_SOURCE,
            lambda case: case.ndtw_with_repeats,
        ),
    ),
    _plan_case,
    needs_graph=False,
)
