"""A step in words: what happened, whether it follows the reference, what the model wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from waypost.domain.base.sentences import capitalised
from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.run import Decision, EventKind
from waypost.domain.replay.output_parts import output_parts
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.step import Step, StepKind

_EVENTS: Final = MappingProxyType(
    {
        EventKind.COLLISION.value: "Collision",
        EventKind.NO_MOVE.value: "No valid move: the agent stayed",
        EventKind.UNMATCHED_TEXT.value: "Text that fits no move of the path",
        EventKind.STOP.value: "Stops here",
        EventKind.BACKTRACK.value: "Goes back from here",
        StepKind.START.value: "Start",
        StepKind.MOVE.value: "Arrived at a place for the first time",
        StepKind.RETURN.value: "Back at a place it had been to",
        StepKind.TURN.value: "Turned in place",
        StepKind.STAY.value: "Asked again without having moved",
        StepKind.TEXT.value: "Text only: the run has no poses",
    }
)
CONSOLE: Final = "console"
"""Key of what a program printed beside a decision (MSNav: scores of its pruning, errors)."""

_CLOSED: Final = frozenset({"observation", "history", "prompt", "raw output", "context", CONSOLE})
"""Parts that are closed until somebody opens them."""

_THOUGHTS: Final = frozenset({"thought", "reasoning", "thinking", "think"})
_PLANS: Final = frozenset({"plan", "planning", "new planning"})
_NUMBERS: Final = re.compile(r"\s*\d+")


@dataclass(frozen=True, slots=True)
class CardPart:
    """A text of a step that folds."""

    name: str
    text: str

    @property
    def kind(self) -> str:
        """The name without numbers and case: parts of one kind open and close alike."""
        return _NUMBERS.sub("", self.name).lower()

    @property
    def is_open_first(self) -> bool:
        """Whether it shows before anybody has opened or closed it."""
        return self.kind not in _CLOSED


@dataclass(frozen=True, slots=True)
class ReferenceWords:
    """Whether a step follows the reference."""

    sign: str
    text: str
    tone: str
    """Field of ``ThemeTokens``."""


def step_title(replay: Replay, index: int) -> str:
    """``Step 4 of 12``; the start is step 0."""
    return f"Step {index} of {max(len(replay) - 1, 0)}"


def event_words(step: Step) -> str:
    """How the step came about or what happened at it, with the log's own words where it has any."""
    words = _EVENTS.get(step.event, "")
    if step.kind is StepKind.RETURN and step.event == StepKind.RETURN:
        words += f" (visit {step.visit})"
    if step.decision is None:
        return words
    told = [
        one_line(event.message, 200)
        for event in step.decision.events
        if event.kind not in {EventKind.NO_MOVE, EventKind.UNMATCHED_TEXT} and event.message
    ]
    text = " · ".join(filter(None, (words, *dict.fromkeys(told))))
    return capitalised(text)


def reference_words(replay: Replay, index: int) -> ReferenceWords:
    """On, off or unknown, with a sign."""
    flags = replay.on_reference
    if flags is None:
        return ReferenceWords("○", "No reference tells whether it is on the way", "undecided")
    if flags[index]:
        return ReferenceWords("✓", "On the reference", "travels")
    before = np.flatnonzero(flags[:index])
    start = int(before[-1]) + 1 if len(before) else 0
    since = "" if start == index else f" since step {start}"
    return ReferenceWords("✕", f"Off the reference{since}", "does_not")


def distance_words(step: Step) -> str:
    """``4.21 m to the goal``; why not, where it is unknown."""
    if step.to_goal_m is None:
        return "distance to the goal unknown"
    if step.to_goal_m == float("inf"):
        return "no way to the goal"
    return f"{step.to_goal_m:.2f} m to the goal"


def card_parts(decision: Decision) -> tuple[CardPart, ...]:
    """Everything a decision says, each text once, in the order in which it reads.

    Thought and plan come first where the output does not hold them itself, then the parts of the
    output, what the agent was told, the history that the log keeps beside it (MapGPT, NavGPT), what
    the program printed, and the output as it was where it was taken apart. Text under no name is
    the thought where the reader found it to be (NavGPT, whose prompt ends in ``Thought:``).
    """
    written = output_parts(decision.raw_text)
    thought = decision.thought.strip()
    parts = [
        CardPart(
            part.name or ("Thought" if thought and part.text == thought else "Output"), part.text
        )
        for part in written
    ]
    kinds = {part.kind for part in parts}
    first = []
    if decision.thought.strip() and not (kinds & _THOUGHTS or _has(parts, decision.thought)):
        first.append(CardPart("Thought", decision.thought))
    if decision.plan.strip() and not (kinds & _PLANS or _has(parts, decision.plan)):
        first.append(CardPart("Plan", decision.plan))
    parts = first + parts
    if decision.observation.strip() and not _has(parts, decision.observation):
        parts.append(CardPart("Observation", decision.observation))
    history = decision.extra.get("history")
    if isinstance(history, str) and history.strip() and "history" not in kinds:
        parts.append(CardPart("History", history))
    printed = decision.extra.get(CONSOLE)
    if isinstance(printed, str) and printed.strip():
        parts.append(CardPart("Console", printed))
    if any(part.name for part in written):
        parts.append(CardPart("Raw output", decision.raw_text))
    return tuple(parts)


def parted_thought(parts: tuple[CardPart, ...]) -> tuple[CardPart | None, tuple[CardPart, ...]]:
    """The first thought of a step, and everything else; ``None`` where the log has no thought."""
    thought = next((part for part in parts if part.kind in _THOUGHTS), None)
    return thought, tuple(part for part in parts if part is not thought)


def _has(parts: list[CardPart], text: str) -> bool:
    return any(part.text.strip() == text.strip() for part in parts)
