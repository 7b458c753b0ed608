"""What a rater is told of what somebody has decided about their sheets and comparisons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.base.rounds import Round, RoundState
from waypost.domain.base.visible_text import one_line
from waypost.domain.score.score_book import ScoreBook

_QUOTED: Final = 40
"""Characters of an instruction."""

_MOST_OF_COMMENT: Final = 160


class _Decision(NamedTuple):
    batch: str
    name: str
    """Of the item, or the pair."""

    noun: str
    before: Round | None
    now: Round


def decision_words(before: ScoreBook, after: ScoreBook, rater: str) -> str:
    """Who returned, accepted or gave free which of somebody's sheets; empty if nobody did.

    Args:
        before: The book that they know.
        after: The one of now.
        rater: Whose sheets and comparisons.
    """
    groups: dict[tuple[str, str, str, str], list[_Decision]] = defaultdict(list)
    for made in _decisions(before, after, rater):
        was_locked = made.before is not None and made.before.is_locked
        if made.now.is_locked and not was_locked:
            done = "returned" if made.now.state is RoundState.RETURNED else "accepted"
            groups[done, made.now.decided_by, made.batch, made.noun].append(made)
        elif was_locked and not made.now.is_locked:
            groups["taken back", "", made.batch, made.noun].append(made)
    return " ".join(_sentence(after, *group, made) for group, made in groups.items())


def _decisions(before: ScoreBook, after: ScoreBook, rater: str) -> Iterator[_Decision]:
    for key in mapping_changes(before.sheets, after.sheets).touched:
        if key.rater == rater and key in after.sheets:
            known, now = before.sheets.get(key), after.sheets[key]
            yield _Decision(key.batch, key.item, "sheet", known, now)
    for pair in mapping_changes(before.comparisons, after.comparisons).touched:
        if pair.rater == rater and pair in after.comparisons:
            rounds = before.comparisons[pair].rounds if pair in before.comparisons else ()
            known_rounds = {one.round: one for one in rounds}
            for one in after.comparisons[pair].rounds:
                of_before = known_rounds.get(one.round)
                yield _Decision(pair.batch, pair.pair, "comparison", of_before, one)


def _sentence(
    book: ScoreBook, done: str, by: str, batch: str, noun: str, made: list[_Decision]
) -> str:
    if len(made) > 1:
        which, they = f"{len(made):,} of your {noun}s in {batch}", "they are"
    else:
        about = _quoted(book, batch, made[0].name)
        which, they = f"your {noun} {about} in {batch}", "it is"
    if done == "taken back":
        return f"What was decided about {which} is taken back."
    if done == "accepted":
        return f"{by} accepted {which}; {they} locked."
    comment = one_line(made[0].now.decision_comment, _MOST_OF_COMMENT) if len(made) == 1 else ""
    return f"{by} returned {which}" + (f": “{comment}”" if comment else ".")


def _quoted(book: ScoreBook, batch: str, name: str) -> str:
    """The beginning of an instruction, or of the first of a pair."""
    item = book.batch(batch).pairs.get(name, (name,))[0]
    return f"on “{one_line(book.instruction(batch, item).text, _QUOTED)}”"
