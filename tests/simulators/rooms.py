"""Small scenes built from boxes and wedges, and the agents driven through them.

They are those of ``waypost conformance``, so that a test of an engine and the command agree.
"""

from __future__ import annotations

from waypost.services.conformance.rooms import (
    HUMAN,
    HUMANOID,
    QUADRUPED,
    SWEEPER,
    WHEELCHAIR,
    agent,
    box,
    door,
    floor,
    inverted,
    joined,
    ramp,
    scene,
    sill,
    stairs,
)

__all__ = [
    "HUMAN",
    "HUMANOID",
    "QUADRUPED",
    "SWEEPER",
    "WHEELCHAIR",
    "agent",
    "box",
    "door",
    "floor",
    "inverted",
    "joined",
    "ramp",
    "scene",
    "sill",
    "stairs",
]
