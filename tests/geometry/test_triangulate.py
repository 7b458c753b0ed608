from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.scene_files import area

from waypost.geometry.triangulate import triangulate


def _polygon(points: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Positions and triangles of one polygon in the plane."""
    positions = np.array([(x, y, 0.0) for x, y in points])
    corners, faces = triangulate(
        positions, np.array([len(points)]), np.arange(len(points), dtype=np.int64)
    )
    assert (faces == 0).all()
    return positions, corners


def _all_face_up(positions: np.ndarray, triangles: np.ndarray) -> bool:
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    return bool((np.cross(b - a, c - a)[:, 2] >= -1e-12).all())


def test_quads_and_triangles_keep_their_order_and_face() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0)], dtype=float)
    corners, faces = triangulate(points, np.array([4, 3]), np.array([0, 1, 2, 3, 1, 4, 2]))
    assert corners.tolist() == [[0, 1, 2], [0, 2, 3], [4, 5, 6]]
    assert faces.tolist() == [0, 0, 1]


def test_faces_of_two_corners_vanish() -> None:
    points = np.zeros((2, 3))
    corners, faces = triangulate(points, np.array([2]), np.array([0, 1]))
    assert corners.shape == (0, 3)
    assert faces.shape == (0,)


def test_concave_quad_is_cut_at_its_dent() -> None:
    positions, triangles = _polygon([(0, 0), (2, 0), (0.5, 0.5), (0, 2)])
    assert area(positions, triangles) == pytest.approx(1.0)
    assert _all_face_up(positions, triangles)


@pytest.mark.parametrize("start", range(6))
def test_l_shape_from_any_first_corner(start: int) -> None:
    outline = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]
    positions, triangles = _polygon(outline[start:] + outline[:start])
    assert len(triangles) == 4
    assert area(positions, triangles) == pytest.approx(6.0)
    assert _all_face_up(positions, triangles)


def test_polygon_with_a_bridge_to_its_hole() -> None:
    outline = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
    positions, triangles = _polygon(outline)
    assert area(positions, triangles) == pytest.approx(16 - 4)
    assert _all_face_up(positions, triangles)


def test_polygon_that_crosses_itself_ends_with_the_right_count() -> None:
    _, triangles = _polygon([(0, 0), (2, 2), (2, 0), (0, 2), (1, -1)])
    assert len(triangles) == 3


@given(
    radii=st.lists(st.floats(0.2, 5.0), min_size=4, max_size=24),
    tilt=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    turn=st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_area_of_star_shaped_polygons_in_any_plane(
    radii: list[float], tilt: tuple[float, float], turn: bool
) -> None:
    angles = np.arange(len(radii)) * math.tau / len(radii)
    flat = np.column_stack([np.cos(angles), np.sin(angles)]) * np.array(radii)[:, None]
    x, y = flat.T
    shoelace = 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    # z = a x + b y stretches areas by √(1 + a² + b²)
    a, b = tilt
    positions = np.column_stack([x, y, a * x + b * y])
    order = np.arange(len(radii), dtype=np.int64)
    corners, _ = triangulate(positions, np.array([len(radii)]), order[::-1] if turn else order)
    triangles = (order[::-1] if turn else order)[corners]
    assert len(triangles) == len(radii) - 2
    assert area(positions, triangles) == pytest.approx(
        shoelace * math.sqrt(1 + a * a + b * b), rel=1e-6
    )
