"""Two scenes of one stem: the second never takes the project of the first without a question."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gui.house import write_house
from gui.user import User
from PySide6.QtWidgets import QMessageBox
from worlds.scene_files import usd_cube, usda

from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui


@pytest.fixture
def same_stem(house: Path) -> Path:
    """A cabin under the stem of the house."""
    return usda(house.with_name("house.usda"), usd_cube("Cabin", size=(3, 3, 2.5)))


def _box(user: User) -> QMessageBox:
    user.wait(lambda: user.window.files.scene_question.box is not None)
    box = user.window.files.scene_question.box
    assert box is not None
    return box


def _press(user: User, box: QMessageBox, text: str) -> None:
    (button,) = (b for b in box.buttons() if b.text().replace("&", "") == text)
    user.click_widget(button)


def test_the_second_scene_gets_a_project_of_its_own(
    user: User, house: Path, same_stem: Path
) -> None:
    before = house.read_bytes()
    user.window.bench.open_scene_file(same_stem)
    box = _box(user)
    assert "house.waypost belongs to the scene house.glb; house.usda has no project." in box.text()
    assert "house.usda.waypost" in box.informativeText()
    assert user.window.bench.document is None
    _press(user, box, "Make a new project")
    user.wait(lambda: user.window.bench.document is not None)
    assert user.document.store.location == house.with_name("house.usda.waypost")
    assert user.project.scene_path == "house.usda"
    assert not user.project.graph.nodes
    assert house.read_bytes() == before
    user.window.bench.open_scene_file(house.with_suffix(".glb"))
    user.wait(lambda: user.document.store.location == house)
    user.window.bench.open_scene_file(same_stem)
    user.wait(lambda: user.document.store.location == house.with_name("house.usda.waypost"))
    assert user.window.files.scene_question.box is None


def test_the_same_house_is_compared_before_the_project_is_pointed_at_it(
    user: User, house: Path, same_stem: Path
) -> None:
    user.window.bench.open_scene_file(same_stem)
    _press(user, _box(user), "It is the same house …")
    user.wait(lambda: "Use house.usda as the scene" in _box(user).text())
    box = _box(user)
    assert "the size was 8.00 × 6.00 × 5.50 m and is 3.00 × 3.00 × 2.50 m" in box.text()
    assert "5 nodes would have no floor below" in box.text()
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    _press(user, box, "Use house.usda")
    user.wait(lambda: user.window.bench.document is not None)
    user.settle()
    assert user.document.store.location == house
    assert user.project.scene_path == "house.usda"
    assert len(user.graph.nodes) == 5
    assert user.window.bench.scene is not None
    assert user.window.bench.scene.path == str(same_stem)
    user.take_keyboard()
    user.press("Ctrl+Z")
    assert user.project.scene_path == "house.glb"
    user.wait(lambda: user.window.bench.scene and user.window.bench.scene.format == "glb")


def test_another_file_of_the_same_house_differs_in_nothing(
    user: User, house: Path, tmp_path: Path
) -> None:
    copy = write_house(tmp_path / "copy").with_suffix(".glb")
    copy.rename(house.with_name("same.glb"))
    user.window.bench.open_scene_file(house.with_name("same.glb"), house)
    _press(user, _box(user), "It is the same house …")
    user.wait(lambda: "The same size, place and storeys" in _box(user).text())
    _press(user, _box(user), "Use same.glb")
    user.wait(lambda: user.window.bench.document is not None)
    assert user.project.scene_path == "same.glb"


def test_a_question_that_is_cancelled_opens_nothing(
    user: User, house: Path, same_stem: Path
) -> None:
    user.open(house)
    document = user.document
    user.window.bench.open_scene_file(same_stem)
    user.click_widget(_box(user).button(QMessageBox.StandardButton.Cancel))
    user.wait(lambda: user.window.files.scene_question.box is None)
    assert user.document is document
    assert sorted(path.name for path in house.parent.glob("*.waypost")) == ["house.waypost"]


def test_a_scene_in_a_read_only_folder_keeps_its_project_with_the_users_data(
    user: User, house: Path
) -> None:
    house.unlink()
    folder = house.parent
    folder.chmod(0o555)
    try:
        user.window.bench.open_scene_file(folder / "house.glb")
        user.wait(lambda: user.window.bench.document is not None)
        user.settle()
        location = user.document.store.location
        assert isinstance(location, Path)
        assert location.parent == user.window.bench.data_folder / "scenes"
        assert user.project.scene_path == (folder / "house.glb").as_posix()
        assert f"project {os.fspath(location)}" in user.window._status.scene_text
        assert not list(folder.glob("*.waypost"))
        document = user.document
        user.window.bench.open_scene_file(folder / "house.glb")
        user.wait(lambda: user.document is not document)
        assert user.document.store.location == location
    finally:
        folder.chmod(0o755)


def test_a_project_goes_where_the_user_says(user: User, house: Path, tmp_path: Path) -> None:
    place = tmp_path / "mine.waypost"
    user.window.bench.open_path(house.with_suffix(".glb"), place)
    user.wait(lambda: user.window.bench.document is not None)
    store = ProjectStore.open(place)
    assert store.load().scene_path == "house/house.glb"
    store.close()
    user.settle()
    assert user.window._status.scene_text.endswith(f"project {place}")
