"""How far an analyst has come with the failures of a run, and which of them comes next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtCore import QObject

from waypost.app.replay.cause_marking import ReplayCauses
from waypost.app.replay.desk import ReplayDesk
from waypost.app.replay.table.episode_model import EpisodeTableModel
from waypost.domain.base.counted_words import counted
from waypost.domain.base.mark_state import MarkState
from waypost.domain.causes.mark_progress import (
    NO_PROGRESS,
    MarkProgress,
    mark_progress,
    mark_states,
)
from waypost.domain.replay.run_rows import RunRow


class MarkTally(QObject):
    """Keeps column and filter of the table, and the count in the panel of causes, up to date.

    Only own marks count: of others' a blind analyst is to know nothing.

    Args:
        desk: Has rows and marks.
        causes: Knows who marks, and by which taxonomy.
        model: Has the column.
        leading: Gives the name of the leading run; empty for none.
        parent: Qt owner.
    """

    def __init__(
        self,
        desk: ReplayDesk,
        causes: ReplayCauses,
        model: EpisodeTableModel,
        leading: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._causes, self._model, self._leading = desk, causes, model, leading
        self._told: Mapping[str, MarkState] = MappingProxyType({})
        self._failed: tuple[object, tuple[str, ...]] = None, ()
        causes.progress_of = self.progress_of
        causes.sight.changed.connect(self.refresh)
        causes.panel.taxonomy_chosen.connect(self.refresh)

    def refresh(self, *_: object) -> None:
        """Show how far the leading run is marked."""
        states = self._states(self._leading())
        if states != self._told:
            self._told = states
            self._model.set_marks(states)

    def progress_of(self, run: str) -> MarkProgress:
        """How many failures of a run are marked; nothing before it is read."""
        rows = self._desk.rows(run)
        if rows is None:
            return NO_PROGRESS
        if self._failed[0] is not rows:
            ids = dict.fromkeys(row.chart_id for row in rows.rows if row.is_success is False)
            self._failed = rows, tuple(ids)
        return mark_progress(self._states(run), self._failed[1])

    def next_unmarked(self, after: tuple[str, int] | None) -> RunRow | None:
        """The next failure of the leading run without a whole mark, as the table is sorted."""
        states = self._states(self._leading())

        def is_wanted(row: RunRow) -> bool:
            is_marked = states.get(row.chart_id) is MarkState.MARKED
            return row.is_success is False and not is_marked

        return self._model.next_row(after, is_wanted)

    def told_of_none(self) -> str:
        """Why there is no next one."""
        progress = self.progress_of(self._leading())
        if not progress.total:
            return "No episode of this run has failed."
        if progress.marked < progress.total:
            left = counted(progress.total - progress.marked, "unmarked failure")
            return f"Nothing unmarked is shown: search and filters hide {left}."
        return f"All done: {progress.words}."

    def _states(self, run: str) -> Mapping[str, MarkState]:
        taxonomy, analyst = self._causes.taxonomy, self._causes.sight.analyst
        return mark_states(self._desk.book.causes, run, analyst, taxonomy)
