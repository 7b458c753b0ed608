"""What came of a batch that is compared in pairs, as somebody may see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from waypost.domain.base.progress import Progress, Work
from waypost.domain.base.visible_text import one_line
from waypost.domain.score.comparison import BETTER_SCORES, Better, PairComparison
from waypost.domain.score.fairness import (
    answers_to_compare,
    counted_comparisons,
    hidden_from,
    may_see_sources,
)
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import Rubric
from waypost.domain.score.said_round import SOURCES_HIDDEN, words_of_hidden, words_of_seeing
from waypost.domain.score.score_book import ScoreBook
from waypost.metrics.agreement.score_agreement import CriterionAgreement, score_agreement
from waypost.metrics.pair_strengths import ComparedPair, PairStrengths, pair_strengths


class ComparedBy(StrEnum):
    """What is taken for the same when strengths are computed."""

    SOURCE = "source"
    TASK = "task"
    ITEM = "item"


_NAMES: Mapping[ComparedBy, Callable[[InstructionText], str]] = {
    ComparedBy.SOURCE: lambda text: text.source,
    ComparedBy.TASK: lambda text: text.task,
    ComparedBy.ITEM: lambda text: text.item,
}


class SidesChosen(NamedTuple):
    """How often each answer was given on a criterion, by side."""

    criterion: str
    left: int
    tie: int
    right: int
    cannot_judge: int


class DisputedPair(NamedTuple):
    """A pair that raters answer otherwise."""

    pair: str
    apart: float
    """1 where one finds the first better and another the second, 0.5 where one of them a tie."""

    raters: int


@dataclass(frozen=True, slots=True)
class PairResults:
    """What came of a batch of pairs."""

    rubric: Rubric
    agreement: Mapping[str, CriterionAgreement]
    """Of pairs as items, by the scores of ``BETTER_SCORES``."""

    strengths: Mapping[ComparedBy, tuple[PairStrengths, ...]]
    """By source and by item only where the viewer may know sources; by nothing that is one name."""

    counts: tuple[SidesChosen, ...]
    """Whether one side is chosen more often tells of raters, as sides are random."""

    disputed: tuple[DisputedPair, ...]
    """What raters differ about most, first."""

    texts: Mapping[str, tuple[str, str]]
    """Pair → the first words of its two instructions."""

    hidden_pairs: int
    """Pairs of which others' answers are hidden from the viewer until the own ones are in."""

    knows_sources: bool
    seeing_comparisons: int = 0
    """Comparisons given again after others' were seen; agreement counts what was said before."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the viewer does not see, and what is left out, as window and command say it."""
        notes = (
            words_of_hidden("answers", self.hidden_pairs, "pair"),
            "" if self.knows_sources else SOURCES_HIDDEN,
            words_of_seeing(self.seeing_comparisons, "comparison"),
        )
        return tuple(filter(None, notes))

    def title_of(self, criterion: str) -> str:
        """Title of a criterion."""
        entry = self.rubric.criterion(criterion)
        return entry.title if entry else criterion


def pair_results(book: ScoreBook, batch: str, viewer: str) -> Work[PairResults]:
    """Compute what came of a batch of pairs, in steps; only of what the viewer may see.

    Raises:
        EditError: If there is no such batch.
    """
    yield Progress(0, 4, "Comparing answers")
    rubric, pairs = book.rubric_of(batch), book.batch(batch).pairs
    said = list(counted_comparisons(book, batch, viewer))
    agreed = score_agreement(answers_to_compare(book, batch, viewer))
    knows = may_see_sources(book, batch, viewer)
    strengths = {}
    for step, by in enumerate(ComparedBy, 1):
        yield Progress(step, 4, "Strengths")
        # The name of an item may tell where it comes from.
        if by is not ComparedBy.TASK and not knows:
            continue
        found = _strengths(book, batch, said, by)
        if found:
            strengths[by] = found
    return PairResults(
        rubric,
        agreed,
        strengths,
        tuple(_counts(said, entry.key) for entry in rubric.criteria),
        disputed_pairs(said),
        {pair: _words(book, batch, both) for pair, both in pairs.items()},
        len(hidden_from(book, batch, viewer)),
        knows,
        sum(entry.is_seeing for entry in said),
    )


def _strengths(
    book: ScoreBook, batch: str, said: list[PairComparison], by: ComparedBy
) -> tuple[PairStrengths, ...]:
    pairs, name_of = book.batch(batch).pairs, _NAMES[by]
    compared = []
    for entry in said:
        first, second = (book.instruction(batch, item) for item in pairs[entry.key.pair])
        compared.append(ComparedPair(entry, name_of(first), name_of(second)))
    if not any(entry.first != entry.second for entry in compared):
        return ()
    criteria = book.rubric_of(batch).criteria
    found = (pair_strengths(compared, entry.key) for entry in criteria)
    return tuple(entry for entry in found if entry.comparisons)


def _counts(said: list[PairComparison], criterion: str) -> SidesChosen:
    sides = [
        (entry.answers[criterion], entry.is_swapped) for entry in said if criterion in entry.answers
    ]
    on_left = {Better.FIRST: False, Better.SECOND: True}
    left = sum(on_left.get(better) is swapped for better, swapped in sides)
    tie = sum(better is Better.NEITHER for better, _ in sides)
    cannot = sum(criterion in entry.cannot_judge for entry in said)
    return SidesChosen(criterion, left, tie, len(sides) - left - tie, cannot)


def disputed_pairs(said: list[PairComparison]) -> tuple[DisputedPair, ...]:
    """The pairs that raters answer otherwise, those furthest apart first."""
    answers: dict[str, dict[str, list[int]]] = {}
    raters: dict[str, set[str]] = {}
    for entry in said:
        raters.setdefault(entry.key.pair, set()).add(entry.key.rater)
        own = answers.setdefault(entry.key.pair, {})
        for criterion, better in entry.answers.items():
            own.setdefault(criterion, []).append(BETTER_SCORES[better])
    found = []
    for pair, own in answers.items():
        apart = max((max(given) - min(given) for given in own.values()), default=0) / 2
        if apart:
            found.append(DisputedPair(pair, apart, len(raters[pair])))
    return tuple(sorted(found, key=lambda entry: (-entry.apart, entry.pair)))


def _words(book: ScoreBook, batch: str, both: tuple[str, str]) -> tuple[str, str]:
    first, second = (one_line(book.instruction(batch, item).text) for item in both)
    return first, second
