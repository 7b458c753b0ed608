from __future__ import annotations

import numpy as np
import pytest

from waypost.domain.scene.scene import Mesh, Scene


def _mesh(points: list[tuple[float, float, float]]) -> Mesh:
    faces = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
    return Mesh("m", np.array(points, dtype=np.float32).reshape(-1, 3), faces)


def test_bounds_size_and_count_over_all_meshes() -> None:
    scene = Scene(
        "s",
        "s.glb",
        "glb",
        (
            _mesh([(0, 0, 0), (1, 0, 0), (0, 2, 0)]),
            _mesh([]),
            _mesh([(-1, 0, 3), (0, 0, 0), (0, 0, 1), (4, 1, 1), (4, 0, 1), (4, 0, 2)]),
        ),
    )
    assert scene.bounds_m == ((-1.0, 0.0, 0.0), (4.0, 2.0, 3.0))
    assert scene.size_m == (5.0, 2.0, 3.0)
    assert scene.triangle_count == 3


def test_origin_is_added_in_double_precision() -> None:
    origin = (2_600_000.25, -5.0, 100.125)
    scene = Scene("s", "s.glb", "glb", (_mesh([(0, 0, 0), (1, 0, 0), (0, 2, 0)]),), origin_m=origin)
    assert scene.bounds_m == ((2_600_000.25, -5.0, 100.125), (2_600_001.25, -3.0, 100.125))


def test_scene_without_vertices_has_no_bounds() -> None:
    with pytest.raises(ValueError, match="no bounds"):
        _ = Scene("s", "s.glb", "glb", (_mesh([]),)).bounds_m


def test_arrays_are_read_only() -> None:
    mesh = _mesh([(0, 0, 0), (1, 0, 0), (0, 2, 0)])
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        mesh.faces[0, 0] = 1
