"""Walls and joinery: openings are real, clear widths are exact."""

from __future__ import annotations

import numpy as np
import pytest

from tools.sample_home.joinery import Door, Window, door_pieces, floor_bar, window_pieces
from tools.sample_home.pieces import Pieces
from tools.sample_home.solids import merged
from tools.sample_home.walls import Hole, Wall, wall_pieces


def solid_of(pieces: Pieces, finish: str | None = None):
    return merged(p.solid for p in pieces if finish in {None, p.finish})


def area_m2(pieces: Pieces, finish: str) -> float:
    solid = solid_of(pieces, finish)
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_a_hole_is_left_out_of_both_faces() -> None:
    wall = Wall(
        "x", 1.0, 0.0, 4.0, 0.0, 2.5, ("red", "blue"), (Hole(1, 2, 0, 2), Hole(3, 3.5, 1, 2))
    )
    pieces = wall_pieces(wall)
    expected = 4 * 2.5 - 1 * 2 - 0.5 * 1
    assert area_m2(pieces, "red") == pytest.approx(expected)
    assert area_m2(pieces, "blue") == pytest.approx(expected)
    assert solid_of(pieces, "red").vertices[:, 1] == pytest.approx(0.94)
    assert solid_of(pieces, "blue").vertices[:, 1] == pytest.approx(1.06)


def test_two_holes_above_each_other_leave_the_wall_between_them() -> None:
    holes = (Hole(1, 2, 0, 1), Hole(1, 2, 1.5, 2))
    wall = Wall("y", 0.0, 0.0, 3.0, 1.0, 4.0, ("red", "blue"), holes)
    assert area_m2(wall_pieces(wall), "red") == pytest.approx(3 * 3 - 1 - 0.5)


def test_skirting_stops_at_passages_only() -> None:
    holes = (Hole(1, 2, 0, 2), Hole(2.5, 3, 1, 2))
    wall = Wall("x", 0.0, 0.0, 4.0, 0.0, 2.5, ("red", "red"), holes, skirted=(False, True))
    low = solid_of(wall_pieces(wall), "trim")
    fronts = low.vertices[np.isclose(low.vertices[:, 1], 0.072)]
    assert sorted(set(fronts[:, 0])) == pytest.approx([0.0, 1.0, 2.0, 4.0])


def test_the_free_end_gets_a_face() -> None:
    wall = Wall("y", 0.0, 0.0, 3.0, 0.0, 2.0, ("red", "blue"), skirted=(False, False))
    closed = Wall(
        "y", 0.0, 0.0, 3.0, 0.0, 2.0, ("red", "blue"), skirted=(False, False), has_free_end=True
    )
    extra = area_m2(wall_pieces(closed), "blue") - area_m2(wall_pieces(wall), "blue")
    assert extra == pytest.approx(0.12 * 2.0)


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("hinge", [-1, 1])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("clear_m", [0.68, 0.9])
def test_nothing_reaches_into_the_clear_opening(
    axis: str, hinge: int, side: int, clear_m: float
) -> None:
    door = Door(axis, 5.0, 2.0, clear_m, hinge=hinge, side=side)
    along, across = (0, 1) if axis == "x" else (1, 0)
    points = solid_of(door_pieces(door)).vertices
    low = points[points[:, 2] < 2.0]
    assert np.abs(low[:, along] - 2.0).min() == pytest.approx(clear_m / 2)
    leaf = low[np.sign(low[:, across] - 5.0) == side]
    assert (np.abs(leaf[:, across] - 5.0) < 0.35).all()
    assert (np.abs(leaf[:, along] - 2.0).max()) > clear_m


def test_the_leaf_hangs_on_its_side() -> None:
    points = solid_of(door_pieces(Door("x", 0.0, 0.0, 1.0, hinge=1, side=1))).vertices
    assert points[:, 0].max() > 1.4
    assert points[:, 0].min() > -0.7


def test_the_hole_for_a_door_includes_its_lining() -> None:
    hole = Door("x", 0.0, 2.0, 0.8).hole
    assert (hole.start_m, hole.end_m) == pytest.approx((1.57, 2.43))


def test_window_frame_fills_the_rim_of_its_hole() -> None:
    window = Window("y", 0.0, 3.0, 1.2, 0.9, 2.1, floor_m=2.72)
    frame = solid_of(window_pieces(window), "dark frame").vertices
    assert frame.min(axis=0) == pytest.approx([-0.035, 2.4, 3.62])
    assert frame.max(axis=0) == pytest.approx([0.035, 3.6, 4.82])


def test_floor_bar_fills_the_doorway() -> None:
    bar = solid_of(floor_bar("y", 7.4, (0.45, 1.55), 0.012, "brass")).vertices
    assert bar.min(axis=0) == pytest.approx([7.34, 0.45, 0.0])
    assert bar.max(axis=0) == pytest.approx([7.46, 1.55, 0.012])


def test_the_masonry_is_closed_and_stays_behind_the_faces() -> None:
    wall = Wall("x", 1.0, 0.0, 4.0, 0.0, 2.5, ("red", "blue"), (Hole(1, 2, 0, 2),))
    core = solid_of(wall_pieces(wall), "masonry")
    a, b, c = (core.vertices[core.faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    # columns of 0.98 and 1.98 m by 2.48 m, and a lintel of 1.02 by 0.48 m, each 0.10 m thick
    assert volume == pytest.approx((2.96 * 2.48 + 1.02 * 0.48) * 0.10)
    assert core.vertices[:, 1].min() == pytest.approx(0.95)
    assert core.vertices[:, 1].max() == pytest.approx(1.05)
