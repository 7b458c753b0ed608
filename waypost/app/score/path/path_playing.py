"""The path of the instruction at hand, played: view, panoramas and map follow one moment."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from waypost.app.score.path.path_face import PathFace
from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import Progress, Work
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.geometry.ray_index import RayIndex
from waypost.io.picture_sources.source import PictureSource
from waypost.services.jobs import Job, JobRunner
from waypost.services.open_scene import OpenedScene
from waypost.services.path_walks import PathWalk, path_walk
from waypost.services.replay.playback import Playback
from waypost.viewers.scene.scene_shots import SceneShots, ShotWish
from waypost.widgets.picture_box import PictureBox

_FOV: Final = FieldOfView(math.pi / 2)
"""Across, as the pictures that agents of the field are given."""

_MOST_PX: Final = 1024
_AHEAD: Final = 3
"""Moments that are taken before they are shown."""

_SETTLE_MS: Final = 120
"""After the last change of size, until pictures are taken anew."""


class PathPlaying(QObject):
    """Plays a path through its scene in first person, or past the pictures of its viewpoints.

    Args:
        jobs: Makes walks.
        face: Shows them.
        parent: Qt owner.
    """

    failed = Signal()
    """``problem`` says why nothing can be played or seen."""

    def __init__(self, jobs: JobRunner, face: PathFace, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._face = jobs, face
        self.cursor = Playback(self)
        self.walk: PathWalk | None = None
        """What is played; ``None`` until it is made, and where there is nothing to play."""

        self.problem = ""
        """Why nothing can be played or seen, in a sentence; empty while nothing is wrong."""

        self._key: tuple[object, ...] = ()
        self._job: Job | None = None
        self._scene: OpenedScene | None = None
        self._shots: SceneShots | None = None
        self._source: PictureSource | None = None

        self._settling = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settling.timeout.connect(self._ask)
        self._connect()

    @property
    def _boxes(self) -> tuple[PictureBox, PictureBox, PictureBox]:
        """What is seen on the way, at the start and at the goal."""
        ends = self._face.ends
        return self._face.walk_view.view, ends.start, ends.goal

    @property
    def can_play(self) -> bool:
        """Whether there is a walk, and anything along which to play it."""
        return self.walk is not None and (self._shots is not None or self._face.is_map)

    def show(
        self,
        path_m: tuple[Vec3, ...],
        opened: OpenedScene | None,
        source: PictureSource | None,
        eye_height_m: float,
    ) -> None:
        """Take a path in hand; the same one in the same surroundings goes on as it is.

        Args:
            path_m: Scene frame, metres; empty where nobody knows it.
            opened: The scene that it lies in.
            source: Pictures of its viewpoints, where there is no scene.
            eye_height_m: Over the floor.
        """
        key = (path_m, opened, source, eye_height_m)
        if [*map(id, key[:3])] == [*map(id, self._key[:3])] and key[3:] == self._key[3:]:
            self._ask()
            return
        self._key = key
        self._take_walk(None)
        self._take_scene(opened)
        self._take_source(source)
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.problem = ""
        if len(path_m) > 1:
            rays = None if opened is None else opened.rays
            self._make(path_m, eye_height_m if opened else 0.0, rays)
        self._show_seen()

    def pause(self) -> None:
        """Stop playing."""
        self.cursor.pause()

    def close(self) -> None:
        """End everything."""
        self.cursor.pause()
        self._take_scene(None)
        self._face.walk_view.strip.close_pictures()

    def _connect(self) -> None:
        cursor, seen = self.cursor, self._face.walk_view
        cursor.moved.connect(self._on_moved)
        cursor.playing_changed.connect(seen.timeline.set_playing)
        cursor.speed_changed.connect(seen.timeline.set_speed)
        seen.timeline.moved.connect(cursor.move_to)
        seen.timeline.play_chosen.connect(cursor.toggle_play)
        seen.timeline.speed_chosen.connect(cursor.set_speed)
        for box in self._boxes:
            box.resized.connect(self._settling.start)

    def _make(self, path_m: tuple[Vec3, ...], eye_height_m: float, rays: RayIndex | None) -> None:
        def work() -> Work[PathWalk]:
            yield Progress(0, 1, "Walking along the path")
            return path_walk(path_m, eye_height_m, rays)

        job = self._job = self._jobs.start("Walking along the path", work())

        def take(walk: PathWalk) -> None:
            if job is self._job:
                self._take_walk(walk)

        def fail(error: Exception) -> None:
            if job is self._job:
                self.problem = f"The path cannot be played: {error}."
                self.failed.emit()

        job.succeeded.connect(take)
        job.failed.connect(fail)

    def _take_walk(self, walk: PathWalk | None) -> None:
        self.walk = walk
        for box in self._boxes:
            box.set_picture(None, "" if walk is None else "…")
        self._face.walk_view.set_time(walk)
        self._show_seen()
        self.cursor.set_times(None if walk is None else walk.times_s)

    def _take_scene(self, opened: OpenedScene | None) -> None:
        if opened is self._scene:
            return
        self._scene = opened
        if self._shots is not None:
            self._shots.close()
            self._shots.deleteLater()
            self._shots = None
        if opened is not None and opened.prepared is not None:
            self._shots = SceneShots(opened.scene, opened.prepared.packed, self)
            self._shots.arrived.connect(self._on_arrived)

    def _take_source(self, source: PictureSource | None) -> None:
        if source is not self._source:
            self._source = source
            self._face.walk_view.strip.set_source(source)

    def _show_seen(self) -> None:
        has_pictures = self._source is not None and self._face.replay is not None
        self._face.show_seen(
            is_in_scene=self._shots is not None and self.can_play,
            has_pictures=has_pictures and self.can_play,
            has_time=self.can_play,
        )

    def _on_moved(self, moment: int) -> None:
        walk, face = self.walk, self._face
        face.walk_view.timeline.set_position(moment)
        if walk is None:
            face.map.set_walker(None)
            return
        pose = walk.poses[moment]
        face.map.set_walker(pose.position_m[:2], pose.yaw_rad)
        if self._source is not None and face.replay is not None:
            # A run over viewpoints begins with a step that stands at the first of them.
            face.walk_view.strip.set_step(face.replay, _step_at(len(face.replay), walk, moment))
        self._ask()

    def _ask(self) -> None:
        walk, shots, face = self.walk, self._shots, self._face
        if walk is None or shots is None or not face.isVisible():
            return
        here = self.cursor.index
        ahead = walk.poses[here : here + _AHEAD] if self.cursor.is_playing else ()
        poses = walk.poses[here], walk.start, walk.goal
        shots.ask(
            [
                *map(self._wish, self._boxes, poses),
                *(self._wish(face.walk_view.view, pose) for pose in ahead),
            ]
        )
        self._show_taken()

    def _wish(self, box: PictureBox, pose: CameraPose) -> ShotWish:
        width, height = box.picture_px()
        scale = min(1.0, _MOST_PX / max(width, height))
        size = PictureSize(max(16, round(width * scale)), max(16, round(height * scale)))
        return ShotWish(pose, _FOV, size)

    def _on_arrived(self, wish: ShotWish | None) -> None:
        if self._shots is None or self.walk is None:
            return
        if wish is None:
            self.problem = self._shots.problem
            self.failed.emit()
            for box in self._boxes:
                box.set_picture(None, self.problem)
            return
        view = self._face.walk_view.view
        is_on_way = self.walk is not None and wish.pose in self.walk.every_pose
        is_of_walk = is_on_way and wish == self._wish(view, wish.pose)
        if is_of_walk and self.cursor.is_playing and self._taken(view, self._here) is None:
            # Pictures that come late are shown all the same: else a slow machine shows none.
            view.set_picture(self._shots.shown(wish))
        self._show_taken()

    @property
    def _here(self) -> CameraPose:
        if self.walk is None:
            raise RuntimeError("there is no walk")
        return self.walk.poses[self.cursor.index]

    def _taken(self, box: PictureBox, pose: CameraPose) -> QImage | None:
        return None if self._shots is None else self._shots.shown(self._wish(box, pose))

    def _show_taken(self) -> None:
        """Show what has been taken; what has not stays as it was."""
        if self.walk is None:
            return
        poses = self._here, self.walk.start, self.walk.goal
        for box, pose in zip(self._boxes, poses, strict=True):
            image = self._taken(box, pose)
            if image is not None:
                box.set_picture(image)


def _step_at(steps: int, walk: PathWalk, moment: int) -> int:
    """The step of a run along the path at a moment: a step for each place."""
    return min(int(walk.places[moment]), steps - 1)
