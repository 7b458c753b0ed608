"""A study in the real window with the real physics engine: from consent to the scores."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from cut_text import cut_texts
from gui.house import write_house
from gui.participants import (
    begin,
    begun,
    card_text,
    moved_m,
    phase,
    press,
    record,
    session,
    show_on_small_screen,
    stood_m,
    stop,
    title,
)
from gui.studies import CODE, INSTRUCTION, NEWCOMER, START_M, START_YAW_RAD, write_study
from gui.user import User
from PySide6.QtCore import QEvent
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from waypost.app.record.export_dialog import ExportSettings
from waypost.app.record.new_study_dialog import NewStudyDialog
from waypost.app.record.session.participant_card import CardPage
from waypost.app.record.take_recorder import TakePhase
from waypost.app.window.startup import make_application, opened_window
from waypost.domain.record.study import AssignmentState, Take, assignments_of
from waypost.io.recordings.read_recording import read_recording
from waypost.services.study.take_scoring import score_of
from waypost.simulators.protocol import RecordingStatus
from waypost.viewers.scene.picture_pixels import rgb_pixels
from waypost.widgets.theme import BASE_TEXT_PX, apply_theme

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a study."""
    return write_study(tmp_path / "house")


@pytest.fixture
def coordinator(user: User, project: Path) -> User:
    """Somebody at the Record workspace of the study."""
    user.open(project)
    user.press("Ctrl+3")
    user.wait_for_engine()
    return user


@pytest.fixture
def participant(coordinator: User) -> Iterator[User]:
    """The participant reads that the practice episode is next."""
    begin(coordinator, CODE)
    yield coordinator
    session(coordinator).leave()


@pytest.fixture
def recorded(participant: User) -> User:
    """The practice episode is being recorded."""
    record(participant)
    return participant


def time_s(user: User) -> float:
    return session(user).recorder.time_ns / 1e9


def saved_rows(user: User) -> int:
    """Samples that are in the file, as the window knows it."""
    status = session(user).recorder._status
    return status.rows - status.unsaved_rows if status else 0


def takes(user: User) -> list[Take]:
    return list(user.project.study.takes.values())


def states(user: User, code: str = CODE) -> list[AssignmentState]:
    return [a.state for a in assignments_of(user.project.study, code)]


def file_of(user: User, take: Take) -> Path:
    return user.window.record.desk.root / take.path


def shows_scene(user: User) -> bool:
    """Whether something of the scene is seen beside the card; without it one colour is."""
    view = user.window.stage.view
    beside = rgb_pixels(view.grab().toImage())[:, : view.width() // 4]
    return bool((beside != beside[0, 0]).any())


def test_a_take_by_keys_is_in_the_file_and_scored_at_once(recorded: User) -> None:
    strip = session(recorded).instruction
    assert strip._instruction.text() == INSTRUCTION
    assert strip._state.text().startswith("● recording")
    recorded.hold("W")
    recorded.wait(lambda: moved_m(recorded) > 1.5)
    recorded.release("W")
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")

    (take,) = takes(recorded)
    recording = read_recording(file_of(recorded, take))
    samples = recording.trajectory
    assert recording.is_complete
    assert samples.positions_m[0] == pytest.approx(START_M, abs=0.01)
    assert samples.yaws_rad[0] == pytest.approx(START_YAW_RAD, abs=math.radians(0.1))
    steps = {int(b - a) for a, b in zip(samples.times_ns, samples.times_ns[1:], strict=False)}
    assert steps == {50_000_000}
    assert "forward" in samples.actions
    assert samples.positions_m[-1][1] - START_M[1] > 1.5
    assert recording.participant == CODE
    assert states(recorded) == [AssignmentState.DONE, *[AssignmentState.PENDING] * 2]
    error_m = score_of(take, "NE")
    assert error_m is not None
    assert session(recorded).card.page.told == f"You reached the goal. {error_m:.1f} m away."
    assert not any(name in card_text(recorded) for name in ("SR", "TL", "NE", "vlnverse"))
    press(recorded, "Space")
    assert title(recorded) == "Episode 1 of 2"


def test_a_start_that_does_not_fit_the_scene_is_noted_in_the_take(
    user: User, project: Path
) -> None:
    """As `waypost record` does: the floor is another than the one that the episode means."""
    file = project.parent / "episodes.json"
    episodes = json.loads(file.read_text())
    for episode in episodes:
        episode["start_position"][2] = 1.2
    file.write_text(json.dumps(episodes))
    begun(user, project)
    record(user)
    stop(user)
    user.wait(lambda: title(user) == "Stopped")
    (take,) = takes(user)
    events = read_recording(file_of(user, take)).events
    sentence = "the floor lies -1.20 m from the height that the episode states"
    assert [(event.kind, event.detail) for event in events] == [("note", sentence)]
    session(user).leave()


def test_participants_see_their_keys_and_not_the_coordinators_messages(coordinator: User) -> None:
    coordinator.window.notices.say("2 takes exported.")
    begin(coordinator, CODE)
    assert coordinator.message() == ""
    words = {label.text() for label in session(coordinator).legend.findChildren(QLabel)}
    assert {"forward", "back", "turn left", "step left", "Q", "step right", "E"} <= words
    session(coordinator).leave()


def test_without_the_keyboard_the_agent_stops_and_the_rows_say_so(recorded: User) -> None:
    recorded.hold("W")
    recorded.wait(lambda: moved_m(recorded) > 0.6)
    QApplication.sendEvent(recorded.window, QEvent(QEvent.Type.WindowDeactivate))
    recorded.settle()
    assert "lost the keyboard" in session(recorded).legend.notice
    there_m = stood_m(recorded)
    assert stood_m(recorded) == pytest.approx(there_m, abs=0.005)
    recorded.release("W")
    recorded.hold("S")
    recorded.wait(lambda: moved_m(recorded) < there_m - 0.3)
    assert session(recorded).legend.notice == ""
    recorded.release("S")
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")
    focus = read_recording(file_of(recorded, takes(recorded)[0])).trajectory.has_focus
    assert focus[0] == 1
    assert focus[-1] == 1
    assert 10 <= int((focus == 0).sum()) <= len(focus) - 10


def test_a_pause_holds_simulated_time(recorded: User) -> None:
    recorded.wait(lambda: time_s(recorded) > 0.2)
    press(recorded, "P")
    assert session(recorded).instruction._state.text().startswith("❚❚ paused")
    press(recorded, "P")
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")
    events = read_recording(file_of(recorded, takes(recorded)[0])).events
    assert [event.kind for event in events] == ["pause", "resume"]


def test_who_is_lost_says_why(recorded: User) -> None:
    press(recorded, "L")
    assert phase(recorded) is TakePhase.PAUSED
    press(recorded, "L")
    assert phase(recorded) is TakePhase.RECORDING
    press(recorded, "L")
    recorded.press("Right", "Return")
    recorded.wait(lambda: title(recorded).startswith("Noted"))
    (take,) = takes(recorded)
    assert take.summary.pause_ns > 0
    first = assignments_of(recorded.project.study, CODE)[0]
    assert (first.state, first.reason) == (AssignmentState.ABANDONED, "I cannot get through")
    assert not take.summary.has_stopped


def test_a_killed_worker_leaves_an_incomplete_take_and_the_same_episode(recorded: User) -> None:
    recorded.hold("W")
    recorded.wait(lambda: saved_rows(recorded) >= 10)
    # The one of this window: other tests may keep engines of their own.
    os.kill(recorded.window.engine._thread._client.process_id, signal.SIGKILL)
    recorded.wait(lambda: title(recorded) == "The recording was interrupted")
    recorded.release("W")
    (take,) = takes(recorded)
    assert not take.summary.is_complete
    assert "physics engine" in take.summary.end_reason
    assert take.summary.rows >= 10
    assert states(recorded)[0] is AssignmentState.IN_PROGRESS
    press(recorded, "Space")
    recorded.wait(lambda: session(recorded).has_next and title(recorded) == "Practice 1 of 1")
    press(recorded, "Space")
    recorded.wait(lambda: phase(recorded) is TakePhase.RECORDING)
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")
    assert [t.summary.is_complete for t in takes(recorded)] == [False, True]


def test_a_take_that_cannot_begin_says_why(participant: User) -> None:
    folder = participant.window.record.desk.takes_folder
    folder.write_text("in the way")
    told: list[str] = []
    participant.window.bench.refused.connect(told.append)
    press(participant, "Space")
    participant.wait(lambda: title(participant) == "The recording could not begin")
    assert str(folder) in session(participant).card.page.text
    assert any(line.startswith("house_1 could not be recorded: ") for line in told), "for later"
    press(participant, "Space")
    participant.wait(lambda: title(participant) == "Practice 1 of 1")
    press(participant, "Space")
    # Trying on without end would help nobody.
    participant.wait(lambda: title(participant) == "The recording cannot begin")
    page = session(participant).card.page
    assert str(folder) in page.text
    assert (page.primary, page.secondary) == ("Leave the session  (Space)", "")
    folder.unlink()
    press(participant, "Space")
    assert not session(participant).is_running
    begin(participant, CODE)
    participant.wait(lambda: title(participant) == "Practice 1 of 1")
    press(participant, "Space")
    participant.wait(lambda: phase(participant) is TakePhase.RECORDING)


def test_samples_that_do_not_reach_the_disk_are_shouted_about(recorded: User) -> None:
    recorded.wait(lambda: time_s(recorded) > 0)
    press(recorded, "P")
    full = RecordingStatus("take.csv", 40, 12, "no space left", 1, 1, is_paused=True)
    recorded.window.engine.recording_changed.emit(full)
    strip = session(recorded).instruction
    assert strip._problem.text() == "⚠ Not saved: 12 samples are not saved yet: no space left"


def test_a_break_is_offered_by_the_rule(user: User, tmp_path: Path) -> None:
    user.open(write_study(tmp_path / "short", break_after=1))
    user.press("Ctrl+3")
    user.wait_for_engine()
    begin(user, CODE)
    press(user, "Space")
    user.wait(lambda: phase(user) is TakePhase.RECORDING)
    stop(user)
    user.wait(lambda: title(user) == "Stopped")
    assert "Time for a break?" in session(user).card.page.text
    press(user, "Space")
    assert title(user) == "Break"
    assert not shows_scene(user)
    assert len(user.project.study.participants[CODE].breaks_utc) == 1
    press(user, "Space")
    assert title(user) == "Episode 1 of 2"
    session(user).leave()


def test_after_leaving_and_reopening_the_same_episode_comes(recorded: User, project: Path) -> None:
    recorded.wait(lambda: time_s(recorded) > 0.3)
    recorded.press("Ctrl+Shift+Esc")
    assert title(recorded) == "Leave the session?"
    recorded.click_widget(session(recorded).card.secondary)
    recorded.wait(lambda: not session(recorded).is_running)
    assert not takes(recorded)[0].summary.is_complete
    recorded.open(project)
    recorded.wait_for_engine()
    begin(recorded, CODE)
    recorded.wait(lambda: session(recorded).has_next)
    assert title(recorded) == "Practice 1 of 1"
    assert "not ended" in session(recorded).card.page.text


def test_a_take_that_the_project_did_not_hear_of_is_adopted(recorded: User, project: Path) -> None:
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")
    press(recorded, "Space")
    session(recorded).leave()
    recorded.document.undo()
    assert not takes(recorded)
    recorded.open(project)
    recorded.wait(lambda: len(takes(recorded)) > 0)
    assert [take.summary.is_complete for take in takes(recorded)] == [True]
    assert states(recorded)[0] is AssignmentState.DONE


def test_consent_is_asked_before_anything_else(coordinator: User) -> None:
    begin(coordinator, NEWCOMER)
    assert title(coordinator) == "Do you agree to take part?"
    assert session(coordinator).card.page.long_text == "I agree to be recorded."
    assert not shows_scene(coordinator), "the house from outside tells of the ways in it"
    press(coordinator, "Space")
    coordinator.wait(lambda: title(coordinator) == "Practice 1 of 1")
    coordinator.wait(lambda: shows_scene(coordinator))
    given = coordinator.project.study.participants[NEWCOMER].consents
    assert [consent.version for consent in given] == [1]
    session(coordinator).leave()


def test_a_participant_has_no_way_to_the_coordinator_but_leaving(participant: User) -> None:
    record = participant.window.record
    participant.press("Ctrl+1", "Ctrl+Shift+P", "Ctrl+Z", "F11", "N")
    assert session(participant).is_running
    assert not record.panel.isVisible()
    assert not record.people.isVisible()
    assert len(participant.project.study.participants) == 2
    assert participant.document.author == CODE
    participant.press("Ctrl+Shift+Esc")
    assert record.panel.isVisible()
    assert not session(participant).instruction.isVisible()
    assert participant.document.author == participant.window.bench.annotator


def test_a_new_participant_has_episodes_and_an_ended_one_can_come_again(recorded: User) -> None:
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")
    recorded.press("Ctrl+Shift+Esc")
    record = recorded.window.record
    record.episodes.set_selected(["-1"])
    record.refresh()
    record.panel.reason.setText("the door was stuck")
    recorded.click_widget(recorded.find(QPushButton, "Queue the chosen episode again"))
    assert states(recorded)[0] is AssignmentState.REQUEUED
    recorded.press("N")
    joined = list(recorded.project.study.participants)[-1]
    assert record.code == joined
    assert len(states(recorded, joined)) == 3


def test_a_study_is_made_from_a_file_and_exported(user: User, project: Path) -> None:
    user.open(write_house(project.parent / "other"))
    user.press("Ctrl+3")
    assert user.window.stage.empty._title.text() == "Begin with a study"
    user.click_widget(user.find(QPushButton, root=user.window.stage.empty))
    dialog = user.window.findChild(NewStudyDialog)
    dialog.path.setText(str(project.parent / "episodes.json"))
    assert not dialog.make.isEnabled()
    dialog.consent.setPlainText("I agree.")
    dialog.count.setValue(2)
    dialog.make.click()
    user.wait(user.window.record.has_study)
    study = user.project.study
    assert [episode.is_training for episode in study.episodes.values()] == [True, False, False]
    assert user.window.stage.empty._title.text() == "Add the first participant"
    user.click_widget(user.find(QPushButton, "Add a participant"))
    assert len(study.participants) == 0
    assert len(user.project.study.assignments) == 3
    out = project.parent / "out"
    user.window.record.files.export(ExportSettings(str(out), (), 0))
    user.wait(lambda: "0 takes exported" in user.message())
    assert (out / "manifest.json").is_file()


def test_closing_the_window_keeps_the_take_as_incomplete(recorded: User) -> None:
    recorded.wait(lambda: saved_rows(recorded) >= 10)
    folder = recorded.window.record.desk.takes_folder
    assert not recorded.window.close()
    assert title(recorded) == "Close the window?"
    recorded.click_widget(session(recorded).card.secondary)
    recorded.wait(lambda: not recorded.window.isVisible())
    assert recorded.window.engine.shutdown()
    (file,) = folder.glob("*.csv")
    recording = read_recording(file)
    assert recording.is_complete is False
    assert len(recording.trajectory) >= 10


@pytest.mark.parametrize("larger_percent", [0, 100])
def test_no_text_is_cut_at_any_scale(coordinator: User, larger_percent: int) -> None:
    window = coordinator.window
    window.preferences.scale_text(larger_percent)
    window.record.people.set_selected([NEWCOMER])
    window.record.refresh()
    coordinator.wait(lambda: cut_texts(window) == [])
    begin(coordinator, NEWCOMER)
    show_on_small_screen(coordinator)
    coordinator.wait(lambda: cut_texts(window) == [])
    press(coordinator, "Space")
    coordinator.wait(lambda: cut_texts(window) == [])
    press(coordinator, "Space")
    coordinator.wait(lambda: phase(coordinator) is TakePhase.RECORDING)
    coordinator.wait(lambda: cut_texts(window) == [])
    press(coordinator, "L")
    coordinator.wait(lambda: cut_texts(window) == [])
    press(coordinator, "L")
    stop(coordinator)
    coordinator.wait(lambda: title(coordinator) == "Stopped")
    coordinator.wait(lambda: cut_texts(window) == [])
    assert (window.width(), window.height()) == (1280, 720)
    session(coordinator).leave()


def test_buttons_of_the_card_are_as_large_as_its_text_from_the_start(
    tmp_path: Path, qtbot: QtBot, no_leaks: None
) -> None:
    config = tmp_path / "config"
    config.mkdir()
    (config / "settings.toml").write_text("text_scale_percent = 200\n")
    with opened_window(config, tmp_path / "data") as window:
        window.resize(1280, 720)
        window.show()
        card = window.record.session.card
        card.show_page(CardPage("Break", "Come back.", primary="Go on", secondary="Leave"))
        sizes = {part.font().pixelSize() for part in (card.primary, card.secondary)}
        assert sizes == {2 * BASE_TEXT_PX}
        assert card.primary.font().weight() == QFont.Weight.DemiBold
        text_px = card.primary.fontMetrics().horizontalAdvance("Go on")
        assert card.primary.sizeHint().width() > text_px + 2 * 8
        card.put_away()
    apply_theme(make_application(), "dark")
