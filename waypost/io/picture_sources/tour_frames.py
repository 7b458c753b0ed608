"""Pictures of a tour through a scene: at each step of a run the one taken nearest to it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

import numpy as np

from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.replay.picture_lenses import PerspectiveLens
from waypost.domain.replay.replay import Replay
from waypost.io.camera_takes.pose_files import poses_path, read_poses
from waypost.io.picture_sources.run_frames import Film
from waypost.io.picture_sources.source import StepPictures

_NEAR_M: Final = 0.5
"""Pictures at most so much further away than the nearest compete by where they look."""

_STOREY_M: Final = 2.0
"""A tour may be filmed at another height than the run states; it is on the same storey."""


class TourFrames:
    """One picture per step, of a film whose camera poses stand beside it.

    Args:
        video: ``NAME.mp4`` with ``NAME.poses.csv``.

    Raises:
        ReadError: If the film cannot be decoded, or its poses cannot be used.
    """

    title = "tour of the scene"
    conventions = "the picture of the tour that was taken nearest to the agent, where it looked"
    is_single = True

    def __init__(self, video: Path) -> None:
        pictures, fov = read_poses(poses_path(video))
        self._film = Film(video)
        self._poses = tuple(picture.pose for picture in pictures)[: len(self._film.numbers)]
        self._points_m = np.array([pose.position_m for pose in self._poses])
        self._yaws_rad = np.array([pose.yaw_rad for pose in self._poses])
        self._fov_rad = fov.angle_rad

    def place(self, replay: Replay, step: int) -> str:
        """The picture; empty where the run has no position."""
        frame = self._frame_at(replay, step)
        return "" if frame is None else f"picture {frame + 1}"

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        """The picture taken nearest to a step; among those as near, the one that looks its way."""
        frame = self._frame_at(replay, step)
        if frame is None:
            return StepPictures((), reason="the run has no position here to look for in the tour")
        pose = self._poses[frame]
        lens = PerspectiveLens(r2r_heading_from_yaw(pose.yaw_rad), pose.pitch_rad, self._fov_rad)
        away_m = math.dist(pose.position_m[:2], replay.positions_m[step, :2])
        caption = f"picture {frame + 1} of {len(self._poses)}, taken {away_m:.1f} m away"
        return StepPictures((self._film.picture(frame, lens),), caption=caption)

    def close(self) -> None:
        """Let the film go."""
        self._film.close()

    def _frame_at(self, replay: Replay, step: int) -> int | None:
        point = replay.positions_m[step]
        if not np.isfinite(point).all():
            return None
        gaps = self._points_m - point
        away = np.hypot(gaps[:, 0], gaps[:, 1])
        away = away + np.where(np.abs(gaps[:, 2]) > _STOREY_M, 1e6, 0.0)
        near = np.flatnonzero(away <= away.min() + _NEAR_M)
        yaw = float(replay.facing_rad[step])
        if not math.isfinite(yaw):
            return int(near[np.argmin(away[near])])
        turns = np.abs(np.remainder(self._yaws_rad[near] - yaw + math.pi, math.tau) - math.pi)
        return int(near[np.argmin(turns)])
