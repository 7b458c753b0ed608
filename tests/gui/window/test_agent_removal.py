"""Taking out an agent: one that has labels only after a yes; its neighbour is next."""

from __future__ import annotations

import pytest
from gui.user import User
from PySide6.QtWidgets import QMessageBox, QPushButton

pytestmark = pytest.mark.gui


def remove(user: User) -> None:
    user.press("Ctrl+Shift+A")
    dialog = user.window._agents
    user.wait(dialog.isActiveWindow)
    user.click_widget(user.find(QPushButton, "Remove", dialog))
    user.settle()


def test_an_agent_with_labels_is_removed_only_after_a_yes(at_house: User) -> None:
    at_house.press("Ctrl+2", "Alt+Down", "Y", "Y")
    keys = list(at_house.project.agents)
    remove(at_house)
    box = at_house.window._agents.findChild(QMessageBox)
    assert box.text() == "Wheelchair has 2 labels. Remove it?"
    assert list(at_house.project.agents) == keys
    (yes,) = (made for made in box.buttons() if made.text() == "Remove it")
    at_house.click_widget(yes)
    at_house.wait(lambda: "wheelchair" not in at_house.project.agents)
    assert len(at_house.project.labels) == 2
    agent = at_house.window.bench.agent
    assert agent is not None
    assert agent.key == at_house.window._agents.editor.current == keys[2]
    at_house.document.undo()
    assert list(at_house.project.agents) == keys


def test_an_agent_without_labels_goes_at_once(at_house: User) -> None:
    first = next(iter(at_house.project.agents))
    remove(at_house)
    assert first not in at_house.project.agents
