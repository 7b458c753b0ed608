"""The colours that graph, labels and agents are drawn in over a scene.

They are the same in both themes, bright with a dark outline, because what is behind them is the
scene and not the window.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waypost.domain.traverse.traversability import PassageState
from waypost.services.appearance import DARK, SIGNS
from waypost.viewers.scene.drawing import Color, rgb

STATE_COLORS: Mapping[PassageState, Color] = MappingProxyType(
    {state: rgb(getattr(DARK, SIGNS[state].colour)) for state in PassageState}
)

NODE = rgb("#e8edf4")
EDGE = rgb("#9fb3c8")
OUTLINE = rgb("#12151a")
"""Border that keeps nodes and lines apart from the scene behind them."""

SELECTION = rgb(DARK.highlight)
HOVER = rgb("#ffffff")
GHOST = rgb(DARK.highlight, 0.7)
"""A node or edge that a click would make."""

PROBLEM = rgb("#ff8a3d")
SIGN_TEXT = rgb("#12151a")
"""Text upon the colour of a state or a problem."""

MEASURE = rgb("#f2f2a0")
AGENT = rgb(DARK.agent, 0.6)
NAVMESH = rgb("#1fd1c2", 0.38)
PATH = rgb("#5aa9ff")
CONTACT = rgb("#ff6b5e")
