"""The list of a batch as one person sees it, and what the panel says of a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from waypost.domain.base.rounds import Round, RoundState
from waypost.domain.base.visible_text import one_line
from waypost.domain.score.comparison import PairComparison
from waypost.domain.score.fairness import may_see_others
from waypost.domain.score.rubric import total_of
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet, SheetState
from waypost.domain.score.sheet_edits import to_score_anew
from waypost.widgets.facts_table import Fact
from waypost.widgets.grouped_list import ListRow

_SIGNS: Final = {
    RoundState.SUBMITTED: "✓",
    RoundState.SKIPPED: "skipped",
    RoundState.RETURNED: "returned",
    RoundState.ACCEPTED: "accepted",
}
_LETTERS, _LETTERS_OF_TWO = 60, 16
"""That are shown of an instruction, and of each of a pair: two lines of the narrowest list."""


def items_in_order(book: ScoreBook, batch: str, viewer: str) -> tuple[str, ...]:
    """The items or pairs of a batch in the order of its rater; of whoever is none, as made."""
    known = book.batch(batch)
    own = known.assigned.get(viewer)
    if own is not None:
        return own
    return tuple(known.pairs) or tuple(entry.key.item for entry in book.items_of(batch))


def item_row(
    book: ScoreBook, batch: str, item: str, viewer: str, number: int, raters: Sequence[str] | None
) -> ListRow:
    """The row of an item: its first words, and how far the sheet is.

    A rater's row says nothing of others; that of whoever is no rater counts the sheets that are in.

    Args:
        book: What the project keeps about scoring.
        batch: The batch.
        item: The item.
        viewer: Who looks.
        number: Place in the order that is shown, from 1.
        raters: Who scores the item, for whoever is no rater; ``None`` for a rater.
    """
    short = one_line(book.instruction(batch, item).text, _LETTERS)
    if raters is None:
        told = _own_state(book, batch, item, viewer)
    else:
        told = _counted([book.sheet(batch, item, rater) for rater in raters])
    return ListRow(item, f"{number}  {short}", told, tip=item)


def pair_row(
    book: ScoreBook, batch: str, pair: str, viewer: str, number: int, raters: Sequence[str] | None
) -> ListRow:
    """The row of a pair: the first words of both, the left one first, and how far it is.

    See ``item_row``, also for the arguments.
    """
    own = book.comparison(batch, pair, viewer)
    texts = [book.instruction(batch, item).text for item in book.batch(batch).pairs[pair]]
    if raters is None:
        told = _state_words(own, is_returned=book.is_returned(batch, pair, viewer))
        if own.is_swapped:
            texts.reverse()
    else:
        told = _counted([book.comparison(batch, pair, rater) for rater in raters])
    # The names of the two may tell where they come from.
    both = " ↔ ".join(one_line(text, _LETTERS_OF_TWO) for text in texts)
    return ListRow(pair, f"{number}  {both}", told, tip=" ↔ ".join(map(one_line, texts)))


def _own_state(book: ScoreBook, batch: str, item: str, viewer: str) -> str:
    sheet = book.sheet(batch, item, viewer)
    if to_score_anew(book, sheet):
        return f"new to score{_flag(sheet)}"
    return _state_words(sheet, is_returned=book.is_returned(batch, item, viewer))


def _state_words(said: Sheet | PairComparison, *, is_returned: bool) -> str:
    """How far a round is, in a word or sign."""
    if said.state is not RoundState.OPEN:
        told = _SIGNS[said.state]
    elif is_returned:
        told = "returned"
    else:
        told = "begun" if said.has_content else ""
    return f"{told}{_flag(said)}".strip()


def _flag(said: Sheet | PairComparison) -> str:
    return " ⚑" if said.is_flagged else ""


def _counted(every: Sequence[Sheet | PairComparison]) -> str:
    flag = " ⚑" if any(said.is_flagged for said in every) else ""
    return f"{sum(said.is_settled for said in every)} of {len(every)}{flag}"


def sheet_facts(book: ScoreBook, sheet: Sheet, viewer: str) -> tuple[Fact, ...]:
    """What is known of a sheet: its state, round, sum and time.

    Its rater is not told the time, which would hurry them.
    """
    key = sheet.key
    rubric = book.rubric_of(key.batch, sheet.rubric_version)
    facts = [Fact("sheet", sheet.state.value, f"round {key.round}")]
    total = total_of(rubric, book.instruction(key.batch, key.item), sheet.scores)
    if rubric.total is not None:
        facts.append(Fact("sum", "–" if total is None else str(total), f"of {rubric.total}"))
    if viewer != key.rater and sheet.state is not RoundState.OPEN:
        facts.append(Fact("time", f"{sheet.active_s:.0f} s", "at work"))
    return tuple(facts)


def round_words(said: Sheet | PairComparison, rounds: Sequence[Round]) -> str:
    """Why a round was skipped, and what was said to its rater by whoever decided; else empty.

    Args:
        said: The round that is shown.
        rounds: All up to it.
    """
    if said.state is RoundState.ACCEPTED:
        told = f"Accepted by {said.decided_by}"
        return f"{told}: {said.decision_comment}" if said.decision_comment else f"{told}."
    lines = [
        f"Returned by {before.decided_by}: {before.decision_comment}"
        for before in rounds[-2:-1]
        if before.state is RoundState.RETURNED
    ]
    if said.state is RoundState.SKIPPED:
        lines.append(f"Skipped: {said.skip_reason}")
    return "\n".join(lines)


def others_words(book: ScoreBook, sheet: Sheet, viewer: str, raters: Sequence[str]) -> str:
    """What other raters say of the same item, a line each; empty while it is hidden.

    Args:
        book: What the project keeps about scoring.
        sheet: The sheet that is shown.
        viewer: Who looks.
        raters: Who scores the item.
    """
    key = sheet.key
    if not may_see_others(book, key.batch, key.item, viewer):
        return ""
    rubric = book.rubric_of(key.batch, sheet.rubric_version)
    titles = {entry.key: entry.title for entry in rubric.criteria}
    others = (book.sheet(key.batch, key.item, name) for name in raters if name != key.rater)
    lines = []
    for other in others:
        if other.state is not SheetState.OPEN:
            said = ", ".join(f"{titles.get(name, name)} {n}" for name, n in other.scores.items())
            lines.append(f"{other.key.rater}: {said or other.state.value}")
    return "\n".join(lines)
