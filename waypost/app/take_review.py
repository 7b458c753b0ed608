"""The review of one take: path, body and eyes on the stage, time and curves below, facts beside."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from waypost.annotators.record.take_drawing import seen_bounds, take_drawing, touches_drawing
from waypost.annotators.record.take_plots import pitch_or_level_rad, take_curves, take_timeline
from waypost.annotators.traverse.agent_drawing import agent_drawing
from waypost.app.middle import Below
from waypost.app.review_strip import ReviewStrip
from waypost.app.stage import Stage
from waypost.app.study_desk import StudyDesk
from waypost.app.take_scores import take_choices, take_report
from waypost.domain.frames import Vec3
from waypost.domain.study import AssignmentKey, Take, takes_of
from waypost.services.jobs import Job, JobRunner
from waypost.services.take_loading import LoadedTake, load_take
from waypost.services.take_playback import TakePlayback
from waypost.viewers.camera import CameraMode, FirstPersonCamera
from waypost.viewers.drawing import NOTHING
from waypost.widgets.take_panel import TakePanel

_PATH, _TOUCHES, _AGENT = "take", "take_touches", "take_agent"
_STOREY_REACH_M = (0.3, 3.0)
"""The cut shows a floor that lies this far below it."""


class TakeReview(QObject):
    """Shows the takes of one assignment, one at a time.

    Args:
        desk: Has the study and its episodes.
        stage: Where the take is replayed.
        below: Where timeline and curves are shown.
        jobs: Reads the file.
        scene_hash: Of the scene on the stage; empty without one.
        parent: Qt owner.
    """

    changed = Signal()
    """Another take is under review, or none."""

    def __init__(
        self,
        desk: StudyDesk,
        stage: Stage,
        below: Below,
        jobs: JobRunner,
        scene_hash: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._scene_hash = scene_hash
        self._shown_mode = ""
        self._desk, self._stage, self._below, self._jobs = desk, stage, below, jobs
        self.panel, self.strip = TakePanel(), ReviewStrip()
        self.playback = TakePlayback(self)
        self._assignment: AssignmentKey | None = None
        self._take: Take | None = None
        self._loaded: LoadedTake | None = None
        self._job: Job | None = None
        self._before: tuple[str, float | None] | None = None
        below.add(self.strip)
        timeline, playback = self.strip.timeline, self.playback
        playback.moved.connect(self._show_sample)
        playback.playing_changed.connect(timeline.set_playing)
        playback.speed_changed.connect(timeline.set_speed)
        timeline.moved.connect(playback.move_to)
        timeline.play_chosen.connect(playback.toggle_play)
        timeline.speed_chosen.connect(playback.set_speed)
        self.strip.plots.cursor_moved.connect(playback.move_to_time)
        self.strip.height_changed.connect(self._show_strip)
        self.panel.take_chosen.connect(self.choose_take)
        self.panel.view_chosen.connect(self.look)
        stage.view.camera_changed.connect(self._on_camera)

    @property
    def assignment(self) -> AssignmentKey | None:
        """Whose takes are under review; ``None`` while nothing is."""
        return self._assignment

    @property
    def loaded(self) -> LoadedTake | None:
        """The take that can be played; ``None`` while it is read, or cannot be."""
        return self._loaded

    def can_play(self) -> bool:
        """Whether a take is there to be played."""
        return self._loaded is not None

    def is_open(self) -> bool:
        """Whether takes are under review, readable or not."""
        return self._assignment is not None

    def show(self, key: AssignmentKey | None) -> None:
        """Review the takes of an assignment, the last one first; nothing if there are none."""
        takes = takes_of(self._desk.study, key) if key is not None else ()
        if not takes:
            self.close()
            return
        shown = self._take.key if self._take is not None else None
        take = next((take for take in takes if take.key == shown), takes[-1])
        self._assignment = key
        title = f"{take.key.participant} · {take.key.episode_id}"
        self.panel.set_takes(title, take_choices(takes), take.key.number)
        if take is not self._take or self._misses_episode(take):
            self._load(take)

    def choose_take(self, number: int) -> None:
        """Review another take of the same assignment."""
        if self._assignment is None:
            return
        for take in takes_of(self._desk.study, self._assignment):
            if take.key.number == number and take is not self._take:
                self._load(take)

    def close(self) -> None:
        """Leave the stage as it was."""
        if self._assignment is None:
            return
        self._assignment = self._take = None
        self._drop()
        if self._before is not None:
            mode, cut_z_m = self._before
            self._before = None
            self._stage.set_camera_mode(mode)
            self._stage.set_cut(cut_z_m)
        self.changed.emit()

    def look(self, mode: str) -> None:
        """Look from above, from behind, or with the driver's eyes."""
        if self._loaded is None:
            return
        self._stage.set_camera_mode(mode)
        if mode == CameraMode.TOP:
            self._stage.show_height(self._position_m()[2])
            self.frame()
        else:
            self._stage.set_cut(None)
        self._show_sample(self.playback.index)

    def frame(self) -> None:
        """Bring path, reference and goals into view."""
        if self._loaded is not None:
            self._stage.view.frame_bounds(*seen_bounds(self._path_m(), self._loaded.episode))

    def go_to_next_collision(self) -> None:
        """Go to where the next contact begins."""
        if self._loaded is not None:
            self.playback.go_to_next([m.index for m in self._loaded.track.collisions])

    def go_to_next_pause(self) -> None:
        """Go to where the next pause was made."""
        if self._loaded is not None:
            self.playback.go_to_next([m.index for m in self._loaded.track.pauses])

    def has_collisions(self) -> bool:
        """Whether anything was touched."""
        return self._loaded is not None and bool(self._loaded.track.collisions)

    def has_pauses(self) -> bool:
        """Whether the driver paused."""
        return self._loaded is not None and bool(self._loaded.track.pauses)

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Write keys on the controls: of ``play``, of the views by their modes, and ``close``."""
        self.strip.timeline.set_play_key(keys["play"])
        self.panel.set_keys(keys)

    def _misses_episode(self, take: Take) -> bool:
        """Whether the take is shown without its reference, which is at hand by now."""
        if self._loaded is None or self._loaded.episode is not None:
            return False
        return self._desk.episode(take.key.assignment.episode) is not None

    def _load(self, take: Take) -> None:
        self._drop()
        self._take = take
        self.panel.set_report(take_report(take))
        self.panel.set_state("Reading the recording …")
        episode = self._desk.episode(take.key.assignment.episode)
        file = self._desk.root / take.path
        job = self._jobs.start(
            "Reading the recording", load_take(take, file, episode, _import_plots)
        )
        self._job = job
        job.succeeded.connect(lambda loaded: self._open(job, loaded))
        job.failed.connect(lambda error: self._give_up(job, str(error)))
        job.cancelled.connect(lambda: self._give_up(job, "Reading the recording was cancelled."))
        self.changed.emit()

    def _drop(self) -> None:
        """Show no take; a reading under way is of no use any more."""
        if self._job is not None:
            job, self._job = self._job, None
            job.cancel()
        self._loaded = None
        self.playback.set_times(None)
        for layer in (_PATH, _TOUCHES, _AGENT):
            self._stage.view.set_drawing(layer, NOTHING)
        self._stage.map.set_agent(None)
        self._below.show_part(None)
        self.panel.set_state("")

    def _give_up(self, job: Job, reason: str) -> None:
        if job is self._job:
            self._job = None
            self.panel.set_state(f"This take cannot be shown: {reason}")
            self.changed.emit()

    def _open(self, job: Job, loaded: LoadedTake) -> None:
        if job is not self._job:
            return
        self._job, self._loaded = None, loaded
        track, take = loaded.track, loaded.take
        self.panel.set_state("")
        self.panel.set_report(take_report(take, loaded, self._scene_hash()))
        content = take_timeline(track, has_stopped=take.summary.has_stopped)
        self.strip.timeline.set_content(content)
        # The first curves of a window take a moment to make; the path is seen meanwhile.
        QTimer.singleShot(0, self, self._show_curves)
        view, path = self._stage.view, self._path_m()
        end = "stop" if take.summary.has_stopped else "end"
        view.set_drawing(_PATH, take_drawing(path, loaded.episode, end))
        touched = tuple(path[moment.index] for moment in track.collisions)
        view.set_drawing(_TOUCHES, touches_drawing(touched))
        self._show_strip()
        is_first = self._before is None
        if is_first:
            self._before = (str(view.camera_mode), view.cut_z)
        self.playback.set_times(track.times_s)
        self.look("top" if is_first else str(view.camera_mode))
        self.changed.emit()

    def _show_curves(self) -> None:
        if self._loaded is not None:
            track = self._loaded.track
            self.strip.plots.set_curves(take_curves(track))
            self.strip.plots.set_cursor(float(track.times_s[self.playback.index]))

    def _path_m(self) -> tuple[Vec3, ...]:
        if self._loaded is None:
            return ()
        return tuple((x, y, z) for x, y, z in self._loaded.track.positions_m.tolist())

    def _position_m(self) -> Vec3:
        return self._path_at(self.playback.index)

    def _path_at(self, index: int) -> Vec3:
        if self._loaded is None:
            return (0.0, 0.0, 0.0)
        x, y, z = self._loaded.track.positions_m[index].tolist()
        return (x, y, z)

    def _show_strip(self) -> None:
        self._below.show_part(self.strip if self._loaded is not None else None)

    def _show_sample(self, index: int) -> None:
        loaded = self._loaded
        if loaded is None:
            return
        track, view = loaded.track, self._stage.view
        self.strip.timeline.set_position(index)
        self.strip.plots.set_cursor(float(track.times_s[index]))
        position, yaw = self._path_at(index), float(track.yaws_rad[index])
        view.set_chase_pose(position, yaw, loaded.eye_height_m)
        if view.camera_mode is CameraMode.FIRST_PERSON:
            pitch = pitch_or_level_rad(track, index)
            eyes = FirstPersonCamera(position, yaw, loaded.eye_height_m, pitch)
            view.set_camera(eyes, CameraMode.FIRST_PERSON)
        self._show_body()
        cut, (low, high) = view.cut_z, _STOREY_REACH_M
        if cut is not None and not low <= cut - position[2] <= high:
            self._stage.show_height(position[2])
        self._stage.map.set_agent(position, yaw)

    def _show_body(self) -> None:
        """Draw the body, but not around the eyes that one looks with."""
        loaded, view = self._loaded, self._stage.view
        if loaded is None:
            return
        index = self.playback.index
        yaw = float(loaded.track.yaws_rad[index])
        is_inside = view.camera_mode is CameraMode.FIRST_PERSON
        body = NOTHING if is_inside else agent_drawing(loaded.profile, self._path_at(index), yaw)
        view.set_drawing(_AGENT, body)

    def _on_camera(self) -> None:
        mode = str(self._stage.view.camera_mode)
        if self._loaded is not None and mode != self._shown_mode:
            self._shown_mode = mode
            self.panel.set_view(mode)
            self._show_body()


def _import_plots() -> None:
    """Import what draws the curves, which takes a quarter of a second, in the job's thread."""
    importlib.import_module("waypost.viewers.curve_panel")
