"""Opening runs in the window: asks for results, proposes what goes with them, adds them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from waypost.app.replay.catalogue_dialog import CatalogueDialog, CatalogueRow
from waypost.app.replay.desk import ReplayDesk
from waypost.app.replay.run_dialog import RunDialog
from waypost.app.replay.run_project import making_project, project_beside
from waypost.app.shell.workbench import Workbench
from waypost.domain.causes.replay_book import change_source
from waypost.domain.episode.run import run_name
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.row_filter import MOST_RUNS
from waypost.io.run_catalogue import RunCatalogue, RunEntry, list_runs
from waypost.services.jobs import JobRunner
from waypost.services.replay.profiles import REPLAY_PROFILES
from waypost.services.replay.run_companions import search_companions

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
        self.open_at_once(
            *(RunSource((entries[path].path,), name=_told_name(entries[path])) for path in picked)
        )

    def propose(self, results: Path) -> None:
        """Look for what goes with results and let the user confirm it.

        For results that the project has already the run is changed to what is confirmed.
        """
        self._search(results, self._ask)

    def open_at_once(self, *runs: RunSource, before: tuple[str, ...] = ()) -> None:
        """Open runs one after the other; whatever is not given is looked for.

        A run that the project has already keeps its name and whatever is not given.

        Args:
            runs: With their results.
            before: Names of those that are open by now.
        """
        if not runs:
            if before:
                self.added.emit(before)
            return
        first, *rest = runs

        def go_on(name: str = "") -> None:
            self.open_at_once(*rest, before=(*before, name) if name else before)

        self._search(first.file, lambda found: self.add(first, go_on, found), go_on)

    def add(
        self, given: RunSource, take: Callable[[str], None], found: RunSource | None = None
    ) -> None:
        """Put a run into the open project, or into one of its own if none is open.

        Args:
            given: The run; one that the project has already is changed to this.
            take: Gets the run's name once it is in; an empty one if that was not possible.
            found: Completes it, unless the project has the run already.
        """
        bench, opening = self._bench, self._bench.opening
        if opening is None and bench.document is None:
            path = project_beside(given.file, self._data_folder)
            author, scene = bench.annotator, (found or given).scene
            opening = bench.open_project(path, lambda: making_project(path, author, scene))
        if opening is None:
            take(self._put(given, found))
            return

        def go_on(*_: object) -> None:
            if bench.opening:
                # Another project was asked for meanwhile: that is the one to put it in.
                self.add(given, take, found)
            else:
                take(self._put(given, found))

        for ended in (opening.succeeded, opening.failed, opening.cancelled):
            ended.connect(go_on)

    def give(self, given: RunSource) -> None:
        """Give a run of the project, by its name, other files; what is left empty stays."""
        known = self._desk.book.sources.get(given.name)
        if known is None:
            self._bench.refused.emit(f"{given.name}: the project has no such run.")
        elif name := self._change(known, given.completed(known.under(self._desk.root))):
            self.added.emit((name,))

    def _put(self, given: RunSource, found: RunSource | None) -> str:
        if self._bench.document is None:
            return ""
        known = self._known(given)
        if known is None:
            return self._desk.add(given if found is None else given.completed(found))
        if found is not None:
            given = replace(given.completed(known.under(self._desk.root)), name=known.name)
        return self._change(known, given)

    def _change(self, known: RunSource, given: RunSource) -> str:
        """Open a run of the project with other files; its name now, empty if that is refused."""
        kept = given.kept_in(self._desk.root)
        if given.name in self._desk.book.sources:
            kept = replace(kept, name=known.name)
        # A format was named for the episodes that it had.
        is_same = kept.annotations == known.annotations
        kept = replace(
            kept,
            annotation_format=known.annotation_format if is_same else "",
            result_format=known.result_format,
        )
        is_done = kept == known or self._desk.change(
            f"Change the files of {known.name}",
            lambda book, _: change_source(book, known.name, kept),
        )
        return kept.name if is_done else ""

    def _add_one(self, given: RunSource) -> None:
        def take(name: str) -> None:
            if not name:
                return
            self.added.emit((name,))
            if name != given.name:
                self.told.emit(
                    f"The name {given.name} is another run's: this one is called {name}."
                )

        self.add(given, take)

    def _known(self, given: RunSource) -> RunSource | None:
        """The run of these results that the project has already, scored as is asked for."""
        results = given.file.absolute()
        for source in self._desk.book.sources.values():
            is_same = source.under(self._desk.root).file.absolute() == results
            if is_same and given.profile_key in {"", source.profile_key}:
                return source
        return None

    def _search(
        self,
        results: Path,
        take: Callable[[RunSource], None],
        miss: Callable[[], None] = lambda: None,
    ) -> None:
        def fail(error: Exception) -> None:
            self._bench.refused.emit(str(error))
            miss()

        job = self._jobs.start(f"Looking around {results.name}", search_companions(results))
        job.succeeded.connect(take)
        job.failed.connect(fail)
        job.cancelled.connect(miss)

    def _ask(self, found: RunSource) -> None:
        dialog = RunDialog(
            self._proposed(found),
            {key: profile.title for key, profile in REPLAY_PROFILES.items()},
            self._ask_annotations,
            self._ask_directory,
            self._window,
        )
        dialog.accepted.connect(lambda: self._add_one(dialog.values))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _proposed(self, found: RunSource) -> RunSource:
        """What the form begins with: as the project has the run, else as it was found."""
        known = self._known(found) if self._bench.document else None
        if known is None:
            return found
        kept = known.under(self._desk.root)
        if self._desk.failure(known.name):
            # What it was opened with may be why: what was found comes first.
            found = replace(found, name=known.name, profile_key=known.profile_key)
            return found.completed(kept)
        return kept.completed(found)

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
