"""Cameras, the cut and storeys by their keys; the palette, keys and themes of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from cut_text import cut_texts
from gui.user import User
from pytestqt.qtbot import QtBot

from waypost.app.window.settings.shortcut_editor import KeyCapture, ShortcutEditor
from waypost.app.window.startup import opened_window
from waypost.services.settings import SettingsFile

pytestmark = pytest.mark.gui


def test_a_key_chooses_the_camera(at_house: User) -> None:
    at_house.press("O")
    for key, mode in (("T", "top"), ("G", "fly"), ("O", "orbit")):
        at_house.press(key)
        assert str(at_house.view.camera_mode) == mode


def test_page_keys_go_from_storey_to_storey(at_house: User) -> None:
    slider = at_house.window.stage.slider
    assert len(slider.stops) == 2
    assert at_house.view.cut_z == pytest.approx(slider.stops[0].cut_z_m)
    at_house.press("PgUp")
    assert at_house.view.cut_z == pytest.approx(slider.stops[1].cut_z_m)
    at_house.press("PgDown")
    assert at_house.view.cut_z == pytest.approx(slider.stops[0].cut_z_m)


def test_brackets_move_the_cut(at_house: User) -> None:
    before = at_house.view.cut_z
    at_house.press("]")
    assert at_house.view.cut_z == pytest.approx(before + 0.1)
    at_house.press("[", "[")
    assert at_house.view.cut_z == pytest.approx(before - 0.1)


def test_the_palette_runs_a_command(at_house: User) -> None:
    at_house.press("O", "Ctrl+Shift+P")
    at_house.type("look from abo")
    at_house.press("Return")
    assert str(at_house.view.camera_mode) == "top"
    at_house.press("O")
    assert str(at_house.view.camera_mode) == "orbit"


def test_the_palette_goes_away_with_esc(at_house: User) -> None:
    at_house.click((2.5, 0.0, 0.0))
    at_house.press("Ctrl+Shift+P", "Esc")
    assert at_house.window.bench.selection.node_ids == {"node_3"}
    at_house.press("Esc")
    assert at_house.window.bench.selection.node_ids == frozenset()


def open_keys(user: User) -> ShortcutEditor:
    user.press("Ctrl+,")
    editor = user.window.findChild(ShortcutEditor)
    assert isinstance(editor, ShortcutEditor)
    user.wait(editor.isActiveWindow)
    return editor


def give_key(user: User, editor: ShortcutEditor, action_id: str, key: str) -> None:
    editor.choose_action(action_id)
    user.click_widget(user.find(KeyCapture, root=editor))
    user.press(key)


def test_a_key_that_is_taken_is_refused_and_a_free_one_works_at_once(
    at_house: User, tmp_path: Path, qtbot: QtBot
) -> None:
    at_house.press("O")
    editor = open_keys(at_house)
    give_key(at_house, editor, "view.top", "G")
    assert "Fly through it" in editor._message.text()
    assert at_house.window.actions_set.shortcuts.key("view.top") == "T"
    give_key(at_house, editor, "view.top", "Ctrl+J")
    editor.close()
    at_house.take_keyboard()
    at_house.press("T")
    assert str(at_house.view.camera_mode) == "orbit"
    at_house.press("Ctrl+J")
    assert str(at_house.view.camera_mode) == "top"
    assert SettingsFile(tmp_path / "config" / "settings.toml").load()[0].shortcuts == {
        "view.top": "Ctrl+J"
    }


def test_a_changed_key_works_after_a_restart(
    house: Path, tmp_path: Path, qtbot: QtBot, no_leaks: None
) -> None:
    config = tmp_path / "config"
    config.mkdir()
    (config / "settings.toml").write_text('[shortcuts]\n"view.top" = "J"\n')
    with opened_window(config, tmp_path / "data") as window:
        user = User(window, qtbot)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        user.open(house)
        user.press("J")
        assert str(user.view.camera_mode) == "top"


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_text_is_cut(user: User, sample: Path, theme: str) -> None:
    user.open(sample)
    if theme == "light":
        user.window.preferences.switch_theme()
    for workspace in ("Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+5"):
        user.press(workspace)
        user.settle()
        assert user.window.size().width() == 1280
        assert (workspace, cut_texts(user.window)) == (workspace, [])


def test_the_welcome_page_is_readable_at_every_text_scale(user: User) -> None:
    for _ in range(4):
        assert cut_texts(user.window) == []
        user.press("Ctrl+=", "Ctrl+=")


def test_twice_as_large_text_leaves_the_window_whole(at_house: User) -> None:
    at_house.press(*["Ctrl+="] * 10)
    assert at_house.window.bench.settings.text_scale_percent == 200
    assert cut_texts(at_house.window) == []
    assert at_house.window.width() <= 1280
    assert at_house.window.height() <= 720
    at_house.press(*["Ctrl+-"] * 10)
    assert at_house.window.bench.settings.text_scale_percent == 100


def test_the_stage_has_room(at_house: User) -> None:
    assert at_house.view.width() >= 640
    assert at_house.view.height() >= 420
    at_house.press("F11")
    assert at_house.view.width() == 1280
    at_house.press("F11", "F8", "F9")
    assert at_house.view.width() >= 1240
    at_house.press("F8", "F9")
    assert at_house.view.width() < 900
