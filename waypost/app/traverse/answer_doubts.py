"""Answers that contradict their evidence wait until they are given a second time."""

from __future__ import annotations

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
        self._asked: tuple[Passage, Verdict] | None = None

    def hold_back(self, answer: LabelAnswer) -> bool:
        """Whether an answer is not to be stored yet; then what speaks against it is said.

        A “does not” has its reason, which was chosen beside the measure: it overrules that on
        purpose, and only a drive speaks against it.
        """
        is_meant = answer.verdict is Verdict.DOES_NOT
        is_meant = is_meant and answer.passage not in self._bench.project.drives
        if answer.is_note_only or is_meant:
            return False
        project, given = self._bench.project, (answer.passage, answer.verdict)
        now = circumstances(project, self._bench.scene_hash)
        said = contradictions_of(project, answer.passage, answer.verdict, now)
        is_confirmed, self._asked = self._asked == given, given if said else None
        label = project.labels.get(answer.passage)
        is_same = label is not None and label.verdict is answer.verdict
        if not said or is_confirmed or is_same:
            return False
        against = "; ".join(said)
        self._bench.refused.emit(
            f"Not stored yet, the evidence says otherwise ({against}). Give the same answer again"
            " to store it all the same; the note can say why."
        )
        return True
