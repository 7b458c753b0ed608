"""The colours and signs that graph and labels are drawn in; a sign never stands for colour alone.

The verdict colours differ in lightness as well as hue, so that they stay apart for red-green
blindness and in grey.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from waypost.domain.agent import AgentProfile
from waypost.domain.traversability import Labels, Passage, Verdict
from waypost.viewers.drawing import Color


class PassageState(StrEnum):
    """What the current agent's labels say about one direction of an edge."""

    TRAVELS = "travels"
    DOES_NOT = "does_not"
    UNCERTAIN = "uncertain"
    UNDECIDED = "undecided"
    STALE = "stale"
    """Labelled, but scene or agent have changed since."""


STATE_SIGNS: Mapping[PassageState, str] = MappingProxyType(
    {
        PassageState.TRAVELS: "✓",
        PassageState.DOES_NOT: "✕",
        PassageState.UNCERTAIN: "?",
        PassageState.UNDECIDED: "○",
        PassageState.STALE: "▨",
    }
)

STATE_TITLES: Mapping[PassageState, str] = MappingProxyType(
    {
        PassageState.TRAVELS: "travels",
        PassageState.DOES_NOT: "does not travel",
        PassageState.UNCERTAIN: "uncertain",
        PassageState.UNDECIDED: "undecided",
        PassageState.STALE: "stale",
    }
)


def passage_state(
    labels: Labels, passage: Passage, scene_hash: str, profile: AgentProfile | None
) -> PassageState:
    """Where a passage stands; a stale label no longer counts as its verdict."""
    label = labels.get(passage)
    if label is None:
        return PassageState.UNDECIDED
    if label.is_stale(scene_hash, profile):
        return PassageState.STALE
    return _VERDICT_STATES[label.verdict]


@dataclass(frozen=True, slots=True)
class Palette:
    """Every colour the annotators draw with, for one theme."""

    node: Color
    edge: Color
    outline: Color
    """Border that keeps nodes and lines apart from the scene behind them."""

    selection: Color
    hover: Color
    ghost: Color
    """A node that a click would make."""

    problem: Color
    sign_text: Color
    """Text upon the colour of a state."""

    measure: Color
    agent: Color
    path: Color
    contact: Color
    states: Mapping[PassageState, Color]


def palette(is_dark: bool) -> Palette:
    """The colours of a theme."""
    return _DARK if is_dark else _LIGHT


_VERDICT_STATES = {
    Verdict.TRAVELS: PassageState.TRAVELS,
    Verdict.DOES_NOT: PassageState.DOES_NOT,
    Verdict.UNCERTAIN: PassageState.UNCERTAIN,
}


def _rgb(text: str, alpha: float = 1.0) -> Color:
    red, green, blue = bytes.fromhex(text)
    return (red / 255, green / 255, blue / 255, alpha)


_DARK = Palette(
    node=_rgb("e8edf4"),
    edge=_rgb("9fb3c8"),
    outline=_rgb("12151a"),
    selection=_rgb("ffd54a"),
    hover=_rgb("7fd4ff"),
    ghost=_rgb("7fd4ff", 0.6),
    problem=_rgb("ff8a3d"),
    sign_text=_rgb("12151a"),
    measure=_rgb("f2f2a0"),
    agent=_rgb("6fb7ff", 0.55),
    path=_rgb("8fd3ff"),
    contact=_rgb("ff4d6d"),
    states=MappingProxyType(
        {
            PassageState.TRAVELS: _rgb("5fe08f"),
            PassageState.DOES_NOT: _rgb("ff6b5e"),
            PassageState.UNCERTAIN: _rgb("ffc845"),
            PassageState.UNDECIDED: _rgb("a9b2bd"),
            PassageState.STALE: _rgb("8b93a0"),
        }
    ),
)

_LIGHT = Palette(
    node=_rgb("1f3a5f"),
    edge=_rgb("34506e"),
    outline=_rgb("ffffff"),
    selection=_rgb("d9480f"),
    hover=_rgb("0b72c4"),
    ghost=_rgb("0b72c4", 0.6),
    problem=_rgb("b34700"),
    sign_text=_rgb("ffffff"),
    measure=_rgb("5b3fa8"),
    agent=_rgb("1f6fd0", 0.5),
    path=_rgb("0b5cad"),
    contact=_rgb("c2123b"),
    states=MappingProxyType(
        {
            PassageState.TRAVELS: _rgb("13773d"),
            PassageState.DOES_NOT: _rgb("b3201a"),
            PassageState.UNCERTAIN: _rgb("8a5a00"),
            PassageState.UNDECIDED: _rgb("5a6470"),
            PassageState.STALE: _rgb("6b5b73"),
        }
    ),
)
