"""Room-to-Room and the measures its descendants share: R2R official, DUET/HAMT, R4R, NavBench."""

from __future__ import annotations

import itertools
import math
from typing import Final

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.metrics import efficiency, fidelity
from waypost.metrics.graph_case import GraphCase, jumping_case, strict_case, within
from waypost.metrics.profile import Metric, Profile, Scenery
from waypost.metrics.undefined import UndefinedScoreError

R2R_SOURCE: Final = "peteanderson80/Matterport3DSimulator:tasks/R2R/eval.py"
DUET_SOURCE: Final = "cshizhe/VLN-DUET:map_nav_src/r2r/env.py, eval_utils.py"
R4R_SOURCE: Final = "google-research/google-research:r4r/cls.py, r4r/dtw.py"
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


_GRAPH_NDTW: Final = Metric(
    "nDTW",
    "exp(−DTW / (3 m · number of reference viewpoints)); DTW over shortest ways along the"
    " graph, exact, no window; turns in place dropped, revisits kept.",
    "fraction",
    DUET_SOURCE,
    lambda case: case.ndtw,
)
_GRAPH_SDTW: Final = Metric(
    "SDTW",
    "SR · nDTW.",
    "fraction",
    DUET_SOURCE,
    lambda case: case.success(RADIUS_M) * case.ndtw,
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
FIDELITY: Final = (_GRAPH_NDTW, _GRAPH_SDTW, _GRAPH_CLS)


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
        *FIDELITY,
    ),
    strict_case,
    needs_graph=True,
    notes=(
        "A run must begin at the start of its episode and move along edges, else it is invalid."
        " The official scorer refuses a whole file with one invalid or missing run; here the rest"
        " is scored and coverage is shown. SPL_DUET, nDTW, SDTW and CLS are not official."
    ),
)


def _decisions(case: GraphCase) -> float:
    return len(case.run.decisions) if case.run.decisions else len(case.path) - 1


DUET: Final = Profile(
    "duet",
    "DUET, HAMT, Recurrent VLN-BERT",
    (
        length(DUET_SOURCE),
        Metric(
            "steps",
            "Decisions: groups of the trajectory minus one, or viewpoints minus one where every"
            " entry is one viewpoint.",
            "count",
            DUET_SOURCE,
            _decisions,
            None,
        ),
        error(DUET_SOURCE),
        oracle_success(DUET_SOURCE),
        success(DUET_SOURCE),
        duet_spl(),
        *FIDELITY,
    ),
    jumping_case,
    needs_graph=True,
    notes="Jumps between viewpoints without an edge count with their shortest way.",
)


def _r4r_success(case: GraphCase) -> float:
    return case.success(RADIUS_M, is_strict=False)


def _r4r_cls(case: GraphCase) -> float:
    return fidelity.coverage_by_length(
        fidelity.coverage(case.costs), _by_edges(case, case.reference), _by_edges(case, case.moves)
    )


def _by_edges(case: GraphCase, places: list[int]) -> float:
    total = 0.0
    for here, there in itertools.pairwise(places):
        length_m = float(case.graph.edge_lengths_m[here, there])
        if math.isinf(length_m):
            raise UndefinedScoreError("two viewpoints in a row have no edge between them")
        total += length_m
    return total


R4R: Final = Profile(
    "r4r",
    "Room-for-Room reference code",
    (
        length(R4R_SOURCE),
        error(R4R_SOURCE),
        Metric(
            "SR",
            "1 if NE is at most 3 m (equality counts), as inside SDTW.",
            "fraction",
            R4R_SOURCE,
            _r4r_success,
        ),
        Metric(
            "CLS",
            "Coverage · length score with lengths summed over edges of the graph; undefined for"
            " a path that jumps.",
            "fraction",
            R4R_SOURCE,
            _r4r_cls,
        ),
        Metric(
            "nDTW",
            "exp(−DTW / (3 m · number of reference viewpoints)), DTW over shortest ways along the"
            " graph.",
            "fraction",
            R4R_SOURCE,
            lambda case: case.ndtw,
        ),
        Metric(
            "SDTW",
            "nDTW if NE is at most 3 m (equality counts), else 0.",
            "fraction",
            R4R_SOURCE,
            lambda case: _r4r_success(case) * case.ndtw,
        ),
    ),
    jumping_case,
    needs_graph=True,
    notes="Turns in place are dropped; the reference code would fail on them.",
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
