"""A driven take over the path it was to follow."""

from __future__ import annotations

import itertools

import numpy as np

from waypost.annotators import palette
from waypost.domain.base.frames import Vec3, vec3
from waypost.domain.episode.episode import Episode
from waypost.viewers.scene.drawing import (
    Color,
    Drawing,
    Label3D,
    MarkerShape,
    PolyLine,
    SceneMarker,
)

_LIFT_M = 0.05
_PIECES = 48
_MARGIN_M = 1.0
_VIRIDIS = np.array(
    [(0.267, 0.005, 0.329), (0.230, 0.322, 0.546), (0.128, 0.567, 0.551), (0.369, 0.789, 0.383),
     (0.993, 0.906, 0.144)]
)  # fmt: skip
"""Five stops of the colour map, from early to late."""


def take_drawing(path_m: tuple[Vec3, ...], episode: Episode | None, end: str = "you") -> Drawing:
    """The driven way coloured by time over the reference, dashed, with start, end and goals.

    Args:
        path_m: Floor points in the order of driving, scene frame.
        episode: Gives reference and goals; ``None`` if it is not at hand.
        end: What the last point is called.
    """
    reference = _lifted(_reference(episode))
    driven = _lifted(path_m)
    lines = []
    if len(reference) > 1:
        lines.append(PolyLine(reference, palette.PATH, 8.0, dash_px=10.0, outline=palette.OUTLINE))
    cuts = np.unique(np.linspace(0, max(len(driven) - 1, 0), _PIECES + 1).round().astype(int))
    for first, last in itertools.pairwise(cuts):
        color = _color_at(last / max(len(driven) - 1, 1))
        lines.append(PolyLine(driven[first : last + 1], color, 3.5))
    goals = _goals(episode)
    markers = [SceneMarker(p, palette.PATH, 16.0, MarkerShape.RING) for p in _lifted(goals)]
    labels = [Label3D(point, "goal") for point in _lifted(goals)]
    if driven:
        markers.append(SceneMarker(driven[0], _color_at(0.0), 13.0, MarkerShape.SQUARE))
        markers.append(SceneMarker(driven[-1], _color_at(1.0), 14.0))
        labels.append(Label3D(driven[0], "start"))
        labels.append(Label3D(driven[-1], end, priority=1))
    return Drawing(lines=tuple(lines), markers=tuple(markers), labels=tuple(labels))


def touches_drawing(points_m: tuple[Vec3, ...]) -> Drawing:
    """A cross wherever something was touched.

    Args:
        points_m: Floor points under the agent, scene frame.
    """
    return Drawing(
        markers=tuple(
            SceneMarker(p, palette.CONTACT, 15.0, MarkerShape.CROSS, outline=palette.OUTLINE)
            for p in _lifted(points_m)
        )
    )


def seen_bounds(
    path_m: tuple[Vec3, ...], episode: Episode | None, covered_share: float = 0.0
) -> tuple[Vec3, Vec3]:
    """A box around everything that `take_drawing` draws, with a margin.

    Args:
        path_m: One floor point or more, scene frame.
        episode: Gives reference and goals, if it is at hand.
        covered_share: Of the width of the picture, at its right, where a map (X to the right)
            cannot be seen; 0 or more, below 1.
    """
    points = np.array([*path_m, *_reference(episode), *_goals(episode)])
    low, high = points.min(axis=0) - _MARGIN_M, points.max(axis=0) + _MARGIN_M
    high[0] += (high[0] - low[0]) * covered_share / (1.0 - covered_share)
    return vec3(low), vec3(high)


def _goals(episode: Episode | None) -> list[Vec3]:
    goals = episode.goals if episode is not None else ()
    return [goal.position_m for goal in goals if goal.position_m is not None]


def _reference(episode: Episode | None) -> list[Vec3]:
    positions = episode.reference.positions_m if episode is not None else None
    if positions is None:
        return []
    return [(float(x), float(y), float(z)) for x, y, z in positions]


def _lifted(points: tuple[Vec3, ...] | list[Vec3]) -> tuple[Vec3, ...]:
    return tuple((x, y, z + _LIFT_M) for x, y, z in points)


def _color_at(share: float) -> Color:
    place = np.linspace(0.0, 1.0, len(_VIRIDIS))
    red, green, blue = (float(np.interp(share, place, _VIRIDIS[:, k])) for k in range(3))
    return (red, green, blue, 1.0)
