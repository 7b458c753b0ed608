"""The charts of the chosen runs: made only while somebody looks at them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject

from waypost.app.replay.cause_marking import ReplayCauses
from waypost.app.replay.causes.marks_switch import MarksSwitch
from waypost.app.replay.desk import ReplayDesk
from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.domain.base.progress import Progress, Work, exhaust
from waypost.domain.replay.charts import EpisodeOutcome
from waypost.domain.replay.run_rows import RunRows
from waypost.services.jobs import JobRunner
from waypost.viewers.charts.outcome_charts import ChartedAxis, OutcomeCharts
from waypost.widgets.parts import column, scroll_panel

_AT_ONCE = 5_000
"""Episodes that are gone through in less time than anybody sees."""


class RunCharts(QObject):
    """Feeds the charts from the runs, and the table's filter from charts and root causes.

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
        self.switch = MarksSwitch(is_wide=True)
        self.switch.setContentsMargins(12, 0, 12, 0)
        # Large text in a low window leaves no height for all of it.
        self.face = scroll_panel(column(self.switch, self.view, margin_px=0, spacing_px=6))
        self._jobs = jobs
        self._filtered: object = None
        self._said: object = None
        self._counted: object = None
        self.view.episodes_chosen.connect(self._on_chosen)
        self.switch.asked.connect(lambda is_on: causes.sight.show_everyone(is_on=is_on))
        causes.sight.changed.connect(self._on_sight)
        causes.panel.taxonomy_chosen.connect(lambda _: self.refresh())

    def refresh(self) -> None:
        """Show the runs as they are now; hidden charts wait for ``catch_up``."""
        names = self._runs()
        counted = self._causes.sight.counted
        filtered = names[:1], self._desk.book.causes, self._causes.taxonomy, counted
        if filtered != self._filtered:
            self._filtered = filtered
            self._table.model.set_causes(_by_episode(self._causes.axes(names[0]) if names else ()))
        if self.view.isVisible():
            self.catch_up()

    def catch_up(self) -> None:
        """Show what has changed since the last time."""
        names = self._runs()
        shown = {name: rows for name in names if (rows := self._desk.rows(name)) is not None}
        leading = names[0] if names else ""
        said = leading, self._desk.book, self._causes.taxonomy, self._causes.sight.counted
        if said != self._said:
            self._said = said
            axes = self._causes.axes(leading) if leading else ()
            self.view.set_causes(axes, self._causes.whose(leading) if leading else "")
            self.view.set_agreements(self._causes.agreements(leading) if leading else ())
        if (names, shown) != self._counted:
            self._counted = names, shown
            self._count(leading, shown)

    def _count(self, leading: str, shown: dict[str, RunRows]) -> None:
        work = _outcomes_of(shown)
        if sum(map(len, shown.values())) <= _AT_ONCE:
            self._take(leading, exhaust(work))
            return
        asked = self._counted
        job = self._jobs.start("Counting outcomes", work)
        job.succeeded.connect(
            lambda found: self._take(leading, found) if asked is self._counted else None
        )

    def _take(self, leading: str, found: dict[str, tuple[EpisodeOutcome, ...]]) -> None:
        self.view.set_outcomes(found.get(leading, ()), leading)
        self.view.set_others({name: each for name, each in found.items() if name != leading})

    def _on_sight(self) -> None:
        """What was chosen by marks that are seen no more would still tell them."""
        sight = self._causes.sight
        self.switch.set_everyone(is_on=sight.is_everyone, has_seen=sight.has_seen)
        model = self._table.model
        kept = dataclasses.replace(model.filter, causes=frozenset(), ids=None)
        model.set_filter(kept)
        self.refresh()

    def _on_chosen(self, chosen: tuple[str, tuple[str, ...]]) -> None:
        title, ids = chosen
        self._table.set_filter_ids(ids, title)


def _by_episode(axes: Iterable[ChartedAxis]) -> dict[str, tuple[str, ...]]:
    """Episode → titles of what was chosen on any axis, each once."""
    found: dict[str, dict[str, None]] = {}
    for axis in axes:
        for episode_id, titles in axis.causes.items():
            found.setdefault(episode_id, {}).update(dict.fromkeys(titles))
    return {episode_id: tuple(titles) for episode_id, titles in found.items()}


def _outcomes_of(shown: dict[str, RunRows]) -> Work[dict[str, tuple[EpisodeOutcome, ...]]]:
    """What charts need of each run."""
    found: dict[str, tuple[EpisodeOutcome, ...]] = {}
    for done, (name, rows) in enumerate(shown.items()):
        yield Progress(done, len(shown), f"Outcomes of {name}")
        made: list[EpisodeOutcome] = []
        for outcome in rows.outcomes():
            made.append(outcome)
            if len(made) % _AT_ONCE == 0:
                yield Progress(done, len(shown), f"{len(made):,} outcomes of {name}")
        found[name] = tuple(made)
    return found
