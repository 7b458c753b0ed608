from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import read_picture

from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.base.frames import yaw_from_r2r_heading
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.domain.scene.graph import Node
from waypost.domain.scene.scene import Scene
from waypost.io.camera_takes.manifest import PanoramaPicture, write_manifest
from waypost.io.camera_takes.picture_files import open_folder, write_picture

PICTURE = np.dstack([np.full((20, 30), value, np.uint8) for value in (250, 120, 10)])


def test_png_keeps_every_value_and_jpg_nearly(tmp_path: Path) -> None:
    write_picture(tmp_path / "p.png", PICTURE)
    np.testing.assert_array_equal(read_picture(tmp_path / "p.png"), PICTURE)
    write_picture(tmp_path / "p.jpg", PICTURE)
    assert np.abs(read_picture(tmp_path / "p.jpg").astype(int) - PICTURE).max() <= 4
    with pytest.raises(InputError, match="ends in"):
        write_picture(tmp_path / "p.gif", PICTURE)


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    with (
        contextlib.suppress(KeyboardInterrupt),
        open_folder(folder, "z.json") as inside,
    ):
        (inside / "a.png").write_bytes(b"half")
        raise KeyboardInterrupt
    assert not folder.exists()
    assert not list(folder.parent.iterdir())
    with open_folder(folder, "z.json") as inside:
        (inside / "a.png").write_bytes(b"new")
    assert [(entry.name, entry.read_bytes()) for entry in folder.iterdir()] == [("a.png", b"new")]
    assert list(folder.parent.iterdir()) == [folder]


def test_a_folder_in_use_is_only_changed_on_demand(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    kept = tmp_path / "out" / "kept.txt"
    kept.write_text("mine")
    with pytest.raises(InputError, match="not empty"), open_folder(tmp_path / "out", "z"):
        pytest.fail("it opened")
    with open_folder(tmp_path / "out", "z", replaces=True) as inside:
        (inside / "a").write_bytes(b"1")
    assert {entry.name for entry in (tmp_path / "out").iterdir()} == {"kept.txt", "a"}
    with pytest.raises(WriteError), open_folder(kept, "z") as inside:
        (inside / "a").write_bytes(b"1")
    assert kept.read_text() == "mine"


def test_a_full_disk_is_said_of_the_folder_that_was_named(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with (
        pytest.raises(WriteError, match=f"^{folder}: file: cannot be written: No space"),
        open_folder(folder, "z") as inside,
    ):
        raise WriteError(str(inside / "a.png"), "No space left on device")
    assert not list(tmp_path.iterdir())


def test_the_manifest_states_both_headings(tmp_path: Path) -> None:
    node = Node("node_1", "Hall", (1.0, 2.0, 0.0))
    size = PictureSize(640, 480)
    pictures = tuple(
        PanoramaPicture(
            f"h{degrees}.png",
            "view",
            CameraPose((1.0, 2.0, 1.5), yaw_from_r2r_heading(math.radians(degrees))),
            size,
            FieldOfView(math.pi / 2),
        )
        for degrees in (0, 90, 180, 270)
    )
    sphere = PanoramaPicture(
        "s.png", "equirectangular", pictures[0].pose, PictureSize(2048, 1024), None
    )
    path = tmp_path / "panoramas.json"
    write_manifest(path, Scene("home", "h.glb", "glb", ()), [(node, (*pictures, sphere))], 1.5)
    document = json.loads(path.read_text())
    assert document["schema"] == "waypost-panoramas"
    (entry,) = document["nodes"]
    assert (entry["node_id"], entry["name"]) == ("node_1", "Hall")
    assert entry["floor_position_m"] == [1.0, 2.0, 0.0]
    *views, whole = entry["pictures"]
    assert [view["r2r_heading_deg"] for view in views] == [0, 90, 180, 270]
    assert [view["scene_yaw_rad"] for view in views] == pytest.approx(
        [math.pi / 2, 0.0, -math.pi / 2, math.pi]
    )
    assert views[0]["vertical_fov_rad"] == pytest.approx(2 * math.atan(0.75))
    assert whole["centre_r2r_heading_rad"] == 0.0
    assert "horizontal_fov_rad" not in whole
