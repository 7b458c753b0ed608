"""Camera frames that were kept with a take: at each step the one that was drawn last by then."""

from __future__ import annotations

import functools
import math
from bisect import bisect_right
from pathlib import Path
from typing import Final

import numpy as np

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.replay.picture_lenses import PerspectiveLens
from waypost.domain.replay.replay import Replay
from waypost.io.camera_takes.opencv import cv2
from waypost.io.json_reading import read_json
from waypost.io.picture_sources.decoding import decode_picture, picture_data
from waypost.io.picture_sources.source import Pixels, SourcePicture, StepPictures
from waypost.io.recordings.take_frames import (
    CAMERA_FILE,
    COLOURS,
    SCHEMA,
    SCHEMA_VERSION,
    frame_name,
    time_of_frame,
)

FAR_M: Final = 10.0
"""In pictures of depth what is as far or further is black."""

_WIDEST_RAD: Final = math.radians(170)


class TakeFrames:
    """The frames of one take.

    Args:
        folder: See ``recordings.take_frames``.

    Raises:
        ReadError: If it does not say which camera they are of, or has none.
    """

    title = "frames of the engine's camera"
    conventions = "the frame that was drawn last by the time of the step; field of view as stated"
    is_single = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        document = read_json(folder / CAMERA_FILE).root
        if document.text_of("schema") != SCHEMA:
            raise document.error("is not the camera of frames kept with a take")
        version = document.field("schema_version")
        if version.as_number() < 1:
            raise version.error("is no version")
        if version.as_number() > SCHEMA_VERSION:
            raise version.error(f"is newer than {SCHEMA_VERSION}, which this Waypost reads")
        camera = document.field("camera")
        fov = camera.field("field_of_view_rad")
        self._fov_rad = fov.as_number()
        if not 0.0 < self._fov_rad <= _WIDEST_RAD:
            raise fov.error("is no field of view of a camera")
        self._tilt_rad = camera.field("tilt_rad").as_number()
        found: dict[int, str] = {}
        for name in sorted(path.name for path in folder.iterdir()):
            frame = time_of_frame(name)
            if frame is not None and found.get(frame[0]) != COLOURS:
                found[frame[0]] = frame[1]
        if not found:
            raise ReadError(str(folder), "folder", "has no frame")
        self._times_ns = sorted(found)
        self._endings = found

    def place(self, replay: Replay, step: int) -> str:
        """The frame, or that it is before the first; empty where the run tells no times."""
        if replay.times_s is None:
            return ""
        time_ns = self._time_at(replay, step)
        return "before the first" if time_ns is None else str(time_ns)

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        """The frame that was drawn last by the time of the step."""
        time_ns = self._time_at(replay, step)
        if time_ns is None:
            return StepPictures((), reason="no frame had been drawn by then")
        yaw = float(replay.facing_rad[step])
        heading = r2r_heading_from_yaw(yaw) if math.isfinite(yaw) else 0.0
        picture = self._picture(time_ns, PerspectiveLens(heading, self._tilt_rad, self._fov_rad))
        return StepPictures((picture,), caption=self.caption(time_ns))

    def latest(self, time_ns: int) -> int | None:
        """Time of the frame that was drawn last by then; ``None`` before the first."""
        place = bisect_right(self._times_ns, time_ns)
        return self._times_ns[place - 1] if place else None

    def caption(self, time_ns: int) -> str:
        """What a frame is, in words."""
        is_depth = self._endings[time_ns] != COLOURS
        what = f", depth, black from {FAR_M:g} m on" if is_depth else ""
        return f"camera of the engine at {time_ns / 1e9:.2f} s{what}"

    def read(self, time_ns: int, wished_width_px: int = 0) -> Pixels:
        """A frame as colours, (H, W, 3) RGB.

        Raises:
            ReadError: If its file cannot be used.
        """
        ending = self._endings[time_ns]
        decode = decode_picture if ending == COLOURS else _decode_depth
        return decode(self._folder / frame_name(time_ns, ending), wished_width_px)

    def close(self) -> None:
        """Nothing is open."""

    def _time_at(self, replay: Replay, step: int) -> int | None:
        times_s = replay.times_s
        # Half a microsecond: times of steps are rounded.
        return None if times_s is None else self.latest(round(float(times_s[step]) * 1e9) + 500)

    def _picture(self, time_ns: int, lens: PerspectiveLens) -> SourcePicture:
        name = frame_name(time_ns, self._endings[time_ns])
        return SourcePicture(name, lens, functools.partial(self.read, time_ns))


def depth_picture(depth_m: np.ndarray) -> Pixels:
    """Depth as a picture: near is bright, what is far or not there is black.

    Args:
        depth_m: (H, W), infinite where nothing is.

    Returns:
        (H, W, 3).
    """
    near = 1.0 - np.minimum(depth_m, FAR_M) / FAR_M
    return np.repeat((255 * near).astype(np.uint8)[..., None], 3, axis=2)


def _decode_depth(path: Path, _wished_width_px: int = 0) -> Pixels:
    data, _ = picture_data(path)
    try:
        depth_mm = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        depth_mm = None
    if depth_mm is None or depth_mm.ndim != 2:
        raise ReadError(str(path), "file", "is no picture of depth")
    return depth_picture(np.where(depth_mm > 0, depth_mm / 1000.0, np.inf))
