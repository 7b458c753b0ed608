"""What is asked about a run and not reported yet: the state of the cause panel, without Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from waypost.app.replay.causes.cause_question import CauseQuestion
from waypost.domain.base.counted_words import counted
from waypost.domain.causes.failure import CauseKey


@dataclass(frozen=True, slots=True)
class CauseDraft:
    """The question at hand, the note as it is written, and the step under the cursor."""

    question: CauseQuestion | None = None
    note: str = ""
    """As it is written, blanks at its ends included."""

    is_written: bool = False
    """Whether the note was changed since it was shown or reported."""

    step: int | None = None

    @property
    def key(self) -> CauseKey | None:
        """What the note is written for."""
        return None if self.question is None else self.question.key

    def asked(self, question: CauseQuestion | None) -> CauseDraft:
        """Ask about another run, about the same as it is answered now, or about none.

        A note that is being written goes on if the question is the same; see ``reported``.
        """
        kept = "" if question is None or question.mark is None else question.mark.note
        is_same = question is not None and question.key == self.key
        # What is kept has no blanks at its ends; whoever writes goes on behind one.
        if is_same and (self.is_written or self.note.strip() == kept):
            return replace(self, question=question)
        return CauseDraft(question, kept, step=self.step)

    def written(self, note: str) -> CauseDraft:
        """With another note."""
        return replace(self, note=note, is_written=True)

    def reported(self) -> tuple[CauseDraft, str | None]:
        """The note to report for ``key``; none if there is nothing new."""
        if self.question is None or not self.is_written:
            return self, None
        return replace(self, is_written=False), self.note.strip()

    @property
    def state_text(self) -> str:
        """Whether the mark is complete, what is missing, and what is known of others."""
        question = self.question
        if question is None:
            return "Open an episode to say why it failed."
        if question.mark is None:
            told = "Proposed, not marked yet." if question.proposed else "Not marked yet."
        elif question.missing:
            told = f"Missing: {', '.join(question.missing)}."
        else:
            told = "✓ Complete."
        count = question.hidden_count or len(question.others)
        people = counted(count, "other analyst has", "other analysts have")
        if not count:
            return told
        return f"{told} {people} marked this{'; hidden' if question.hidden_count else ' too'}."

    @property
    def version_text(self) -> str:
        """What is said of a mark by an older version of the taxonomy; empty for none."""
        question = self.question
        if question is None or question.mark is None:
            return ""
        old, new = question.mark.taxonomy_version, question.taxonomy.version
        if old == new:
            return ""
        return f"Your mark is as of version {old}; the next change carries it to version {new}."

    @property
    def marked_step(self) -> int | None:
        """From which step on it goes wrong, as the analyst said."""
        question = self.question
        return None if question is None or question.mark is None else question.mark.step

    @property
    def step_text(self) -> str:
        """What setting the step would do."""
        chosen, here = self.marked_step, self.step
        if chosen is None:
            return "Wrong from" if here is None else f"Wrong from step {here}"
        told = f"✓ Wrong from step {chosen}"
        return told if here in {None, chosen} else f"{told} → set to {here}"
