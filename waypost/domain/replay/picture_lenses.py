"""How pictures of any size were taken, so that one can be resampled from others by direction.

Headings, directions and pixels are those of ``views``. A lens knows no size: the view of
a picture follows once its columns and rows are known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.replay.views import (
    EquirectangularView,
    PerspectiveView,
    SkyboxFace,
    View,
    direction_of_angles,
)

Floats = NDArray[np.float64]

Seen = tuple[Floats, Floats, Floats]
"""Column and row, both as shares of the picture in [0, 1], NaN where a direction is not shown,
and how near the direction is to the middle (1 there); each of the shape of the directions."""

_RIM: Final = 1e-9


class Lens(Protocol):
    """How a picture was taken; hashable."""

    def view(self, width_px: int, height_px: int) -> View:
        """The view of a picture of this size."""

    def see(self, directions: Floats, aspect: float) -> Seen:
        """Where directions lie in a picture.

        Args:
            directions: (…, 3) unit vectors, scene frame.
            aspect: Width by height of the picture.
        """

    def pixels_per_rad(self, width_px: int, height_px: int) -> float:
        """How fine a picture of this size is in its middle."""


@dataclass(frozen=True, slots=True)
class PerspectiveLens:
    """A pinhole camera with a level horizon line."""

    heading_rad: float
    elevation_rad: float
    fov_rad: float
    is_vertical: bool = False
    """Whether the field of view is that from top to bottom; else that from left to right."""

    def view(self, width_px: int, height_px: int) -> PerspectiveView:
        """The view of a picture of this size."""
        return PerspectiveView(
            self.heading_rad,
            self.elevation_rad,
            2 * math.atan(self._half_height(width_px / height_px)),
            width_px,
            height_px,
        )

    def see(self, directions: Floats, aspect: float) -> Seen:
        """Where directions lie in a picture; see ``Lens``."""
        forward = np.array(direction_of_angles(self.heading_rad, self.elevation_rad))
        right = np.array(direction_of_angles(self.heading_rad + math.pi / 2, 0.0))
        up = np.array(direction_of_angles(self.heading_rad, self.elevation_rad + math.pi / 2))
        half = self._half_height(aspect)
        ahead = directions @ forward
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            column = 0.5 + directions @ right / ahead / (2 * half * aspect)
            row = 0.5 - directions @ up / ahead / (2 * half)
        hidden = (ahead <= 0) | ~(_is_within(column) & _is_within(row))
        column[hidden] = row[hidden] = np.nan
        return column, row, ahead

    def pixels_per_rad(self, width_px: int, height_px: int) -> float:
        """How fine a picture of this size is in its middle."""
        return height_px / 2 / self._half_height(width_px / height_px)

    def _half_height(self, aspect: float) -> float:
        """Half the height of the picture plane at a distance of 1."""
        half = math.tan(self.fov_rad / 2)
        return half if self.is_vertical else half / aspect


@dataclass(frozen=True, slots=True)
class SphereLens:
    """An equirectangular picture of everything around."""

    centre_heading_rad: float
    """Heading of the middle column."""

    def view(self, width_px: int, height_px: int) -> EquirectangularView:
        """The view of a picture of this size."""
        return EquirectangularView(self.centre_heading_rad, width_px, height_px)

    def see(self, directions: Floats, aspect: float) -> Seen:  # noqa: ARG002 - as ``Lens``
        """Where directions lie in a picture; see ``Lens``. Nothing is hidden."""
        x, y, z = (directions[..., axis] for axis in range(3))
        turn = np.arctan2(x, y) - self.centre_heading_rad
        column = (0.5 + turn / math.tau) % 1.0
        row = 0.5 - np.arctan2(z, np.hypot(x, y)) / math.pi
        return column, row, np.zeros_like(column)

    def pixels_per_rad(self, width_px: int, height_px: int) -> float:  # noqa: ARG002 - as ``Lens``
        """How fine a picture of this size is along the horizon."""
        return width_px / math.tau


@dataclass(frozen=True, slots=True)
class FaceLens:
    """One of the six faces of a Matterport3D skybox."""

    face: int
    """0 … 5, see ``SkyboxFace``."""

    rotation: tuple[float, ...]
    """Nine numbers, row by row, of the pose's rotation: columns right, down, ahead."""

    def view(self, width_px: int, height_px: int) -> SkyboxFace:
        """The view of a picture of this size, which is square."""
        matrix = np.array(self.rotation).reshape(3, 3)
        matrix.flags.writeable = False
        return SkyboxFace(self.face, matrix, min(width_px, height_px))

    def see(self, directions: Floats, aspect: float) -> Seen:  # noqa: ARG002 - as ``Lens``
        """Where directions lie in a picture; see ``Lens``."""
        view = self.view(2, 2)
        middle = np.array(view.direction_of((1.0, 1.0)))
        # The plane's axes as the face itself has them: towards its right and its lower edge.
        right = np.array(view.direction_of((2.0, 1.0))) * math.sqrt(2.0) - middle
        down = np.array(view.direction_of((1.0, 2.0))) * math.sqrt(2.0) - middle
        ahead = directions @ middle
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            column = 0.5 + directions @ right / ahead / 2
            row = 0.5 + directions @ down / ahead / 2
        hidden = (ahead <= 0) | ~(_is_within(column) & _is_within(row))
        column[hidden] = row[hidden] = np.nan
        return column, row, ahead

    def pixels_per_rad(self, width_px: int, height_px: int) -> float:
        """How fine a picture of this size is in its middle."""
        return min(width_px, height_px) / 2


@dataclass(frozen=True, eq=False, slots=True)
class Resampling:
    """Which pixel of which picture each pixel of a new picture shows. Arrays are read-only."""

    picture: NDArray[np.int16]
    """(H, W) number of the picture, −1 where none shows it."""

    columns: NDArray[np.float32]
    """(H, W) share of that picture's width."""

    rows: NDArray[np.float32]
    """(H, W) share of its height."""


def resample(lenses: Sequence[Lens], aspects: Sequence[float], directions: Floats) -> Resampling:
    """Find for every direction the picture that shows it nearest to its middle.

    Args:
        lenses: (N) of the pictures there are.
        aspects: (N) width by height of each.
        directions: (H, W, 3) unit vectors, scene frame.
    """
    shape = directions.shape[:2]
    picture = np.full(shape, -1, np.int16)
    columns, rows = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    best = np.full(shape, -np.inf)
    for number, (lens, aspect) in enumerate(zip(lenses, aspects, strict=True)):
        column, row, nearness = lens.see(directions, aspect)
        is_better = np.isfinite(column) & (nearness > best)
        picture[is_better] = number
        columns[is_better] = column[is_better]
        rows[is_better] = row[is_better]
        best[is_better] = nearness[is_better]
    for array in (picture, columns, rows):
        array.flags.writeable = False
    return Resampling(picture, columns, rows)


def perspective_directions(view: PerspectiveView) -> Floats:
    """(H, W, 3) unit direction of the middle of every pixel."""
    forward = np.array(direction_of_angles(view.heading_rad, view.elevation_rad))
    right = np.array(direction_of_angles(view.heading_rad + math.pi / 2, 0.0))
    up = np.array(direction_of_angles(view.heading_rad, view.elevation_rad + math.pi / 2))
    x = (np.arange(view.width_px) + 0.5 - view.width_px / 2) / view.focal_px
    y = (np.arange(view.height_px) + 0.5 - view.height_px / 2) / view.focal_px
    rays = x[None, :, None] * right - y[:, None, None] * up + forward
    return np.asarray(rays / np.linalg.norm(rays, axis=2, keepdims=True))


def band_directions(
    centre_heading_rad: float, width_px: int, height_px: int, elevation_rad: float
) -> Floats:
    """(H, W, 3) unit directions of a band all the way round.

    Args:
        centre_heading_rad: Heading of the middle column.
        width_px: A whole turn.
        height_px: Rows.
        elevation_rad: Of the upper edge; the lower one is as far below the horizon.
    """
    heading = centre_heading_rad + ((np.arange(width_px) + 0.5) / width_px - 0.5) * math.tau
    elevation = (1 - 2 * (np.arange(height_px) + 0.5) / height_px) * elevation_rad
    level = np.cos(elevation)[:, None]
    return np.stack(
        [
            level * np.sin(heading),
            level * np.cos(heading),
            np.sin(elevation)[:, None] + 0.0 * heading,
        ],
        axis=-1,
    )


def _is_within(share: Floats) -> NDArray[np.bool_]:
    return (share >= -_RIM) & (share <= 1 + _RIM)
