"""What is only looked at stays as its file has it: blanks, line ends, spaces that do not break."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from waypost.app.graph.node_form import NodeForm
from waypost.app.graph.task_form import TaskForm
from waypost.domain.scene.graph import Node
from waypost.domain.traverse.task import Task

pytestmark = pytest.mark.gui

ODD = (" Hall", "Hall ", "Hall\nEast", "Hall\tEast", "Hall\u00a0East", "one\r\ntwo", "end \n", "ok")
OTHER = Node("other", "Other", (0.0, 0.0, 0.0))


class _Heard:
    """A form of a node, and what it reported."""

    def __init__(self, qtbot: QtBot) -> None:
        self.form = NodeForm()
        qtbot.addWidget(self.form)
        self.names: list[tuple[str, str]] = []
        self.descriptions: list[tuple[str, str]] = []
        self.form.name_changed.connect(lambda *said: self.names.append(said))
        self.form.description_changed.connect(lambda *said: self.descriptions.append(said))
        self.name = self.form.findChild(QLineEdit)
        self.description = self.form.findChild(QPlainTextEdit)


@pytest.mark.parametrize("text", ODD)
def test_a_node_that_is_looked_at_is_neither_renamed_nor_described(text: str, qtbot: QtBot) -> None:
    heard = _Heard(qtbot)
    heard.form.set_node(Node("n", text, (0.0, 0.0, 0.0), text), "")
    heard.form.commit()
    heard.form.set_node(OTHER, "")
    heard.form.set_node(None, "")
    assert not heard.names
    assert not heard.descriptions


@pytest.mark.parametrize("text", ODD)
def test_of_a_node_only_what_was_typed_is_reported(text: str, qtbot: QtBot) -> None:
    heard = _Heard(qtbot)
    node = Node("n", text, (0.0, 0.0, 0.0), text)
    heard.form.set_node(node, "")
    heard.name.setText("Kitchen ")
    heard.form.commit()
    assert heard.names == [("n", "Kitchen")]
    assert not heard.descriptions
    heard.form.set_node(replace(node, name="Kitchen"), "")
    heard.description.setPlainText("white tiles")
    heard.form.set_node(OTHER, "")
    assert heard.names == [("n", "Kitchen")]
    assert heard.descriptions == [("n", "white tiles")]


def test_a_blank_can_be_taken_from_a_name(qtbot: QtBot) -> None:
    heard = _Heard(qtbot)
    heard.form.set_node(Node("n", "Hall ", (0.0, 0.0, 0.0)), "")
    heard.name.setText("Hall")
    heard.form.commit()
    assert heard.names == [("n", "Hall")]


@pytest.mark.parametrize("text", ODD)
def test_a_question_that_is_looked_at_is_not_reworded(text: str, qtbot: QtBot) -> None:
    """Answers are found by the very words of their question."""
    form, changed = TaskForm(), []
    qtbot.addWidget(form)
    form.changed.connect(lambda task, _: changed.append(task))
    task = Task(text, "a", "b", text, text)
    form.set_question(task, None, {})
    form.commit()
    assert not changed
    form.findChild(QPlainTextEdit).setPlainText("Can it go? ")
    form.commit()
    assert changed == [replace(task, question="Can it go?")]
    # What was typed can be typed back.
    form.set_question(changed[0], None, {})
    form.findChild(QPlainTextEdit).setPlainText("Hall")
    form.commit()
    assert changed[1:] == [replace(task, question="Hall")]
