from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.scene_files import CUBE_POINTS, Gltf, cube_glb, read_failure

from waypost.domain.base.errors import ReadError
from waypost.io.scenes.decode_scene import decode_at_once as read_scene


def test_non_latin_names(tmp_path: Path) -> None:
    folder = tmp_path / "场景 №1"
    folder.mkdir()
    assert read_scene(cube_glb().write(folder / "комната é.glb")).name == "комната é"


def test_no_mesh(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.scene(gltf.node(name="empty"))
    assert read_failure(gltf.write(tmp_path / "a.glb")).reason == "there is no mesh to show"


def test_zero_extent(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.scene(gltf.node(mesh=gltf.mesh(CUBE_POINTS * 0)))
    assert "one point" in read_failure(gltf.write(tmp_path / "a.glb")).reason


def test_not_a_number(tmp_path: Path) -> None:
    points = CUBE_POINTS.copy()
    points[3, 1] = np.nan
    gltf = Gltf()
    gltf.scene(gltf.node(mesh=gltf.mesh(points), name="odd"))
    error = read_failure(gltf.write(tmp_path / "a.glb"))
    assert (error.place, error.reason) == ("odd", "a vertex is not a finite number")


def test_old_version(tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    path.write_text('{"asset": {"version": "1.0"}}')
    assert "version 1.0" in read_failure(path).reason


def test_json_that_is_not_gltf(tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    path.write_text('{"nodes": []}')
    assert "not glTF" in read_failure(path).reason


@given(share=st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_any_truncation_is_one_sentence(
    share: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = cube_glb().glb()
    path = tmp_path_factory.mktemp("cut") / "a.glb"
    path.write_bytes(data[: int(share * (len(data) - 1))])
    read_failure(path)


@given(at=st.integers(12, 1500), value=st.integers(0, 255))
@settings(max_examples=150, deadline=None)
def test_any_changed_byte_gives_a_scene_or_one_sentence(
    at: int, value: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = bytearray(cube_glb().glb())
    data[at % len(data)] = value
    path = tmp_path_factory.mktemp("flip") / "a.glb"
    path.write_bytes(bytes(data))
    with contextlib.suppress(ReadError):
        assert read_scene(path).triangle_count > 0
