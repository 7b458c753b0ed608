"""How two scenes differ that are to be the same house: sizes, place and storeys, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Scene, Storey

SAME_M: Final = 0.05
"""Files of one house written by two programs differ by less."""


def scene_differences(before: Scene, after: Scene) -> tuple[str, ...]:
    """What a person should know before a graph of one scene is used in another.

    Nothing is said of triangles and materials: another file of the same house has others.

    Args:
        before: The scene that nodes and labels were made in.
        after: The one that is to take its place.

    Returns:
        A sentence each; none if both are as large, stand at the same place and have the same
        storeys, all up to 5 cm.
    """
    found = []
    if _differ(before.size_m, after.size_m):
        found.append(f"the size was {size_text(before)} and is {size_text(after)}")
    low, other_low = before.bounds_m[0], after.bounds_m[0]
    if _differ(low, other_low):
        moved = ", ".join(f"{now - was:+,.2f}" for was, now in zip(low, other_low, strict=True))
        moved = moved.replace("-", "−")
        found.append(f"its lowest corner lies elsewhere, by {moved} m along x, y, z")
    if difference := _storey_difference(before.storeys, after.storeys):
        found.append(difference)
    return tuple(found)


def size_text(scene: Scene) -> str:
    """``8.00 × 6.00 × 5.40 m``: along x, y, z."""
    return " × ".join(f"{extent:.2f}" for extent in scene.size_m) + " m"


def _storey_difference(before: Sequence[Storey], after: Sequence[Storey]) -> str:
    heights = _heights(before), _heights(after)
    if len(before) == len(after) and not _differ(*heights):
        return ""
    was, now = (_floors_text(floors) for floors in heights)
    return f"it had {counted(len(before), 'storey', 'storeys')} {was} and has {len(after)} {now}"


def _heights(storeys: Sequence[Storey]) -> tuple[float, ...]:
    return tuple(sorted(storey.floor_z_m for storey in storeys))


def _floors_text(heights: Sequence[float]) -> str:
    if not heights:
        return "(no floor)"
    word = "floor" if len(heights) == 1 else "floors"
    return f"({word} at {', '.join(f'{height:.2f}' for height in heights)} m)"


def _differ(one: Sequence[float] | Vec3, other: Sequence[float] | Vec3) -> bool:
    return any(abs(a - b) > SAME_M for a, b in zip(one, other, strict=True))
