"""What a participant is told and asked after an episode, by the rules of the study."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cut_text import cut_texts
from gui.participants import (
    begin,
    begun,
    card_text,
    phase,
    press,
    record,
    session,
    show_on_small_screen,
    stop,
    title,
)
from gui.studies import CODE, INSTRUCTION, NEWCOMER, write_study
from gui.user import User
from PySide6.QtWidgets import QPushButton

from waypost.app.record import study_desk
from waypost.app.record.take_recorder import TakePhase
from waypost.domain.base.progress import Progress, Work
from waypost.domain.record.study import AssignmentState, Take, assignments_of
from waypost.domain.record.take_rules import Feedback, Question, TakeRules
from waypost.io.recordings.read_recording import read_recording
from waypost.services.study.take_scoring import told_of

pytestmark = [pytest.mark.gui, pytest.mark.conformance]

SILENT = TakeRules(Feedback.NONE, questions=())
ASKING = TakeRules()


@pytest.fixture
def study(user: User, tmp_path: Path) -> Iterator[Callable[[TakeRules], User]]:
    """Begins a study with given rules, up to the practice episode."""

    def with_rules(rules: TakeRules) -> User:
        return begun(user, write_study(tmp_path / "house", rules=rules))

    yield with_rules
    session(user).leave()


def stopped(user: User, expected: str = "Stopped") -> Take:
    """Stop at once; the take, once this page follows."""
    before = len(user.project.study.takes)
    record(user)
    stop(user)
    user.wait(lambda: title(user) == expected)
    assert len(user.project.study.takes) == before + 1
    return list(user.project.study.takes.values())[-1]


def answer(user: User, name: str) -> None:
    user.click_widget(user.find(QPushButton, name, session(user).card))


def test_told_after_practice_only_and_in_full_words(study: Callable[[TakeRules], User]) -> None:
    user = study(TakeRules(questions=()))
    take = stopped(user)
    assert session(user).card.page.told == told_of(take) == "You reached the goal. 2.0 m away."
    assert "dashed" in card_text(user)
    press(user, "Space")
    user.wait(lambda: session(user).has_next and title(user) == "Episode 1 of 2")
    stopped(user)
    assert session(user).card.page.told == ""
    assert "goal" not in card_text(user)
    assert "dashed" not in card_text(user)


def test_nothing_is_told_where_the_rules_say_so(study: Callable[[TakeRules], User]) -> None:
    user = study(SILENT)
    stopped(user)
    assert card_text(user) == "Stopped · This was practice and does not count. Thank you. · " + (
        session(user).card.page.primary
    )


def test_questions_come_before_what_is_told_and_are_kept_with_the_take(
    study: Callable[[TakeRules], User],
) -> None:
    user = study(ASKING)
    take = stopped(user, "A few questions")
    assert take.answers is None
    assert session(user).instruction._instruction.text() == INSTRUCTION
    assert told_of(take) not in card_text(user)
    assert not session(user).card.primary.isEnabled()
    answer(user, "No")
    answer(user, "How sure are you? fairly")
    form = session(user).card.questions
    form.unclear.setFocus()
    user.type("which wall  it means")
    assert session(user).card.primary.isEnabled()
    user.click_widget(session(user).card.primary)
    user.wait(lambda: title(user) == "Stopped")
    (kept,) = user.project.study.takes.values()
    assert kept.answers is not None
    assert (kept.answers.reached, kept.answers.sureness) == (False, 3)
    assert kept.answers.unclear == "which wall  it means"
    assert kept.answers.answered_utc


def test_questions_are_answered_by_keyboard_alone(study: Callable[[TakeRules], User]) -> None:
    user = study(TakeRules(questions=(Question.REACHED, Question.SURENESS)))
    stopped(user, "A few questions")
    press(user, "Space")
    user.press("Tab")
    press(user, "Return")
    user.wait(session(user).card.primary.isEnabled)
    session(user).card.primary.setFocus()
    press(user, "Space")
    user.wait(lambda: title(user) == "Stopped")
    (take,) = user.project.study.takes.values()
    assert take.answers is not None
    assert (take.answers.reached, take.answers.sureness) == (True, 1)


def test_nobody_has_to_answer_and_who_left_before_is_asked_again(
    study: Callable[[TakeRules], User],
) -> None:
    user = study(ASKING)
    stopped(user, "A few questions")
    user.press("Ctrl+Shift+Esc")
    assert not session(user).is_running
    begin(user, CODE)
    user.wait(lambda: title(user) == "A few questions")
    user.click_widget(session(user).card.secondary)
    user.wait(lambda: title(user) == "Episode 1 of 2")
    (take,) = user.project.study.takes.values()
    assert take.answers is not None
    assert take.answers.reached is None


@pytest.mark.parametrize("follower", [NEWCOMER, CODE])
def test_who_leaves_while_a_take_is_scored_is_asked_in_their_own_session_alone(
    study: Callable[[TakeRules], User], monkeypatch: pytest.MonkeyPatch, follower: str
) -> None:
    """Neither the coordinator nor whoever sits down next is asked about it."""
    user = study(ASKING)
    is_held, scoring = threading.Event(), study_desk._scoring

    def slowly(*options: Any) -> Work[Take]:
        while not is_held.wait(0.01):
            yield Progress(0.0, 1.0, "Scoring slowly")
        return (yield from scoring(*options))

    monkeypatch.setattr(study_desk, "_scoring", slowly)
    record(user)
    stop(user)
    user.wait(lambda: phase(user) is TakePhase.IDLE)
    press(user, "Ctrl+Shift+Esc")
    user.wait(lambda: not session(user).is_running)
    begin(user, follower)
    user.wait(lambda: session(user).has_next)
    before = title(user)
    is_held.set()
    user.wait(lambda: len(user.project.study.takes) == 1)
    user.settle()
    if follower == NEWCOMER:
        assert title(user) == before
        session(user).leave()
        begin(user)
    user.wait(lambda: title(user) == "A few questions")


def test_the_time_limit_ends_an_episode_as_done_without_a_stop(
    study: Callable[[TakeRules], User],
) -> None:
    user = study(TakeRules(Feedback.AFTER_EACH, time_limit_s=1.0, questions=()))
    record(user)
    assert session(user).instruction._state.text().endswith("of 0:01")
    user.wait(lambda: title(user) == "The time is over")
    (take,) = user.project.study.takes.values()
    assert take.summary.has_timed_out
    assert not take.summary.has_stopped
    assert take.summary.duration_ns == pytest.approx(1e9, abs=0.3e9)
    told = session(user).card.page.told
    assert told.startswith("The time was over, and you had reached the goal.")
    first = assignments_of(user.project.study, CODE)[0]
    assert first.state is AssignmentState.DONE
    recording = read_recording(user.window.record.desk.root / take.path)
    assert recording.header["rules"]["time_limit_s"] == 1.0


@pytest.mark.parametrize("is_shown", [False, True])
def test_map_compass_and_scale_bar_are_shown_by_the_rules(
    study: Callable[[TakeRules], User], *, is_shown: bool
) -> None:
    user = study(TakeRules(Feedback.NONE, is_shown, is_shown, is_shown, questions=()))
    record(user)
    overlay = user.view._overlay
    assert user.window.stage.map.is_shown is is_shown
    assert (overlay._has_scale_bar, overlay._has_compass, overlay._has_heading) == (is_shown,) * 3
    assert user.window.stage.map.widget._nodes == ()
    session(user).leave()
    user.wait(lambda: not session(user).is_running)
    assert (overlay._has_scale_bar, overlay._has_compass, overlay._has_heading) == (
        True, True, False,
    )  # fmt: skip
    assert user.window.stage.map.widget._nodes != ()


@pytest.mark.parametrize("larger_percent", [0, 100])
def test_no_text_of_the_questions_is_cut(
    study: Callable[[TakeRules], User], larger_percent: int
) -> None:
    user = study(ASKING)
    show_on_small_screen(user)
    user.window.preferences.scale_text(larger_percent)
    stopped(user, "A few questions")
    user.wait(lambda: cut_texts(user.window) == [])
    assert phase(user) is TakePhase.IDLE
