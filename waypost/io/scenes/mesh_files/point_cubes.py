"""Points of a scan as coloured cubes, so that they can be seen in any view."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.io.scenes.format import SourceMesh

_FINEST_M: Final = 0.02
_MOST_CUBES: Final = 400_000

_CORNERS: Final = np.array(
    [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=np.int64
)
_SIDES: Final = (
    ((-1, 0, 0), (0, 4, 6, 2)),
    ((1, 0, 0), (1, 3, 7, 5)),
    ((0, -1, 0), (0, 1, 5, 4)),
    ((0, 1, 0), (2, 6, 7, 3)),
    ((0, 0, -1), (0, 2, 3, 1)),
    ((0, 0, 1), (4, 5, 7, 6)),
)
"""Where a neighbour lies, and the corners of the side towards it, seen from there."""


def cubes_of_points(
    name: str, points: NDArray[np.float64], colors: NDArray[np.uint8] | None
) -> tuple[SourceMesh, float]:
    """The outer sides of the cells of a grid that hold points; nothing collides with them.

    Args:
        name: Of the mesh.
        points: (N, 3); those that are no numbers are left out.
        colors: (N, 3) sRGB.

    Returns:
        The mesh, and the side of a cube: 0.02, doubled until there are few enough.
    """
    is_number = np.isfinite(points).all(axis=1)
    points = points[is_number]
    low = points.min(axis=0) if len(points) else np.zeros(3)
    side = _FINEST_M
    while True:
        cells = np.floor((points - low) / side).astype(np.int64)
        keys, first, cell_of = np.unique(_keys(cells), return_index=True, return_inverse=True)
        if len(keys) <= _MOST_CUBES:
            break
        side *= 2
    cells = cells[first]
    cell_colors = None
    if colors is not None:
        counts = np.bincount(cell_of, minlength=len(keys))
        sums = [np.bincount(cell_of, colors[is_number, i], len(keys)) for i in range(3)]
        cell_colors = np.rint(np.column_stack(sums) / counts[:, None]).astype(np.uint8)
    corners, rows = [], []
    for towards, around in _SIDES:
        is_outer = ~np.isin(_keys(cells + np.array(towards)), keys)
        corners.append((cells[is_outer][:, None, :] + _CORNERS[list(around)]).reshape(-1, 3))
        rows.append(np.repeat(np.flatnonzero(is_outer), 4))
    vertices = low + np.concatenate(corners) * side
    quads = np.arange(len(vertices)).reshape(-1, 4)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)
    shown = None if cell_colors is None else cell_colors[np.concatenate(rows)]
    return SourceMesh(name, vertices, faces, is_collider=False, colors=shown, is_flat=True), side


def _keys(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number per cell; cells may be one beside those of the points, and 2 million across."""
    return ((cells[:, 0] + 1) << 42) | ((cells[:, 1] + 1) << 21) | (cells[:, 2] + 1)
