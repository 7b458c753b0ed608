"""Rules of a study: what is in force, what a take keeps of it, and what is asked after it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest
from fixtures.study_examples import LATER, assigned, drive_next, study_of, take_of

from waypost.domain.base.errors import EditError
from waypost.domain.record.study import Study, TakeKey, take_to_ask_about
from waypost.domain.record.study_edits import add_take, answer_questions
from waypost.domain.record.take_rules import (
    EARLIER_RULES,
    QUESTION_WORDS,
    Feedback,
    Question,
    TakeAnswers,
    TakeRules,
    gives_feedback,
    rules_of_header,
)

YES = TakeAnswers(True, 4, "which door", LATER)


def driven() -> tuple[Study, TakeKey]:
    study = drive_next(assigned(study_of([1, 1], 1)), "P-0")
    (key,) = study.takes
    return study, key


def with_rules(study: Study, key: TakeKey, rules: TakeRules) -> Study:
    return replace(study, takes={key: replace(study.takes[key], rules=rules)})


def test_a_new_study_tells_after_practice_alone_and_asks_everything() -> None:
    rules = TakeRules()
    assert [gives_feedback(rules, is_training=known) for known in (True, False)] == [True, False]
    assert rules.questions == (Question.REACHED, Question.SURENESS, Question.UNCLEAR)
    assert (rules.shows_scale_bar, rules.shows_compass, rules.shows_map) == (False, False, False)
    assert (rules.time_limit_s, rules.can_look) == (None, False)
    assert set(QUESTION_WORDS) == set(Question)


@pytest.mark.parametrize(
    ("feedback", "told"),
    [(Feedback.NONE, [False, False]), (Feedback.AFTER_EACH, [True, True])],
)
def test_feedback_is_given_as_the_rules_say(feedback: Feedback, told: list[bool]) -> None:
    rules = TakeRules(feedback)
    assert [gives_feedback(rules, is_training=known) for known in (True, False)] == told


@pytest.mark.parametrize("limit_s", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_limit_is_above_nothing_and_ends(limit_s: float) -> None:
    with pytest.raises(ValueError, match="a time limit must be above 0 s"):
        TakeRules(time_limit_s=limit_s)


def test_no_question_is_asked_twice() -> None:
    with pytest.raises(ValueError, match="a question is asked twice"):
        TakeRules(questions=(Question.REACHED, Question.REACHED))


def test_a_header_gives_back_the_rules_that_were_written_into_it() -> None:
    rules = TakeRules(Feedback.NONE, shows_map=True, time_limit_s=90.0, questions=())
    assert rules_of_header(json.loads(json.dumps({"rules": asdict(rules)}))) == rules


@pytest.mark.parametrize(
    ("header", "can_look"), [({}, False), ({"can_look": False}, False), ({"can_look": True}, True)]
)
def test_a_take_from_before_rules_was_made_under_what_was_in_force(
    header: dict[str, object], can_look: bool
) -> None:
    assert rules_of_header(header) == replace(EARLIER_RULES, can_look=can_look)
    assert EARLIER_RULES.feedback is Feedback.AFTER_EACH
    assert EARLIER_RULES.questions == ()


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({"feedback": "sometimes"}, "feedback: 'sometimes' is not a valid Feedback"),
        ({"time_limit_s": -3}, "a time limit must be above 0 s"),
        ({"wind": 3}, "'wind' is not known to this Waypost"),
        ([], "must be an object"),
    ],
)
def test_rules_of_another_shape_are_refused(rules: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        rules_of_header({"rules": rules})


def test_answers_are_kept_with_the_take_and_can_be_given_again() -> None:
    study, key = driven()
    study = answer_questions(study, key, YES)
    assert study.takes[key].answers == YES
    no = replace(YES, reached=False, sureness=2)
    assert answer_questions(study, key, no).takes[key].answers == no


@pytest.mark.parametrize(
    ("asked", "answers", "words"),
    [
        ((), TakeAnswers(reached=False), "Did you reach the goal?"),
        ((Question.REACHED,), TakeAnswers(True, 3), "How sure are you?"),
        ((Question.SURENESS,), TakeAnswers(unclear="all"), "What was unclear"),
    ],
)
def test_what_is_not_asked_is_not_answered(
    asked: tuple[Question, ...], answers: TakeAnswers, words: str
) -> None:
    study, key = driven()
    study = with_rules(study, key, TakeRules(questions=asked))
    with pytest.raises(EditError, match=f"“{words}.*” is not asked after episode"):
        answer_questions(study, key, answers)


def test_nobody_answers_about_a_take_that_is_not_there() -> None:
    study, key = driven()
    with pytest.raises(EditError, match="there is no take 2 of episode"):
        answer_questions(study, key._replace(number=2), YES)


@pytest.mark.parametrize("level", [0, 6, -1])
def test_sureness_has_five_levels(level: int) -> None:
    with pytest.raises(ValueError, match=f"sureness is 1 to 5, not {level}"):
        TakeAnswers(True, level)


def test_a_crash_before_the_answers_loses_no_question() -> None:
    study, key = driven()
    open_take = take_to_ask_about(study, "P-0")
    assert open_take is not None
    assert open_take.key == key
    assert take_to_ask_about(answer_questions(study, key, YES), "P-0") is None


def test_nothing_is_asked_where_the_rules_ask_nothing() -> None:
    study, key = driven()
    assert take_to_ask_about(with_rules(study, key, TakeRules(questions=())), "P-0") is None


def test_nothing_is_asked_about_a_take_that_a_crash_cut_short() -> None:
    study = assigned(study_of([1, 1], 1))
    key = next(iter(study.assignments))
    study = add_take(study, take_of(study, key, is_complete=False, has_stopped=False))
    assert take_to_ask_about(study, "P-0") is None
