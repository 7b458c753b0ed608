"""Room-to-Room and the measures its descendants share: R2R official, DUET/HAMT, NavBench."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.metrics import efficiency
from waypost.metrics.graph_case import GraphCase, jumping_case, strict_case, within
from waypost.metrics.profile import Metric, Profile, Scenery

R2R_SOURCE: Final = "peteanderson80/Matterport3DSimulator:tasks/R2R/eval.py"
DUET_SOURCE: Final = "cshizhe/VLN-DUET:map_nav_src/r2r/env.py, eval_utils.py"
NAVBENCH_SOURCE: Final = "NavBench, arXiv:2506.01031; NavBench/Evaluation_Code"
RADIUS_M: Final = 3.0
NAVBENCH_RADIUS_M: Final = 1.5


def length(source: str) -> Metric:
    """TL on a graph."""
    return Metric(
        "TL",
        "Sum of the shortest ways along the graph between viewpoints in a row.",
        "m",
        source,
        lambda case: case.length_m,
        None,
    )


def error(source: str) -> Metric:
    """NE on a graph."""
    return Metric(
        "NE",
        "Shortest way along the graph from the last viewpoint to the end of the reference path.",
        "m",
        source,
        lambda case: case.error_m,
        False,
    )


def oracle_success(source: str) -> Metric:
    """OSR on a graph, 3 m strict."""
    return Metric(
        "OSR",
        "1 if any visited viewpoint, the start included, is less than 3 m (strictly) from the"
        " goal along the graph.",
        "fraction",
        source,
        lambda case: case.oracle_success(RADIUS_M),
    )


def success(source: str) -> Metric:
    """SR on a graph, 3 m strict."""
    return Metric(
        "SR",
        "1 if NE is less than 3 m (strictly); where the run ends counts, no STOP is needed.",
        "fraction",
        source,
        lambda case: case.success(RADIUS_M),
    )


def duet_spl(key: str = "SPL") -> Metric:
    """SPL against the length of the reference path."""
    return Metric(
        key,
        "SR · L / max(TL, L, 0.01 m) with L the length of the reference path along the graph,"
        " which is not the shortest way from start to goal.",
        "fraction",
        DUET_SOURCE,
        lambda case: efficiency.spl_with_floor(
            case.success(RADIUS_M), case.reference_m, case.length_m
        ),
    )


def oracle_error(source: str) -> Metric:
    """OE on a graph."""
    return Metric(
        "OE",
        "Oracle error: the least distance to the goal along the graph over all visited viewpoints,"
        " the start included.",
        "m",
        source,
        lambda case: case.oracle_m,
        False,
    )


_VIEWPOINT_STEPS: Final = (
    "Viewpoints of the trajectory minus one; each time a viewpoint stands in a row counts."
)
_DECISIONS: Final = (
    "Decisions that moved the agent: groups of the trajectory minus one, or viewpoints minus one"
    " where every entry is one viewpoint. A stop, or an answer without a valid move, is none."
)


def viewpoint_steps(key: str, source: str, printed: str = "") -> Metric:
    """Viewpoints minus one.

    Args:
        key: Of the metric.
        source: Where it is computed so.
        printed: What the released code calls it, where that is another metric's key here.
    """
    said = f" {printed}" if printed else ""
    return _counted(key, _VIEWPOINT_STEPS + said, source, lambda case: float(len(case.path) - 1))


def step_counts(source: str) -> tuple[Metric, Metric, Metric]:
    """Steps as VLN-DUET counts them: by groups, under two names, and by viewpoints."""
    printed = "VLN-DUET prints its mean as steps."
    same = " The same number as action_steps, the name that VLN-DUET prints it by."
    return (
        _counted("steps", _DECISIONS + same, source, lambda case: float(case.groups)),
        _counted("action_steps", _DECISIONS, source, lambda case: float(case.groups)),
        viewpoint_steps("trajectory_steps", source, printed),
    )


def _counted(key: str, definition: str, source: str, count: Callable[[GraphCase], float]) -> Metric:
    return Metric(key, definition, "count", source, count, None)


_NDTW_START: Final = (
    "exp(−DTW / (3 m · number of reference viewpoints)); DTW over shortest ways along the graph,"
    " exact, no window; revisits kept, "
)
_TURNS_DROPPED: Final = (
    "turns in place dropped: a viewpoint that stands several times in a row counts once."
)
_TURNS_KEPT: Final = (
    "and so is a viewpoint that stands several times in a row (turns in place), as the released"
    " code keeps it."
)
_GRAPH_NDTW: Final = Metric(
    "nDTW",
    _NDTW_START + _TURNS_DROPPED,
    "fraction",
    "Ilharco et al. 2019, arXiv:1907.05446",
    lambda case: case.ndtw,
)
_GRAPH_SDTW: Final = Metric(
    "SDTW",
    "SR · nDTW.",
    "fraction",
    "Ilharco et al. 2019, arXiv:1907.05446",
    lambda case: case.success(RADIUS_M) * case.ndtw,
)


def duet_dtw(suffix: str = "") -> tuple[Metric, ...]:
    """The nDTW and SDTW of VLN-DUET and VLN-HAMT."""
    return (
        Metric(
            f"nDTW{suffix}",
            _NDTW_START + _TURNS_KEPT,
            "fraction",
            DUET_SOURCE,
            lambda case: case.ndtw_with_turns,
        ),
        Metric(
            f"SDTW{suffix}",
            f"SR · nDTW{suffix}.",
            "fraction",
            DUET_SOURCE,
            lambda case: case.success(RADIUS_M) * case.ndtw_with_turns,
        ),
    )


_GRAPH_CLS: Final = Metric(
    "CLS",
    "Coverage · length score: coverage is the mean over reference viewpoints of exp(−distance to"
    " the nearest visited viewpoint / 3 m), the length score compares TL with coverage · reference"
    " length.",
    "fraction",
    DUET_SOURCE,
    lambda case: case.cls,
)


def _r2r_spl(case: GraphCase) -> float:
    return efficiency.spl(case.success(RADIUS_M), case.shortest_m, case.length_m)


R2R: Final = Profile(
    "r2r",
    "Room-to-Room, official scorer; fidelity and reference-length SPL as in DUET beside it",
    (
        length(R2R_SOURCE),
        error(R2R_SOURCE),
        oracle_success(R2R_SOURCE),
        success(R2R_SOURCE),
        Metric(
            "SPL",
            "SR · d / max(TL, d) with d the shortest way from start to goal along the graph;"
            " 0/0 (start is goal, agent stays) is undefined.",
            "fraction",
            R2R_SOURCE,
            _r2r_spl,
        ),
        duet_spl("SPL_DUET"),
        _GRAPH_NDTW,
        _GRAPH_SDTW,
        *duet_dtw("_DUET"),
        _GRAPH_CLS,
    ),
    strict_case,
    needs_graph=True,
    notes=(
        "A run must begin at the start of its episode and move along edges, else it is invalid."
        " The official scorer refuses a whole file with one invalid or missing run; here the rest"
        " is scored and coverage is shown. SPL_DUET, nDTW, SDTW and CLS are not official: a turn in"
        " place costs nothing in nDTW and SDTW; nDTW_DUET and SDTW_DUET count it as the released"
        " code of DUET and HAMT does."
    ),
)


DUET: Final = Profile(
    "duet",
    "DUET, HAMT, Recurrent VLN-BERT",
    (
        length(DUET_SOURCE),
        *step_counts(DUET_SOURCE),
        error(DUET_SOURCE),
        oracle_error(DUET_SOURCE),
        oracle_success(DUET_SOURCE),
        success(DUET_SOURCE),
        duet_spl(),
        Metric(
            "DTW",
            "Cost of the best warping of the path onto the reference, over shortest ways along the"
            " graph, exact, every pose kept.",
            "m",
            DUET_SOURCE,
            lambda case: case.dtw_with_turns_m,
            False,
        ),
        *duet_dtw(),
        _GRAPH_CLS,
    ),
    jumping_case,
    needs_graph=True,
    notes=(
        "Jumps between viewpoints without an edge count with their shortest way. A viewpoint that"
        " stands twice in a row, in a group or as a turn in place, counts twice in steps, DTW, nDTW"
        " and SDTW, as in the released code; the profile r2r has nDTW and SDTW without turns."
    ),
)


def _navbench_case(episode: Episode, run: EpisodeRun, scenery: Scenery) -> GraphCase:
    return jumping_case(episode, run, scenery)


NAVBENCH: Final = Profile(
    "navbench",
    "NavBench execution",
    (
        length(NAVBENCH_SOURCE),
        error(NAVBENCH_SOURCE),
        Metric(
            "DTS",
            "Distance to success: how far beyond 1.5 m of the goal the run ended,"
            " max(NE − 1.5 m, 0).",
            "m",
            NAVBENCH_SOURCE,
            lambda case: max(case.error_m - NAVBENCH_RADIUS_M, 0.0),
            False,
        ),
        Metric(
            "OSR",
            "1 if any visited viewpoint is less than 1.5 m (strictly) from the goal.",
            "fraction",
            NAVBENCH_SOURCE,
            lambda case: case.oracle_success(NAVBENCH_RADIUS_M),
        ),
        Metric(
            "SR",
            "1 if NE is less than 1.5 m (strictly).",
            "fraction",
            NAVBENCH_SOURCE,
            lambda case: within(case.error_m, NAVBENCH_RADIUS_M),
        ),
        Metric(
            "SPL",
            "SR · L / max(TL, L, 0.01 m) with L the length of the reference path.",
            "fraction",
            NAVBENCH_SOURCE,
            lambda case: efficiency.spl_with_floor(
                within(case.error_m, NAVBENCH_RADIUS_M), case.reference_m, case.length_m
            ),
        ),
    ),
    _navbench_case,
    needs_graph=True,
    notes=(
        "The released execution code has 3 m where the paper's 1.5 m stands here; for its numbers"
        " use the profile duet. DTS is not in the released code; the definition is ours."
    ),
)
