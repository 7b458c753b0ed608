"""The workspace in which passages are driven and labelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from waypost.annotators.graph.drawing import GraphLook
from waypost.annotators.traverse.agent_chooser import AgentChooser
from waypost.annotators.traverse.agent_drawing import corridor_drawing
from waypost.annotators.traverse.asking import label_question
from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.annotators.traverse.labelling import accept, retract
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.queue import (
    PassageQueue,
    open_queue,
)
from waypost.app.shell.graph_layer import GraphLayer
from waypost.app.shell.key_sets import ALLOWED_WHILE_DRIVING, drive_keys, label_keys
from waypost.app.shell.workspace import Surroundings, Workspace
from waypost.app.traverse.answer_doubts import AnswerDoubts
from waypost.app.traverse.driver import Driver
from waypost.app.traverse.left_passage import LeftPassage
from waypost.app.traverse.passage_drives import PassageDrives
from waypost.app.traverse.queue_filling import filling_queue
from waypost.domain.base.errors import EditError
from waypost.domain.project import Project
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.pieces import Pieces
from waypost.simulators.protocol import Telemetry
from waypost.viewers.scene.drawing import NOTHING
from waypost.widgets.parts import column


class TraverseWorkspace(Workspace):
    """Asks, for each edge, direction and agent, whether it can be travelled.

    Args:
        around: What it finds in its window.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._around, self._bench, self._stage = around, around.bench, around.stage
        self.driver = Driver(around.engine, around.stage, self)
        self._drives = PassageDrives(around.bench, around.engine, self.driver, around.clock, self)
        self._shortcuts = ShortcutMap(())
        self._queue = PassageQueue()
        self._visited: list[Passage] = []
        self._doubts, self._left = AnswerDoubts(around.bench), LeftPassage(around.bench)
        self._is_active, self._has_focus, self._is_answering = False, True, False
        self._filling, self._layer = Pieces(self), GraphLayer(around.stage.view, self)
        self._chooser, self._list, self._panel = AgentChooser(), PassageList(), LabelPanel()
        self.left = column(self._chooser, self._list)
        self.right = column(self._panel)
        self._connect()
        self._mind_driver()

    @property
    def current(self) -> Passage | None:
        """The passage at hand."""
        return self._queue.current

    def activate(self) -> None:
        """Take over the stage."""
        self._is_active = True
        self._stage.set_hint("")
        self.driver.show_failure()
        self._around.scene_engine.prepare()
        self._start_queue()

    def deactivate(self) -> None:
        """Let go of the stage; an agent that drives stops."""
        self.driver.stop()
        self.driver.hide_failure()
        self._panel.commit_note()
        self._is_active = False
        self._filling.cancel()
        self._layer.clear()
        self._stage.empty.invite("")
        for layer in ("corridor", "agent", "path", "contacts"):
            self._stage.view.set_drawing(layer, NOTHING)

    def place(self) -> dict[str, Any]:
        """The agent and the passage at hand, and how far the agent has come."""
        return self._left.place(self._queue.current if self._is_active else None)

    def go_to_place(self, place: Mapping[str, Any]) -> None:
        """Take the agent and the passage of then to hand, if they are there."""
        agent, start, end = (str(place.get(name, "")) for name in ("agent", "from", "to"))
        if agent in self._bench.project.agents:
            self._bench.choose_agent(agent)
            self.go_to_passage(Passage(start, end, agent))

    def go_to_passage(self, passage: Passage) -> None:
        """Take another passage to hand and bring it into view."""
        if self._queue.current:
            self._visited.append(self._queue.current)
        self._take(self._queue.at(passage))

    def go_to_item(self, key: str) -> None:
        """Take the first passage at a node, or along an edge, to hand."""
        edge = self._bench.project.graph.edges.get(key)
        found = (
            p
            for p in self._queue.passages
            if key in (p.from_id, p.to_id) or (edge and edge.joins(p.from_id, p.to_id))
        )
        passage = next(found, None)
        if passage:
            self.go_to_passage(passage)

    def go_next(self) -> None:
        """The next passage of the queue."""
        self._take(self._queue.next())

    def go_previous(self) -> None:
        """The previous passage of the queue."""
        self._take(self._queue.previous())

    def go_to_undecided(self) -> None:
        """The next passage without a label."""
        self._take(self._queue.next_undecided(self._bench.project.labels))

    def go_back(self) -> None:
        """Back to the passage that was at hand before."""
        if self._visited:
            self._take(self._queue.at(self._visited.pop()))

    def answer(self, verdict: Verdict) -> None:
        """Answer the question at hand; “does not” asks for its reason first."""
        self._panel.answer(verdict)

    def choose_reason(self, digit: str) -> None:
        """Choose the reason with this digit."""
        self._panel.choose_reason_by_digit(digit)

    def cancel(self) -> None:
        """Esc: stop driving, or drop the half-given answer."""
        if self.driver.is_driving:
            self.driver.stop()
        else:
            self._panel.cancel_reason()

    def clear_answer(self) -> None:
        """Make the passage at hand undecided again."""
        document, passage = self._bench.document, self._queue.current
        if document and passage:
            project = document.project
            edit = retract(project.labels, project.graph, passage)
            if edit:
                document.edit(edit.text, replace(project, labels=edit.labels))

    def focus_note(self) -> None:
        """Put the cursor into the note."""
        self._panel.focus_note()

    def focus_search(self) -> None:
        """Put the cursor into the search field of the queue."""
        self._list.focus_search()

    def drive(self) -> None:
        """Drive the agent at hand from the start of the passage."""
        keys = self._shortcuts.keys()
        passed_on = frozenset(keys[name] for name in ALLOWED_WHILE_DRIVING)
        self._drives.drive(self._queue.current, drive_keys(self._shortcuts), passed_on)

    def drive_automatically(self) -> None:
        """Let the agent at hand drive itself straight along the passage."""
        self._drives.drive_automatically(self._queue.current)

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Write the keys in force on the controls, and drive by them."""
        self._shortcuts = shortcuts
        self._panel.set_keys(label_keys(shortcuts))

    def is_moving(self) -> bool:
        """Whether an agent is driven, or a drive is shown again."""
        return self.driver.is_driving or self.driver.is_replaying

    def has_drive(self) -> bool:
        """Whether there is a drive along the passage at hand to show again."""
        return self._drives.has_track(self._queue.current)

    def replay(self) -> None:
        """Show the last drive along the passage again."""
        self._drives.replay(self._queue.current)

    def toggle_overview(self) -> None:
        """Show every label as bright as the passage at hand, or push them back again."""
        self._has_focus = not self._has_focus
        self._draw()

    def frame_selected(self) -> None:
        """Bring the passage at hand into view."""
        pose = self._drives.start_pose(self._queue.current)
        if pose:
            start, end = pose.floor_m, pose.target_m
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, max(start[2], end[2]))
            self._stage.go_to(middle)

    def _connect(self) -> None:
        bench = self._bench
        bench.document_replaced.connect(self._on_document)
        bench.project_changed.connect(self._on_changed)
        bench.scene_replaced.connect(self._on_scene)
        bench.agent_chosen.connect(self._on_agent)
        bench.settings_changed.connect(self._refresh)
        self._stage.slider.cut_changed.connect(self._draw)
        self._chooser.agent_chosen.connect(bench.choose_agent)
        self._list.passage_chosen.connect(self.go_to_passage)
        self._panel.answered.connect(self._on_answered)
        self._panel.skipped.connect(self.go_next)
        self._panel.replay_chosen.connect(self.replay)
        self._panel.drive_chosen.connect(self.drive)
        self._drives.seen.connect(self._refresh)
        self._stage.empty.action_chosen.connect(self._do_what_is_missing)

    def _mind_driver(self) -> None:
        driver, mode, stage_map = self.driver, self._around.driving, self._stage.map
        driver.started.connect(lambda: self._panel.setEnabled(False))
        driver.refused.connect(self._bench.refused)
        driver.started.connect(lambda: mode.begin(ALLOWED_WHILE_DRIVING))
        driver.ended.connect(lambda _: stage_map.set_agent(None))
        driver.ended.connect(lambda _: mode.end())
        self._around.engine.telemetry_received.connect(self._on_telemetry)
        stage_map.corner_changed.connect(driver.hud.keep_corner_free)
        driver.hud.keep_corner_free(stage_map.corner)

    def _on_telemetry(self, telemetry: Telemetry) -> None:
        if self.driver.is_driving:
            self._stage.map.set_agent(telemetry.position_m, telemetry.yaw_rad)

    def _do_what_is_missing(self) -> None:
        if self._is_active:
            has_edges = bool(self._bench.project.graph.edges)
            self._around.trigger("edit.agents" if has_edges else "view.graph")

    def _on_document(self) -> None:
        self._visited.clear()
        self._left.forget()
        # The agent at hand is told of next, and begins its queue.
        self._queue = PassageQueue()

    def _on_scene(self) -> None:
        self.driver.stop()
        if self._is_active:
            self._around.scene_engine.prepare()
        self._refresh()

    def _on_agent(self) -> None:
        self.driver.stop()
        self._visited.clear()
        self._start_queue()

    def _on_changed(self, old: Project, new: Project) -> None:
        agent = self._bench.agent
        if old.graph.edges is not new.graph.edges and agent and self._is_active:
            self._queue = self._queue.follow(new.graph, agent.key)
        if not self._is_answering:
            self._refresh()

    def _on_answered(self, answer: LabelAnswer) -> None:
        document, agent = self._bench.document, self._bench.agent
        if document is None or agent is None:
            return
        project = document.project
        self._stage.view.setFocus()
        if self._doubts.hold_back(answer):
            self._ask()
            return
        was_undecided = answer.passage not in project.labels
        try:
            edit = accept(
                answer,
                project.labels,
                project.graph,
                author=self._bench.annotator,
                provenance=self._drives.provenance(answer.passage),
                now=self._around.clock,
            )
        except EditError as error:
            self._bench.refused.emit(str(error))
            self._ask()
            return
        # Everything is shown once, with the next question.
        self._is_answering = True
        try:
            document.edit(edit.text, replace(project, labels=edit.labels))
        finally:
            self._is_answering = False
        if was_undecided and answer.passage == self._queue.current:
            self._visited.append(answer.passage)
            self.go_to_undecided()
        else:
            self._refresh()

    def _start_queue(self) -> None:
        if not self._is_active:
            self._queue = PassageQueue()
            return
        agent, project = self._bench.agent, self._bench.project
        queue = open_queue(project.graph, project.labels, agent.key) if agent else PassageQueue()
        self._take(queue)

    def _take(self, queue: PassageQueue) -> None:
        is_other = queue.current != self._queue.current
        if is_other:
            self.driver.stop()
        self._queue = queue
        if is_other and self._is_active:
            self.frame_selected()
        self._refresh()

    def _refresh(self, *_: object) -> None:
        if self._is_active:
            self._list.set_current(self._queue.current)
            self._ask()
            self._invite()
            shown = self._list, self._chooser
            self._filling.start(lambda: filling_queue(self._bench, self._queue, *shown))
            self._draw()

    def _invite(self) -> None:
        """Say what is missing while there is nothing to judge."""
        project = self._bench.project
        if not project.graph.edges:
            text = "The queue fills by itself with every edge, in both directions, for every agent."
            self._stage.empty.invite("Draw the graph first", text, "Go to the Graph workspace")
        elif not project.agents:
            text = "Every project can have agents of its own beside the shipped ones."
            self._stage.empty.invite("There is no agent yet", text, "Edit agents …")
        else:
            self._stage.empty.invite("")

    def _ask(self) -> None:
        agent, passage = self._bench.agent, self._queue.current
        question = None
        if agent and passage:
            question = label_question(
                self._bench.project,
                passage,
                agent,
                scene_hash=self._bench.scene_hash,
                facts=self._drives.facts(passage),
                has_drive=self._drives.has_track(passage),
            )
        self._panel.set_question(question)

    def _draw(self, *_: object) -> None:
        if not self._is_active:
            return
        bench, passage, agent = self._bench, self._queue.current, self._bench.agent
        graph = bench.project.graph
        look = GraphLook(
            storeys=bench.storeys,
            cut_z_m=self._stage.view.cut_z,
            agent=agent,
            labels=bench.project.labels,
            scene_hash=bench.scene_hash,
            focus=passage if self._has_focus else None,
        )
        self._layer.show(graph, look)
        corridor = NOTHING
        pose = self._drives.start_pose(self._queue.current)
        if agent and pose:
            corridor = corridor_drawing(pose.floor_m, pose.target_m, agent)
            if not self.driver.is_driving and self._drives.seen_on(passage) is None:
                self.driver.show_at(agent, pose)
        self._stage.view.set_drawing("corridor", corridor)
