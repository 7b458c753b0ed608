from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from simulators.rooms import box

from waypost.simulators.backends.engine import SceneMesh, clean_mesh

CUBE = box("cube", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))


def mesh(vertices, faces):
    return SceneMesh("thing", np.asarray(vertices, np.float32), np.asarray(faces, np.int32))


def test_a_sound_mesh_stays_as_it_is():
    cleaned, problem = clean_mesh(SceneMesh("cube", CUBE.vertices, CUBE.faces))
    assert problem is None
    np.testing.assert_array_equal(cleaned.vertices, CUBE.vertices)
    np.testing.assert_array_equal(cleaned.faces, CUBE.faces)


def test_unusable_triangles_are_dropped_and_counted():
    nan = float("nan")
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0], [nan, 0, 0], [np.inf, 0, 0]]
    faces = [[0, 1, 2], [0, 1, 3], [0, 0, 1], [0, 1, 4], [0, 1, 5], [0, 1, 99], [0, 1, -1]]
    cleaned, problem = clean_mesh(mesh(vertices, faces))
    assert problem == "thing: dropped 6 of 7 triangles without area"
    np.testing.assert_array_equal(cleaned.vertices, [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(cleaned.faces, [[0, 1, 2]])


def test_triangles_without_any_vertices_are_dropped():
    cleaned, problem = clean_mesh(mesh(np.zeros((0, 3)), [[0, 1, 2]]))
    assert problem == "thing: dropped 1 of 1 triangles without area"
    assert len(cleaned.faces) == 0


@given(
    npst.arrays(np.float32, st.tuples(st.integers(0, 6), st.just(3)), elements=st.floats(width=32)),
    npst.arrays(np.int32, st.tuples(st.integers(0, 8), st.just(3)), elements=st.integers(-2, 8)),
)
def test_what_is_left_is_always_finite_and_complete(vertices, faces):
    cleaned, _ = clean_mesh(SceneMesh("any", vertices, faces))
    assert len(cleaned.faces) <= len(faces)
    if len(cleaned.faces):
        assert cleaned.faces.min() >= 0
        assert cleaned.faces.max() < len(cleaned.vertices)
        assert np.isfinite(cleaned.vertices[cleaned.faces]).all()
