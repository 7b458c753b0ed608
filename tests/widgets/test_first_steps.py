"""Tools, cameras and empty states as controls of their own."""

from __future__ import annotations

import pytest
from cut_text import cut_texts
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.empty_state import EmptyState

CHOICES = (("top", "Top", "T", "Look from above"), ("fly", "Fly", "", "Fly through it"))


def buttons(widget: QWidget) -> dict[str, QPushButton]:
    return {b.text(): b for b in widget.findChildren(QPushButton) if b.isVisibleTo(widget)}


def test_a_choice_is_reported_and_shown_only_once_it_is_true(qtbot: QtBot) -> None:
    strip = ChoiceStrip("Camera")
    qtbot.addWidget(strip)
    strip.set_choices(CHOICES)
    strip.set_current("top")
    found = buttons(strip)
    assert set(found) == {"Top  T", "Fly"}
    assert found["Top  T"].accessibleName() == "Camera: Look from above"
    assert found["Top  T"].toolTip() == "Look from above (T)"
    with qtbot.waitSignal(strip.chosen) as chosen:
        qtbot.mouseClick(found["Fly"], Qt.MouseButton.LeftButton)
    assert chosen.args == ["fly"]
    assert found["Top  T"].isChecked()
    assert not found["Fly"].isChecked()


def test_other_keys_keep_the_choice(qtbot: QtBot) -> None:
    strip = ChoiceStrip("Camera")
    qtbot.addWidget(strip)
    strip.set_choices(CHOICES)
    strip.set_current("fly")
    strip.set_choices((("fly", "Fly", "J", "Fly through it"),))
    assert buttons(strip)["Fly  J"].isChecked()


def test_what_does_not_fit_in_a_row_is_a_column(qtbot: QtBot) -> None:
    strip = ChoiceStrip("Camera")
    qtbot.addWidget(strip)
    strip.set_choices(CHOICES)
    strip.fit(1000)
    row = strip.size()
    strip.fit(row.width() - 1)
    assert strip.width() < row.width()
    assert strip.height() > row.height()


@pytest.mark.parametrize("width_px", [420, 900])
def test_an_invitation_is_whole_and_the_mouse_goes_through_it(
    qtbot: QtBot, theme: str, width_px: int
) -> None:
    stage = QWidget()
    qtbot.addWidget(stage)
    stage.resize(width_px, 420)
    card = EmptyState(stage)
    stage.show()
    card.invite("Double-click the floor to place the first node", "Then the next one.")
    assert cut_texts(stage) == []
    assert stage.rect().contains(card.geometry())
    assert card.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    card.invite("Draw the graph first", action="Go there")
    with qtbot.waitSignal(card.action_chosen):
        qtbot.mouseClick(buttons(card)["Go there"], Qt.MouseButton.LeftButton)
    card.invite("")
    assert not card.isVisible()
