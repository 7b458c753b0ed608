"""Tells a flight of stairs from a single step, for agents that may step up but not climb."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.simulators.protocol import MoverSettings


@dataclass(frozen=True)
class _Riser:
    x_m: float
    y_m: float
    is_up: bool


class StairGuard:
    """Watches the floor height in front of the hull and stops the agent at a second riser.

    A riser is a sudden change of height. Two risers in the same sense, close together, with
    none in the other sense between them, are a flight. The agent may then move any way but
    on; once it has backed off, it is free again.
    """

    def __init__(self, settings: MoverSettings, is_climber: bool) -> None:
        self._settings = settings
        self._is_climber = is_climber
        self._last: tuple[float, float, float] | None = None
        self._direction = (1.0, 0.0)
        self._riser: _Riser | None = None
        self._block: tuple[float, float, float, float] | None = None
        self.ceiling_m: float | None = None
        """While a flight upwards stops the agent: ground above this is not for it."""

    @property
    def is_blocking(self) -> bool:
        """Whether a flight of stairs stops the agent."""
        return self._block is not None

    def observe(
        self, front_m: tuple[float, float], height_m: float | None, direction: tuple[float, float]
    ) -> None:
        """Take note of the floor under a point in front of the hull.

        Args:
            front_m: The point in plan; it moves with the agent.
            height_m: Floor height there, ``None`` if there is none.
            direction: Unit vector of travel in plan; also where the hull would be stopped.
        """
        if self._is_climber or self._block is not None:
            return
        turned = direction[0] * self._direction[0] + direction[1] * self._direction[1] < 0.5
        self._direction = direction
        last = None if turned else self._last
        self._last = None if height_m is None else (front_m[0], front_m[1], height_m)
        if last is None or height_m is None:
            return
        travel_m = math.hypot(front_m[0] - last[0], front_m[1] - last[1])
        rise_m = height_m - last[2]
        if abs(rise_m) > self._settings.riser_min_m + travel_m:
            self._meet(_Riser(front_m[0], front_m[1], rise_m > 0), last[2])

    def clip(
        self, position_m: tuple[float, float], velocity_mps: tuple[float, float]
    ) -> tuple[float, float]:
        """The velocity without the part that leads further into a flight."""
        if self._block is None:
            return velocity_mps
        x, y, ux, uy = self._block
        if math.isnan(x):
            x, y = position_m
            self._block = (x, y, ux, uy)
        away_m = math.hypot(position_m[0] - x, position_m[1] - y)
        back_m = (x - position_m[0]) * ux + (y - position_m[1]) * uy
        if back_m > self._settings.release_m or away_m > self._settings.flight_travel_m:
            self._block = self.ceiling_m = self._last = None
            return velocity_mps
        onward = velocity_mps[0] * ux + velocity_mps[1] * uy
        if onward <= 0:
            return velocity_mps
        return (velocity_mps[0] - onward * ux, velocity_mps[1] - onward * uy)

    def _meet(self, riser: _Riser, floor_m: float) -> None:
        known = self._riser
        if known is None or known.is_up != riser.is_up:
            self._riser = riser
            return
        gap_m = math.hypot(riser.x_m - known.x_m, riser.y_m - known.y_m)
        if gap_m >= self._settings.flight_travel_m:
            self._riser = riser
            return
        self._block = (math.nan, math.nan, *self._direction)
        if riser.is_up:
            self.ceiling_m = floor_m + self._settings.riser_min_m
