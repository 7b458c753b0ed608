"""Where the mover looks: points under, around and ahead of an agent's hull, in its own frame."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.protocol import AgentBody


class Footprint:
    """The outline of an agent on the floor; x forward, y left, metres."""

    def __init__(self, body: AgentBody) -> None:
        self._is_box = body.shape == "box"
        self._half_depth = body.depth_m / 2
        self._half_width = body.width_m / 2

    def points(self, spacing_m: float) -> NDArray[np.float64]:
        """(N, 2) points that cover the footprint, edges included.

        Args:
            spacing_m: Largest gap between neighbours along the direction of travel and
                around a round hull; across, and towards the middle, up to half again as much.
        """
        if self._is_box:
            along = _grid(self._half_depth, spacing_m)
            across = _grid(self._half_width, 1.5 * spacing_m)
            return np.array([(x, y) for x in along for y in across])
        rings = [np.zeros((1, 2))]
        count = max(1, math.ceil(self._half_width / (1.5 * spacing_m)))
        for ring in range(1, count + 1):
            radius = self._half_width * ring / count
            rays = 4 * max(2 if ring < count else 3, math.ceil(math.tau * radius / spacing_m / 4))
            angles = np.arange(rays) * math.tau / rays
            rings.append(radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
        return np.concatenate(rings)

    def edge_point(self, angle_rad: float) -> tuple[float, float]:
        """Where a ray from the centre leaves the hull; 0 is forward, counter-clockwise."""
        x, y = math.cos(angle_rad), math.sin(angle_rad)
        if not self._is_box:
            return (self._half_width * x, self._half_width * y)
        scale = min(
            self._half_depth / abs(x) if abs(x) > 1e-9 else math.inf,
            self._half_width / abs(y) if abs(y) > 1e-9 else math.inf,
        )
        return (scale * x, scale * y)

    def is_leading(self, x_m: float, y_m: float, angle_rad: float) -> bool:
        """Whether a point of the hull faces the direction of travel, within 80°."""
        forward, left = math.cos(angle_rad), math.sin(angle_rad)
        if not self._is_box:
            on_hull = math.hypot(x_m, y_m) > self._half_width - 1e-9
            return on_hull and forward * x_m + left * y_m > 0.17 * self._half_width
        faces = (
            (abs(x_m) > self._half_depth - 1e-9, math.copysign(forward, x_m * forward)),
            (abs(y_m) > self._half_width - 1e-9, math.copysign(left, y_m * left)),
        )
        return any(on_hull and facing > 0.17 for on_hull, facing in faces)

    def contains(self, x_m: float, y_m: float) -> bool:
        """Whether a point lies under the agent."""
        if self._is_box:
            return abs(x_m) <= self._half_depth and abs(y_m) <= self._half_width
        return math.hypot(x_m, y_m) <= self._half_width

    def outward_rays(self) -> list[tuple[float, float, float]]:
        """Hull points and the direction (angle) in which to look for obstacles from them."""
        rays: list[tuple[float, float, float]] = []
        if not self._is_box:
            for index in range(12):
                angle = index * math.tau / 12
                rays.append((*self.edge_point(angle), angle))
            return rays
        for side in (-1.0, 0.0, 1.0):
            rays += [
                (self._half_depth, side * self._half_width, 0.0),
                (-self._half_depth, side * self._half_width, math.pi),
                (side * self._half_depth, self._half_width, math.pi / 2),
                (side * self._half_depth, -self._half_width, -math.pi / 2),
            ]
        return rays


def _grid(half_m: float, spacing_m: float) -> NDArray[np.float64]:
    return np.linspace(-half_m, half_m, max(2, math.ceil(2 * half_m / spacing_m) + 1))
