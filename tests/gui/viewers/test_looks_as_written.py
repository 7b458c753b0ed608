"""What both formats say of colours is what is seen: the mean colour of patches to 3 %."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from worlds.look_cases import LOOKS
from worlds.looks_as_written import GREY, Rgb, Written, reference, write_glb, write_usda
from worlds.scene_files import Gltf

from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.domain.scene.scene import Scene
from waypost.io.scenes.decode_scene import decode_at_once
from waypost.viewers.scene.picture_camera import PictureCamera

pytestmark = pytest.mark.gui

SIZE = PictureSize(200, 200)
DISTANCE_M = 4.0
FOV = FieldOfView(2 * math.atan(1.0 / DISTANCE_M))
"""The quad fills the picture."""

SHARE = 0.03


def seen(scene: Scene, *, from_behind: bool = False) -> np.ndarray:
    """(200, 200, 3) the quad, seen straight on; its lower left is the picture's."""
    y, yaw = (DISTANCE_M, -math.pi / 2) if from_behind else (-DISTANCE_M, math.pi / 2)
    with PictureCamera(scene) as camera:
        return camera.take(CameraPose((1.0, y, 1.0), yaw, 0.0), FOV, SIZE).astype(float)


def patch(picture: np.ndarray, place: tuple[float, float]) -> np.ndarray:
    """(3,) the mean colour of 11 × 11 pixels around a place."""
    column, row = round(place[0] * 200), round((1 - place[1]) * 200)
    return picture[row - 5 : row + 6, column - 5 : column + 6].reshape(-1, 3).mean(axis=0)


def plain(scene: Scene, color: Rgb, at_y: float = 0.0) -> Scene:
    """The same quads in one plain colour; only the one at a depth."""
    meshes = [m for m in scene.meshes if abs(float(m.vertices[0, 1]) - at_y) < 0.1]
    bare = [replace(m, uvs=None, colors=None, light_uvs=None, material_index=0) for m in meshes]
    return replace(scene, meshes=tuple(bare), materials=(reference(color),), textures=())


def expected(scene: Scene, shown: Rgb | str, place: tuple[float, float]) -> np.ndarray:
    if isinstance(shown, tuple):
        return patch(seen(plain(scene, shown)), place)
    if shown.startswith("glow"):
        return np.array([float(part) for part in shown.split()[1:]])
    wall = patch(seen(plain(scene, GREY, 0.5)), place)
    if shown == "behind":
        return wall
    # 102 of 255 are 0.4; pictures are blended as Qt paints
    return 0.4 * patch(seen(plain(scene, (1.0, 0.0, 0.0))), place) + 0.6 * wall


def check_patches(path: Path, look: Written) -> None:
    """The file lacks nothing, and shows each patch as the look says."""
    scene = decode_at_once(path)
    assert not scene.missing_assets
    picture = seen(scene)
    for place, shown in look.shown.items():
        wanted = expected(scene, shown, place)
        assert patch(picture, place) == pytest.approx(wanted, abs=SHARE * 255), (place, shown)


@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("kind", ["glb", "usda"])
def test_patches_show_what_is_written(
    name: str, kind: str, tmp_path: Path, qapp: QApplication, no_leaks: None
) -> None:
    look = LOOKS[name]
    path = write_glb(tmp_path, look) if kind == "glb" else write_usda(tmp_path, look)
    check_patches(path, look)


@pytest.mark.parametrize("name", [name for name, look in LOOKS.items() if look.materialx])
def test_networks_of_materialx_show_the_same(
    name: str, tmp_path: Path, qapp: QApplication, no_leaks: None
) -> None:
    look = LOOKS[name]
    check_patches(write_usda(tmp_path, look, is_materialx=True), look)


def test_black_beyond_a_texture_is_black_and_no_hole(
    tmp_path: Path, qapp: QApplication, no_leaks: None
) -> None:
    look = LOOKS["texture clamped to the right, mirrored upwards"]
    black = look.usd.replace('"clamp"', '"black"')
    scene = decode_at_once(write_usda(tmp_path, replace(look, usd=black)))
    picture = seen(scene)
    for place, color in (((0.1, 0.4), (0, 0, 0)), ((0.4, 0.4), (0, 0, 1)), ((0.4, 0.9), (0, 0, 1))):
        wanted = expected(scene, tuple(map(float, color)), place)
        assert patch(picture, place) == pytest.approx(wanted, abs=SHARE * 255), place


def test_one_sided_cut_outs_are_not_seen_from_behind(
    tmp_path: Path, qapp: QApplication, no_leaks: None
) -> None:
    for is_double_sided in (False, True):
        sides = {"doubleSided": is_double_sided}
        look = LOOKS["cut-out"]
        made = look.gltf
        look = replace(look, gltf=lambda gltf, made=made, sides=sides: made(gltf) | sides)
        scene = decode_at_once(write_glb(tmp_path, look, is_turned=True))
        color = patch(seen(scene), (0.2, 0.5))
        assert bool(color[0] > 2 * color[1]) is is_double_sided


def test_faces_without_normals_are_flat(tmp_path: Path, qapp: QApplication, no_leaks: None) -> None:
    """A roof edge of 20° between two quads that share vertices: no gradient across a face."""

    shades = {}
    for has_normals in (False, True):
        gltf = Gltf()
        points = [[0, 0, 0], [1, 0, 0.3], [2, 0, 0], [0, 2, 0], [1, 2, 0.3], [2, 2, 0]]
        attributes = {"POSITION": gltf.accessor(points, "f4")}
        if has_normals:
            attributes["NORMAL"] = gltf.accessor([[0, 0, 1]] * 6, "f4")
        faces = [0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4]
        quad = {"attributes": attributes, "indices": gltf.accessor(faces, "u2")}
        gltf.scene(gltf.node(mesh=gltf.primitives([quad])))
        picture = seen(decode_at_once(gltf.write(tmp_path / f"{has_normals}.glb")))
        shades[has_normals] = float(np.ptp(picture[100, 20:90, 1]))
    assert shades[False] <= 2.0
    assert shades[True] >= 5.0
