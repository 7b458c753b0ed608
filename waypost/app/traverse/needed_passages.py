"""Keeps the queue to what the questions of the project need."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from waypost.app.shell.workbench import Workbench
from waypost.domain.project import Project
from waypost.domain.traverse.needed_moves import Move
from waypost.domain.traverse.question_routes import needed_by_questions_steps
from waypost.services.pieces import Pieces, Steps

NOTHING_NEEDED = (
    "No question leads along an edge: ask questions, or import them, in the Graph workspace."
)


class NeededPassages(QObject):
    """Whether the queue holds only what questions need, and which moves those are.

    Args:
        bench: What is open.
        parent: Qt owner.
    """

    changed = Signal()
    """Other moves are needed than before, or all are asked about again."""

    def __init__(self, bench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._is_on = False
        self._moves: frozenset[Move] | None = None
        self._finding = Pieces(self)
        bench.document_replaced.connect(self._on_document)
        bench.project_changed.connect(self._on_changed)

    @property
    def moves(self) -> frozenset[Move] | None:
        """The moves that questions need; ``None`` while every passage is asked about."""
        return self._moves

    def title(self, agent_name: str) -> str:
        """Whose queue it is, and of what."""
        return agent_name if self._moves is None else f"{agent_name} · for questions"

    def toggle(self) -> None:
        """Hold only what questions need, or everything again."""
        self._is_on = not self._is_on
        if self._is_on:
            self._finding.start(self._find)
        else:
            self._set(None)

    def _on_document(self) -> None:
        self._finding.cancel()
        self._is_on, self._moves = False, None

    def _on_changed(self, old: Project, new: Project) -> None:
        is_other = old.tasks is not new.tasks or old.graph is not new.graph
        if self._is_on and is_other:
            self._finding.start(self._find)

    def _find(self) -> Steps:
        project = self._bench.project
        moves = yield from needed_by_questions_steps(project.tasks, project.graph)
        if not self._is_on or project is not self._bench.project:
            return
        if not moves:
            self._is_on = False
            self._bench.refused.emit(NOTHING_NEEDED)
        self._set(moves or None)

    def _set(self, moves: frozenset[Move] | None) -> None:
        if moves != self._moves:
            self._moves = moves
            self.changed.emit()
