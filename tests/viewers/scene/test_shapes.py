"""Overlay shapes are true to size, closed and wound outwards."""

from __future__ import annotations

import math

import numpy as np
import pytest

from waypost.viewers.scene.drawing import NOTHING, Drawing, PolyLine, SolidMesh
from waypost.viewers.scene.shapes import (
    box,
    box_edges,
    circle,
    disc,
    ribbon,
    upright_capsule,
    upright_cylinder,
)

RED = (1.0, 0.0, 0.0, 1.0)


def volume(mesh: SolidMesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def area(mesh: SolidMesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_a_box_has_its_size_and_heading() -> None:
    body = box((1, 2, 3), (2.0, 1.0, 0.5), math.pi / 2, RED)
    assert volume(body) == pytest.approx(1.0)
    assert np.ptp(body.vertices, axis=0) == pytest.approx([1.0, 2.0, 0.5])
    assert body.vertices.mean(axis=0) == pytest.approx([1, 2, 3])
    edges = box_edges((1, 2, 3), (2.0, 1.0, 0.5), math.pi / 2, RED)
    points = np.array([p for line in edges for p in line.points])
    assert np.ptp(points, axis=0) == pytest.approx([1.0, 2.0, 0.5])
    assert sum(len(line.points) - 1 for line in edges) == 12


def test_round_bodies_have_the_volume_of_their_polygons() -> None:
    polygon = 32 / 2 * math.sin(2 * math.pi / 32)
    assert volume(upright_cylinder((5, 5, 5), 1.0, 2.0, RED)) == pytest.approx(2 * polygon)
    capsule = upright_capsule((5, 5, 5), 1.0, 3.0, RED)
    assert volume(capsule) == pytest.approx(math.pi + 4 / 3 * math.pi, rel=0.03)
    assert np.ptp(capsule.vertices[:, 2]) == pytest.approx(3.0)


def test_flat_shapes_have_their_area() -> None:
    assert area(disc((0, 0, 1), 2.0, RED)) == pytest.approx(math.pi * 4, rel=0.005)
    band = ribbon(((0, 0, 0), (3, 0, 0), (3, 4, 1)), 0.5, RED)
    flat = band.vertices.copy()
    flat[:, 2] = 0
    assert area(SolidMesh(flat, band.faces, RED)) == pytest.approx(7 * 0.5)
    radii = {round(math.hypot(x - 1, y), 9) for x, y, _ in circle((1, 0, 0), 0.7, RED).points}
    assert radii == {0.7}


def test_drawings_add_up_and_an_empty_one_is_false() -> None:
    line = Drawing(lines=(PolyLine(((0, 0, 0), (1, 0, 0)), RED),))
    body = Drawing(meshes=(box((0, 0, 0), (1, 1, 1), 0, RED),))
    assert (line + body).lines == line.lines
    assert (line + body).meshes == body.meshes
    assert line
    assert not NOTHING


def test_solid_meshes_are_read_only() -> None:
    body = box((0, 0, 0), (1, 1, 1), 0, RED)
    with pytest.raises(ValueError, match="read-only"):
        body.vertices[0] = 1
