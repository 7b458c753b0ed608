"""Shapes: closed, facing outward, true scale."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tools.sample_home.solids import (
    Solid,
    bar,
    box,
    convex,
    cushion,
    cylinder,
    frustum,
    merged,
    timber,
    two_sided,
)


def volume_m3(solid: Solid) -> float:
    """Enclosed volume; negative if the faces look inward."""
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def area_m2(solid: Solid) -> float:
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


@pytest.mark.parametrize(
    ("solid", "expected_m3"),
    [
        (box((1, 2, 3), (2, 4, 6)), 6.0),
        (timber((0, 0, 0), (0.1, 2, 0.2)), 0.04),
        # a cube less twelve edge prisms and the corners: 8 − 12·(0.5·0.25·1) − 8·(0.5³·5/6)
        (cushion((0, 0, 0), (2, 2, 2), 0.5), 8 - 12 * 0.125 - 8 * 0.125 * 5 / 6),
        (cylinder((3, 4), 1.0, (0, 2), 4), 4.0),
        (frustum((0, 0), (1.0, 0.0), (0, 3), 4), 2.0),
        (bar((0, 0, 0), (3, 4, 0), 0.1), 0.05),
        (bar((0, 0, 0), (0, 0, 2), 0.1), 0.02),
    ],
)
def test_solids_are_closed_and_face_outward(solid: Solid, expected_m3: float) -> None:
    assert volume_m3(solid) == pytest.approx(expected_m3)


def test_box_faces_can_be_left_out() -> None:
    top = box((0, 0, 0), (2, 3, 1), ("+z",))
    assert area_m2(top) == pytest.approx(6.0)
    assert set(top.vertices[:, 2]) == {1.0}


def test_box_texture_is_in_metres_along_the_axes() -> None:
    wall = box((1, 0, 0), (4, 0.1, 2.5), ("-y",))
    assert wall.uvs.min(axis=0).tolist() == [1.0, 0.0]
    assert wall.uvs.max(axis=0).tolist() == [4.0, 2.5]


def test_grain_runs_along_the_longer_side() -> None:
    post = timber((0, 0, 0), (0.1, 0.1, 2))
    front = post.uvs[8:12]
    assert np.ptp(front[:, 0]) == pytest.approx(2.0)
    assert np.ptp(front[:, 1]) == pytest.approx(0.1)


def test_cushion_texture_is_in_metres() -> None:
    soft = cushion((0, 0, 0), (2, 1, 0.5), 0.1)
    is_top = np.isclose(soft.vertices[soft.faces, 2], 0.5).all(axis=1)
    top = soft.uvs[soft.faces[is_top]].reshape(-1, 2)
    assert len(top) == 6
    assert np.ptp(top, axis=0) == pytest.approx([1.8, 0.8])


def test_quarter_turns_are_exact() -> None:
    turned = box((0, 0, 0), (1, 2, 3)).turned(450)
    assert turned.vertices.min(axis=0).tolist() == [-2.0, 0.0, 0.0]
    assert turned.vertices.max(axis=0).tolist() == [0.0, 1.0, 3.0]


def test_any_turn_keeps_distances() -> None:
    turned = box((1, 0, 0), (2, 1, 1), ("+x",)).turned(30)
    radius = np.hypot(turned.vertices[:, 0], turned.vertices[:, 1])
    assert sorted(set(radius.round(9))) == pytest.approx([2.0, math.sqrt(5)])


def test_merged_keeps_every_triangle() -> None:
    both = merged([box((0, 0, 0), (1, 1, 1)), box((2, 0, 0), (3, 1, 1))])
    assert len(both.faces) == 24
    assert volume_m3(both) == pytest.approx(2.0)


def test_two_sided_encloses_nothing() -> None:
    assert volume_m3(two_sided(box((0, 0, 0), (1, 1, 1)))) == pytest.approx(0.0)


def test_convex_accepts_either_winding() -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    a, b, c, d = corners
    pyramid = convex([[a, b, c], [a, b, d], [b, c, d], [c, d, a]])
    assert volume_m3(pyramid) == pytest.approx(1 / 6)
