"""An agent's own colour: chosen in the editor, kept, shown, and nothing goes stale for it."""

from __future__ import annotations

import pytest
from gui.user import User
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QColorDialog, QLabel, QPushButton

from waypost.domain.traverse.traversability import PassageState, passage_states
from waypost.services.judging import circumstances
from waypost.store.project_store import ProjectStore
from waypost.viewers.scene.drawing import rgb
from waypost.widgets.colour_field import ColourField

pytestmark = pytest.mark.gui


def test_a_colour_is_chosen_kept_shown_and_undone(at_house: User) -> None:
    at_house.press("Ctrl+2")
    at_house.window.bench.choose_agent("wheelchair")
    at_house.press("Y")
    labels, hashed = at_house.project.labels, at_house.project.agents["wheelchair"].profile_hash
    assert len(labels) == 1
    at_house.press("Ctrl+Shift+A")
    dialog = at_house.window._agents
    at_house.wait(dialog.isActiveWindow)
    (field,) = dialog.findChildren(ColourField)
    choose, forget = field.findChildren(QPushButton)
    assert choose.text() == "Automatic"
    at_house.click_widget(choose)
    asked = field.findChild(QColorDialog)
    asked.setCurrentColor(QColor("#ff40ff"))
    asked.accept()
    at_house.wait(lambda: at_house.project.agents["wheelchair"].colour == "#ff40ff")

    agent = at_house.project.agents["wheelchair"]
    assert agent.profile_hash == hashed
    now = circumstances(at_house.project, at_house.window.bench.scene_hash)
    assert passage_states(labels, labels, now) == [PassageState.TRAVELS]
    at_house.settle()
    traverse = at_house.window.traverse
    assert traverse.driver.color == rgb("#ff40ff")
    titles = [t.text() for t in traverse.right.findChildren(QLabel) if "Can a " in t.text()]
    assert "#ff40ff" in titles[0]
    store = ProjectStore.open(at_house.document.store.location)
    assert store.load().agents["wheelchair"].colour == "#ff40ff"
    store.close()

    at_house.document.undo()
    assert at_house.project.agents["wheelchair"].colour == ""
    at_house.document.redo()
    at_house.settle()
    at_house.click_widget(forget)
    assert at_house.project.agents["wheelchair"].colour == ""
