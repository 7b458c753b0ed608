"""Looking around and driving with a game controller in a take, in the real window."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from cut_text import cut_texts
from gui.participants import (
    begun,
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
from gui.studies import write_study
from gui.user import LEFT, NO_KEY, User
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from virtual_pad import VirtualPad, virtual_pad

from waypost.app.record.take_recorder import TakeHalt, TakePhase
from waypost.domain.record.recording import Recording
from waypost.io.recordings.read_recording import read_recording
from waypost.viewers.scene.camera import TURN_RAD_PER_PX, FirstPersonCamera

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


def shown_pitch_rad(user: User) -> float:
    camera = user.view.camera
    assert isinstance(camera, FirstPersonCamera)
    return camera.pitch_rad


def legend(user: User) -> str:
    labels = session(user).legend.findChildren(QLabel)
    return " · ".join(label.text() for label in labels if label.isVisible())


def stopped(user: User) -> Recording:
    stop(user)
    user.wait(lambda: title(user) == "Stopped")
    (take,) = user.project.study.takes.values()
    return read_recording(user.window.record.desk.root / take.path)


@pytest.fixture
def looker(user: User, tmp_path: Path) -> Iterator[User]:
    """Recorded in a study whose participants may look up and down."""
    begun(user, write_study(tmp_path / "house", can_look=True))
    record(user)
    yield user
    session(user).leave()


@pytest.fixture
def participant(user: User, tmp_path: Path) -> Iterator[User]:
    """About to drive in a study with a level gaze."""
    yield begun(user, write_study(tmp_path / "house"))
    session(user).leave()


@pytest.fixture
def pad(participant: User) -> Iterator[VirtualPad]:
    def wait(condition: Callable[[], bool]) -> None:
        participant.wait(condition)

    with virtual_pad(wait) as pad:
        pad.plug()
        participant.wait(lambda: session(participant).gamepad.is_plugged)
        yield pad


def push(user: User, pad: VirtualPad, name: str) -> None:
    """Press a button and let it go, as slowly as a person does."""
    gamepad = session(user).gamepad
    pad.press(name)
    user.wait(lambda: name in gamepad._reading.held)
    pad.press(name, is_down=False)
    user.wait(lambda: name not in gamepad._reading.held)


def drag(user: User, dy_px: int) -> None:
    handle = user.window.windowHandle()
    start = user.view.mapTo(user.window, user.view.rect().center())
    QTest.mousePress(handle, LEFT, NO_KEY, start)
    for number in range(1, 5):
        QTest.mouseMove(handle, start + QPoint(40, dy_px * number // 4))
        user.settle()
    QTest.mouseRelease(handle, LEFT, NO_KEY, start + QPoint(40, dy_px))
    user.settle()


def test_keys_look_up_and_the_view_and_every_sample_have_that_gaze(looker: User) -> None:
    assert "look up" in legend(looker)
    looker.hold("R")
    looker.wait(lambda: shown_pitch_rad(looker) > 0.3)
    looker.release("R")
    looker.hold("PgDown")
    looker.wait(lambda: shown_pitch_rad(looker) < 0.2)
    looker.release("PgDown")
    recording = stopped(looker)
    samples = recording.trajectory
    assert recording.header["rules"]["can_look"] is True
    assert samples.camera_pitches_rad[0] == 0.0
    assert samples.camera_pitches_rad.max() > 0.29
    # How far the gaze went on before the key was let go is up to the machine.
    assert -math.radians(60) <= samples.camera_pitches_rad[-1] < 0.2
    assert np.abs(np.diff(samples.camera_pitches_rad)).max() <= math.radians(45) * 0.05 + 1e-9
    assert np.ptp(samples.yaws_rad) < 1e-9


def test_a_drag_moves_the_gaze_and_never_the_body(looker: User) -> None:
    drag(looker, -60)
    looker.wait(lambda: shown_pitch_rad(looker) == pytest.approx(60 * TURN_RAD_PER_PX))
    drag(looker, 290)
    looker.wait(lambda: shown_pitch_rad(looker) == pytest.approx(-math.radians(60)))
    samples = stopped(looker).trajectory
    assert samples.camera_pitches_rad[-1] == pytest.approx(-math.radians(60))
    assert np.ptp(samples.yaws_rad) < 1e-9
    assert np.ptp(samples.positions_m, axis=0) == pytest.approx([0, 0, 0], abs=0.01)


def test_the_gaze_stays_through_a_pause(looker: User) -> None:
    looker.hold("R")
    looker.wait(lambda: shown_pitch_rad(looker) > 0.1)
    press(looker, "P")
    # What the window has seen so far may be older than what the engine has heard.
    looker.wait(lambda: session(looker).recorder._status.is_paused)
    pitch_rad = shown_pitch_rad(looker)
    drag(looker, -100)
    press(looker, "P")
    looker.wait(lambda: phase(looker) is TakePhase.RECORDING)
    begin_ns = session(looker).recorder.time_ns
    looker.wait(lambda: session(looker).recorder.time_ns > begin_ns + 200_000_000)
    assert shown_pitch_rad(looker) == pytest.approx(pitch_rad, abs=0.05)
    looker.release("R")


def test_a_level_gaze_is_the_default(participant: User) -> None:
    record(participant)
    assert "look up" not in legend(participant)
    participant.hold("R")
    drag(participant, -100)
    stood_m(participant)
    participant.release("R")
    recording = stopped(participant)
    assert recording.header["rules"]["can_look"] is False
    assert set(recording.trajectory.camera_pitches_rad.tolist()) == {0.0}


def test_a_take_with_the_controller_alone(participant: User, pad: VirtualPad) -> None:
    assert "Left stick" in legend(participant)

    push(participant, pad, "A")
    participant.wait(lambda: phase(participant) is TakePhase.RECORDING)
    pad.tilt(left_y=0.6)
    participant.wait(lambda: moved_m(participant) > 0.5)
    pad.tilt(left_y=0.0, right_x=-1.0)
    participant.wait(lambda: participant.view.camera.yaw_rad > math.pi / 2 + 0.3)
    pad.tilt(right_x=0.0)
    push(participant, pad, "Start")
    participant.wait(lambda: phase(participant) is TakePhase.PAUSED)
    push(participant, pad, "Start")
    participant.wait(lambda: phase(participant) is TakePhase.RECORDING)
    push(participant, pad, "B")
    participant.wait(lambda: session(participant).stopping.can_be_answered)
    push(participant, pad, "B")
    participant.wait(lambda: title(participant) == "Stopped")
    (take,) = participant.project.study.takes.values()
    recording = read_recording(participant.window.record.desk.root / take.path)
    samples = recording.trajectory
    assert recording.is_complete
    top_mps = participant.project.agents["human"].top_speed_mps
    # Beyond the dead zone the stick counts from 0: (0.6 − 0.15) / 0.85 of the way, in steps of 2 %.
    assert samples.speeds_mps.max() == pytest.approx(0.52 * top_mps, rel=0.02)
    assert {"forward", "turn_left", "idle"} <= set(samples.actions)
    push(participant, pad, "A")
    participant.wait(lambda: title(participant) == "Episode 1 of 2")


def test_who_is_lost_says_why_by_the_controller(participant: User, pad: VirtualPad) -> None:

    push(participant, pad, "A")
    participant.wait(lambda: phase(participant) is TakePhase.RECORDING)
    push(participant, pad, "Y")
    assert participant.find(QPushButton, "I am lost").hasFocus()
    push(participant, pad, "Right")
    push(participant, pad, "A")
    participant.wait(lambda: title(participant).startswith("Noted"))
    (take,) = participant.project.study.takes.values()
    assert take.summary.end_reason == "I cannot get through"


def test_unplugged_while_driving_the_agent_stops_at_once(
    participant: User, pad: VirtualPad
) -> None:
    record(participant)
    pad.tilt(left_y=1.0)
    participant.wait(lambda: moved_m(participant) > 0.6)
    pad.unplug()
    recorder = session(participant).recorder
    participant.wait(lambda: recorder.halt is TakeHalt.PAD)
    assert "controller was unplugged" in session(participant).legend.notice
    assert "Left stick" not in legend(participant)
    stood_m(participant)
    participant.hold("S")
    participant.wait(lambda: recorder.halt is None)
    participant.release("S")
    recording = stopped(participant)
    samples = recording.trajectory
    (event,) = recording.events
    assert (event.kind, event.detail) == (
        "note",
        "the game controller was unplugged: Virtual Controller",
    )
    lost = np.flatnonzero(samples.has_focus == 0)
    assert len(lost) >= 6
    assert samples.speeds_mps[lost[0] - 1] > 0.5
    # From one sample to the next, without braking.
    assert (samples.speeds_mps[lost[:-1]] == 0).all()


def test_a_stick_held_through_a_pause_or_a_lost_focus_has_to_be_let_go(
    participant: User, pad: VirtualPad
) -> None:
    record(participant)
    pad.tilt(left_y=1.0)
    participant.wait(lambda: moved_m(participant) > 0.2)
    QApplication.sendEvent(participant.window, QEvent(QEvent.Type.WindowDeactivate))
    participant.settle()
    there_m = stood_m(participant)
    pad.tilt(left_y=0.9)
    participant.wait(lambda: 0.85 < session(participant).gamepad.state.left_y < 1.0)
    assert stood_m(participant) == pytest.approx(there_m, abs=0.005)
    pad.tilt(left_y=0.0)
    participant.wait(lambda: session(participant).gamepad.state.is_at_rest)
    pad.tilt(left_y=-1.0)
    participant.wait(lambda: moved_m(participant) < there_m - 0.1)
    pad.tilt(left_y=0.0)


def test_no_text_is_cut_with_a_controller(user: User, tmp_path: Path) -> None:
    begun(user, write_study(tmp_path / "house", can_look=True))
    with virtual_pad(user.wait) as pad:
        pad.plug()
        user.wait(lambda: session(user).gamepad.is_plugged)
        show_on_small_screen(user)
        record(user)
        for _ in range(2):
            user.wait(lambda: cut_texts(user.window) == [])
            assert (user.window.width(), user.window.height()) == (1280, 720)
            user.window.preferences.scale_text(100)
        session(user).leave()
