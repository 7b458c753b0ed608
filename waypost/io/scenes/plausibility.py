"""Doubts about the up axis and the unit that a file states, because files are often wrong."""

from __future__ import annotations

from waypost.domain.scene.scene import Scene
from waypost.geometry.levels import Facets, histogram, measure_facets
from waypost.io.scenes.format import SourceScene

MIN_STOREY_M = 1.8
MAX_STOREY_M = 8.0

_PLANE_M = 0.05
_CLEARLY_MORE = 1.25
_AXES = "xyz"


def unstated(source: SourceScene, scene: Scene) -> list[str]:
    """Sentences about what the file leaves to the fallback of its format.

    Args:
        source: Says what is unstated.
        scene: The same in the scene frame.
    """
    texts = []
    if not source.is_unit_stated:
        unit = source.metres_per_unit
        in_metres = _size(tuple(extent / unit for extent in scene.size_m))
        if unit == 1:
            texts.append(f"the file states no unit; in metres the size is {in_metres}")
        else:
            texts.append(
                f"the file does not state metersPerUnit; with the fallback of {unit:g} the size is "
                f"{_size(scene.size_m)}, with 1 it would be {in_metres}"
            )
    if not source.is_up_axis_stated:
        texts.append(f"the file does not state which axis is up; {source.up_axis} is assumed")
    return texts


def doubts(scene: Scene, storey_count: int) -> list[str]:
    """Sentences for the user about what does not look like a building.

    Args:
        scene: In the scene frame.
        storey_count: As found in it.
    """
    return [text for text in (_about_axis(scene), _about_size(scene, storey_count)) if text]


def _about_axis(scene: Scene) -> str | None:
    """The largest planes of a building are its floors, so they should be level."""
    facets = measure_facets(scene.meshes)
    planes = [_large_planes_m2(facets, axis) for axis in range(3)]
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


def _large_planes_m2(facets: Facets, axis: int) -> float:
    """Area of the largest plane across an axis, and of all others at least half as large.

    One plane is not enough: the front of a tower is larger than any of its floors.
    """
    _, sums = histogram(*facets.square_to(axis, one_sided=False), _PLANE_M)
    return float(sums[sums >= sums.max(initial=0.0) / 2].sum())


def _about_size(scene: Scene, storey_count: int) -> str | None:
    height = scene.size_m[2]
    storey = height / max(1, storey_count)
    if height < MIN_STOREY_M:
        doubt = f"nothing is higher than {height:.3g} m"
    elif storey > MAX_STOREY_M:
        doubt = f"a storey would be {storey:.3g} m high"
    else:
        return None
    size = _size(scene.size_m)
    return f"the size {size} is implausible for a building ({doubt}); the unit may be wrong"


def _size(extents: tuple[float, ...]) -> str:
    return " × ".join(f"{extent:.4g}" for extent in extents) + " m"
