"""Results of the batch at hand, computed in the background and shown on the face that fits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from waypost.app.score.results.pair_results_face import PairResultsFace
from waypost.app.score.results.results_face import ResultsFace
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.shell.project_edits import refuse
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.sentences import capitalised
from waypost.metrics.batch_results import BatchResults, batch_results
from waypost.metrics.pair_results import PairResults, pair_results
from waypost.services.jobs import Job

_CANCELLED: Final = "Cancelled. Leave the results and open them again to compute them."


class ResultsWork(QObject):
    """Computes what came of the batch at hand, as who is at the window may see it.

    Args:
        around: What the workspace finds in its window.
        desk: Has the batch at hand.
    """

    item_chosen = Signal(str)
    """An item, or a pair, that was clicked."""

    def __init__(self, around: Surroundings, desk: SheetDesk) -> None:
        super().__init__(desk)
        self._around, self._desk = around, desk
        self.sheets, self.pairs = ResultsFace(), PairResultsFace()
        self.sheets.item_chosen.connect(self.item_chosen)
        self.pairs.item_chosen.connect(self.item_chosen)
        self._job: Job | None = None
        self._of: tuple[str, str] | None = None
        """Batch and viewer of what is shown."""

    def show(self) -> QWidget:
        """The face of the batch at hand; what it shows of another batch or person is replaced."""
        if self._of != (self._desk.batch_name, self._desk.viewer):
            self.compute()
        return self.pairs if self._desk.is_comparing else self.sheets

    def compute(self) -> None:
        """Compute the results of the batch at hand anew."""
        if self._job is not None:
            self._job.cancel()
        self._show_none("Comparing …")
        desk, jobs = self._desk, self._around.jobs
        at = desk.book, desk.batch_name, desk.viewer
        self._of = at[1:]
        if desk.is_comparing:
            job = jobs.start("Comparing answers", pair_results(*at))
        else:
            job = jobs.start("Comparing scores", batch_results(*at))
        self._job = job
        job.succeeded.connect(lambda found: self._take(found) if job is self._job else None)
        job.cancelled.connect(lambda: self._show_none(_CANCELLED) if job is self._job else None)
        job.failed.connect(lambda error: self._fail(error) if job is self._job else None)

    def _show_none(self, told: str) -> None:
        self.sheets.set_results(None, told)
        self.pairs.set_results(None, told)

    def _fail(self, error: Exception) -> None:
        self._show_none("")
        refuse(self._around.bench, error)

    def _take(self, found: BatchResults | PairResults) -> None:
        if isinstance(found, PairResults):
            self.pairs.set_results(found, _sentences(found.notes))
        else:
            self.sheets.set_results(found, _sentences(found.notes))


def _sentences(notes: Iterable[str]) -> str:
    return " ".join(f"{capitalised(words)}." for words in notes)
