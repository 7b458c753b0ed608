"""Whatever was open before: once it is closed, letters are commands again and no text."""

from __future__ import annotations

import pytest
from gui.user import User
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLineEdit,
    QWidget,
)

from waypost.annotators.traverse.agent_chooser import AgentTile
from waypost.app.shell.actions import takes_text
from waypost.widgets.picker import Picker

pytestmark = pytest.mark.gui

OPENING = (
    "edit.agents",
    "edit.shortcuts",
    "edit.reading_limits",
    "help.keys",
    "view.palette",
    "view.go_to",
    "traverse.answer_rest",
)
"""Commands that open a dialog or a picker and wait for nobody meanwhile."""


@pytest.fixture
def labeller(at_house: User) -> User:
    at_house.press("Ctrl+2")
    return at_house


def opened(user: User) -> list[QWidget]:
    """What stands over the window, or in it and has the keyboard."""
    over = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not user.window]
    over = [w for w in over if w.windowType() is Qt.WindowType.Dialog]
    return [*over, *(w for w in user.window.findChildren(Picker) if w.isVisible())]


def has_keyboard(widget: QWidget) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and (widget is focus or widget.isAncestorOf(focus))


def typed(user: User) -> list[str]:
    lines = [line for line in user.window.findChildren(QLineEdit) if line.isVisible()]
    return [line.text() for line in lines if "y" in line.text()]


def test_after_every_dialog_and_picker_a_label_key_labels(labeller: User) -> None:
    """The search of the queue had the keyboard before, so it is where Qt would put it back."""
    for key in OPENING:
        labeller.press("Ctrl+F")
        labeller.window.actions_set.trigger(key)
        labeller.settle()
        shown = opened(labeller)
        assert shown, key
        # One that goes before it has the keyboard takes it from nobody.
        labeller.wait(lambda shown=shown: any(has_keyboard(widget) for widget in shown))
        for widget in shown:
            if isinstance(widget, Picker):
                labeller.press("Esc")
            widget.close()
        labeller.window.activateWindow()
        labeller.wait(labeller.window.isActiveWindow)
        labeller.settle()
        assert not takes_text(QApplication.focusWidget()), key
    before = len(labeller.project.labels)
    labeller.press("Y", "Y")
    assert len(labeller.project.labels) == before + 2
    assert typed(labeller) == []


def test_a_button_that_was_clicked_is_not_pressed_again_by_the_next_key(labeller: User) -> None:
    tile, *_ = labeller.window.traverse.left.findChildren(AgentTile)
    labeller.press("Ctrl+F")
    labeller.click_widget(tile)
    first = labeller.window.traverse.current
    labeller.press("Space")
    assert labeller.window.traverse.current != first
    asked = []

    def leave() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            QTimer.singleShot(0, leave)
        else:
            asked.append(dialog.windowTitle())
            dialog.close()

    leave()
    labeller.click_widget(labeller.window._status._annotator)
    labeller.take_keyboard()
    labeller.settle()
    assert asked == ["Annotator"]
    before = len(labeller.project.labels)
    labeller.press("Y")
    assert len(labeller.project.labels) == before + 1
    assert not isinstance(QApplication.focusWidget(), QAbstractButton)


def test_after_a_file_dialog_of_the_desktop_letters_are_no_text(labeller: User) -> None:
    """Qt has no widget for it that could have the keyboard."""
    labeller.press("Ctrl+F")
    hidden, shown = QDialog(labeller.window), QWindow()
    hidden.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    hidden.open()
    shown.show()
    shown.requestActivate()
    labeller.wait(lambda: QApplication.focusWidget() is None)
    hidden.close()
    shown.close()
    labeller.take_keyboard()
    labeller.settle()
    assert not takes_text(QApplication.focusWidget())


def test_a_control_that_goes_while_it_has_the_keyboard_leaves_it_to_the_scene(
    labeller: User,
) -> None:
    left = labeller.window.traverse.left
    fields = [field for field in left.findChildren(QLineEdit) if field.isVisible()]
    assert fields
    for other in left.findChildren(QWidget):
        if takes_text(other) or not other.isVisible() or not other.focusPolicy():
            continue
        other.setFocus()
        labeller.settle()
        other.setEnabled(False)
        labeller.settle()
        assert not takes_text(QApplication.focusWidget())
        other.setEnabled(True)
