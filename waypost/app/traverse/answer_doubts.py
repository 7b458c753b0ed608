"""Answers that contradict their evidence wait until they are given a second time."""

from __future__ import annotations

from collections.abc import Sequence

from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.app.shell.workbench import Workbench
from waypost.domain.contradiction import contradictions_of
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.judging import circumstances


class AnswerDoubts:
    """Knows which answer was asked about last.

    Args:
        bench: What is open; says what is asked.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._asked: frozenset[tuple[Passage, Verdict]] = frozenset()

    def hold_back(self, answers: Sequence[LabelAnswer]) -> bool:
        """Whether answers are not to be stored yet; then what speaks against them is said.

        A “does not” has its reason, which was chosen beside the measure: it overrules that on
        purpose, and only a drive speaks against it.
        """
        project = self._bench.project
        now = circumstances(project, self._bench.scene_hash)
        doubted: dict[tuple[Passage, Verdict], tuple[str, ...]] = {}
        for answer in answers:
            label = project.labels.get(answer.passage)
            is_same = label is not None and label.verdict is answer.verdict
            is_meant = answer.verdict is Verdict.DOES_NOT and answer.passage not in project.drives
            if answer.is_note_only or is_same or is_meant:
                continue
            said = tuple(contradictions_of(project, answer.passage, answer.verdict, now))
            if said:
                doubted[answer.passage, answer.verdict] = said
        is_confirmed, self._asked = frozenset(doubted) <= self._asked, frozenset(doubted)
        if not doubted or is_confirmed:
            return False
        against = "; ".join(next(iter(doubted.values())))
        if len(doubted) > 1:
            against += f"; so it is with {len(doubted) - 1:,} more"
        self._bench.refused.emit(
            f"Not stored yet, the evidence says otherwise ({against}). Give the same answer again"
            " to store it all the same; the note can say why."
        )
        return True
