"""How an agent's plan changed on the way: what was kept, struck out and planned anew."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from waypost.domain.episode.run import Decision, EventKind
from waypost.domain.replay.replay import Replay

_ITEM: Final = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+(?P<text>.+?)\s*$", re.MULTILINE)
_PREFIX: Final = "feedback: "


class PlanFeedback(StrEnum):
    """What the surroundings told the planner (CorNav, arXiv:2306.10322)."""

    IN_PLAN = "in_plan"
    """The plan still holds; its next part may be refined."""

    OUT_OF_PLAN = "out_of_plan"
    """The plan no longer fits; its tail was made anew."""


@dataclass(frozen=True, slots=True)
class PlanState:
    """The plan at one step beside the one before."""

    step: int
    items: tuple[str, ...]
    """The plan as it stands now."""

    kept: int
    """So many first items are those of the plan before."""

    struck_out: tuple[str, ...]
    """The tail of the plan before that no longer stands."""

    feedback: PlanFeedback | None
    """Kind of the feedback, where its text says so."""

    feedback_text: str = ""
    """What the agent was told when it made this plan; empty where the log does not show it."""

    @property
    def added(self) -> tuple[str, ...]:
        """The tail that was planned anew."""
        return self.items[self.kept :]


def parse_plan(text: str) -> tuple[str, ...]:
    """The items of a plan: numbered or bulleted lines, else sentences by line."""
    items = tuple(match["text"] for match in _ITEM.finditer(text))
    return items or tuple(line.strip() for line in text.splitlines() if line.strip())


def next_state(before: tuple[str, ...], text: str, step: int, feedback: str = "") -> PlanState:
    """The plan that a text states, beside the items before.

    A plan that only drops items from its front has gone on, not changed: what was done is
    neither kept nor struck out.
    """
    items = parse_plan(text)
    rest = before
    for done in range(len(before)):
        if items and before[done:] == items[: len(before) - done]:
            rest = before[done:]
            break
    kept = 0
    while kept < min(len(rest), len(items)) and rest[kept] == items[kept]:
        kept += 1
    return PlanState(step, items, kept, rest[kept:], feedback_kind(feedback), feedback)


def feedback_kind(feedback: str) -> PlanFeedback | None:
    """Whether feedback is in or out of plan, where its text says so."""
    words = feedback.lower().replace("-", "_").replace(" ", "_")
    if PlanFeedback.OUT_OF_PLAN in words:
        return PlanFeedback.OUT_OF_PLAN
    return PlanFeedback.IN_PLAN if PlanFeedback.IN_PLAN in words else None


def plan_states(replay: Replay) -> tuple[PlanState, ...]:
    """One state for every step whose decision states a plan, in order.

    The feedback of a plan is that of the decision before it, which the plan answers. Where no
    decision states one, the plan that was made before the run (NavGPT) stands from the start on.
    """
    states: list[PlanState] = []
    before: tuple[str, ...] = ()
    told = ""
    for step, index in enumerate(replay.decisions.tolist()):
        if index < 0:
            continue
        decision = replay.run.decisions[index]
        if decision.plan.strip():
            states.append(next_state(before, decision.plan, step, told))
            before = states[-1].items
        told = feedback_of(decision)
    made_before = plan_made_before(replay)
    if made_before and not states and len(replay):
        states.append(next_state((), made_before, 0))
    return tuple(states)


def plan_made_before(replay: Replay) -> str:
    """The plan that the program asked for before the first step; empty where there is none."""
    sources = (replay.run.extra.get("action_plan"), replay.episode.extra.get("action_plan"))
    return next((text for text in sources if isinstance(text, str) and text.strip()), "")


def feedback_of(decision: Decision) -> str:
    """What the agent was told after a decision; empty where the log does not show it."""
    stated = decision.extra.get("feedback")
    if isinstance(stated, str):
        return stated
    told = (event.message for event in decision.events if event.kind is EventKind.OTHER)
    return next((text.removeprefix(_PREFIX) for text in told if text.startswith(_PREFIX)), "")
