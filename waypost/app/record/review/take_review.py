"""The review of one take: stage, timeline and curves with one cursor, facts beside them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from waypost.annotators.record.take_plots import take_curves, take_timeline
from waypost.app.record.review.review_frames import ReviewFrames
from waypost.app.record.review.review_strip import ReviewStrip
from waypost.app.record.review.take_on_stage import TakeOnStage
from waypost.app.record.review.take_panel import TakePanel
from waypost.app.record.review.take_scores import offered_takes, take_report
from waypost.app.record.study_desk import StudyDesk
from waypost.app.record.study_scenes import StudyScenes
from waypost.app.shell.middle import LowerStrip
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.domain.record.study import AssignmentKey, Take, takes_of
from waypost.services.jobs import Job, JobRunner
from waypost.services.replay.playback import Playback
from waypost.services.study.take_loading import LoadedTake, load_take


class TakeReview(QObject):
    """Shows the takes of one assignment, one at a time, in the scene they were driven in.

    Args:
        bench: What is open.
        desk: Has the study and its episodes.
        stage: Where the take is replayed.
        below: Where timeline and curves are shown.
        jobs: Reads the file.
        parent: Qt owner.
    """

    changed = Signal()
    """Another take is under review, or none."""

    def __init__(
        self,
        bench: Workbench,
        desk: StudyDesk,
        stage: Stage,
        below: LowerStrip,
        jobs: JobRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._desk, self._below, self._jobs = bench, desk, below, jobs
        self._scenes = StudyScenes(bench, desk, self)
        self._on_stage, self.frames = TakeOnStage(stage, self), ReviewFrames(stage, self)
        self.panel, self.strip = TakePanel(), ReviewStrip()
        self.playback = Playback(self)
        self._assignment: AssignmentKey | None = None
        self._take: Take | None = None
        self._loaded: LoadedTake | None = None
        self._job: Job | None = None
        self._scene_problem = ""
        below.add(self.strip)
        self._connect()

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
        self.panel.set_takes(title, offered_takes(takes), take.key.number)
        before, self._take = self._take, take
        is_same = before is not None and _file_of(before) == _file_of(take)
        if not is_same or self._misses_episode(take):
            self._load(take)
        elif take is not before:
            # Excluded, say: the file, and where one is in it, stay.
            self._show_report(take)

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
        self._scenes.restore()
        self._on_stage.give_back()
        self.changed.emit()

    def look(self, mode: str) -> None:
        """Look from above, from behind, or with the driver's eyes."""
        self._on_stage.look(mode)

    def frame(self) -> None:
        """Bring path, reference and goals into view."""
        self._on_stage.frame()

    def go_to_next_collision(self) -> None:
        """Go to where the next contact begins."""
        if self._loaded is not None:
            self.playback.go_to_next_of([m.index for m in self._loaded.track.collisions])

    def go_to_next_pause(self) -> None:
        """Go to where the next pause was made."""
        if self._loaded is not None:
            self.playback.go_to_next_of([m.index for m in self._loaded.track.pauses])

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

    def _connect(self) -> None:
        timeline, playback = self.strip.timeline, self.playback
        playback.moved.connect(self._show_sample)
        playback.playing_changed.connect(timeline.set_playing)
        playback.speed_changed.connect(timeline.set_speed)
        timeline.moved.connect(playback.move_to)
        timeline.play_chosen.connect(playback.toggle_play)
        timeline.speed_chosen.connect(playback.set_speed)
        self.strip.plots.cursor_moved.connect(playback.move_to_time)
        self.strip.height_changed.connect(self._fit_strip)
        self.panel.take_chosen.connect(self.choose_take)
        self.panel.view_chosen.connect(self.look)
        self._on_stage.view_changed.connect(self.panel.set_view)
        self._scenes.shown.connect(self._on_scene_ready)
        self._scenes.failed.connect(self._on_scene_lacking)
        # The window gives the new scene to the stage in the same moment, maybe after this.
        self._bench.scene_replaced.connect(
            lambda: QTimer.singleShot(0, self, self._on_stage.look_again)
        )

    def _misses_episode(self, take: Take) -> bool:
        """Whether the take is shown without its reference, which is at hand by now."""
        if self._loaded is None or self._loaded.episode is not None:
            return False
        return self._desk.episode(take.key.assignment.episode) is not None

    def _load(self, take: Take) -> None:
        self._drop()
        self._take, self._scene_problem = take, ""
        self._show_report(take)
        self._on_stage.take_over()
        scene_id = take.key.scene_id
        if self._bench.scene is None or self._scenes.is_shown(scene_id):
            self._read(take)
        else:
            self.panel.set_state(f"The scene {scene_id} is being opened …")
            self._scenes.open(scene_id)
        self.changed.emit()

    def _on_scene_ready(self) -> None:
        if self._take is not None and self._job is None and self._loaded is None:
            self._read(self._take)

    def _on_scene_lacking(self, sentence: str) -> None:
        self._scene_problem = sentence
        self._on_scene_ready()

    def _read(self, take: Take) -> None:
        self.panel.set_state("Reading the recording …")
        episode = self._desk.episode(take.key.assignment.episode)
        work = load_take(take, self._desk.root / take.path, episode)
        job = self._jobs.start("Reading the recording", work)
        self._job = job
        job.succeeded.connect(lambda loaded: self._open(job, loaded))
        job.failed.connect(lambda error: self._give_up(job, str(error)))
        job.cancelled.connect(lambda: self._give_up(job, "Reading the recording was cancelled."))

    def _drop(self) -> None:
        """Show no take; a reading under way is of no use any more."""
        if self._job is not None:
            job, self._job = self._job, None
            job.cancel()
        self._loaded = None
        self.playback.set_times(None)
        self._on_stage.clear()
        self.frames.show_take(None)
        self._show_strip()
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
        track = loaded.track
        self.panel.set_state(self._scene_problem)
        self._show_report(loaded.take)
        content = take_timeline(track, has_stopped=loaded.take.summary.has_stopped)
        self.strip.timeline.set_content(content)
        # The first curves of a window take a moment to make; the path is seen meanwhile.
        QTimer.singleShot(0, self, self._show_curves)
        self._show_strip()
        self.frames.show_take(loaded.frames)
        self.playback.set_times(track.times_s)
        self._on_stage.show(loaded, is_in_scene=not self._scene_problem)
        self.changed.emit()

    def _show_report(self, take: Take) -> None:
        shown = self._bench.scene.content_hash if self._bench.scene else ""
        self.panel.set_report(take_report(take, self._loaded, shown))

    def _show_curves(self) -> None:
        if self._loaded is not None:
            track = self._loaded.track
            self.strip.plots.set_curves(take_curves(track))
            self.strip.plots.set_cursor(float(track.times_s[self.playback.index]))

    def _show_strip(self) -> None:
        self._below.show_part(self.strip if self._loaded is not None else None)

    def _fit_strip(self) -> None:
        # Out of sight, another workspace has the place below.
        if self.strip.isVisible():
            self._show_strip()

    def _show_sample(self, index: int) -> None:
        if self._loaded is not None:
            self.strip.timeline.set_position(index)
            self.strip.plots.set_cursor(float(self._loaded.track.times_s[index]))
            self._on_stage.show_sample(index)
            self.frames.show_sample(index)


def _file_of(take: Take) -> tuple[object, ...]:
    return (take.key, take.path, take.content_hash)
