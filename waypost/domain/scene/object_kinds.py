"""What an object of a scene is, as far as its name says."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final


class ObjectKind(StrEnum):
    """What matters about an object under an agent or in its way."""

    GROUND = "ground"
    """Made to be walked on: floor, stair, ramp, carpet, threshold."""

    DOOR_LEAF = "door_leaf"
    """What opens of a door."""

    FURNITURE = "furniture"
    OTHER = "other"


def object_kind(name: str) -> ObjectKind:
    """The kind of an object by the words of its name, such as ``/home/Bed_01/mesh_0``.

    The last part of a path that says anything decides, and in it the last such word: a
    ``table_rug`` is a rug, a ``door_frame`` no door leaf. What stands behind a colon is a part or
    a material of the object.
    """
    for part in reversed(re.split(r"[/|]", name)):
        kind = _kind_of_part(part)
        if kind is not ObjectKind.OTHER:
            return kind
    return ObjectKind.OTHER


def _kind_of_part(part: str) -> ObjectKind:
    words = _words(part.partition(":")[0])
    if _DOORS & set(words) and not _FIXED_OF_DOORS & set(_words(part)):
        return ObjectKind.DOOR_LEAF
    for word in reversed(words):
        if word in _GROUNDS:
            return ObjectKind.GROUND
        if word in _FURNITURE:
            return ObjectKind.FURNITURE
    return ObjectKind.OTHER


def _words(text: str) -> list[str]:
    """Small words without numbers, in the singular."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [_singular(word) for word in re.findall(r"[a-z]+", split.lower())]


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


_DOORS: Final = frozenset({"door", "doorleaf", "gate"})
_FIXED_OF_DOORS: Final = frozenset(
    _words(
        """
    architrave casing frame framing jamb lintel mat reveal sill step stop threshold trim
    wall way
    """
    )
)
_GROUNDS: Final = frozenset(
    _words(
        """
    carpet corridor deck doormat floor flooring foundation ground landing lawn mat parquet
    path patio pavement plane platform porch ramp road rug runner sidewalk sill slab stair
    staircase step street terrace terrain threshold tile tread
    """
    )
)
_FURNITURE: Final = frozenset(
    _words(
        """
    armchair basket bathtub bed bench bin bookcase bookshelf box cabinet chair chest
    closet couch counter crate cupboard cushion desk dishwasher drawer dresser dumbbell
    footstool fridge furniture hassock lamp lounger mattress nightstand ottoman oven
    pillow plant planter pouf rack refrigerator seat shelf shower sideboard sink sofa
    stand stool stove suitcase table toilet treadmill trolley tub tv vanity wardrobe
    washer
    """
    )
)
