"""A scene that names files outside its folder: asked once, kept, and read again when allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from gui.user import User
from PySide6.QtWidgets import QMessageBox
from worlds.scene_files import usd_cube, usda

from waypost.services.scene_assets import is_answered

pytestmark = pytest.mark.gui

BUTTONS = QMessageBox.StandardButton


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    """A room whose chair lies outside its folder."""
    usda(tmp_path / "chair.usda", usd_cube("C"))
    (tmp_path / "room").mkdir()
    room = usd_cube("R", size=(5, 4, 3)) + 'def "F" (payload = @../chair.usda@</C>) {\n}\n'
    return usda(tmp_path / "room" / "room.usda", room)


def _question(user: User) -> QMessageBox:
    user.wait(lambda: user.window.preferences.outside._box is not None)
    box = user.window.preferences.outside._box
    assert box is not None
    return box


def _triangles(user: User) -> int:
    scene = user.window.bench.scene
    return scene.triangle_count if scene else 0


def test_allowed_files_are_read_and_the_answer_is_kept(user: User, scene_file: Path) -> None:
    user.window.bench.open_scene_file(scene_file)
    box = _question(user)
    assert "names 1 file outside its folder: ../chair.usda" in box.text()
    assert str(scene_file.parent.parent / "chair.usda") in box.detailedText()
    assert _triangles(user) == 12
    assert box.defaultButton() is box.button(BUTTONS.No)
    user.click_widget(box.button(BUTTONS.Yes))
    user.wait(lambda: _triangles(user) == 24)
    project = user.document.store.location
    user.window.bench.open_scene_file(scene_file)
    user.wait(lambda: user.window.bench.opening is None)
    assert user.document.store.location == project
    user.wait(lambda: _triangles(user) == 24)
    assert user.window.preferences.outside._box is None


def test_files_that_are_left_out_are_not_asked_for_again(user: User, scene_file: Path) -> None:
    user.window.bench.open_scene_file(scene_file)
    user.click_widget(_question(user).button(BUTTONS.No))
    user.wait(lambda: is_answered(user.window.bench.settings, scene_file))
    document = user.document
    user.window.bench.open_scene_file(scene_file)
    user.wait(lambda: user.document is not document and _triangles(user) == 12)
    user.settle()
    assert user.window.preferences.outside._box is None


def test_a_scene_that_shows_nothing_else_asks_as_well(user: User, scene_file: Path) -> None:
    usda(scene_file, 'def "F" (payload = @../chair.usda@</C>) {\n}\n')
    user.window.bench.open_scene_file(scene_file)
    box = _question(user)
    assert "../chair.usda" in box.text()
    assert not scene_file.with_suffix(".waypost").exists()
    user.click_widget(box.button(BUTTONS.Yes))
    user.wait(lambda: _triangles(user) == 12)
    assert scene_file.with_suffix(".waypost").exists()
