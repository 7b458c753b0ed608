"""Leads one participant from consent through every episode; the coordinator's page is away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from waypost.app.record.session import participant_pages as pages
from waypost.app.record.session.after_episode import AfterEpisode, Stops
from waypost.app.record.session.episode_opening import EpisodeOpening
from waypost.app.record.session.instruction_voice import InstructionVoice
from waypost.app.record.session.pad_buttons import PadButtons
from waypost.app.record.session.participant_card import CardPage, ParticipantCard
from waypost.app.record.session.participant_view import ParticipantView
from waypost.app.record.session.press_guard import PressGuard
from waypost.app.record.session.stop_question import StopCard, StopQuestion
from waypost.app.record.session.take_camera import TakeCamera
from waypost.app.record.session.take_face import TakeFace
from waypost.app.record.session.voice_bar import VoiceBar
from waypost.app.record.study_desk import StudyDesk
from waypost.app.record.take_recorder import TakeEnd, TakePhase, TakeRecorder
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench, at_window
from waypost.domain.episode.episode import Episode
from waypost.domain.record.recording import start_pose, take_header
from waypost.domain.record.study import (
    Assignment,
    Study,
    Take,
    consent_in_force,
    has_consented,
    next_assignment,
    take_to_ask_about,
)
from waypost.domain.record.study_edits import begin_episode, give_consent
from waypost.domain.record.take_rules import NEW_TAKE_RULES, TakeRules
from waypost.domain.scene.gaps import geometry_gaps
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.agent_files import drivable_agents
from waypost.io.recordings.take_names import take_file_name
from waypost.services.engine.driven_engine import DrivenEngine, EngineState
from waypost.services.input.gamepad import Gamepad
from waypost.services.input.key_driving import DriveKey
from waypost.services.input.pad_state import PadButton
from waypost.services.input.shortcuts import named_key

LOST_REASONS = (
    "I am lost",
    "I cannot get through",
    "The instruction does not fit",
    "I do not want to go on",
)
LEFT = "the session was left"
_DEFAULT_AGENT = "human"
"""Driven where the rules of a study name none."""


class ParticipantSession(QObject):
    """One participant at the window, page after page.

    Args:
        bench: What is open.
        desk: Changes the study.
        stage: Filled with the participant's view.
        engine: The physics engine.
        prepare_engine: Has the engine load the open scene.
        parent: Qt owner.
    """

    started = Signal()
    ended = Signal()

    def __init__(
        self,
        bench: Workbench,
        desk: StudyDesk,
        stage: Stage,
        engine: DrivenEngine,
        prepare_engine: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._desk, self._stage, self._engine = bench, desk, stage, engine
        self._prepare_engine = prepare_engine
        self.opening = EpisodeOpening(bench, desk, self)
        self.gamepad = Gamepad(self)
        self.recorder = TakeRecorder(engine, stage.view, self.gamepad, self)
        self.camera = TakeCamera(bench, engine, stage, self.recorder, self)
        self._face = TakeFace(self.recorder, self.gamepad, self)
        self.instruction, self.legend = self._face.instruction, self._face.legend
        self._view = ParticipantView(stage, self.camera, self)
        self.card = ParticipantCard(stage.view)
        self._voice_bar = VoiceBar(InstructionVoice(self))
        self.voice = self._voice_bar.voice
        self.instruction.add_voice(self._voice_bar)
        self.voice.moved.connect(self._on_voice)
        self._keys: Mapping[str, str] = {}
        self._code, self._is_leaving, self._is_before_start = "", False, False
        self._assignment: Assignment | None = None
        self._episode: Episode | None = None
        self._end = TakeEnd(None)
        self._primary: Callable[[], None] = self._finish
        self._secondary: Callable[[], None] = self._finish
        self._after: Callable[[], object] = _nothing
        stops = Stops(self._show, self._draw_path, self._view.cover, self._show_next)
        self._after_episode = AfterEpisode(desk, self.card, stops)
        self.presses, self.stopping = PressGuard(self), StopQuestion(self)
        self._stop_card = StopCard(stage.view, self.stopping)
        self.stopping.confirmed.connect(self.recorder.stop)
        self.card.primary_chosen.connect(self.go_on)
        self.card.secondary_chosen.connect(self._on_secondary)
        self.legend.reason_chosen.connect(self._give_up)
        self.legend.go_on_chosen.connect(self.toggle_pause)
        self.recorder.changed.connect(self._show_moment)
        self.recorder.ended.connect(self._on_take_ended)
        self._view.mouse.looked.connect(self.recorder.move_gaze)
        PadButtons(self.gamepad, self.legend, self.card, self._pad_commands(), self)
        desk.settled.connect(self._on_settled)
        self.opening.waited.connect(self._on_waited)
        self.opening.opened.connect(self._on_opened)
        self.opening.refused.connect(self._on_refused)
        engine.state_changed.connect(self._on_engine)

    @property
    def is_running(self) -> bool:
        """Whether a participant is at the window."""
        return bool(self._code)

    @property
    def has_next(self) -> bool:
        """Whether a page waits for its button."""
        return self.card.page is not None and self.card.page.is_ready

    def is_taking(self) -> bool:
        """Whether an episode is being recorded, or paused."""
        return self.recorder.phase in {TakePhase.RECORDING, TakePhase.PAUSED}

    def set_keys(self, keys: Mapping[str, str], drive: Mapping[str, DriveKey]) -> None:
        """Use these keys: of `go`, `stop`, `pause`, `lost` and `leave`, and for driving."""
        self._keys = keys
        # Keys are told apart without what is held beside them.
        plain = frozenset(key.split("+")[-1] for key in keys.values())
        self.presses.set_keys(plain)
        self._stop_card.set_key(named_key(keys["stop"]))
        self.recorder.set_keys(drive, plain)
        self._face.set_keys(keys, drive)
        self._after_episode.set_key(keys["go"])
        self._voice_bar.set_keys(keys["voice"], keys["voice_again"])

    def start(self, code: str) -> None:
        """Give the window to a participant."""
        self._code, self._is_leaving = code, False
        self._desk.sign_as(code)
        self._desk.catch_up_if_needed()
        self._prepare_engine()
        self.gamepad.start()
        self.presses.start()
        agent, rules = _driven_profile(self._bench, self._desk.study), _rules(self._desk.study)
        self._view.begin(rules)
        self._face.show(agent, can_look=rules.can_look)
        self.started.emit()
        self._show_next()

    def ask_to_leave(self, after: Callable[[], object] | None = None) -> None:
        """Leave the session; an episode under way is paused and asked about first.

        Args:
            after: Runs once the session is left, such as to close the window.
        """
        self._after = after or _nothing
        if not self.is_taking():
            self.leave()
            return
        self.stopping.drop()
        self.legend.stop_asking()
        self.recorder.pause("asked whether to leave")
        page = pages.leaving_page(self._keys["go"], is_closing=after is not None)
        self._show(page, self._drive_on, self.leave)

    def leave(self) -> None:
        """Go back to the coordinator at once; an episode under way is kept as incomplete."""
        self.gamepad.stop()
        if self.recorder.phase is TakePhase.IDLE:
            self._finish()
            return
        self._is_leaving = True
        self.recorder.break_off(LEFT)

    def _drive_on(self) -> None:
        self._after = _nothing
        self.card.put_away()
        self.recorder.resume()

    def go_on(self) -> None:
        """Do what the card offers."""
        if self.has_next:
            self._primary()

    def _on_secondary(self) -> None:
        self._secondary()

    def stop(self) -> None:
        """Stop the episode: asked first, done when the key is held or pressed again."""
        key = self._keys["stop"].split("+")[-1]
        self._press_stop(lambda: self.presses.is_down(key), lambda: self.presses.is_free(key))

    def _stop_by_pad(self) -> None:
        is_held = partial(self.gamepad.is_held, PadButton.STOP)
        self._press_stop(is_held, lambda: not is_held())

    def _press_stop(self, is_down: Callable[[], bool], is_let_go: Callable[[], bool]) -> None:
        if self.recorder.phase is TakePhase.RECORDING:
            self.stopping.press(is_down, is_let_go)

    def toggle_pause(self) -> None:
        """Pause the episode, or go on."""
        self.legend.stop_asking()
        self.stopping.drop()
        if self.recorder.phase is TakePhase.PAUSED:
            self._drive_on()
        else:
            self.recorder.pause()

    def toggle_lost(self) -> None:
        """Ask why the participant cannot go on, or drive on; the episode is paused meanwhile."""
        if self.legend.asks_reason:
            self.toggle_pause()
        elif self.is_taking():
            self.stopping.drop()
            self.card.put_away()
            self.recorder.pause("asked for the reason to give up")
            self.legend.ask_reason(LOST_REASONS, self._keys["lost"])

    def _show_next(self) -> None:
        study, go = self._desk.study, self._keys["go"]
        self._view.cover()
        self.instruction.set_instruction(f"Participant {self._code}")
        self._assignment = next_assignment(study, self._code)
        text, owed = consent_in_force(study), take_to_ask_about(study, self._code)
        if text is not None and not has_consented(study, self._code):
            self._show(pages.consent_page(text, go), self._agree)
        elif owed is not None:
            self._after_episode.ask(owed)
        elif self._assignment is None:
            self._show(pages.finished_page(study, self._code, go), self._finish)
        elif missing := _missing_agent(self._bench, study):
            self._on_refused(f"The study is driven by the agent {missing}, which is not there.")
        else:
            self.opening.open(self._assignment.key.episode)

    def _agree(self) -> None:
        version, code = max(self._desk.study.consent_texts), self._code
        if self._desk.change("Give consent", lambda s, now: give_consent(s, code, version, now)):
            self._show_next()

    def _on_waited(self, what: str) -> None:
        page = pages.waiting_page(what)
        if self.card.page is None or self.card.page.title != page.title:
            self._show(page, self._finish)
        else:
            self.card.show_page(page)

    def _on_refused(self, sentence: str) -> None:
        self._show(pages.problem_page(sentence, self._keys["go"]), self._finish)

    def _on_opened(self, episode: Episode) -> None:
        self._episode = episode
        self._view.uncover()
        self.recorder.show_pose(*start_pose(episode))
        if self._assignment is not None:
            self._show_ready(self._assignment)

    def _show_ready(self, assignment: Assignment) -> None:
        go, state = self._keys["go"], self._engine.state
        if state is EngineState.FAILED:
            self._show(pages.engine_page(go), self._restart)
            self._is_before_start = True
            return
        is_ready = state in {EngineState.READY, EngineState.DRIVING}
        page = pages.ready_page(self._desk.study, assignment, self._keys, is_ready=is_ready)
        self._show(page, self._begin)

    def _begin(self) -> None:
        assignment, episode = self._assignment, self._episode
        if assignment is None or episode is None:
            return
        key = assignment.key
        if not self._desk.change("Begin episode", lambda s, now: begin_episode(s, key, now)):
            return
        profile, rules = _driven_profile(self._bench, self._desk.study), _rules(self._desk.study)
        scene, code = self._bench.scene, self._code
        scene_hash, gaps = (scene.content_hash, geometry_gaps(scene)) if scene else ("", ())
        header = take_header(
            episode, profile, scene_hash, participant=code, rules=rules, scene_gaps=gaps
        )
        file = self._desk.takes_folder / take_file_name(episode, self._code)
        self.card.put_away()
        self._is_before_start = False
        self._stage.view.set_dim(0.0)
        self.instruction.set_instruction(episode.instruction.text)
        self.voice.load(self._desk.audio_of(episode))
        self.recorder.start(
            profile,
            start_pose(episode),
            file,
            header,
            can_look=rules.can_look,
            time_limit_s=rules.time_limit_s,
        )

    def _give_up(self, reason: str) -> None:
        self.legend.stop_asking()
        self.recorder.give_up(reason)

    def _on_voice(self, at_s: float, is_playing: bool) -> None:
        if self.is_taking():
            self._engine.mark_voice(at_s, is_playing=is_playing)

    def _on_take_ended(self, end: TakeEnd) -> None:
        self.voice.load(None)
        self._end = end
        if not self._is_leaving:
            # Whoever was asked whether to close has ended the episode instead.
            self._after = _nothing
        self.stopping.drop()
        self.card.put_away()
        self.legend.stop_asking()
        if self._assignment is not None:
            self._desk.settle(self._assignment.key, end)

    def _on_settled(self, take: Take | None) -> None:
        if self.card.page or self.recorder.phase is not TakePhase.IDLE or not self.is_running:
            # Its session was left meanwhile: nobody else is asked about it.
            if self._is_before_start:
                self._show_next()
        elif self._is_leaving:
            self._finish()
        elif take is not None and take.summary.is_complete:
            self._view.rest()
            self._after_episode.follow(take)
        else:
            reason = self._end.failure or (take.summary.end_reason if take else "")
            self._show_interrupted(reason or "the recording could not be read")

    def _draw_path(self) -> None:
        if self._episode is not None and self._end.path_m:
            self._view.show_path(self._end.path_m, self._episode, self.card.side_share)

    def _show_interrupted(self, reason: str) -> None:
        go, is_gone = self._keys["go"], self._engine.state is EngineState.FAILED
        is_last = self._end.starts_failed >= pages.MOST_STARTS
        follow = self._finish if is_last else self._restart if is_gone else self._show_next
        self._show(pages.interrupted_page(reason, go, self._end, is_engine_gone=is_gone), follow)

    def _restart(self) -> None:
        self._engine.restart()
        self._show_next()

    def _on_engine(self, _state: EngineState) -> None:
        if self.is_running and self._is_before_start and self._assignment is not None:
            self._show_ready(self._assignment)

    def _show(
        self,
        page: CardPage,
        primary: Callable[[], None],
        secondary: Callable[[], None] | None = None,
    ) -> None:
        self._is_before_start = primary == self._begin
        self._primary, self._secondary = primary, secondary or self._finish
        self.card.show_page(page)
        self._stage.view.setFocus()
        self._show_moment()

    def _show_moment(self) -> None:
        if self._is_leaving and self.recorder.phase is TakePhase.RECORDING:
            self.recorder.break_off(LEFT)
            return
        if self.recorder.phase is TakePhase.PAUSED:
            self.voice.pause()
        self._face.show_moment()

    def _pad_commands(self) -> Mapping[PadButton, Callable[[], None]]:
        return {
            PadButton.GO: self.go_on,
            PadButton.STOP: self._stop_by_pad,
            PadButton.PAUSE: self.toggle_pause,
            PadButton.LOST: self.toggle_lost,
        }

    def _finish(self) -> None:
        if not self.is_running:
            return
        self._code, self._assignment, self._is_leaving = "", None, False
        self._is_before_start = False
        self.card.put_away()
        self.gamepad.stop()
        self.presses.stop()
        self.stopping.drop()
        self._view.end()
        self._face.hide()
        self._desk.sign_as(at_window(self._bench))
        self.opening.drop()
        self.opening.scenes.restore()
        self.ended.emit()
        after, self._after = self._after, _nothing
        after()


def _nothing() -> None:
    """Follows when nothing was asked for."""


def _driven_profile(bench: Workbench, study: Study) -> AgentProfile:
    """The agent that participants drive; a person where the study names one that is not there."""
    rules, agents = study.rules, drivable_agents(bench.project.agents)
    return agents.get(rules.agent_key if rules else "", agents[_DEFAULT_AGENT])


def _missing_agent(bench: Workbench, study: Study) -> str:
    """The agent that a study names and nobody has; empty for none."""
    key = study.rules.agent_key if study.rules else ""
    return "" if not key or key in drivable_agents(bench.project.agents) else key


def _rules(study: Study) -> TakeRules:
    """Under which participants drive."""
    return study.rules.of_takes if study.rules else NEW_TAKE_RULES
