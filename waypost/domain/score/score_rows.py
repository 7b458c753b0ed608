"""A batch as a table: one row per item, rater and criterion, as somebody may see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.fairness import (
    counted_sheets,
    last_visible_sheets,
    may_see_sources,
    scored_blind,
)
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import total_of
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """What one rater says about one item on one criterion in their last round."""

    sheet: Sheet
    criterion: str
    rubric: str
    """Key of the rubric."""

    instruction: InstructionText
    source: str
    """Empty where the viewer may not know it yet."""

    total: int | None
    """Sum of the sheet, on every row of it; ``None`` where the rubric sums none."""

    blind: Sheet | None
    """The round that agreement counts."""

    @property
    def agreement_score(self) -> int | None:
        """The score that agreement counts; ``None`` where there is none."""
        return None if self.blind is None else self.blind.scores.get(self.criterion)

    @property
    def score(self) -> int | None:
        """``None`` where there is none: not judged, skipped or not answered."""
        return self.sheet.scores.get(self.criterion)

    @property
    def cannot_judge(self) -> bool:
        """Whether the rater says that it cannot be judged."""
        return self.criterion in self.sheet.cannot_judge

    @property
    def comment(self) -> str:
        """On this criterion."""
        return self.sheet.comments.get(self.criterion, "")


def score_rows(book: ScoreBook, batch: str, viewer: str) -> Iterator[ScoreRow]:
    """The rows of every sheet that somebody may see, last rounds only.

    Where the last one is hidden, being open, and results or agreement count an earlier one, it is
    the last one that is in. A sheet has a row for each criterion that it asks or answers, or that
    agreement counts. By item in the order of the batch, then by rater, then in the order of the
    rubric.

    Raises:
        EditError: If there is no such batch.
    """
    places = {entry.key.item: n for n, entry in enumerate(book.items_of(batch))}
    kept = {sheet.key for sheet in book.current_sheets(batch)}
    kept |= {sheet.key for sheet in counted_sheets(book, batch, viewer)}
    knows_sources = may_see_sources(book, batch, viewer)
    blind = {sheet.key[:3]: sheet for sheet in scored_blind(book, batch, viewer)}
    shown = [
        own
        for own in last_visible_sheets(book, batch, viewer)
        if own.key in kept or own.key[:3] in blind
    ]
    for sheet in sorted(shown, key=lambda own: (places[own.key.item], own.key.rater)):
        rubric = book.rubric_of(batch, sheet.rubric_version)
        instruction = book.items[BatchItemKey(batch, sheet.key.item)].instruction
        asked = {entry.key for entry in rubric.asked(instruction, sheet.scores)}
        first = blind.get(sheet.key[:3])
        answered = {*sheet.scores, *sheet.cannot_judge, *sheet.comments}
        if first is not None:
            answered |= first.scores.keys()
        total = total_of(rubric, instruction, sheet.scores)
        source = instruction.source if knows_sources else ""
        for entry in rubric.criteria:
            if entry.key in asked or entry.key in answered:
                yield ScoreRow(
                    sheet,
                    entry.key,
                    rubric.key,
                    instruction,
                    source,
                    total,
                    first,
                )
