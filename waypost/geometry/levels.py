"""How much area a set of triangles has square to an axis, and where: the evidence for floors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import Mesh

_LEVEL_COSINE = 0.8


@dataclass(frozen=True, eq=False, slots=True)
class Facets:
    """Position, direction and area of triangles."""

    centres: NDArray[np.float32]
    """(N, 3) in the frame of the vertices."""

    normals: NDArray[np.float32]
    """(N, 3) unit vectors."""

    areas: NDArray[np.float32]
    """(N,) square metres, above zero."""

    def square_to(
        self, axis: int, *, one_sided: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Triangles whose plane is square to an axis, within 37°: scanned floors are rough.

        Args:
            axis: 0, 1 or 2.
            one_sided: Count only triangles that face the positive direction.

        Returns:
            (M,) coordinates of their centres along the axis and (M,) areas.
        """
        along = self.normals[:, axis] if one_sided else np.abs(self.normals[:, axis])
        chosen = along > _LEVEL_COSINE
        return (
            self.centres[chosen, axis].astype(np.float64),
            self.areas[chosen].astype(np.float64),
        )


def measure_facets(meshes: Sequence[Mesh]) -> Facets:
    """Measure every triangle that has an area, but those of stray meshes."""
    counted = [mesh for mesh in meshes if len(mesh.faces) and not mesh.is_stray]
    if not counted:
        nothing = np.zeros((0, 3), dtype=np.float32)
        return Facets(nothing, nothing, np.zeros(0, dtype=np.float32))
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in counted)])
    faces = [mesh.faces + start for mesh, start in zip(counted, starts, strict=False)]
    return _measured(np.concatenate([mesh.vertices for mesh in counted]), np.concatenate(faces))


def _measured(vertices: NDArray[np.float32], faces: NDArray[np.intp]) -> Facets:
    # Column by column: numpy is several times slower along rows of three.
    columns = [np.ascontiguousarray(vertices[:, axis]) for axis in range(3)]
    corners = [np.ascontiguousarray(faces[:, corner]) for corner in range(3)]
    a, b, c = ([np.take(column, corner) for column in columns] for corner in corners)
    x, y, z = (end - start for end, start in zip(b, a, strict=True))
    u, v, w = (end - start for end, start in zip(c, a, strict=True))
    cross = np.stack([y * w - z * v, z * u - x * w, x * v - y * u])
    lengths = np.sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2])
    is_real = lengths > 0
    cross, lengths = cross[:, is_real], lengths[is_real]
    sums = [one + two + three for one, two, three in zip(a, b, c, strict=True)]
    centres = np.stack(sums)[:, is_real]
    centres /= np.float32(3)
    return Facets(centres.T, (cross / lengths).T, lengths / np.float32(2))


def histogram(
    values: NDArray[np.float64], weights: NDArray[np.float64], width: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum of weights in the bins of one width that are not empty.

    Returns:
        (B,) lower ends of the bins, ascending, and (B,) the sums.
    """
    if not len(values):
        return np.zeros(0), np.zeros(0)
    # half a bin of margin keeps coplanar floors from being split by rounding
    low = float(values.min()) - width / 2
    bins, places = np.unique(np.floor((values - low) / width), return_inverse=True)
    return low + bins * width, np.bincount(places, weights).astype(np.float64)
