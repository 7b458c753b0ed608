"""Frames of a camera, drawn by the fake of Isaac Sim, while driving, in a study and at replay."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gui.participants import begun, phase, press, record, session, stop, title
from gui.runs import open_episode, wait_for_rows
from gui.studies import write_study
from gui.user import User
from PySide6.QtWidgets import QWidget
from simulators.engines import PYTHON_WITH_FAKE_ISAAC

from waypost.app.record.take_recorder import TakePhase
from waypost.app.replay.desk import PEOPLE
from waypost.app.shell.camera.camera_card import CameraCard
from waypost.domain.record.take_rules import Feedback, TakeRules
from waypost.domain.traverse.traversability import Passage
from waypost.io.picture_sources.take_frames import TakeFrames
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import frames_folder, time_of_frame
from waypost.io.recordings.take_records import read_records, records_path
from waypost.simulators.camera_feed import CameraFrame

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


def look_through_isaac(user: User, **changes) -> None:
    """Have colours drawn by Isaac Sim's fake, whichever engine drives."""
    bench = user.window.bench
    bench.change_settings(
        replace(
            bench.settings,
            engine_pythons={"isaac": str(PYTHON_WITH_FAKE_ISAAC)},
            camera_shows="colours",
            camera_width_px=32,
            camera_height_px=24,
            **changes,
        )
    )


def test_frames_are_shown_with_their_time_while_an_agent_is_driven(window, user, house):
    bench = window.bench
    look_through_isaac(user)
    user.open(house)
    user.press("Ctrl+2")
    bench.choose_agent("wheelchair")
    window.traverse.go_to_passage(Passage("node_1", "node_2", "wheelchair"))
    user.wait_for_engine()
    card = window.traverse.camera.card
    assert not card.isVisible()
    user.press("D")
    user.wait(card.isVisible)
    assert "s · colours" in card.caption.text()
    assert card.picture.pixmap().width() == pytest.approx(260, abs=60)
    assert not card.geometry().intersects(window.stage.slider.geometry())
    assert card.geometry().left() > 0
    before = card.caption.text()
    user.hold("W")
    user.wait(lambda: card.caption.text() != before)
    user.release("W")
    end_the_camera(user)
    # The last frame would look like what the agent sees now.
    user.wait(lambda: not card.isVisible())
    window.engine.camera.try_again()
    user.hold("W")
    user.wait(card.isVisible)
    user.release("W")
    user.press("Esc")
    assert not card.isVisible()


def end_the_camera(user: User) -> None:
    """Let the worker that draws die, and have another frame asked of it."""
    user.window.engine.camera._thread.kill_worker()
    user.hold("A")
    user.wait(lambda: user.window.engine.camera.problem)
    user.release("A")


def test_a_participant_sees_frames_and_they_are_kept_with_the_take_and_shown_at_replay(
    user: User, tmp_path: Path
) -> None:
    rules = TakeRules(Feedback.NONE, questions=(), shows_frames=True)
    look_through_isaac(user, frames_kept_mb=1)
    begun(user, write_study(tmp_path / "house", rules=rules))
    card = session(user).camera.card
    # Practice, which no replay counts.
    record(user)
    user.wait(card.isVisible)
    end_the_camera(user)
    assert not card.isVisible()
    stop(user)
    user.wait(lambda: title(user) == "Stopped")
    (practice,) = user.window.record.desk.takes_folder.glob("**/*_take001.csv")
    (note,) = read_records(records_path(practice)).events
    ended = "the camera has ended: there are no frames from here on"
    assert (note.kind, note.detail) == ("note", ended)
    user.window.engine.camera.try_again()
    press(user, "Space")
    user.wait(lambda: title(user) != "Stopped" and session(user).has_next)
    record(user)
    user.wait(card.isVisible)
    user.hold("W")
    kept = frames_folder(Path(session(user).recorder._status.file))
    user.wait(lambda: len(list(kept.glob("*.jpg"))) >= 3)
    user.release("W")
    stop(user)
    user.wait(lambda: phase(user) is TakePhase.IDLE)
    assert not card.isVisible()
    user.wait(lambda: len(user.project.study.takes) == 2)
    take = list(user.project.study.takes.values())[-1]
    file = user.window.record.desk.root / take.path
    recording = read_recording(file)
    # Samples are as they are without a camera: one every 50 ms, and no mark.
    assert recording.is_complete
    assert {later - t for t, later in pairwise(recording.trajectory.times_ns.tolist())} == {
        50_000_000
    }
    assert (recording.marks, recording.notes) == ((), ())
    assert recording.header["rules"]["shows_frames"] is True
    named = [time_of_frame(path.name) for path in frames_folder(file).iterdir()]
    times_ns = sorted(named_as[0] for named_as in named if named_as is not None)
    assert times_ns[0] >= 0
    assert times_ns[-1] <= recording.trajectory.times_ns[-1] + 50_000_000
    frames = TakeFrames(frames_folder(file))
    assert frames.latest(times_ns[1] + 1) == times_ns[1]
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    _see_at_replay(user, take.key.episode_id, times_ns)


def _see_at_replay(user: User, episode_id: str, times_ns: list[int]) -> None:
    user.press("Ctrl+5")
    replay = user.window.replay
    user.settle()
    replay.show_runs([PEOPLE])
    wait_for_rows(user, replay, PEOPLE)
    open_episode(user, episode_id)
    strip = replay.views.strip
    times_s = replay.views.cursor.replay.times_s
    last = times_ns[-1] / 1e9
    replay.views.cursor.move_to(int(np.searchsorted(times_s, last)) + 1)
    # Nothing of it is kept: the engine draws it again from the pose of the step.
    user.press("5")
    card = replay.scene.camera.card
    user.wait(card.isVisible)
    shown_s = times_s[replay.views.cursor.step]
    user.wait(lambda: card.caption.text() == f"{shown_s:.1f} s · colours")
    user.press("3")
    assert not card.isVisible()
    user.wait(lambda: f"at {last:.2f} s" in strip._caption.accessibleName())


def test_near_is_bright_in_a_picture_of_depth_and_a_small_stage_shows_none(qtbot):
    stage, slider = QWidget(), QWidget()
    for widget in (stage, slider):
        qtbot.addWidget(widget)
    stage.resize(900, 600)
    card = CameraCard(stage, slider)
    depth_m = np.array([[0.0, 5.0, 10.0, math.inf]], np.float32)
    frame = CameraFrame(2_500_000_000, (0.0, 0.0, 0.0), 0.0, 0.0, None, depth_m)
    card.show_frame(frame)
    assert card.caption.text() == "2.5 s · depth, black from 10 m on"
    image = card.picture.pixmap().toImage()
    width, row = image.width(), image.height() // 2
    seen = [image.pixelColor(int(width * share), row).red() for share in (0.02, 0.62, 0.98)]
    assert seen[0] > 240
    assert seen[1] < seen[0]
    assert seen[2] == 0
    stage.resize(240, 180)
    card.show_frame(frame)
    assert card.isHidden()
