"""The section of closed bodies, as signed outlines."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from waypost.domain.scene.scene import Mesh
from waypost.viewers.scene.section import closed_outline, section_segments, section_triangles
from waypost.viewers.scene.shapes import box, upright_cylinder

WHITE = (1.0, 1.0, 1.0, 1.0)


def area_of(segments: NDArray[np.float64]) -> float:
    """Signed: positive where the body lies to the left."""
    start, end = segments[:, 0], segments[:, 1]
    return float((start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]).sum() / 2)


def signed_area(triangles: NDArray[np.float32]) -> float:
    a, b, c = (triangles[:, i, :2].astype(np.float64) for i in range(3))
    u, v = b - a, c - a
    return float((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum() / 2)


def test_a_box_opens_as_its_rectangle() -> None:
    body = box((1.0, 2.0, 0.0), (2.0, 4.0, 6.0), 0.5, WHITE)
    segments = section_segments(body.vertices.astype(np.float32), body.faces, 0.5)
    assert area_of(segments) == pytest.approx(8.0, rel=1e-6)


def test_above_and_below_there_is_nothing() -> None:
    body = box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 0.0, WHITE)
    vertices = body.vertices.astype(np.float32)
    assert len(section_segments(vertices, body.faces, 0.6)) == 0
    assert len(section_segments(vertices, body.faces, -0.6)) == 0


def test_a_missing_face_is_bridged() -> None:
    body = upright_cylinder((5.0, 5.0, 1.0), 1.0, 2.0, WHITE)
    vertices = body.vertices.astype(np.float32)
    whole = section_segments(vertices, body.faces, 1.3)
    assert area_of(whole) == pytest.approx(32 / 2 * np.sin(2 * np.pi / 32), rel=1e-5)
    broken = closed_outline(section_segments(vertices, body.faces[1:], 1.3))
    assert area_of(broken) == pytest.approx(area_of(whole), abs=2e-4)


def test_fans_of_bodies_add_up_to_their_section() -> None:
    bodies = [
        box((0.0, 0.0, 0.0), (2.0, 4.0, 6.0), 0.0, WHITE),
        box((9.0, 0.0, 0.0), (1.0, 1.0, 6.0), 0.2, WHITE),
        box((0.0, 0.0, 9.0), (2.0, 4.0, 1.0), 0.0, WHITE),
    ]
    meshes = [Mesh(str(i), b.vertices.astype(np.float32), b.faces) for i, b in enumerate(bodies)]
    triangles = section_triangles(meshes, 1.0)
    assert signed_area(triangles) == pytest.approx(9.0, abs=1e-3)
    assert (triangles[..., 2] == 1.0).all()
