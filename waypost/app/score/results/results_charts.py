"""Results of a batch as charts and as the rows of tables: both say the same numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from waypost.charts.bars import BarPart, BarRow, rows_picture
from waypost.charts.intervals import IntervalRow, IntervalScale, interval_picture
from waypost.charts.picture import ChartTarget, ChartTone
from waypost.domain.base.counted_words import counted
from waypost.metrics.agreement.score_agreement import COEFFICIENTS, CriterionAgreement
from waypost.metrics.batch_results import BatchResults
from waypost.metrics.score_means import ScoreMean, ScoreSpread
from waypost.viewers.charts.chart_view import MakePicture

_MOST_TICKS = 11
_NO_SUCH_INTERVAL = "no interval of one instruction"


def means_chart(results: BatchResults) -> MakePicture | None:
    """A scale per criterion, with a point per source and task."""
    order = [entry.key for entry in results.rubric.criteria]
    of_rubric = sorted(
        results.means, key=lambda mean: (_place(mean.key.criterion, order), mean.key[:2])
    )
    scales = []
    for criterion, means in groupby(of_rubric, key=lambda mean: mean.key.criterion):
        least, most = results.range_of(criterion)
        title = f"{results.title_of(criterion)}, {least} to {most}"
        rows = tuple(_mean_row(mean, title) for mean in means)
        scales.append(IntervalScale(title, least, most, _whole_ticks(least, most), rows))
    return _picture_of(scales)


def _place(criterion: str, order: Sequence[str]) -> int:
    return order.index(criterion) if criterion in order else len(order)


def _whole_ticks(least: int, most: int) -> tuple[float, ...]:
    every = range(least, most + 1)
    return tuple(map(float, every)) if len(every) <= _MOST_TICKS else (float(least), float(most))


def _mean_row(mean: ScoreMean, title: str) -> IntervalRow:
    name = ", ".join(part for part in mean.key[:2] if part) or "all"
    items = counted(mean.items, "instruction")
    words = mean.words
    if mean.mean is None:
        return IntervalRow(name, None, None, words, ChartTarget(f"{title}, {name}", words, ()))
    missing = "" if mean.ci95 else f"; {_NO_SUCH_INTERVAL}"
    detail = f"mean {words} over {items}, {counted(mean.scores, 'score')}{missing}"
    target = ChartTarget(f"{title}, {name}", detail, mean.item_ids)
    return IntervalRow(name, mean.mean, mean.ci95, f"{words}, n = {mean.items}", target)


def mean_cells(results: BatchResults) -> list[tuple[str, ...]]:
    """A row per source, task and criterion."""
    return [
        (
            mean.key.source or "–",
            mean.key.task or "–",
            results.title_of(mean.key.criterion),
            mean.words,
            str(mean.items),
            str(mean.scores),
        )
        for mean in results.means
    ]


def agreement_chart(
    rows: Iterable[CriterionAgreement],
    titles: Sequence[str],
    item_ids: tuple[str, ...],
    noun: str = "instruction",
) -> MakePicture | None:
    """A scale per criterion, with a point per coefficient.

    Args:
        rows: Agreement on each criterion.
        titles: Of the criteria.
        item_ids: What raters differ about, which a click shows.
        noun: What an item is.
    """
    scales = []
    for row, title in zip(rows, titles, strict=True):
        ends = [c.ci95[0] if c.ci95 else c.value for c in row.coefficients.values()]
        least = -1.0 if any(end is not None and end < 0 for end in ends) else 0.0
        ticks = (least, 0.0, 0.5, 1.0) if least else (0.0, 0.5, 1.0)
        own = []
        for key, coefficient in row.coefficients.items():
            kind = COEFFICIENTS[key]
            detail = f"{coefficient.words}. {kind.definition}"
            target = ChartTarget(f"{title}, {kind.title}", detail, item_ids)
            own.append(
                IntervalRow(
                    kind.title, coefficient.value, coefficient.ci95, coefficient.words, target
                )
            )
        told = f"{title}: {agreement_base(row, noun)}"
        scales.append(IntervalScale(told, least, 1.0, ticks, tuple(own)))
    return _picture_of(scales)


def agreement_cells(
    rows: Iterable[CriterionAgreement], titles: Sequence[str], noun: str = "instruction"
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Heads and rows: a criterion and coefficient each, the title in the first of a criterion."""
    kinds = list(COEFFICIENTS.values())
    cells: list[tuple[str, ...]] = []
    for row, title in zip(rows, titles, strict=True):
        overlap = f"{title}\n{row.overlapping_items} of {counted(row.items, noun)}"
        overlap += f"\n{counted(row.raters, 'rater')}"
        firsts = (overlap, *[""] * (len(kinds) - 1))
        cells += [
            (first, kind.title, coefficient.words)
            for first, kind, coefficient in zip(
                firsts, kinds, row.coefficients.values(), strict=True
            )
        ]
    return ("criterion", "coefficient", "value, 95 % interval"), cells


def agreement_base(row: CriterionAgreement, noun: str = "instruction") -> str:
    """``n = 12 of 40 instructions, 3 raters``: what overlaps of what was scored."""
    items = counted(row.items, noun)
    return f"n = {row.overlapping_items} of {items}, {counted(row.raters, 'rater')}"


def counts_chart(results: BatchResults) -> MakePicture | None:
    """A bar per score of each criterion."""
    rows = tuple(row for counts in results.counts for row in _count_rows(results, counts))
    if not any(counts.scores or counts.cannot_judge for counts in results.counts):
        return None
    return lambda width, _, measure: rows_picture(rows, width, measure)


def _count_rows(results: BatchResults, counts: ScoreSpread) -> list[BarRow]:
    entry, total = results.rubric.criterion(counts.criterion), counts.scores
    title = results.title_of(counts.criterion)
    heading = f"{title}: {counted(total, 'score')}"
    rows = []
    for score, items in counts.items_by_score.items():
        level = entry.level(score) if entry else None
        label = f"{score} {level.title}" if level else f"{score}"
        share = len(items) / total if total else 0.0
        detail = f"{len(items):,} of {counted(total, 'score')}" + _share(share, total)
        target = ChartTarget(f"{title}: {label}", detail, tuple(dict.fromkeys(items)))
        part = BarPart(share, ChartTone.PLAIN)
        rows.append(
            BarRow(label, target, (part,), f"{len(items):,}", _share(share, total), heading)
        )
        heading = ""
    if counts.cannot_judge:
        told = counted(len(counts.cannot_judge), "time")
        target = ChartTarget(
            f"{title}: cannot judge", told, tuple(dict.fromkeys(counts.cannot_judge))
        )
        rows.append(BarRow("cannot judge", target, (), told, "in no share"))
    return rows


def _share(share: float, total: int) -> str:
    return f" {100 * share:.0f} %" if total else ""


def count_cells(results: BatchResults) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Heads and rows: a criterion each, and how often each score was given."""
    scores = sorted({score for counts in results.counts for score in counts.items_by_score})
    heads = ("criterion", *map(str, scores), "cannot judge")
    cells = []
    for counts in results.counts:
        given = counts.items_by_score
        own = (str(len(given[score])) if score in given else "" for score in scores)
        title = results.title_of(counts.criterion)
        cells.append((title, *own, str(len(counts.cannot_judge))))
    return heads, cells


def _picture_of(scales: Sequence[IntervalScale]) -> MakePicture | None:
    if not scales:
        return None
    return lambda width, _, measure: interval_picture(scales, width, measure)
