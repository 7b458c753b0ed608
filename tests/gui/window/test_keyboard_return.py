"""Whatever was open before: once it is closed, letters are commands again and no text."""

from __future__ import annotations

import pytest
from gui.user import User
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

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
            widget.close()
        labeller.window.activateWindow()
        labeller.wait(labeller.window.isActiveWindow)
        labeller.settle()
        assert not takes_text(QApplication.focusWidget()), key
    before = len(labeller.project.labels)
    labeller.press("Y", "Y")
    assert len(labeller.project.labels) == before + 2
    assert typed(labeller) == []


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
