from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.shell.actions import ActionSet, ActionSpec, shortcut_entries
from waypost.services.input.shortcuts import ShortcutMap


class Bench:
    """A window with a stage, a text field and four actions that count."""

    def __init__(self, qtbot: QtBot) -> None:
        self.ran: list[str] = []
        self.can_undo = True
        self.window = QMainWindow()
        host = QWidget()
        self.window.setCentralWidget(host)
        self.stage, self.field = QWidget(), QLineEdit()
        self.stage.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        layout = QVBoxLayout(host)
        layout.addWidget(self.stage)
        layout.addWidget(self.field)
        specs = (
            ActionSpec("undo", "Undo", "Ctrl+Z", "Edit", lambda: self.can_undo, self.runs("undo")),
            ActionSpec("walk", "Walk", "W", "Graph", None, self.runs("walk"), scope="graph"),
            ActionSpec("first", "First", "1", "Label", None, self.runs("first")),
            ActionSpec("stop", "Stop", "Esc", "Driving", None, self.runs("stop")),
        )
        self.actions = ActionSet(specs, ShortcutMap(shortcut_entries(specs)), self.window)
        self.actions.set_scope("graph")
        qtbot.addWidget(self.window)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is self.window)
        self.stage.setFocus()

    def runs(self, name: str) -> Callable[[], None]:
        return lambda: self.ran.append(name)

    def press(self, label: Qt.Key, scan_code: int, text: str = "") -> None:
        """A key as an X server reports it, under any layout."""
        target = QApplication.focusWidget()
        none = Qt.KeyboardModifier.NoModifier
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            event = QKeyEvent(kind, label, none, scan_code, 0, 0, text)
            QApplication.sendEvent(target, event)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_keys_run_actions(bench: Bench, qtbot: QtBot) -> None:
    qtbot.keyClick(bench.stage, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(bench.stage, Qt.Key.Key_W)
    assert bench.ran == ["undo", "walk"]


@pytest.mark.skipif("sys.platform != 'linux'")
def test_letters_and_digits_go_by_position(bench: Bench) -> None:
    bench.press(Qt.Key.Key_Z, 25, "z")
    bench.press(Qt.Key.Key_Ampersand, 10, "&")
    assert bench.ran == ["walk", "first"]


def test_text_fields_keep_their_keys(bench: Bench, qtbot: QtBot) -> None:
    bench.field.setFocus()
    qtbot.keyClicks(bench.field, "w1")
    assert bench.field.text() == "w1"
    assert bench.ran == []


def test_disabled_actions_rest(bench: Bench, qtbot: QtBot) -> None:
    bench.can_undo = False
    qtbot.keyClick(bench.stage, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not bench.actions.trigger("undo")
    assert bench.ran == []
    assert [e.is_enabled for e in bench.actions.palette_entries()] == [False, True, True, True]


def test_actions_of_another_workspace_rest(bench: Bench, qtbot: QtBot) -> None:
    bench.actions.set_scope("traverse")
    qtbot.keyClick(bench.stage, Qt.Key.Key_W)
    assert bench.ran == []


def test_driving_suspends_all_but_the_allowed(bench: Bench, qtbot: QtBot) -> None:
    bench.actions.start_driving({"stop"})
    for key in (Qt.Key.Key_W, Qt.Key.Key_1, Qt.Key.Key_Escape):
        qtbot.keyClick(bench.stage, key)
    qtbot.keyClick(bench.stage, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bench.ran == ["stop"]
    bench.actions.end_driving()
    qtbot.keyClick(bench.stage, Qt.Key.Key_W)
    assert bench.ran == ["stop", "walk"]


def test_held_keys_run_once(bench: Bench) -> None:
    none = Qt.KeyboardModifier.NoModifier
    for is_repeat in (False, True, True):
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_W, none, "w", is_repeat)
        QApplication.sendEvent(bench.stage, event)
    assert bench.ran == ["walk"]


def test_changed_keys_work_at_once(bench: Bench, qtbot: QtBot) -> None:
    bench.actions.set_shortcuts(bench.actions.shortcuts.assign("walk", "Q"))
    qtbot.keyClick(bench.stage, Qt.Key.Key_W)
    qtbot.keyClick(bench.stage, Qt.Key.Key_Q)
    assert bench.ran == ["walk"]
    assert bench.actions.action("walk").toolTip() == "Walk (Q)"


def test_a_condition_that_actions_share_is_asked_once(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    asked: list[bool] = []
    answers = {"can": False}

    def can_run() -> bool:
        asked.append(answers["can"])
        return answers["can"]

    ran: list[str] = []
    specs = tuple(
        ActionSpec(name, name, "", "Edit", can_run, lambda name=name: ran.append(name))
        for name in ("one", "two", "three")
    )
    actions = ActionSet(specs, ShortcutMap(shortcut_entries(specs)), window)
    assert asked == [False]
    answers["can"] = True
    actions.refresh()
    assert asked == [False, True]
    assert all(actions.action(spec.id).isEnabled() for spec in specs)
    answers["can"] = False
    assert not actions.trigger("two")
    answers["can"] = True
    assert actions.trigger("two")
    assert ran == ["two"]


def test_each_change_of_scope_asks_anew(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    answers = {"can": True}
    specs = (
        ActionSpec("here", "Here", "", "Edit", lambda: answers["can"], lambda: None, scope="a"),
        ActionSpec("always", "Always", "", "Edit", None, lambda: None),
        ActionSpec("there", "There", "", "Edit", None, lambda: None, scope="b"),
    )
    actions = ActionSet(specs, ShortcutMap(shortcut_entries(specs)), window)

    def enabled() -> list[str]:
        return [spec.id for spec in specs if actions.action(spec.id).isEnabled()]

    assert enabled() == ["always"]
    actions.set_scope("a")
    assert enabled() == ["here", "always"]
    actions.set_scope("b")
    assert enabled() == ["always", "there"]
    answers["can"] = False
    actions.set_scope("a")
    assert enabled() == ["always"]
    answers["can"] = True
    actions.start_driving({"here"})
    assert enabled() == ["here"]
    actions.end_driving()
    assert enabled() == ["here", "always"]
