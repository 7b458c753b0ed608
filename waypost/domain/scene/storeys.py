"""Which storeys a plan has, and which of them a height belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

STOREY_APART_M: Final = 2.0
"""Storeys are at least so far apart; what lies between is a landing or a split level."""

_ALIKE_M: Final = 0.5
_BELOW_FLOOR_M: Final = 0.5
"""What stands this little below the floor of a storey still belongs to it."""


@dataclass(frozen=True, slots=True)
class Storeys:
    """Storeys from the lowest up; there is at least one."""

    levels_m: tuple[float, ...]
    """Floors of a scene, or the heights at which most of a graph's viewpoints or poses lie."""

    are_floors: bool = False
    """Whether the levels are floors, above which everything up to the next one belongs to them."""

    def index_of(self, height_m: float) -> int:
        """The storey of a height; of unknown ones (NaN) the lowest."""
        if not self.are_floors:
            gaps = [abs(level - height_m) for level in self.levels_m]
            return gaps.index(min(gaps))
        below = [i for i, floor in enumerate(self.levels_m) if floor <= height_m + _BELOW_FLOOR_M]
        return below[-1] if below else 0

    def indices_of(self, heights_m: NDArray[np.float64]) -> NDArray[np.int64]:
        """(N,) the storey of each height."""
        levels = np.array(self.levels_m)
        if self.are_floors:
            found = np.searchsorted(levels, heights_m + _BELOW_FLOOR_M, side="right") - 1
            found[np.isnan(heights_m)] = 0
            return np.maximum(found, 0).astype(np.int64)
        gaps = np.abs(np.nan_to_num(heights_m, nan=-np.inf)[:, None] - levels[None])
        return np.asarray(gaps.argmin(axis=1), dtype=np.int64)

    def title(self, index: int) -> str:
        """As people read it: ``storey 2 of 3 (2.9 m)``."""
        height = self.levels_m[index]
        return f"storey {index + 1} of {len(self.levels_m)} ({height:.1f} m)"


def storeys_of_floors(floors_m: Iterable[float]) -> Storeys:
    """The storeys of a scene; one at 0 if there are none."""
    return Storeys(tuple(sorted(set(floors_m))) or (0.0,), are_floors=True)


def storeys_of_heights(heights_m: NDArray[np.float64]) -> Storeys:
    """The storeys that viewpoints or poses lie on.

    The height that most others are close to is a storey, then the next, and so on, as long as
    it is ``STOREY_APART_M`` away from those found: stairs in between are no storey.

    Args:
        heights_m: (N,) NaN where unknown.

    Returns:
        At least one storey, at 0 where nothing is known.
    """
    known = np.sort(heights_m[np.isfinite(heights_m)])
    if not len(known):
        return Storeys((0.0,))
    values, counts = np.unique(np.round(known, 1), return_counts=True)
    before = np.concatenate(([0], np.cumsum(counts)))
    low = np.searchsorted(values, values - _ALIKE_M - 1e-9)
    high = np.searchsorted(values, values + _ALIKE_M + 1e-9, side="right")
    crowd = before[high] - before[low]
    levels: list[float] = []
    for place in np.lexsort((values, -counts, -crowd)):
        if all(abs(values[place] - level) >= STOREY_APART_M for level in levels):
            levels.append(float(values[place]))
    return Storeys(tuple(sorted(levels)))
