"""Workspaces are made in pieces: no turn of the window is long, and nobody meets half of one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from gui.user import User
from pytestqt.qtbot import QtBot

from waypost.app.replay.spec import REPLAY
from waypost.app.shell.workspace import Workspace
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.app.window.workspaces import WORKSPACES

pytestmark = pytest.mark.gui

_TURN_S = 0.1


def test_no_piece_of_a_workspace_takes_a_tenth_of_a_second(window: MainWindow) -> None:
    """Of the thread's own time: other programs on a loaded machine are not ours to count."""
    for spec in WORKSPACES:
        spec.load()
        took_s = []
        steps = window.workspaces._steps_of(spec)
        for _ in range(1000):
            begun_s = time.thread_time()
            if next(steps, "ended") == "ended":
                break
            took_s.append(time.thread_time() - begun_s)
        assert max(took_s, default=0.0) < _TURN_S, (spec.scope, took_s)


def test_one_that_is_asked_for_in_between_is_whole_and_told_of_once(
    user: User, house: Path
) -> None:
    workspaces = user.window.workspaces
    told: list[Workspace] = []
    workspaces.made.connect(told.append)
    steps = workspaces._steps_of(REPLAY)
    for _ in range(4):
        next(steps)
    assert told == []
    user.open(house)
    replay = workspaces.of(REPLAY)
    assert [each for each in told if each is replay] == [replay]
    assert list(steps) == []
    assert [each for each in told if each is replay] == [replay]
    user.press("Ctrl+5")
    user.wait(replay.left.isVisible)


def test_a_window_closes_while_one_is_made(tmp_path: Path, qtbot: QtBot, no_leaks: None) -> None:
    with opened_window(tmp_path / "config", tmp_path / "data") as window:
        steps = window.workspaces._steps_of(REPLAY)
        for _ in range(5):
            next(steps)
    assert window.workspaces.all_made


@pytest.mark.parametrize("done", [1, 2, 5, 9])
def test_a_window_closes_while_its_own_pieces_make_one(
    tmp_path: Path, qtbot: QtBot, no_leaks: None, done: int
) -> None:
    """They are dropped then, and not what they have begun: that is made to its end."""
    with opened_window(tmp_path / "config", tmp_path / "data") as window:
        workspaces = window.workspaces
        workspaces._pieces._budget_s = 0.0
        workspaces._pieces.start(lambda: workspaces._steps_of(REPLAY))
        for _ in range(done - 1):
            workspaces._pieces._go_on()
        assert REPLAY.scope not in [
            spec.scope for spec in map(workspaces.spec_of, workspaces.all_made)
        ]
    assert workspaces.of(REPLAY).left is not None
