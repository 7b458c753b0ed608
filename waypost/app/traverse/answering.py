"""What is said about passages becomes labels, each time as one step of undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.annotators.traverse.labelling import accept_all, retract_all
from waypost.annotators.traverse.proposals import measure_of
from waypost.annotators.traverse.queue import openness
from waypost.app.shell.project_edits import edit_project
from waypost.app.shell.workspace import Surroundings
from waypost.app.traverse.passage_drives import PassageDrives
from waypost.domain.base.errors import EditError
from waypost.domain.base.sentences import capitalised
from waypost.domain.contradiction import contradictions_of
from waypost.domain.traverse.traversability import Circumstances, Passage, Provenance, Verdict
from waypost.geometry.standing import standing_refusal
from waypost.services.agent_marks import agent_names
from waypost.services.judging import circumstances


class Answering(QObject):
    """Labels and unlabels passages of the agent at hand.

    Args:
        around: What is found in the window.
        drives: Know what was driven.
        parent: Qt owner.
    """

    def __init__(
        self, around: Surroundings, drives: PassageDrives, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._around, self._bench, self._drives = around, around.bench, drives
        self._is_busy = False

    @property
    def is_busy(self) -> bool:
        """Whether an answer is being stored: everything is shown once, with the next question."""
        return self._is_busy

    def store(self, answers: Sequence[LabelAnswer]) -> bool:
        """Make labels of answers, as one step of undo.

        Args:
            answers: One for a passage at most.

        Returns:
            Whether it was possible; the window is told why not.
        """
        document = self._bench.document
        if document is None or not answers:
            return False
        project, now = document.project, self._now()
        refusal = self._refusal(answers)
        if refusal:
            self._bench.refused.emit(refusal)
            return False
        try:
            edit = accept_all(
                answers,
                project.labels,
                project.graph,
                author=project.team.member or self._bench.annotator,
                judged=lambda answer: self._judged(answer, now),
                now=self._around.clock,
                names=agent_names(project.agents),
            )
        except EditError as error:
            self._bench.refused.emit(str(error))
            return False
        self._is_busy = True
        try:
            document.edit(edit.text, replace(project, labels=edit.labels))
        except EditError as error:
            sentence = str(error)
            self._bench.refused.emit(f"{capitalised(sentence)}.")
            return False
        finally:
            self._is_busy = False
        return True

    def accept_measured(self, passages: Iterable[Passage], written: Mapping[Passage, str]) -> bool:
        """Answer several passages each as it was measured; each keeps its note.

        Uncertain ones are left to a person, and those whose drive says otherwise.

        Args:
            passages: What to answer.
            written: Notes that were begun on passages.

        Returns:
            Whether there are new labels.
        """
        project, now = self._bench.project, self._now()
        is_open = openness(project.labels, now, project.team)
        answers, left = [], 0
        for passage in passages:
            measure = measure_of(project.measures, passage, now)
            if measure is None or not is_open(passage):
                continue
            is_uncertain = measure.answer is Verdict.UNCERTAIN
            if is_uncertain or contradictions_of(project, passage, measure.answer, now):
                left += 1
                continue
            label = project.labels.get(passage)
            note = written.get(passage, label.note if label else "")
            answers.append(LabelAnswer(passage, measure.answer, measure.reason, note))
        is_stored = self.store(answers)
        if is_stored or left:
            others = (
                f"; {left:,} uncertain or driven otherwise are left to be judged" if left else ""
            )
            self._around.say(f"Accepted {len(answers):,} as measured{others}.")
        return is_stored

    def clear(self, passages: Iterable[Passage]) -> None:
        """Make passages undecided again, as one step of undo."""
        document = self._bench.document
        if document:
            project = document.project
            edit = retract_all(project.labels, project.graph, passages, agent_names(project.agents))
            if edit:
                after = replace(project, labels=edit.labels)
                edit_project(self._bench, edit.text, lambda _: after)

    def _refusal(self, answers: Sequence[LabelAnswer]) -> str:
        """Why nobody can say anything about a passage yet: nobody has seen it, or stands there."""
        if self._bench.scenes.is_own_awaited and not all(answer.is_note_only for answer in answers):
            return "The scene is still being read: answer once it is in view."
        opened, project = self._bench.opened, self._bench.project
        # Of a note that is left by going to another agent, the agent at hand is that one.
        agent = project.agents.get(answers[0].passage.agent_key)
        if opened is None or opened.rays is None or agent is None:
            return ""
        ends = sorted({end for answer in answers for end in answer.passage[:2]})
        return standing_refusal(project.graph, ends, opened.rays, agent.height_m)

    def _now(self) -> Circumstances:
        return circumstances(self._bench.project, self._bench.scene_hash)

    def _judged(self, answer: LabelAnswer, now: Circumstances) -> Provenance:
        """On the measure where that says the same and nobody drove; else on what was seen."""
        project = self._bench.project
        measure = measure_of(project.measures, answer.passage, now)
        if measure is None or measure.answer is not answer.verdict:
            return self._drives.provenance(answer.passage)
        if self._drives.seen_on(answer.passage) is not None:
            return self._drives.provenance(answer.passage)
        return replace(measure.provenance, scene_gaps=self._drives.gaps)
