"""What counts as somebody at work, so that long collections wait."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui.user import User
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from waypost.app.window.startup import collector
from waypost.app.window.window import MainWindow
from waypost.domain.base.progress import Progress, Work

pytestmark = pytest.mark.gui


def press(window: MainWindow) -> None:
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F13)


def move(window: MainWindow) -> None:
    QTest.mouseMove(window.windowHandle(), QPoint(300, 300))


def click(window: MainWindow) -> None:
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(1, 1))


@pytest.mark.parametrize("act", [press, move, click])
def test_input_of_a_window_is_heard(user: User, act: Callable[[MainWindow], None]) -> None:
    listening = collector()
    QTest.mouseMove(user.window.windowHandle(), QPoint(200, 200))
    user.settle()
    listening._active_at_s = before = -1.0
    act(user.window)
    user.wait(lambda: listening._active_at_s > before)


def test_what_moves_by_itself_counts(at_house: User) -> None:
    window = at_house.window
    at_house.wait(lambda: not window.is_moving())
    playback = window.record.review.playback
    playback.set_times(np.array([0.0, 1000.0]))
    playback.toggle_play()
    assert window.is_moving()
    playback.pause()
    assert not window.is_moving()
    hand = window.camera_takes.hand
    hand.start()
    assert window.is_moving()
    hand.stop()
    assert not window.is_moving()


def test_nobody_is_calm_who_waits_for_a_job(at_house: User) -> None:
    window = at_house.window
    at_house.wait(lambda: not window.is_moving())
    is_held = True

    def held() -> Work[None]:
        while is_held:
            yield Progress(0, 0, "Reading")

    job = window._jobs.start("Reading", held())
    assert window.is_moving()
    is_held = False
    at_house.wait(lambda: job.state.is_final)
    assert not window.is_moving()


def test_what_is_seen_of_a_window_ends_with_it(at_house: User) -> None:
    """A window that is gone must not be asked."""
    assert len(collector()._are_moving) == 1


def test_no_window_is_asked_after_it_was_closed() -> None:
    assert collector()._are_moving == []
