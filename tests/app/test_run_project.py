"""Where the project of a run is kept."""

from __future__ import annotations

import pytest

from waypost.app.replay.run_project import make_project, project_beside
from waypost.store.project_store import ProjectStore


def test_it_stands_beside_its_results(tmp_path):
    assert project_beside(tmp_path / "val.json.gz", tmp_path / "data") == tmp_path / "val.waypost"


def test_beside_a_read_only_folder_it_stands_with_the_users_data(tmp_path):
    """Root may write there all the same, and must not."""
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
        folder.chmod(0o555)
    one, other = (project_beside(folder / "val.json", tmp_path / "data") for folder in folders)
    assert one.parent == other.parent == tmp_path / "data" / "runs"
    assert one != other
    assert one.name.startswith("val-")
    assert one == project_beside(folders[0] / "val.json", tmp_path / "data")


def test_it_is_made_once(tmp_path):
    path = tmp_path / "deep" / "val.waypost"
    make_project(path, "ada")
    written = path.read_bytes()
    make_project(path, "ada")
    assert path.read_bytes() == written
    store = ProjectStore.open(path)
    try:
        assert store.load().name == "val"
        assert set(store.load().agents) >= {"human", "wheelchair"}
    finally:
        store.close()


@pytest.mark.parametrize("name", ["trajectories", ".hidden"])
def test_a_folder_of_results_has_its_own(tmp_path, name):
    assert project_beside(tmp_path / name, tmp_path).name.startswith(name.split(".")[0] or name)
