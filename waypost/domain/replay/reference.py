"""Whether each step still follows the reference, and where it was left first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BLOCK = 2048


def follow_viewpoints(walked: Sequence[str], reference: Sequence[str]) -> list[bool]:
    """Whether each viewpoint walked to follows a reference path, turns in place not counted.

    A pointer stands at the furthest reference viewpoint reached in order. A step is on the
    reference if it stays at the pointer or goes on to the next viewpoint of the reference. Going
    back, going elsewhere, skipping ahead and walking on beyond the end are off. After an
    excursion, a step back onto the pointer or anywhere further along the reference is on again.

    Args:
        walked: Viewpoint of every step.
        reference: Viewpoints to follow, at least one.

    Returns:
        One flag per step.
    """
    return [at is not None for at in reference_pointers(walked, reference)]


def reference_pointers(walked: Sequence[str], reference: Sequence[str]) -> list[int | None]:
    """Where on the reference each viewpoint walked to stands; see ``follow_viewpoints``.

    Args:
        walked: Viewpoint of every step.
        reference: Viewpoints to follow, at least one.

    Returns:
        Per step an index into the reference (the last of equal ones in a row), ``None`` off it.
    """
    ends = [
        i for i, name in enumerate(reference) if i + 1 == len(reference) or reference[i + 1] != name
    ]
    wanted = [reference[end] for end in ends]
    found: list[int | None] = []
    pointer, was_on = -1, True
    for step, name in enumerate(walked):
        if step and walked[step - 1] == name:
            found.append(ends[max(pointer, 0)] if was_on else None)
            continue
        if pointer + 1 < len(wanted) and wanted[pointer + 1] == name:
            pointer, is_on = pointer + 1, True
        else:
            ahead = _next_index(wanted, name, max(pointer, 0))
            is_on = ahead is not None and not was_on
            pointer = pointer if ahead is None else ahead
        was_on = is_on
        found.append(ends[pointer] if is_on else None)
    return found


def _next_index(names: list[str], name: str, start: int) -> int | None:
    try:
        return names.index(name, start)
    except ValueError:
        return None


def follow_line(
    positions_m: NDArray[np.float64],
    reference_m: NDArray[np.float64],
    tolerance_m: float,
    storey_m: float,
) -> NDArray[np.bool_]:
    """(N,) whether each pose lies within a tolerance of the line through a reference.

    Args:
        positions_m: (N, 3) metres, scene frame; heights relative to the first pose.
        reference_m: (M, 3) metres, M ≥ 1, heights relative to its first point.
        tolerance_m: Greatest distance in plan.
        storey_m: Least height difference to the nearest point that puts a pose off the line.
    """
    starts = reference_m[:-1] if len(reference_m) > 1 else reference_m
    spans = np.diff(reference_m, axis=0) if len(reference_m) > 1 else np.zeros((1, 3))
    squared = (spans[:, :2] ** 2).sum(axis=1)
    divisor = np.where(squared > 0, squared, 1.0)
    flags = np.empty(len(positions_m), dtype=bool)
    for at in range(0, len(positions_m), _BLOCK):
        block = positions_m[at : at + _BLOCK]
        gaps = block[:, None] - starts[None]
        along = np.clip((gaps[..., :2] * spans[:, :2]).sum(axis=2) / divisor, 0.0, 1.0)
        away = gaps - along[..., None] * spans
        is_near = np.hypot(away[..., 0], away[..., 1]) <= tolerance_m
        flags[at : at + _BLOCK] = (is_near & (np.abs(away[..., 2]) < storey_m)).any(axis=1)
    return flags


def nearest_in_order(positions_m: NDArray[np.float64], points_m: NDArray[np.float64]) -> list[int]:
    """The point of a reference that each pose of a run through space is at, never going back.

    A pose is at the next point as soon as that is nearer than the one reached before.

    Args:
        positions_m: (N, 3) metres, heights relative to the first pose.
        points_m: (M, 3) metres, M ≥ 1, heights relative to the first point.

    Returns:
        Per pose an index into the points.
    """
    found: list[int] = []
    pointer = 0
    for at in range(0, len(positions_m), _BLOCK):
        block = positions_m[at : at + _BLOCK]
        for gaps in np.linalg.norm(block[:, None] - points_m[None], axis=2).tolist():
            while pointer + 1 < len(gaps) and gaps[pointer + 1] < gaps[pointer]:
                pointer += 1
            found.append(pointer)
    return found


def first_false(flags: Sequence[bool] | NDArray[np.bool_] | None) -> int | None:
    """Index of the first False; ``None`` if there is none or nothing is known."""
    if flags is None or not len(flags):
        return None
    array = np.asarray(flags, dtype=bool)
    return None if array.all() else int(array.argmin())
