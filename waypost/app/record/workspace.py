"""The Record workspace: the coordinator's page, from which participants get the window."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from waypost.app.record.review.take_review import TakeReview
from waypost.app.record.session.participant_session import ParticipantSession
from waypost.app.record.study_desk import StudyDesk
from waypost.app.record.study_files import StudyFiles
from waypost.app.record.study_panel import StudyPanel
from waypost.app.record.study_rows import (
    episode_rows,
    participant_facts,
    participant_rows,
    shortfall_message,
    study_facts,
)
from waypost.app.record.take_lines import take_lines
from waypost.app.shell.key_sets import (
    ALLOWED_IN_SESSION,
    REVIEW_ACTIONS,
    SESSION_ACTIONS,
    drive_keys,
    record_keys,
)
from waypost.app.shell.workbench import at_window
from waypost.app.shell.workspace import Surroundings, Workspace
from waypost.domain.project import Project
from waypost.domain.record.assignment import AssignmentReport, assign
from waypost.domain.record.study import (
    SETTLED,
    Assignment,
    Study,
    TakeKey,
    assignments_of,
    new_code,
)
from waypost.domain.record.study_edits import (
    add_participant,
    exclude_take,
    requeue_episode,
    withdraw_consent,
)
from waypost.services.input.shortcuts import ShortcutMap
from waypost.widgets.grouped_list import GroupedList
from waypost.widgets.parts import column, scroll_panel

_HOW_TO = "A study needs a file of episodes in this scene and the text that participants agree to."


class RecordWorkspace(Workspace):
    """Participants, their episodes, the session of the chosen one, and the review of its takes.

    Args:
        around: What it finds in its window.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        bench, stage, jobs, prepare = (
            around.bench, around.stage, around.jobs, around.scene_engine.prepare,
        )  # fmt: skip
        self._bench, self._stage, self._prepare_engine = bench, stage, prepare
        self._is_active = False
        self.desk = StudyDesk(bench, jobs, around.clock, self)
        self.session = ParticipantSession(bench, self.desk, stage, around.engine, prepare, self)
        around.over.addWidget(self.session.instruction)
        around.under.addWidget(self.session.legend)
        self.people = GroupedList("participant", "participants")
        self.episodes = GroupedList("episode", "episodes")
        self.review = TakeReview(bench, self.desk, stage, around.below, jobs, self)
        self.panel = StudyPanel()
        self.panel.add_review(self.review.panel)
        self.left, self.right = column(self.people, self.episodes), scroll_panel(self.panel)
        self.people.selection_changed.connect(self._on_person)
        self.episodes.selection_changed.connect(self.refresh)
        self.panel.begin_chosen.connect(self.begin)
        self.panel.add_chosen.connect(self.add)
        self.panel.assign_chosen.connect(self.assign)
        self.files = StudyFiles(bench, self.desk, jobs, self.panel)
        self.files.told.connect(around.say)
        self.panel.create_chosen.connect(self.files.ask_new_study)
        stage.empty.action_chosen.connect(self._on_invited)
        self.panel.export_chosen.connect(self.files.ask_export)
        self.panel.requeue_chosen.connect(self.requeue)
        self.panel.rules_chosen.connect(self.files.ask_rules)
        self.panel.consent_chosen.connect(self.files.ask_consent)
        self.panel.withdraw_chosen.connect(self.withdraw)
        self.panel.takes.excluded.connect(self.exclude)
        self.panel.takes.included.connect(lambda number: self.exclude(number, ""))
        mode = around.driving
        self.session.started.connect(lambda: mode.begin(ALLOWED_IN_SESSION, has_window=True))
        self.session.ended.connect(self._on_left)
        self.session.ended.connect(mode.end)
        self.review.panel.close_chosen.connect(self.close_review)
        self.desk.caught_up.connect(self._refresh_if_shown)
        bench.document_replaced.connect(self._on_document)
        bench.project_changed.connect(self._on_changed)
        bench.scene_replaced.connect(self._on_scene)
        # A project may be open already.
        self.desk.catch_up()

    @property
    def code(self) -> str:
        """The chosen participant; empty for none."""
        chosen = self.people.selected & self._study.participants.keys()
        return next(iter(chosen)) if len(chosen) == 1 else ""

    @property
    def assignment(self) -> Assignment | None:
        """The chosen episode of the chosen participant."""
        own = {str(a.place): a for a in assignments_of(self._study, self.code)} if self.code else {}
        chosen = self.episodes.selected & own.keys()
        return own[next(iter(chosen))] if len(chosen) == 1 else None

    def has_study(self) -> bool:
        """Whether the open project has one."""
        return self._study.rules is not None

    def can_create(self) -> bool:
        """Whether a project without a study is open."""
        return self._bench.document is not None and not self.has_study()

    def can_begin(self) -> bool:
        """Whether the chosen participant can be given the window."""
        return bool(self.code) and self._study.participants[self.code].withdrawn_utc is None

    def can_withdraw(self) -> bool:
        """Whether the chosen participant has agreed, to this text or an earlier one."""
        return self.can_begin() and bool(self._study.participants[self.code].consents)

    def close_review(self) -> None:
        """Go back from the take to the study."""
        self.episodes.set_selected(())
        self.refresh()

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Write the keys in force on the controls, and let participants drive by them."""
        keys = record_keys(shortcuts)
        self.panel.set_begin_key(keys["begin"])
        self.review.set_keys({name: keys[name] for name in REVIEW_ACTIONS})
        own = {name: keys[name] for name in SESSION_ACTIONS}
        self.session.set_keys(own, drive_keys(shortcuts))

    def is_moving(self) -> bool:
        """Whether a take is recorded or played."""
        return self.session.is_taking() or self.review.playback.is_playing

    def may_close(self, close: Callable[[], object]) -> bool:
        """Whether no episode is being recorded; otherwise its participant is asked."""
        if not self.session.is_taking():
            return True
        self.session.ask_to_leave(close)
        return False

    def close(self) -> None:
        """Keep no more frames, and load none."""
        self.session.camera.keeper.close()
        self.review.frames.show_take(None)

    def activate(self) -> None:
        """Take over the stage."""
        self._is_active = True
        self._stage.set_hint("")
        self._prepare_engine()
        self.refresh()

    def deactivate(self) -> None:
        """Let go of the stage; a session is left."""
        self.session.leave()
        self.review.close()
        self._is_active = False
        self._stage.empty.invite("")

    def frame_selected(self) -> None:
        """Bring the take under review into view, else the whole scene."""
        if self.review.can_play():
            self.review.frame()
        elif self._bench.scene:
            self._stage.view.frame_bounds(*self._bench.scene.bounds_m)

    def go_to_item(self, key: str) -> None:
        """Bring a node into view."""
        node = self._bench.project.graph.nodes.get(key)
        if node:
            self._stage.go_to(node.position_m)

    def begin(self) -> None:
        """Give the window to the chosen participant."""
        if self.can_begin():
            self._stage.empty.invite("")
            self.review.close()
            self.session.start(self.code)

    def add(self) -> None:
        """Let a participant join, under a new code, with their episodes."""
        code = new_code(self._study.participants, secrets.choice)
        if self._assign(
            "Add participant", lambda study, now: add_participant(study, code, now), [code]
        ):
            self.people.set_selected([code])
            self.refresh()

    def assign(self) -> None:
        """Give everybody the episodes that they lack."""
        self._assign("Assign episodes", lambda study, _: study)

    def _assign(
        self, text: str, edit: Callable[[Study, str], Study], codes: Sequence[str] | None = None
    ) -> bool:
        """Edit the study and give episodes to some, or to all; says where they do not suffice."""
        reports: list[AssignmentReport] = []

        def assigned(study: Study, now: str) -> Study:
            after, report = assign(edit(study, now), codes)
            reports.append(report)
            return after

        if not self.desk.change(text, assigned):
            return False
        message = shortfall_message(reports[-1])
        if message is not None:
            self.files.told.emit(message)
        return True

    def requeue(self, reason: str) -> None:
        """Have the chosen episode driven once more."""
        chosen, by = self.assignment, at_window(self._bench)
        if chosen is not None and chosen.state in SETTLED:
            self.desk.change(
                "Queue again", lambda s, now: requeue_episode(s, chosen.key, reason, by, now)
            )

    def withdraw(self) -> None:
        """Record that the chosen participant withdrew consent; undone like any other edit."""
        code = self.code
        if code and self.desk.change(
            "Withdraw consent", lambda study, now: withdraw_consent(study, code, now)
        ):
            self.files.told.emit(
                f"{code} has withdrawn: nothing of them is exported; the recordings stay on disk."
            )

    def exclude(self, number: int, reason: str) -> None:
        """Keep a take of the chosen episode out of the scores; no reason lets it count again."""
        chosen = self.assignment
        if chosen is not None:
            key = TakeKey(*chosen.key, number)
            text = "Exclude a take" if reason else "Take back a take"
            self.desk.change(text, lambda study, _: exclude_take(study, key, reason))

    @property
    def _study(self) -> Study:
        return self.desk.study

    def _on_document(self) -> None:
        self.session.leave()
        self.review.close()
        self.desk.catch_up()
        self._refresh_if_shown()

    def _on_person(self, *_: object) -> None:
        """Another participant is chosen; what was chosen of the one before is of no use."""
        self.episodes.set_selected(())
        self.refresh()

    def _on_left(self) -> None:
        self.frame_selected()
        self.refresh()

    def _on_scene(self) -> None:
        if self._is_active:
            self._prepare_engine()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.study is not new.study:
            self._refresh_if_shown()

    def _refresh_if_shown(self) -> None:
        """Show the study as it is now; while another workspace has the window, once this has it."""
        if self._is_active:
            self.refresh()

    def refresh(self, *_: object) -> None:
        """Show the study as it is now."""
        study = self._study
        has_study, code, chosen = self.has_study(), self.code, self.assignment
        title = study.rules.name if study.rules else "No study yet"
        text = "" if has_study else _HOW_TO
        self.panel.set_study(title, text, study_facts(study), has_study=has_study)
        self.people.set_rows(participant_rows(study))
        self.episodes.setVisible(bool(code))
        self.episodes.set_rows(episode_rows(study, code) if code else ())
        facts = participant_facts(study, code) if code else ()
        can_begin, can_withdraw = self.can_begin(), self.can_withdraw()
        self.panel.set_participant(code, facts, can_begin=can_begin, can_withdraw=can_withdraw)
        self.panel.set_episode(
            f"Episode {chosen.key.episode_id}: {chosen.state.value.replace('_', ' ')}"
            if chosen
            else "",
            can_requeue=chosen is not None and chosen.state in SETTLED,
            takes=take_lines(study, chosen.key) if chosen else (),
        )
        if self._is_active and not self.session.is_running:
            self.review.show(chosen.key if chosen else None)
            self._invite()
        self.panel.set_reviewing(is_reviewing=self.review.is_open())

    def _on_invited(self) -> None:
        if self._is_active:
            self.files.ask_new_study()

    def _invite(self) -> None:
        invite = self._stage.empty.invite
        if not self.has_study():
            text = "It takes episodes to drive, and a text that participants agree to."
            invite("Begin with a study", text, "New study …" if self.can_create() else "")
        elif not self._study.participants:
            text = "Each gets a code; there is no place for names."
            invite("Add the first participant", text)
        elif not self.code:
            invite("Choose who drives", "Then begin the session and leave the keyboard to them.")
        else:
            invite("")
