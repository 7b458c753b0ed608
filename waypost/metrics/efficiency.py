"""What success cost: path lengths, SPL in its variants, use of the map."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from waypost.metrics.undefined import UndefinedScoreError


def polyline_m(points_m: NDArray[np.float64]) -> float:
    """Length of the line through (N, D) points, metres; repeats add nothing."""
    return float(np.sqrt((np.diff(points_m, axis=0) ** 2).sum(axis=1)).sum())


def spl(success: float, shortest_m: float, travelled_m: float) -> float:
    """Success weighted by path length: success · shortest / max(travelled, shortest).

    Args:
        success: 1 or 0.
        shortest_m: Shortest way from start to goal, metres, ≥ 0.
        travelled_m: Length of the agent's path, metres, ≥ 0.

    Returns:
        A score in [0, 1], at most ``success``.

    Raises:
        UndefinedScoreError: If start is goal and the agent stayed there (0/0).

    Source:
        Anderson et al. 2018, arXiv:1807.06757.
    """
    longer = max(travelled_m, shortest_m)
    if longer == 0:
        if success:
            raise UndefinedScoreError("start is goal and the agent stayed: 0/0 by definition")
        return 0.0
    return success * shortest_m / longer


def spl_with_floor(success: float, reference_m: float, travelled_m: float) -> float:
    """SPL against the length of the reference path, with 1 cm as the least divisor.

    The floor makes “start is goal and the agent stayed” 0 instead of 0/0.

    Source:
        cshizhe/VLN-DUET:map_nav_src/r2r/env.py.
    """
    return success * reference_m / max(travelled_m, reference_m, 0.01)


def map_efficiency(
    visited: Collection[str], expert: Collection[str], known: Collection[str], alpha: float = 0.25
) -> float:
    """How much of the agent's map was of use, and how much of the expert's way it held.

    α · |visited ∩ map| / |map| + (1 − α) · |expert ∩ map| / |expert|.

    Args:
        visited: Viewpoints the agent stood at.
        expert: Viewpoints of the reference path.
        known: Viewpoints of the agent's map at the end.
        alpha: Weight of not keeping what was never visited.

    Returns:
        A score in [0, 1].

    Raises:
        UndefinedScoreError: If map or reference is empty.
    """
    walked, wanted, kept = set(visited), set(expert), set(known)
    if not kept or not wanted:
        raise UndefinedScoreError("the map or the reference has no nodes")
    return alpha * len(walked & kept) / len(kept) + (1 - alpha) * len(wanted & kept) / len(wanted)
