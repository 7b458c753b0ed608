"""What lies outside the view is not drawn, and no pixel tells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from grabbed_view import grab_image
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from worlds.scene_files import Gltf

from waypost.io.scenes.decode_scene import decode_at_once
from waypost.viewers.scene import gl_layers
from waypost.viewers.scene.camera import Camera, CameraMode, FlyCamera, OrbitCamera, TopCamera
from waypost.viewers.scene.mesh_pieces import seen_pieces
from waypost.viewers.scene.view import SceneView

pytestmark = pytest.mark.gui

CELLS = 64
"""A wavy plate of 64 × 64 cells has 8,192 triangles: a piece."""


def wavy_plate(gltf: Gltf, material: int) -> int:
    x, z = (part.ravel() for part in np.meshgrid(*[np.linspace(-1, 1, CELLS + 1)] * 2))
    points = np.stack([x, 0.1 * np.sin(5 * x) * np.cos(4 * z), z], axis=1)
    corner = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).ravel()
    a, b, c, d = corner, corner + 1, corner + CELLS + 1, corner + CELLS + 2
    faces = np.concatenate([np.stack([a, c, b], 1), np.stack([b, c, d], 1)])
    return gltf.mesh(points, faces, material=material)


def write_plates(folder: Path) -> Path:
    """Plates at twenty places: instances, turned, scaled, mirrored; a third can be seen through."""
    gltf = Gltf()
    gltf.header["materials"] = [
        {"pbrMetallicRoughness": {"baseColorFactor": color}, "alphaMode": mode}
        for color, mode in (([1, 0.5, 0.2, 1], "OPAQUE"), ([0.2, 0.5, 1, 0.5], "BLEND"))
    ]
    plates = [wavy_plate(gltf, 0), wavy_plate(gltf, 0), wavy_plate(gltf, 1)]
    rng = np.random.default_rng(11)
    nodes = []
    for number in range(20):
        turn = rng.normal(size=4)
        scale = rng.uniform(0.5, 2.0, 3) * (-1 if number % 4 == 1 else 1)
        nodes.append(
            gltf.node(
                mesh=plates[number % 3],
                translation=rng.uniform(-6, 6, 3).tolist(),
                rotation=(turn / np.linalg.norm(turn)).tolist(),
                scale=scale.tolist(),
            )
        )
    gltf.scene(*nodes)
    return gltf.write(folder / "plates.glb")


def cameras() -> Iterator[tuple[Camera, CameraMode, float | None]]:
    """Random ones of every projection, with and without a cut."""
    rng = np.random.default_rng(17)
    for number in range(18):
        place = tuple(float(part) for part in rng.uniform(-5, 5, 3))
        yaw, pitch = float(rng.uniform(0, 6.3)), float(rng.uniform(-1.2, 1.2))
        cut = None if number % 2 else float(rng.uniform(-3, 3))
        yield FlyCamera(place, yaw, pitch), CameraMode.FLY, cut
        if number % 3 == 0:
            yield OrbitCamera(place, 3.0, yaw, -abs(pitch)), CameraMode.ORBIT, cut
            yield TopCamera(place, float(rng.uniform(0.5, 4))), CameraMode.TOP, cut


def test_pictures_are_the_same_with_and_without_what_is_outside(
    tmp_path: Path, qapp: QApplication, qtbot: QtBot, no_leaks: None, monkeypatch: Any
) -> None:
    view = SceneView()
    qtbot.addWidget(view)
    view.resize(320, 240)
    view.set_scene(decode_at_once(write_plates(tmp_path)))
    view.show()
    qtbot.waitUntil(lambda: view.is_complete)
    shares: list[float] = []
    pictures: list[np.ndarray] = []
    for is_culled in (True, False):

        def chosen(*given: Any, is_culled: bool = is_culled) -> np.ndarray:
            seen = seen_pieces(*given)
            shares.append(float(seen.mean()))
            return seen if is_culled else np.ones_like(seen)

        monkeypatch.setattr(gl_layers, "seen_pieces", chosen)
        for camera, mode, cut in cameras():
            view.set_cut_z(cut)
            view.set_camera(camera, mode)
            pictures.append(grab_image(view))
    half = len(pictures) // 2
    for culled, whole in zip(pictures[:half], pictures[half:], strict=True):
        assert np.array_equal(culled, whole)
    assert np.mean(shares) < 0.6
    # The comparison means something only if there is something to see.
    assert len({picture.tobytes() for picture in pictures}) > half // 2
