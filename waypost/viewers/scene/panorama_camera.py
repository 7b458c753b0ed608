"""Joins six square pictures around a place to one of the whole sphere."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.io.camera_takes.opencv import cv2
from waypost.viewers.scene.lens import axes_of

_QUARTER: Final = math.pi / 2
_FACES: Final = (
    (0.0, 0.0), (-_QUARTER, 0.0), (math.pi, 0.0), (_QUARTER, 0.0), (0.0, _QUARTER), (0.0, -_QUARTER)
)  # fmt: skip
"""Yaw from the middle and pitch: ahead, right, back, left, up, down."""

_FACE_FOV: Final = FieldOfView(_QUARTER)


class PictureTaker(Protocol):
    """What takes perspective pictures."""

    def take(
        self, pose: CameraPose, fov: FieldOfView, size: PictureSize, *, has_headlight: bool = True
    ) -> NDArray[np.uint8]:
        """One picture, (H, W, 3) RGB."""


@dataclass(frozen=True, slots=True)
class Face:
    """One of the six square pictures that a sphere is bent from."""

    pose: CameraPose
    fov: FieldOfView
    size: PictureSize


def sphere_faces(eye_m: Vec3, centre_yaw_rad: float, size: PictureSize) -> tuple[Face, ...]:
    """The six pictures to take for a sphere of a size, without headlight.

    Args:
        eye_m: Scene frame.
        centre_yaw_rad: Scene yaw of the middle column.
        size: Of the sphere; twice as wide as high.

    Raises:
        InputError: If it is not.
    """
    if size.width_px != 2 * size.height_px:
        raise InputError(f"size {size}: the picture of a whole sphere is twice as wide as high")
    # A face is about as fine as the picture at its middle, where one pixel covers most.
    edge = max(16, size.width_px * 3 // 8)
    return tuple(
        Face(CameraPose(eye_m, centre_yaw_rad + yaw, pitch), _FACE_FOV, PictureSize(edge, edge))
        for yaw, pitch in _FACES
    )


def join_sphere(pictures: Sequence[NDArray[np.uint8]], size: PictureSize) -> NDArray[np.uint8]:
    """The sphere, (H, W, 3) RGB, of the pictures of its ``sphere_faces`` in their order."""
    columns, rows = _places(size.width_px, pictures[0].shape[0])
    joined = cv2.remap(np.concatenate(pictures), columns, rows, cv2.INTER_LINEAR)
    return np.asarray(joined, dtype=np.uint8)


@functools.lru_cache(maxsize=2)
def _places(width: int, edge: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Column and row in the six faces, stacked, of every pixel of the sphere."""
    height = width // 2
    turn = ((np.arange(width) + 0.5) / width - 0.5) * math.tau
    elevation = (0.5 - (np.arange(height) + 0.5) / height) * math.pi
    level = np.cos(elevation)[:, None]
    directions = np.stack(
        [level * np.cos(turn), -level * np.sin(turn), np.sin(elevation)[:, None] + 0.0 * turn],
        axis=-1,
    )
    columns = np.zeros((height, width), np.float32)
    rows = np.zeros((height, width), np.float32)
    nearest = np.full((height, width), -np.inf)
    for index, (yaw, pitch) in enumerate(_FACES):
        right, up, back = axes_of(yaw, pitch)
        ahead = -(directions @ back)
        is_nearer = ahead > nearest
        nearest[is_nearer] = ahead[is_nearer]
        seen = directions[is_nearer] / ahead[is_nearer][:, None]
        # OpenCV counts from the middle of the first pixel. Faces must not mix at their edges.
        column = (1.0 + seen @ right) / 2.0 * edge - 0.5
        row = (1.0 - seen @ up) / 2.0 * edge - 0.5
        columns[is_nearer] = np.clip(column, 0.0, edge - 1.0)
        rows[is_nearer] = np.clip(row, 0.0, edge - 1.0) + index * edge
    return columns, rows
