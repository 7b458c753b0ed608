"""Doubts about the up axis and the unit that a file states, because files are often wrong."""

from __future__ import annotations

from waypost.domain.scene import Scene
from waypost.geometry.levels import facing_areas, histogram

MIN_STOREY_M = 1.8
MAX_STOREY_M = 8.0

_PLANE_M = 0.05
_CLEARLY_MORE = 1.25
_AXES = "xyz"


def doubts(scene: Scene, storey_count: int) -> list[str]:
    """Sentences for the user about what does not look like a building.

    Args:
        scene: In the scene frame.
        storey_count: As found in it.
    """
    return [text for text in (_about_axis(scene), _about_size(scene, storey_count)) if text]


def _about_axis(scene: Scene) -> str | None:
    """The largest planes of a building are its floors, so they should be level."""
    planes = [_large_planes_m2(scene, axis) for axis in range(3)]
    if max(planes[0], planes[1]) <= _CLEARLY_MORE * planes[2]:
        return None
    across = 0 if planes[0] > planes[1] else 1
    text = (
        f"the floor looks vertical: {planes[across]:.1f} m² face along {_AXES[across]} "
        f"and only {planes[2]:.1f} m² face up"
    )
    if across == 1:
        other = "Z" if scene.source_up_axis == "Y" else "Y"
        text += f"; the up axis of the file may be {other}, not {scene.source_up_axis}"
    return text


def _large_planes_m2(scene: Scene, axis: int) -> float:
    """Area of the largest plane across an axis, and of all others at least half as large.

    One plane is not enough: the front of a tower is larger than any of its floors.
    """
    _, sums = histogram(*facing_areas(scene.meshes, axis, one_sided=False), _PLANE_M)
    return float(sums[sums >= sums.max(initial=0.0) / 2].sum())


def _about_size(scene: Scene, storey_count: int) -> str | None:
    width, depth, height = scene.size_m
    size = f"{width:.4g} × {depth:.4g} × {height:.4g} m"
    storey = height / max(1, storey_count)
    if height < MIN_STOREY_M:
        doubt = f"nothing is higher than {height:.3g} m"
    elif storey > MAX_STOREY_M:
        doubt = f"a storey would be {storey:.3g} m high"
    else:
        return None
    return f"the size {size} is implausible for a building ({doubt}); the unit may be wrong"
