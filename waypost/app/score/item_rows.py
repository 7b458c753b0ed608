"""The list of a batch as one person sees it, and what the panel says of a sheet."""

from __future__ import annotations

from typing import Final

from waypost.domain.score.fairness import may_see_others, visible_sheets
from waypost.domain.score.rubric import total_of
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet, SheetState
from waypost.domain.score.sheet_edits import to_score_anew
from waypost.widgets.facts_table import Fact
from waypost.widgets.grouped_list import ListRow

_SIGNS: Final = {
    SheetState.OPEN: "",
    SheetState.SUBMITTED: "✓",
    SheetState.SKIPPED: "skipped",
    SheetState.RETURNED: "returned",
    SheetState.ACCEPTED: "accepted",
}
_LETTERS: Final = 60


def items_in_order(book: ScoreBook, batch: str, viewer: str) -> tuple[str, ...]:
    """The items of a batch in the order of its rater; of whoever is none, as they came in."""
    own = book.batch(batch).assigned.get(viewer)
    return tuple(entry.key.item for entry in book.items_of(batch)) if own is None else own


def item_rows(book: ScoreBook, batch: str, viewer: str) -> tuple[ListRow, ...]:
    """A row per item: its first words, and how far the sheet is.

    A rater's list says nothing of others; of whoever is no rater it counts the sheets that are in.
    """
    is_rater = viewer in book.batch(batch).assigned
    rows = []
    for place, item in enumerate(items_in_order(book, batch, viewer), 1):
        text = " ".join(book.instruction(batch, item).text.split())
        short = text if len(text) <= _LETTERS else f"{text[:_LETTERS]}…"
        told = _own_state(book, batch, item, viewer) if is_rater else _count(book, batch, item)
        rows.append(ListRow(item, f"{place}  {short}", told, tip=item))
    return tuple(rows)


def _own_state(book: ScoreBook, batch: str, item: str, viewer: str) -> str:
    sheet = book.sheet(batch, item, viewer)
    flag = " ⚑" if sheet.is_flagged else ""
    if to_score_anew(book, sheet):
        return f"new to score{flag}"
    if sheet.state is SheetState.OPEN and sheet.key.round > 1:
        return f"returned{flag}"
    if sheet.state is SheetState.OPEN and sheet.has_content:
        return f"begun{flag}"
    return f"{_SIGNS[sheet.state]}{flag}".strip()


def _count(book: ScoreBook, batch: str, item: str) -> str:
    raters = [r for r, own in book.batch(batch).assigned.items() if item in own]
    sheets = [book.sheet(batch, item, rater) for rater in raters]
    flag = " ⚑" if any(sheet.is_flagged for sheet in sheets) else ""
    return f"{sum(sheet.is_settled for sheet in sheets)} of {len(sheets)}{flag}"


def sheet_facts(book: ScoreBook, sheet: Sheet) -> tuple[Fact, ...]:
    """What is known of a sheet: its state, round, sum, time, and what was said to its rater."""
    key = sheet.key
    rubric = book.rubric_of(key.batch, sheet.rubric_version)
    facts = [Fact("sheet", sheet.state.value, f"round {key.round}")]
    total = total_of(rubric, book.instruction(key.batch, key.item), sheet.scores)
    if rubric.total is not None:
        facts.append(Fact("sum", "–" if total is None else str(total), f"of {rubric.total}"))
    facts.append(Fact("time", f"{sheet.active_s:.0f} s", "at work"))
    if sheet.skip_reason:
        facts.append(Fact("skipped", sheet.skip_reason))
    rounds = book.rounds(key.batch, key.item, key.rater)
    if len(rounds) > 1:
        before = rounds[-2]
        if before.decision_comment:
            facts.append(Fact("returned", before.decision_comment, before.decided_by))
    return tuple(facts)


def others_words(book: ScoreBook, sheet: Sheet, viewer: str) -> str:
    """What other raters say of the same item, a line each; empty while it is hidden."""
    rubric = book.rubric_of(sheet.key.batch, sheet.rubric_version)
    titles = {entry.key: entry.title for entry in rubric.criteria}
    lines = []
    for other in _others(book, sheet, viewer):
        said = ", ".join(f"{titles.get(key, key)} {n}" for key, n in other.scores.items())
        lines.append(f"{other.key.rater}: {said or other.state.value}")
    return "\n".join(lines)


def _others(book: ScoreBook, sheet: Sheet, viewer: str) -> list[Sheet]:
    """What other raters say of the same item, once the viewer may see it."""
    key = sheet.key
    if not may_see_others(book, key.batch, key.item, viewer):
        return []
    current = {own.key for own in book.current_sheets(key.batch)}
    return [
        other
        for other in visible_sheets(book, key.batch, viewer)
        if other.key.item == key.item and other.key.rater != key.rater and other.key in current
    ]
