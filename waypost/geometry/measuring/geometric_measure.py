"""What triangles alone say about one passage."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.measure import PassageFacts
from waypost.domain.traverse.traversability import Passage, Reason, Verdict

Pose = tuple[float, float, float, float]
"""x, y, z of the ground in metres, heading in radians."""


@dataclass(frozen=True, slots=True)
class GeometricAnswer:
    """One of the two answers, with its own reason and place."""

    verdict: Verdict
    words: str
    """Why, in one clause, e.g. ``needs 0.70 m, has 0.66 m``."""

    reason: Reason | None = None
    """What is in the way; set for ``does_not``, and for ``uncertain`` where it is known."""

    at_m: Vec3 | None = None
    margin_m: float | None = None
    """How far the deciding quantity is from its limit; negative where it does not pass."""

    contacts: tuple[str, ...] = ()
    """Names of the objects in the way, or underfoot where that makes the answer uncertain."""


@dataclass(frozen=True, slots=True)
class GeometricMeasure(PassageFacts):
    """Both answers about a passage and what they stand on."""

    passage: Passage
    straight: GeometricAnswer
    """Strictly along the edge: nothing touched."""

    any_path: GeometricAnswer
    """By any path within the detour that passes no other node."""

    path: tuple[Pose, ...] = ()
    """Of ``any_path``; the straight edge where that is free."""

    turns: tuple[GeometricTurn, ...] = ()
    """Standing and turning at the two nodes, judged apart from passing."""

    floor_noise_m: float = 0.0
    """Standard deviation of the floor's own unevenness."""


@dataclass(frozen=True, slots=True)
class GeometricTurn:
    """What a body can do at a node, within its tolerance."""

    node_id: str
    needs_m: float
    """Diameter of the free disc for a full turn."""

    has_m: float
    """Diameter of the widest free disc about a place within the tolerance."""

    turns_fully: Verdict
    to_edges: tuple[tuple[str, Verdict], ...] = ()
    """For each other neighbour: whether it can turn from arriving here to leaving there."""
