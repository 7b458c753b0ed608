"""What tests do as a participant, and what they see of the session."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gui.studies import CODE, START_M
from gui.user import User
from patience import PATIENCE_MS
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.exceptions import TimeoutError as WaitedTooLong

from waypost.app.record.session.participant_session import ParticipantSession
from waypost.app.record.take_recorder import TakePhase
from waypost.simulators.protocol import Telemetry


def session(user: User) -> ParticipantSession:
    """The session of the window."""
    return user.window.record.session


def phase(user: User) -> TakePhase:
    """How far the take is."""
    return session(user).recorder.phase


def title(user: User) -> str:
    """The title of the card in front; empty without one."""
    page = session(user).card.page
    return page.title if page else ""


def card_text(user: User) -> str:
    """Everything that can be read on the card."""
    parts = session(user).card.findChildren(QLabel) + session(user).card.findChildren(QPushButton)
    return " · ".join(part.text() for part in parts if part.isVisible())


def moved_m(user: User) -> float:
    """How far the agent is from the start of the episode."""
    pose = session(user).recorder._path[-1]
    return math.dist(pose, START_M) if pose else 0.0


def stood_m(user: User) -> float:
    """How far the agent is once it stands, and has stood for half a second of its time."""
    recorder = session(user).recorder
    seen: list[tuple[float, int]] = []

    def see(telemetry: Telemetry) -> None:
        if telemetry.speed_mps > 1e-3 or abs(telemetry.turn_rate_radps) > 1e-3:
            seen.clear()
        else:
            seen.append((moved_m(user), recorder.time_ns))

    # What the window has seen so far may be older than what the engine has heard.
    with connected(user.window.engine.telemetry_received, see):
        user.wait(lambda: seen and seen[-1][1] - seen[0][1] > 500_000_000)
    return seen[-1][0]


@contextmanager
def connected(signal: Any, slot: Callable[..., None]) -> Iterator[None]:
    """Hear a signal for a while."""
    signal.connect(slot)
    try:
        yield
    finally:
        signal.disconnect(slot)


def begin(user: User, code: str = CODE) -> None:
    """Leave the window to a participant, whose second Enter is never too late."""
    session(user).stopping.forget_ms = PATIENCE_MS
    user.window.record.people.set_selected([code])
    user.window.record.refresh()
    user.press("B")


def begun(user: User, project: Path) -> User:
    """The participant is at the page before the practice episode of a study."""
    user.open(project)
    user.press("Ctrl+3")
    user.wait_for_engine()
    begin(user)
    user.wait(lambda: session(user).has_next)
    return user


def press(user: User, key: str) -> None:
    """Press a key as slowly as a person does, who lets it go before."""
    user.wait(lambda: session(user).presses.is_free(key))
    user.press(key)


def show_on_small_screen(user: User) -> None:
    """Show the session as it is where the screen has 1280 × 720 pixels."""
    window, small = user.window, QRect(0, 0, 1280, 720)
    window.setWindowState(Qt.WindowState.WindowNoState)

    def shrunk() -> bool:
        # A late answer of the window system to the whole screen would undo it.
        window.setGeometry(small)
        user.settle()
        return window.geometry() == small and window.windowHandle().geometry() == small

    user.wait(shrunk)


def stop(user: User) -> None:
    """Stop the take: asked for, and confirmed by the second press."""
    with _what_happens(session(user)) as happened:
        press(user, "Return")
        try:
            user.wait(lambda: session(user).stopping.can_be_answered)
        except WaitedTooLong as error:
            facts = {**_keyboard_facts(user), "happened": happened}
            raise AssertionError(f"the first press has not asked: {facts}") from error
    press(user, "Return")


@contextmanager
def _what_happens(shown: ParticipantSession) -> Iterator[list[str]]:
    """The question about stopping from now on: what became of it when, and by whom."""
    begun_s, happened, question = time.monotonic(), list[str](), shown.stopping

    def note(what: str) -> None:
        line = f"{time.monotonic() - begun_s:.2f} s: {what}"
        if not happened or not happened[-1].endswith(what):
            happened.append(line)

    def follow() -> None:
        note(f"asked: {question.is_asked}, {shown.recorder.phase.value}")

    def name_who() -> None:
        note("confirmed by " + " < ".join(f.name for f in traceback.extract_stack()[-2:-9:-1]))

    signals = ((question.changed, follow), (shown.recorder.changed, follow))
    for signal, slot in (*signals, (question.confirmed, name_who)):
        signal.connect(slot)
    try:
        yield happened
    finally:
        for signal, slot in (*signals, (question.confirmed, name_who)):
            signal.disconnect(slot)


def _keyboard_facts(user: User) -> dict[str, object]:
    """Where a key goes, and what it may do there."""
    guard = session(user).presses
    return {
        "phase": phase(user),
        "page": title(user),
        "focus window": QGuiApplication.focusWindow(),
        "focus widget": QApplication.focusWidget(),
        "active": user.window.isActiveWindow(),
        "stop can run": user.window.actions_set.action("record.stop").isEnabled(),
        "asked": session(user).stopping.is_asked,
        "key is down": guard.is_down("Return"),
        "key is free": guard.is_free("Return"),
    }


def record(user: User) -> None:
    """Start the take that is next."""
    press(user, "Space")
    user.wait(lambda: phase(user) is TakePhase.RECORDING)
