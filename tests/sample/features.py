"""The obstacles of the sample home, and which agents they are designed to stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Feature:
    """One obstacle; agents named in neither list are borderline or depend on the driver."""

    key: str
    name: str
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
        "Living room door",
        "from the hall into the living room",
        (("Hall", "Living room"),),
        ("human", "wheelchair", "quadruped", "sweeper"),
        ("humanoid",),
    ),
    Feature(
        "door_068",
        "Door 0.68 m",
        "Bathroom door",
        "from the hall into the downstairs bathroom",
        (("Back hall", "Bathroom"),),
        ("human", "quadruped", "sweeper"),
        ("wheelchair", "humanoid"),
    ),
    Feature(
        "sill",
        "Door sill 2 cm",
        "Garden door sill",
        "in the garden door, 1.1 m wide",
        (("Garden door", "Deck"),),
        ("human", "humanoid", "quadruped", "sweeper"),
        ("wheelchair",),
    ),
    Feature(
        "threshold",
        "Threshold 1.2 cm",
        "Kitchen threshold",
        "in the 1.1 m doorway from the hall into the kitchen",
        (("Stair foot", "Kitchen"),),
        ("human", "wheelchair", "humanoid", "quadruped", "sweeper"),
        (),
    ),
    Feature(
        "passage",
        "Passage 0.75 m",
        "Bookcase",
        "between the back of the sofa and the bookcase",
        (("Living room", "Bookcase corner"),),
        ("human", "wheelchair", "quadruped", "sweeper"),
        ("humanoid",),
    ),
    Feature(
        "corridor",
        "Corridor 0.80 m with a corner",
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
        "Low table",
        "in front of the sofa; 0.41 m free underneath",
        (("Sofa", "Window seat"),),
        ("sweeper",),
        ("human", "wheelchair", "humanoid", "quadruped"),
    ),
    Feature(
        "ramp",
        "Ramp of 5°",
        "Ramp",
        "from the garden path up to the porch",
        (("Garden path", "Porch"),),
        ("human", "wheelchair", "humanoid", "quadruped", "sweeper"),
        (),
    ),
    Feature(
        "stairs",
        "Stairs, 16 risers of 17 cm",
        "Staircase",
        "a straight flight from the hall to the landing",
        (("Stair foot", "Landing"),),
        ("human", "quadruped"),
        ("wheelchair", "humanoid", "sweeper"),
    ),
)
"""All obstacles; every other way through the home is wide, level and high."""
