from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from waypost.app.window import progress_strip
from waypost.app.window.progress_strip import ProgressStrip
from waypost.app.window.settings.key_list import KeyList
from waypost.app.window.settings.shortcut_editor import KeyCapture, ShortcutEditor
from waypost.app.window.start.welcome import WelcomePage
from waypost.app.window.status_strip import EngineLevel, SavedLevel, StatusStrip, saved_text
from waypost.services.input.shortcuts import ShortcutEntry, ShortcutMap
from waypost.widgets.message_strip import Message, MessageLevel, MessageStrip


def named(
    widget: MessageStrip | ProgressStrip | StatusStrip | WelcomePage, text: str
) -> QPushButton:
    return next(b for b in widget.findChildren(QPushButton) if text in b.text())


def test_message_runs_its_action_and_goes(qtbot: QtBot) -> None:
    strip = MessageStrip()
    qtbot.addWidget(strip)
    strip.show_message(Message("The disk is full.", MessageLevel.ERROR, "Try now"))
    assert strip.accessibleName() == "error: The disk is full."
    with qtbot.waitSignal(strip.action_chosen):
        qtbot.mouseClick(named(strip, "Try now"), Qt.MouseButton.LeftButton)
    assert strip.message is None
    assert not strip.isVisible()


def test_details_can_be_copied(qtbot: QtBot) -> None:
    strip = MessageStrip()
    qtbot.addWidget(strip)
    strip.show_message(Message("It failed.", details="errno 28"))
    assert not named(strip, "Copy").isVisible()
    qtbot.mouseClick(named(strip, "Details"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(named(strip, "Copy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "It failed.\n\nerrno 28\n"
    strip.show_message(Message("Another."))
    assert not named(strip, "Details").isVisible()


def test_progress_says_how_much_and_stops_once(qtbot: QtBot) -> None:
    strip = ProgressStrip()
    qtbot.addWidget(strip)
    strip.show_progress("Opening", 1, 4)
    assert "25%" in [label.text() for label in strip.findChildren(QLabel)]
    with qtbot.waitSignal(strip.cancel_chosen):
        qtbot.mouseClick(named(strip, "Cancel"), Qt.MouseButton.LeftButton)
    assert not named(strip, "Stopping").isEnabled()
    # Another begins while the first still stops, and goes on after it.
    strip.set_jobs(("Measuring", "Opening"))
    strip.set_jobs(("Measuring",))
    assert named(strip, "Cancel").isEnabled()
    strip.finish()
    strip.show_progress("Opening", 0, 0)
    bar = strip.findChild(QProgressBar)
    assert isinstance(bar, QProgressBar)
    assert bar.maximum() == 0
    assert named(strip, "Cancel").isEnabled()


def test_progress_of_a_moment_is_not_shown(qtbot: QtBot) -> None:
    strip = ProgressStrip()
    qtbot.addWidget(strip)
    strip.show_progress("Looking", 0, 0)
    assert strip.isHidden()
    strip.finish()
    strip.show_progress("Opening", 1, 4)
    qtbot.waitUntil(lambda: not strip.isHidden())
    strip.finish()
    assert strip.isHidden()


def test_progress_told_often_is_shown_now_and_then_and_its_last_word_in_the_end(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 1000.0
    monkeypatch.setattr(progress_strip, "time", SimpleNamespace(monotonic=lambda: now_s))
    strip = ProgressStrip()
    qtbot.addWidget(strip)
    bar = strip.findChild(QProgressBar)
    assert isinstance(bar, QProgressBar)
    seen = []
    bar.valueChanged.connect(seen.append)
    for done in range(500):
        strip.show_progress(f"file {done}", done + 1, 1000)
        # An hundred in a tenth of a second, which has been reached by the last of them.
        now_s += 0.100001 if done % 100 == 99 else 0.0
    assert seen == [1, 101, 201, 301, 401]
    qtbot.waitUntil(lambda: bar.value() == 500)
    assert bar.accessibleName() == "file 499"
    # A wider number has its room at once, not only when the strip is laid out anew.
    strip.show()
    for done in (9, 100):
        strip.layout().activate()
        now_s += 1
        strip.show_progress("file", done, 100)
    (share,) = (part for part in strip.findChildren(QLabel) if part.text() == "100%")
    assert share.width() >= share.fontMetrics().horizontalAdvance("100%")


@pytest.mark.parametrize(
    ("age_s", "text"),
    [
        (0.4, "saved just now"),
        (2.2, "saved 2 s ago"),
        (61, "saved 1 min ago"),
        (7300, "saved 2 h ago"),
    ],
)
def test_age_of_the_last_save(age_s: float, text: str) -> None:
    assert saved_text(age_s) == text


def test_status_has_signs_beside_colours(qtbot: QtBot) -> None:
    strip = StatusStrip()
    qtbot.addWidget(strip)
    strip.set_saved(SavedLevel.NOT_SAVED, "NOT SAVED", "disk full")
    strip.set_engine(EngineLevel.FAILED, "engine stopped")
    strip.set_annotator("")
    assert named(strip, "NOT SAVED").text() == "✕ NOT SAVED"
    assert named(strip, "NOT SAVED").toolTip() == "disk full"
    assert named(strip, "engine").text() == "engine stopped ✕"
    with qtbot.waitSignal(strip.annotator_clicked):
        qtbot.mouseClick(named(strip, "who labels"), Qt.MouseButton.LeftButton)


KEYS = ShortcutMap(
    (
        ShortcutEntry("undo", "Undo", "Edit", "Ctrl+Z"),
        ShortcutEntry("top", "Top-down", "View", "T"),
    )
)


def test_editor_hears_a_key(qtbot: QtBot) -> None:
    editor = ShortcutEditor(KEYS)
    qtbot.addWidget(editor)
    editor.choose_action("top")
    capture = editor.findChild(KeyCapture)
    assert isinstance(capture, KeyCapture)
    with qtbot.waitSignal(editor.shortcuts_changed) as changed:
        qtbot.keyClick(capture, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    assert changed.args[0].key("top") == "Ctrl+U"
    assert editor._message.text() == "✓ Top-down: Ctrl+U"


def test_editor_refuses_a_taken_key_and_names_its_holder(qtbot: QtBot) -> None:
    editor = ShortcutEditor(KEYS)
    qtbot.addWidget(editor)
    editor.choose_action("top")
    with qtbot.assertNotEmitted(editor.shortcuts_changed):
        qtbot.keyClick(
            editor.findChild(KeyCapture), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier
        )
    assert "Ctrl+Z already runs “Undo” (Edit)" in editor._message.text()
    assert editor.shortcuts == KEYS


def test_key_list_is_true(qtbot: QtBot) -> None:
    shown = KeyList(KEYS.assign("top", "X"))
    qtbot.addWidget(shown)
    assert shown._page.toPlainText().split() == [
        "Keys", "of", "Waypost", "Edit", "Ctrl+Z", "Undo", "View", "X", "Top-down",
    ]  # fmt: skip
    with qtbot.waitSignal(shown.print_chosen) as printed:
        qtbot.mouseClick(
            next(b for b in shown.findChildren(QPushButton) if "Print" in b.text()),
            Qt.MouseButton.LeftButton,
        )
    assert "Ctrl+Z" in printed.args[0].toPlainText()


def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot) -> None:
    page = WelcomePage()
    qtbot.addWidget(page)
    page.set_recent(("/a/home.waypost",), "home, Wheelchair, 13 of 56")
    assert page.first_button.text() == "Continue: home, Wheelchair, 13 of 56"
    page.show()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        page.first_button.setFocus()
        with qtbot.waitSignal(page.recent_chosen) as chosen:
            qtbot.keyClick(page.first_button, key)
        assert chosen.args == ["/a/home.waypost"]
        page.sample_button.setFocus()
        with qtbot.waitSignal(page.sample_chosen):
            qtbot.keyClick(page.sample_button, key)
    page.set_recent(())
    assert page.first_button is page.sample_button


def test_welcome_opens_what_was_open_before(qtbot: QtBot) -> None:
    page = WelcomePage()
    qtbot.addWidget(page)
    page.set_recent(("/a/home.waypost", "/b/lab.waypost"))
    with qtbot.waitSignal(page.recent_chosen) as chosen:
        qtbot.mouseClick(named(page, "lab.waypost"), Qt.MouseButton.LeftButton)
    assert chosen.args == ["/b/lab.waypost"]
    for text, signal in (
        ("sample", page.sample_chosen),
        ("scene", page.scene_chosen),
        ("project", page.project_chosen),
    ):
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(named(page, text), Qt.MouseButton.LeftButton)
