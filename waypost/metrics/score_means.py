"""Means of what people scored, by source and task, each item counting once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from waypost.domain.score.fairness import counted_sheets
from waypost.domain.score.rubric import TOTAL, Rubric
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.score_rows import ScoreRow, score_rows
from waypost.metrics.aggregate import interval

NO_SCORE: Final = "nobody scored it"
NOT_JUDGED: Final = "nobody could judge it"


class MeanKey(NamedTuple):
    """What a mean is over."""

    source: str
    """Empty where none is stated or the viewer may not know it yet."""

    task: str
    criterion: str
    """Key, or ``TOTAL``."""


@dataclass(frozen=True, slots=True)
class ScoreMean:
    """The mean of one criterion over the items of one source and task."""

    key: MeanKey
    mean: float | None
    """Over items, of the mean of each item over its raters; ``None`` where ``undefined`` says
    why."""

    ci95: tuple[float, float] | None
    """Percentile bootstrap interval over items; ``None`` of one item."""

    item_ids: tuple[str, ...]
    """That it is over, in order of their names."""

    scores: int
    undefined: str = ""
    """Why there is no mean; empty where there is one."""

    @property
    def items(self) -> int:
        """How many items it is over."""
        return len(self.item_ids)

    @property
    def words(self) -> str:
        """``3.42 [3.10, 3.75]``, or ``undefined: nobody scored it``, wherever people read it."""
        if self.mean is None:
            return f"undefined: {self.undefined}"
        if self.ci95 is None:
            return f"{self.mean:.2f}"
        return f"{self.mean:.2f} [{self.ci95[0]:.2f}, {self.ci95[1]:.2f}]"


def counted_rows(book: ScoreBook, batch: str, viewer: str) -> list[ScoreRow]:
    """The rows of the sheets that enter results, see ``counted_sheets``.

    Raises:
        EditError: If there is no such batch.
    """
    counted = {sheet.key for sheet in counted_sheets(book, batch, viewer)}
    return [row for row in score_rows(book, batch, viewer) if row.sheet.key in counted]


def score_means(rows: Iterable[ScoreRow]) -> tuple[ScoreMean, ...]:
    """Means of every source, task and criterion that was asked.

    Args:
        rows: As ``counted_rows`` gives them; “cannot judge” enters no mean.
    """
    found: dict[MeanKey, dict[str, list[float]]] = {}
    unjudged: dict[MeanKey, bool] = {}
    totals_seen = set()
    for row in rows:
        item, of = row.sheet.key.item, (row.source, row.instruction.task)
        key = MeanKey(*of, row.criterion)
        own = found.setdefault(key, {})
        unjudged[key] = unjudged.get(key, False) or row.cannot_judge
        if row.score is not None:
            own.setdefault(item, []).append(float(row.score))
        if row.total is not None and row.sheet.key not in totals_seen:
            totals_seen.add(row.sheet.key)
            own = found.setdefault(MeanKey(*of, TOTAL), {})
            own.setdefault(item, []).append(float(row.total))
    return tuple(
        _mean(key, by_item)
        if by_item
        else ScoreMean(key, None, None, (), 0, NOT_JUDGED if unjudged[key] else NO_SCORE)
        for key, by_item in found.items()
    )


def _mean(key: MeanKey, by_item: Mapping[str, list[float]]) -> ScoreMean:
    means = np.array([float(np.mean(scores)) for _, scores in sorted(by_item.items())])
    return ScoreMean(
        key,
        float(means.mean()),
        interval(means),
        tuple(sorted(by_item)),
        sum(map(len, by_item.values())),
    )


class WorstItem(NamedTuple):
    """One item by how it was scored."""

    item: str
    mean: float
    """Over its criteria, each as a share of its scale in [0, 1], and its raters."""

    spread: float | None
    """Greatest difference between two raters on one criterion, as a share of its scale; ``None``
    where no two scored the same criterion."""

    raters: int
    is_flagged: bool


def worst_items(rows: Iterable[ScoreRow], rubric: Rubric) -> tuple[WorstItem, ...]:
    """Items with a score, the worst first; of equally bad ones those raters differ about first.

    Args:
        rows: As ``counted_rows`` gives them.
        rubric: That they were scored by.
    """
    scales = {entry.key: (entry.least, entry.most - entry.least) for entry in rubric.criteria}
    by_item: dict[str, list[ScoreRow]] = {}
    for row in rows:
        if row.score is not None:
            by_item.setdefault(row.sheet.key.item, []).append(row)
    found = []
    for item, own in by_item.items():
        shares: dict[str, list[float]] = {}
        for row in own:
            least, width = scales[row.criterion]
            shares.setdefault(row.criterion, []).append(((row.score or 0) - least) / width)
        every = [share for given in shares.values() for share in given]
        found.append(
            WorstItem(
                item,
                float(np.mean(every)),
                max((max(s) - min(s) for s in shares.values() if len(s) > 1), default=None),
                len({row.sheet.key.rater for row in own}),
                any(row.sheet.is_flagged for row in own),
            )
        )
    return tuple(sorted(found, key=lambda entry: (entry.mean, -(entry.spread or 0), entry.item)))


def disputed_items(items: Iterable[WorstItem]) -> tuple[WorstItem, ...]:
    """Items about which raters differ, those they differ about most first."""
    apart = (entry for entry in items if entry.spread)
    return tuple(sorted(apart, key=lambda entry: (-(entry.spread or 0), entry.mean, entry.item)))


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """How often each score of a criterion was given."""

    criterion: str
    items_by_score: Mapping[int, tuple[str, ...]]
    """Score of the scale → the item of each time it was given, in the order of the batch."""

    cannot_judge: tuple[str, ...]
    """The item of each time somebody could not judge it."""

    @property
    def scores(self) -> int:
        """How many scores were given."""
        return sum(map(len, self.items_by_score.values()))


def score_spreads(rows: Iterable[ScoreRow], rubric: Rubric) -> tuple[ScoreSpread, ...]:
    """How scores are spread over each criterion, in the order of the rubric.

    Args:
        rows: As ``counted_rows`` gives them.
        rubric: That they were scored by.
    """
    given: dict[str, dict[int, list[str]]] = {
        entry.key: {score: [] for score in entry.scores} for entry in rubric.criteria
    }
    cannot: dict[str, list[str]] = {entry.key: [] for entry in rubric.criteria}
    for row in rows:
        if row.score is not None:
            given[row.criterion][row.score].append(row.sheet.key.item)
        elif row.cannot_judge:
            cannot[row.criterion].append(row.sheet.key.item)
    return tuple(
        ScoreSpread(
            key,
            MappingProxyType({score: tuple(items) for score, items in own.items()}),
            tuple(cannot[key]),
        )
        for key, own in given.items()
    )
