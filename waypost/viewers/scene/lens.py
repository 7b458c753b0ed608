"""From a point of the scene to a pixel and back, the same numbers the graphics card gets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.domain.base.frames import Vec3, vec3

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class ViewLens:
    """A camera that has taken its place: where it is, where it looks, what it covers."""

    eye_m: Matrix
    """(3,) scene frame; for an orthographic lens any point above what is seen."""

    axes: Matrix
    """(3, 3) rows: right, up and back of the picture as unit vectors of the scene frame."""

    projection: Matrix
    """(4, 4) clip space from eye space, column vectors, depth −1 near to 1 far."""

    width_px: float
    height_px: float
    is_orthographic: bool = False

    @property
    def forward(self) -> Matrix:
        """(3,) unit vector into the picture."""
        return np.asarray(-self.axes[2])

    def clip_from_local(self, origin_m: Vec3) -> Matrix:
        """(4, 4) clip space from points given relative to an origin; column vectors.

        The origin is taken off in float64, so that far-away scenes do not shake.
        """
        view = np.eye(4)
        view[:3, :3] = self.axes
        view[:3, 3] = self.axes @ (np.asarray(origin_m, dtype=np.float64) - self.eye_m)
        return np.asarray(self.projection @ view)

    def project(self, points: ArrayLike) -> Matrix:
        """(N, 2) pixels of (N, 3) points, from the upper left; NaN behind the camera."""
        given = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        in_eye = (given - self.eye_m) @ self.axes.T
        homogeneous = np.column_stack([in_eye, np.ones(len(in_eye))])
        clip = homogeneous @ self.projection.T
        divisor = np.where(clip[:, 3] > 1e-9, clip[:, 3], np.nan)
        x = (clip[:, 0] / divisor + 1.0) / 2.0 * self.width_px
        y = (1.0 - clip[:, 1] / divisor) / 2.0 * self.height_px
        return np.column_stack([x, y])

    def ray_at(self, x_px: float, y_px: float) -> tuple[Vec3, Vec3]:
        """Start and unit direction of the ray through a pixel position, scene frame."""
        x = (2.0 * x_px / self.width_px - 1.0) / self.projection[0, 0]
        y = (1.0 - 2.0 * y_px / self.height_px) / self.projection[1, 1]
        if self.is_orthographic:
            start = self.eye_m + np.array([x, y, 0.0]) @ self.axes
            return vec3(start), vec3(self.forward)
        direction = np.array([x, y, -1.0]) @ self.axes
        return vec3(self.eye_m), vec3(direction / np.linalg.norm(direction))

    def metres_per_pixel(self, point: ArrayLike) -> float:
        """Size of one pixel at the depth of a point; infinite at or behind the camera."""
        if self.is_orthographic:
            return float(2.0 / (self.projection[1, 1] * self.height_px))
        depth = float((np.asarray(point, dtype=np.float64) - self.eye_m) @ self.forward)
        if depth <= 0:
            return math.inf
        return float(2.0 * depth / (self.projection[1, 1] * self.height_px))


def axes_of(yaw_rad: float, pitch_rad: float) -> Matrix:
    """(3, 3) right, up, back of a camera with a level horizon.

    Args:
        yaw_rad: Heading of the view, 0 = +X, counter-clockwise.
        pitch_rad: Above the horizon positive, below it negative.
    """
    cos_yaw, sin_yaw = math.cos(yaw_rad), math.sin(yaw_rad)
    cos_pitch, sin_pitch = math.cos(pitch_rad), math.sin(pitch_rad)
    right = (sin_yaw, -cos_yaw, 0.0)
    up = (-sin_pitch * cos_yaw, -sin_pitch * sin_yaw, cos_pitch)
    back = (-cos_pitch * cos_yaw, -cos_pitch * sin_yaw, -sin_pitch)
    return np.array([right, up, back])


def perspective(fov_rad: float, aspect: float, near_m: float, far_m: float) -> Matrix:
    """(4, 4) perspective projection; the field of view is the vertical one."""
    scale = 1.0 / math.tan(fov_rad / 2.0)
    depth = near_m - far_m
    return np.array(
        [
            [scale / aspect, 0.0, 0.0, 0.0],
            [0.0, scale, 0.0, 0.0],
            [0.0, 0.0, (far_m + near_m) / depth, 2.0 * far_m * near_m / depth],
            [0.0, 0.0, -1.0, 0.0],
        ]
    )


def orthographic(height_m: float, aspect: float, near_m: float, far_m: float) -> Matrix:
    """(4, 4) parallel projection that covers a height of the picture plane."""
    depth = far_m - near_m
    return np.array(
        [
            [2.0 / (height_m * aspect), 0.0, 0.0, 0.0],
            [0.0, 2.0 / height_m, 0.0, 0.0],
            [0.0, 0.0, -2.0 / depth, -(far_m + near_m) / depth],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
