"""The camera poses of a video, one line per picture, beside it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from waypost.domain.camera_take import CameraPose, FieldOfView, FovAxis, PictureSize, TourPicture
from waypost.domain.errors import ReadError
from waypost.io.atomic import write_text_atomic
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader

COLUMNS: Final = (
    "picture", "time_ns", "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz", "yaw_rad", "pitch_rad",
    "horizontal_fov_rad", "vertical_fov_rad",
)  # fmt: skip
"""Scene frame; the eye, not the floor; quaternion of X ahead, Y left, Z up."""


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
    pictures, fov_rad = [], 0.0
    for number, row in enumerate(rows, start=2):
        try:
            position = (float(row["x_m"]), float(row["y_m"]), float(row["z_m"]))
            pose = CameraPose(position, float(row["yaw_rad"]), float(row["pitch_rad"]))
            fov_rad = float(row["horizontal_fov_rad"])
            pictures.append(TourPicture(int(row["picture"]), int(row["time_ns"]), pose))
        except (TypeError, ValueError) as error:
            raise ReadError(str(path), f"line {number}", f"is not a pose: {error}") from error
    if not pictures:
        raise ReadError(str(path), "file", "holds no pose")
    return tuple(pictures), FieldOfView(fov_rad, FovAxis.HORIZONTAL)
