"""People of a project with their roles, and passages that two of them label independently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from waypost.domain.base.no_entries import no_entries
from waypost.domain.base.rounds import Round, RoundState, rounds_from
from waypost.domain.traverse.traversability import Labels, Passage, TraversabilityLabel


class Role(StrEnum):
    """What somebody does in a project."""

    ANNOTATOR = "annotator"
    """Labels passages."""

    REVIEWER = "reviewer"
    """Decides where two annotators disagree, returns and accepts labels."""

    LEAD = "lead"
    """Says who does what, and may do what a reviewer does."""


DECIDING: Final = frozenset({Role.REVIEWER, Role.LEAD})
"""Roles that decide about labels."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of a project, by the name that stands on labels."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class DoublePassage:
    """A passage that two annotators label, each without the other's label."""

    passage: Passage
    first_annotator: str
    second_annotator: str
    had_label: bool = False
    """Whether the first one's label was there before, for all to see, when it was dealt."""

    @property
    def annotators(self) -> tuple[str, str]:
        """Both."""
        return self.first_annotator, self.second_annotator


class DoubleLabelKey(NamedTuple):
    """Whose label of which passage, and the how-manieth of theirs."""

    from_id: str
    to_id: str
    agent_key: str
    author: str
    round: int
    """From 1; a label that is returned is followed by the next round."""

    @property
    def passage(self) -> Passage:
        """What it is about."""
        return Passage(self.from_id, self.to_id, self.agent_key)


@dataclass(frozen=True, slots=True)
class DoubleLabel(Round):
    """What one of two annotators says about a passage in one round."""

    key: DoubleLabelKey
    label: TraversabilityLabel
    """Of an open round: what was returned, until it is answered anew."""

    evidence: tuple[str, ...] = ()
    """What was measured and driven when it was given, a clause each."""

    is_seeing: bool = False
    """Whether its author had seen the other's label; then it does not enter agreement."""


@dataclass(frozen=True, slots=True)
class FinalLabel:
    """What holds of a passage that two annotators labelled; nobody changes it any more."""

    passage: Passage
    label: TraversabilityLabel
    decided_by: str
    decided_at: datetime
    """UTC."""

    comment: str = ""


class Standing(StrEnum):
    """How a passage that two annotators label stands, as far as somebody may know."""

    OPEN = "open"
    """One of the two labels is missing, or cannot be seen yet."""

    AGREED = "agreed"
    DISAGREEING = "disagreeing"
    RETURNED = "returned"
    """An annotator is to label it again."""

    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Team:
    """Who works on a project, and what two of them label; without people, nothing of the kind."""

    people: Mapping[str, Person] = field(default_factory=no_entries)
    second_share: float = 0.0
    """Share of the passages, in [0, 1], that get a second label."""

    seed: int = 0
    """Of which passages, and of who labels which."""

    doubles: Mapping[Passage, DoublePassage] = field(default_factory=no_entries)
    labels: Mapping[DoubleLabelKey, DoubleLabel] = field(default_factory=no_entries)
    """Every round that ``viewer`` may see."""

    finals: Mapping[Passage, FinalLabel] = field(default_factory=no_entries)
    viewer: str = ""
    """Who looks at the project; what they may not see is not in memory."""

    @property
    def member(self) -> str:
        """``viewer`` where the project has people; empty without any."""
        return self.viewer if self.people else ""

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who labels."""
        return tuple(p.name for p in self.people.values() if p.role is Role.ANNOTATOR)

    def role(self, name: str) -> Role | None:
        """What somebody does; ``None`` for nobody of the project."""
        person = self.people.get(name)
        return None if person is None else person.role

    def rounds(self, passage: Passage, author: str) -> tuple[DoubleLabel, ...]:
        """Every round of somebody on a passage, as far as they can be seen."""
        return rounds_from(DoubleLabelKey(*passage, author, 1), self.labels)

    def current(self, passage: Passage, author: str) -> DoubleLabel | None:
        """The last round of somebody on a passage."""
        found = self.rounds(passage, author)
        return found[-1] if found else None

    def settled(self, passage: Passage, author: str) -> DoubleLabel | None:
        """The last round of somebody on a passage, if it is in."""
        found = self.current(passage, author)
        return found if found is not None and found.is_settled else None

    def both(self, passage: Passage) -> tuple[DoubleLabel, DoubleLabel] | None:
        """Both labels, once both are in and can be seen; first the first annotator's."""
        entry = self.doubles.get(passage)
        if entry is None:
            return None
        first, second = (self.settled(passage, name) for name in entry.annotators)
        return None if first is None or second is None else (first, second)

    def standing(self, passage: Passage) -> Standing:
        """How a passage that two label stands, as far as ``viewer`` may know."""
        entry = self.doubles[passage]
        if passage in self.finals:
            return Standing.FINAL
        both = self.both(passage)
        if both is not None:
            return Standing.AGREED if says_same(*both) else Standing.DISAGREEING
        last = [self.current(passage, name) for name in entry.annotators]
        # An open round is there only where one before it was returned.
        if any(found is not None and found.state is RoundState.OPEN for found in last):
            return Standing.RETURNED
        return Standing.OPEN

    def standings(self) -> Iterator[tuple[Passage, Standing]]:
        """Every passage that two label, with how it stands."""
        for passage in self.doubles:
            yield passage, self.standing(passage)

    def is_closed(self, key: DoubleLabelKey) -> bool:
        """Whether it is the viewer's own label, which nobody changes once both are in."""
        return key.author == self.viewer and self.both(key.passage) is not None

    def decides(self, passage: Passage) -> bool:
        """Whether the viewer is one who decides about a passage that two label."""
        role = self.role(self.viewer)
        entry = self.doubles.get(passage)
        return role in DECIDING and entry is not None and self.viewer not in entry.annotators

    def is_blind(self, entry: DoubleLabel) -> bool:
        """Whether its author cannot have seen the other's label; only then it enters agreement."""
        double = self.doubles[entry.key.passage]
        is_late = double.had_label and entry.key.author == double.second_annotator
        return not entry.is_seeing and not is_late

    def is_to_answer(self, passage: Passage, author: str) -> bool:
        """Whether somebody is to label a passage that two label, now or again."""
        entry = self.doubles.get(passage)
        if entry is None or author not in entry.annotators or passage in self.finals:
            return False
        return self.settled(passage, author) is None


NO_TEAM: Final = Team()


def says_same(one: DoubleLabel, other: DoubleLabel) -> bool:
    """Whether two labels agree: the same answer, and for “does not” the same reason."""
    a, b = one.label, other.label
    return (a.verdict, a.reason) == (b.verdict, b.reason)


def counted_label(team: Team, passage: Passage) -> TraversabilityLabel | None:
    """What counts of a passage that two label, for who looks; ``None`` where nothing does yet.

    The final label; else one's own, of who is one of the two; else what both agree on.
    """
    final = team.finals.get(passage)
    if final is not None:
        return final.label
    if team.viewer in team.doubles[passage].annotators:
        own = team.settled(passage, team.viewer)
        return None if own is None else own.label
    both = team.both(passage)
    return both[0].label if both is not None and says_same(*both) else None


def own_of(team: Team, labels: Labels) -> Labels:
    """The labels without those of passages that two label, but for the viewer's own of them."""
    if not team.doubles:
        return labels
    return MappingProxyType(
        {
            passage: label
            for passage, label in labels.items()
            if passage not in team.doubles
            or (
                team.viewer in team.doubles[passage].annotators
                and label.author in ("", team.viewer)
            )
        }
    )


def label_kind(team: Team, passage: Passage) -> str:
    """What the label that counts is: ``first``, ``second``, ``agreed`` or ``final``.

    Empty for a passage that one person labels.
    """
    entry = team.doubles.get(passage)
    if entry is None:
        return ""
    if passage in team.finals:
        return "final"
    if team.viewer == entry.first_annotator:
        return "first"
    return "second" if team.viewer == entry.second_annotator else "agreed"


def hidden_labels(
    people: Mapping[str, Person],
    doubles: Mapping[Passage, DoublePassage],
    labels: Mapping[DoubleLabelKey, DoubleLabel],
    viewer: str,
) -> frozenset[DoubleLabelKey]:
    """The labels of a project that somebody may not see.

    One's own is always seen. Of who is one of the two, the other's is hidden until the own is in;
    so it is for everybody else until both are in, but for reviewers and leads.
    """
    every = Team(people, doubles=doubles, labels=labels)
    role = every.role(viewer)

    def is_hidden(passage: Passage) -> bool:
        entry = doubles.get(passage)
        if entry is not None and viewer in entry.annotators:
            return every.settled(passage, viewer) is None
        return role not in DECIDING and every.both(passage) is None

    closed = {passage: is_hidden(passage) for passage in {key.passage for key in labels}}
    return frozenset(key for key in labels if key.author != viewer and closed[key.passage])
