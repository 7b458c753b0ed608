"""What triangles alone say about one passage."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.base.frames import Vec3
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
class GeometricMeasure:
    """Both answers about a passage and what they stand on.

    Lengths in metres, places in the scene frame; ``None`` is "not measured" or "there is none".
    """

    passage: Passage
    straight: GeometricAnswer
    """Strictly along the edge: nothing touched."""

    any_path: GeometricAnswer
    """By any path within the detour that passes no other node."""

    path: tuple[Pose, ...] = ()
    """Of ``any_path``; the straight edge where that is free."""

    detour_m: float | None = None
    """Length of the path beyond the straight edge."""

    clear_width_m: float | None = None
    """Diameter of the widest disc that moves between the nodes in the body's band of heights."""

    clear_width_at_m: Vec3 | None = None
    clear_width_length_m: float | None = None
    """Over what length the way is within 1 cm of that width."""

    step_up_m: float = 0.0
    step_up_at_m: Vec3 | None = None
    step_down_m: float = 0.0
    step_down_at_m: Vec3 | None = None
    flights: int = 0
    """Flights of stairs on the path."""

    slope_deg: float = 0.0
    head_room_m: float | None = None
    """Least free height above the ground of the path; ``None`` under open sky."""

    hole_m: float | None = None
    """Diameter of the widest disc of nothing under the body along the path."""

    turn_needs_m: float | None = None
    turn_has_m: float | None = None
    """Diameters of the free disc for a full turn at the tighter node: needed, and there."""

    turns: tuple[GeometricTurn, ...] = ()
    """Standing and turning at the two nodes, judged apart from passing."""

    reversals: int = 0
    """How often the drive type must change between forward and backward on the path."""

    floor_noise_m: float = 0.0
    """Standard deviation of the floor's own unevenness."""


@dataclass(frozen=True, slots=True)
class GeometricTurn:
    """What a body can do at a node, within its tolerance."""

    node_id: str
    stands_in_any_heading: bool
    needs_m: float
    """Diameter of the free disc for a full turn."""

    has_m: float
    """Diameter of the widest free disc about a place within the tolerance."""

    turns_fully: Verdict
    to_edges: tuple[tuple[str, Verdict], ...] = ()
    """For each other neighbour: whether it can turn from arriving here to leaving there."""
