"""What the pointer did over a view, in values that a tool can be tested with without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from waypost.domain.base.frames import Vec3

NO_BUTTON = 0
LEFT_BUTTON = 1
RIGHT_BUTTON = 2
MIDDLE_BUTTON = 3


class PointerPhase(StrEnum):
    """What happened."""

    PRESS = "press"
    MOVE = "move"
    """Moved with a button held."""

    RELEASE = "release"
    DOUBLE = "double"
    """Second press of a double click; it follows the PRESS and RELEASE of the first one."""

    HOVER = "hover"
    """Moved with no button held."""

    LEAVE = "leave"
    """Left the view; the position is the last one seen."""


@dataclass(frozen=True, slots=True)
class PointerEvent:
    """One event over a view."""

    phase: PointerPhase
    x_px: float
    """From the left edge of the view, in device-independent pixels."""

    y_px: float
    """From the top edge of the view, in device-independent pixels."""

    ray_origin: Vec3
    """Where the ray through this pixel starts; metres, scene frame."""

    ray_direction: Vec3
    """Unit vector, scene frame."""

    button: int = NO_BUTTON
    """0 none, 1 left, 2 right, 3 middle."""

    shift: bool = False
    control: bool = False
    alt: bool = False
