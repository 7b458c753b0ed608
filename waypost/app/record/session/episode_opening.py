"""Brings an episode to the stage: its file is read, its scene open, its start known."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from waypost.app.record.study_desk import StudyDesk
from waypost.app.record.study_scenes import StudyScenes
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.record.recording import start_pose
from waypost.domain.record.study import EpisodeKey


class EpisodeOpening(QObject):
    """One episode at a time; answers at once or when files have been read.

    Args:
        bench: What is open.
        desk: Has the episodes.
        parent: Qt owner.
    """

    opened = Signal(object)
    """The `Episode`, with its scene on the stage and a start pose."""

    waited = Signal(str)
    """It takes a while; one sentence says for what."""

    refused = Signal(str)
    """It cannot be shown; one sentence says why."""

    def __init__(self, bench: Workbench, desk: StudyDesk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._key: EpisodeKey | None = None
        self.scenes = StudyScenes(bench, desk, self)
        desk.caught_up.connect(self._go_on)
        self.scenes.shown.connect(self._go_on)
        self.scenes.failed.connect(self._refuse)
        self.scenes.progressed.connect(self._on_progress)

    def open(self, key: EpisodeKey) -> None:
        """Bring an episode to the stage; one of the signals follows, maybe at once."""
        self._key = key
        self._go_on()

    def drop(self) -> None:
        """Wait for nothing any more."""
        self._key = None

    def _go_on(self) -> None:
        key = self._key
        if key is None:
            return
        if not self._desk.is_ready:
            self.waited.emit("The episodes are being read …")
            return
        episode = self._desk.episode(key)
        if episode is None:
            notes = " ".join(self._desk.notes)
            self._refuse(notes or "The file of the episodes does not hold it.")
        elif not self.scenes.is_shown(key.scene_id):
            self.waited.emit(f"The scene {key.scene_id} is being opened …")
            self.scenes.open(key.scene_id)
        else:
            try:
                start_pose(episode)
            except InputError as error:
                self._refuse(self._desk.scene_note(key.scene_id) or str(error))
                return
            self._key = None
            self.opened.emit(episode)

    def _refuse(self, sentence: str) -> None:
        if self._key is not None:
            self._key = None
            self.refused.emit(sentence)

    def _on_progress(self, progress: Progress) -> None:
        if self._key is not None:
            share = "" if progress.fraction is None else f" ({progress.fraction:.0%})"
            self.waited.emit(f"{progress.message}{share}")
