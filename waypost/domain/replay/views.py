"""From directions to pixels and back, for every kind of picture taken at a viewpoint.

Directions are unit vectors in the scene frame. Headings here are those of the R2R family: 0 = +Y,
clockwise seen from above, radians; elevations are above the horizon. Pixels are (x, y) with y
down; (0, 0) is the upper left corner of the upper left pixel, so a picture's centre is half its
size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3

Pixel = tuple[float, float]

_ROUNDING: Final = 1e-9
"""So much of a picture's width is no difference."""


class View(Protocol):
    """A picture that knows where directions lie in it."""

    @property
    def width_px(self) -> int:
        """Columns."""

    @property
    def height_px(self) -> int:
        """Rows."""

    def pixel_of(self, direction: Vec3) -> Pixel | None:
        """Where a direction lies; ``None`` where the picture does not show it."""

    def direction_of(self, pixel: Pixel) -> Vec3:
        """The unit direction that a pixel shows."""


def direction_of_angles(heading_rad: float, elevation_rad: float) -> Vec3:
    """The unit direction of a heading and an elevation."""
    level = math.cos(elevation_rad)
    return (
        math.sin(heading_rad) * level,
        math.cos(heading_rad) * level,
        math.sin(elevation_rad),
    )


def angles_of_direction(direction: Vec3) -> tuple[float, float]:
    """Heading in [0, 2π) and elevation of a direction of any length but zero."""
    x, y, z = direction
    return math.atan2(x, y) % math.tau, math.atan2(z, math.hypot(x, y))


def direction_between(start: Vec3, end: Vec3) -> Vec3:
    """The unit direction from one point to another; level and north if they coincide."""
    gap = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    length = math.hypot(*gap)
    return (gap[0] / length, gap[1] / length, gap[2] / length) if length else (0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class PerspectiveView:
    """A pinhole picture: one of four or 36 rendered views, or a frame of a continuous run."""

    heading_rad: float
    elevation_rad: float
    vertical_fov_rad: float
    width_px: int
    height_px: int

    @property
    def focal_px(self) -> float:
        """Distance of the picture plane, pixels."""
        return self.height_px / 2 / math.tan(self.vertical_fov_rad / 2)

    def pixel_of(self, direction: Vec3) -> Pixel | None:
        """Where a direction lies; ``None`` outside the picture or behind it."""
        right, down, forward = (_dot(axis, direction) for axis in self._axes())
        if forward <= 0:
            return None
        x = self.width_px / 2 + self.focal_px * right / forward
        y = self.height_px / 2 + self.focal_px * down / forward
        inside = min(max(x, 0.0), self.width_px), min(max(y, 0.0), self.height_px)
        # What lies on the border of two pictures is in one of them, whatever rounding says.
        return inside if math.dist((x, y), inside) <= _ROUNDING * self.width_px else None

    def direction_of(self, pixel: Pixel) -> Vec3:
        """The unit direction that a pixel shows."""
        right, down, forward = self._axes()
        x = (pixel[0] - self.width_px / 2) / self.focal_px
        y = (pixel[1] - self.height_px / 2) / self.focal_px
        length = math.sqrt(1 + x * x + y * y)
        a, b, c = ((x * right[i] + y * down[i] + forward[i]) / length for i in range(3))
        return a, b, c

    def _axes(self) -> tuple[Vec3, Vec3, Vec3]:
        forward = direction_of_angles(self.heading_rad, self.elevation_rad)
        right = direction_of_angles(self.heading_rad + math.pi / 2, 0.0)
        up = direction_of_angles(self.heading_rad, self.elevation_rad + math.pi / 2)
        return right, (-up[0], -up[1], -up[2]), forward


@dataclass(frozen=True, slots=True)
class EquirectangularView:
    """A whole sphere in one picture: columns are headings, rows are elevations."""

    centre_heading_rad: float
    """Heading of the middle column."""

    width_px: int
    height_px: int

    def pixel_of(self, direction: Vec3) -> Pixel | None:
        """Where a direction lies; never ``None``."""
        heading, elevation = angles_of_direction(direction)
        turn = math.remainder(heading - self.centre_heading_rad, math.tau)
        return (
            (0.5 + turn / math.tau) * self.width_px,
            (0.5 - elevation / math.pi) * self.height_px,
        )

    def direction_of(self, pixel: Pixel) -> Vec3:
        """The unit direction that a pixel shows."""
        turn = (pixel[0] / self.width_px - 0.5) * math.tau
        elevation = (0.5 - pixel[1] / self.height_px) * math.pi
        return direction_of_angles(self.centre_heading_rad + turn, elevation)


@dataclass(frozen=True, eq=False, slots=True)
class SkyboxFace:
    """One of the six square pictures ``skybox0 … skybox5`` of a Matterport3D panorama.

    0 looks up, 1 to 4 look back, left, ahead and right of the pose, 5 looks down: read from how
    MatterSim loads and draws them as the faces of an OpenGL cube map. A direction d stands at
    the cube coordinate −Rᵀd with R the rotation of the pose.
    Source: peteanderson80/Matterport3DSimulator:src/lib/NavGraph.cpp, MatterSim.cpp.
    """

    face: int
    """0 … 5."""

    scene_from_camera: NDArray[np.float64]
    """(3, 3) rotation of the viewpoint's pose: columns right, down, ahead. Read-only."""

    size_px: int

    @property
    def width_px(self) -> int:
        """Columns."""
        return self.size_px

    @property
    def height_px(self) -> int:
        """Rows."""
        return self.size_px

    def pixel_of(self, direction: Vec3) -> Pixel | None:
        """Where a direction lies; ``None`` where another face shows it."""
        cube = -(self.scene_from_camera.T @ np.asarray(direction))
        column, row, ahead = (float(axis @ cube) for axis in _FACES[self.face])
        if ahead <= 0 or max(abs(column), abs(row)) > ahead * (1 + _ROUNDING):
            return None
        half = self.size_px / 2
        return half * (1 + column / ahead), half * (1 + row / ahead)

    def direction_of(self, pixel: Pixel) -> Vec3:
        """The unit direction that a pixel shows."""
        column, row, ahead = _FACES[self.face]
        half = self.size_px / 2
        cube = (pixel[0] / half - 1) * column + (pixel[1] / half - 1) * row + ahead
        x, y, z = -(self.scene_from_camera @ cube) / np.linalg.norm(cube)
        return float(x), float(y), float(z)


def _face(column: Vec3, row: Vec3, ahead: Vec3) -> NDArray[np.float64]:
    axes = np.array((column, row, ahead))
    axes.flags.writeable = False
    return axes


_FACES: Final = (
    _face((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    _face((1, 0, 0), (0, -1, 0), (0, 0, 1)),
    _face((0, 0, -1), (0, -1, 0), (1, 0, 0)),
    _face((-1, 0, 0), (0, -1, 0), (0, 0, -1)),
    _face((0, 0, 1), (0, -1, 0), (-1, 0, 0)),
    _face((1, 0, 0), (0, 0, -1), (0, -1, 0)),
)
"""Column, row and looking direction of each face in cube coordinates (OpenGL cube maps)."""


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
