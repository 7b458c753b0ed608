"""What two annotators say about a passage, in lines for a panel."""

from __future__ import annotations

from collections.abc import Iterator

from waypost.domain.base.rounds import RoundState
from waypost.domain.traverse.team import DoubleLabel, Standing, Team
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Passage,
    TraversabilityLabel,
    state_of,
)
from waypost.services.appearance import SIGNS


def side_lines(team: Team, passage: Passage) -> Iterator[str]:
    """Both sides with their evidence once they are to be seen, and what was decided.

    Nothing where one person labels a passage.
    """
    entry = team.doubles.get(passage)
    if entry is None:
        return
    both, final = team.both(passage), team.finals.get(passage)
    if both is None:
        yield from _waiting(team, passage)
        return
    for side in both:
        yield _side(side)
    if final is not None:
        why = f": {final.comment}" if final.comment else ""
        when = f"on {final.decided_at:%Y-%m-%d}"
        yield f"Decided by {final.decided_by} {when}, {label_words(final.label)}{why}"
    elif team.standing(passage) is Standing.AGREED:
        yield "Both agree."
    elif team.decides(passage):
        yield "They disagree. Answer to decide finally; the menu accepts or returns one of them."
    else:
        yield (
            "You disagree: a reviewer decides."
            if team.viewer in entry.annotators
            else ("They disagree: a reviewer decides.")
        )


def label_words(label: TraversabilityLabel) -> str:
    """The answer, and why not."""
    word = SIGNS[state_of(label.verdict)].word
    return word if label.reason is None else f"{word}, {REASON_TITLES[label.reason]}"


def _side(side: DoubleLabel) -> str:
    note = f" “{side.label.note}”" if side.label.note else ""
    evidence = f" ({'; '.join(side.evidence)})" if side.evidence else ""
    return f"{side.key.author}: {label_words(side.label)}{note}{evidence}"


def _waiting(team: Team, passage: Passage) -> Iterator[str]:
    annotators = team.doubles[passage].annotators
    if team.viewer in annotators:
        if team.is_to_answer(passage, team.viewer):
            yield from _returned(team, passage, team.viewer)
        is_in = team.settled(passage, team.viewer) is not None
        mine = "yours is in" if is_in else "yours is missing"
        yield f"Two label this, each on their own: {mine}."
        return
    yield f"{' and '.join(annotators)} label this, each on their own."
    for name in annotators:
        shown = team.settled(passage, name)
        if shown is not None:
            yield _side(shown)
        else:
            yield from _returned(team, passage, name, f" to {name}")


def _returned(team: Team, passage: Passage, name: str, to: str = "") -> Iterator[str]:
    """Who returned the last label of somebody that was returned, and why."""
    rounds = reversed(team.rounds(passage, name))
    last = next((entry for entry in rounds if entry.state is RoundState.RETURNED), None)
    if last is not None:
        yield f"Returned{to} by {last.decided_by}: {last.decision_comment}"
