"""Which project belongs to a scene: the one that names it, whatever both are called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from worlds.box_scenes import box, scene

from tools.scene_files.write_glb import write_glb
from waypost.documents.kept_steps import history_file
from waypost.domain.base.progress import exhaust
from waypost.domain.project import Project
from waypost.services.project_places import (
    SceneProject,
    find_scene_project,
    place_in_data,
    stated_scene,
)
from waypost.store.project_store import ProjectStore


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A scene in a folder of its own."""
    (tmp_path / "scans").mkdir()
    path = tmp_path / "scans" / "room.glb"
    write_glb(scene(box("floor", (0.0, 0.0, -0.1), (4.0, 3.0, 0.0))), path)
    return path


def make(path: Path, scene_path: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    ProjectStore.create(path, Project(scene_path=scene_path), "ana").close()
    return path


def find(room: Path, location: Path | None = None) -> SceneProject:
    return exhaust(find_scene_project(room, room.parents[1] / "data", location))


def test_a_scene_without_project_has_a_place_beside_it(room: Path) -> None:
    found = find(room)
    assert found.loaded is None
    assert found.free_place == room.with_suffix(".waypost")


def test_the_project_that_names_the_scene_is_its_own(room: Path) -> None:
    make(room.with_suffix(".waypost"), "../scans/room.glb")
    assert find(room).is_own


@pytest.mark.parametrize("named", ["room.usda", ""])
def test_a_project_of_another_scene_or_of_none_is_not_shared(room: Path, named: str) -> None:
    make(room.with_suffix(".waypost"), named)
    found = find(room)
    assert found.loaded is not None
    assert not found.is_own
    assert found.free_place == room.with_name("room.glb.waypost")


def test_the_second_place_is_found_again(room: Path) -> None:
    make(room.with_suffix(".waypost"), "room.usda")
    own = make(room.with_name("room.glb.waypost"), "room.glb")
    found = find(room)
    assert found.is_own
    assert found.loaded is not None
    assert found.loaded.store.location == own


def test_a_read_only_folder_keeps_its_project_with_the_users_data(room: Path) -> None:
    room.parent.chmod(0o555)
    try:
        place = find(room).free_place
        assert place.parent == room.parents[1] / "data" / "scenes"
        stated = stated_scene(place, room, room.parents[1] / "data")
        assert stated == room.as_posix()
        make(place, stated)
        assert find(room).is_own
    finally:
        room.parent.chmod(0o755)


def test_scenes_of_one_name_in_two_read_only_folders_share_no_project(room: Path) -> None:
    other = room.parents[1] / "other" / "room.glb"
    other.parent.mkdir()
    other.write_bytes(room.read_bytes())
    folders = [room.parent, other.parent]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert find(room).free_place != find(other).free_place
    finally:
        for folder in folders:
            folder.chmod(0o755)


def test_a_name_that_is_no_utf_8_has_its_places(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(b"r\xf6om.glb"))
    places = {place_in_data(tmp_path, "scenes", "room", one) for one in (odd, Path("room.glb"))}
    assert len(places) == 2
    assert len({history_file(tmp_path, one) for one in (odd, Path("room.glb"))}) == 2


def test_a_project_goes_where_the_user_says(room: Path) -> None:
    place = room.parents[1] / "mine.waypost"
    assert find(room, place).free_place == place
    stated = stated_scene(place, room, room.parents[1] / "data")
    assert stated == "scans/room.glb"
    make(place, stated)
    assert find(room, place).is_own
    assert not find(room.with_name("hall.glb"), place).is_own


def test_a_link_to_the_scene_is_the_scene(room: Path) -> None:
    make(room.with_suffix(".waypost"), "room.glb")
    link = room.parents[1] / "linked"
    link.symlink_to(room.parent)
    assert find(link / "room.glb").is_own
