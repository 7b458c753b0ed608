"""What is asked about passages and half answered: the state of the label panel, without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from waypost.domain.traverse.traversability import Passage, Reason, Verdict

if TYPE_CHECKING:
    from waypost.domain.traverse.measure import PassageMeasure
    from waypost.services.agent_marks import AgentMark
    from waypost.widgets.facts_table import Fact


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """Everything that is needed to ask about one passage."""

    passage: Passage
    agent_title: str
    from_name: str
    to_name: str
    facts: tuple[Fact, ...] = ()
    """Measured by driving; empty before."""

    verdict: Verdict | None = None
    """The answer so far."""

    reason: Reason | None = None
    note: str = ""
    stale_because: tuple[str, ...] = ()
    """What has changed since the label was given, a clause each; empty if it still holds."""

    offered_reason: Reason | None = None
    """From the other direction; chosen only by answering."""

    offered_note: str = ""
    has_drive: bool = False
    """Whether there is a drive to show again."""

    measure: PassageMeasure | None = None
    """What was measured, if it is of scene and agent as they are now."""

    measure_facts: tuple[Fact, ...] = ()
    mark: AgentMark | None = None
    """Gives the colour in which the agent is named."""
    sides: tuple[str, ...] = ()
    """What two say about it, as far as it is to be seen, a line each; empty if one labels it."""

    is_contradicting: bool = False
    """Whether the answer so far says otherwise than its evidence."""

    viewer: str = ""
    """Who is asked."""

    @property
    def proposal(self) -> PassageMeasure | None:
        """The measure, where nothing is answered that holds."""
        return self.measure if self.verdict is None or self.is_stale else None

    @property
    def is_stale(self) -> bool:
        """Whether the answer so far was given on something else than there is now."""
        return bool(self.stale_because)


@dataclass(frozen=True, slots=True)
class LabelAnswer:
    """What the user decided."""

    passage: Passage
    verdict: Verdict
    reason: Reason | None
    note: str
    is_note_only: bool = False
    """Whether verdict and reason are what they were."""


class LabelHint(Enum):
    """What is to be said about the reason right now."""

    NOTHING = "nothing"
    OFFERED = "offered"
    """Reason and note of the other direction are there to be taken."""

    PROPOSED = "proposed"
    """What was measured is there to be accepted."""

    WHY_NOT = "why not"
    """“Does not” was chosen and only its reason is missing."""

    TAKE_REASON = "take reason"
    """A reason was chosen, “does not” was not."""


@dataclass(frozen=True, slots=True)
class LabelDraft:
    """The question at hand with what is half given; half-given answers stay with their passage.

    Every step gives a new draft, some an answer with it.
    """

    question: LabelQuestion | None = None
    reason: Reason | None = None
    """What “does not” would take."""

    note: str = ""
    """As it is written, blanks at its ends included."""

    hint: LabelHint = LabelHint.NOTHING
    is_offered: bool = False
    """Whether reason and note are measured or of the other direction, and nobody took them."""

    is_answered: bool = False
    """Whether an answer was given since the question was asked."""

    kept: Mapping[Passage, tuple[Reason | None, str]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Reason and note of passages that were left half answered."""

    @property
    def passage(self) -> Passage | None:
        """What is asked about."""
        return None if self.question is None else self.question.passage

    @property
    def is_asking_reason(self) -> bool:
        """Whether “does not” was chosen and only its reason is missing."""
        return self.hint is LabelHint.WHY_NOT

    def asked(self, question: LabelQuestion | None) -> LabelDraft:
        """Ask about another passage, about the same as it stands now, or about none."""
        if question is not None and question.passage == self.passage:
            return self._asked_again(question)
        kept = dict(self.kept)
        if self.question is not None and self.is_half_given:
            kept[self.question.passage] = self.reason, self.note
        if question is None:
            return LabelDraft(kept=MappingProxyType(kept))
        own = kept.pop(question.passage, None)
        if own is not None and question.verdict is None:
            return LabelDraft(question, *own, kept=MappingProxyType(kept))
        return LabelDraft(question, *_offered(question), kept=MappingProxyType(kept))

    def _asked_again(self, question: LabelQuestion) -> LabelDraft:
        is_taken = question.verdict is not None and not self.is_asking_reason
        is_news = self.question is not None and question.measure is not self.question.measure
        if self._is_labelled_elsewhere(question):
            return LabelDraft(question, *_offered(question), kept=self.kept)
        if is_news and not self.is_half_given:
            again = LabelDraft(question, *_offered(question), kept=self.kept)
            is_own = self.note and not self.is_offered
            return replace(again, note=self.note) if is_own else again
        reason = question.reason if is_taken else self.reason
        return replace(self, question=question, reason=reason, is_answered=False)

    def _is_labelled_elsewhere(self, question: LabelQuestion) -> bool:
        """Whether there is another label than before, by an answer for many, an undo, or others.

        Then it is shown: what was half given is over. A changed note that is being written stays.
        """
        before = self.question
        if before is None or self.is_answered or _label(before) == _label(question):
            return False
        return before.verdict is None or self.note.strip() == before.note.strip()

    def written(self, note: str) -> LabelDraft:
        """With another note; one that was written is not an offer any more."""
        return replace(self, note=note, is_offered=False)

    def answered(self, verdict: Verdict) -> tuple[LabelDraft, LabelAnswer | None]:
        """Decide; “does not” without a reason asks for it and gives no answer yet."""
        question, is_not = self.question, verdict is Verdict.DOES_NOT
        if question is None:
            return self, None
        if is_not and self.reason is None:
            return replace(self, hint=LabelHint.WHY_NOT), None
        reason = self.reason if is_not else None
        note = "" if self.is_offered and not is_not else self.note.strip()
        given = replace(
            self,
            reason=reason,
            note=note,
            hint=LabelHint.NOTHING,
            is_offered=False,
            is_answered=True,
        )
        return given, LabelAnswer(question.passage, verdict, reason, note)

    def accepted(self) -> tuple[LabelDraft, LabelAnswer | None]:
        """Answer as it was measured; no answer where nothing is proposed."""
        proposal = self.question.proposal if self.question else None
        if proposal is None:
            return self, None
        return replace(self, reason=proposal.reason, is_offered=False).answered(proposal.answer)

    def with_reason(self, reason: Reason) -> tuple[LabelDraft, LabelAnswer | None]:
        """Choose a reason; answers if “does not” was chosen or given before, or to overrule.

        An offered note goes with the reason that it was offered with.
        """
        if self.question is None:
            return self, None
        note = "" if self.is_offered and reason is not self.reason else self.note
        chosen = replace(self, reason=reason, note=note, is_offered=False)
        is_not = self.is_asking_reason or self.question.verdict is Verdict.DOES_NOT
        if is_not or self.question.proposal is not None:
            return chosen.answered(Verdict.DOES_NOT)
        return replace(chosen, hint=LabelHint.TAKE_REASON), None

    def without_verdict(self) -> LabelDraft:
        """Take “does not” back while its reason is still missing."""
        return replace(self, hint=LabelHint.NOTHING)

    def with_note_reported(self) -> tuple[LabelDraft, LabelAnswer | None]:
        """The answer with its note as it was changed since; none if nothing is to be reported."""
        question, note = self.question, self.note.strip()
        if question is None or question.verdict is None or self.is_offered or self.is_answered:
            return self, None
        if note == question.note.strip():
            return self, None
        given = LabelAnswer(question.passage, question.verdict, question.reason, note, True)
        return replace(self, question=replace(question, note=note), is_answered=True), given

    @property
    def written_notes(self) -> Mapping[Passage, str]:
        """Notes that were begun, by the passage that waits for its answer."""
        notes = {passage: note for passage, (_, note) in self.kept.items()}
        if self.question is not None and self.is_half_given:
            notes[self.question.passage] = self.note
        return notes

    @property
    def is_half_given(self) -> bool:
        """Whether reason or note were begun and are no answer yet."""
        question = self.question
        if question is None or question.verdict is not None or self.is_offered or self.is_answered:
            return False
        return (self.reason, self.note.strip()) != (question.reason, question.note.strip())


def _label(question: LabelQuestion) -> tuple[Verdict | None, Reason | None, str]:
    return question.verdict, question.reason, question.note.strip()


def _offered(question: LabelQuestion) -> tuple[Reason | None, str, LabelHint, bool]:
    """Reason, note, what is said of them, and whether they are offers."""
    proposal = question.proposal
    if proposal is not None:
        reason = proposal.reason if question.verdict is None else question.reason
        return reason, question.note, LabelHint.PROPOSED, question.verdict is None
    if question.verdict is None and question.offered_reason is not None:
        return question.offered_reason, question.offered_note, LabelHint.OFFERED, True
    return question.reason, question.note, LabelHint.NOTHING, False
