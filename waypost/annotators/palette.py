"""The colours that graph, labels and agents are drawn in over a scene.

They are the same in both themes, because what is behind them is the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waypost.domain.agent import AgentProfile
from waypost.domain.traversability import Labels, Passage
from waypost.viewers.drawing import Color, with_alpha
from waypost.viewers.theme_colors import IN_SCENE, rgb
from waypost.widgets.signs import PassageState, state_of


def passage_state(
    labels: Labels, passage: Passage, scene_hash: str, profile: AgentProfile | None
) -> PassageState:
    """Where a passage stands; a stale label no longer counts as its verdict."""
    label = labels.get(passage)
    if label is None:
        return PassageState.UNDECIDED
    return state_of(label.verdict, is_stale=label.is_stale(scene_hash, profile))


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
