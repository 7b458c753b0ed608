"""Put NavGPT's texts beside the moves they led to, by the viewpoint they name and by order.

Source: GengzeZhou/NavGPT:nav_src/agent.py (tools ``action_maker`` and ``back_tracer``).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.run import Decision, Event, EventKind
from waypost.io.logs.language_models.navgpt_memory import as_told

_ACTION: Final = re.compile(r"Action\s*\d*\s*:\s*(?P<tool>[^\n]*)")
_INPUT: Final = re.compile(
    r"Action\s*\d*\s*Input\s*\d*\s*:\s*[\"'“]?(?P<target>[0-9a-fA-F]{32})?", re.DOTALL
)
_THOUGHT: Final = re.compile(
    r"^\s*(?:Thought\s*:)?\s*(?P<thought>.*?)\s*(?=\n?\s*Action\s*\d*\s*:|\Z)", re.DOTALL
)
_MAKER_THOUGHT: Final = re.compile(
    r"Action_maker Thought:\n(?P<thought>.*?)\n\tAction_maker Action:", re.DOTALL
)
_BACK_TRACER: Final = "back_tracer"
OUT_OF_STEPS: Final = "Agent stopped due to"
"""How LangChain's own last word begins where a limit ends a run; the model did not write it."""

_REFUSED: Final = re.compile(
    r"is not valid|Invalid Format|Could not parse LLM output|Parsing LLM output produced"
    r"|is not a valid tool|Invalid or incomplete response"
)


@dataclass(frozen=True, slots=True)
class Move:
    """A group of the trajectory: one action that led over some viewpoints."""

    first_pose: int
    end_pose: int
    target: str
    """Where it ended; where the agent stood already if the group is empty."""


@dataclass(frozen=True, slots=True)
class _Text:
    """What one answer of the model says."""

    thought: str
    tool: str
    target: str
    """The viewpoint it names; empty if it names none."""

    maker_thought: str
    """The thought that the tool itself had, in the mode where a tool chooses."""

    is_refused: bool

    @property
    def is_back_trace(self) -> bool:
        return self.tool.strip().startswith(_BACK_TRACER)


def _parse(text: str, result: str) -> _Text:
    thought = _THOUGHT.match(text)
    tool = _ACTION.search(text)
    target = _INPUT.search(text)
    maker = _MAKER_THOUGHT.search(result)
    return _Text(
        thought["thought"] if thought else text.strip(),
        tool["tool"].strip() if tool else "",
        (target["target"] or "") if target else "",
        maker["thought"] if maker else "",
        bool(_REFUSED.search(result)),
    )


def align(
    viewpoints: Sequence[str],
    moves: Sequence[Move],
    details: Sequence[dict[str, Any]],
    texts: Sequence[tuple[str, str]],
    final: str,
) -> list[Decision]:
    """One decision for every move and every text, in order.

    Args:
        viewpoints: The route.
        moves: The groups of the trajectory after the start.
        details: NavGPT's ``details``, which know only moves of the action maker.
        texts: Pairs of what the model wrote and what the tool answered.
        final: The model's last word, empty if not logged.

    Returns:
        Decisions whose pose ranges cover the route in order. Text that names no valid move has
        a ``NO_MOVE`` event, text that fits no move an ``UNMATCHED_TEXT`` event.
    """
    parsed = [_parse(text, result) for text, result in texts]
    of_entry = match_in_order(
        len(details), len(moves), lambda i, j: details[i].get("viewpointID") == moves[j].target
    )
    entries: list[dict[str, Any]] = [{} for _ in moves]
    strays = []
    for entry, move in zip(details, of_entry, strict=True):
        if move is None:
            strays.append(_stray_entry(entry, len(viewpoints)))
        else:
            entries[move] = entry
    of_text = match_in_order(
        len(texts), len(moves), lambda i, j: _fits(parsed[i], moves[j], entries[j])
    )
    made = [_move_decision(moves[j], entries[j], viewpoints) for j in range(len(moves))]
    decisions = _merged(parsed, texts, made, of_text, viewpoints)
    if final:
        seen = next((result for _, result in reversed(texts) if result), "")
        decisions.append(_last(final, viewpoints, seen))
    told = as_told(decisions)
    return [*told[:-1], *strays, told[-1]] if final else told + strays


def _merged(
    parsed: Sequence[_Text],
    texts: Sequence[tuple[str, str]],
    made: Sequence[Decision],
    of_text: Sequence[int | None],
    viewpoints: Sequence[str],
) -> list[Decision]:
    """Moves and texts in one order, each text at the move that it led to."""
    decisions: list[Decision] = []
    at, seen = 0, ""
    for index, (text, result) in enumerate(texts):
        found = of_text[index]
        if found is None:
            pose = made[at].first_pose if at < len(made) else len(viewpoints)
            decision = _still(parsed[index], pose, viewpoints)
        else:
            decisions += made[at:found]
            decision, at = made[found], found + 1
        decisions.append(_with_text(decision, parsed[index], text, result, seen))
        seen = result or seen
    return decisions + list(made[at:])


def match_in_order(
    count: int, other_count: int, fits: Callable[[int, int], bool]
) -> list[int | None]:
    """Pair two sequences without crossing, as many pairs as can be; early ones first.

    Args:
        count: Length of the sequence that is matched.
        other_count: Length of the sequence that it is matched with.
        fits: Whether element ``i`` may be paired with element ``j`` of the other.

    Returns:
        For each element its partner, or ``None``.
    """
    best = [[0] * (other_count + 1) for _ in range(count + 1)]
    pairs = [[fits(i, j) for j in range(other_count)] for i in range(count)]
    for i in reversed(range(count)):
        for j in reversed(range(other_count)):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], pairs[i][j] + best[i + 1][j + 1])
    partners: list[int | None] = [None] * count
    i = j = 0
    while i < count and j < other_count:
        if pairs[i][j] and best[i][j] == 1 + best[i + 1][j + 1]:
            partners[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            i += 1
    return partners


def _fits(text: _Text, move: Move, entry: dict[str, Any]) -> bool:
    """Whether a text can have led to a move; a tool's own thought or name stands for an id."""
    if text.is_refused:
        return False
    if text.target:
        return move.target == text.target
    if text.is_back_trace:
        return not entry
    return bool(text.maker_thought) and entry.get("acion_maker_thought") == text.maker_thought


def _move_decision(move: Move, entry: dict[str, Any], viewpoints: Sequence[str]) -> Decision:
    thought = entry.get("acion_maker_thought")
    return Decision(
        move.first_pose,
        move.end_pose,
        at_viewpoint_id=viewpoints[move.first_pose - 1] if move.first_pose else "",
        action=move.target,
        thought=thought if isinstance(thought, str) else "",
        extra=MappingProxyType(
            {key: value for key, value in entry.items() if key != "acion_maker_thought"}
        ),
    )


def _still(text: _Text, pose: int, viewpoints: Sequence[str]) -> Decision:
    if text.is_refused or not (text.target or text.tool):
        kind, message = EventKind.NO_MOVE, "the text names no valid move; the agent stayed"
        if text.target:
            message = f"{text.target} cannot be reached from here; the agent stayed"
    else:
        kind = EventKind.UNMATCHED_TEXT
        message = "the text fits no move of the path; it is shown where it stood in the order"
    return Decision(
        pose,
        pose,
        at_viewpoint_id=viewpoints[pose - 1] if pose else "",
        action=text.target or text.tool,
        events=(Event(kind, message),),
    )


def _with_text(decision: Decision, text: _Text, raw: str, result: str, seen: str) -> Decision:
    extra = dict(decision.extra) | ({"result": result} if result else {})
    whole = dataclasses.replace(
        decision,
        raw_text=raw,
        thought=decision.thought or text.thought,
        observation=seen,
        extra=MappingProxyType(extra),
    )
    if text.is_back_trace and decision.end_pose > decision.first_pose:
        back = Event(EventKind.BACKTRACK, f"the model went back to {decision.action}")
        return dataclasses.replace(whole, events=(*whole.events, back))
    return whole


def _stray_entry(entry: dict[str, Any], pose: int) -> Decision:
    thought = entry.get("acion_maker_thought")
    message = f"an entry of details names {entry.get('viewpointID')!r}, which no move led to"
    return Decision(
        pose,
        pose,
        thought=thought if isinstance(thought, str) else "",
        events=(Event(EventKind.UNMATCHED_TEXT, message),),
        extra=MappingProxyType(dict(entry)),
    )


def _last(final: str, viewpoints: Sequence[str], seen: str) -> Decision:
    if final.startswith(OUT_OF_STEPS):
        told = Event(EventKind.OTHER, f"the program ended the run: {final}")
        return Decision(
            len(viewpoints),
            len(viewpoints),
            at_viewpoint_id=viewpoints[-1],
            observation=seen,
            events=(told,),
        )
    return Decision(
        len(viewpoints),
        len(viewpoints),
        at_viewpoint_id=viewpoints[-1],
        action="stop",
        raw_text=final,
        observation=seen,
        events=(Event(EventKind.STOP, "the model's last word"),),
    )
