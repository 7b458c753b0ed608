"""FastDTW, the approximation of DTW that VLN-CE and its descendants report by default.

Only for numbers that are compared with theirs; ``fidelity.dtw_of_points`` is exact and faster.
Source: Salvador and Chan 2007, Toward accurate dynamic time warping in linear time and space.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_UP, _LEFT, _DIAGONAL = range(3)
"""From which pair a pair is reached: of the pose before, the reference before, or both."""

Points = NDArray[np.float64]
Window = list[tuple[int, int]]
"""Of each pose of a path the first and the last pose of the reference it may be paired with."""


def fastdtw_of_points(path_m: Points, reference_m: Points, radius: int = 1) -> float:
    """Approximate cost of the best warping of a path onto its reference.

    Never below the exact cost. Of equally cheap steps the one along the path is taken, then the one
    along the reference, then the diagonal: what is approximated at a finer level depends on it.

    Args:
        path_m: (N, D) metres, N ≥ 1.
        reference_m: (M, D) metres, M ≥ 1.
        radius: By how many pairs the warping of half as many poses may be left.
    """
    return _approximated(path_m, reference_m, radius)[0]


def _approximated(path_m: Points, reference_m: Points, radius: int) -> tuple[float, Window]:
    rows, columns = len(path_m), len(reference_m)
    if min(rows, columns) < radius + 2:
        return _warped(path_m, reference_m, [(0, columns - 1)] * rows)
    _, coarse = _approximated(_halved(path_m), _halved(reference_m), radius)
    return _warped(path_m, reference_m, _window(coarse, rows, columns, radius))


def _halved(points_m: Points) -> Points:
    """Middles of pairs; a last pose without a partner is left out."""
    even = len(points_m) - len(points_m) % 2
    middles: Points = (points_m[:even:2] + points_m[1:even:2]) / 2
    return middles


def _window(coarse: Window, rows: int, columns: int, radius: int) -> Window:
    """What lies at most a radius from the pairs of a coarse warping, at twice as many poses."""
    window = []
    for row in range(rows):
        near = coarse[max(0, row // 2 - radius) : row // 2 + radius + 1]
        first, last = 2 * (near[0][0] - radius), 2 * (near[-1][1] + radius) + 1
        window.append((max(0, first), min(columns - 1, last)))
    return window


def _gaps(path_m: Points, reference_m: Points, window: Window) -> list[float]:
    """Straight lines between all pairs of a window, row by row, metres."""
    firsts, lasts = np.array(window).T
    counts = lasts - firsts + 1
    rows = np.repeat(np.arange(len(window)), counts)
    begins = np.cumsum(counts) - counts
    columns = np.arange(counts.sum()) - np.repeat(begins - firsts, counts)
    gaps = path_m[rows] - reference_m[columns]
    found: list[float] = np.sqrt((gaps**2).sum(axis=1)).tolist()
    return found


def _warped(path_m: Points, reference_m: Points, window: Window) -> tuple[float, Window]:
    """The best warping inside a window: its cost, and of each pose which it is paired with."""
    gaps_m = iter(_gaps(path_m, reference_m, window))
    steps: list[list[int]] = []
    above = [0.0]
    above_first = -1
    for first, last in window:
        here: list[float] = []
        taken: list[int] = []
        left = math.inf
        for column in range(first, last + 1):
            gap_m = next(gaps_m)
            place = column - above_first
            up = above[place] + gap_m if 0 <= place < len(above) and above_first >= 0 else math.inf
            diagonal = above[place - 1] + gap_m if 1 <= place <= len(above) else math.inf
            left += gap_m
            best, step = (up, _UP) if up <= left else (left, _LEFT)
            if diagonal < best:
                best, step = diagonal, _DIAGONAL
            here.append(best)
            taken.append(step)
            left = best
        steps.append(taken)
        above, above_first = here, first
    return above[-1], _traced(window, steps)


def _traced(window: Window, steps: list[list[int]]) -> Window:
    row, column = len(window) - 1, window[-1][1]
    pairs = [(column, column)] * len(window)
    last = column
    while row >= 0:
        step = steps[row][column - window[row][0]]
        if step == _LEFT:
            column -= 1
            continue
        pairs[row] = (column, last)
        row -= 1
        column -= step == _DIAGONAL
        last = column
    return pairs
