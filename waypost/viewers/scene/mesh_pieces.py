"""Cuts the triangles of a draw call into pieces of one place, so that unseen ones can be left out.

A piece is left out if its box lies outside the view or above the cut: what is drawn is the same to
the pixel, because the order of the others stays. The nearest pieces of a batch come first, so that
what they hide need not be lit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.viewers.scene.frame_state import FrameState

PIECE_TRIANGLES: Final = 8192
"""Drawn in one call. Smaller pieces cost more in calls than they save in triangles."""

_CELLS: Final = 32
"""Along each axis; their numbers fit 15 bits, which numpy sorts in linear time."""

_SAMPLES: Final = 4096
_BULK_PERCENT: Final = (1.0, 99.0)
"""The cells cover the bulk of a batch: a vertex far away must not put all else into one cell."""

_SCATTERED: Final = 4.0
"""Triangles are scattered if the boxes of the pieces have more area than this times all of it."""

_ROUNDING: Final = 1e-5
"""Of a clip coordinate relative to its summands, which the card computes in 32 bits."""


@dataclass(frozen=True, eq=False, slots=True)
class PieceBounds:
    """Boxes around every ``PIECE_TRIANGLES`` triangles of a batch, relative to the origin."""

    low: NDArray[np.float32]
    """(P, 3)."""

    high: NDArray[np.float32]
    """(P, 3)."""

    @property
    def around(self) -> PieceBounds:
        """One box around all."""
        return PieceBounds(self.low.min(axis=0)[None], self.high.max(axis=0)[None])

    @staticmethod
    def joined(parts: list[PieceBounds]) -> PieceBounds:
        """The boxes of several batches, one after the other."""
        if not parts:
            return PieceBounds(np.empty((0, 3), np.float32), np.empty((0, 3), np.float32))
        return PieceBounds(
            np.concatenate([part.low for part in parts]),
            np.concatenate([part.high for part in parts]),
        )


def cut_to_pieces(
    indices: NDArray[np.uint32], positions: NDArray[np.float32], *, may_sort: bool
) -> tuple[NDArray[np.uint32], PieceBounds]:
    """The triangles of a batch piece by piece, and the boxes of the pieces.

    Triangles that lie scattered in their file are sorted by place.

    Args:
        indices: (3 F,) into the positions, at least one triangle.
        positions: (V, 3).
        may_sort: Whether the order of the triangles may change.
    """
    columns = [np.ascontiguousarray(positions[:, axis]) for axis in range(3)]
    bounds = _bounds_of(indices, columns)
    if not may_sort or _summed_area(bounds) <= _SCATTERED * _summed_area(bounds.around):
        return indices, bounds
    indices = _sorted_by_place(indices, columns)
    return indices, _bounds_of(indices, columns)


def _sorted_by_place(
    indices: NDArray[np.uint32], columns: Sequence[NDArray[np.float32]]
) -> NDArray[np.uint32]:
    """The same triangles along a curve through the cells of a grid, by their first corners."""
    triangles = indices.reshape(-1, 3)
    first = np.ascontiguousarray(triangles[:, 0])
    sample = first[:: max(1, len(first) // _SAMPLES)]
    keys = np.zeros(len(first), dtype=np.uint16)
    for axis, column in enumerate(columns):
        low, high = np.percentile(column[sample], _BULK_PERCENT).astype(np.float32)
        scale = np.float32(_CELLS) / max(high - low, np.float32(1e-6))
        cells = np.clip((column - low) * scale, 0, _CELLS - 1).astype(np.uint8)
        keys |= (_SPREAD[cells] << axis)[first]
    order = np.argsort(keys, kind="stable")
    return np.take(triangles, order, axis=0).ravel()


def _bounds_of(indices: NDArray[np.uint32], columns: Sequence[NDArray[np.float32]]) -> PieceBounds:
    piece = PIECE_TRIANGLES * 3
    whole = len(indices) // piece * piece
    low = np.empty((-(-len(indices) // piece), 3), dtype=np.float32)
    high = np.empty_like(low)
    for axis, column in enumerate(columns):
        corners = np.take(column, indices)
        full = corners[:whole].reshape(-1, piece)
        low[: len(full), axis], high[: len(full), axis] = full.min(axis=1), full.max(axis=1)
        if whole < len(corners):
            low[-1, axis], high[-1, axis] = corners[whole:].min(), corners[whole:].max()
    return PieceBounds(low, high)


def _summed_area(bounds: PieceBounds) -> float:
    """Of three sides of each box."""
    x, y, z = (bounds.high.astype(np.float64) - bounds.low).T
    return float((x * y + y * z + z * x).sum())


def seen_pieces(bounds: PieceBounds, frame: FrameState) -> NDArray[np.bool_]:
    """(P,) whether something of a piece may be seen; never false for what is.

    Args:
        bounds: Of the pieces.
        frame: Its lens and its cut.
    """
    matrix = frame.clip_from_local.astype(np.float64)
    middle = (bounds.low.astype(np.float64) + bounds.high) / 2
    half = (bounds.high.astype(np.float64) - bounds.low) / 2
    is_seen = bounds.low[:, 2] <= frame.cut_z
    for axis in range(3):
        for side in (-1.0, 1.0):
            # Inside is where w ± x, y, z is not below zero.
            plane = matrix[:, 3] + side * matrix[:, axis]
            size = np.abs(matrix[:, 3]) + np.abs(matrix[:, axis])
            nearest = middle @ plane[:3] + half @ np.abs(plane[:3]) + plane[3]
            slack = (np.abs(middle) + half) @ size[:3] + size[3]
            is_seen &= nearest >= -_ROUNDING * slack
    return is_seen


def nearest_first(
    numbers: NDArray[np.intp], bounds: PieceBounds, batch_of: NDArray[np.intp], frame: FrameState
) -> NDArray[np.intp]:
    """The same pieces in the order in which they are drawn.

    Batches keep their order: where surfaces of two looks coincide, the same one is always seen.

    Args:
        numbers: Of the pieces that are drawn.
        bounds: Of all pieces.
        batch_of: (P,) the number of the batch of each piece; below zero where its pieces keep
            their order.
        frame: Where the eye is.
    """
    low, high = bounds.low[numbers], bounds.high[numbers]
    if frame.is_parallel:
        nearest = np.minimum(low * frame.forward, high * frame.forward).sum(axis=1)
    else:
        nearest = np.linalg.norm(np.clip(frame.eye, low, high) - frame.eye, axis=1)
    nearest[batch_of[numbers] < 0] = 0.0
    return numbers[np.lexsort((nearest, np.abs(batch_of[numbers])))]


def _spread_bits() -> NDArray[np.uint16]:
    """(_CELLS,) each number with two zeros between its bits."""
    numbers = np.arange(_CELLS, dtype=np.uint16)
    spread = np.zeros(_CELLS, dtype=np.uint16)
    for bit in range(5):
        spread |= (numbers >> bit & 1) << (3 * bit)
    return spread


_SPREAD: Final = _spread_bits()
