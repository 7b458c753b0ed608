"""Renders panoramas of a loaded scene on the spot, in slices short enough for the window."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3, vec3, yaw_from_r2r_heading
from waypost.domain.base.progress import Progress
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.replay.picture_lenses import PerspectiveLens
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.scene import Scene
from waypost.io.picture_sources.source import Pixels, SourcePicture, StepPictures
from waypost.services.replay.picture_loading import (
    CACHE_MB,
    NO_PLACE,
    PictureCache,
    PlaceKey,
    StepWish,
    load_pictures,
)
from waypost.services.replay.picture_tiles import PlacePictures
from waypost.viewers.scene.mesh_batches import PackedScene
from waypost.viewers.scene.picture_camera import PictureCamera

_QUARTER: Final = math.pi / 2
_FOV: Final = FieldOfView(_QUARTER)
_SMALLEST_PX, _LARGEST_PX = 64, 512
_PAUSE_MS: Final = 8
"""Between two pictures, so that the window answers."""

_MOST_WISHES: Final = 3
"""Places that are rendered in advance: rendering costs the window time, decoding does not."""


class SceneSource:
    """Four square views of 90° from where the agent stood, rendered when read.

    Reading belongs on the window's thread.

    Args:
        scene: What is rendered.
        packed: The same, packed for the graphics card already.
    """

    title = "rendered from the scene"
    conventions = "four views of 90° at the R2R headings 0°, 90°, 180°, 270°, from the scene opened"
    is_single = False

    def __init__(self, scene: Scene, packed: PackedScene | None = None) -> None:
        self._scene = scene
        self._packed = packed
        self._camera: PictureCamera | None = None
        self._problem = ""
        self._floors_m = sorted(storey.floor_z_m for storey in scene.storeys)

    def place(self, replay: Replay, step: int) -> str:
        """The viewpoint, or the position to a centimetre."""
        if replay.viewpoint_ids:
            return replay.viewpoint_ids[step]
        point = replay.positions_m[step]
        return ",".join(f"{value:.2f}" for value in point) if _is_known(point) else ""

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        """Four views that are rendered when they are read."""
        point = replay.positions_m[step]
        if not _is_known(point):
            return StepPictures((), reason="the run has no position here to render from")
        if self._problem:
            return StepPictures((), reason=self._problem)
        eye = self._eye(vec3(point), replay)
        return StepPictures(tuple(self._view(eye, quarter) for quarter in range(4)))

    def warm_up(self) -> bool:
        """Make the camera ready, a short piece at a time; whether it is."""
        if self._problem:
            return True
        if self._camera is not None:
            return self._camera.prepare()
        try:
            self._opened()
        except InputError as error:
            self._problem = str(error)
        return bool(self._problem)

    def close(self) -> None:
        """Let the graphics card go."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _view(self, eye_m: Vec3, quarter: int) -> SourcePicture:
        pose = CameraPose(eye_m, yaw_from_r2r_heading(quarter * _QUARTER))

        def read(wished_px: int) -> Pixels:
            edge = min(max(wished_px, _SMALLEST_PX), _LARGEST_PX)
            return self._opened().take(pose, _FOV, PictureSize(edge, edge))

        return SourcePicture(
            f"view at {90 * quarter}°", PerspectiveLens(quarter * _QUARTER, 0.0, _QUARTER), read
        )

    def _opened(self) -> PictureCamera:
        if self._camera is None:
            self._camera = PictureCamera(self._scene, self._packed)
        return self._camera

    def _eye(self, point: Vec3, replay: Replay) -> Vec3:
        """Where the camera stands: at a viewpoint itself, else at eye height over the floor.

        Logs of continuous runs differ in whether z is of the floor, the body or the eye, so it
        only tells the storey.
        """
        if replay.is_at_cameras:
            return point
        below = [floor for floor in self._floors_m if floor <= point[2] + 0.3]
        floor = below[-1] if below else point[2]
        return (point[0], point[1], floor + EYE_HEIGHT_M)


class SceneFeed(QObject):
    """Pictures of a scene, one view per slice of a timer, kept like those of files.

    Args:
        source: What renders.
        limit_mb: Memory for pictures.
        parent: Qt owner. Call ``close`` before it goes.
    """

    arrived = Signal()
    """Something has come."""

    def __init__(
        self, source: SceneSource, limit_mb: float = CACHE_MB, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.source = source
        self.cache = PictureCache(limit_mb)
        self._wishes: deque[StepWish] = deque()
        self._key: PlaceKey | None = None
        self._work: Generator[Progress, None, PlacePictures] | None = None
        self._is_warm = False
        self._timer = QTimer(self)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._on_slice)

    def shown(self, wish: StepWish) -> PlacePictures | None:
        """The pictures of a step if they are rendered; never waits."""
        place = self.source.place(wish.replay, wish.step)
        return self.cache.get((place, wish.tiles)) if place else NO_PLACE

    def ask(self, wishes: Sequence[StepWish]) -> None:
        """Render these, the first one first; what is under way for another place is dropped."""
        missing = [wish for wish in wishes if self.shown(wish) is None]
        self._wishes = deque(missing[:_MOST_WISHES])
        first = self._key_of(self._wishes[0]) if self._wishes else None
        if self._key != first:
            self._drop_work()
        if self._wishes:
            self._timer.start()

    def close(self) -> None:
        """End all work and let the graphics card go."""
        self._timer.stop()
        self._wishes.clear()
        self._drop_work()
        self.source.close()
        self.cache.clear()

    def _on_slice(self) -> None:
        """Do one picture's worth of work."""
        if not self._is_warm:
            self._is_warm = self.source.warm_up()
            return
        if self._work is None and not self._begin():
            self._timer.stop()
            return
        if self._work is None or self._key is None:
            return
        try:
            next(self._work)
        except StopIteration as stop:
            self.cache.put(self._key, stop.value)
            self._work = self._key = None
            self.arrived.emit()
        except Exception:
            self._drop_work()
            raise

    def _begin(self) -> bool:
        while self._wishes:
            wish = self._wishes.popleft()
            if self.shown(wish) is None:
                self._key = self._key_of(wish)
                self._work = load_pictures(self.source, wish)
                return True
        return False

    def _key_of(self, wish: StepWish) -> PlaceKey:
        return self.source.place(wish.replay, wish.step), wish.tiles

    def _drop_work(self) -> None:
        if self._work is not None:
            self._work.close()
        self._work = self._key = None


def _is_known(point: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(point).all())
