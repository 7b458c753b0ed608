"""Results of a batch: means, agreement, how scores are spread, and the worst instructions."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QHBoxLayout, QWidget

from waypost.app.score.results.chart_page import ChartPage
from waypost.app.score.results.result_pages import AgreementPage, ResultPages
from waypost.app.score.results.results_charts import (
    count_cells,
    counts_chart,
    mean_cells,
    means_chart,
)
from waypost.domain.base.counted_words import counted
from waypost.metrics.batch_results import BatchResults
from waypost.metrics.score_means import WorstItem
from waypost.widgets.grouped_list import GroupedList, ListRow
from waypost.widgets.parts import button, column, heading, label

_TITLES = ("Means", "Agreement", "Scores given", "Instructions")
_CLICK = "A click or Enter shows the instructions behind a part."
_MEAN = "Mean of all criteria: 0 % is the lowest score of a scale, 100 % the highest."
_APART = "Largest difference of two raters on one criterion, as a share of its scale."
_NOTHING = "Nothing that you may see is scored yet."


class ResultsFace(ResultPages):
    """Shows results; says which item was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Results", _TITLES, parent)
        self._results: BatchResults | None = None
        self.means = ChartPage("Means by source and task, with 95 % intervals", _CLICK)
        self.agreement = AgreementPage()
        self.counts = ChartPage("How often each score was given", _CLICK)
        self.worst = GroupedList("scored instruction", "scored instructions")
        self.disputed = GroupedList("disputed instruction", "disputed instructions")
        self._behind = label("", "muted")
        self._all = button("Show all", "Show all scored instructions again")
        self._items = self._items_page()
        for page in (self.means, self.agreement, self.counts, self._items):
            self._pages.addWidget(page)
        self._connect()

    def set_results(self, results: BatchResults | None, told: str) -> None:
        """Show results, or none while they are computed.

        Args:
            results: What came of the batch.
            told: One line over them, e.g. what is hidden from the viewer.
        """
        self._results = results
        self._tell(told)
        if results is None:
            for page in (self.means, self.agreement, self.counts):
                page.set_numbers(None, (), ())
            self._show_items((), ())
            return
        heads = ("source", "task", "criterion", "mean, 95 % interval", "instructions", "scores")
        self.means.set_numbers(means_chart(results), heads, mean_cells(results), _NOTHING)
        rows = tuple(results.agreement.values())
        titles = [results.title_of(row.criterion) for row in rows]
        apart = tuple(entry.item for entry in results.disputed)
        self.agreement.set_agreement(rows, titles, _NOTHING, apart)
        self.counts.set_numbers(counts_chart(results), *count_cells(results), _NOTHING)
        self._show_items(results.worst, results.disputed)

    def show_items(self, title: str, item_ids: Iterable[str]) -> None:
        """Show only these instructions, under a title."""
        if self._results is None:
            return
        ids = frozenset(item_ids)
        own = [entry for entry in self._results.worst if entry.item in ids]
        apart = [entry for entry in self._results.disputed if entry.item in ids]
        self._show_items(own, apart, title)
        self.show_page("Instructions")

    def _items_page(self) -> QWidget:
        above = QWidget()
        row = QHBoxLayout(above)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._behind, 1)
        row.addWidget(self._all)
        lists = QWidget()
        sides = QHBoxLayout(lists)
        sides.setContentsMargins(0, 0, 0, 0)
        for title, meaning, own in (
            ("Lowest scores first", _MEAN, self.worst),
            ("Raters differ most first", _APART, self.disputed),
        ):
            sides.addWidget(column(heading(title), label(meaning, "small"), own, margin_px=0))
        return column(above, lists, margin_px=0)

    def _connect(self) -> None:
        for page in (self.means, self.agreement, self.counts):
            page.items_chosen.connect(self.show_items)
        for own in (self.worst, self.disputed):
            own.selection_changed.connect(self._choose)
        self._all.clicked.connect(lambda *_: self._show_all())

    def _show_all(self) -> None:
        if self._results is not None:
            self._show_items(self._results.worst, self._results.disputed)

    def _show_items(
        self, worst: Iterable[WorstItem], disputed: Iterable[WorstItem], title: str = ""
    ) -> None:
        self._behind.setText(title)
        for part in (self._behind, self._all):
            part.setVisible(bool(title))
        texts = {} if self._results is None else self._results.texts
        for own, entries in ((self.worst, worst), (self.disputed, disputed)):
            # One that was clicked before can be clicked again.
            own.set_selected(())
            is_apart = own is self.disputed
            own.set_rows(
                _item_row(entry, texts.get(entry.item, entry.item), is_apart=is_apart)
                for entry in entries
            )


def _item_row(entry: WorstItem, text: str, *, is_apart: bool) -> ListRow:
    mean = f"{100 * entry.mean:.0f} %"
    apart = "by one rater" if entry.spread is None else f"{100 * entry.spread:.0f} % apart"
    return ListRow(
        entry.item,
        f"{'⚑ ' if entry.is_flagged else ''}{text}",
        apart if is_apart else mean,
        tip=f"{entry.item}: {mean} of the scales, {counted(entry.raters, 'rater')}, {apart}",
    )
