"""Driving with the real physics engine in the real window."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gui.user import User
from label_panels import can_replay, measured
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.domain.base.frames import Vec3
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import move_nodes
from waypost.domain.traverse.passage_drive import DrivenBy, unpack_track
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.engine.driven_engine import EngineState
from waypost.store.project_store import ProjectStore
from waypost.widgets.parts import STAYS_IN_VIEW

pytestmark = [pytest.mark.gui, pytest.mark.conformance]

HALL_TO_DOOR = Passage("node_1", "node_2", "wheelchair")


@pytest.fixture
def driver_user(at_house: User) -> User:
    """Before the passage from hall to door, with the engine ready."""
    at_house.press("Ctrl+2")
    at_house.window.bench.choose_agent("wheelchair")
    at_house.window.traverse.go_to_passage(HALL_TO_DOOR)
    at_house.wait_for_engine()
    return at_house


@pytest.fixture
def driving(driver_user: User) -> Iterator[User]:
    """A wheelchair stands in the hall under the keys."""
    driver_user.press("D")
    driver_user.wait(lambda: driver_user.window.traverse.driver.pose is not None)
    yield driver_user
    driver_user.window.traverse.driver.stop()


def driven_m(user: User) -> float:
    """How far ahead of the start it is: what it has passed stays passed, however late one looks."""
    pose = user.window.traverse.driver.pose
    assert pose is not None
    return pose[0][0] + 2.5


def speed_mps(user: User) -> float:
    return user.window.traverse.driver._hud_values.speed_mps


def is_driving(user: User) -> bool:
    return user.window.traverse.driver.is_driving


def test_held_keys_drive_and_released_keys_stop(driving: User) -> None:
    driving.hold("W")
    driving.wait(lambda: driven_m(driving) > 0.4)
    driving.release("W")
    driving.wait(lambda: speed_mps(driving) < 0.01)
    stopped = driven_m(driving)
    driving.hold("S")
    driving.wait(lambda: driven_m(driving) < stopped - 0.1)
    driving.release("S")
    driving.press("Esc")
    assert not is_driving(driving)
    assert can_replay(driving.find(LabelPanel))


def send(user: User, kind: QEvent.Type, *, is_repeat: bool) -> None:
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(user.view, QKeyEvent(kind, Qt.Key.Key_W, none, "w", is_repeat))


def in_window(part: QWidget) -> QRect:
    return QRect(part.mapTo(part.window(), part.rect().topLeft()), part.size())


@pytest.mark.parametrize(("agent", "steps_aside"), [("wheelchair", False), ("human", True)])
def test_legend_names_the_keys_of_the_agent(
    driver_user: User, agent: str, *, steps_aside: bool
) -> None:
    window = driver_user.window
    window.bench.choose_agent(agent)
    window.traverse.go_to_passage(Passage("node_1", "node_2", agent))
    driver_user.press("D")
    driver_user.wait(lambda: window.traverse.driver.pose is not None)
    labels = [part for part in window.stage.view.findChildren(QLabel) if part.isVisible()]
    words = {part.text() for part in labels}
    assert {"W", "forward", "A", "turn left"} <= words
    assert ({"Q", "step left", "E", "step right"} <= words) is steps_aside
    assert ("step left" in words) is steps_aside
    progress = window.notices.progress
    progress.show_progress("Measuring", 9, 100)
    driver_user.wait(progress.isVisible)
    kept = [w for w in window.stage.view.findChildren(QWidget) if w.property(STAYS_IN_VIEW)]
    assert [part.isVisible() for part in kept] == [True, True]
    driver_user.settle()
    assert not any(in_window(progress).intersects(in_window(part)) for part in kept)
    progress.finish()
    window.traverse.driver.stop()


def test_auto_repeat_does_not_matter(driving: User) -> None:
    driving.hold("W")
    driving.wait(lambda: speed_mps(driving) > 0.3)
    for _ in range(5):
        send(driving, QEvent.Type.KeyRelease, is_repeat=True)
        send(driving, QEvent.Type.KeyPress, is_repeat=True)
    held = driven_m(driving)
    driving.wait(lambda: driven_m(driving) > held + 0.2)
    driving.release("W")
    for _ in range(3):
        send(driving, QEvent.Type.KeyPress, is_repeat=True)
    driving.wait(lambda: speed_mps(driving) < 0.01)


def test_the_agent_stops_when_the_window_loses_the_keyboard(driving: User) -> None:
    hud = driving.window.traverse.driver.hud
    driving.hold("W")
    driving.wait(lambda: speed_mps(driving) > 0.3)
    other = QWidget()
    other.show()
    other.activateWindow()
    driving.wait(lambda: "lost the keyboard" in hud.notice)
    driving.wait(lambda: speed_mps(driving) < 0.01)
    assert is_driving(driving)
    other.close()
    other.deleteLater()
    driving.take_keyboard()
    driving.release("W")  # held all the time: it counts a moment after its release, others at once
    driving.hold("Up")
    driving.wait(lambda: speed_mps(driving) > 0.3)
    assert hud.notice == ""
    driving.release("Up")


def test_an_answer_button_ends_a_drive_as_its_key_does(driving: User) -> None:
    panel = driving.find(LabelPanel)
    buttons = panel.findChildren(QPushButton)
    working = {made.accessibleName() for made in buttons if made.isEnabled()}
    assert working == {"Travels, key Y", "Does not, key N", "Uncertain, key U"}
    driving.click_widget(driving.find(QPushButton, "Travels, key Y", panel))
    assert not is_driving(driving)
    label = driving.project.labels[HALL_TO_DOOR]
    assert (label.verdict, label.provenance.engine != "") == (Verdict.TRAVELS, True)
    assert driving.find(QPushButton, "Drive, key D", panel).isEnabled()


def test_no_key_but_an_answer_is_a_command_while_driving(driving: User) -> None:
    before, passage = driving.project, driving.window.traverse.current
    driving.press("T", "O", "G", "F", "R", "L", "Del", "Space", "Backspace", ".")
    driving.press("Ctrl+Z", "Ctrl+1", "Ctrl+K", "Ctrl+Shift+P", "Alt+Down", "PgUp", "4", "0")
    driving.press("Return", "M", "Ctrl+A", "P", "Q")
    assert driving.project is before
    assert driving.window.traverse.current == passage
    assert is_driving(driving)
    assert str(driving.view.camera_mode) == "chase"
    driving.press("Esc", "Y")
    assert passage in driving.project.labels


@pytest.mark.parametrize(("digit", "mode"), [("2", "first_person"), ("3", "top"), ("1", "chase")])
def test_digits_choose_the_camera_while_driving(driving: User, digit: str, mode: str) -> None:
    driving.press("2" if digit != "2" else "3", digit)
    assert str(driving.view.camera_mode) == mode
    assert is_driving(driving)
    driving.press("Esc")
    assert str(driving.view.camera_mode) == "top"


def test_the_body_is_not_in_the_way_of_its_eyes(driving: User) -> None:
    driving.press("2")
    driving.hold("A")
    driving.wait(lambda: not driving.view._layers["agent"].meshes)
    driving.release("A")
    driving.press("1")
    driving.hold("A")
    driving.wait(lambda: driving.view._layers["agent"].meshes)
    driving.release("A")


def kill_engine(user: User) -> None:
    # The one of this window: other tests may keep engines of their own.
    os.kill(user.window.engine._thread._client.process_id, signal.SIGKILL)
    user.wait(lambda: user.window.engine.state is EngineState.FAILED)


def test_a_killed_engine_is_said_and_restarted_and_nothing_else_is_touched(driving: User) -> None:
    before: Project = driving.project
    hud = driving.window.traverse.driver.hud
    driving.hold("W")
    driving.wait(lambda: driven_m(driving) > 0.2)
    kill_engine(driving)
    driving.release("W")
    driving.wait(lambda: hud.failure)
    assert not is_driving(driving)
    # What was seen until then is kept as evidence.
    assert replace(driving.project, drives=before.drives) == before
    driving.press("U")
    assert len(driving.project.labels) == 1
    driving.window.traverse.go_to_passage(HALL_TO_DOOR)
    driving.click_widget(driving.find(QPushButton, "Restart the engine"))
    driving.wait_for_engine()
    driving.wait(lambda: not hud.failure)
    driving.press("D")
    driving.wait(lambda: is_driving(driving) and driving.window.traverse.driver.pose is not None)
    driving.hold("W")
    driving.wait(lambda: driven_m(driving) > 0.2)
    # The engine that is started anew, or another one in its place, has no agent in it.
    driving.window._status.engine_clicked.emit()
    driving.wait(lambda: not is_driving(driving))
    driving.release("W")
    assert "is started anew, so the drive has ended" in driving.message()
    driving.wait_for_engine()
    driving.press("D")
    driving.wait(lambda: is_driving(driving) and speed_mps(driving) < 0.01)


def test_an_engine_killed_at_rest_is_noticed(driver_user: User) -> None:
    kill_engine(driver_user)
    driver_user.wait(lambda: driver_user.window.traverse.driver.hud.failure)
    driver_user.press("Ctrl+1")
    assert driver_user.window.traverse.driver.hud.failure == ""
    driver_user.press("Ctrl+2")
    assert driver_user.window.traverse.driver.hud.failure != ""


def test_it_drives_itself_and_tells_what_it_met(driver_user: User) -> None:
    driver_user.press("Shift+D")
    driver_user.wait(lambda: measured(driver_user.find(LabelPanel), "reached") == "yes")
    assert driver_user.project.labels == {}
    assert str(driver_user.view.camera_mode) == "top"
    driver_user.press("Y")
    label = driver_user.project.labels[HALL_TO_DOOR]
    assert label.provenance.engine == "physx"
    assert label.provenance.mover_hash != ""


def test_an_answer_while_it_drives_itself_ends_the_drive_and_counts(
    driver_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It stands as long as nobody ends the drive, however quick the engine is.
    monkeypatch.setattr(driver_user.window.engine, "drive_to", lambda _target_m: None)
    panel = driver_user.find(LabelPanel)
    for key, verdict in (("U", Verdict.UNCERTAIN), ("Y", Verdict.TRAVELS)):
        driver_user.window.traverse.go_to_passage(HALL_TO_DOOR)
        driver_user.press("Shift+D")
        assert is_driving(driver_user)
        driver_user.press("W", "O", "Space", ".")
        assert is_driving(driver_user)
        driver_user.wait(lambda: driver_user.window.traverse.driver.pose)
        driver_user.press(key)
        assert not is_driving(driver_user)
        assert driver_user.project.drives[HALL_TO_DOOR].driven_by is DrivenBy.ITSELF
        assert driver_user.project.labels[HALL_TO_DOOR].verdict is verdict
    driver_user.window.traverse.go_to_passage(HALL_TO_DOOR)
    driver_user.press("Shift+D", "N")
    assert not is_driving(driver_user)
    assert panel._draft.is_asking_reason
    driver_user.press("Esc")
    assert driver_user.project.labels[HALL_TO_DOOR].verdict is Verdict.TRAVELS


def test_a_drive_is_shown_again(driver_user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    driver_user.press("Shift+D")
    driver_user.wait(lambda: can_replay(driver_user.find(LabelPanel)))
    traverse = driver_user.window.traverse
    kept = driver_user.document.store.attachment(driver_user.project.drives[HALL_TO_DOOR].track)
    assert kept is not None
    track = unpack_track(kept)
    assert len(track) > 1
    shown: list[tuple[Vec3, float]] = []
    draw_agent = traverse.driver._draw_agent

    def see(floor_m: Vec3, yaw_rad: float) -> None:
        before = driver_user.view._layers["agent"]
        draw_agent(floor_m, yaw_rad)
        assert driver_user.view._layers["agent"] is not before
        shown.append((floor_m, yaw_rad))

    monkeypatch.setattr(traverse.driver, "_draw_agent", see)
    driver_user.press("R")
    driver_user.wait(lambda: shown and not traverse.driver.is_replaying)
    assert tuple(shown) == track
    assert driver_user.project.labels == {}


def test_a_drive_that_begins_is_not_ended_by_one_that_was_to_be_shown(driver_user: User) -> None:
    driver_user.press("Shift+D")
    driver_user.wait(lambda: measured(driver_user.find(LabelPanel), "reached") == "yes")
    driver_user.press_at_once("R", "D")
    driver_user.wait(lambda: is_driving(driver_user))
    driver_user.settle()
    assert is_driving(driver_user)
    assert not driver_user.window.traverse.driver.is_replaying


def test_what_a_drive_showed_is_there_after_reopening(driver_user: User, house: Path) -> None:
    driver_user.press("Shift+D")
    driver_user.wait(lambda: measured(driver_user.find(LabelPanel), "reached") == "yes")
    drive = driver_user.project.drives[HALL_TO_DOOR]
    assert (drive.driven_by, drive.has_reached) == (DrivenBy.ITSELF, True)
    assert drive.author == driver_user.window.bench.annotator
    assert not driver_user.document.undo_stack.canUndo()
    before = driver_user.document
    driver_user.window.bench.open_path(house)
    driver_user.wait(lambda: driver_user.document is not before)
    driver_user.wait(lambda: driver_user.window.bench.scene)
    assert driver_user.project.drives == {HALL_TO_DOOR: drive}
    driver_user.window.bench.choose_agent("wheelchair")
    driver_user.window.traverse.go_to_passage(HALL_TO_DOOR)
    panel = driver_user.find(LabelPanel)
    driver_user.wait(lambda: measured(panel, "reached") == "yes")
    assert can_replay(panel)
    # The agent of the passage before gives way to that of this one, which stands at its start.
    for passage in (Passage("node_3", "node_4", "wheelchair"), HALL_TO_DOOR):
        driver_user.window.traverse.go_to_passage(passage)
    drawn = driver_user.view._layers["agent"].meshes[0].vertices
    assert drawn[:, 0].min() < -2.5 < drawn[:, 0].max()
    # A node that moves away takes the evidence with it.
    nodes = driver_user.project.graph.nodes
    x, y, z = nodes["node_2"].position_m
    graph = move_nodes(driver_user.project.graph, {"node_2": (x, y + 0.2, z)})
    driver_user.document.edit("Move", set_graph(driver_user.project, graph))
    driver_user.wait(lambda: not can_replay(panel))
    driver_user.document.undo()
    driver_user.wait(lambda: can_replay(panel))


def test_on_reaching_the_target_the_display_says_so_and_stays(driving: User) -> None:
    driver = driving.window.traverse.driver
    driving.hold("W")
    driving.wait(lambda: driver._record.has_reached)
    frozen = driver._hud_values
    said = [p.text() for p in driving.view.findChildren(QLabel) if p.isVisible()]
    assert "✓ reached; measuring has stopped" in said
    here_m = driven_m(driving)
    driving.wait(lambda: driven_m(driving) > here_m + 0.05 or speed_mps(driving) < 0.01)
    driving.release("W")
    assert driver._hud_values is frozen
    driving.press("Esc")
    drive = driving.project.drives[HALL_TO_DOOR]
    assert (drive.driven_by, drive.has_reached) == (DrivenBy.HAND, True)
    # One that is ended before anything moved takes no other's place.
    driving.press("D")
    driving.wait(lambda: driver.is_driving and driver._poses)
    driving.press("Esc")
    assert driving.project.drives[HALL_TO_DOOR] is drive


def test_a_drive_is_no_evidence_of_a_project_opened_meanwhile(
    driving: User, tmp_path: Path
) -> None:
    """The other project has the same passage, of the same agent."""
    other = tmp_path / "other.waypost"
    ProjectStore.create(other, replace(driving.project, name="Other"), "ana").close()
    driving.hold("W")
    driving.wait(lambda: driven_m(driving) > 0.2)
    driving.window.bench.open_path(other)
    driving.wait(lambda: driving.project.name == "Other" and not is_driving(driving))
    driving.release("W")
    assert driving.project.drives == {}


def test_a_drive_is_evidence_of_the_scene_that_it_was_driven_in(driving: User) -> None:
    """Another one was read meanwhile, because the project says otherwise of its scene."""
    before = driving.window.bench.scene_hash
    driving.hold("W")
    driving.wait(lambda: driven_m(driving) > 0.2)
    corrected = replace(driving.project, scene_metres_per_unit=2.0)
    driving.document.edit("Correct the scene", corrected)
    driving.wait(lambda: driving.window.bench.scene_hash != before and not is_driving(driving))
    driving.release("W")
    (drive,) = driving.project.drives.values()
    assert drive.provenance.scene_hash == before
    assert not can_replay(driving.find(LabelPanel))
