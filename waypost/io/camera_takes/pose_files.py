"""The camera poses of a video, one line per picture, beside it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.visible_text import one_line
from waypost.domain.record.camera_take import (
    CameraPose,
    FieldOfView,
    FovAxis,
    PictureSize,
    TourPicture,
)
from waypost.io.atomic import write_text_atomic
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader

COLUMNS: Final = (
    "picture", "time_ns", "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz", "yaw_rad", "pitch_rad",
    "horizontal_fov_rad", "vertical_fov_rad",
)  # fmt: skip
"""Scene frame; the eye, not the floor; quaternion of X ahead, Y left, Z up."""

_MOST_QUOTED: Final = 160
"""Characters."""


def poses_path(video: Path) -> Path:
    """``NAME.poses.csv`` beside ``NAME.mp4``."""
    return video.with_name(f"{video.stem}.poses.csv")


def write_poses(
    path: Path, pictures: Sequence[TourPicture], fov: FieldOfView, size: PictureSize
) -> None:
    """Replace a file of camera poses; numbers are written in full.

    Raises:
        WriteError: If it cannot be written.
    """
    angles = (fov.horizontal_rad(size), fov.vertical_rad(size))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for picture in pictures:
        pose = picture.pose
        gaze = (*pose.quaternion, pose.yaw_rad, pose.pitch_rad)
        numbers = [repr(float(value)) for value in (*pose.position_m, *gaze, *angles)]
        writer.writerow([picture.index, picture.time_ns, *numbers])
    write_text_atomic(path, text.getvalue())


@reader
def read_poses(path: Path) -> tuple[tuple[TourPicture, ...], FieldOfView]:
    """Read what ``write_poses`` wrote; the field of view as the horizontal one.

    Raises:
        ReadError: If it is another file.
    """
    rows = csv.DictReader(io.StringIO(read_file_text(path)))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise ReadError(str(path), "line 1", f"the columns are not {','.join(COLUMNS)}")
    pictures, fov = [], None
    for number, row in enumerate(rows, start=2):
        try:
            pictures.append(_picture(row))
            fov = FieldOfView(float(row["horizontal_fov_rad"]), FovAxis.HORIZONTAL)
        except (InputError, TypeError, ValueError) as error:
            reason = f"is not a pose: {one_line(str(error), _MOST_QUOTED)}"
            raise ReadError(str(path), f"line {number}", reason) from error
    if fov is None:
        raise ReadError(str(path), "file", "holds no pose")
    return tuple(pictures), fov


def _picture(row: Mapping[str, str]) -> TourPicture:
    x, y, z, yaw, pitch = (float(row[n]) for n in ("x_m", "y_m", "z_m", "yaw_rad", "pitch_rad"))
    if not all(map(math.isfinite, (x, y, z, yaw, pitch))):
        raise ValueError("a number is not finite")
    return TourPicture(int(row["picture"]), int(row["time_ns"]), CameraPose((x, y, z), yaw, pitch))
