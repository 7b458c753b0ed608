"""A route that a model predicts for an agent, beside what the project's labels say about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal

from waypost.annotators.replay.edge_truth import edge_marks
from waypost.app.replay.cause_marking import ReplayCauses
from waypost.app.replay.causes.cause_question import EdgeQuestion
from waypost.app.replay.desk import OpenedRun
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.visible_text import one_line
from waypost.domain.causes.reason_verdicts import REASON_PLACE
from waypost.domain.episode.answer_judgement import judge_answer
from waypost.domain.project import Project
from waypost.domain.traverse.judged_graph import JudgedGraph, may_be_one_house
from waypost.domain.traverse.route_truth import RouteEdge, route_truth
from waypost.domain.traverse.traversability import PassageState
from waypost.services.agent_marks import agent_names
from waypost.services.appearance import NO_EDGE, SIGNS
from waypost.services.judging import circumstances
from waypost.viewers.map.content import EdgeMark

CAPNAV_TAXONOMY = "capnav"
_MOST_LETTERS = 600


class PredictedRoute(QObject):
    """Says what is true of each move, and asks about them beside the root causes.

    Args:
        bench: What is open.
        causes: Where analysts judge.
        parent: Qt owner.
    """

    marked = Signal(object)
    """The ``EdgeMark`` values of all runs at hand; empty where no route is predicted."""

    def __init__(
        self, bench: Workbench, causes: ReplayCauses, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bench, self._causes = bench, causes
        self._runs: Sequence[OpenedRun] = ()
        self._is_predicted = False
        self.marks: tuple[EdgeMark, ...] = ()
        """What views show about the moves, those of the leading run first."""
        bench.project_changed.connect(self._on_changed)
        bench.scene_replaced.connect(self._refresh)

    def show_runs(self, runs: Sequence[OpenedRun]) -> None:
        """Ask about the leading run of an episode; call it when the views show the runs.

        The taxonomy changes with the kind of run only, so that the analyst's choice stays.
        """
        self._runs = runs
        is_predicted = bool(runs) and bool(runs[0].shown.replay.run.answer.agent_key)
        if runs and is_predicted != self._is_predicted:
            self._is_predicted = is_predicted
            self._causes.prefer(CAPNAV_TAXONOMY if is_predicted else "")
        if is_predicted:
            self._show()
        else:
            self._mark(())
            self._causes.show_run(runs[0] if runs else None)

    def told_of(self, run: OpenedRun) -> str:
        """How many moves of a run are what, by sign; empty for a run that is no prediction."""
        return _counted(self._truth(run))

    def _refresh(self) -> None:
        if self._runs and self._is_predicted:
            self._show()

    def _on_changed(self, old: Project, new: Project) -> None:
        parts = ((old.labels, new.labels), (old.graph, new.graph), (old.agents, new.agents))
        if any(before is not after for before, after in parts):
            self._refresh()

    def _judged(self, run: OpenedRun) -> JudgedGraph:
        """The project's graph where the run goes over it; else the one it was judged by.

        That of another house is not the project's, though it has nodes of the same ids.
        """
        project, own = self._bench.project, run.shown.judged
        names = run.shown.replay.run.route.viewpoint_ids
        is_over = any(name in project.graph.nodes for name in names)
        if own is None or (is_over and may_be_one_house(project.graph, own.graph)):
            return JudgedGraph(project.graph, project.labels)
        return own

    def _truth(self, run: OpenedRun) -> tuple[RouteEdge, ...]:
        attempt, judged = run.shown.replay.run, self._judged(run)
        agent = attempt.answer.agent_key
        if not agent:
            return ()
        return route_truth(
            attempt.route.viewpoint_ids,
            judged.graph,
            judged.labels,
            agent,
            now=circumstances(self._bench.project, self._bench.scene_hash),
        )

    def _show(self) -> None:
        leading = self._runs[0]
        truth = self._truth(leading)
        found = {
            (mark.start_m, mark.end_m): mark
            for run in reversed(self._runs)
            for mark in edge_marks(self._truth(run), self._judged(run).graph)
        }
        own = edge_marks(truth, self._judged(leading).graph)
        others = (mark for mark in found.values() if mark not in own)
        self._mark((*own, *others))
        agent = leading.shown.replay.run.answer.agent_key
        name = agent_names(self._bench.project.agents).get(agent, agent)
        told = _told(leading, name, truth)
        questions = (*self._reason(leading, truth), *(_question(edge) for edge in truth))
        self._causes.show_run(leading, questions, told)

    def _mark(self, marks: tuple[EdgeMark, ...]) -> None:
        self.marks = marks
        self.marked.emit(marks)

    def _reason(self, run: OpenedRun, truth: Sequence[RouteEdge]) -> Iterator[EdgeQuestion]:
        """The question about the reason of a “no”, with what annotators noted on its path."""
        replay = run.shown.replay
        told = judge_answer(replay.episode, replay.run, self._judged(run))
        if told.says_yes is not False or not replay.run.answer.reason.strip():
            return
        notes = [edge.text for edge in truth if edge.state is PassageState.DOES_NOT]
        beside = "\n".join(notes) if notes else "Nothing on its path is labelled as blocked."
        yield EdgeQuestion(*REASON_PLACE, "The reason given for “no”", beside)


def _question(edge: RouteEdge) -> EdgeQuestion:
    truth = f"{SIGNS[edge.state].mark} {edge.told}"
    return EdgeQuestion(edge.from_id, edge.to_id, edge.title, truth)


def _told(run: OpenedRun, agent: str, truth: tuple[RouteEdge, ...]) -> str:
    """What the model answered and why, and how the labels stand to it."""
    decisions = run.shown.replay.run.decisions
    lines = [f"For: {agent}."]
    if decisions and decisions[0].action:
        lines[0] += f" The answer: {one_line(decisions[0].action, 20)}."
    if decisions and decisions[0].thought:
        lines.append(f"The reason given: “{one_line(decisions[0].thought, _MOST_LETTERS)}”")
    counted = _counted(truth)
    lines.append(f"Labels and graph say: {counted}" if counted else "It names no route.")
    return "\n".join(lines)


def _counted(truth: Sequence[RouteEdge]) -> str:
    counts = Counter(edge.state for edge in truth if edge.is_edge)
    found = [f"{sign.mark} {counts[state]}" for state, sign in SIGNS.items() if counts[state]]
    apart = sum(not edge.is_edge for edge in truth)
    return "  ".join([*found, *([f"{NO_EDGE.mark} {apart}"] if apart else [])])
