"""The tour of the window: five steps, left at any time, found again, never in the way."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from cut_text import cut_texts
from gui.house import write_house
from gui.user import User
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.window.start.introduction_card import IntroductionCard, Outline
from waypost.app.window.startup import opened_window
from waypost.services.settings import SettingsFile

pytestmark = pytest.mark.gui

STEPS = range(1, 6)


def card(user: User) -> IntroductionCard:
    """The card, seen or not."""
    (found,) = user.window.findChildren(IntroductionCard)
    return found


def in_window(user: User, widget: QWidget) -> QRect:
    """Where a widget is in the window."""
    return QRect(widget.mapTo(user.window, QPoint()), widget.size())


def texts(user: User) -> str:
    """Everything the card says."""
    return " ".join(w.text() for w in card(user).findChildren(QLabel) if w.isVisible())


def outlined(user: User) -> list[QRect]:
    """What the rings are drawn around, in the window."""
    rings = [r for r in user.window.findChildren(Outline) if r.isVisible()]
    return [in_window(user, ring) for ring in rings]


def check_look(user: User) -> None:
    """Nothing is cut, nothing that is pointed at is covered, all is inside the window.

    A display may tell a window later of a size that it had before, and then of the last one.
    """

    def is_right() -> bool:
        assert faults_of_look(user) == []
        return True

    user.settle()
    user.wait(is_right)


def faults_of_look(user: User) -> list[str]:
    """What is wrong with the card and the rings, each in words."""
    made, window, rings = card(user), user.window.rect(), outlined(user)
    place = in_window(user, made)
    found = cut_texts(made)
    if not made.isVisible() or not rings:
        found.append("no card, or nothing that is pointed at")
    found += [f"{seen} is not in {window}" for seen in (place, *rings) if not window.contains(seen)]
    found += [f"{ring} is covered by {place}" for ring in rings if ring.intersects(place)]
    return found


def walk(user: User) -> None:
    """See every step, forward, and look at it."""
    for number in STEPS:
        assert user.window.introduction.step == number
        assert f"{number} of 5" in texts(user)
        check_look(user)
        if number < 5:
            user.press("Alt+Right")


def test_it_begins_by_itself_with_the_first_project_only(
    tmp_path: Path, qtbot: QtBot, no_leaks: None, house: Path
) -> None:
    def begin(project: Path) -> int:
        with opened_window(tmp_path / "config", tmp_path / "data") as window:
            user = User(window, qtbot)
            with qtbot.waitActive(window):
                window.show()
                window.activateWindow()
            window.introduction.start_with_first_project()
            assert window.introduction.step == 0
            user.open(project)
            step = window.introduction.step
            if step:
                user.press("Esc")
                assert window.introduction.step == 0
                user.open(write_house(tmp_path / "second"))
                assert window.introduction.step == 0
            return step

    assert begin(house) == 1
    settings, _ = SettingsFile(tmp_path / "config" / "settings.toml").load()
    assert settings.introduction_done
    assert begin(house) == 0


def test_windows_of_scripts_show_none(at_house: User) -> None:
    assert at_house.window.introduction.step == 0
    assert not card(at_house).isVisible()
    assert outlined(at_house) == []


@pytest.mark.parametrize(
    ("theme", "size", "percent"),
    [
        ("dark", (1280, 720), 100),
        ("light", (1280, 720), 200),
        ("light", (960, 600), 100),
        ("dark", (960, 600), 200),
    ],
)
def test_every_step_can_be_read_and_covers_nothing(
    at_house: User, theme: str, size: tuple[int, int], percent: int
) -> None:
    if theme == "light":
        at_house.window.preferences.switch_theme()
    at_house.window.preferences.scale_text(percent - 100)
    at_house.window.resize(*size)
    at_house.settle()
    at_house.press("Shift+F1")
    walk(at_house)


@pytest.mark.parametrize("workspace", ["Ctrl+2", "Ctrl+3", "Ctrl+5"])
def test_it_speaks_of_the_workspace_that_is_shown(at_house: User, workspace: str) -> None:
    at_house.press("Shift+F1")
    in_graph = texts(at_house)
    at_house.press(workspace)
    at_house.settle()
    assert texts(at_house) != in_graph
    walk(at_house)


def test_it_is_done_by_the_keyboard_alone(at_house: User) -> None:
    at_house.press("Shift+F1")
    made = card(at_house)
    assert made.next.hasFocus()
    at_house.press("Space", "Return", "Return")
    assert at_house.window.introduction.step == 4
    at_house.press("Alt+Left")
    assert at_house.window.introduction.step == 3
    at_house.press("Shift+Tab")
    assert made.back.hasFocus()
    at_house.press("Return", "Return")
    assert at_house.window.introduction.step == 1
    assert made.next.hasFocus()
    at_house.press("Return", "Return", "Return", "Return", "Return")
    assert at_house.window.introduction.step == 0
    assert at_house.view.hasFocus()
    assert at_house.window.bench.settings.introduction_done


def test_buttons_do_what_they_say(at_house: User) -> None:
    at_house.press("Shift+F1")
    made = card(at_house)
    assert not made.back.isVisible()
    at_house.click_widget(made.next)
    assert at_house.window.introduction.step == 2
    at_house.click_widget(made.back)
    assert at_house.window.introduction.step == 1
    at_house.click_widget(made.leave)
    assert at_house.window.introduction.step == 0
    assert not made.isVisible()
    assert outlined(at_house) == []


def test_it_can_be_left_at_any_step_from_the_scene_too(at_house: User) -> None:
    bench = at_house.window.bench
    for number in STEPS:
        bench.change_settings(replace(bench.settings, introduction_done=False))
        at_house.press("Shift+F1", *["Alt+Right"] * (number - 1))
        assert at_house.window.introduction.step == number
        at_house.view.setFocus()
        at_house.press("Esc")
        assert at_house.window.introduction.step == 0
        assert bench.settings.introduction_done
        at_house.press("Alt+Right", "Alt+Left")
        assert at_house.window.introduction.step == 0


def test_the_window_works_meanwhile(at_house: User) -> None:
    at_house.press("Shift+F1")
    at_house.press("N")
    assert at_house.find(QPushButton, "Tool: Place nodes").isChecked()
    at_house.window.graph.focus_search()
    at_house.type("kit")
    field = QApplication.focusWidget()
    at_house.press("Esc")
    assert at_house.window.introduction.step == 1
    assert not field.text()
    at_house.press("Shift+F1")
    assert card(at_house).next.hasFocus()
    assert at_house.window.introduction.step == 1


def test_it_is_found_in_the_palette(at_house: User) -> None:
    entries = {e.key: e for e in at_house.window.actions_set.palette_entries()}
    assert entries["help.introduction"].text == "Take the tour"
    assert entries["help.introduction"].is_enabled
    assert not entries["help.introduction_next"].is_enabled
    at_house.press("Ctrl+Shift+P")
    at_house.type("take the tour")
    at_house.press("Return")
    assert at_house.window.introduction.step == 1
    check_look(at_house)


def test_it_names_the_keys_that_are_in_force(at_house: User) -> None:
    shortcuts = at_house.window.actions_set.shortcuts
    changed = shortcuts.assign("view.left", "Ctrl+L").assign("help.introduction_next", "Ctrl+J")
    at_house.press("Shift+F1")
    assert "F8" in texts(at_house)
    at_house.window.preferences._change_keys(changed.assign("graph.search", ""))
    at_house.settle()
    said = texts(at_house)
    assert "Ctrl+L" in said
    assert not re.search("F8|Ctrl\\+F|Search the lists", said)
    assert card(at_house).next.text() == "Next  Ctrl+J"
    at_house.press("Ctrl+J")
    assert at_house.window.introduction.step == 2


def test_it_follows_the_window(at_house: User) -> None:
    at_house.press("Shift+F1", "Alt+Right", "Alt+Right")
    before = in_window(at_house, card(at_house))
    for size in ((1000, 640), (1280, 720)):
        at_house.window.resize(*size)
        check_look(at_house)
    at_house.wait(lambda: in_window(at_house, card(at_house)) == before)
    at_house.window.notices.warn("A sentence that pushes everything down.")
    check_look(at_house)
    (ring,) = outlined(at_house)
    panel = in_window(at_house, at_house.window.graph.right)
    assert ring.contains(panel)


def test_what_is_folded_away_is_said_and_comes_back(at_house: User) -> None:
    at_house.press("F8", "Shift+F1")
    assert outlined(at_house) == []
    assert "F8 brings it back" in texts(at_house)
    assert cut_texts(card(at_house)) == []
    at_house.press("F8")
    check_look(at_house)
    assert "brings it back" not in texts(at_house)
    at_house.press("Alt+Right", "Alt+Right", "Alt+Right", "F11")
    at_house.settle()
    assert outlined(at_house) == []
    assert "F11 brings it back" in texts(at_house)
    at_house.press("F11")
    check_look(at_house)


def test_the_step_about_the_scene_goes_where_there_is_one(at_house: User) -> None:
    at_house.press("Ctrl+5", "Shift+F1")
    assert not at_house.window.stage.isVisible()
    at_house.press("Alt+Right")
    assert at_house.window.stage.isVisible()
    check_look(at_house)
    at_house.press("Ctrl+5")
    at_house.settle()
    assert "Ctrl+1 brings it back" in texts(at_house)
    at_house.press("Ctrl+1")
    check_look(at_house)


def test_it_leaves_the_welcome_page_of_an_open_project(at_house: User) -> None:
    at_house.window.show_welcome()
    at_house.press("Shift+F1")
    check_look(at_house)


def test_without_a_project_it_waits_for_one(user: User, house: Path) -> None:
    user.press("Shift+F1")
    assert user.window.introduction.step == 0
    assert "as soon as a project is open" in user.message()
    user.open(house)
    assert user.window.introduction.step == 1
    check_look(user)


def test_it_stays_away_while_somebody_drives(at_house: User) -> None:
    at_house.press("Shift+F1", "Ctrl+2")
    at_house.wait_for_engine()
    at_house.press("D")
    at_house.wait(lambda: at_house.window.traverse.driver.is_driving)
    at_house.settle()
    assert not card(at_house).isVisible()
    assert outlined(at_house) == []
    at_house.press("Esc")
    at_house.wait(lambda: not at_house.window.traverse.driver.is_driving)
    assert at_house.window.introduction.step == 1
    check_look(at_house)


def test_a_screen_reader_hears_the_step(at_house: User) -> None:
    at_house.press("Shift+F1")
    made = card(at_house)
    assert made.accessibleName() == "Tour, 1 of 5: What there is to do"
    assert "F8: Fold this panel away, or unfold it." in made.accessibleDescription()
    names = [b.accessibleName() for b in made.findChildren(QPushButton) if b.isVisible()]
    assert names == ["Leave the tour, key Esc", "Next, key Alt+Right"]
