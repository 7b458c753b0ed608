"""The workspace in which passages are measured, driven and labelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from waypost.annotators.traverse.agent_chooser import AgentChooser
from waypost.annotators.traverse.asking import agent_row_steps, label_question
from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.annotators.traverse.offer_strip import Offer, OfferStrip, offer_after
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.rest_dialog import RestDialog
from waypost.app.shell.camera.camera_card import CameraView
from waypost.app.shell.key_sets import ALLOWED_WHILE_DRIVING, label_keys
from waypost.app.shell.workspace import Surroundings, Workspace
from waypost.app.traverse.answer_doubts import AnswerDoubts
from waypost.app.traverse.answering import Answering
from waypost.app.traverse.driver import Driver
from waypost.app.traverse.left_passage import LeftPassage
from waypost.app.traverse.measuring import Measuring
from waypost.app.traverse.needed_passages import NeededPassages
from waypost.app.traverse.passage_drives import PassageDrives
from waypost.app.traverse.passage_stage import PassageStage
from waypost.app.traverse.passage_walk import PassageWalk
from waypost.app.traverse.queue_filling import QueueShown, filling_queue
from waypost.app.traverse.rule_choice import RuleChoice
from waypost.domain.base.progress import exhaust
from waypost.domain.project import Project
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.services.agent_marks import agent_names
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.pieces import Pieces
from waypost.simulators.protocol import Telemetry
from waypost.widgets.parts import column


class TraverseWorkspace(Workspace):
    """Asks, for each edge, direction and agent, whether it can be travelled.

    Args:
        around: What it finds in its window.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        bench = around.bench
        self._around, self._bench, self._stage = around, bench, around.stage
        self.driver = Driver(around.engine, around.stage, self)
        self.camera = CameraView(around.engine.camera, around.stage, self)
        self._drives = PassageDrives(around, self.driver, self)
        self._answering = Answering(around, self._drives, self)
        self._shown = PassageStage(around, self.driver, self._drives, self)
        self.measuring, self.rule = Measuring(around, self), RuleChoice(around, self)
        self._shortcuts, self._is_active = ShortcutMap(()), False
        self._doubts, self._left = AnswerDoubts(around), LeftPassage(bench)
        self._needed = NeededPassages(bench, self)
        self._just_answered: Passage | None = None
        self._return_to: Passage | None = None
        self._filling = Pieces(self)
        self._chooser, self.list, self._panel = AgentChooser(), PassageList(), LabelPanel()
        self.spots = self._shown.spots
        self._offer = OfferStrip()
        self.walk = PassageWalk(bench, self.list, self._needed, self)
        upper = (self._chooser, self.measuring.bar, self._offer)
        self.left = column(*upper, self.list, self.spots.card)
        self.right = column(self._panel)
        self._connect()
        self._mind_driver()

    @property
    def current(self) -> Passage | None:
        """The passage at hand."""
        return self.walk.current

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
        self._stage.empty.invite("")
        self._shown.clear()

    def close(self) -> None:
        """End the work on a picture."""
        self.spots.close()

    def place(self) -> dict[str, Any]:
        """The agent and the passage at hand, and how far the agent has come."""
        return self._left.place(self.walk.current if self._is_active else None)

    def go_to_place(self, place: Mapping[str, Any]) -> None:
        """Take the agent and the passage of then to hand, if they are there."""
        agent, start, end = (str(place.get(name, "")) for name in ("agent", "from", "to"))
        if agent in self._bench.project.agents:
            self._bench.choose_agent(agent)
            self.go_to_passage(Passage(start, end, agent))

    def go_to_passage(self, passage: Passage) -> None:
        """Take another passage to hand and bring it into view."""
        self.walk.go_to(passage)

    def go_to_item(self, key: str) -> None:
        """Take the first passage at a node, or along an edge, to hand."""
        self.walk.go_to_item(key)

    def go_to_undecided(self) -> None:
        """The next passage to answer, stale ones too; once there is none, the next agent."""
        if not self.walk.next_open():
            self.take_offer()

    def take_offer(self) -> None:
        """Go on with the next agent that is not finished; once all are, offer the export."""
        agents = exhaust(agent_row_steps(self._bench.project, self._bench.scene_hash))
        agent = self._bench.agent
        offer = offer_after(agents, agent.key) if agent else None
        self._offer.show_offer(offer)
        if offer is not None and offer.agent_key:
            self._bench.choose_agent(offer.agent_key)

    def answer(self, verdict: Verdict) -> None:
        """Answer the question at hand, of all selected; “does not” asks for its reason first."""
        self.driver.stop()
        self._panel.answer(verdict)

    def accept(self) -> None:
        """Answer as it was measured, everything selected; the next answer is for one again."""
        selected = self.walk.selected
        if len(selected) > 1:
            self._panel.commit_note()
            if self._answering.accept_measured(selected, self._panel.written_notes):
                self.walk.next_open()
            self.list.select_only_current()
        else:
            self._panel.accept()

    def answer_rest(self) -> None:
        """Answer everything that is left for the agent at hand, with a reason written down."""
        agent, left = self._bench.agent, self.walk.left
        if agent and left:
            self._panel.commit_note()
            name = agent_names(self._bench.project.agents)[agent.key]
            dialog = RestDialog(name, left, self._doubts.against_all, self._around.window)
            dialog.answered.connect(self._give)
            dialog.open()

    def choose_reason(self, reason: Reason) -> None:
        """Choose a reason, as its key does; where something is proposed it overrules."""
        self.driver.stop()
        self._panel.choose_reason(reason)

    def cancel(self) -> None:
        """Esc: stop driving, drop the half-given answer, or the selection of several."""
        if self.driver.is_driving:
            self.driver.stop()
        else:
            self._panel.cancel_reason()
            self.list.select_only_current()

    def clear_answer(self) -> None:
        """Make what is selected undecided again."""
        self._answering.clear(self.walk.selected)

    def focus_note(self) -> None:
        """Put the cursor into the note of the passage just answered, or of the one at hand."""
        answered = self._just_answered
        if answered is not None and not self._panel.is_half_given:
            self._return_to = self.walk.current
            self.walk.return_to(answered)
        self._panel.focus_note()

    def drive(self) -> None:
        """Drive the agent at hand from the start of the passage."""
        self._just_answered = None
        self._drives.drive(self.walk.current, self._shortcuts)

    def drive_automatically(self) -> None:
        """Let the agent at hand drive itself straight along the passage."""
        self._just_answered = None
        self._drives.drive_automatically(self.walk.current, self._shortcuts)

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Write the keys in force on the controls, and drive by them."""
        self._shortcuts = shortcuts
        self._panel.set_keys(label_keys(shortcuts))
        self.measuring.bar.set_key(shortcuts.keys()["traverse.measure_all"])
        self.spots.card.set_key(shortcuts.keys()["traverse.spot"])
        self._offer.set_key(shortcuts.keys()["traverse.undecided"])

    def is_moving(self) -> bool:
        """Whether an agent is driven, or a drive is shown again."""
        return self.driver.is_driving or self.driver.is_replaying

    def has_drive(self) -> bool:
        """Whether there is a drive along the passage at hand to show again."""
        return self._drives.has_track(self.walk.current)

    def replay(self) -> None:
        """Show the last drive along the passage again."""
        self._drives.replay(self.walk.current, lambda passage: passage == self.walk.current)

    def toggle_needed(self) -> None:
        """Hold only what questions need in the queue, or everything again."""
        self._needed.toggle()

    def toggle_overview(self) -> None:
        """Show every label as bright as the passage at hand, or push them back again."""
        self._shown.toggle_overview()
        self._draw()

    def frame_selected(self) -> None:
        """Bring the passage at hand into view."""
        self._shown.frame(self.walk.current)

    def _connect(self) -> None:
        bench, panel = self._bench, self._panel
        bench.document_replaced.connect(self._on_document)
        bench.project_changed.connect(self._on_changed)
        bench.scene_replaced.connect(self._on_scene)
        bench.agent_chosen.connect(self._on_agent)
        bench.settings_changed.connect(self._refresh)
        self._needed.changed.connect(self._start_queue)
        self._stage.slider.cut_changed.connect(self._draw)
        self._chooser.agent_chosen.connect(bench.choose_agent)
        self.walk.moved.connect(self._on_moved)
        self.list.passage_chosen.connect(self.walk.go_to)
        self.list.selection_changed.connect(lambda: panel.set_selected(len(self.list.selected)))
        self._offer.taken.connect(self._on_offer)
        self.measuring.ended.connect(self.walk.sort_again)
        panel.answered.connect(self._on_answered)
        panel.accept_chosen.connect(self.accept)
        panel.note_left.connect(self._on_note_left)
        panel.skipped.connect(self.walk.next)
        panel.replay_chosen.connect(self.replay)
        panel.answer_begun.connect(self.driver.stop)
        panel.drive_chosen.connect(self.drive)
        panel.drive_itself_chosen.connect(self.drive_automatically)
        self._drives.seen.connect(self._refresh)
        self._stage.empty.action_chosen.connect(self._do_what_is_missing)

    def _mind_driver(self) -> None:
        driver, mode, stage_map = self.driver, self._around.driving, self._stage.map
        driver.started.connect(lambda: self._panel.set_driving(is_driving=True))
        driver.ended.connect(lambda _: self._panel.set_driving(is_driving=False))
        driver.refused.connect(self._bench.refused)
        driver.started.connect(lambda: mode.begin(ALLOWED_WHILE_DRIVING))
        self.camera.show_between(driver.started, driver.ended)
        driver.ended.connect(lambda _: stage_map.set_agent(None))
        driver.ended.connect(lambda _: mode.end())
        self._around.engine.telemetry_received.connect(self._on_telemetry)
        stage_map.corner_changed.connect(driver.hud.keep_corner_free)
        driver.hud.keep_corner_free(stage_map.corner)

    def _on_telemetry(self, telemetry: Telemetry) -> None:
        if self.driver.is_driving:
            pose = telemetry.position_m, telemetry.yaw_rad
            self._stage.map.set_agent(*pose, self.driver.color)

    def _do_what_is_missing(self) -> None:
        if self._is_active:
            has_edges = bool(self._bench.project.graph.edges)
            self._around.trigger("edit.agents" if has_edges else "view.graph")

    def _on_document(self) -> None:
        self._left.forget()
        self._panel.forget()
        self.walk.forget()  # The agent at hand is told of next, and begins its queue.

    def _on_scene(self) -> None:
        self.driver.stop()
        if self._is_active:
            self._around.scene_engine.prepare()
        self._refresh()

    def _on_agent(self) -> None:
        self.driver.stop()
        self.walk.forget_visited()
        self._start_queue()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.graph.edges is not new.graph.edges and self._is_active:
            self.walk.follow_graph()
        if not self._answering.is_busy:
            self._refresh()

    def _on_answered(self, answer: LabelAnswer) -> None:
        selected = self.walk.selected
        is_for_all = not answer.is_note_only and answer.passage in selected
        passages = selected if is_for_all else (answer.passage,)
        answers = tuple(replace(answer, passage=passage) for passage in passages)
        if self._doubts.hold_back(answers):
            self._ask()
        else:
            self._give(answers)

    def _give(self, answers: tuple[LabelAnswer, ...]) -> None:
        passage = self.walk.current
        given = [answer.passage for answer in answers]
        goes_on = passage is not None and passage in given and self.walk.is_open(passage)
        if not self._answering.store(answers):
            self._ask()
            return
        self._doubts.tell_stored()
        self._stage.view.setFocus()
        if goes_on and passage is not None:
            self.list.select_only_current()
            self.walk.remember()
            self.walk.next_open()
            self._just_answered = passage
        else:
            self._refresh()

    def _on_note_left(self) -> None:
        back, self._return_to = self._return_to, None
        if back is not None and back != self.walk.current:
            self.walk.return_to(back)

    def _on_offer(self, offer: Offer) -> None:
        if offer.agent_key:
            self.take_offer()
        else:
            self._around.trigger("file.export")

    def _start_queue(self) -> None:
        if self._is_active:
            self.walk.start()
        else:
            self.walk.forget()

    def _on_moved(self, is_other: bool) -> None:
        if is_other:
            self.driver.stop()
            self._just_answered = None
            if self._is_active:
                self.frame_selected()
        self._refresh()

    def _refresh(self, *_: object) -> None:
        if self._is_active:
            self.list.set_current(self.walk.current)
            self._ask()
            self._invite()
            shown = QueueShown(self.list, self._chooser, self._offer)
            self._filling.start(
                lambda: filling_queue(self._bench, self.walk.queue, shown, self._needed.title)
            )
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
        agent, passage = self._bench.agent, self.walk.current
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
        if self._is_active:
            self._shown.show(self.walk.current)
