"""The shape of an agent as every PhysX engine builds it, so that all of them stop it alike."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import Collider

SKIN_M = 0.0004
"""Thickness of a skin that replaces the outermost layer of the hull. The solver lets pushed
bodies overlap by 0.1 mm, enough for the top of a step to lift a hull that its face should stop."""

TOUCH_M = 0.0005
"""Contact points with a wider gap are only being watched, unless they carry a force."""


_MOST_OUTSIDE_M = 0.0009
"""How far the corners of a prism may stand out of its cylinder: rays that look for obstacles
start 1 mm outside it and must not meet the agent itself."""


class HullPart(NamedTuple):
    """One convex part of a hull, upright, centred on the feet in plan."""

    kind: str
    """``box``, ``prism`` (stands for a cylinder) or ``capsule``."""

    width_m: float
    depth_m: float
    bottom_m: float
    top_m: float

    @property
    def radius_m(self) -> float:
        """Of a prism or capsule."""
        return self.width_m / 2

    @property
    def middle_m(self) -> float:
        """Height of its centre above the feet."""
        return (self.bottom_m + self.top_m) / 2

    @property
    def height_m(self) -> float:
        """From its lower to its upper end."""
        return self.top_m - self.bottom_m


def hull_parts(collider: Collider) -> list[HullPart]:
    """The parts that make up an agent, smaller by the skin all around."""
    inner = replace(
        collider,
        width_m=collider.width_m - 2 * SKIN_M,
        depth_m=collider.depth_m - 2 * SKIN_M,
        bottom_m=collider.bottom_m + SKIN_M,
        top_m=collider.top_m - SKIN_M,
    )
    size = (inner.width_m, inner.depth_m)
    if inner.shape == "box":
        return [HullPart("box", *size, inner.bottom_m, inner.top_m)]
    if inner.shape == "capsule" and inner.top_m - inner.bottom_m >= inner.width_m:
        # Full width from the lifted bottom to the shoulders, round above them.
        shoulders_m = inner.top_m - inner.width_m / 2
        return [
            HullPart("capsule", *size, inner.bottom_m, inner.top_m),
            HullPart("prism", *size, inner.bottom_m, shoulders_m),
        ]
    return [HullPart("prism", *size, inner.bottom_m, inner.top_m)]


def prism_points(part: HullPart, sides: int, turned_rad: float = 0.0) -> NDArray[np.float32]:
    """Corners of a regular prism whose sides lie as far outside a cylinder as inside it.

    A prism, because the cylinders of PhysX ride up on edges that overlap their rim by 2 mm.

    Args:
        part: Whose radius and ends it has.
        sides: How many.
        turned_rad: Where its first corner is, counter-clockwise from +X.

    Returns:
        (2 · sides, 3): the lower ring, then the upper one, counter-clockwise.
    """
    angles = np.arange(sides) * math.tau / sides + turned_rad
    outer = part.radius_m * 2 / (1 + math.cos(math.pi / sides))
    outer = min(outer, part.radius_m + SKIN_M + _MOST_OUTSIDE_M)
    ring = outer * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ends = [np.column_stack([ring, np.full(sides, z)]) for z in (part.bottom_m, part.top_m)]
    return np.concatenate(ends).astype(np.float32)


def prism_faces(sides: int) -> NDArray[np.int32]:
    """Triangles over the points of a prism, wound outwards."""
    faces = []
    for index in range(sides):
        after = (index + 1) % sides
        faces += [(index, after, sides + after), (index, sides + after, sides + index)]
        if 0 < index < sides - 1:
            faces += [(0, after, index), (sides, sides + index, sides + after)]
    return np.array(faces, dtype=np.int32)
