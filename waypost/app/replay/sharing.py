"""Sharing from the window: an episode as picture or film, a run as report or table."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from waypost.app.replay.cause_marking import ReplayCauses
from waypost.app.replay.desk import PEOPLE, ReplayDesk
from waypost.app.replay.episode import EpisodeViews
from waypost.app.replay.scene import ReplayScene
from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.shell.project_edits import refuse
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.run_source import RunSource
from waypost.domain.record.study import Study
from waypost.domain.replay.run_rows import RunRows
from waypost.io.taxonomy_files import shipped_taxonomies
from waypost.report.analysis import RunAnalysis, analysis_of
from waypost.report.page import MOST_IN_FULL, MOST_STEPS, write_report
from waypost.report.share import SharedFiles, ShareRequest, share_episode
from waypost.report.step_pictures import NO_PICTURES, step_pictures
from waypost.report.strip_making import opened_strips
from waypost.services.jobs import JobRunner
from waypost.services.replay.answer_verdicts import run_with_verdicts
from waypost.services.replay.loading import replay_all
from waypost.services.study.episodes import read_study_episodes
from waypost.services.study.take_run import replay_takes
from waypost.tables.episode_table import EpisodeCauses, write_episode_table
from waypost.widgets.folder_dialog import FolderDialog

T = TypeVar("T")

WHOLE, STEP, GIF, FILM = "whole", "step", "gif", "film"
EPISODE_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    WHOLE: ("Picture of the whole run (*.png)", ".png"),
    STEP: ("Picture up to this step (*.png)", ".png"),
    GIF: ("Moving picture (*.gif)", ".gif"),
    FILM: ("Film (*.mp4)", ".mp4"),
}
"""What an episode can be shared as → how that is asked for, and how the file ends."""

_TABLES: Final = {"CSV (*.csv)": ".csv", "Parquet (*.parquet)": ".parquet"}
_REPORT: Final = "report.html"
_ENDING: Final = re.compile(r"\.[a-z][a-z0-9]{0,7}")


class ShownReplay(Protocol):
    """What sharing needs of the workspace."""

    desk: ReplayDesk
    views: EpisodeViews
    scene: ReplayScene
    causes: ReplayCauses
    table: EpisodeTable

    @property
    def chosen_runs(self) -> tuple[str, ...]:
        """Names of the chosen runs, the leading one first."""


class ReplaySharing(QObject):
    """Asks where to write, writes in the background and says what was written.

    Args:
        bench: What is open.
        replay: What is shown.
        jobs: Runs the writing.
        window: Owner of the dialogs.
    """

    told = Signal(str)
    """One sentence about what was written."""

    def __init__(
        self, bench: Workbench, replay: ShownReplay, jobs: JobRunner, window: QWidget
    ) -> None:
        super().__init__(window)
        self._bench, self._replay, self._jobs, self._window = bench, replay, jobs, window

    def ask_episode(self) -> None:
        """Ask for a file and write the episode at hand, by the kind and ending chosen."""
        run = self._replay.views.run
        if run is None:
            return
        episode_id, _ = run.key
        path, chosen = self._ask_file(
            "Share the episode",
            f"{_plain(run.name)} {_plain(episode_id)}.png",
            dict(EPISODE_KINDS.values()),
        )
        if path is not None:
            is_step = chosen == EPISODE_KINDS[STEP][0]
            self.share_episode(path, self._replay.views.cursor.step if is_step else None)

    def share_episode(self, path: Path, step: int | None = None) -> None:
        """Write the episode at hand as the ending of a name says; a picture up to a step."""
        run = self._replay.views.run
        if run is None:
            return
        is_here = self._replay.scene.can_show(run.shown.replay)
        request = ShareRequest(
            run.shown,
            path,
            run.name,
            step if path.suffix.lower() == ".png" else None,
            background=self._bench.prepared if is_here else None,
        )
        work = _sharing(request, self._replay.desk.pictures_folder(run.name))
        self._start(f"Sharing episode {run.key[0]}", work, lambda shared: shared.message)

    def ask_report(self) -> None:
        """Ask for a folder, there or not, and write the report of the leading run into it."""
        if not self._replay.chosen_runs:
            return
        proposed = Path(self._folder()) / f"{_plain(self._replay.chosen_runs[0])} report"
        chosen = FolderDialog.ask(self._window, "Folder for the report", proposed)
        if chosen is not None and self._may_overwrite(chosen / _REPORT):
            self.write_report(chosen)

    def write_report(self, folder: Path) -> None:
        """Write the report of the leading run, with its pictures and what people said."""
        names = self._replay.chosen_runs
        if not names:
            return
        name = names[0]
        source = self._replay.desk.source_to_read(name)
        sight = self._replay.causes.sight
        book = self._replay.desk.book
        analysis = analysis_of(book, shipped_taxonomies(), name, sight.counted)
        if source is None:
            study = self._bench.project.study
            work = _reporting_people(folder, study, self._replay.desk.root, analysis)
        else:
            work = _reporting(folder, source, analysis)
        self._start(f"Report of {name}", work, lambda path: _told(path, name, analysis))

    def ask_table(self) -> None:
        """Ask for a file and write the episodes that the table shows."""
        if self._rows() is None:
            return
        name = f"{_plain(self._replay.chosen_runs[0])}.csv"
        path, _ = self._ask_file("Table of the run", name, _TABLES)
        if path is not None:
            self.write_table(path)

    def write_table(self, path: Path) -> None:
        """Write the episodes of the leading run that search and filters leave."""
        rows = self._rows()
        if rows is None:
            return
        model = self._replay.table.model
        shown = (model.row_at(number) for number in range(model.rowCount()))
        keys = frozenset(row.key for row in shown if row is not None)
        named = dataclasses.replace(rows, name=self._replay.chosen_runs[0])
        causes = self._replay.causes.of_episodes(named.name)
        work = _tabling(path, named, keys, causes)

        def told(count: int) -> str:
            more = f" of {len(rows):,}" if count != len(rows) else ""
            return (
                f"{path}: {count:,}{more} {'line' if len(rows) == 1 else 'lines'}{_by(causes.by)}."
            )

        self._start(f"Table of {named.name}", work, told)

    def _rows(self) -> RunRows | None:
        names = self._replay.chosen_runs
        rows = self._replay.desk.rows(names[0]) if names else None
        # A table of many rows comes a little later; what it shows until then is not this run's.
        is_shown = self._replay.table.model.runs[:1] == (rows,)
        if rows is None or not rows.is_whole or not is_shown:
            self._bench.refused.emit("The run is still being read.")
            return None
        return rows

    def _start(self, title: str, work: Work[T], told: Callable[[T], str]) -> None:
        job = self._jobs.start(title, work)
        job.succeeded.connect(lambda result: self.told.emit(told(result)))
        job.failed.connect(lambda error: refuse(self._bench, error))

    def _ask_file(
        self, title: str, name: str, endings: Mapping[str, str]
    ) -> tuple[Path | None, str]:
        given, chosen = QFileDialog.getSaveFileName(
            self._window, title, f"{self._folder()}/{name}", ";;".join(endings)
        )
        if not given:
            return None, chosen
        path = named_file(Path(given), Path(name).suffix, chosen, endings)
        # The dialog has asked about the name as it was typed, not about another file.
        is_wanted = path == Path(given) or self._may_overwrite(path)
        return (path if is_wanted else None), chosen

    def _may_overwrite(self, path: Path) -> bool:
        if not path.exists():
            return True
        answer = QMessageBox.question(
            self._window, "Overwrite the file?", f"{path} is there already. Overwrite it?"
        )
        return answer is QMessageBox.StandardButton.Yes

    def _folder(self) -> str:
        return os.fspath(self._replay.desk.root)


def named_file(given: Path, proposed: str, chosen: str, endings: Mapping[str, str]) -> Path:
    """The file that a name and a kind in a dialog mean.

    Args:
        given: As it was typed; a name such as ``gpt-4.1`` has no ending, and one of another form
            keeps it, to be refused in words.
        proposed: The ending that the dialog proposed: it stands for nothing but the kind.
        chosen: The kind.
        endings: Of each kind, the first in doubt.
    """
    wanted = endings.get(chosen) or next(iter(endings.values()))
    ending = given.suffix.lower()
    if not _ENDING.fullmatch(ending):
        return given.with_name(given.name + wanted)
    return given.with_suffix(wanted) if ending == proposed else given


def _sharing(request: ShareRequest, pictures: Path | None) -> Work[SharedFiles]:
    yield Progress(0, 0, "Looking for pictures")
    with opened_strips(pictures) as strip:
        return (yield from share_episode(dataclasses.replace(request, strip=strip)))


def _reporting(folder: Path, source: RunSource, analysis: RunAnalysis) -> Work[Path]:
    replayed = run_with_verdicts((yield from replay_all(source)), analysis.reasons)
    shown = NO_PICTURES
    with opened_strips(source.pictures, has_bare=False) as strip:
        if strip is not None:
            replays = [episode.replay for episode in replayed.episodes[:MOST_IN_FULL]]
            shown = yield from step_pictures(replays, MOST_STEPS, strip)
    yield Progress(0, 0, "Writing the page")
    return write_report(folder, replayed, MOST_IN_FULL, shown, analysis)


def _reporting_people(folder: Path, study: Study, root: Path, analysis: RunAnalysis) -> Work[Path]:
    episodes = yield from read_study_episodes(study, root)
    replayed = yield from replay_takes(study, root, episodes, PEOPLE)
    yield Progress(0, 0, "Writing the page")
    return write_report(folder, replayed, analysis=analysis)


def _tabling(
    path: Path,
    rows: RunRows,
    keys: frozenset[tuple[str, int]],
    causes: EpisodeCauses,
) -> Work[int]:
    yield Progress(0, len(keys), f"Writing {counted(len(keys), 'line')}")
    return write_episode_table(path, rows, keys, causes)


def _told(path: Path, name: str, analysis: RunAnalysis) -> str:
    return f"{path}: the report of {name}{_by(analysis.counted if analysis.uses else '')}."


def _by(counted: str) -> str:
    """Whose marks a file carries, said behind what was written."""
    return f", causes by {counted}" if counted else ""


def _plain(name: str) -> str:
    """A name as part of a file's name."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)[:80]
