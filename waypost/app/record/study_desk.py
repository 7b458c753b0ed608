"""Every change of the open project's study, and what its recordings come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from waypost.app.record.take_recorder import TakeEnd
from waypost.app.shell.project_edits import edit_project, note_in_project, project_root
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.episode import Episode
from waypost.domain.project import Project
from waypost.domain.record.study import AssignmentKey, EpisodeKey, Study, Take, TakeKey
from waypost.domain.record.study_edits import (
    abandon_episode,
    add_take,
    adopt_takes,
    finish_episode,
    know_paths,
    put_scores,
    same_recording,
)
from waypost.io.datasets.instruction_audio import find_instruction_audio
from waypost.services.jobs import Job, JobRunner
from waypost.services.study.episodes import StudyEpisodes, read_study_episodes, unknown_paths
from waypost.services.study.making import stated_path
from waypost.services.study.scoring_anew import score_anew
from waypost.services.study.takes import search_new_takes, take_of_file

TAKES_FOLDER = "takes"
"""Beside the project."""


@dataclass(frozen=True, slots=True)
class _CaughtUp:
    """What the files of a study came to."""

    episodes: StudyEpisodes
    takes: tuple[Take, ...] = ()
    scored: Mapping[TakeKey, Take] = field(default_factory=dict)
    """Takes of the study that have other scores now."""

    paths: Mapping[EpisodeKey, str] = field(default_factory=dict)
    """Which episodes lead along the same path, where the study did not know."""

    problems: tuple[str, ...] = ()


class StudyDesk(QObject):
    """The study of the open project and the only way in which the window changes it.

    Args:
        bench: What is open.
        jobs: Reads and scores.
        clock: Gives the time of every edit.
        parent: Qt owner.
    """

    settled = Signal(object)
    """The `Take` that was added, or ``None`` if its file could not be used."""

    caught_up = Signal()
    """Episodes were read and recordings adopted, or it failed; `is_ready` is true."""

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
        self._episodes = StudyEpisodes()
        self._catching: Job | None = None
        self._is_caught_up = False
        bench.project_changed.connect(self._on_changed)

    @property
    def study(self) -> Study:
        """As it is now."""
        return self._bench.project.study

    @property
    def root(self) -> Path:
        """Folder that paths resolve against."""
        return project_root(self._bench)

    @property
    def takes_folder(self) -> Path:
        """Where recordings are written."""
        return self.root / TAKES_FOLDER

    @property
    def is_ready(self) -> bool:
        """Whether the episodes are at hand, as far as they can be."""
        return self._catching is None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong with the file of the episodes."""
        return self._episodes.notes

    def episode(self, key: EpisodeKey) -> Episode | None:
        """The full episode; ``None`` with `notes` if its file is not at hand."""
        return self._episodes.find(key)

    def audio_of(self, episode: Episode) -> Path | None:
        """The file in which the instruction of an episode is spoken, if there is one."""
        rules = self.study.rules
        file = (
            stated_path(self.root, rules.episodes_path) if rules and rules.episodes_path else None
        )
        return None if file is None else find_instruction_audio(episode, file)

    def scene_note(self, scene_id: str) -> str:
        """Why the episodes of a scene have no place on its graph; empty if they have."""
        return self._episodes.scene_notes.get(scene_id, "")

    def sign_as(self, author: str) -> None:
        """Write this author into the history of every edit from now on."""
        if self._bench.document:
            self._bench.document.author = author

    def change(self, text: str, edit: Callable[[Study, str], Study]) -> bool:
        """Make an edit of the study; the edit gets the study and the time.

        Returns:
            Whether it was possible; the window is told why not.
        """
        return edit_project(
            self._bench,
            text,
            lambda project: replace(project, study=edit(project.study, self._clock().isoformat())),
        )

    def catch_up(self) -> None:
        """Read the episodes and take in recordings that a crash kept the project from hearing of.

        A job does it; `caught_up` tells when it has.
        """
        if self._catching is not None:
            self._catching.cancel()
            self._catching = None
        self._episodes, self._is_caught_up = StudyEpisodes(), False
        document = self._bench.document
        if document is None or self.study.rules is None:
            return
        work = _catching_up(self.study, self.root, self.takes_folder)
        job = self._jobs.start("Reading the episodes of the study", work)
        self._catching = job
        job.succeeded.connect(lambda found: self._take_in(job, found))
        job.failed.connect(lambda error: self._give_up(job, str(error)))
        job.cancelled.connect(lambda: self._give_up(job, "Reading the episodes was cancelled."))

    def catch_up_if_needed(self) -> None:
        """Read the episodes if that did not succeed before."""
        if self.is_ready and not self._is_caught_up:
            self.catch_up()

    def settle(self, key: AssignmentKey, end: TakeEnd) -> None:
        """Score a take and enter it; `settled` tells when that is done."""
        document = self._bench.document
        if document is None:
            # The window is closing; the next opening adopts the take.
            return
        if end.file is None:
            own_id = key.episode.episode_id
            self._bench.refused.emit(f"{own_id} could not be recorded: {end.failure.rstrip('.')}.")
            self.settled.emit(None)
            return
        work = _scoring(self.study, self.root, end.file, self._episodes)
        job = self._jobs.start("Scoring the recording", work)

        def enter(take: Take) -> None:
            # Another project is open by now; the next opening of this one adopts the take.
            if self._bench.document is document:
                self._enter(key, end, take)

        job.succeeded.connect(enter)
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
        self.settled.emit(same_recording(self.study, take) if is_entered else None)

    def _on_unusable(self, error: Exception) -> None:
        self._bench.refused.emit(f"The recording could not be scored: {error}")
        self.settled.emit(None)

    def _on_changed(self, old: Project, new: Project) -> None:
        before, after = old.study, new.study
        if before.episodes.keys() != after.episodes.keys() or before.rules != after.rules:
            self.catch_up()

    def _take_in(self, job: Job, found: _CaughtUp) -> None:
        if job is not self._catching:
            return
        self._catching, self._episodes, self._is_caught_up = None, found.episodes, True
        for problem in found.problems:
            self._bench.refused.emit(problem)
        if found.takes:
            self._adopt(found.takes)
        if found.paths:
            self._note("Compare paths", lambda study: know_paths(study, found.paths))
        if found.scored:
            self._note("Score takes", lambda study: put_scores(study, found.scored))
        self.caught_up.emit()

    def _adopt(self, takes: tuple[Take, ...]) -> None:
        text, now = "Adopt takes", self._clock().isoformat()
        document = self._bench.document
        if document is not None and document.store.is_read_only:
            # They are found at every opening, and there is nothing to take back.
            self._note(text, lambda study: adopt_takes(study, takes, now))
        else:
            self.change(text, lambda study, now: adopt_takes(study, takes, now))

    def _note(self, text: str, found: Callable[[Study], Study]) -> None:
        note_in_project(
            self._bench, text, lambda project: replace(project, study=found(project.study))
        )

    def _give_up(self, job: Job, reason: str) -> None:
        if job is self._catching:
            self._catching, self._episodes = None, StudyEpisodes(notes=(reason,))
            self.caught_up.emit()


def _catching_up(study: Study, root: Path, folder: Path) -> Work[_CaughtUp]:
    episodes = yield from read_study_episodes(study, root)
    scored = yield from score_anew(study, root, episodes)
    paths = unknown_paths(study, episodes)
    if not folder.is_dir():
        return _CaughtUp(episodes, scored=scored, paths=paths)
    takes, problems = yield from search_new_takes(
        study, root, folder, episodes.find, episodes.scenery_of
    )
    return _CaughtUp(episodes, takes, scored, paths, problems)


def _scoring(study: Study, root: Path, file: Path, episodes: StudyEpisodes) -> Work[Take]:
    yield Progress(0.0, 1.0, "Reading the recording")
    return take_of_file(study, root, file, episodes.find, episodes.scenery_of)
