"""How closely a path follows its reference: DTW and its kin, coverage, nearness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from waypost.metrics.undefined import UndefinedScoreError

Costs = Sequence[Sequence[float]]
"""(N, M) distances from each pose of a path to each pose of its reference, metres."""


def dtw_of_costs(costs: Costs) -> float:
    """Cost of the best warping of a path onto its reference, exact, without a window.

    Args:
        costs: (N, M), N and M ≥ 1, metres.

    Returns:
        The smallest sum of costs over monotone steps from the first pair to the last, metres.

    Source:
        Ilharco et al. 2019, arXiv:1907.05446.
    """
    row = list(accumulate(costs[0]))
    for here in costs[1:]:
        left = row[0] + here[0]
        diagonal = row[0]
        below = [left]
        for above, cost in zip(row[1:], here[1:], strict=True):
            # Calls of min would take longer than all the rest.
            best = above if above < diagonal else diagonal  # noqa: FURB136
            left = (left if left < best else best) + cost  # noqa: FURB136
            below.append(left)
            diagonal = above
        row = below
    return row[-1]


def dtw_of_points(path_m: NDArray[np.float64], reference_m: NDArray[np.float64]) -> float:
    """``dtw_of_costs`` with straight-line distances between points, in compiled code.

    Args:
        path_m: (N, D) metres, N ≥ 1.
        reference_m: (M, D) metres, M ≥ 1.
    """
    # Imported on first use: graph profiles do without.
    from dtaidistance import dtw_ndim  # noqa: PLC0415

    # Copies, because the library refuses read-only arrays.
    path, reference = np.array(path_m, order="C"), np.array(reference_m, order="C")
    return float(dtw_ndim.distance(path, reference, use_c=True, inner_dist="euclidean"))


def ndtw(dtw_m: float, reference_count: int, threshold_m: float = 3.0) -> float:
    """Normalised DTW: exp(−DTW / (threshold · number of reference poses)).

    Returns:
        A score in (0, 1].

    Raises:
        UndefinedScoreError: If a pose cannot be reached from the reference.

    Source:
        Ilharco et al. 2019, arXiv:1907.05446.
    """
    if not math.isfinite(dtw_m):
        raise UndefinedScoreError("path and reference lie in separate parts of the graph")
    return math.exp(-dtw_m / (threshold_m * reference_count))


def coverage(costs: Costs, threshold_m: float = 3.0) -> float:
    """Mean over reference poses of exp(−distance to the nearest pose of the path / threshold).

    Source:
        Jain et al. 2019, arXiv:1905.12255.
    """
    nearest = [min(column) for column in zip(*costs, strict=True)]
    if not all(map(math.isfinite, nearest)):
        raise UndefinedScoreError("path and reference lie in separate parts of the graph")
    return sum(math.exp(-distance / threshold_m) for distance in nearest) / len(nearest)


def coverage_by_length(coverage_score: float, reference_m: float, path_m: float) -> float:
    """CLS: coverage times how well the length of the path fits what was covered.

    Args:
        coverage_score: See ``coverage``.
        reference_m: Length of the reference, metres.
        path_m: Length of the path, metres.

    Raises:
        UndefinedScoreError: If neither path nor reference has a length (0/0).

    Source:
        Jain et al. 2019, arXiv:1905.12255.
    """
    expected = coverage_score * reference_m
    total = expected + abs(expected - path_m)
    if total == 0:
        raise UndefinedScoreError("neither path nor reference has a length")
    return coverage_score * expected / total


def nearness(path_m: NDArray[np.float64], reference_m: NDArray[np.float64]) -> float:
    """Mean over path points of exp(−d² / (2·3²)), d = distance to the nearest reference point.

    One-sided and blind to order: a path that stays at the start scores 1. VLN-PE and VLNVerse
    call it “ndtw”, which it is not.

    Args:
        path_m: (N, D) metres, N ≥ 1.
        reference_m: (M, D) metres, M ≥ 1.

    Source:
        InternRobotics/InternNav:internnav/env/utils/internutopia_extension/metrics/
        vln_pe_metrics.py.
    """
    # Imported on first use: scipy takes long, and graph profiles do without.
    from scipy.spatial import KDTree  # noqa: PLC0415

    gaps, _ = KDTree(reference_m).query(path_m)
    return float(np.mean(np.exp(-(gaps**2) / 18.0)))
