"""Results of a batch of pairs: strengths, agreement, which side was better, disputed pairs."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from waypost.app.score.results.chart_page import ChartPage
from waypost.app.score.results.result_pages import AgreementPage, ResultPages
from waypost.charts.bars import BarPart, BarRow, rows_picture
from waypost.charts.intervals import IntervalRow, IntervalScale, interval_picture
from waypost.charts.picture import ChartTarget, ChartTone
from waypost.domain.base.counted_words import counted
from waypost.metrics.pair_results import ComparedBy, DisputedPair, PairResults
from waypost.metrics.pair_strengths import PairStrengths
from waypost.viewers.charts.chart_view import MakePicture
from waypost.widgets.grouped_list import GroupedList, ListRow
from waypost.widgets.parts import column, heading

_TITLES = ("Strengths", "Agreement", "Answers", "Pairs")
_NOTHING = "Nothing that you may see is compared yet."
_MEANING = (
    "Log strengths of mean 0 (Bradley and Terry 1952): of two that are d apart the stronger one is"
    " better with probability 1 / (1 + exp(−d)); a tie is half a win for each."
)
_LEAST_SPAN = 0.5
_BY = {ComparedBy.SOURCE: "source", ComparedBy.TASK: "task", ComparedBy.ITEM: "instruction"}


class PairResultsFace(ResultPages):
    """Shows results of pairs; says which pair was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Results of pairs", _TITLES, parent)
        self.strengths = ChartPage("Strengths, with 95 % intervals", _MEANING)
        self.agreement = AgreementPage()
        self.answers = ChartPage("How often each answer was given", "Sides are random: a rater who"
                                 " attends chooses neither more often.")  # fmt: skip
        self.disputed = GroupedList("disputed pair", "disputed pairs")
        self.disputed.selection_changed.connect(self._choose)
        apart = column(heading("Raters differ most first"), self.disputed, margin_px=0)
        for page in (self.strengths, self.agreement, self.answers, apart):
            self._pages.addWidget(page)

    def set_results(self, results: PairResults | None, told: str) -> None:
        """Show results, or none while they are computed.

        Args:
            results: What came of the batch.
            told: One line over them, e.g. what is hidden from the viewer.
        """
        self._tell(told)
        self.disputed.set_selected(())
        if results is None:
            for page in (self.strengths, self.agreement, self.answers):
                page.set_numbers(None, (), ())
            self.disputed.set_rows(())
            return
        heads = ("criterion", "by", "of", "comparisons", "strength, 95 % interval")
        self.strengths.set_numbers(
            strengths_chart(results), heads, strength_cells(results), _NOTHING
        )
        rows = tuple(results.agreement.values())
        titles = [results.title_of(row.criterion) for row in rows]
        self.agreement.set_agreement(rows, titles, _NOTHING, noun="pair")
        heads = ("criterion", "left", "tie", "right", "cannot judge")
        cells = [(results.title_of(row.criterion), *map(str, row[1:])) for row in results.counts]
        self.answers.set_numbers(answers_chart(results), heads, cells)
        self.disputed.set_rows(_pair_row(entry, results) for entry in results.disputed)


def _pair_row(entry: DisputedPair, results: PairResults) -> ListRow:
    apart = "a tie or not" if entry.apart < 1 else "either one better"
    texts = " ↔ ".join(results.texts[entry.pair])
    return ListRow(entry.pair, texts, f"{apart}, {counted(entry.raters, 'rater')}")


def answers_chart(results: PairResults) -> MakePicture | None:
    """A bar for each answer on each criterion."""
    rows = []
    for own in results.counts:
        title = results.title_of(own.criterion)
        total = own.left + own.tie + own.right
        heading_of = f"{title}: {counted(total, 'answer')}"
        for name, count in (("left", own.left), ("tie", own.tie), ("right", own.right)):
            share = count / total if total else 0.0
            told = f"{100 * share:.0f} %" if total else ""
            target = ChartTarget(f"{title}: {name}", f"{count:,} of {counted(total, 'answer')}", ())
            part = BarPart(share, ChartTone.PLAIN, strength=1.0 if count else 0.0)
            rows.append(BarRow(name, target, (part,), f"{count:,}", told, heading_of))
            heading_of = ""
    if not any(sum(own[1:]) for own in results.counts):
        return None
    return lambda width, _, measure: rows_picture(rows, width, measure)


def strengths_chart(results: PairResults) -> MakePicture | None:
    """A scale per criterion and what is compared, with a point per name."""
    scales = []
    for by, rows in results.strengths.items():
        for row in rows:
            title = f"{results.title_of(row.criterion)}, by {_BY[by]}"
            scales.append(_scale(title, row))
    if not scales:
        return None
    return lambda width, _, measure: interval_picture(scales, width, measure)


def _scale(title: str, row: PairStrengths) -> IntervalScale:
    told = f"{title}: {counted(row.comparisons, 'comparison')}"
    if row.strengths is None:
        words = f"undefined: {row.undefined}"
        lone = IntervalRow("–", None, None, words, ChartTarget(title, words, ()))
        return IntervalScale(told, -1.0, 1.0, (0.0,), (lone,))
    ends = [abs(end) for own in row.strengths.values() for end in own.ci95 or (own.value,)]
    span = max(math.ceil(2 * max(ends)) / 2, _LEAST_SPAN)
    rows = tuple(
        IntervalRow(
            name or "none stated", own.value, own.ci95, own.words,
            ChartTarget(f"{title}, {name or 'none stated'}", own.words, ()),
        )
        for name, own in row.strengths.items()
    )  # fmt: skip
    return IntervalScale(told, -span, span, (-span, 0.0, span), rows)


def strength_cells(results: PairResults) -> list[tuple[str, ...]]:
    """A row per criterion, what is compared, and name."""
    cells: list[tuple[str, ...]] = []
    for by, rows in results.strengths.items():
        for row in rows:
            head = results.title_of(row.criterion), _BY[by]
            count = str(row.comparisons)
            if row.strengths is None:
                cells.append((*head, "–", count, f"undefined: {row.undefined}"))
                continue
            cells += [
                (*head, name or "none stated", count, own.words)
                for name, own in row.strengths.items()
            ]
    return cells
