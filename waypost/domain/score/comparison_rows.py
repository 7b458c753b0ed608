"""A batch of pairs as a table: one row per pair, rater and criterion, as somebody may see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from waypost.domain.score.comparison import BETTER_SCORES, Better, PairComparison, PairRound
from waypost.domain.score.comparison_edits import asked_of_pair
from waypost.domain.score.fairness import compared_blind, may_see_sources, visible_comparisons
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import ScoreBook


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """What one rater says about one pair on one criterion."""

    said: PairComparison
    criterion: str
    rubric: str
    """Key of the rubric."""

    rubric_version: int
    instructions: tuple[InstructionText, InstructionText]
    """The first and the second of the pair."""

    sources: tuple[str, str]
    """Empty where the viewer may not know them yet."""

    blind: PairRound | None
    """The round that agreement counts."""

    @property
    def agreement_score(self) -> int | None:
        """The answer that agreement counts, as a number; ``None`` where there is none."""
        better = None if self.blind is None else self.blind.answers.get(self.criterion)
        return None if better is None else BETTER_SCORES[better]

    @property
    def better(self) -> Better | None:
        """``None`` where there is no answer."""
        return self.said.answers.get(self.criterion)

    @property
    def score(self) -> int | None:
        """The answer as a number, see ``BETTER_SCORES``."""
        return None if self.better is None else BETTER_SCORES[self.better]

    @property
    def cannot_judge(self) -> bool:
        """Whether the rater says that it cannot be judged."""
        return self.criterion in self.said.cannot_judge


def comparison_rows(book: ScoreBook, batch: str, viewer: str) -> Iterator[ComparisonRow]:
    """The rows of every comparison that somebody may see, last rounds only.

    Where the last one is hidden, being open, and agreement counts an earlier one, it is the last
    one that is in. A comparison has a row for each criterion that it asks or answers. By pair in
    the order of the batch, then by rater, then in the order of the rubric.

    Raises:
        EditError: If there is no such batch.
    """
    pairs, rubric = book.batch(batch).pairs, book.rubric_of(batch)
    places = {pair: place for place, pair in enumerate(pairs)}
    knows = may_see_sources(book, batch, viewer)
    blind = dict(compared_blind(book, batch, viewer))
    shown = (
        said
        for said in visible_comparisons(book, batch, viewer)
        if said.round == book.comparison(*said.key).round or said.key in blind
    )
    for said in sorted(shown, key=lambda own: (places[own.key.pair], own.key.rater)):
        first, second = (book.instruction(batch, item) for item in pairs[said.key.pair])
        asked = {entry.key for entry in asked_of_pair(book, batch, said.key.pair)}
        wanted = {*asked, *said.answers, *said.cannot_judge}
        sources = (first.source, second.source) if knows else ("", "")
        for entry in rubric.criteria:
            if entry.key in wanted:
                yield ComparisonRow(
                    said,
                    entry.key,
                    rubric.key,
                    rubric.version,
                    (first, second),
                    sources,
                    blind.get(said.key),
                )
