"""Drawings become the right corners, in the right order."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.viewers.scene.drawing import MarkerShape, PolyLine, SceneMarker
from waypost.viewers.scene.overlay_buffers import (
    line_quads,
    marker_points,
    quad_indices,
    solid_triangles,
)
from waypost.viewers.scene.shapes import box, disc

RED = (1.0, 0.0, 0.0, 1.0)
BLUE = (0.0, 0.0, 1.0, 0.5)
ORIGIN = (0.0, 0.0, 0.0)


def test_each_segment_is_four_corners() -> None:
    line = PolyLine(((0, 0, 0), (1, 0, 0), (1, 2, 0)), RED, 4.0, dash_px=6.0)
    quads = line_quads([line], ORIGIN)
    assert len(quads) == 8
    assert quads["a_start"][[0, 4]].tolist() == [[0, 0, 0], [1, 0, 0]]
    assert quads["a_end"][[3, 7]].tolist() == [[1, 0, 0], [1, 2, 0]]
    assert quads["a_corner"][:4, :2].tolist() == [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    assert quads["a_style"][0].tolist() == [4.0, 6.0, 0.0, 0.0]
    assert quad_indices(8).tolist() == [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]


def test_lines_never_join_each_other() -> None:
    lines = [
        PolyLine(((0, 0, 0), (1, 0, 0)), RED),
        PolyLine(((5, 5, 5), (6, 5, 5), (7, 5, 5)), BLUE, outline=RED),
    ]
    quads = line_quads(lines, (5.0, 5.0, 5.0))[::4]
    assert quads["a_start"].tolist() == [[-5, -5, -5], [0, 0, 0], [1, 0, 0]]
    assert quads["a_end"].tolist() == [[-4, -5, -5], [1, 0, 0], [2, 0, 0]]
    assert quads["a_color"].tolist() == [list(RED), list(BLUE), list(BLUE)]
    assert quads["a_outline"].tolist() == [[1, 0, 0, 0], list(RED), list(RED)]


def test_an_arrow_is_one_more_quad_over_the_last_segment_only() -> None:
    lines = [
        PolyLine(((0, 0, 0), (1, 0, 0), (2, 0, 0)), RED, has_arrow=True, end_gap_px=9.0),
        PolyLine(((0, 1, 0), (1, 1, 0)), BLUE),
    ]
    quads = line_quads(lines, ORIGIN)[::4]
    assert quads["a_corner"][:, 2].tolist() == [0, 0, 1, 0]
    assert quads["a_start"][:, 0].tolist() == [0, 1, 1, 0]
    assert quads["a_style"][:, 2].tolist() == [0, 1, 1, 0]
    assert quads["a_style"][:, 3].tolist() == [0, 9, 9, 0]


def test_a_line_of_one_point_is_nothing() -> None:
    assert len(line_quads([PolyLine(((0, 0, 0),), RED)], ORIGIN)) == 0
    assert len(line_quads([], ORIGIN)) == 0


def test_positions_are_exact_far_from_zero() -> None:
    far = (2_600_000.0, 0.0, 0.0)
    line = PolyLine(((2_600_000.125, 0, 0), (2_600_001.0, 0, 0)), RED)
    assert line_quads([line], far)["a_start"][0, 0] == 0.125
    marker = SceneMarker((2_600_000.125, 0, 0), RED)
    assert marker_points([marker], far)["a_position"][0, 0] == 0.125


def test_markers_keep_size_outline_and_shape() -> None:
    packed = marker_points([SceneMarker((1, 2, 3), BLUE, 10.0, MarkerShape.SQUARE)], ORIGIN)
    assert packed["a_position"].tolist() == [[1, 2, 3]]
    assert packed["a_style"].tolist() == [[10.0, 2.0, 2.0, 0.0]]
    assert len(marker_points([], ORIGIN)) == 0


def test_solids_are_merged_with_shifted_indices() -> None:
    flat, body = disc((0, 0, 1), 1.0, RED), box((5, 0, 0), (1, 1, 1), 0.0, BLUE)
    vertices, indices = solid_triangles([flat, body], ORIGIN)
    assert len(vertices) == 49 + 8
    assert len(indices) == 3 * (48 + 12)
    assert indices[3 * 48 :].min() == 49
    assert vertices["a_is_shaded"][[0, 50]].tolist() == [0.0, 1.0]
    assert vertices["a_position"][49:, 0].min() == pytest.approx(4.5)
    assert np.array_equal(solid_triangles([], ORIGIN)[1], np.empty(0))
