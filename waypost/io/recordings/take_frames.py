"""Camera frames kept with a take: a folder beside its samples, a file for each simulated time.

``NAME.frames`` of ``NAME.csv`` holds ``camera.json``, which tells of the camera, and per frame
``TIME.jpg`` with its colours and ``TIME.depth.png`` with its depth, as far as they were drawn.
TIME is the simulated time since the first sample in nanoseconds, 18 digits. Depth is in
millimetres, 16 bits; 0 is nothing, or further than 65.535 m.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.io.atomic import write_bytes_atomic
from waypost.io.camera_takes.opencv import cv2
from waypost.io.camera_takes.picture_files import write_picture
from waypost.io.json_writing import write_json_file

SCHEMA: Final = "waypost-take-frames"
SCHEMA_VERSION: Final = 1
CAMERA_FILE: Final = "camera.json"
COLOURS: Final = ".jpg"
DEPTH: Final = ".depth.png"
FRAMES_SUFFIX: Final = ".frames"
"""Of the folder beside the samples."""

_FRAME: Final = re.compile(r"(\d{18})(\.jpg|\.depth\.png)")
_MM_PER_M: Final = 1000.0
_FURTHEST_MM: Final = 65535


def frames_folder(samples: Path) -> Path:
    """Where the frames of a take are, if there are any.

    Args:
        samples: Its CSV.
    """
    return samples.with_suffix(FRAMES_SUFFIX)


def has_frames(folder: Path) -> bool:
    """Whether a folder holds a frame; one for which the disk had no room holds none."""
    try:
        return any(time_of_frame(path.name) for path in folder.iterdir())
    except OSError:
        return False


def frame_files(folder: Path) -> list[Path]:
    """The files of frames in a folder by their time, and of their camera; none without a frame."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return []
    frames = [name for name in names if time_of_frame(name)]
    return [folder / name for name in (*frames, *({CAMERA_FILE} & set(names)))] if frames else []


def kept_frames(samples: Path) -> Path | None:
    """The folder of the frames of a take; ``None`` if none was kept.

    Args:
        samples: Its CSV.
    """
    folder = frames_folder(samples)
    return folder if has_frames(folder) else None


def frame_name(time_ns: int, ending: str) -> str:
    """The name of a frame's file: ``COLOURS`` or ``DEPTH`` of a simulated time."""
    return f"{time_ns:018d}{ending}"


def time_of_frame(name: str) -> tuple[int, str] | None:
    """Simulated time in nanoseconds and ending of a frame's file; ``None`` for other files."""
    found = _FRAME.fullmatch(name)
    return (int(found[1]), found[2]) if found else None


def write_camera(folder: Path, camera: Mapping[str, float | bool]) -> None:
    """Say which camera the frames in a folder are of.

    Args:
        folder: Made if missing.
        camera: ``width_px``, ``height_px``, ``field_of_view_rad``, ``height_m``, ``tilt_rad``.

    Raises:
        WriteError: If it cannot be written.
    """
    head = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION}
    write_json_file(folder / CAMERA_FILE, {**head, "camera": dict(camera)})


def write_frame(
    folder: Path,
    time_ns: int,
    rgb: NDArray[np.uint8] | None,
    depth_m: NDArray[np.float32] | None,
) -> int:
    """Keep one frame; each of its files is whole or not there.

    Args:
        folder: Of the take.
        time_ns: Simulated time since the first sample, from 0.
        rgb: (H, W, 3), or ``None``.
        depth_m: (H, W) distance to the plane of the lens, or ``None``.

    Returns:
        How many bytes it takes.

    Raises:
        WriteError: If it cannot be written.
    """
    files = []
    if rgb is not None:
        files.append(folder / frame_name(time_ns, COLOURS))
        write_picture(files[-1], rgb)
    if depth_m is not None:
        files.append(folder / frame_name(time_ns, DEPTH))
        far_mm = np.where(np.isfinite(depth_m), depth_m * _MM_PER_M, 0.0)
        depth_mm = np.where(far_mm <= _FURTHEST_MM, np.rint(far_mm), 0.0).astype(np.uint16)
        _, data = cv2.imencode(".png", depth_mm)
        write_bytes_atomic(files[-1], data.tobytes())
    return sum(file.stat().st_size for file in files)
