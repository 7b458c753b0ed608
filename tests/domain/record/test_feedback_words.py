"""What participants are told: plain words, the profile's own number, and no claim without one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixtures.study_examples import GOOD

from waypost.domain.record.feedback_words import feedback_words

GAVE_UP = replace(GOOD, has_stopped=False, end_reason="I am lost")
TIMED_OUT = replace(GOOD, has_stopped=False, has_timed_out=True)


@pytest.mark.parametrize(
    ("summary", "is_reached", "error_m", "words"),
    [
        (GOOD, True, 2.71, "You reached the goal. 2.7 m away."),
        (GOOD, True, None, "You reached the goal."),
        (GOOD, False, 7.349, "You did not reach the goal. You stopped 7.3 m from it."),
        (GOOD, False, None, "You did not reach the goal."),
        (GOOD, None, 4.0, "You stopped 4.0 m from the goal."),
        (GOOD, None, None, "You stopped."),
        (GAVE_UP, False, 7.0, "You gave up 7.0 m from the goal."),
        (GAVE_UP, True, 1.0, "You gave up, but you had reached the goal. 1.0 m away."),
        (GAVE_UP, None, None, "You gave up."),
        (
            TIMED_OUT,
            False,
            5.0,
            "The time was over before you stopped. You were 5.0 m from the goal.",
        ),
        (TIMED_OUT, None, None, "The time was over before you stopped."),
        (TIMED_OUT, True, 1.0, "The time was over, and you had reached the goal. 1.0 m away."),
        (TIMED_OUT, True, None, "The time was over, and you had reached the goal."),
    ],
)
def test_an_episode_is_told_in_full_words(summary, is_reached, error_m, words) -> None:
    assert feedback_words(summary, is_reached=is_reached, error_m=error_m) == words
