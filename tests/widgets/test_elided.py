"""Texts that shorten where there is no room: at every width and size of text, whole in the tip."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from waypost.widgets.parts import ElidedButton, ElidedLabel

TEXT = "a rather long name of a place in a house"


@pytest.mark.parametrize("make", [ElidedLabel, ElidedButton])
def test_larger_letters_in_the_same_room_are_fewer(
    qtbot: QtBot, make: Callable[[str], ElidedLabel | ElidedButton]
) -> None:
    made = make(TEXT)
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    made.show()
    assert (made.text(), made.toolTip()) == (TEXT, "")
    font = made.font()
    made.setFont(larger(made))
    assert made.text().endswith("…")
    assert (made.toolTip(), made.full_text) == (TEXT, TEXT)
    made.setFont(font)
    assert (made.text(), made.toolTip()) == (TEXT, "")


def test_the_tip_of_a_button_has_the_whole_before_what_explains_it(qtbot: QtBot) -> None:
    made = ElidedButton()
    qtbot.addWidget(made)
    made.set_full_text("Doors & sills", tip="Opens the episodes")
    made.resize(made.sizeHint())
    made.show()
    assert (made.text(), made.toolTip()) == ("Doors && sills", "Opens the episodes")
    made.resize(made.minimumSizeHint())
    assert made.text().endswith("…")
    assert made.toolTip() == "Doors & sills\nOpens the episodes"


def larger(widget: QWidget):
    font = widget.font()
    font.setPointSizeF(2 * widget.fontInfo().pointSizeF())
    return font
