"""Where a run stood at each step, as numbered places, so that revisits can be counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BLOCK = 256


def places_of_viewpoints(viewpoint_ids: Sequence[str]) -> NDArray[np.int64]:
    """(N,) number of each viewpoint, in the order of first visits."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in viewpoint_ids], dtype=np.int64)


def places_of_positions(
    positions_m: NDArray[np.float64], radius_m: float, storey_m: float
) -> NDArray[np.int64]:
    """(N,) number of the place at each pose of a run through continuous space.

    A place is a disc around the pose at which it was first entered. The agent leaves it only by
    moving more than the radius away from its centre (or to another storey); it is then in the
    nearest known place whose disc holds it, or else in a new one. So standing, turning and
    trembling at a border never count as a revisit.

    Args:
        positions_m: (N, 3) metres, scene frame.
        radius_m: Of the disc, in plan.
        storey_m: Height difference that makes it another place.
    """
    places = np.zeros(len(positions_m), dtype=np.int64)
    if not len(positions_m):
        return places
    centres = [positions_m[0]]
    here, at = 0, 0
    while at < len(positions_m):
        end = _first_outside(positions_m, at, centres[here], radius_m, storey_m)
        places[at:end] = here
        if end == len(positions_m):
            break
        here = _place_at(positions_m[end], centres, radius_m, storey_m)
        at = end
    return places


def _first_outside(
    positions_m: NDArray[np.float64],
    start: int,
    centre: NDArray[np.float64],
    radius_m: float,
    storey_m: float,
) -> int:
    for at in range(start, len(positions_m), _BLOCK):
        gaps = positions_m[at : at + _BLOCK] - centre
        is_out = (np.hypot(gaps[:, 0], gaps[:, 1]) > radius_m) | (np.abs(gaps[:, 2]) >= storey_m)
        if is_out.any():
            return at + int(is_out.argmax())
    return len(positions_m)


def _place_at(
    point_m: NDArray[np.float64],
    centres: list[NDArray[np.float64]],
    radius_m: float,
    storey_m: float,
) -> int:
    gaps = np.array(centres) - point_m
    away = np.hypot(gaps[:, 0], gaps[:, 1])
    away[np.abs(gaps[:, 2]) >= storey_m] = np.inf
    nearest = int(away.argmin())
    if away[nearest] <= radius_m:
        return nearest
    centres.append(point_m)
    return len(centres) - 1


def is_arrival(places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(N,) whether a step comes from another place; the start arrives, turns in place do not."""
    return np.concatenate((np.ones(min(1, len(places)), bool), places[1:] != places[:-1]))


def visit_numbers(places: NDArray[np.int64], arrives: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(N,) the how many-th visit to its place each step belongs to; 1 is the first."""
    if not len(places):
        return np.zeros(0, dtype=np.int64)
    arrived = np.flatnonzero(arrives)
    visited = places[arrived]
    order = np.argsort(visited, kind="stable")
    is_new = np.concatenate(([True], np.diff(visited[order]) != 0))
    first = np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))
    counts = np.empty(len(order), dtype=np.int64)
    counts[order] = np.arange(len(order)) - first + 1
    return np.asarray(counts[np.cumsum(arrives) - 1])
