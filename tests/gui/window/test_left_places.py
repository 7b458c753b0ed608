"""A project opens where it was left, in another window of another day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from gui.runs import add_run, asked, at_hand, open_episode, write_line
from gui.user import User
from leaks import no_leaks
from pytestqt.qtbot import QtBot

from waypost.app.replay.left_episode import LeftEpisode, left_episode
from waypost.app.shell.stage_look import StageLook, look_from
from waypost.app.window.startup import opened_window
from waypost.viewers.scene.camera import FirstPersonCamera, FlyCamera, TopCamera

__all__ = ["no_leaks"]
pytestmark = pytest.mark.gui

Days = Callable[[], AbstractContextManager[User]]


@pytest.fixture
def days(tmp_path: Path, qtbot: QtBot, no_leaks: None) -> Days:
    """Opens a window of the same user, once after the other."""

    @contextmanager
    def another_day() -> Iterator[User]:
        with opened_window(tmp_path / "config", tmp_path / "data") as made:
            made.resize(1280, 720)
            with qtbot.waitActive(made):
                made.show()
                made.activateWindow()
            yield User(made, qtbot)

    return another_day


def test_workspace_run_episode_step_face_and_page(days: Days, house: Path, tmp_path: Path) -> None:
    with days() as user:
        user.open(house)
        user.press("Ctrl+5")
        first = write_line(tmp_path / "first")
        second = write_line(tmp_path / "second")
        add_run(user, asked(first, "first"))
        add_run(user, asked(second, "second"))
        open_episode(user, "7_1")
        user.press("E", "P", "6")
        is_folded = user.window.replay.views.strip.is_folded
        user.window.replay.views.cursor.move_to(3)
        user.settle()
    with days() as user:
        user.open(house)
        replay = user.window.replay
        user.wait(lambda: at_hand(replay) == ("7_1", 1))
        user.wait(lambda: replay.face == "compare")
        assert user.window.workspaces.current is replay
        assert replay.chosen_runs == ("second",)
        assert replay.views.cursor.step == 3
        assert replay.views.page == "Metrics"
        assert replay.views.strip.chosen_fold is is_folded
        user.press("1")
    with days() as user:
        user.open(house)
        replay = user.window.replay
        user.wait(lambda: at_hand(replay) == ("7_1", 1))
        assert replay.face == "table"
        row = replay.table.model.number_of("7_1")
        assert row is not None
        assert replay.wide_table._view.currentIndex().row() == row


def test_the_camera_and_the_cut(days: Days, house: Path) -> None:
    with days() as user:
        user.open(house)
        user.look_from_above()
        view = user.view
        view.set_camera(TopCamera((1.0, -0.5, 0.0), 4.0), "top")
        user.window.stage.set_cut(1.25)
        camera, cut_z_m = view.camera, view.cut_z
        user.settle()
    with days() as user:
        user.open(house)
        user.wait(lambda: user.view.camera == camera)
        assert str(user.view.camera_mode) == "top"
        assert user.view.cut_z == cut_z_m
        assert user.window.workspaces.shown.scope == "graph"


def test_what_is_gone_is_left_out_and_the_rest_is_found(
    days: Days, house: Path, tmp_path: Path
) -> None:
    with days() as user:
        user.open(house)
        user.press("Ctrl+5")
        name = add_run(user, asked(write_line(tmp_path / "line"), "gpt"))
        open_episode(user, "7_2")
        user.settle()
        user.window.places.keep()
        user.window.replay.desk.remove(name)
        user.window.places._settings.sync()
        kept = user.window.places._kept
        user.settle()
    assert "7_2" in kept
    with days() as user:
        user.open(house)
        user.wait(lambda: user.window.workspaces.shown.scope == "replay")
        user.settle()
        assert at_hand(user.window.replay) is None
        assert user.window.replay.face == "table"


def test_whoever_does_something_else_meanwhile_is_left_alone(
    days: Days, house: Path, tmp_path: Path
) -> None:
    with days() as user:
        user.open(house)
        user.press("Ctrl+5")
        add_run(user, asked(write_line(tmp_path / "line"), "gpt"))
        open_episode(user, "7_2")
    with days() as user:
        bench = user.window.bench
        bench.document_replaced.connect(lambda: user.window.show_workspace("traverse"))
        user.open(house)
        user.settle()
        assert user.window.workspaces.shown.scope == "traverse"


def test_places_of_other_versions_are_no_places() -> None:
    left = LeftEpisode(("gpt",), "7_0", 1, 2, "map", "Step", True)
    assert left_episode(left.values()) == left
    odd = {**left.values(), "is_strip_folded": 1}
    assert left_episode(odd) == replace(left, is_strip_folded=None)
    for broken in (
        {}, {**left.values(), "face": "cinema"}, {**left.values(), "runs": "gpt"},
        {**left.values(), "step": -1}, {**left.values(), "attempt": True},
    ):  # fmt: skip
        assert left_episode(broken) is None
    look = StageLook(FlyCamera((1.0, 2.0, 3.0), 0.5, -0.25), "fly", None)
    values = look.values()
    assert values is not None
    assert look_from({**values, "camera": {**values["camera"], "eye_m": [1.0, 2.0, 3.0]}}) == look
    assert StageLook(FirstPersonCamera((0, 0, 0), 0.0, 1.5), "first_person", None).values() is None
    for broken_look in (
        None, {}, {**values, "mode": "cinema"}, {**values, "cut_z_m": "high"},
        {**values, "camera": {**values["camera"], "yaw_rad": float("nan")}},
        {**values, "camera": {"eye_m": [1, 2]}},
    ):  # fmt: skip
        assert look_from(broken_look) is None


def test_a_workspace_that_was_just_turned_to_is_there_when_the_project_comes_again(
    days: Days, house: Path
) -> None:
    with days() as user:
        user.open(house)
        user.press("Ctrl+1")
        user.window.places.keep()
        user.press("Ctrl+3")
        user.open(house)
        assert user.window.workspaces.current is user.window.record


def test_the_start_page_goes_on_where_labelling_was_left(days: Days, house: Path) -> None:
    with days() as user:
        assert user.window._welcome.first_button.text() == "Open the sample"
        user.open(house)
        user.press("Ctrl+2")
        user.window.bench.choose_agent("wheelchair")
        traverse = user.window.traverse
        user.press("Y", "Y", ".")
        asked = traverse.current
        assert asked is not None
        total = 2 * len(user.project.graph.edges)
        steps = user.document.undo_stack.count()
        assert steps == 2
    with days() as user:
        go_on = user.window._welcome.first_button
        assert go_on.text() == f"Continue: {house.stem}, Wheelchair, 2 of {total}"
        user.wait(go_on.hasFocus)
        user.press("Return")
        user.wait(lambda: user.window.bench.document)
        traverse = user.window.traverse
        user.wait(lambda: traverse.current == asked)
        agent = user.window.bench.agent
        assert agent is not None
        assert agent.key == "wheelchair"
        assert len(user.project.labels) == 2
        # The steps of the day before can be undone.
        user.press("Ctrl+Z", "Ctrl+Z")
        assert len(user.project.labels) == 0
