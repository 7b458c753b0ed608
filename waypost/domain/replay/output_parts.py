"""What a model wrote, taken apart as its prompt asked for: reasoning, thought, plan, action."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from waypost.domain.base.sentences import capitalised
from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.run import Decision, EventKind

_LONGEST: Final = 200_000
"""Names are looked for so far only: nothing that long is one decision."""

_MOST_PARTS: Final = 60
"""What follows stays together."""

_NAMES: Final = (
    "Reasoning", "Reflection", "Final Decision", "Final Answer", "Decision", "Thinking", "Think",
    "Thought", "New Planning", "Planning", "Plan", "Action", "Observation", "Prediction",
    "Distance", "Summary", "Answer", "History", "Feedback",
)  # fmt: skip
_ANY: Final = "|".join(name.replace(" ", "[ _]") for name in _NAMES)
_TAG: Final = re.compile(rf"<[ ]?(?P<close>/?)[ ]?(?P<name>{_ANY})[ ]?>[ ]?:?", re.IGNORECASE)
_LABEL: Final = re.compile(
    rf"^[ \t]{{0,8}}[#>*_-]{{0,4}}[ \t]?[*_]{{0,3}}"
    rf"(?P<name>(?:Fused |Action_maker )?(?:{_ANY})(?: ?\d{{0,3}} ?Input)?(?: ?\d{{1,3}})?)"
    rf"[ \t]?[*_]{{0,3}}[ \t]?:[*_]{{0,3}}",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE: Final = re.compile(r"^\s*(?:```(?:json)?|'''|json)?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OutputPart:
    """A named piece of what a model wrote."""

    name: str
    """As written, e.g. ``Final Decision``; empty for text under no name."""

    text: str
    """Without the name, otherwise as it was."""


@lru_cache(maxsize=64)
def output_parts(raw_text: str) -> tuple[OutputPart, ...]:
    """Fold a model's output into parts, in the order of the text.

    Known are tags such as ``<Reasoning>`` (closed or not), lines that begin with a name and a
    colon (``Thought:``, ``**Action 2 Input**:``) and answers that are one JSON object. Whatever
    stands under no known name is a part without a name: no text gets lost.
    """
    if not raw_text.strip():
        return ()
    members = _json_members(raw_text)
    if members is not None:
        return members
    head, rest = raw_text[:_LONGEST], raw_text[_LONGEST:]
    parts = _by_tags(head) if _TAG.search(head) else _by_labels(head, _MOST_PARTS)
    if rest:
        last = parts.pop() if parts else OutputPart("", "")
        parts.append(OutputPart(last.name, last.text + rest))
    return tuple(parts)


def _json_members(text: str) -> tuple[OutputPart, ...] | None:
    """The members of an answer that is one JSON object, fenced or not."""
    start, end = text.find("{"), text.rfind("}")
    is_lone = 0 <= start < end and len(text) <= _LONGEST
    if not (is_lone and _FENCE.match(text[:start]) and _FENCE.match(text[end + 1 :])):
        return None
    try:
        value = json.loads(text[start : end + 1], strict=False)
    except (RecursionError, ValueError):
        return None
    if not isinstance(value, dict) or not value or len(value) > _MOST_PARTS:
        return None
    return tuple(OutputPart(one_line(key, 60), _as_text(member)) for key, member in value.items())


def _as_text(member: Any) -> str:
    if isinstance(member, str):
        return member
    if isinstance(member, list) and all(isinstance(entry, str) for entry in member):
        return "\n".join(f"- {entry}" for entry in member)
    return json.dumps(member, ensure_ascii=False, indent=1)


def _by_tags(text: str) -> list[OutputPart]:
    parts: list[OutputPart] = []
    name, at = "", 0
    for tag in islice(_TAG.finditer(text), _MOST_PARTS):
        _add(parts, name, text[at : tag.start()])
        name, at = "" if tag["close"] else _title(tag["name"]), tag.end()
    _add(parts, name, text[at:])
    return parts


def _by_labels(text: str, most: int) -> list[OutputPart]:
    parts: list[OutputPart] = []
    name, at = "", 0
    for label in islice(_LABEL.finditer(text), most):
        _add(parts, name, text[at : label.start()], has_labels=False)
        name, at = _title(label["name"]), label.end()
    _add(parts, name, text[at:], has_labels=False)
    return parts


def _add(parts: list[OutputPart], name: str, text: str, *, has_labels: bool = True) -> None:
    """Add a part; text under no tag may have labels of its own."""
    stripped = text.strip()
    if name:
        parts.append(OutputPart(name, stripped))
    elif stripped and has_labels:
        parts += _by_labels(stripped, max(_MOST_PARTS - len(parts), 0))
    elif stripped:
        parts.append(OutputPart("", stripped))


def _title(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def why_no_move(decision: Decision) -> tuple[str, ...]:
    """In words, why what the model wrote led to no valid move; empty if nothing is wrong.

    Taken from the events of the log, the answer of the tool, and options that were not offered.
    """
    wrong = {EventKind.NO_MOVE, EventKind.UNMATCHED_TEXT}
    told = [_sentence(event.message) for event in decision.events if event.kind in wrong]
    named = decision.action.strip()
    labels = [option.label for option in decision.options]
    is_letter = len(named) == 1 and named.isalpha()
    if is_letter and labels and named not in labels and all(len(label) == 1 for label in labels):
        told.append(f"It names option {named}; offered were {', '.join(labels)}.")
    result = decision.extra.get("result")
    if told and isinstance(result, str) and result.strip():
        told.append(f"The program answered: “{one_line(result, 300)}”")
    return tuple(dict.fromkeys(told))


def _sentence(message: str) -> str:
    text = one_line(message, 400)
    return capitalised(text) + ("" if text.endswith((".", "!", "?", "…")) else ".")
