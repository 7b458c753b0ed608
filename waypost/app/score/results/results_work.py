"""Results of the batch at hand, computed in the background and shown on the face that fits."""

from __future__ import annotations

from collections.abc import Iterable

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

    @property
    def face(self) -> QWidget:
        """The face of the batch at hand."""
        return self.pairs if self._desk.is_comparing else self.sheets

    def compute(self) -> None:
        """Compute the results of the batch at hand anew."""
        if self._job is not None:
            self._job.cancel()
        self.sheets.set_results(None, "Comparing …")
        self.pairs.set_results(None, "Comparing …")
        desk, jobs = self._desk, self._around.jobs
        at = desk.book, desk.batch_name, desk.viewer
        if desk.is_comparing:
            job = jobs.start("Comparing answers", pair_results(*at))
        else:
            job = jobs.start("Comparing scores", batch_results(*at))
        self._job = job
        job.succeeded.connect(lambda found: self._take(found) if job is self._job else None)
        job.failed.connect(lambda error: refuse(self._around.bench, error))

    def _take(self, found: BatchResults | PairResults) -> None:
        if isinstance(found, PairResults):
            self.pairs.set_results(found, _sentences(found.notes))
        else:
            self.sheets.set_results(found, _sentences(found.notes))


def _sentences(notes: Iterable[str]) -> str:
    return " ".join(f"{capitalised(words)}." for words in notes)
