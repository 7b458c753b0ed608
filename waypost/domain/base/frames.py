"""Every coordinate and heading convention Waypost meets, and the way into the scene frame.

The canonical **scene frame** is Z up, right-handed, metres; yaw 0 = +X, counter-clockwise,
radians; quaternions (w, x, y, z). It is the frame of USD scenes in Isaac Sim.

Matrices are named right to left: ``scene_from_gltf @ point_in_gltf`` is a point in the scene.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Vec3 = tuple[float, float, float]
"""A point or direction: x, y, z; metres in the scene frame unless said otherwise."""

FARTHEST_M: Final = 1e8
"""A coordinate further from zero than this, 100,000 km, is of no place: it is damaged."""

TOO_FAR: Final = f"more than {FARTHEST_M / 1000:,.0f} km from zero, which is no place"

Matrix3 = NDArray[np.float64]


def vec3(values: Any) -> Vec3:
    """The first three numbers of an array or list as a point."""
    return (float(values[0]), float(values[1]), float(values[2]))


def between(start: Vec3, end: Vec3, share: float) -> Vec3:
    """The point at a share of the way."""
    x, y, z = (a + (b - a) * share for a, b in zip(start, end, strict=True))
    return (x, y, z)


def _matrix(rows: list[list[float]]) -> Matrix3:
    matrix = np.asarray(rows, dtype=np.float64)
    matrix.flags.writeable = False
    return matrix


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A named coordinate convention of positions."""

    key: str
    """The word used on the command line and in exports."""

    title: str
    """One line for people."""

    scene_from_frame: Matrix3
    """(3, 3) signed permutation; determinant −1 for a left-handed frame. Read-only."""

    @property
    def is_left_handed(self) -> bool:
        """Whether the frame mirrors the scene frame."""
        return bool(np.linalg.det(self.scene_from_frame) < 0)

    def to_scene(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert (N, 3) or (3,) points of this frame into the scene frame."""
        return np.asarray(points, dtype=np.float64) @ self.scene_from_frame.T

    def from_scene(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert (N, 3) or (3,) points of the scene frame into this frame, exactly."""
        return np.asarray(points, dtype=np.float64) @ self.scene_from_frame


SCENE: Final = Frame(
    "scene", "scene frame: Z up, right-handed", _matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
)
GLTF: Final = Frame(
    "gltf",
    "glTF and Habitat: Y up, right-handed, forward −Z",
    _matrix([[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
)
CAPNAV: Final = Frame(
    "capnav",
    "CapNav annotator: Y up, left-handed, X mirrored",
    _matrix([[-1, 0, 0], [0, 0, -1], [0, 1, 0]]),
)
CAPNAV_SWAPPED: Final = Frame(
    "capnav-swapped",
    "CapNav annotator with “Swap Y-Z” on: left-handed",
    _matrix([[-1, 0, 0], [0, -1, 0], [0, 0, -1]]),
)

FRAMES: Final = MappingProxyType(
    {frame.key: frame for frame in (SCENE, GLTF, CAPNAV, CAPNAV_SWAPPED)}
)
"""All position frames by key (FORMATS.md §0; the CapNav pair: Babylon.js mirrors X)."""


def wrap_to_pi(angle_rad: float) -> float:
    """The same direction as an angle in (−π, π]."""
    wrapped = math.remainder(angle_rad, math.tau)
    return math.pi if wrapped == -math.pi else wrapped


def wrap_to_tau(angle_rad: float) -> float:
    """The same direction as an angle in [0, 2π)."""
    # The rest of a tiny negative angle is rounded up to 2π itself.
    wrapped = angle_rad % math.tau
    return 0.0 if wrapped == math.tau else wrapped


def yaw_from_r2r_heading(heading_rad: float) -> float:
    """Scene yaw of an R2R heading (0 = +Y, clockwise seen from above)."""
    return wrap_to_pi(math.pi / 2 - heading_rad)


def r2r_heading_from_yaw(yaw_rad: float) -> float:
    """R2R heading in [0, 2π) of a scene yaw."""
    return wrap_to_tau(math.pi / 2 - yaw_rad)


def bearing_rad(start: Vec3, end: Vec3) -> float:
    """Scene yaw that faces ``end`` from ``start``; 0 when they coincide in plan."""
    return math.atan2(end[1] - start[1], end[0] - start[0])


def quaternion_from_yaw(yaw_rad: float) -> tuple[float, float, float, float]:
    """Unit quaternion (w, x, y, z) of a rotation by ``yaw_rad`` about +Z."""
    return (math.cos(yaw_rad / 2), 0.0, 0.0, math.sin(yaw_rad / 2))


def yaw_from_quaternion(w: float, x: float, y: float, z: float) -> float:
    """Yaw about +Z of a unit quaternion (w, x, y, z), in (−π, π]."""
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def habitat_yaw_from_yaw(yaw_rad: float) -> float:
    """Habitat yaw (0 = −Z, counter-clockwise about +Y) in (−π, π] of a scene yaw."""
    return wrap_to_pi(yaw_rad - math.pi / 2)


def habitat_quaternion_from_yaw(yaw_rad: float) -> tuple[float, float, float, float]:
    """Unit quaternion (x, y, z, w) about Habitat's +Y of a scene yaw."""
    half = habitat_yaw_from_yaw(yaw_rad) / 2
    return (0.0, math.sin(half), 0.0, math.cos(half))


def distance_m(a: Vec3, b: Vec3) -> float:
    """Straight-line distance between two points, metres."""
    return math.dist(a, b)
