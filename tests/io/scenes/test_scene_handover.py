from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from worlds.scene_files import cube_glb, usd_cube, usda

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.scene import Mesh, Scene
from waypost.io.confined.array_block import arrays_in, fill, new_block
from waypost.io.confined.works import Handover
from waypost.io.scenes.decode_scene import decode_at_once
from waypost.io.scenes.open_scene import read_scene
from waypost.io.scenes.scene_handover import handed_over, scene_of

ORIGIN = Path("house.glb")


def assert_same(before: Scene, after: Scene) -> None:
    """Every field, whatever is added to a scene or a mesh."""
    for spec in fields(Scene):
        if spec.name not in {"meshes", "textures", "_bounds"}:
            assert getattr(after, spec.name) == getattr(before, spec.name), spec.name
    for old, new in zip(before.meshes, after.meshes, strict=True):
        for spec in fields(Mesh):
            assert_same_value(getattr(old, spec.name), getattr(new, spec.name))
    for old, new in zip(before.textures, after.textures, strict=True):
        assert_same_value(old, new)


def assert_same_value(before: object, after: object) -> None:
    if isinstance(before, np.ndarray):
        assert after.dtype == before.dtype
        assert np.array_equal(after, before)
        assert not after.flags.writeable
    else:
        assert (type(after), after) == (type(before), before)


@pytest.mark.parametrize("kind", ["glb", "usda"])
def test_a_scene_of_a_child_is_the_scene_read_here(kind, tmp_path):
    if kind == "glb":
        path = cube_glb().write(tmp_path / "a.glb")
    else:
        path = usda(tmp_path / "a.usda", usd_cube("C") + 'def "X" (references = @no.usda@) {}')
    assert_same(decode_at_once(path), read_scene(path))


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["small_house.glb", "usd/small_house.usda"])
def test_a_real_scene_of_a_child_is_the_scene_read_here(name, shared_data):
    path = shared_data / "scenes/small_house" / name
    here, there = decode_at_once(path), read_scene(path)
    assert len(there.content_hash) == 64
    assert_same(here, there)


def test_names_are_those_of_the_user_wherever_the_child_works(tmp_path, monkeypatch):
    cube_glb().write(tmp_path / "a.glb")
    monkeypatch.chdir(tmp_path)
    assert read_scene(Path("a.glb")).path == "a.glb"


@pytest.fixture
def handover(tmp_path) -> Handover:
    scene = decode_at_once(cube_glb().write(tmp_path / "a.glb"))
    with new_block() as block:
        taken = handed_over(replace(scene, textures=(np.zeros((2, 2, 4), np.uint8),)))
        return Handover(taken.values, arrays_in(block, fill(block, taken.arrays)))


def test_what_is_handed_over_is_a_scene(handover):
    assert scene_of(handover, ORIGIN).triangle_count == 12


LIES = {
    "no facts": lambda values, arrays: values.pop("facts"),
    "other facts": lambda values, arrays: values["facts"].update(origin_m="here"),
    "facts nobody knows": lambda values, arrays: values["facts"].update(more=1),
    "no meshes": lambda values, arrays: values.update(meshes=None),
    "a mesh that is none": lambda values, arrays: values.update(meshes=[[]]),
    "an array that is not there": lambda values, arrays: values["meshes"][0].update(vertices=99),
    "an array by a negative number": lambda values, arrays: values["meshes"][0].update(faces=-1),
    "arrays of each other": lambda values, arrays: values["meshes"][0].update(vertices=1),
    "no vertices": lambda values, arrays: values["meshes"][0].update(vertices=None),
    "a material that is not there": lambda values, arrays: values["meshes"][0].update(
        material_index=7
    ),
    "a name that is no text": lambda values, arrays: values["meshes"][0].update(name=["x"]),
    "a texture that is none": lambda values, arrays: values.update(first_texture=0),
    "a triangle beyond the vertices": lambda values, arrays: arrays.__setitem__(1, arrays[1] + 99),
    "a triangle before the vertices": lambda values, arrays: arrays.__setitem__(1, arrays[1] - 99),
    "too few texture coordinates": lambda values, arrays: (
        arrays.append(np.zeros((1, 2), np.float32)),
        values["meshes"][0].update(uvs=len(arrays) - 1),
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_is_no_scene_is_one_sentence(lie, handover):
    arrays = list(handover.arrays)
    LIES[lie](handover.values, arrays)
    if lie == "too few texture coordinates":
        handover.values["first_texture"] = len(arrays)
    with pytest.raises(ReadError, match=r"house\.glb: file: cannot be read: its reader made no"):
        scene_of(Handover(handover.values, tuple(arrays)), ORIGIN)
