"""Find the storeys of a building from its triangles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import Scene, Storey
from waypost.geometry.levels import Facets, histogram, measure_facets

MIN_STOREY_HEIGHT_M = 1.8
"""Two floors are at least this far apart, and a floor has this much building above it."""

_MIN_SHARE = 0.15
"""Least level area of a storey as a share of the largest one's: more than cupboard tops."""

_BIN_M = 0.05
_WINDOW_M = 0.1
_FINE_M = 0.01


def find_storeys(scene: Scene, facets: Facets | None = None) -> tuple[Storey, ...]:
    """The levels at which most upward-facing area lies, lowest first.

    Table tops lose against the floor beneath them; roofs have nothing above them. A scene
    without level area has no storeys.

    Args:
        scene: In the scene frame.
        facets: Its triangles, where they are measured already.
    """
    facets = measure_facets(scene.meshes) if facets is None else facets
    heights, areas = facets.square_to(2, one_sided=True)
    if not len(heights):
        return ()
    top = scene.bounds_m[1][2] - scene.origin_m[2]
    floors: list[float] = []
    for height in _candidates(heights, areas, top - MIN_STOREY_HEIGHT_M):
        if all(abs(height - other) >= MIN_STOREY_HEIGHT_M for other in floors):
            floors.append(height)
    if not floors:
        floors = [_candidates(heights, areas, np.inf)[0]]
    return tuple(
        Storey("Ground floor" if index == 0 else f"Floor {index}", scene.origin_m[2] + height)
        for index, height in enumerate(sorted(floors))
    )


def _candidates(
    heights: NDArray[np.float64], areas: NDArray[np.float64], highest: float
) -> list[float]:
    """Heights with enough level area, largest area first."""
    lows, sums = histogram(heights, areas, _BIN_M)
    # a floor on the border of two bins counts whole
    is_joined = np.append(np.diff(lows) < 1.5 * _BIN_M, False)
    joint = sums + np.where(is_joined, np.append(sums[1:], 0.0), 0.0)
    order = np.argsort(-joint, kind="stable")
    found: list[float] = []
    largest = 0.0
    for bin_index in order:
        height = _refine(heights, areas, float(lows[bin_index]) + _BIN_M)
        if height > highest:
            continue
        largest = max(largest, float(joint[bin_index]))
        if joint[bin_index] < _MIN_SHARE * largest or joint[bin_index] <= 0:
            break
        found.append(height)
    return found


def _refine(heights: NDArray[np.float64], areas: NDArray[np.float64], guess: float) -> float:
    """The height, within the window around a guess, at which most area lies."""
    near = np.abs(heights - guess) <= _WINDOW_M
    lows, sums = histogram(heights[near], areas[near], _FINE_M)
    best = float(lows[np.argmax(sums)])
    here = near & (heights >= best) & (heights < best + _FINE_M)
    return _weighted_median(heights[here], areas[here])


def _weighted_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The value at half the weight: a floor stays exact under a few rugs."""
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, sums[-1] / 2)])
