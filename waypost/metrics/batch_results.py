"""What came of a batch, as somebody may see it: the numbers of window, command and export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, Work
from waypost.domain.base.visible_text import one_line
from waypost.domain.score.fairness import (
    MissedCheck,
    counted_sheets,
    earlier_version_sheets,
    hidden_from,
    may_see_sources,
    missed_checks,
    scores_to_compare,
)
from waypost.domain.score.rubric import TOTAL, Rubric
from waypost.domain.score.said_round import SOURCES_HIDDEN, words_of_hidden, words_of_seeing
from waypost.domain.score.score_book import ScoreBook
from waypost.metrics.agreement.score_agreement import CriterionAgreement, score_agreement
from waypost.metrics.score_means import (
    ScoreMean,
    ScoreSpread,
    WorstItem,
    counted_rows,
    disputed_items,
    score_means,
    score_spreads,
    worst_items,
)


@dataclass(frozen=True)
class BatchResults:
    """What came of a batch of sheets."""

    rubric: Rubric
    agreement: Mapping[str, CriterionAgreement]
    means: tuple[ScoreMean, ...]
    counts: tuple[ScoreSpread, ...]
    worst: tuple[WorstItem, ...]
    """Lowest scores first."""

    texts: Mapping[str, str]
    """Item → its first words."""

    hidden_items: int = 0
    """Items of which others' scores are hidden from the viewer until the own sheet is in."""

    earlier_sheets: int = 0
    """Sheets by an earlier version of the rubric, which enter no result."""

    knows_sources: bool = True
    """Whether the viewer may see where instructions come from."""

    missed: tuple[MissedCheck, ...] = ()
    """Scores of attention checks that no attentive rater gives; a rater sees none."""

    seeing_sheets: int = 0
    """Sheets given again after others' were seen; agreement counts what was scored before."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the viewer does not see, and what is left out, as window and command say it."""
        earlier = counted(self.earlier_sheets, "sheet")
        notes = (
            words_of_hidden("scores", self.hidden_items, "instruction"),
            "" if self.knows_sources else SOURCES_HIDDEN,
            f"{earlier} by an earlier version of the rubric left out" * bool(self.earlier_sheets),
            words_of_seeing(self.seeing_sheets, "sheet"),
            self.missed_words,
        )
        return tuple(filter(None, notes))

    @property
    def missed_words(self) -> str:
        """``attention checks missed: ana 2, cem 1``; empty where none was."""
        counts = Counter(entry.rater for entry in self.missed)
        told = ", ".join(f"{rater} {count}" for rater, count in sorted(counts.items()))
        return f"attention checks missed: {told}" if told else ""

    @cached_property
    def disputed(self) -> tuple[WorstItem, ...]:
        """What raters differ about most, first."""
        return disputed_items(self.worst)

    def title_of(self, criterion: str) -> str:
        """Title of a criterion, or what a sum is called."""
        entry = self.rubric.criterion(criterion)
        return entry.title if entry else "Sum" if criterion == TOTAL else criterion

    def range_of(self, criterion: str) -> tuple[int, int]:
        """The lowest and the highest score of a criterion, or of the sum.

        Raises:
            KeyError: If the rubric has no such criterion.
        """
        entry = self.rubric.criterion(criterion)
        if entry is not None:
            return entry.least, entry.most
        if criterion != TOTAL or self.rubric.total is None:
            raise KeyError(criterion)
        return 0, self.rubric.total


def batch_results(book: ScoreBook, batch: str, viewer: str) -> Work[BatchResults]:
    """Compute what came of a batch, in steps; everything only of what the viewer may see.

    Raises:
        EditError: If there is no such batch.
    """
    yield Progress(0, 3, "Comparing scores")
    rubric, items = book.rubric_of(batch), book.items_of(batch)
    agreed = score_agreement(scores_to_compare(book, batch, viewer))
    yield Progress(2, 3, "Means")
    rows = counted_rows(book, batch, viewer)
    return BatchResults(
        rubric,
        agreed,
        score_means(rows),
        score_spreads(rows, rubric),
        worst_items(rows, rubric),
        {entry.key.item: one_line(entry.instruction.text) for entry in items},
        len(hidden_from(book, batch, viewer)),
        sum(1 for _ in earlier_version_sheets(book, batch, viewer)),
        may_see_sources(book, batch, viewer),
        tuple(missed_checks(book, batch, viewer)),
        sum(sheet.is_seeing for sheet in counted_sheets(book, batch, viewer)),
    )
