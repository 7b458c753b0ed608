"""What the cause panel asks about and shows; the rules of blind marking and of keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from waypost.domain.causes.failure import CauseKey, CauseMark, Taxonomy, carried_mark, missing_axes
from waypost.domain.causes.mark_progress import NO_PROGRESS, MarkProgress
from waypost.domain.causes.proposal import Proposal
from waypost.domain.causes.replay_book import EdgeVerdict, RouteVerdict

VERDICT_SIGNS: Final[Mapping[RouteVerdict, str]] = MappingProxyType(
    {RouteVerdict.VALID: "✓", RouteVerdict.INVALID: "✕", RouteVerdict.UNSURE: "?"}
)
ALIKE: Final = "="
APART: Final = "≠"
UNCOMPARED: Final = "·"
"""Stands before what others say where there is no own answer."""


@dataclass(frozen=True, slots=True)
class EdgeQuestion:
    """One edge of a predicted route to judge."""

    from_id: str
    to_id: str
    title: str
    """``Hallway → Bathroom``."""

    truth: str = ""
    """What the labels of the project say about it; empty for nothing."""

    verdict: RouteVerdict | None = None
    """The analyst's own."""

    others: tuple[EdgeVerdict, ...] = ()
    """Of other analysts; empty for one who is blind to them."""


@dataclass(frozen=True, slots=True)
class CauseQuestion:
    """One run of one episode to sort into a taxonomy."""

    key: CauseKey
    """Run, episode, analyst and taxonomy."""

    taxonomy: Taxonomy
    """In the newest version."""

    mark: CauseMark | None = None
    """The analyst's own, of any version."""

    others: tuple[CauseMark, ...] = ()
    """Of other analysts; empty for one who is blind to them."""

    choices: tuple[tuple[str, str], ...] = ()
    """Key and title of every taxonomy there is."""

    edges: tuple[EdgeQuestion, ...] = ()
    """Of a predicted route; empty where there is none."""

    route_told: str = ""
    """What is to be read beside the edges: the answer, the reason that the model gave."""

    hidden_count: int = 0
    """How many other analysts have a mark that is kept from this one."""

    proposals: Mapping[str, Proposal] = field(default_factory=lambda: MappingProxyType({}))
    """Axis → what computed tags propose for this failure, answered or not."""

    shared: CauseMark | None = None
    """The analyst's own on the episode of a take without one, of when takes shared a mark."""

    doubtful: str = ""
    """Title of a failure's answer that waits because the episode succeeded; empty for none."""

    progress: MarkProgress = NO_PROGRESS
    """How many failures of the run this analyst has marked."""

    @property
    def proposed(self) -> Mapping[str, Proposal]:
        """What is proposed on axes without an answer."""
        answers = self.answers
        return {axis: each for axis, each in self.proposals.items() if not answers.get(axis)}

    @property
    def answers(self) -> Mapping[str, tuple[str, ...]]:
        """Axis → categories chosen, as far as the newest version knows them."""
        if self.mark is None:
            return MappingProxyType({})
        return carried_mark(self.mark, self.taxonomy).choices

    @property
    def missing(self) -> tuple[str, ...]:
        """Titles of required axes without an answer."""
        mark = self.mark or CauseMark(self.key, self.taxonomy.version, MappingProxyType({}))
        return missing_axes(carried_mark(mark, self.taxonomy), self.taxonomy)

    @property
    def is_complete(self) -> bool:
        """Whether the analyst has answered every required axis."""
        return self.mark is not None and not self.missing

    def others_on(self, axis: str) -> tuple[str, ...]:
        """One line per other analyst about an axis: whether alike, and what they chose.

        Without an own answer there is nothing to be alike to.
        """
        question = self.taxonomy.axis(axis)
        if question is None:
            return ()
        lines = []
        own = set(self.answers.get(axis, ()))
        for mark in self.others:
            chosen = mark.choices.get(axis, ())
            sign = UNCOMPARED if not own else ALIKE if set(chosen) == own else APART
            found = [(key, question.category(key)) for key in chosen]
            names = ", ".join(key if entry is None else entry.title for key, entry in found)
            version = mark.taxonomy_version
            dated = "" if version == self.taxonomy.version else f" (version {version})"
            lines.append(f"{sign} {mark.key.analyst}: {names or 'no answer'}{dated}")
        return tuple(lines)


def proposal_words(proposal: Proposal) -> str:
    """What an answer is proposed for, as its heading says it."""
    if proposal.tag is None:
        return "proposed, since it failed"
    step = "" if proposal.tag.step is None else f", step {proposal.tag.step}"
    return f"proposed for {proposal.tag.title}{step}"


def category_for_key(question: CauseQuestion, key: str) -> tuple[str, str] | None:
    """Axis and category that a key sets; ``None`` for a key without a meaning.

    A key that several axes use goes to the first of them without an answer, else to the first.

    Args:
        question: What is asked.
        key: One character, upper or lower case.
    """
    found = [
        (axis.key, category.key)
        for axis in question.taxonomy.axes
        for category in axis.categories
        if category.shortcut and category.shortcut.casefold() == key.casefold()
    ]
    is_open = (pair for pair in found if not question.answers.get(pair[0]))
    return next(is_open, found[0] if found else None)


def shortcut_keys(taxonomy: Taxonomy) -> frozenset[str]:
    """Every key a taxonomy uses, in upper case."""
    return frozenset(
        category.shortcut.upper()
        for axis in taxonomy.axes
        for category in axis.categories
        if category.shortcut
    )
