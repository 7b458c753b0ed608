"""Folders of ``waypost panoramas`` are read by their manifest alone."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.picture_folders import BLUE, COLOURS, GREEN, RED, WHITE, colour_of, plain, put, walk
from fixtures.replay_examples import space_replay

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import yaw_from_r2r_heading
from waypost.domain.record.camera_take import (
    VIEW_HEADINGS_RAD,
    CameraPose,
    FieldOfView,
    PictureSize,
)
from waypost.domain.replay.picture_lenses import PerspectiveLens, SphereLens
from waypost.domain.scene.graph import Node
from waypost.domain.scene.scene import Mesh, Scene
from waypost.io.camera_takes.manifest import MANIFEST, PanoramaPicture, write_manifest
from waypost.io.picture_sources.open_source import open_picture_source

SIZE = PictureSize(64, 48)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four views and a sphere at B, only a sphere at C."""
    eye = (0.0, 0.0, 1.5)
    views = []
    for heading, colour in zip(VIEW_HEADINGS_RAD, COLOURS, strict=True):
        name = f"B_h{round(math.degrees(heading)):03d}.png"
        put(tmp_path / name, plain(colour))
        pose = CameraPose(eye, yaw_from_r2r_heading(heading))
        views.append(PanoramaPicture(name, "view", pose, SIZE, FieldOfView(math.radians(80))))
    spheres = []
    for name in ("B", "C"):
        put(tmp_path / f"{name}_equirectangular.png", plain(GREEN, 64, 32))
        pose = CameraPose(eye, yaw_from_r2r_heading(1.0))
        size = PictureSize(64, 32)
        spheres.append(
            PanoramaPicture(f"{name}_equirectangular.png", "equirectangular", pose, size, None)
        )
    faces = np.zeros((0, 3), np.int32)
    mesh = Mesh("m", np.zeros((0, 3), np.float32), faces, None, 0)
    scene = Scene("home", "home.glb", "glb", (mesh,), (), content_hash="0" * 64)
    places = [
        (Node("B", "Bath", (0.0, 0.0, 0.0)), (*views, spheres[0])),
        (Node("C", "Cellar", (0.0, 0.0, 0.0)), (spheres[1],)),
    ]
    write_manifest(tmp_path / MANIFEST, scene, places, 1.5)
    return tmp_path


def test_views_and_sphere_of_a_node(folder: Path) -> None:
    source = open_picture_source(folder)
    found = source.pictures_at(walk(), 1)
    lenses = [picture.lens for picture in found.pictures]
    assert all(isinstance(lens, PerspectiveLens) for lens in lenses)
    headings = [
        math.degrees(lens.heading_rad) for lens in lenses if isinstance(lens, PerspectiveLens)
    ]
    assert headings == pytest.approx([0, 90, 180, 270])
    focal_px = 32 / math.tan(math.radians(40))
    assert lenses[0].view(64, 48).focal_px == pytest.approx(focal_px)  # type: ignore[union-attr]
    assert [colour_of(p.read(0)) for p in found.pictures] == [RED, GREEN, BLUE, WHITE]
    assert found.sphere is not None
    assert isinstance(found.sphere.lens, SphereLens)
    assert found.sphere.lens.centre_heading_rad == pytest.approx(1.0)


def test_a_sphere_alone_serves_for_both(folder: Path) -> None:
    found = open_picture_source(folder).pictures_at(walk(), 2)
    assert found.pictures == (found.sphere,)


def test_nodes_without_pictures_are_named(folder: Path) -> None:
    source = open_picture_source(folder)
    assert "no picture of node A" in source.pictures_at(walk(), 0).reason
    assert source.place(walk(), 1) == "B"
    source.close()


def test_runs_without_viewpoints_have_none(folder: Path) -> None:
    source = open_picture_source(folder)
    replay = space_replay([[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0]])
    assert source.place(replay, 0) == ""
    assert "no viewpoints" in source.pictures_at(replay, 0).reason


def test_reference_pictures_are_none_of_a_viewpoint(folder: Path) -> None:
    document = json.loads((folder / MANIFEST).read_text())
    document["nodes"][1]["pictures"][0]["kind"] = "reference"
    (folder / MANIFEST).write_text(json.dumps(document))
    assert "no picture of node C" in open_picture_source(folder).pictures_at(walk(), 2).reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema": "other"}, "is not a manifest"),
        ({"schema_version": 2}, "is newer than 1"),
        ({"nodes": 3}, "not an array"),
        ({"nodes": [{"node_id": "B"}]}, r"nodes\[0\].pictures: is missing"),
        (
            {"nodes": [{"node_id": "B", "pictures": [
                {"kind": "equirectangular", "centre_r2r_heading_rad": 0, "file": "../x.png"}]}]},
            "is no file of the same folder",
        ),
        (
            {"nodes": [{"node_id": "B", "pictures": [
                {"kind": "view", "horizontal_fov_rad": 0, "file": "x.png"}]}]},
            "outside 1° to 175°",
        ),
    ],
)  # fmt: skip
def test_manifests_that_cannot_be_used(folder: Path, change: dict[str, Any], reason: str) -> None:
    document = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**document, **change}))
    with pytest.raises(ReadError, match=reason):
        open_picture_source(folder)
