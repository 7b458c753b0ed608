"""Points that decide how wide a way is: leaving out the others changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.geometry.measuring import widest_disc
from waypost.geometry.measuring.decisive_points import decisive_points
from waypost.geometry.measuring.height_field import Floats, Ints
from waypost.geometry.measuring.widest_disc import WidestWay, widest_way

START, END = (0.7, 2.0, 0.0), (4.3, 2.0, 0.0)
BOX = (0.0, 0.0, 5.0, 4.0)


def furnished(random: np.random.Generator) -> Floats:
    """A wall with a door of 0.2 to 1.2 m between both places, and blocks filled with points."""
    y = np.arange(0, 4, 0.01)
    half_m = random.uniform(0.1, 0.6)
    wall = np.stack([np.full(len(y), 2.5), y], axis=1)[np.abs(y - 2.0) > half_m]
    blocks = [
        corner + random.uniform(0, 0.5, (600, 2))
        for corner in random.uniform(0, (4.5, 3.5), (6, 2))
    ]
    points = np.concatenate([wall, *blocks])
    ends = np.array([START[:2], END[:2]])
    away = np.linalg.norm(points[:, None] - ends, axis=2).min(axis=1)
    return points[away > 0.3]


def everything(cloud: Floats, *_: object) -> Ints:
    return np.arange(len(cloud))


def rounded(way: WidestWay) -> tuple[object, ...]:
    """All of a way; circles around triangles hang on the order of their corners by rounding."""
    line = tuple((round(x, 9), round(y, 9)) for x, y in way.line_m)
    return (way.width_m, way.at_m, way.nearest, way.length_m, line)


def test_the_widest_way_is_the_same_among_decisive_points(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    rooms = [furnished(random) for _ in range(20)]
    found = [widest_way(points, START, END, BOX) for points in rooms]
    monkeypatch.setattr(widest_disc, "decisive_points", everything)
    among_all = [widest_way(points, START, END, BOX) for points in rooms]
    assert [rounded(way) for way in found] == [rounded(way) for way in among_all]
    assert len({way.width_m for way in found}) > 10


def test_what_no_disc_touches_is_left_out() -> None:
    y = np.arange(0, 4, 0.01)
    front, behind = (np.stack([np.full(len(y), x), y], axis=1) for x in (0.2, 0.1))
    kept = decisive_points(np.concatenate([front, behind]), (START, END), BOX)
    assert set(range(len(front))) <= set(kept)
    assert len(kept) == len(front)


def test_all_points_are_kept_where_no_disc_is_sure_to_move() -> None:
    y = np.arange(0, 4, 0.01)
    wall = np.stack([np.full(len(y), 2.5), y], axis=1)
    np.testing.assert_array_equal(decisive_points(wall, (START, END), BOX), np.arange(len(wall)))
