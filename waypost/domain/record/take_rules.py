"""The rules under which participants drive, and what they are asked about each episode.

A study has them now; every take keeps those under which it was made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.value_codec import decode


class Feedback(StrEnum):
    """When participants are told how an episode went."""

    NONE = "none"
    AFTER_PRACTICE = "after_practice"
    AFTER_EACH = "after_each"


class Question(StrEnum):
    """What participants can be asked after an episode."""

    REACHED = "reached"
    """Whether they reached the goal: yes or no."""

    SURENESS = "sureness"
    """How sure they are of it, in ``SURENESS_WORDS``."""

    UNCLEAR = "unclear"
    """What was unclear in the instruction, in their words."""


QUESTION_WORDS: Final[Mapping[Question, str]] = MappingProxyType(
    {
        Question.REACHED: "Did you reach the goal?",
        Question.SURENESS: "How sure are you?",
        Question.UNCLEAR: "What was unclear in the instruction?",
    }
)
"""As participants read them, in the order in which they are asked."""

SURENESS_WORDS: Final[Mapping[int, str]] = MappingProxyType(
    {1: "not at all", 2: "a little", 3: "fairly", 4: "very", 5: "completely"}
)
"""Level → how sure that is; a five-point scale."""


@dataclass(frozen=True, slots=True)
class TakeRules:
    """Under which rules somebody drives; the defaults are those of a new study.

    Raises:
        ValueError: If the time limit is not above 0, or a question is asked twice.
    """

    feedback: Feedback = Feedback.AFTER_PRACTICE
    shows_scale_bar: bool = False
    """Whether participants see a scale bar."""

    shows_compass: bool = False
    """Whether participants see a compass."""

    shows_map: bool = False
    """Whether participants see the small map of the storey with their place."""

    time_limit_s: float | None = None
    """Simulated time after which an episode ends by itself; ``None``: never."""

    can_look: bool = False
    """Whether participants may look up and down; without it their gaze is level."""

    questions: tuple[Question, ...] = tuple(QUESTION_WORDS)
    """What is asked after each episode, in this order."""

    shows_frames: bool = False
    """Whether participants see frames of the engine's camera, where there are any."""

    def __post_init__(self) -> None:
        if self.time_limit_s is not None and not 0 < self.time_limit_s < math.inf:
            raise ValueError(f"a time limit must be above 0 s, not {self.time_limit_s:g}")
        if len(set(self.questions)) != len(self.questions):
            raise ValueError("a question is asked twice")


NEW_TAKE_RULES: Final = TakeRules()
"""What a new study has unless somebody decides otherwise."""

EARLIER_RULES: Final = TakeRules(feedback=Feedback.AFTER_EACH, questions=())
"""What was in force, beside the gaze, before studies had rules of their own."""


def gives_feedback(rules: TakeRules, *, is_training: bool) -> bool:
    """Whether a participant is told how an episode went."""
    if rules.feedback is Feedback.AFTER_PRACTICE:
        return is_training
    return rules.feedback is Feedback.AFTER_EACH


def rules_of_header(header: Mapping[str, Any]) -> TakeRules:
    """The rules under which a recording was made, as its header tells them.

    A recording from before rules were kept says at most whether its driver could look up and down.

    Raises:
        ValueError: If they are of another shape.
    """
    stored = header.get("rules")
    if stored is None:
        return replace(EARLIER_RULES, can_look=header.get("can_look") is True)
    return decode(TakeRules, stored)


@dataclass(frozen=True, slots=True)
class TakeAnswers:
    """What a participant answered after a take.

    Raises:
        ValueError: If the level of sureness is not one of ``SURENESS_WORDS``.
    """

    reached: bool | None = None
    """Whether they think that they reached the goal; ``None``: not answered."""

    sureness: int | None = None
    """Level of ``SURENESS_WORDS``; ``None``: not answered."""

    unclear: str = ""
    """What was unclear in the instruction; empty: nothing."""

    answered_utc: str = ""

    def __post_init__(self) -> None:
        if self.sureness is not None and self.sureness not in SURENESS_WORDS:
            raise ValueError(f"sureness is 1 to {max(SURENESS_WORDS)}, not {self.sureness}")
