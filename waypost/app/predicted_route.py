"""A route that a model predicts for an agent, beside what the project's labels say about it."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QObject

from waypost.annotators.replay.edge_truth import edge_marks
from waypost.app.replay_causes import ReplayCauses
from waypost.app.replay_desk import OpenedRun
from waypost.app.workbench import Workbench
from waypost.domain.project import Project
from waypost.domain.route_truth import RouteEdge, route_truth
from waypost.domain.visible_text import one_line
from waypost.io.logs.capnav_results import agent_of
from waypost.services.appearance import SIGNS
from waypost.viewers.plan_content import EdgeMark
from waypost.viewers.plan_view import PlanView
from waypost.widgets.cause_question import EdgeQuestion

CAPNAV_TAXONOMY = "capnav"
_MOST_LETTERS = 600


class PredictedRoute(QObject):
    """Marks the moves on the map, and asks about them beside the root causes.

    Args:
        bench: What is open.
        causes: Where analysts judge.
        plan: The map.
        parent: Qt owner.
    """

    def __init__(
        self, bench: Workbench, causes: ReplayCauses, plan: PlanView, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bench, self._causes, self._plan = bench, causes, plan
        self._run: OpenedRun | None = None
        self._is_predicted = False
        self.marks: tuple[EdgeMark, ...] = ()
        """What the map shows about the moves."""
        bench.project_changed.connect(self._on_changed)
        bench.scene_replaced.connect(self._refresh)

    def show_run(self, run: OpenedRun | None) -> None:
        """Ask about another run; call it when the map shows the run.

        The taxonomy changes with the kind of run only, so that the analyst's choice stays.
        """
        self._run, self.marks = run, ()
        is_predicted = run is not None and bool(agent_of(run.shown.replay.run))
        if run is not None and is_predicted != self._is_predicted:
            self._is_predicted = is_predicted
            self._causes.prefer(CAPNAV_TAXONOMY if is_predicted else "")
        if not is_predicted:
            self._causes.show_run(run)
        else:
            self._show()

    def _refresh(self) -> None:
        if self._run is not None and self._is_predicted:
            self._show()

    def _on_changed(self, old: Project, new: Project) -> None:
        parts = ((old.labels, new.labels), (old.graph, new.graph), (old.agents, new.agents))
        if any(before is not after for before, after in parts):
            self._refresh()

    def _show(self) -> None:
        run, project = self._run, self._bench.project
        if run is None:
            return
        attempt = run.shown.replay.run
        agent = agent_of(attempt)
        profile = project.agents.get(agent)
        truth = route_truth(
            attempt.route.viewpoint_ids,
            project.graph,
            project.labels,
            agent,
            scene_hash=self._bench.scene_hash,
            profile=profile,
        )
        self.marks = edge_marks(truth, project.graph)
        self._plan.set_edge_marks(self.marks)
        told = _told(run, profile.name if profile else agent, truth)
        self._causes.show_run(run, tuple(_question(edge) for edge in truth), told)


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
    counts = Counter(edge.state for edge in truth)
    found = [f"{sign.mark} {counts[state]}" for state, sign in SIGNS.items() if counts[state]]
    lines.append(f"Labels and graph say: {'  '.join(found)}" if found else "It names no route.")
    return "\n".join(lines)
