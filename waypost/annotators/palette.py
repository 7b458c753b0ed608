"""The colours and signs that graph, labels and agents are drawn in over a scene.

They are the same in both themes, because what is behind them is the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from waypost.domain.agent import AgentProfile
from waypost.domain.traversability import Labels, Passage, Verdict
from waypost.viewers.drawing import Color, with_alpha
from waypost.viewers.theme_colors import IN_SCENE, VERDICT_SIGNS, rgb


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
        PassageState.TRAVELS: VERDICT_SIGNS[Verdict.TRAVELS],
        PassageState.DOES_NOT: VERDICT_SIGNS[Verdict.DOES_NOT],
        PassageState.UNCERTAIN: VERDICT_SIGNS[Verdict.UNCERTAIN],
        PassageState.UNDECIDED: VERDICT_SIGNS[None],
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


STATE_COLORS: Mapping[PassageState, Color] = MappingProxyType(
    {
        PassageState.TRAVELS: IN_SCENE.travels,
        PassageState.DOES_NOT: IN_SCENE.does_not,
        PassageState.UNCERTAIN: IN_SCENE.uncertain,
        PassageState.UNDECIDED: IN_SCENE.undecided,
        PassageState.STALE: IN_SCENE.stale,
    }
)

NODE = rgb("#e8edf4")
EDGE = rgb("#9fb3c8")
OUTLINE = rgb("#12151a")
"""Border that keeps nodes and lines apart from the scene behind them."""

SELECTION = IN_SCENE.selection
HOVER = IN_SCENE.hover
GHOST = with_alpha(IN_SCENE.selection, 0.7)
"""A node or edge that a click would make."""

PROBLEM = rgb("#ff8a3d")
SIGN_TEXT = rgb("#12151a")
"""Text upon the colour of a state or a problem."""

MEASURE = rgb("#f2f2a0")
AGENT = with_alpha(IN_SCENE.agent, 0.6)
PATH = IN_SCENE.reference
CONTACT = IN_SCENE.contact

_VERDICT_STATES = {
    Verdict.TRAVELS: PassageState.TRAVELS,
    Verdict.DOES_NOT: PassageState.DOES_NOT,
    Verdict.UNCERTAIN: PassageState.UNCERTAIN,
}
