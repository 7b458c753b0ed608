"""Doubts about the up axis and the unit that a file states, because files are often wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from waypost.domain.scene.scene import Scene
from waypost.geometry.levels import Facets, histogram
from waypost.io.scenes.format import SourceScene

MIN_STOREY_M = 1.8
MAX_STOREY_M = 8.0

_LOW_STOREY_M = 2.0
_HIGH_STOREY_M = 3.8
"""From floor to ceiling or to the next floor, as dwellings and offices have it."""

_PLANE_M = 0.05
_WALL_M = 0.6
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


def doubts(scene: Scene, storey_count: int, facets: Facets) -> list[str]:
    """Sentences for the user about what does not look like a building.

    Args:
        scene: In the scene frame.
        storey_count: As found in it.
        facets: Its triangles, but those of stray meshes.
    """
    return [text for text in (_about_axis(scene, facets), _about_size(scene, storey_count)) if text]


def _about_axis(scene: Scene, facets: Facets) -> str | None:
    """The largest planes of a building are its floors, and floors lie a storey apart.

    Large walls alone say nothing: those of corridors, towers and rooms without a roof are larger
    than their floors. The distance between the planes tells which of both are floors.
    """
    levels = [_large_planes(facets, axis) for axis in range(3)]
    across = 0 if levels[0].area_m2 > levels[1].area_m2 else 1
    is_larger = levels[across].area_m2 > _CLEARLY_MORE * levels[2].area_m2
    if not is_larger:
        return None
    gaps_m = [level.gap_m or scene.size_m[axis] for axis, level in enumerate(levels)]
    if _is_storey(gaps_m[2]) or not _is_storey(gaps_m[across]):
        return None
    text = (
        f"the floor looks vertical: {levels[across].area_m2:.1f} m² face along {_AXES[across]} "
        f"and only {levels[2].area_m2:.1f} m² face up"
    )
    if across == 1:
        other = "Z" if scene.source_up_axis == "Y" else "Y"
        text += f"; the up axis of the file may be {other}, not {scene.source_up_axis}"
    return text


def _is_storey(gap_m: float) -> bool:
    return _LOW_STOREY_M <= gap_m <= _HIGH_STOREY_M


class _Planes(NamedTuple):
    """The large planes across an axis."""

    area_m2: float
    """Of the largest, and of all others at least half as large."""

    gap_m: float
    """Between neighbours, the median; 0 for a single one."""


def _large_planes(facets: Facets, axis: int) -> _Planes:
    """One plane is not enough: the front of a tower is larger than any of its floors."""
    places, sums = histogram(*facets.square_to(axis, one_sided=False), _PLANE_M)
    is_large = sums >= sums.max(initial=0.0) / 2
    gaps = np.diff(places[is_large])
    # both faces of a wall are one plane here
    gaps = gaps[gaps > _WALL_M]
    gap = float(np.median(gaps)) if len(gaps) else 0.0
    return _Planes(float(sums[is_large].sum()), gap)


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
