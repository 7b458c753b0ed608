"""What the sample home is built to test: each obstacle with its size, place and edge.

Everything here is *designed*. What an engine makes of it is found by driving.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

DOOR_WIDE_M: Final = 0.90
DOOR_MIDDLE_M: Final = 0.80
DOOR_NARROW_M: Final = 0.68
SILL_M: Final = 0.02
THRESHOLD_M: Final = 0.012
PASSAGE_M: Final = 0.75
CORRIDOR_M: Final = 0.80
LAMP_M: Final = 1.5
TABLE_M: Final = 0.45
RAMP_DEG: Final = 5.0
RAMP_RISE_M: Final = 0.15
RISER_M: Final = 0.17


class FeatureKind(StrEnum):
    """What makes a passage hard."""

    DOOR_WIDTH = "door_width"
    DOOR_SILL = "door_sill"
    THRESHOLD = "threshold"
    NARROW_PASSAGE = "narrow_passage"
    CORRIDOR_WIDTH = "corridor_width"
    LOW_CLEARANCE = "low_clearance"
    LOW_TABLE = "low_table"
    RAMP = "ramp"
    STAIRS = "stairs"


@dataclass(frozen=True, slots=True)
class Feature:
    """One obstacle; agents named in neither list are borderline or depend on the driver."""

    key: str
    name: str
    kind: FeatureKind
    value_m: float
    """The size that decides: clear width, height of a step or of a lower edge; metres."""

    object_name: str
    """Start of the names of its meshes."""

    where: str
    edges: tuple[tuple[str, str], ...]
    """Names of the nodes at the ends of the edges that cross it; one edge but for the corner."""

    passes: tuple[str, ...]
    """Keys of the agents expected to get through."""

    stopped: tuple[str, ...]
    """Keys of the agents expected to be stopped."""

    note: str = ""


FEATURES: Final = (
    Feature(
        "door_090",
        "Door 0.90 m",
        FeatureKind.DOOR_WIDTH,
        DOOR_WIDE_M,
        "Bedroom door",
        "from the landing into the main bedroom",
        (("Gallery", "Bedroom"),),
        ("human", "wheelchair", "quadruped", "sweeper"),
        (),
        "As wide as the humanoid, to the millimetre.",
    ),
    Feature(
        "door_080",
        "Door 0.80 m",
        FeatureKind.DOOR_WIDTH,
        DOOR_MIDDLE_M,
        "Living room door",
        "from the hall into the living room",
        (("Hall", "Living room"),),
        ("human", "wheelchair", "quadruped", "sweeper"),
        ("humanoid",),
    ),
    Feature(
        "door_068",
        "Door 0.68 m",
        FeatureKind.DOOR_WIDTH,
        DOOR_NARROW_M,
        "Bathroom door",
        "from the hall into the downstairs bathroom",
        (("Back hall", "Bathroom"),),
        ("human", "quadruped", "sweeper"),
        ("wheelchair", "humanoid"),
    ),
    Feature(
        "sill",
        "Door sill 2 cm",
        FeatureKind.DOOR_SILL,
        SILL_M,
        "Garden door sill",
        "in the garden door, 1.1 m wide",
        (("Garden door", "Deck"),),
        ("human", "humanoid", "quadruped", "sweeper"),
        ("wheelchair",),
    ),
    Feature(
        "threshold",
        "Threshold 1.2 cm",
        FeatureKind.THRESHOLD,
        THRESHOLD_M,
        "Kitchen threshold",
        "in the 1.1 m doorway from the hall into the kitchen",
        (("Stair foot", "Kitchen"),),
        ("human", "wheelchair", "humanoid", "quadruped", "sweeper"),
        (),
    ),
    Feature(
        "passage",
        "Passage 0.75 m",
        FeatureKind.NARROW_PASSAGE,
        PASSAGE_M,
        "Bookcase",
        "between the back of the sofa and the bookcase",
        (("Living room", "Bookcase corner"),),
        ("human", "wheelchair", "quadruped", "sweeper"),
        ("humanoid",),
    ),
    Feature(
        "corridor",
        "Corridor 0.80 m with a corner",
        FeatureKind.CORRIDOR_WIDTH,
        CORRIDOR_M,
        "Corridor",
        "from the back hall round the corner to the study",
        (("Back hall", "Corridor corner"), ("Corridor corner", "Study")),
        ("human", "sweeper"),
        ("wheelchair", "humanoid", "quadruped"),
        "Wheelchair and quadruped fit the legs but are too long for the corner.",
    ),
    Feature(
        "lamp",
        "Lamp at 1.5 m",
        FeatureKind.LOW_CLEARANCE,
        LAMP_M,
        "Low lamp",
        "across the way from the kitchen into the dining room",
        (("Kitchen island", "Dining room"),),
        ("wheelchair", "quadruped", "sweeper"),
        ("human",),
        "As high as the humanoid, to the millimetre.",
    ),
    Feature(
        "table",
        "Low table 0.45 m",
        FeatureKind.LOW_TABLE,
        TABLE_M,
        "Low table",
        "in front of the sofa; 0.41 m free underneath",
        (("Sofa", "Window seat"),),
        ("sweeper",),
        ("human", "wheelchair", "humanoid", "quadruped"),
    ),
    Feature(
        "ramp",
        "Ramp of 5°",
        FeatureKind.RAMP,
        RAMP_RISE_M,
        "Ramp",
        "from the garden path up to the porch",
        (("Garden path", "Porch"),),
        ("human", "wheelchair", "humanoid", "quadruped", "sweeper"),
        (),
        "Its value is the height it climbs.",
    ),
    Feature(
        "stairs",
        "Stairs, 16 risers of 17 cm",
        FeatureKind.STAIRS,
        RISER_M,
        "Staircase",
        "a straight flight from the hall to the landing",
        (("Stair foot", "Landing"),),
        ("human", "quadruped"),
        ("wheelchair", "humanoid", "sweeper"),
    ),
)
"""All obstacles; every other way through the home is wide, level and high."""
