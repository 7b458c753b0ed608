"""Workspaces are made in pieces: no turn of the window is long, and nobody meets half of one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from gui.user import User
from pytestqt.qtbot import QtBot

from waypost.app.replay.spec import REPLAY
from waypost.app.shell.workspace import Workspace
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.app.window.workspaces import WORKSPACES, Workspaces
from waypost.services.pieces import Steps

pytestmark = pytest.mark.gui

_START_LOADING = Workspaces.start_loading
"""Which the windows of ``is_as_started`` below leave to the test."""

_MOST_CALLS = 12_000
"""In one piece; of the calls that make widgets 100 to 300 take a millisecond."""


@pytest.fixture
def is_as_started() -> bool:
    """Nothing is made before a test says so, however long its window takes to show itself."""
    return False


def _counted(work: Callable[[], bool]) -> tuple[bool, int]:
    """What comes of work, and how many calls it takes, which is the same on every machine."""
    calls = 0

    def hear(_frame: FrameType, event: str, _function: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(hear)
    try:
        return work(), calls
    finally:
        sys.setprofile(None)


def test_no_piece_of_a_workspace_is_long(window: MainWindow) -> None:
    for spec in WORKSPACES[1:]:
        spec.load()
        steps = window.workspaces._steps_of(spec)
        pieces, is_left = [], True
        while is_left:
            is_left, calls = _counted(lambda steps=steps: next(steps, "ended") is None)
            pieces.append(calls)
        assert sum(pieces) > 1000, (spec.scope, "was made before")
        assert max(pieces) < _MOST_CALLS, (spec.scope, pieces)


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
    _START_LOADING(workspaces)
    user.open(house)
    replay = workspaces.of(REPLAY)
    assert [each for each in told if each is replay] == [replay]
    assert list(steps) == []
    assert [each for each in told if each is replay] == [replay]
    user.press("Ctrl+5")
    user.wait(replay.left.isVisible)


def test_what_fails_is_told_of_once_and_begun_anew_when_it_is_asked_for(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspaces = window.workspaces
    workspaces._left_to_import[REPLAY.scope] = ("waypost.there_is_none",)
    workspaces.choose(REPLAY.scope)
    with pytest.raises(ModuleNotFoundError):
        workspaces._go_on()

    def half(_: Workspace) -> Steps:
        yield
        raise MemoryError

    with monkeypatch.context() as poor:
        poor.setattr(REPLAY.load(), "make", half)
        begun = workspaces._steps_of(REPLAY)
        next(begun)
        with pytest.raises(MemoryError):
            workspaces.of(REPLAY)
        assert list(begun) == []
    assert REPLAY not in map(workspaces.spec_of, workspaces.all_made)
    # The choice is still to be met.
    workspaces._go_on()
    assert workspaces.shown is REPLAY
    assert workspaces.current.left is not None
    workspaces._timer.start()
    workspaces._go_on()
    assert not workspaces._timer.isActive()


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
