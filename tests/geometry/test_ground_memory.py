"""What the ground of a window takes: it has a million spans, and a process has 500 MB for it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from waypost.geometry.measuring.ground_flood import StepLimits, Surfaces, all_steps, flood
from waypost.geometry.measuring.height_field import Grid, build_field

T = TypeVar("T")

LIMITS = StepLimits(up_m=0.02, down_m=0.05, height_m=1.2, gap_m=0.07)
TILE_M = 0.1
TILES = 80


@pytest.fixture
def floor() -> NDArray[np.float64]:
    """(N, 3, 3) two triangles for each tile of a level floor."""
    j, i = np.mgrid[:TILES, :TILES].reshape(2, -1, 1)
    halves = [[(0, 0), (1, 0), (0, 1)], [(1, 1), (0, 1), (1, 0)]]
    corners = [[np.hstack([i + x, j + y, 0 * i]) for x, y in half] for half in halves]
    return np.concatenate([np.stack(half, axis=1) for half in corners]) * TILE_M


def test_a_span_takes_few_bytes_and_not_many_more_while_its_ground_is_found(
    floor: NDArray[np.float64],
) -> None:
    side_m = TILES * TILE_M
    seen = []

    def watched(make: Callable[[], T]) -> T:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        made = make()
        after, most = tracemalloc.get_traced_memory()
        seen.append((after - before, most - before))
        return made

    tracemalloc.start()
    try:
        field = watched(lambda: build_field(floor, Grid.over((0, 0, side_m, side_m), 0.02)))
        surfaces = watched(lambda: Surfaces.of(field, LIMITS.height_m))
        steps = watched(lambda: all_steps(surfaces, LIMITS, (-1.0, 1.0)))
        sheet = watched(lambda: flood(steps, 0))
    finally:
        tracemalloc.stop()
    # Two halves of a tile share the cells along their side.
    count = len(field.cell)
    assert len(surfaces) == sheet.reached.sum() == 160_000 < count < 300_000
    kept, most = np.transpose(seen) / count
    # With numbers of 64 bits and the intermediate results kept: 49, 21, 30 and 61 bytes,
    # and up to 113, 48, 86 and 141 on the way.
    assert (kept < [45, 15, 33, 70]).all(), kept
    assert (most < [80, 42, 75, 125]).all(), most
