"""The real library with SDL's virtual controllers: no hardware, but every line of ours."""

from __future__ import annotations

import builtins
from collections.abc import Callable

import pytest
from leaks import no_leaks
from virtual_pad import virtual_pad

from waypost.services.input.gamepad import Gamepad
from waypost.services.input.pad_state import PAD_AT_REST, PadButton
from waypost.services.input.sdl_controllers import PadReading, SdlControllers

__all__ = ["no_leaks"]


@pytest.fixture
def wait(qtbot):
    def wait(condition: Callable[[], bool]) -> None:
        qtbot.waitUntil(condition)

    return wait


@pytest.fixture
def gamepad(qapp):
    gamepad = Gamepad()
    gamepad.start()
    yield gamepad
    gamepad.stop()


@pytest.fixture
def pad(gamepad, wait):
    with virtual_pad(wait) as pad:
        yield pad


def test_sticks_and_buttons_are_told_and_nothing_else(gamepad, pad, wait):
    names, moves, presses = [], [], []
    gamepad.plugged.connect(names.append)
    gamepad.moved.connect(moves.append)
    gamepad.pressed.connect(presses.append)
    assert not gamepad.is_plugged
    pad.plug()
    wait(lambda: gamepad.is_plugged)
    assert names == ["Virtual Controller"]
    assert moves == []
    pad.tilt(left_y=1.0, right_x=-1.0)
    wait(lambda: gamepad.state.left_y == 1.0 and gamepad.state.right_x == -1.0)
    pad.tilt(left_y=0.1, right_x=0.1)
    wait(lambda: gamepad.state == PAD_AT_REST)
    for name in ("A", "B", "Y", "Start", "Left", "Right"):
        pad.press(name)
        wait(lambda name=name: PadButton(name) in presses)
        pad.press(name, is_down=False)
    assert presses == [
        PadButton.GO,
        PadButton.STOP,
        PadButton.LOST,
        PadButton.PAUSE,
        PadButton.PREVIOUS,
        PadButton.NEXT,
    ]


def test_unplugged_is_told_and_plugged_again_works(gamepad, pad, wait):
    gone = []
    gamepad.unplugged.connect(gone.append)
    pad.plug()
    wait(lambda: gamepad.is_plugged)
    pad.tilt(left_y=1.0)
    wait(lambda: gamepad.state.left_y == 1.0)
    pad.unplug()
    wait(lambda: not gamepad.is_plugged)
    assert gone == ["Virtual Controller"]
    assert gamepad.state == PAD_AT_REST
    pad.plug()
    wait(lambda: gamepad.is_plugged)


def test_stopped_is_stopped_and_it_can_start_again(gamepad, pad, wait):
    pad.plug()
    wait(lambda: gamepad.is_plugged)
    thread = gamepad._thread
    gamepad.stop()
    assert thread.isFinished()
    assert not gamepad.is_plugged
    gamepad.start()
    with virtual_pad(wait) as again:
        again.plug()
        wait(lambda: gamepad.is_plugged)


def test_what_was_on_its_way_when_it_stopped_is_not_heard_after_the_next_start(qapp):
    gamepad = Gamepad()
    gamepad.start()
    gamepad._told.emit((gamepad._thread, PadReading("Old", PAD_AT_REST, frozenset())))
    gamepad.stop()
    gamepad.start()
    qapp.processEvents()
    assert not gamepad.is_plugged
    gamepad.stop()


def test_it_rests_after_every_question_and_tells_nothing_twice(
    gamepad, pad, wait, qtbot, monkeypatch
):
    pad.plug()
    wait(lambda: gamepad.is_plugged)
    asked, read = [], SdlControllers.read
    is_over = gamepad._thread.is_over
    rest = is_over.wait

    def counted_read(controllers):
        asked.append("ask")
        return read(controllers)

    def counted_rest(duration_s):
        asked.append(duration_s)
        return rest(duration_s)

    monkeypatch.setattr(SdlControllers, "read", counted_read)
    monkeypatch.setattr(is_over, "wait", counted_rest)
    with qtbot.assertNotEmitted(gamepad.moved):
        wait(lambda: len(asked) > 40)
    first = asked.index("ask")
    assert asked[first : first + 30] == ["ask", 0.01] * 15


def test_without_the_library_nothing_happens(qapp, monkeypatch, qtbot):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "sdl2":
            raise ImportError("no such library")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    gamepad = Gamepad()
    gamepad.start()
    thread = gamepad._thread
    qtbot.waitUntil(thread.isFinished)
    assert not gamepad.is_plugged
    gamepad.stop()
