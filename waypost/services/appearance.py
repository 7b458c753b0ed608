"""The one table of colours and signs; widgets and views both show states with them.

Colour never stands alone: every state has a sign and a word beside its colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QEvent

from waypost.domain.base.mark_state import MarkState
from waypost.domain.scene.graph import EdgeKind
from waypost.domain.traverse.traversability import PassageState


@dataclass(frozen=True, slots=True)
class Sign:
    """How a state is shown."""

    mark: str
    """One character that DejaVu Sans has."""

    word: str
    colour: str
    """Name of a field of ``ThemeTokens``."""


SIGNS: Mapping[PassageState, Sign] = MappingProxyType(
    {
        PassageState.UNDECIDED: Sign("○", "undecided", "undecided"),
        PassageState.TRAVELS: Sign("✓", "travels", "travels"),
        PassageState.DOES_NOT: Sign("✕", "does not travel", "does_not"),
        PassageState.UNCERTAIN: Sign("?", "uncertain", "uncertain"),
        PassageState.STALE: Sign("▨", "stale", "stale"),
    }
)

NO_EDGE: Final = Sign("✕ no edge", "no edge", "does_not")
"""How a move between places that no edge joins is shown."""

EDGE_KIND_MARKS: Mapping[EdgeKind, str] = MappingProxyType(
    {EdgeKind.WALK: "→", EdgeKind.DOOR: "◫", EdgeKind.STAIRS: "▟", EdgeKind.ELEVATOR: "↕"}
)
"""One character for each kind of edge."""


SUCCESS_SIGNS: Mapping[bool | None, Sign] = MappingProxyType(
    {
        True: Sign("✓", "success", "travels"),
        False: Sign("✕", "no success", "does_not"),
        None: Sign("?", "success unknown", "uncertain"),
    }
)
"""How the outcome of a run of an episode is shown."""

MARK_SIGNS: Mapping[MarkState, Sign] = MappingProxyType(
    {
        MarkState.MARKED: Sign("●", "marked", "travels"),
        MarkState.BEGUN: Sign("◐", "begun", "uncertain"),
        MarkState.UNMARKED: Sign("○", "unmarked", "undecided"),
    }
)
"""How it is shown whether an episode is marked with root causes."""


@dataclass(frozen=True, slots=True)
class ThemeTokens:
    """The colours of one theme as ``#rrggbb``."""

    is_dark: bool
    stage: str
    """Behind the 3D scene."""

    window: str
    panel: str
    field: str
    """Inside of inputs and lists."""

    raised: str
    """Buttons and chips."""

    raised_hover: str
    border: str
    border_strong: str
    text: str
    muted: str
    disabled: str
    """Text of controls that cannot be used now; exempt from the contrast rule."""

    accent: str
    """Links, focus ring, progress."""

    on_accent: str
    selection: str
    on_selection: str
    travels: str
    does_not: str
    uncertain: str
    undecided: str
    stale: str
    disagreement: str
    agent: str
    """The agent, in pictures and words."""

    travels_fill: str
    does_not_fill: str
    uncertain_fill: str
    on_fill: str
    highlight: str
    """Bright outline of what is selected in a scene or on a plan."""

    section: str
    """Inside of walls that the cut opens."""

    label: str
    """Ground of labels in a scene, at ``LABEL_OPACITY``."""

    label_text: str


DARK: Final = ThemeTokens(
    is_dark=True,
    stage="#14171c",
    window="#171a20",
    panel="#21252d",
    field="#181b21",
    raised="#2d323c",
    raised_hover="#394050",
    border="#383e4a",
    border_strong="#556070",
    text="#e9ecf2",
    muted="#a9b1bf",
    disabled="#737c8b",
    accent="#5aa9ff",
    on_accent="#0b1420",
    selection="#264f86",
    on_selection="#ffffff",
    travels="#6fdc9a",
    does_not="#ff8f96",
    uncertain="#f5bf4f",
    undecided="#a9b1bf",
    stale="#c2b49a",
    disagreement="#c9a6ff",
    agent="#ffb066",
    travels_fill="#1d6b43",
    does_not_fill="#96303b",
    uncertain_fill="#77560f",
    on_fill="#ffffff",
    highlight="#7fd4ff",
    section="#3b424d",
    label="#14171c",
    label_text="#f2f4f7",
)

LIGHT: Final = ThemeTokens(
    is_dark=False,
    stage="#e4e8ee",
    window="#e9ecf1",
    panel="#f6f7f9",
    field="#ffffff",
    raised="#e7eaf0",
    raised_hover="#d9dee7",
    border="#c9cfd9",
    border_strong="#8a94a5",
    text="#1a1e26",
    muted="#505a6b",
    disabled="#8b94a3",
    accent="#155fbd",
    on_accent="#ffffff",
    selection="#c9dffb",
    on_selection="#0f1b2d",
    travels="#116338",
    does_not="#a81d2c",
    uncertain="#7a4f00",
    undecided="#505a6b",
    stale="#6b5a36",
    disagreement="#6234b5",
    agent="#944300",
    travels_fill="#1b7344",
    does_not_fill="#b02a38",
    uncertain_fill="#8a5a00",
    on_fill="#ffffff",
    highlight="#005e94",
    section="#59616d",
    label="#ffffff",
    label_text="#14181e",
)

LABEL_OPACITY: Final = 0.88
"""Least at which a label in a scene can be read, whatever is behind it."""


def changes_text_size(event: QEvent) -> bool:
    """Whether letters may have another size: by a font, or by a style sheet that names one."""
    return event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}


def tokens_named(theme: str) -> ThemeTokens:
    """The colours of ``dark`` or ``light``."""
    return LIGHT if theme == "light" else DARK


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of ``#rrggbb`` in [0, 1]."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return (red, green, blue)
