"""Work of the window thread in pieces."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from waypost.services.pieces import Pieces, Steps


def counting(told: list[str], name: str, count: int) -> Callable[[], Steps]:
    """Steps that tell their number."""

    def steps() -> Steps:
        for number in range(count):
            told.append(f"{name}{number}")
            yield

    return steps


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def slow(qtbot: QtBot) -> Pieces:
    """One step in each turn."""
    return Pieces(budget_s=0.0)


def test_what_is_short_is_done_at_once(qtbot: QtBot, told: list[str]) -> None:
    pieces = Pieces()
    pieces.start(counting(told, "a", 3))
    assert told == ["a0", "a1", "a2"]
    assert not pieces.is_busy


def test_what_is_long_lets_the_event_loop_go_on(
    qtbot: QtBot, slow: Pieces, told: list[str]
) -> None:
    slow.start(counting(told, "a", 3))
    assert told == ["a0"]
    assert slow.is_busy
    qtbot.waitUntil(lambda: not slow.is_busy)
    assert told == ["a0", "a1", "a2"]


def test_the_newest_wish_follows_what_is_under_way(
    qtbot: QtBot, slow: Pieces, told: list[str]
) -> None:
    for name in "abc":
        slow.start(counting(told, name, 2))
    qtbot.waitUntil(lambda: not slow.is_busy)
    assert told == ["a0", "a1", "c0", "c1"]


def test_steps_may_ask_for_more(qtbot: QtBot, told: list[str]) -> None:
    pieces = Pieces()

    def asking() -> Steps:
        pieces.start(counting(told, "b", 1))
        told.append("a0")
        yield
        told.append("a1")

    pieces.start(asking)
    assert told == ["a0", "a1", "b0"]


def test_what_is_cancelled_never_goes_on(qtbot: QtBot, slow: Pieces, told: list[str]) -> None:
    slow.start(counting(told, "a", 3))
    slow.start(counting(told, "b", 3))
    slow.cancel()
    assert not slow.is_busy
    slow.start(counting(told, "c", 2))
    qtbot.waitUntil(lambda: not slow.is_busy)
    assert told == ["a0", "c0", "c1"]


def test_a_step_may_cancel_the_rest(qtbot: QtBot, told: list[str]) -> None:
    pieces = Pieces()

    def cancelling() -> Steps:
        told.append("a0")
        pieces.cancel()
        yield
        told.append("a1")

    pieces.start(cancelling)
    assert not pieces.is_busy
    assert told == ["a0"]


def test_an_error_ends_only_what_raised_it(qtbot: QtBot, told: list[str]) -> None:
    pieces = Pieces()

    def failing() -> Steps:
        yield
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        pieces.start(failing)
    pieces.start(counting(told, "a", 2))
    assert told == ["a0", "a1"]
