"""Answers that contradict their evidence wait until they are given a second time."""

from __future__ import annotations

from collections.abc import Sequence

from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.app.shell.workspace import Surroundings
from waypost.domain.contradiction import contradictions_of
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.judging import circumstances


class AnswerDoubts:
    """Knows which answer was asked about last.

    Args:
        around: Has what is open; the window says what is asked.
    """

    def __init__(self, around: Surroundings) -> None:
        self._bench, self._say = around.bench, around.say
        self._asked: frozenset[tuple[Passage, Verdict, tuple[str, ...]]] = frozenset()
        """With what spoke against it then: other evidence is asked about as well."""

        self._news = ""

    def hold_back(self, answers: Sequence[LabelAnswer]) -> bool:
        """Whether answers are not to be stored yet; then what speaks against them is said."""
        asked, sentence = self._asked, self.against(answers)
        if sentence:
            self._bench.refused.emit(sentence)
        elif asked:
            places = {(passage, verdict) for passage, verdict, _ in asked}
            is_against = any((answer.passage, answer.verdict) in places for answer in answers)
            self._news = "Stored all the same, and marked with ≠." if is_against else "Stored."
        return bool(sentence)

    def tell_stored(self) -> None:
        """Say that what was asked about is stored: “not stored yet” is not so any more."""
        news, self._news = self._news, ""
        if news:
            self._say(news)

    def against_all(self, answers: Sequence[LabelAnswer]) -> str:
        """What speaks against answers that were given beside no measure; see ``against``."""
        return self.against(answers, is_beside_measure=False)

    def against(self, answers: Sequence[LabelAnswer], *, is_beside_measure: bool = True) -> str:
        """What speaks against answers; empty for nothing, or where that was asked about before.

        An answer that holds already is not asked about again.

        Args:
            answers: What is to be stored.
            is_beside_measure: Whether the reason of a “does not” was chosen beside what was
                measured: it overrules that on purpose, and only a drive speaks against it.
        """
        project = self._bench.project
        now = circumstances(project, self._bench.scene_hash)
        doubted: dict[tuple[Passage, Verdict], tuple[str, ...]] = {}
        for answer in answers:
            label = project.labels.get(answer.passage)
            is_same = label is not None and label.verdict is answer.verdict
            if answer.is_note_only or (label and is_same and not label.is_stale(now)):
                continue
            is_meant = answer.verdict is Verdict.DOES_NOT and answer.passage not in project.drives
            if is_meant and is_beside_measure:
                continue
            said = tuple(contradictions_of(project, answer.passage, answer.verdict, now))
            if said:
                doubted[answer.passage, answer.verdict] = said
        now_asked = frozenset((*place, said) for place, said in doubted.items())
        if now_asked <= self._asked:
            self._asked = frozenset()
            return ""
        self._asked = now_asked
        found = "; ".join(next(iter(doubted.values())))
        if len(doubted) > 1:
            found += f"; so it is with {len(doubted) - 1:,} more"
        return (
            f"Not stored yet, the evidence says otherwise ({found}). Give the same answer again"
            " to store it all the same; the note can say why."
        )
