"""Batches made of files, and scores that come in and go out, as the window asks for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.app.score.batch_dialog import BatchDialog, BatchFields
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.shell.form_answer import REFUSED, answer_form
from waypost.app.shell.kept_form import keep_form
from waypost.app.shell.project_edits import is_still_open, project_root, refuse
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import EditError, WaypostError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.run_source import kept_path
from waypost.domain.score.batch_making import BatchWish
from waypost.domain.score.pair_batches import made_batch
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.score_merging import ScoreFile, merge
from waypost.io.scores.instruction_files import InstructionFile, read_instructions
from waypost.io.scores.rubric_files import known_rubrics, read_rubric
from waypost.io.scores.score_files import read_scores, write_scores
from waypost.services.jobs import JobRunner

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument

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

    def ask_new_batch(self) -> None:
        """Ask what a batch is to be made of, and make it."""
        titles = {key: rubric.title for key, rubric in known_rubrics(self._desk.book).items()}
        dialog = BatchDialog(titles, self._asking("Instructions", _INSTRUCTIONS),
                             self._asking("Rubric", "Rubrics (*.toml)"), self._window)  # fmt: skip
        dialog.raters.setText(self._desk.viewer)
        keep_form(dialog, self._bench, "batch")
        dialog.submitted.connect(lambda: self._make(dialog))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def make(self, fields: BatchFields, found: InstructionFile) -> str:
        """Make a batch; the reason if that was not possible, else empty."""
        try:
            rubric = (
                read_rubric(Path(fields.rubric_file))
                if fields.rubric_file
                else known_rubrics(self._desk.book)[fields.rubric]
            )
            graphs = Path(fields.connectivity) if fields.connectivity else None
            wish = BatchWish(
                fields.name, rubric, fields.raters, fields.overlap_share, fields.seed,
                kept_path(graphs, project_root(self._bench)), fields.source, fields.eye_height_m,
            )  # fmt: skip
            book = made_batch(self._desk.book, wish, found.instructions, is_paired=fields.is_paired)
        except WaypostError as error:
            return str(error)
        if not self._desk.change_book(f"Make the batch {fields.name}", lambda _: book):
            return REFUSED
        pairs = book.batches[fields.name].pairs
        texts = counted(len(book.items_of(fields.name)), "instruction")
        told = (
            f"{counted(len(pairs), 'pair')} of {texts} to compare" if pairs else f"{texts} to score"
        )
        self.told.emit(f"{fields.name}: {told}.")
        self.made.emit(fields.name)
        return ""

    def ask_import(self) -> None:
        """Ask for a file of scores, and bring it in."""
        path = self._asking("Import scores", _SCORES)()
        if path:
            self.bring_in(Path(path))

    def bring_in(self, path: Path) -> None:
        """Bring the scores of a file in."""
        document = self._bench.document

        def work() -> Work[ScoreFile]:
            yield Progress(0, 1, "Reading the scores")
            return read_scores(path)

        job = self._jobs.start("Reading the scores", work())
        job.succeeded.connect(lambda found: self._take_in(document, path, found))
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
            write_scores(path, book, batch, viewer)

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

        answer_form(dialog, job, lambda found: self.make(fields, found))

    def _take_in(self, document: ProjectDocument | None, path: Path, found: ScoreFile) -> None:
        if not is_still_open(self._bench, document, path.name):
            return

        def merged(book: ScoreBook) -> ScoreBook:
            try:
                return merge(book, found).book
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
