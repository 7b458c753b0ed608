"""The numbers that replay and failure tags depend on, in one place, so that they can be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ReplayRules:
    """Thresholds; each tag and each derived column names the ones it uses."""

    success_radius_m: float = 3.0
    """A run succeeds if it ends strictly nearer to the goal than this."""

    off_reference_m: float = 1.0
    """How far a run without viewpoints may stray from the line of its reference, in plan."""

    storey_m: float = 1.5
    """A difference in height from which on two places lie on different storeys."""

    place_radius_m: float = 1.0
    """Without viewpoints: how far one moves before it counts as another place."""

    loop_visits: int = 3
    """So many separate visits to one place are a loop."""

    first_turn_m: float = 1.5
    """Without viewpoints: how far out the first turn is looked at."""

    first_turn_rad: float = 1.5707963267948966
    """Without viewpoints: a first direction that is off by more than this is wrong."""


DEFAULT_RULES: Final = ReplayRules()
"""What the documentation states."""
