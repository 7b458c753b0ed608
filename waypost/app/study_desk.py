"""Every change of the open project's study, and what its recordings come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from waypost.app.study_episodes import StudyEpisodes
from waypost.app.take_recorder import TakeEnd
from waypost.app.workbench import Workbench
from waypost.domain.episode import Episode
from waypost.domain.errors import EditError
from waypost.domain.progress import Progress
from waypost.domain.study import AssignmentKey, EpisodeKey, Study, Take
from waypost.domain.study_edits import (
    abandon_episode,
    add_take,
    adopt_takes,
    finish_episode,
)
from waypost.services.jobs import JobRunner, Work
from waypost.services.study_takes import EpisodeOf, find_new_takes, take_of_file

TAKES_FOLDER = "takes"
"""Beside the project."""


class StudyDesk(QObject):
    """The study of the open project and the only way in which the window changes it.

    Args:
        bench: What is open.
        jobs: Runs the scoring.
        clock: Gives the time of every edit.
        parent: Qt owner.
    """

    settled = Signal(object)
    """The `Take` that was added, or ``None`` if its file could not be used."""

    def __init__(
        self,
        bench: Workbench,
        jobs: JobRunner,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench = bench
        self._jobs = jobs
        self._clock = clock
        self._episodes: StudyEpisodes | None = None
        self._episodes_of: object = None

    @property
    def study(self) -> Study:
        """As it is now."""
        return self._bench.project.study

    @property
    def root(self) -> Path:
        """Folder that paths resolve against."""
        document = self._bench.document
        return document.store.root if document else Path()

    @property
    def takes_folder(self) -> Path:
        """Where recordings are written."""
        return self.root / TAKES_FOLDER

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong with the file of the episodes."""
        return tuple(self._opened_episodes().notes)

    def episode(self, key: EpisodeKey) -> Episode | None:
        """The full episode; ``None`` with `notes` if its file is not at hand."""
        return self._opened_episodes().find(key)

    def sign_as(self, author: str) -> None:
        """Write this author into the history of every edit from now on."""
        if self._bench.document:
            self._bench.document.author = author

    def change(self, text: str, edit: Callable[[Study, str], Study]) -> bool:
        """Make an edit of the study; the edit gets the study and the time.

        Returns:
            Whether it was possible; the window is told why not.
        """
        document = self._bench.document
        if document is None:
            return False
        try:
            study = edit(document.project.study, self._clock().isoformat())
        except EditError as error:
            sentence = str(error)
            self._bench.refused.emit(f"{sentence[:1].upper()}{sentence[1:]}.")
            return False
        document.edit(text, replace(document.project, study=study))
        return True

    def adopt(self) -> int:
        """Take in recordings that a crash kept the project from hearing of.

        Returns:
            How many there were.
        """
        if self.study.plan is None or not self.takes_folder.is_dir():
            return 0
        found, problems = find_new_takes(self.study, self.root, self.takes_folder, self.episode)
        for problem in problems:
            self._bench.refused.emit(problem)
        if found:
            self.change("Adopt takes", lambda study, now: adopt_takes(study, found, now))
        return len(found)

    def settle(self, key: AssignmentKey, end: TakeEnd) -> None:
        """Score a take and enter it; `settled` tells when that is done."""
        if self._bench.document is None:
            # The window is closing; the next opening adopts the take.
            return
        if end.file is None:
            self.settled.emit(None)
            return
        work = _scoring(self.study, self.root, end.file, self.episode)
        job = self._jobs.start("Scoring the recording", work)
        job.succeeded.connect(lambda take: self._enter(key, end, take))
        job.failed.connect(self._on_unusable)
        job.cancelled.connect(lambda: self.settled.emit(None))

    def _enter(self, key: AssignmentKey, end: TakeEnd, take: Take) -> None:
        def edit(study: Study, now: str) -> Study:
            if end.given_up and take.summary.is_complete:
                return abandon_episode(study, key, end.given_up, now, take)
            if take.summary.is_complete:
                return finish_episode(study, take, now)
            return add_take(study, take)

        is_entered = self.change("Record a take", edit)
        self.settled.emit(take if is_entered else None)

    def _on_unusable(self, error: Exception) -> None:
        self._bench.refused.emit(f"The recording could not be scored: {error}")
        self.settled.emit(None)

    def _opened_episodes(self) -> StudyEpisodes:
        if self._episodes is None or self._episodes_of is not self.study.episodes:
            self._episodes_of = self.study.episodes
            self._episodes = StudyEpisodes(self.study, self.root)
        return self._episodes


def _scoring(study: Study, root: Path, file: Path, episode_of: EpisodeOf) -> Work[Take]:
    yield Progress(0.0, 1.0, "Reading the recording")
    return take_of_file(study, root, file, episode_of)
