"""Whether one can walk from a surface down to the floor of a storey, as furniture does not let."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Storey

STOREY_TOLERANCE_M: Final = 0.25
"""A surface this near to a storey's height belongs to its floor: sills, rugs, low kerbs."""

MAX_RISER_M: Final = 0.25
"""Building codes allow less; furniture is higher."""

_STRIDE_M: Final = 0.2
_STRIDES: Final = 15
_DIRECTIONS: Final = 16
_WALKS: Final = 8


class ManyRays(Protocol):
    """The rays that this needs; ``RayIndex`` has them."""

    def first_hit_distances(
        self, origins: NDArray[np.float64], directions: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Distances along (N, 3) rays, metres; infinite where nothing is hit."""


def is_floor(point_m: Vec3, rays: ManyRays, storeys: Sequence[Storey]) -> bool:
    """Whether one can walk from a surface down to a storey's floor, over steps of ≤ 0.25 m.

    That is true of floors, stairs, landings and ramps, and false of tables, beds and roofs.
    Where no storeys are known every upward surface counts.
    """
    if not storeys:
        return True
    x, y, z = point_m
    for _ in range(_WALKS):
        if any(abs(z - s.floor_z_m) <= STOREY_TOLERANCE_M for s in storeys):
            return True
        lower = _lowest_straight_walk((x, y, z), rays)
        if lower[2] > z - 0.02:
            return False
        x, y, z = lower
    return False


def drops_m(origins: NDArray[np.float64], rays: ManyRays) -> NDArray[np.float64]:
    """(N,) metres from (N, 3) places straight down to what is there; infinite for nothing."""
    down = np.broadcast_to(np.array([0.0, 0.0, -1.0]), origins.shape)
    return rays.first_hit_distances(origins, np.ascontiguousarray(down))


def _lowest_straight_walk(start: Vec3, rays: ManyRays) -> Vec3:
    """The lowest point reached on straight ways out of ``start`` before a step is too high."""
    angles = np.arange(_DIRECTIONS) * (2 * math.pi / _DIRECTIONS)
    away = np.column_stack([np.cos(angles), np.sin(angles)])
    reach = (np.arange(_STRIDES) + 1) * _STRIDE_M
    plan = np.asarray(start[:2]) + away[:, None, :] * reach[None, :, None]
    top = start[2] + MAX_RISER_M
    origins = np.concatenate([plan, np.full((*plan.shape[:2], 1), top)], axis=2)
    heights = top - drops_m(origins.reshape(-1, 3), rays).reshape(plan.shape[:2])
    previous = np.column_stack([np.full(_DIRECTIONS, start[2]), heights[:, :-1]])
    # A missing floor is −inf, and −inf − −inf is nan: neither compares as a small step.
    with np.errstate(invalid="ignore"):
        is_step = np.abs(heights - previous) <= MAX_RISER_M
    is_reached = np.logical_and.accumulate(is_step, axis=1)
    reached = np.where(is_reached, heights, np.inf)
    direction, stride = np.unravel_index(int(np.argmin(reached)), reached.shape)
    if not is_reached[direction, stride]:
        return start
    x, y = plan[direction, stride].tolist()
    return (x, y, float(reached[direction, stride]))
