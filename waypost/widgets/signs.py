"""The sign, the word and the colour of every state; colour never stands alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from waypost.domain.graph import EdgeKind
from waypost.domain.traversability import Verdict


class PassageState(StrEnum):
    """What is known about a passage."""

    UNDECIDED = "undecided"
    TRAVELS = "travels"
    DOES_NOT = "does_not"
    UNCERTAIN = "uncertain"
    STALE = "stale"


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


EDGE_KIND_MARKS: Mapping[EdgeKind, str] = MappingProxyType(
    {EdgeKind.WALK: "→", EdgeKind.DOOR: "◫", EdgeKind.STAIRS: "▟", EdgeKind.ELEVATOR: "↕"}
)
"""One character for each kind of edge."""


def state_of(verdict: Verdict | None, *, is_stale: bool = False) -> PassageState:
    """The state of a passage from its label; ``None`` for no label."""
    if verdict is None:
        return PassageState.UNDECIDED
    return PassageState.STALE if is_stale else PassageState(verdict.value)
