"""Where in a view a scene can be seen whole: beside the controls that lie over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_LEAST_PX: Final = 60.0
"""A narrower strip is no room to show a scene in."""

_PLACES: Final = 17
"""Places along each side of a view at which a picture is tried."""

_ASIDE: Final = 0.3
"""A picture may be smaller by this share if it is in the middle and not at the edge of a view."""

_JUST_CLEAR: Final = 1.0 - 1e-9
"""What touches a control must not lie over it by a rounding error."""

_FLAT: Final = 1e-9
"""Of a hull that reaches no further than its point along a normal; nothing is divided by zero."""


class Area(NamedTuple):
    """A rectangle of a view in device-independent pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> NDArray[np.float64]:
        """Of the rectangle."""
        return np.array([(self.left + self.right) / 2, (self.top + self.bottom) / 2])

    @property
    def size(self) -> NDArray[np.float64]:
        """Width and height."""
        return np.array([self.right - self.left, self.bottom - self.top])

    def shrunk(self, share: float) -> Area:
        """The same about its middle, with sides of a share of their length."""
        reach = self.size * share / 2
        return Area(*(self.middle - reach), *(self.middle + reach))

    def overlaps(self, other: Area) -> bool:
        """Whether both have more than an edge in common."""
        is_beside = self.right <= other.left or other.right <= self.left
        return not (is_beside or self.bottom <= other.top or other.bottom <= self.top)

    def holds(self, other: Area) -> bool:
        """Whether the other lies within."""
        is_across = self.left <= other.left and other.right <= self.right
        return is_across and self.top <= other.top and other.bottom <= self.bottom

    def beside(self, taken: Area) -> Iterator[Area]:
        """What is left of it to each side of another."""
        if not self.overlaps(taken):
            yield self
            return
        yield self._replace(right=taken.left)
        yield self._replace(left=taken.right)
        yield self._replace(bottom=taken.top)
        yield self._replace(top=taken.bottom)


def free_areas(whole: Area, taken: Iterable[Area]) -> list[Area]:
    """The rectangles of a view that cannot grow without covering something that is taken."""
    areas = [whole]
    for other in taken:
        cut = {part for area in areas for part in area.beside(other)}
        wide = [part for part in cut if (part.size >= _LEAST_PX).all()]
        areas = [a for a in wide if not any(b is not a and b.holds(a) for b in wide)]
    return areas


def largest_place(
    points_px: NDArray[np.float64], whole: Area, taken: Sequence[Area]
) -> Area | None:
    """The rectangle around the convex hull of points where it is largest beside what is taken.

    A house seen at an angle leaves the corners of its rectangle free: a control may lie there.

    Args:
        points_px: (N, 2) the corners of a picture, at any scale and place.
        whole: The view.
        taken: By controls.

    Returns:
        ``None`` if there is no room for it.
    """
    low, high = points_px.min(axis=0), points_px.max(axis=0)
    hull = points_px - (low + high) / 2
    size = high - low
    steps = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, _PLACES)] * 2), axis=-1).reshape(-1, 2)
    places = np.array(whole[:2]) + steps * whole.size
    edge = np.minimum(places - np.array(whole[:2]), np.array(whole[2:]) - places)
    scale = (2 * edge / size).min(axis=1)
    for area in taken:
        scale = np.minimum(scale, _clear_scales(hull, places, area))
    scale = np.maximum(scale, 0.0) * _JUST_CLEAR
    aside = np.linalg.norm((places - whole.middle) / whole.size, axis=1)
    best = int(np.argmax(scale * (1.0 - _ASIDE * aside)))
    if (scale[best] * size < _LEAST_PX).any():
        return None
    reach = scale[best] * size / 2
    return Area(*(places[best] - reach), *(places[best] + reach))


def is_clear_of(points_px: NDArray[np.float64], area: Area) -> bool:
    """Whether the convex hull of points (N, 2) lies beside a rectangle."""
    normals = _normals(points_px)
    ours, (low, high) = normals @ points_px.T, _reach(area, normals)
    return bool(((ours.max(axis=1) <= low) | (high <= ours.min(axis=1))).any())


def _clear_scales(
    hull: NDArray[np.float64], places: NDArray[np.float64], area: Area
) -> NDArray[np.float64]:
    """(P,) up to which scale a hull about its zero is clear of an area at each place.

    Along a normal it reaches as far as its scale says, so that it meets the area at one scale.
    """
    normals = _normals(hull)
    ours, (low, high) = normals @ hull.T, _reach(area, normals)
    at = places @ normals.T
    before = (low - at) / np.maximum(ours.max(axis=1), _FLAT)
    behind = (at - high) / np.maximum(-ours.min(axis=1), _FLAT)
    return np.asarray(np.maximum(before, behind).max(axis=1), dtype=np.float64)


def _normals(hull: NDArray[np.float64]) -> NDArray[np.float64]:
    """(K, 2) along one of which a hull is apart from a rectangle beside it.

    Two convex shapes are apart if they are apart along the normal of an edge of one of them
    (separating axis theorem); every pair of points may be an edge of the hull.
    """
    first, second = np.triu_indices(len(hull), 1)
    edges = hull[second] - hull[first]
    edges = edges[(edges != 0).any(axis=1)]
    return np.concatenate([np.eye(2), np.stack([-edges[:, 1], edges[:, 0]], axis=1)])


def _reach(
    area: Area, normals: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """From where to where a rectangle reaches along each normal."""
    box = np.array([(x, y) for x in (area.left, area.right) for y in (area.top, area.bottom)])
    theirs = normals @ box.T
    return theirs.min(axis=1), theirs.max(axis=1)
