"""FastDTW, the approximation of DTW that VLN-CE and its descendants report by default.

Only for numbers that are compared with theirs; ``fidelity.dtw_of_points`` is exact and faster.
Source: Salvador and Chan 2007, Toward accurate dynamic time warping in linear time and space.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Cells = list[tuple[int, int]]


class _Reached(NamedTuple):
    """The cheapest way to a pair of poses."""

    cost_m: float
    before: tuple[int, int]


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


def _approximated(path_m: Points, reference_m: Points, radius: int) -> tuple[float, Cells]:
    rows, columns = len(path_m), len(reference_m)
    if min(rows, columns) < radius + 2:
        every = [(i, j) for i in range(rows) for j in range(columns)]
        return _warped(path_m, reference_m, every)
    _, coarse = _approximated(_halved(path_m), _halved(reference_m), radius)
    return _warped(path_m, reference_m, _window(coarse, rows, columns, radius))


def _halved(points_m: Points) -> Points:
    """Middles of pairs; a last pose without a partner is left out."""
    even = len(points_m) - len(points_m) % 2
    middles: Points = (points_m[:even:2] + points_m[1:even:2]) / 2
    return middles


def _window(coarse: Cells, rows: int, columns: int, radius: int) -> Cells:
    """The pairs near a coarse warping: of each row one run without gaps, from its first pair on."""
    near = range(-radius, radius + 1)
    wide = {(i + a, j + b) for i, j in coarse for a in near for b in near}
    fine = {(2 * i + a, 2 * j + b) for i, j in wide for a in (0, 1) for b in (0, 1)}
    cells: Cells = []
    begin = 0
    for row in range(rows):
        found = next((j for j in range(begin, columns) if (row, j) in fine), None)
        if found is None:
            break
        begin = end = found
        while end < columns and (row, end) in fine:
            cells.append((row, end))
            end += 1
    return cells


def _warped(path_m: Points, reference_m: Points, cells: Cells) -> tuple[float, Cells]:
    """The best warping inside a window: its cost and its pairs."""
    places = np.array(cells)
    gaps = path_m[places[:, 0]] - reference_m[places[:, 1]]
    gaps_m = np.sqrt((gaps**2).sum(axis=1)).tolist()
    start = (-1, -1)
    nothing = _Reached(float("inf"), start)
    reached = {start: _Reached(0.0, start)}
    for (i, j), gap_m in zip(cells, gaps_m, strict=True):
        steps = ((i - 1, j), (i, j - 1), (i - 1, j - 1))
        reached[i, j] = min(
            (_Reached(reached.get(step, nothing).cost_m + gap_m, step) for step in steps),
            key=lambda found: found.cost_m,
        )
    warping: Cells = []
    here = (len(path_m) - 1, len(reference_m) - 1)
    while here != start:
        warping.append(here)
        here = reached[here].before
    return reached[len(path_m) - 1, len(reference_m) - 1].cost_m, warping[::-1]
