"""Rubrics made and changed in the window: the form, its files, and one step of undo."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.app.score.rubric_dialog import RubricDialog
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.shell.kept_form import keep_form
from waypost.app.shell.project_edits import project_root
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.errors import WaypostError
from waypost.domain.score.rubric_versions import (
    batches_to_change,
    news_words,
    save_version,
    versions_of,
)
from waypost.io.scores.rubric_files import known_rubrics, shipped_rubrics

_TOML = "Rubrics (*.toml)"


class RubricEditing(QObject):
    """Opens the form, and saves what it says.

    Args:
        bench: Has the open project.
        desk: Through which it is changed.
        window: Owner of dialogs.
    """

    told = Signal(str)
    """What was done, in a sentence."""

    def __init__(self, bench: Workbench, desk: SheetDesk, window: QWidget) -> None:
        super().__init__(desk)
        self._bench, self._desk, self._window = bench, desk, window

    def ask(self) -> RubricDialog:
        """Open the form, at the rubric of the batch at hand if there is one."""
        book, shipped = self._desk.book, shipped_rubrics()
        known = {key: versions_of(book, shipped, key) for key in known_rubrics(book)}
        dialog = RubricDialog(
            known, lambda rubric: batches_to_change(self._desk.book, rubric), self._ask_open,
            self._ask_save, self._window,
        )  # fmt: skip
        if self._desk.batch is not None:
            dialog.base.setCurrentIndex(dialog.base.findData(self._desk.batch.rubric.key))
        keep_form(dialog, self._bench, "rubric")
        dialog.submitted.connect(lambda: self._save(dialog))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _save(self, dialog: RubricDialog) -> None:
        rubric, batches = dialog.rubric, dialog.batches
        try:
            saved = save_version(self._desk.book, rubric, batches)
        except WaypostError as error:
            dialog.fail(str(error))
            return
        title = f"Save version {rubric.version} of {rubric.title}"
        if self._desk.change_book(title, lambda _: saved.book):
            dialog.accept()
            news = "; ".join(map(news_words, saved.news))
            told = f"Version {rubric.version} of {rubric.title} is saved"
            self.told.emit(f"{told}. {news}." if news else f"{told}.")

    def _ask_open(self) -> str:
        at = str(project_root(self._bench))
        return QFileDialog.getOpenFileName(self._window, "Rubric", at, _TOML)[0]

    def _ask_save(self) -> str:
        at = str(project_root(self._bench))
        return QFileDialog.getSaveFileName(self._window, "Save the rubric", at, _TOML)[0]
