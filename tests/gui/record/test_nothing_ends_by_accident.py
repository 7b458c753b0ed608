"""What a hand does without meaning to ends no episode, no session and no window."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gui.participants import begun, moved_m, phase, press, record, session, stood_m, stop, title
from gui.studies import write_study
from gui.user import User
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from waypost.app.record.session.stop_question import FORGET_MS, HOLD_MS, StopQuestion
from waypost.app.record.take_recorder import TakePhase

pytestmark = [pytest.mark.gui, pytest.mark.conformance]

RETURN, SPACE = Qt.Key.Key_Return, Qt.Key.Key_Space


@pytest.fixture
def participant(user: User, tmp_path: Path) -> Iterator[User]:
    """At the page before the practice episode."""
    yield begun(user, write_study(tmp_path / "house"))
    session(user).leave()


@pytest.fixture
def recorded(participant: User) -> User:
    """The practice episode is being recorded."""
    record(participant)
    return participant


def repeat(user: User, key: Qt.Key, *, until: Callable[[], object]) -> None:
    """Send what X11 sends while a key is held: releases and presses, none of them marked."""

    def sent() -> bool:
        QTest.keyRelease(user._focus, key)
        QTest.keyPress(user._focus, key)
        return bool(until())

    user.wait(sent)


def test_enter_pressed_twice_quickly_asks_and_does_not_stop(recorded: User) -> None:
    recorded.press("Return", "Return")
    assert session(recorded).stopping.is_asked
    assert session(recorded)._stop_card.isVisible()
    recorded.wait(lambda: session(recorded).stopping.can_be_answered)
    assert phase(recorded) is TakePhase.RECORDING


def test_a_second_press_of_its_own_stops(recorded: User) -> None:
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")
    assert not session(recorded)._stop_card.isVisible()


def test_held_on_enter_stops_once_and_goes_no_further(recorded: User) -> None:
    QTest.keyPress(recorded._focus, RETURN)
    assert session(recorded).stopping.is_asked
    repeat(recorded, RETURN, until=lambda: title(recorded) == "Stopped")
    QTest.keyRelease(recorded._focus, RETURN)
    assert len(recorded.project.study.takes) == 1


def test_enter_let_go_before_its_time_stops_nothing_and_the_question_goes(recorded: User) -> None:
    session(recorded).stopping.forget_ms = FORGET_MS
    recorded.press("Return")
    assert session(recorded).stopping.held_share < 1
    recorded.wait(lambda: not session(recorded).stopping.is_asked)
    assert phase(recorded) is TakePhase.RECORDING
    assert not session(recorded)._stop_card.isVisible()
    press(recorded, "Return")
    assert phase(recorded) is TakePhase.RECORDING
    assert session(recorded).stopping.is_asked


def test_a_window_that_stands_still_takes_no_short_press_for_a_held_one(qtbot: QtBot) -> None:
    """The key was let go meanwhile; the window hears of it after it has looked."""
    question, stopped = StopQuestion(), list[bool]()
    question.confirmed.connect(lambda: stopped.append(True))
    question.press(lambda: True, lambda: False)
    time.sleep(1.2 * HOLD_MS / 1000)
    QApplication.processEvents()
    assert question.is_asked
    assert not stopped
    qtbot.waitUntil(lambda: bool(stopped))


def test_space_that_is_held_passes_one_page_only(recorded: User) -> None:
    stop(recorded)
    recorded.wait(lambda: title(recorded) == "Stopped")
    recorded.wait(lambda: session(recorded).presses.is_free("Space"))
    QTest.keyPress(recorded._focus, SPACE)
    recorded.wait(lambda: session(recorded).has_next and title(recorded) == "Episode 1 of 2")
    count = [0]

    def twenty() -> bool:
        count[0] += 1
        return count[0] > 20

    repeat(recorded, SPACE, until=twenty)
    assert title(recorded) == "Episode 1 of 2"
    QTest.keyRelease(recorded._focus, SPACE)
    record(recorded)


def test_leaving_asks_while_the_take_is_paused_and_space_drives_on(recorded: User) -> None:
    recorded.press("Ctrl+Shift+Esc")
    assert phase(recorded) is TakePhase.PAUSED
    assert title(recorded) == "Leave the session?"
    press(recorded, "Space")
    recorded.wait(lambda: phase(recorded) is TakePhase.RECORDING)
    assert title(recorded) == ""
    assert session(recorded).is_running


def test_closing_asks_and_the_window_stays_where_the_participant_drives_on(recorded: User) -> None:
    assert not recorded.window.close()
    assert title(recorded) == "Close the window?"
    recorded.press("P")
    recorded.wait(lambda: phase(recorded) is TakePhase.RECORDING)
    assert title(recorded) == ""
    recorded.press("Ctrl+Shift+Esc")
    recorded.click_widget(session(recorded).card.secondary)
    recorded.wait(lambda: not session(recorded).is_running)
    assert recorded.window.isVisible()


def test_giving_up_instead_of_closing_closes_nothing_later(recorded: User) -> None:
    assert not recorded.window.close()
    press(recorded, "L")
    recorded.press("Return")
    recorded.wait(lambda: title(recorded).startswith("Noted"))
    recorded.press("Ctrl+Shift+Esc")
    recorded.wait(lambda: not session(recorded).is_running)
    assert recorded.window.isVisible()


def test_between_episodes_leaving_and_closing_ask_nothing(participant: User) -> None:
    assert participant.window.record.may_close(participant.window.close)
    participant.press("Ctrl+Shift+Esc")
    assert not session(participant).is_running


def test_the_window_covers_the_screen_and_comes_back(user: User, tmp_path: Path) -> None:
    before = user.window.geometry()
    begun(user, write_study(tmp_path / "house"))
    assert user.window.isFullScreen()
    user.wait(lambda: user.window.geometry() == user.window.screen().geometry())
    assert not user.window._bar.isVisible()
    user.press("Ctrl+Shift+Esc")
    assert not user.window.isFullScreen()
    user.wait(lambda: user.window.geometry() == before)


def test_a_drive_key_that_is_still_held_when_the_keyboard_is_back_counts_after_its_release(
    recorded: User,
) -> None:
    recorded.hold("W")
    recorded.wait(lambda: moved_m(recorded) > 0.3)
    QApplication.sendEvent(recorded.window, QEvent(QEvent.Type.WindowDeactivate))
    there_m = stood_m(recorded)
    QApplication.sendEvent(recorded.window, QEvent(QEvent.Type.WindowActivate))
    begin_ns = session(recorded).recorder.time_ns
    repeat(
        recorded,
        Qt.Key.Key_W,
        until=lambda: session(recorded).recorder.time_ns > begin_ns + 500_000_000,
    )
    assert moved_m(recorded) == pytest.approx(there_m, abs=0.005)
    recorded.release("W")
    recorded.hold("S")
    recorded.wait(lambda: moved_m(recorded) < there_m - 0.1)
    recorded.release("S")
