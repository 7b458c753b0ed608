from __future__ import annotations

import json
from pathlib import Path

import pytest

from waypost.domain.base.errors import ReadError
from waypost.io.scenes.scene_folder import find_scene_file


@pytest.mark.parametrize(
    "name",
    [
        "s1.glb",
        "s1.usda",
        "s1/s1.glb",
        "s1/start_result_navigation.usd",
        "s1/anything.gltf",
    ],
)
def test_a_scene_is_found_by_its_id(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.touch()
    (tmp_path / "s2.glb").touch()
    (file.parent / "notes.txt").touch()
    assert find_scene_file(tmp_path, "s1") == file


def test_a_list_gives_paths_relative_to_itself(tmp_path: Path) -> None:
    (tmp_path / "houses").mkdir()
    (tmp_path / "houses" / "one.glb").touch()
    scenes = tmp_path / "scenes.json"
    scenes.write_text(json.dumps({"s1": "houses/one.glb", "s2": "houses/two.glb"}))
    assert find_scene_file(scenes, "s1") == tmp_path / "houses" / "one.glb"
    with pytest.raises(ReadError, match=r"scene s2: there is no file .*two\.glb"):
        find_scene_file(scenes, "s2")
    with pytest.raises(ReadError, match="scene s3: is not in the list"):
        find_scene_file(scenes, "s3")


def test_what_is_missing_or_unclear_is_said(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"scene s1: there is neither a file s1\.glb nor a folder"):
        find_scene_file(tmp_path, "s1")
    (tmp_path / "s1").mkdir()
    for name in ("a.glb", "b.glb"):
        (tmp_path / "s1" / name).touch()
    with pytest.raises(ReadError, match=r"2 scene files \(a\.glb, b\.glb\)"):
        find_scene_file(tmp_path, "s1")
    with pytest.raises(ReadError, match="no such folder"):
        find_scene_file(tmp_path / "none", "s1")
    with pytest.raises(ReadError, match="no name of a scene"):
        find_scene_file(tmp_path, "../s1")
