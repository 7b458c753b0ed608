"""Values at the cursor of a replay: distance to goal, progress, nDTW so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

NDTW_THRESHOLD_M = 3.0
_BLOCK = 512


def dtw_so_far(costs: Iterable[Sequence[float]]) -> list[float]:
    """Cost of the best warping of every beginning of a path onto the whole reference.

    One row of the table is kept and carried on, so that all N values cost as much as the last.

    Args:
        costs: N rows of M ≥ 1 distances from a pose to every pose of the reference, metres.

    Returns:
        N values; the last is the DTW cost of the whole path.

    Source:
        Ilharco et al. 2019, arXiv:1907.05446.
    """
    row: list[float] = []
    values = []
    for here in costs:
        row = _next_row(row, here) if row else list(accumulate(here))
        values.append(row[-1])
    return values


def _next_row(above: list[float], here: Sequence[float]) -> list[float]:
    left = above[0] + here[0]
    below = [left]
    diagonal = above[0]
    for over, cost in zip(above[1:], here[1:], strict=True):
        left = min(over, diagonal, left) + cost
        below.append(left)
        diagonal = over
    return below


def dtw_of_points_so_far(
    path_m: NDArray[np.float64], reference_m: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``dtw_so_far`` over straight lines, a whole row at a time.

    Within a row the best way in from the left is a running minimum of what it costs to enter at
    each column, less the sum of the costs before it.

    Args:
        path_m: (N, D) metres.
        reference_m: (M, D) metres, M ≥ 1.

    Returns:
        (N,) metres.
    """
    values = np.empty(len(path_m))
    enter, above = np.empty(len(reference_m)), np.empty(len(reference_m))
    for at in range(0, len(path_m), _BLOCK):
        block = path_m[at : at + _BLOCK]
        costs = np.sqrt(((block[:, None] - reference_m[None]) ** 2).sum(axis=2))
        sums = costs.cumsum(axis=1)
        before = sums - costs
        for index in range(len(block)):
            if at == index == 0:
                above[:] = sums[0]
            else:
                enter[0] = above[0]
                np.minimum(above[1:], above[:-1], out=enter[1:])
                np.subtract(enter, before[index], out=enter)
                np.minimum.accumulate(enter, out=above)
                np.add(above, sums[index], out=above)
            values[at + index] = above[-1]
    return values


def ndtw_of(dtw_m: NDArray[np.float64], reference_count: int) -> NDArray[np.float64]:
    """exp(−DTW / (3 m · number of reference poses)); NaN where the DTW is infinite."""
    scores = np.exp(-dtw_m / (NDTW_THRESHOLD_M * reference_count))
    return np.where(np.isfinite(dtw_m), scores, np.nan)


def progress_of(to_goal_m: NDArray[np.float64]) -> NDArray[np.float64]:
    """(start distance − distance) / start distance; NaN where the run starts at the goal."""
    if not len(to_goal_m) or not np.isfinite(to_goal_m[0]) or to_goal_m[0] == 0:
        return np.full(len(to_goal_m), np.nan)
    return np.asarray(1.0 - to_goal_m / to_goal_m[0])
