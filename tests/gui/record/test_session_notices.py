"""What a participant is told by the window: nothing but what is not saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gui.participants import begin, begun, record, session
from gui.studies import write_study
from gui.user import User
from PySide6.QtWidgets import QPushButton

from waypost.domain.base.progress import Progress, Work
from waypost.domain.record.study import StudyRules
from waypost.domain.record.study_edits import change_rules
from waypost.widgets.message_strip import Message, MessageLevel

pytestmark = pytest.mark.gui


@pytest.fixture
def at_session(user: User, tmp_path: Path) -> User:
    """A participant is at the page before the practice episode."""
    return begun(user, write_study(tmp_path / "study"))


def test_a_participant_sees_no_technical_notice(at_session: User) -> None:
    user, notices = at_session, at_session.window.notices
    notices.say("A job ended.")
    user.window.bench.refused.emit("The recording could not be scored: no floor.")
    notices.say("Another job ended.")
    user.settle()
    assert notices.messages.isHidden()
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    user.settle()
    assert user.message() == "The recording could not be scored: no floor."
    assert notices.messages.isVisible()
    told = notices.messages.message
    assert told is not None
    assert told.details.splitlines() == [
        "A job ended.",
        "The recording could not be scored: no floor.",
        "Another job ended.",
    ]


def test_what_was_said_before_is_gone_and_not_said_twice(at_session: User) -> None:
    user, notices = at_session, at_session.window.notices
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    notices.warn("A file is missing.")
    user.settle()
    begin(user)
    user.wait(lambda: session(user).has_next)
    assert notices.messages.isHidden()
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    user.settle()
    assert user.message() == ""


def test_what_is_not_saved_stays_in_view(at_session: User) -> None:
    user, notices = at_session, at_session.window.notices
    lost = Message("NOT SAVED: the disk is full.", MessageLevel.ERROR)
    notices.say(lost)
    user.settle()
    assert notices.messages.isVisible()
    notices.warn("Something else.")
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    user.settle()
    assert user.message() == lost.text


def test_a_participant_sees_no_progress_of_jobs(at_session: User) -> None:
    user, progress = at_session, at_session.window.notices.progress
    asked: list[int] = []
    may_end: list[bool] = []

    def work() -> Work[None]:
        while not may_end:
            asked.append(0)
            yield Progress(1, 4, "Reading what takes long")

    user.window._jobs.start("Reading", work())
    user.wait(lambda: len(asked) > 2)
    user.settle()
    assert progress.isHidden()
    assert not progress._appears.isActive()
    session(user).leave()
    user.wait(progress.isVisible)
    begin(user)
    user.wait(lambda: session(user).is_running)
    user.wait(progress.isHidden)
    may_end.append(True)
    user.wait(lambda: not user.window._jobs.jobs)


def test_an_agent_that_nobody_drives_any_more_does_not_drive(at_session: User) -> None:
    """The engine keeps it where it stands; the window said ``driving`` for ever after."""
    user = at_session

    def word() -> str:
        user.window._show_status()
        return str(user.window._status._engine.full_text)

    user.wait(user.window.isActiveWindow)
    record(user)
    user.wait(lambda: "driving" in word())
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    assert "ready" in word()


def test_a_session_that_cannot_begin_says_why(at_session: User) -> None:
    user = at_session
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    workspace = user.window.record
    button = user.find(QPushButton, workspace.panel.begin.text(), workspace.panel)
    assert (button.isEnabled(), button.toolTip()) == (True, "")
    project = user.window.bench.project
    rules = replace(project.study.rules or StudyRules("", 0), agent_key="gone")
    gone = replace(project, study=change_rules(project.study, rules))
    user.window.bench.document.edit("Change the rules", gone)
    begin(user)
    user.wait(lambda: session(user).has_next)
    assert "driven by the agent gone, which is not there" in str(session(user).card.page)
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    workspace.withdraw()
    user.settle()
    assert (button.isEnabled(), button.toolTip()) == (False, "This participant has withdrawn")
    assert user.message().startswith("P-7K3D has withdrawn")
    user.press("Ctrl+Z")
    assert user.message() == ""
    workspace.people.set_selected(())
    workspace.refresh()
    assert button.toolTip() == "Choose a participant first"
