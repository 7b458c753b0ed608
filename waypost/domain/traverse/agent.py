"""The agents that are driven through scenes: body, abilities and drive."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import lru_cache

from waypost.domain.base.errors import InputError


class BodyShape(StrEnum):
    """Shape of the collider; its axis is vertical."""

    BOX = "box"
    CYLINDER = "cylinder"
    CAPSULE = "capsule"


class DriveType(StrEnum):
    """How the agent may move."""

    DIFFERENTIAL = "differential"
    """Drives forward and backward, turns on the spot."""

    HOLONOMIC = "holonomic"
    """Also steps sideways."""

    CAR_LIKE = "car_like"
    """Turns only while it moves, never tighter than its minimum turning radius."""


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """A parameterised agent; the collider is ``width × depth × height``.

    Raises:
        InputError: If a value is out of range; the message starts with the field's name.

    Source:
        Field names follow makeabilitylab/CapNav:scripts/generate_prompts.py.
    """

    key: str
    """Short name used in files and on the command line, e.g. ``wheelchair``."""

    name: str
    """Name for people, e.g. ``Wheelchair``."""

    shape: BodyShape
    width_m: float
    """Across the direction of travel; the diameter of a cylinder or capsule."""

    depth_m: float
    """Along the direction of travel; equals the width for round shapes."""

    height_m: float
    step_limit_m: float
    """Highest single step the agent can take, up."""

    climbs_stairs: bool
    opens_doors: bool
    operates_elevators: bool
    drive: DriveType = DriveType.DIFFERENTIAL
    min_turning_radius_m: float = 0.0
    """Radius of the tightest arc; only a car-like drive may have one above zero."""

    top_speed_mps: float = 1.0
    description: str = ""
    wheel_diameter_m: float = 0.0
    """Of its smallest wheel; 0 for feet, or where it is not stated."""

    contact_width_m: float = 0.0
    """Of a tyre or a foot across the direction of travel; 0 where it is not stated."""

    contact_places_m: tuple[tuple[float, float], ...] = ()
    """Where wheels or feet stand, (forward, left) of the middle of the body; empty where that is
    not stated, which means anywhere under it."""

    largest_gap_m: float = 0.0
    """The widest gap across the way that its wheels or feet pass; 0 where it is not stated."""

    colour: str = ""
    """Its own in pictures, ``#rrggbb``; empty for the one of its place among the agents."""

    def __post_init__(self) -> None:
        if not self.key or not self.key.replace("_", "").replace("-", "").isalnum():
            raise InputError("key: must be letters, digits, - or _")
        for name, low, high in _RANGES:
            value = getattr(self, name)
            if not math.isfinite(value) or not low <= value <= high:
                raise InputError(f"{name}: {value:g} is outside {low:g} to {high:g}")
        if self.shape is not BodyShape.BOX and self.width_m != self.depth_m:
            raise InputError("depth_m: a round body is as deep as it is wide")
        if self.shape is BodyShape.CAPSULE and self.height_m < self.width_m:
            raise InputError("height_m: a capsule is at least as high as it is wide")
        if self.step_limit_m >= self.height_m:
            raise InputError("step_limit_m: must be less than the height")
        if self.drive is DriveType.CAR_LIKE and self.min_turning_radius_m <= 0:
            raise InputError("min_turning_radius_m: a car-like drive needs one above 0")
        if self.drive is not DriveType.CAR_LIKE and self.min_turning_radius_m != 0:
            raise InputError("min_turning_radius_m: only a car-like drive has one")
        if self.colour and not _COLOUR.fullmatch(self.colour):
            raise InputError(f"colour: {self.colour!r} is not #rrggbb")
        if not all(-10.0 <= value <= 10.0 for place in self.contact_places_m for value in place):
            raise InputError("contact_places_m: a place lies more than 10 m from the middle")

    @property
    def turning_circle_radius_m(self) -> float:
        """Radius of the free disc needed to turn on the spot, or to drive the tightest arc.

        For a box it is half the diagonal; a car-like drive sweeps its minimum turning
        radius plus the outer front corner.
        """
        half_width, half_depth = self.width_m / 2, self.depth_m / 2
        if self.shape is not BodyShape.BOX:
            half_depth = 0.0
        if self.drive is DriveType.CAR_LIKE:
            return math.hypot(self.min_turning_radius_m + half_width, half_depth)
        return math.hypot(half_width, half_depth)

    @property
    def passable_gap_m(self) -> float | None:
        """The widest gap across the way that the agent passes; ``None`` where nothing tells.

        As stated; else where a wheel of diameter D sinks by h, the step limit: a gap of
        2 √(D h - h²); else the width of a foot.

        Source:
            U.S. Access Board, ADA Standards 302.3 (no opening that a sphere of 13 mm passes), and
            1002.4.3 (75 mm), which a caster of 125 mm that sinks 13 mm comes to (76 mm).
        """
        if self.largest_gap_m:
            return self.largest_gap_m
        if self.wheel_diameter_m:
            drop_m = min(self.step_limit_m, self.wheel_diameter_m / 2)
            return 2 * math.sqrt(drop_m * (self.wheel_diameter_m - drop_m))
        return self.contact_width_m or None

    @property
    def profile_hash(self) -> str:
        """Hex digest over everything that changes how the agent moves; not name, text, colour."""
        return _behaviour_digest(self)


@lru_cache(maxsize=64)
def _behaviour_digest(profile: AgentProfile) -> str:
    behaviour = {
        f.name: getattr(profile, f.name)
        for f in fields(profile)
        if f.name not in {"key", "name", "description", "colour"}
    }
    # A field that came later counts from when it is stated: labels of before stay true.
    for name in CONTACT_FIELDS:
        if not behaviour[name]:
            del behaviour[name]
    text = json.dumps(behaviour, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_COLOUR = re.compile("#[0-9a-fA-F]{6}")

CONTACT_FIELDS = ("wheel_diameter_m", "contact_width_m", "contact_places_m", "largest_gap_m")
"""What is known of wheels or feet; absent from files and digests where it is not stated."""

_RANGES = (
    ("width_m", 0.01, 10.0),
    ("depth_m", 0.01, 10.0),
    ("height_m", 0.01, 10.0),
    ("step_limit_m", 0.0, 2.0),
    ("min_turning_radius_m", 0.0, 50.0),
    ("top_speed_mps", 0.01, 20.0),
    ("wheel_diameter_m", 0.0, 5.0),
    ("contact_width_m", 0.0, 2.0),
    ("largest_gap_m", 0.0, 2.0),
)
