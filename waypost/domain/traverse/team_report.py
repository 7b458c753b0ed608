"""How far a team is, and what it does not agree about, as somebody may see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from waypost.domain.traverse.team import DECIDING, DoubleLabel, Standing, Team
from waypost.domain.traverse.traversability import Passage


class AnnotatorProgress(NamedTuple):
    """How far one annotator is with what is dealt."""

    dealt: int
    given: int
    """Labels that are in."""

    returned: int
    """To be given again."""


class Disagreement(NamedTuple):
    """A passage about which the two do not agree, and what each of them says."""

    passage: Passage
    first: DoubleLabel
    second: DoubleLabel


def annotator_progress(team: Team, name: str) -> AnnotatorProgress | None:
    """How far somebody is; ``None`` where the viewer does not see all their labels.

    One sees one's own progress, a reviewer and a lead everybody's.
    """
    if team.viewer != name and team.role(team.viewer) not in DECIDING:
        return None
    own = [passage for passage, entry in team.doubles.items() if name in entry.annotators]
    given = sum(team.settled(passage, name) is not None for passage in own)
    returned = sum(
        team.is_to_answer(passage, name) and team.current(passage, name) is not None
        for passage in own
    )
    return AnnotatorProgress(len(own), given, returned)


def standing_counts(team: Team) -> Mapping[Standing, int]:
    """How many double passages stand how, as far as the viewer may know."""
    found = Counter(standing for _, standing in team.standings())
    return {standing: found[standing] for standing in Standing}


def disagreements(team: Team) -> Iterator[Disagreement]:
    """The passages to decide, with both sides, in the order they were dealt."""
    for passage, standing in team.standings():
        both = team.both(passage)
        if standing is Standing.DISAGREEING and both is not None:
            yield Disagreement(passage, *both)
