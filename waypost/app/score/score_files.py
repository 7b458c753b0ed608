"""Batches made of files, and scores that come in and go out, as the window asks for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.app.score.batch_dialog import BatchDialog, BatchFields
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.shell.project_edits import project_root, refuse
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import EditError, WaypostError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.run_source import kept_path
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.rubric import Rubric
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.score_merging import merge_scores, merge_sheets
from waypost.domain.score.score_rows import score_rows
from waypost.io.file_head import read_head
from waypost.io.scores.instruction_files import InstructionFile, read_instructions
from waypost.io.scores.rubric_files import read_rubric, shipped_rubrics
from waypost.io.scores.score_csv import read_score_csv, write_score_csv
from waypost.io.scores.score_history import history_text, is_history, read_history, write_history
from waypost.services.jobs import JobRunner

_SCORES = "Scores (*.csv *.jsonl)"
_INSTRUCTIONS = "Episodes and texts (*.json *.jsonl *.csv *.tsv *.gz);;All files (*)"


class ScoreFiles(QObject):
    """Asks for paths and does the work as jobs.

    Args:
        bench: Has the open project.
        desk: Through which it is changed.
        jobs: Reads files.
        window: Owner of dialogs.
    """

    told = Signal(str)
    """What was done, in a sentence."""

    made = Signal(str)
    """Name of the batch that was made."""

    def __init__(self, bench: Workbench, desk: SheetDesk, jobs: JobRunner, window: QWidget) -> None:
        super().__init__(desk)
        self._bench, self._desk, self._jobs, self._window = bench, desk, jobs, window

    def rubrics(self) -> dict[str, Rubric]:
        """The shipped rubrics and those of the project, the newest version of each key."""
        found = dict(shipped_rubrics())
        for key, rubric in self._desk.book.rubrics.items():
            known = found.get(key.key)
            if known is None or known.version <= key.version:
                found[key.key] = rubric
        return found

    def ask_new_batch(self) -> None:
        """Ask what a batch is to be made of, and make it."""
        titles = {key: rubric.title for key, rubric in self.rubrics().items()}
        dialog = BatchDialog(titles, self._asking("Instructions", _INSTRUCTIONS),
                             self._asking("Rubric", "Rubrics (*.toml)"), self._window)  # fmt: skip
        dialog.raters.setText(self._desk.viewer)
        dialog.submitted.connect(lambda: self._make(dialog))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def make(self, fields: BatchFields, found: InstructionFile) -> str:
        """Make a batch; the reason if that was not possible, else empty."""
        try:
            rubric = (
                read_rubric(Path(fields.rubric_file))
                if fields.rubric_file
                else self.rubrics()[fields.rubric]
            )
            graphs = Path(fields.connectivity) if fields.connectivity else None
            wish = BatchWish(
                fields.name, rubric, fields.raters, fields.overlap_share, fields.seed,
                kept_path(graphs, project_root(self._bench)),
            )  # fmt: skip
            instructions = [
                entry if entry.source else replace(entry, source=fields.source)
                for entry in found.instructions
            ]
            book = make_batch(self._desk.book, wish, instructions)
        except WaypostError as error:
            return str(error)
        self._desk.change_book(f"Make the batch {fields.name}", lambda _: book)
        self.told.emit(f"{fields.name}: {counted(len(instructions), 'instruction')} to score.")
        self.made.emit(fields.name)
        return ""

    def ask_import(self) -> None:
        """Ask for a file of scores, and bring it in."""
        path = self._asking("Import scores", _SCORES)()
        if path:
            self.bring_in(Path(path))

    def bring_in(self, path: Path) -> None:
        """Bring the scores of a file in."""

        def work() -> Work[tuple[bool, object]]:
            yield Progress(0, 1, "Reading the scores")
            is_whole = is_history(read_head(path).text.split("\n", 1)[0])
            return is_whole, read_history(path) if is_whole else read_score_csv(path).sheets

        job = self._jobs.start("Reading the scores", work())
        job.succeeded.connect(lambda found: self._take_in(path, *found))
        job.failed.connect(lambda error: refuse(self._bench, error))

    def ask_export(self) -> None:
        """Ask for a file, and write the scores of the batch at hand as one may see them."""
        name = f"{self._desk.batch_name}.csv"
        path, _ = QFileDialog.getSaveFileName(
            self._window, "Export scores", str(self._folder() / name), _SCORES
        )
        if path:
            self.export(Path(path))

    def export(self, path: Path) -> None:
        """Write the scores of the batch at hand, by the ending of the file."""
        book, batch, viewer = self._desk.book, self._desk.batch_name, self._desk.viewer

        def work() -> Work[None]:
            yield Progress(0, 1, "Writing the scores")
            if path.suffix.lower() == ".jsonl":
                write_history(path, history_text(book, [batch], viewer))
            else:
                write_score_csv(path, score_rows(book, batch, viewer))

        job = self._jobs.start("Writing the scores", work())
        job.succeeded.connect(lambda _: self.told.emit(f"Scores written to {path.name}."))
        job.failed.connect(lambda error: refuse(self._bench, error))

    def _make(self, dialog: BatchDialog) -> None:
        fields = dialog.values

        def work() -> Work[InstructionFile]:
            yield Progress(0, 1, "Reading the instructions")
            graphs = Path(fields.connectivity) if fields.connectivity else None
            return read_instructions(Path(fields.file), graphs)

        job = self._jobs.start("Reading the instructions", work())

        def take(found: InstructionFile) -> None:
            problem = self.make(fields, found)
            if problem:
                dialog.fail(problem)
            else:
                dialog.accept()

        job.succeeded.connect(take)
        job.failed.connect(lambda error: dialog.fail(str(error)))

    def _take_in(self, path: Path, is_whole: bool, found: object) -> None:
        def merged(book: ScoreBook) -> ScoreBook:
            try:
                if is_whole and isinstance(found, ScoreBook):
                    return merge_scores(book, found).book
                return merge_sheets(book, found).book  # type: ignore[arg-type]
            except WaypostError as error:
                raise EditError(str(error)) from error

        if self._desk.change_book(f"Import {path.name}", merged):
            self.told.emit(f"Scores of {path.name} are in.")

    def _asking(self, title: str, kinds: str) -> Callable[[], str]:
        def ask() -> str:
            path, _ = QFileDialog.getOpenFileName(self._window, title, str(self._folder()), kinds)
            return path

        return ask

    def _folder(self) -> Path:
        document = self._bench.document
        return document.store.root if document else Path.home()
