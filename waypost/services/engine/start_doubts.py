"""What to know of a take before it is believed: how the agent stands where its episode starts."""

from __future__ import annotations

from typing import Final

from waypost.domain.base.frames import Vec3
from waypost.simulators.protocol import Telemetry

_FLOOR_LIMIT_M: Final = 0.25
"""A floor further than this from the start's height is worth a word."""


def start_doubts(telemetry: Telemetry, start_m: Vec3) -> tuple[str, ...]:
    """One sentence for each thing that is odd about a start.

    Args:
        telemetry: Of the agent that was put there.
        start_m: Where it was to be put.
    """
    doubts = []
    if telemetry.blocked_by == "spawn":
        objects = ", ".join(contact.object for contact in telemetry.contacts) or "its surroundings"
        doubts.append(f"the agent does not fit at the start: it overlaps {objects}")
    gap_m = telemetry.position_m[2] - start_m[2]
    if abs(gap_m) > _FLOOR_LIMIT_M:
        doubts.append(f"the floor lies {gap_m:+.2f} m from the height that the episode states")
    return tuple(doubts)
