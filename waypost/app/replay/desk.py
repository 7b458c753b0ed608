"""The runs of the open project: which there are, their rows, and every change analysts make."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, Signal

from waypost.app.shell.project_edits import edit_project, note_in_project, project_root, refuse
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, Work
from waypost.domain.causes.reason_verdicts import reason_verdicts
from waypost.domain.causes.replay_book import (
    ReplayBook,
    add_source,
    marks_of_takes,
    name_for_run,
    remove_source,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.record.study import Study
from waypost.domain.record.study_progress import counted_takes, counts_any
from waypost.domain.replay.run_rows import RunRows
from waypost.domain.traverse.judged_graph import JudgedGraph, current_labels
from waypost.metrics.registry import PROFILES
from waypost.services.jobs import Job, JobRunner
from waypost.services.judging import circumstances
from waypost.services.replay.answer_verdicts import JudgedRows, with_verdicts
from waypost.services.replay.graphs import may_use_nodes
from waypost.services.replay.loading import ReplayedEpisode
from waypost.services.replay.run_index import RowsProgress, RunIndex, index_run
from waypost.services.study.episodes import read_study_episodes
from waypost.services.study.take_index import TakeIndex, index_takes
from waypost.tables.frames import is_loaded, load

PEOPLE: Final = "Human takes"
"""Name of the takes of the project's study, which stand beside the runs of models."""

_LONG_S: Final = 5.0
"""Whoever reads for so long may sort and search what is there by then."""


class ReadRun(Protocol):
    """A run as far as it has been read."""

    rows: RunRows

    def replayed(self, episode_id: str, attempt: int = 1) -> ReplayedEpisode:
        """The replay behind a row."""


@dataclass(frozen=True, slots=True)
class OpenedRun:
    """One run of the episode at hand."""

    name: str
    """Of the run in this project."""

    shown: ReplayedEpisode

    @property
    def key(self) -> tuple[str, int]:
        """Episode and attempt."""
        return self.shown.replay.episode.episode_id, self.shown.attempt

    @property
    def which(self) -> str:
        """Which run of its episode it is, in words; empty for the only one."""
        return self.shown.which


class ReplayDesk(QObject):
    """Reads runs in the background and edits the project's book of them.

    Args:
        bench: What is open.
        jobs: Runs the reading.
        clock: Gives the time of marks.
        parent: Qt owner.
    """

    runs_changed = Signal()
    """The project has other runs."""

    rows_changed = Signal(str)
    """A run has more rows, or failed; its name."""

    episode_opened = Signal(object)
    """``tuple`` of ``OpenedRun``, in the order asked for; runs without the episode are left out."""

    episode_failed = Signal()
    """The episode asked for last could not be opened, or that was cancelled."""

    def __init__(
        self,
        bench: Workbench,
        jobs: JobRunner,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._jobs, self._clock = bench, jobs, clock
        self._indexes: dict[str, ReadRun] = {}
        self._reading: dict[str, Job] = {}
        self._failed: dict[str, str] = {}
        self._told: dict[str, RunRows] = {}
        self._asked = 0
        self._judged = JudgedRows()
        self._counted: tuple[Study | None, bool] = (None, False)
        self.whose_verdicts: Callable[[], str | None] = lambda: None
        """Gives the analyst whose verdicts on reasons count; ``None`` for everyone's."""
        bench.document_replaced.connect(self._on_document)
        bench.scene_replaced.connect(self._on_scene)
        bench.project_changed.connect(self._on_changed)

    @property
    def book(self) -> ReplayBook:
        """As it is now."""
        return self._bench.project.replay

    @property
    def root(self) -> Path:
        """Folder that paths resolve against."""
        return project_root(self._bench)

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that can be replayed: the runs, and the takes of people if any count."""
        study, sources = self._bench.project.study, tuple(self.book.sources)
        if study is not self._counted[0]:
            # Asked many times over, and a whole split has thousands of takes.
            self._counted = (study, counts_any(study))
        return (*sources, PEOPLE) if self._counted[1] and PEOPLE not in sources else sources

    def rows(self, name: str) -> RunRows | None:
        """The rows of a run so far, with the verdicts that count; ``None`` before the first."""
        index = self._indexes.get(name)
        if index is None or not _needs_labels(index.rows):
            return None if index is None else index.rows
        return self._judged.of(name, index.rows, self.book, self.whose_verdicts())

    def edition(self, name: str) -> object:
        """What a run was read into: another object when it was read again."""
        return self._indexes.get(name)

    def judged(self, run: OpenedRun) -> OpenedRun:
        """A run of an episode with the verdicts that count; give it as it was opened."""
        verdicts = reason_verdicts(self.book, run.name, self.whose_verdicts())
        return replace(run, shown=with_verdicts(run.shown, verdicts))

    def failure(self, name: str) -> str:
        """Why a run cannot be read; empty if it can."""
        return self._failed.get(name, "")

    def problems(self, name: str) -> tuple[str, ...]:
        """What was left out of a run that has been read, a sentence each."""
        index = self._indexes.get(name)
        if isinstance(index, TakeIndex):
            return index.warnings
        if not isinstance(index, RunIndex):
            return ()
        # Of runs and of episodes: both files are read into one log.
        lost = index.coverage.get("unreadable", 0)
        foreign = index.coverage.get("foreign", 0)
        told = (
            (lost, "record", "of results or annotations could not be read"),
            (foreign, "run", "of episodes that the annotations do not have"),
        )
        sentences = (f"{counted(count, noun)} {words}" for count, noun, words in told if count)
        return (*sentences, *index.warnings)

    def is_reading(self, name: str) -> bool:
        """Whether rows of a run are still coming."""
        return name in self._reading

    def source_to_read(self, name: str) -> RunSource | None:
        """A run of the project as readers take it; ``None`` for takes of people."""
        kept = self.book.sources.get(name)
        if kept is None:
            return None
        source = kept.under(self.root)
        nodes = self._nodes() if may_use_nodes(source.connectivity) else None
        return replace(source, nodes=nodes)

    def _nodes(self) -> JudgedGraph:
        """Graph and labels of the project, without labels of another scene or agent."""
        project = self._bench.project
        labels = current_labels(project.labels, circumstances(project, self._bench.scene_hash))
        return JudgedGraph(project.graph, labels)

    def pictures_folder(self, name: str) -> Path | None:
        """Where a run's pictures are; ``None`` if it has none."""
        source = self.book.sources.get(name)
        return source.under(self.root).pictures if source else None

    def pictures_to_borrow(self, name: str) -> Path | None:
        """Pictures of the models' runs, for people's takes, which cannot be given any."""
        if name in self.book.sources:
            return None
        folders = (self.pictures_folder(other) for other in self.book.sources)
        return next((folder for folder in folders if folder is not None), None)

    def add(self, source: RunSource) -> str:
        """Put a run into the project.

        Returns:
            The name it has now; empty if it could not be added.
        """
        name = name_for_run(self.book, source.name)
        kept = replace(source.kept_in(self.root), name=name)
        is_added = self.change(f"Add run {name}", lambda book, _: add_source(book, kept))
        return name if is_added else ""

    def remove(self, name: str) -> None:
        """Take a run out of the project; its file stays, and so does what was said about it."""
        self.change(f"Remove run {name}", lambda book, _: remove_source(book, name))

    def change(
        self,
        text: str,
        edit: Callable[[ReplayBook, datetime], ReplayBook],
        merge_key: object | None = None,
    ) -> bool:
        """Make an edit of the book; the edit gets the book and the time.

        Returns:
            Whether it was possible; the window is told why not.
        """
        return edit_project(
            self._bench,
            text,
            lambda project: replace(project, replay=edit(project.replay, self._clock())),
            merge_key,
        )

    def read(self, name: str) -> None:
        """Begin to read a run unless that has been done; its rows come by ``rows_changed``."""
        if name not in self.names or name in self._indexes or name in self._reading:
            return
        self._failed.pop(name, None)
        source = self.source_to_read(name)
        if source is None:
            work: Work[Any] = _index_people(self._bench.project.study, self.root)
        else:
            work = index_run(source)
        job = self._jobs.start(f"Reading {name}", _with_tables(work))
        self._reading[name] = job
        job.progressed.connect(lambda progress: self._on_progress(name, job, progress))
        job.succeeded.connect(lambda index: self._on_index(name, job, index))
        job.failed.connect(lambda error: self._on_failed(name, job, error))
        job.cancelled.connect(lambda: self._on_failed(name, job, None))

    def open_episode(
        self, names: tuple[str, ...], episode_id: str, attempt: int = 1, scene_id: str = ""
    ) -> None:
        """Fetch one episode of some runs; ``episode_opened`` brings those asked for last.

        Runs without this attempt bring the last one before it; see ``RunRows.find_beside``.
        """
        self._asked += 1
        asked = self._asked
        indexes = {name: self._indexes[name] for name in names if name in self._indexes}
        job = self._jobs.start(
            "Opening the episode", _opening(indexes, episode_id, attempt, scene_id)
        )

        def take(found: tuple[OpenedRun, ...]) -> None:
            if asked == self._asked:
                self.episode_opened.emit(found)

        def fail(error: Exception | None) -> None:
            if asked == self._asked:
                if error is not None:
                    refuse(self._bench, error)
                self.episode_failed.emit()

        job.succeeded.connect(take)
        job.failed.connect(fail)
        job.cancelled.connect(lambda: fail(None))

    def _on_progress(self, name: str, job: Job, progress: Progress) -> None:
        is_known = self._reading.get(name) is job
        if is_known and isinstance(progress, RowsProgress) and progress.index is not None:
            self._indexes[name] = progress.index
            rows = progress.index.rows
            if self._told.get(name) is not rows:
                self._told[name] = rows
                self.rows_changed.emit(name)

    def _on_index(self, name: str, job: Job, index: ReadRun) -> None:
        if self._reading.get(name) is job:
            del self._reading[name]
            self._indexes[name] = index
            if isinstance(index, TakeIndex):
                self._give_marks_to_takes(name, index.rows)
            self.rows_changed.emit(name)

    def _give_marks_to_takes(self, name: str, rows: RunRows) -> None:
        takes: dict[str, list[str]] = {}
        for row in rows.rows:
            takes.setdefault(row.episode_id, []).append(row.chart_id)
        only = {episode_id: ids[0] for episode_id, ids in takes.items() if len(ids) == 1}
        note_in_project(
            self._bench,
            "Give marks to takes",
            lambda project: replace(project, replay=marks_of_takes(project.replay, name, only)),
        )

    def _on_failed(self, name: str, job: Job, error: Exception | None) -> None:
        # Another run of this name may be read by now, of the next project for example.
        if self._reading.get(name) is not job:
            return
        del self._reading[name]
        rows = self.rows(name)
        # All rows may be there by now, and only their replays not yet kept for the next time.
        if error is not None or rows is None or not rows.is_whole:
            self._failed[name] = "Reading it was cancelled." if error is None else str(error)
        if error is not None:
            refuse(self._bench, error)
        self.rows_changed.emit(name)

    def _forget(self, name: str) -> None:
        job = self._reading.pop(name, None)
        if job is not None:
            job.cancel()
        self._indexes.pop(name, None)
        self._told.pop(name, None)
        self._judged.forget(name)
        self._failed.pop(name, None)

    def _forget_those_on_nodes(self, *, by_labels: bool = False) -> None:
        stale = [
            name
            for name, index in self._indexes.items()
            if isinstance(index, RunIndex)
            and index.stands_on_nodes
            and (not by_labels or _needs_labels(index.rows))
        ]
        # Of those without a row it is not known yet what they go over.
        stale += [
            name
            for name in self._reading
            if name not in self._indexes
            and (source := self.source_to_read(name)) is not None
            and source.nodes is not None
        ]
        for name in stale:
            self._forget(name)
        if stale:
            self.runs_changed.emit()

    def _on_scene(self) -> None:
        """Labels of another scene are stale, or hold again."""
        if self._bench.project.labels:
            self._forget_those_on_nodes(by_labels=True)

    def _on_document(self) -> None:
        self._asked += 1
        for name in {*self._indexes, *self._reading, *self._failed}:
            self._forget(name)
        self.runs_changed.emit()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.study is not new.study and counted_takes(old.study) != counted_takes(new.study):
            self._forget(PEOPLE)
            self.runs_changed.emit()
        if old.graph is not new.graph:
            self._forget_those_on_nodes()
        elif old.labels is not new.labels or old.agents is not new.agents:
            self._forget_those_on_nodes(by_labels=True)
        if old.replay.sources is new.replay.sources:
            return
        for name, source in old.replay.sources.items():
            if new.replay.sources.get(name) != source:
                self._forget(name)
        self.runs_changed.emit()


def _needs_labels(rows: RunRows) -> bool:
    profile = PROFILES.get(rows.profile_key)
    return profile is not None and profile.needs_labels


def _with_tables(work: Work[ReadRun]) -> Work[ReadRun]:
    """Read a run, and load what sorts and searches its rows: when they are shown, or it takes long.

    Loading takes as long as to read some hundred runs, so that it waits where it can.
    """
    late_s = time.monotonic() + _LONG_S
    try:
        while True:
            yield next(work)
            if time.monotonic() > late_s:
                load()
    except StopIteration as end:
        index: ReadRun = end.value
    finally:
        work.close()
    if not is_loaded():
        yield RowsProgress(1, 1, "Preparing the table", index if type(index) is RunIndex else None)
        load()
    return index


def _index_people(study: Study, root: Path) -> Work[TakeIndex]:
    episodes = yield from read_study_episodes(study, root)
    return (yield from index_takes(study, root, episodes, PEOPLE))


def _opening(
    indexes: dict[str, ReadRun], episode_id: str, attempt: int, scene_id: str
) -> Work[tuple[OpenedRun, ...]]:
    opened: list[OpenedRun] = []
    for done, (name, index) in enumerate(indexes.items()):
        if done:
            yield Progress(done, len(indexes), f"{name}: episode {episode_id}")
        row = index.rows.find_beside(episode_id, attempt, scene_id)
        if row is not None:
            opened.append(OpenedRun(name, index.replayed(*row.key)))
    return tuple(opened)
