"""What tests do as a participant, and what they see of the session."""

from __future__ import annotations

import math
from pathlib import Path

from gui.studies import CODE, START_M
from gui.user import User

from waypost.app.participant_session import ParticipantSession
from waypost.app.take_recorder import TakePhase


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


def moved_m(user: User) -> float:
    """How far the agent is from the start of the episode."""
    pose = session(user).recorder.pose_m
    return math.dist(pose, START_M) if pose else 0.0


def begin(user: User, code: str = CODE) -> None:
    """Leave the window to a participant."""
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


def record(user: User) -> None:
    """Start the take that is next."""
    user.press("Space")
    user.wait(lambda: phase(user) is TakePhase.RECORDING)
