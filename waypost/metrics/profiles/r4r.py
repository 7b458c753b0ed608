"""Room-for-Room, and what VALAN computes beside it for R4R and RxR."""

from __future__ import annotations

import itertools
import math
from typing import Final

from waypost.metrics import fidelity
from waypost.metrics.graph_case import GraphCase, jumping_case
from waypost.metrics.profile import Metric, Profile
from waypost.metrics.profiles import r2r
from waypost.metrics.undefined import UndefinedScoreError

SOURCE: Final = "google-research/google-research:r4r/cls.py, r4r/dtw.py"
VALAN_SOURCE: Final = "google-research/valan:r2r/eval_metric.py"

_SAMPLE: Final = (
    " RxR publishes no scorer; the sample in its README (ndtw 0.90206, dtw 1.54617) is not what"
    " this code gives over the graph of Matterport3DSimulator (0.90027 and 1.57596, as here): its"
    " distances come from other coordinates."
)


def _success(case: GraphCase) -> float:
    return case.success(r2r.RADIUS_M, is_strict=False)


def _strict_success(case: GraphCase) -> float:
    return case.success(r2r.RADIUS_M)


def _cls(case: GraphCase) -> float:
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


def _valan_spl(case: GraphCase) -> float:
    if not _strict_success(case) or case.shortest_m == 0:
        return 0.0
    return case.shortest_m / max(case.shortest_m, case.length_m)


R4R: Final = Profile(
    "r4r",
    "Room-for-Room reference code",
    (
        r2r.length(SOURCE),
        r2r.error(SOURCE),
        Metric(
            "SR",
            "1 if NE is at most 3 m (equality counts), as inside SDTW.",
            "fraction",
            SOURCE,
            _success,
        ),
        Metric(
            "CLS",
            "Coverage · length score with lengths summed over edges of the graph; undefined for"
            " a path that jumps.",
            "fraction",
            SOURCE,
            _cls,
        ),
        Metric(
            "DTW",
            "Cost of the best warping of the path onto the reference, over shortest ways along the"
            " graph, exact.",
            "m",
            SOURCE,
            lambda case: case.dtw_m,
            False,
        ),
        Metric(
            "nDTW",
            "exp(−DTW / (3 m · number of reference viewpoints)), DTW over shortest ways along the"
            " graph." + _SAMPLE,
            "fraction",
            SOURCE,
            lambda case: case.ndtw,
        ),
        Metric(
            "SDTW",
            "nDTW if NE is at most 3 m (equality counts), else 0.",
            "fraction",
            SOURCE,
            lambda case: _success(case) * case.ndtw,
        ),
        Metric(
            "SR_VALAN",
            "1 if NE is less than 3 m (strictly).",
            "fraction",
            VALAN_SOURCE,
            _strict_success,
        ),
        Metric(
            "OSR_VALAN",
            "1 if any visited viewpoint, the start included, is less than 3 m (strictly) from the"
            " goal along the graph.",
            "fraction",
            VALAN_SOURCE,
            lambda case: case.oracle_success(r2r.RADIUS_M),
        ),
        Metric(
            "SPL_VALAN",
            "SR_VALAN · d / max(TL, d) with d the shortest way from start to goal along the graph;"
            " 0 where start is goal.",
            "fraction",
            VALAN_SOURCE,
            _valan_spl,
        ),
        Metric(
            "SDTW_VALAN",
            "SR_VALAN · nDTW.",
            "fraction",
            VALAN_SOURCE,
            lambda case: _strict_success(case) * case.ndtw,
        ),
    ),
    jumping_case,
    needs_graph=True,
    notes=(
        "Turns in place are dropped; the reference code would fail on them. What VALAN computes for"
        " R4R and RxR differs in 3 m (strictly less) and has SPL; it stands beside under _VALAN."
    ),
)
