"""The charts of the chosen runs: made only while somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from waypost.app.replay_causes import ReplayCauses
from waypost.app.replay_desk import ReplayDesk
from waypost.services.jobs import JobRunner
from waypost.viewers.charts.outcome_charts import OutcomeCharts
from waypost.widgets.episode_table import EpisodeTable


class RunCharts(QObject):
    """Feeds the charts from the runs, and the table's filter from the charts.

    Args:
        desk: Has the rows.
        causes: Has what people set.
        runs: Names of the chosen runs, the leading one first.
        table: Is filtered by whatever is clicked.
        jobs: Counts large runs.
        parent: Qt owner.
    """

    def __init__(
        self,
        desk: ReplayDesk,
        causes: ReplayCauses,
        runs: Callable[[], tuple[str, ...]],
        table: EpisodeTable,
        jobs: JobRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._causes, self._runs, self._table = desk, causes, runs, table
        self.view = OutcomeCharts(jobs)
        self._seen: object = None
        self.view.episodes_chosen.connect(self._on_chosen)

    def refresh(self) -> None:
        """Show the runs as they are now; while hidden, it waits for ``catch_up``."""
        if self.view.isVisible():
            self.catch_up()

    def catch_up(self) -> None:
        """Show what has changed since the last time."""
        names = self._runs()
        shown = {name: rows for name in names if (rows := self._desk.rows(name)) is not None}
        seen = (names, tuple(shown.values()), self._desk.book, self._causes.taxonomy)
        if seen == self._seen:
            return
        self._seen = seen
        outcomes = {name: tuple(rows.outcomes()) for name, rows in shown.items()}
        leading = names[0] if names else ""
        self.view.set_outcomes(outcomes.pop(leading, ()), leading)
        self.view.set_others(outcomes)
        self.view.set_causes(self._causes.axes(leading) if leading else ())
        self.view.set_agreements(self._causes.agreements(leading) if leading else ())

    def _on_chosen(self, chosen: tuple[str, tuple[str, ...]]) -> None:
        title, ids = chosen
        self._table.set_filter_ids(ids, title)
