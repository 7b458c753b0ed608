"""Opening runs in the window: asks for results, proposes what goes with them, adds them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from waypost.app.replay.catalogue_dialog import CatalogueDialog, CatalogueRow
from waypost.app.replay.desk import ReplayDesk, files_of, source_of
from waypost.app.replay.run_dialog import RunDialog, RunFiles
from waypost.app.replay.run_project import making_project, project_beside
from waypost.app.shell.workbench import Workbench
from waypost.domain.causes.replay_book import RunSource, change_source
from waypost.domain.episode.run import run_name
from waypost.domain.replay.row_filter import MOST_RUNS
from waypost.io.run_catalogue import RunCatalogue, RunEntry, list_runs
from waypost.metrics.registry import PROFILES
from waypost.services.jobs import JobRunner
from waypost.services.replay.run_companions import Companions, search_companions

RESULTS_FILTER = "Results (*.json *.jsonl *.json.gz *.jsonl.gz *.csv *.txt *.log);;All files (*)"


class ReplayFiles(QObject):
    """From a file of results to a run in the project.

    Args:
        bench: What is open.
        desk: Takes the run.
        jobs: Looks for what goes with it.
        data_folder: Where projects of runs in read-only folders are kept.
        window: Owner of the dialogs.
    """

    told = Signal(str)
    """One sentence about what was done."""

    added = Signal(object)
    """Names of the runs that were added, or were there already."""

    def __init__(
        self,
        bench: Workbench,
        desk: ReplayDesk,
        jobs: JobRunner,
        data_folder: Path,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bench, self._desk, self._jobs = bench, desk, jobs
        self._data_folder, self._window = data_folder, window

    def ask_file(self) -> None:
        """Ask for a file of results and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Results of a run", self._folder(), RESULTS_FILTER
        )
        if path:
            self.propose(Path(path))

    def ask_name(self, run: str) -> None:
        """Ask for another name of a run; its marks and verdicts follow it."""
        source = self._bench.project.replay.sources.get(run)
        if source is None:
            self._bench.refused.emit(f"{run}: made of the takes of the study; it keeps its name.")
            return
        name, is_given = QInputDialog.getText(
            self._window, "Rename the run", "Name in tables, charts and reports:", text=run
        )
        name = name.strip()
        if not is_given or name == run:
            return
        renamed = replace(source, name=name)
        if self._desk.change(
            f"Rename {run} to {name}", lambda book, _: change_source(book, run, renamed)
        ):
            self.added.emit((name,))

    def ask_folder(self) -> None:
        """Ask for a folder that is one run, or that holds runs to pick from."""
        path = QFileDialog.getExistingDirectory(self._window, "Folder of results", self._folder())
        if path:
            self.open_folder(Path(path))

    def open_folder(self, folder: Path) -> None:
        """Open the one run that a folder is, or let the user pick from those it holds."""
        job = self._jobs.start(f"Looking through {folder.name}", list_runs(folder))
        job.succeeded.connect(self._pick)
        job.failed.connect(lambda error: self._bench.refused.emit(str(error)))

    def _pick(self, found: RunCatalogue) -> None:
        if not found.entries:
            self._bench.refused.emit(f"{found.folder}: no file in it is a result of a known form")
            return
        if len(found.entries) == 1:
            self.propose(found.entries[0].path)
            return
        rows = [
            CatalogueRow(
                str(entry.path), entry.name, entry.format_title,
                entry.dataset, entry.split, entry.model, entry.setting,
            )
            for entry in found.entries
        ]  # fmt: skip
        note = "" if found.is_whole else "The folder is too large: not everything was looked at."
        dialog = CatalogueDialog(rows, note, MOST_RUNS, self._window)
        dialog.accepted.connect(lambda: self._open_all(dialog.picked, found))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _open_all(self, picked: Sequence[str], found: RunCatalogue) -> None:
        if len(picked) == 1:
            self.propose(Path(picked[0]))
            return
        entries = {str(entry.path): entry for entry in found.entries}
        self.open_at_once(*(RunFiles(_told_name(entries[path]), path) for path in picked))

    def propose(self, results: Path) -> None:
        """Look for what goes with results and let the user confirm it.

        For results that the project has already the run is changed to what is confirmed.
        """
        self._with_companions(results, lambda found: self._ask(results, found))

    def open_at_once(self, *runs: RunFiles) -> None:
        """Open runs one after the other; whatever is not given is looked for.

        A run that the project has already keeps its name and whatever is not given.
        """
        self._open_rest(runs, ())

    def _open_rest(self, runs: Sequence[RunFiles], names: tuple[str, ...]) -> None:
        if not runs:
            if names:
                self.added.emit(names)
            return
        first, *rest = runs

        def take(found: Companions) -> None:
            self.add(first, found.scene, go_on, found)

        def go_on(name: str) -> None:
            self._open_rest(rest, (*names, name) if name else names)

        self._with_companions(Path(first.results), take, lambda: go_on(""))

    def add(
        self,
        files: RunFiles,
        scene: Path | None,
        take: Callable[[str], None],
        found: Companions | None = None,
    ) -> None:
        """Put a run into the open project, or into one of its own if none is open.

        Args:
            files: The run; one that the project has already is changed to this.
            scene: Where it is in, for a project of its own.
            take: Gets the run's name once it is in; an empty one if that was not possible.
            found: Fills what ``files`` leaves empty, unless the project has the run already.
        """
        bench, opening = self._bench, self._bench.opening
        if opening is None and bench.document is None:
            path = project_beside(Path(files.results), self._data_folder)
            author = bench.annotator
            opening = bench.open_project(path, lambda: making_project(path, author, scene))
        if opening is None:
            take(self._put(files, found))
            return

        def go_on(*_: object) -> None:
            if bench.opening:
                # Another project was asked for meanwhile: that is the one to put it in.
                self.add(files, scene, take, found)
            else:
                take(self._put(files, found))

        for ended in (opening.succeeded, opening.failed, opening.cancelled):
            ended.connect(go_on)

    def give(self, files: RunFiles) -> None:
        """Give a run of the project, by its name, other files; what is left empty stays."""
        known = self._desk.book.sources.get(files.name)
        if known is None:
            self._bench.refused.emit(f"{files.name}: the project has no such run.")
            return
        now = files_of(known, self._desk.root)
        if name := self._change(known, _filled(replace(files, results=now.results), now)):
            self.added.emit((name,))

    def _put(self, files: RunFiles, found: Companions | None) -> str:
        if self._bench.document is None:
            return ""
        known = self._known(files)
        if known is None:
            return self._desk.add(files if found is None else _with_found(files, found))
        if found is not None:
            files = replace(_filled(files, files_of(known, self._desk.root)), name=known.name)
        return self._change(known, files)

    def _change(self, known: RunSource, files: RunFiles) -> str:
        """Open a run of the project with other files; its name now, empty if that is refused."""
        if files.name in self._desk.book.sources:
            files = replace(files, name=known.name)
        given = source_of(files, self._desk.root)
        # A format was named for the episodes that it had.
        is_same = given.annotations == known.annotations
        given = replace(
            given,
            annotation_format=known.annotation_format if is_same else "",
            result_format=known.result_format,
        )
        is_done = given == known or self._desk.change(
            f"Change the files of {known.name}",
            lambda book, _: change_source(book, known.name, given),
        )
        return given.name if is_done else ""

    def _add_one(self, files: RunFiles, scene: Path | None) -> None:
        def take(name: str) -> None:
            if not name:
                return
            self.added.emit((name,))
            if name != files.name:
                self.told.emit(
                    f"The name {files.name} is another run's: this one is called {name}."
                )

        self.add(files, scene, take)

    def _known(self, files: RunFiles) -> RunSource | None:
        """The run of these results that the project has already, scored as is asked for."""
        results = Path(files.results).absolute()
        for source in self._desk.book.sources.values():
            is_same = (self._desk.root / source.results).absolute() == results
            if is_same and files.profile_key in {"", source.profile_key}:
                return source
        return None

    def _with_companions(
        self,
        results: Path,
        take: Callable[[Companions], None],
        miss: Callable[[], None] = lambda: None,
    ) -> None:
        def fail(error: Exception) -> None:
            self._bench.refused.emit(str(error))
            miss()

        job = self._jobs.start(f"Looking around {results.name}", search_companions(results))
        job.succeeded.connect(take)
        job.failed.connect(fail)
        job.cancelled.connect(miss)

    def _ask(self, results: Path, found: Companions) -> None:
        dialog = RunDialog(
            self._proposed(results, found),
            found.reasons,
            {key: profile.title for key, profile in PROFILES.items()},
            self._ask_annotations,
            self._ask_directory,
            self._window,
        )
        dialog.accepted.connect(lambda: self._add_one(dialog.values, found.scene))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _proposed(self, results: Path, found: Companions) -> RunFiles:
        """What the form begins with: as the project has the run, else as it was found."""
        bare = RunFiles(run_name(results), os.fspath(results))
        known = self._known(bare) if self._bench.document else None
        if known is None:
            return _with_found(bare, found)
        files = files_of(known, self._desk.root)
        if self._desk.failure(known.name):
            # What it was opened with may be why: what was found comes first.
            bare = RunFiles(known.name, files.results, profile_key=known.profile_key)
            return _filled(_with_found(bare, found), files)
        return _with_found(files, found)

    def _ask_annotations(self) -> Sequence[str]:
        paths, _ = QFileDialog.getOpenFileNames(
            self._window, "Episodes of the run", self._folder(), RESULTS_FILTER
        )
        return paths

    def _ask_directory(self, title: str) -> str:
        return QFileDialog.getExistingDirectory(self._window, title, self._folder())

    def _folder(self) -> str:
        return os.fspath(self._desk.root if self._bench.document else Path.home())


def _told_name(entry: RunEntry) -> str:
    told = " ".join(part for part in (entry.model, entry.setting) if part)
    return told or run_name(entry.path)


def _with_found(files: RunFiles, found: Companions) -> RunFiles:
    return _filled(
        files,
        RunFiles(
            run_name(Path(files.results)),
            files.results,
            tuple(os.fspath(path) for path in found.annotations),
            os.fspath(found.connectivity or ""),
            os.fspath(found.pictures or ""),
        ),
    )


def _filled(files: RunFiles, rest: RunFiles) -> RunFiles:
    """A run with what it leaves empty taken from elsewhere."""
    return RunFiles(
        files.name or rest.name,
        files.results,
        files.annotations or rest.annotations,
        files.connectivity or rest.connectivity,
        files.pictures or rest.pictures,
        files.profile_key or rest.profile_key,
    )
