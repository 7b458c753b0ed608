"""What NavGPT's model had been told when it wrote: viewpoints to go to, history, what it saw.

``details`` keep what a move led to, under that move. The model read it before its next answer.
Source: GengzeZhou/NavGPT:nav_src/agent.py.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.run import Decision, Option

_NUMBERED: Final = re.compile(
    r"'(?P<id>[0-9a-fA-F]{32})':[ \t]*\n"
    r"(?P<text>heading: [-+\d.]+, elevation: [-+\d.]+, distance: [-+\d.]+)"
)
_BY_SIDE: Final = re.compile(r"^.*Navigable Viewpoints:\s*\{(?P<all>[^}\n]*)\}", re.MULTILINE)
_AT_SIDE: Final = re.compile(r"'(?P<id>[0-9a-fA-F]{32})':\s*'(?P<text>[^'\n]*)'")
_NOT_MOVED: Final = "is not valid, agent not moved"
_LED_TO: Final = ("history", "feature")


def offered_in(observation: str) -> tuple[Option, ...]:
    """The navigable viewpoints that a text lists, with their angles and distance as it has them.

    Known are the lines ``'<id>':`` above ``heading: …, elevation: …, distance: …`` and the lists
    by side, ``Front Navigable Viewpoints:{'<id>': 'left 3.10, 1.20m'}``.
    """
    found = {match["id"]: match["text"] for match in _NUMBERED.finditer(observation)}
    for side in _BY_SIDE.finditer(observation):
        found.update({match["id"]: match["text"] for match in _AT_SIDE.finditer(side["all"])})
    return tuple(Option("", name, text=text) for name, text in found.items())


def as_told(decisions: Iterable[Decision]) -> list[Decision]:
    """Decisions with the options, history and feature that the model had when it decided.

    After a move that ``details`` do not know, and after a refused one, the log does not tell the
    history. Options stay until the agent moves. What the last move led to nobody read: it stays
    with that move, under a name of its own.
    """
    told: list[Decision] = []
    known: Mapping[str, Any] = {}
    options: tuple[Option, ...] = ()
    for decision in decisions:
        options = offered_in(decision.observation) or options
        rest = {key: text for key, text in decision.extra.items() if key not in _LED_TO}
        extra = MappingProxyType(rest | _untold(known, decision.observation))
        told.append(dataclasses.replace(decision, options=options, extra=extra))
        if decision.end_pose > decision.first_pose:
            known = {key: decision.extra[key] for key in _LED_TO if key in decision.extra}
            options = ()
        elif _NOT_MOVED in str(decision.extra.get("result", "")):
            known = {key: text for key, text in known.items() if key != "history"}
    if told and told[-1].end_pose > told[-1].first_pose:
        unread = {f"{key}_after_the_move": text for key, text in known.items()}
        extra = MappingProxyType(dict(told[-1].extra) | unread)
        told[-1] = dataclasses.replace(told[-1], extra=extra)
    return told


def _untold(known: Mapping[str, Any], observation: str) -> dict[str, Any]:
    """What is known, but for a feature that the observation holds already."""
    return {
        key: text
        for key, text in known.items()
        if not (key == "feature" and str(text).strip() in observation)
    }
