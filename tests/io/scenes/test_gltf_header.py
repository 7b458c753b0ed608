"""A glTF header of any types gives a scene, or one sentence with the exact place."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worlds.scene_files import CUBE_POINTS, Gltf, png, read_failure

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.scene import Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene


def full_gltf() -> Gltf:
    """Every part of a header that is read: two nodes, sparse values, a picture, extensions."""
    gltf = Gltf()
    picture = gltf.view(png(np.full((2, 2, 3), 90)))
    moved = gltf.view(np.array([[1, 5, 1]], "<f4").tobytes())
    which = gltf.view(np.array([7], "<u2").tobytes())
    sparse = {
        "count": 1,
        "indices": {"bufferView": which, "componentType": 5123},
        "values": {"bufferView": moved},
    }
    uvs = gltf.accessor(CUBE_POINTS[:, :2], "f4")
    mesh = gltf.mesh(material=0)
    primitive = gltf.header["meshes"][mesh]["primitives"][0]
    primitive["attributes"]["TEXCOORD_0"] = uvs
    gltf.header["accessors"][primitive["attributes"]["POSITION"]]["sparse"] = sparse
    gltf.header["images"] = [{"bufferView": picture, "name": "grey"}]
    gltf.header["textures"] = [{"source": 0}]
    gltf.header["materials"] = [
        {
            "pbrMetallicRoughness": {
                "baseColorFactor": [1, 1, 1, 1],
                "baseColorTexture": {
                    "index": 0,
                    "texCoord": 0,
                    "extensions": {"KHR_texture_transform": {"offset": [0, 0], "scale": [1, 1]}},
                },
            }
        }
    ]
    gltf.header["extensionsUsed"] = ["KHR_texture_transform"]
    child = gltf.node(mesh=mesh, name="cube", translation=[1, 0, 0], scale=[1, 1, 1])
    gltf.scene(gltf.node(children=[child], rotation=[0, 0, 0, 1]))
    gltf.header["scene"] = 0
    return gltf


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for key, child in members:
        yield from _places(child, (*path, key))


ALL_PLACES = sorted(_places(full_gltf().header), key=str)
ODD_VALUES = st.one_of(
    st.sampled_from(
        [
            None,
            True,
            "x",
            "",
            [],
            {},
            [[]],
            -1,
            0,
            1.5,
            2**31,
            2**63,
            10**400,
            1e300,
            float("nan"),
            float("inf"),
            "../x",
            "/dev/zero",
            "data:,AA",
            [0, 0, 0],
            {"a": None},
        ]
    ),
    st.integers(-(2**40), 2**40),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=5,
    ),
)


@given(changes=st.lists(st.tuples(st.sampled_from(ALL_PLACES), ODD_VALUES), min_size=1, max_size=3))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_types_give_a_scene_or_one_sentence(
    changes: list[tuple[tuple[Any, ...], Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    gltf = full_gltf()
    header = copy.deepcopy(gltf.header)
    for place, value in changes:
        target: Any = header
        try:
            for key in place[:-1]:
                target = target[key]
            target[place[-1]] = value
        except (KeyError, IndexError, TypeError):  # an earlier change took it away
            continue
    gltf.header = header
    path = tmp_path_factory.mktemp("header") / "a.glb"
    try:
        gltf.write(path)
    except (ValueError, AttributeError):  # no text of JSON
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = _outcome(path)
    if isinstance(outcome, ReadError):
        assert outcome.file == str(path)
        assert "\n" not in str(outcome)
        assert not outcome.reason.startswith("cannot be read: "), "no check foresaw it"
    else:
        assert np.isfinite(outcome.bounds_m).all()


def _outcome(path: Path) -> Scene | ReadError:
    try:
        return read_scene(path)
    except ReadError as error:
        return error


@pytest.mark.parametrize(
    ("header", "place", "words"),
    [
        ({"extensionsUsed": [1]}, "extensionsUsed[0]", "text"),
        ({"extensionsRequired": None}, "extensionsRequired", "array"),
        ({"buffers": ["x"]}, "buffers[0]", "object"),
        ({"buffers": [{"byteLength": "9"}]}, "buffers[0].byteLength", "whole number"),
        ({"buffers": [{"byteLength": -9}]}, "buffers[0].byteLength", ">= 0"),
        ({"nodes": [{"mesh": 0.5}]}, "nodes[0].mesh", "whole number"),
        ({"nodes": [{"mesh": True}]}, "nodes[0].mesh", "whole number"),
        ({"nodes": [{"mesh": 3}]}, "nodes[0].mesh", "names meshes[3], and there are 0"),
        ({"nodes": [{"scale": [1, 2]}]}, "nodes[0].scale", "length 3"),
        ({"nodes": [{"translation": [0, 1e300, 0]}]}, "nodes[0].translation[1]", "number"),
        ({"accessors": [{"count": 1, "type": "VEC3"}]}, "accessors[0]", "componentType"),
        ({"meshes": [{}]}, "meshes[0]", "primitives"),
        ({"materials": [{"pbrMetallicRoughness": 1}]}, "materials[0].pbrMetallicRoughness", "obj"),
        ({"scene": 1, "scenes": [{}]}, "scene", "names scenes[1]"),
    ],
)
def test_the_place_is_exact(header: dict[str, Any], place: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, **header}))
    error = read_failure(path)
    assert error.place == place
    assert words in error.reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"x": ' + "9" * 5000, "too many digits"),
        ('"nodes": [{"mesh": Infinity}]', "a whole number"),
        ('"x": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_numbers_and_nesting_that_python_refuses(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    path.write_text('{"asset": {"version": "2.0"}, ' + text + "}")
    assert words in read_failure(path).reason


def test_repeated_keys_are_said(tmp_path: Path) -> None:
    path = full_gltf().write_gltf(tmp_path / "a.gltf")
    text = path.read_text()
    path.write_text('{"scene": 0, "scene": 0, ' + text[1:])
    assert any("repeats the key 'scene'" in text for text in read_scene(path).warnings)


class TestTree:
    @pytest.mark.parametrize("depth", [1, 40])
    def test_a_node_has_one_parent(self, depth: int, tmp_path: Path) -> None:
        gltf = Gltf()
        top = gltf.node(mesh=gltf.mesh())
        for _ in range(depth):
            top = gltf.node(children=[top, top])
        gltf.scene(top)
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert error.place == "nodes[0]"
        assert error.reason == "is named twice by nodes[1], and a node has one parent"

    def test_two_parents_are_named(self, tmp_path: Path) -> None:
        gltf = Gltf()
        shared = gltf.node(mesh=gltf.mesh())
        gltf.scene(gltf.node(children=[shared]), gltf.node(children=[shared]))
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert "by nodes[1] and by nodes[2]" in error.reason

    def test_a_mesh_may_be_placed_by_many_nodes(self, tmp_path: Path) -> None:
        gltf = Gltf()
        mesh = gltf.mesh()
        gltf.scene(*(gltf.node(mesh=mesh, translation=[x, 0, 0]) for x in range(5)))
        assert read_scene(gltf.write(tmp_path / "a.glb")).triangle_count == 60

    def test_deep_trees_are_fine(self, tmp_path: Path) -> None:
        gltf = Gltf()
        top = gltf.node(mesh=gltf.mesh())
        for _ in range(3000):
            top = gltf.node(children=[top])
        gltf.scene(top)
        assert read_scene(gltf.write(tmp_path / "a.glb")).triangle_count == 12

    def test_a_transform_without_end_is_refused(self, tmp_path: Path) -> None:
        gltf = Gltf()
        top = gltf.node(mesh=gltf.mesh(), scale=[1e30, 1e30, 1e30])
        for _ in range(20):
            top = gltf.node(children=[top], scale=[1e30, 1e30, 1e30])
        gltf.scene(top)
        assert "not a finite number" in read_failure(gltf.write(tmp_path / "a.glb")).reason
