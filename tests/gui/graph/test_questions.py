"""Questions of the benchmark in the real window: asked by clicks, cleared up, judged live."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from gui.user import User
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLabel, QLineEdit, QPushButton
from shown_parts import shown_keys

from waypost.app.graph.questions import QuestionList
from waypost.app.graph.task_form import TaskForm
from waypost.domain.scene.graph import describe_node
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict
from waypost.viewers.scene.drawing import NOTHING, Drawing
from waypost.widgets.facts_table import FactsTable

pytestmark = pytest.mark.gui

HALL, DOOR, KITCHEN, PANTRY = (
    (-2.5, 0.0, 0.0), (0.0, 0.0, 0.0), (2.5, 0.0, 0.0), (2.5, -2.0, 0.0),
)  # fmt: skip
SHIFT = Qt.KeyboardModifier.ShiftModifier


def form(user: User) -> TaskForm:
    found: TaskForm = user.find(TaskForm)
    return found


def drawn(user: User) -> Drawing:
    """What is drawn of the question at hand."""
    return user.view._layers.get("question", NOTHING)


def said(user: User) -> str:
    table = user.find(FactsTable, root=form(user))
    return " | ".join(label.text() for label in table.findChildren(QLabel))


def test_two_clicks_ask_a_question_and_its_way_is_drawn(at_house: User) -> None:
    # As on the slowest machine: the way is found after the words have got the keyboard.
    at_house.window.graph.questions._filling._budget_s = 0.0
    at_house.press("Q")
    at_house.click(HALL)
    at_house.click(KITCHEN)
    (task,) = at_house.project.tasks
    assert (task.start, task.end, task.node_ids) == ("Hall", "Kitchen", ("node_1", "node_3"))
    assert task.question == "Can the agent go from Hall to Kitchen?"
    shown = drawn(at_house)
    assert len(shown.lines) == 2
    assert [label.text for label in shown.labels] == ["start", "end"]
    assert shown_keys(at_house.find(QuestionList)) == ("0",)
    at_house.type("Who can get to the kitchen?")
    at_house.window.graph.cancel()
    at_house.window.graph.questions.take(None)
    at_house.settle()
    assert at_house.project.tasks[0].question == "Who can get to the kitchen?"
    at_house.press("Ctrl+Z", "Ctrl+Z")
    assert at_house.project.tasks == ()
    at_house.press("Ctrl+Shift+Z")
    assert len(at_house.project.tasks) == 1


def test_shift_passes_a_place_and_esc_drops_the_half_question(at_house: User) -> None:
    at_house.press("Q")
    at_house.click(HALL)
    at_house.press("Esc")
    at_house.click(HALL)
    at_house.click(DOOR, SHIFT)
    at_house.click(PANTRY)
    (task,) = at_house.project.tasks
    assert task.places == ("Hall", "Door", "Pantry")


def give(user: User, *tasks: Task) -> None:
    user.document.edit("Ask", replace(user.project, tasks=tasks))
    user.settle()


def choose(user: User, index: int) -> None:
    user.window.graph.questions.take(index)
    user.window.graph._lists.show_tab(user.window.graph.questions.list)
    user.settle()


def test_feasibility_follows_every_label(at_house: User) -> None:
    give(at_house, Task("?", "Hall", "Door"))
    choose(at_house, 0)
    assert "Human | open | all: 0 of 0, 1 open" in said(at_house)
    label = TraversabilityLabel(Passage("node_1", "node_2", "human"), Verdict.TRAVELS)
    labels = MappingProxyType({label.passage: label})
    at_house.document.edit("Answer", replace(at_house.project, labels=labels))
    at_house.settle()
    assert "Human | yes | all: 1 of 1 · 100% ✓" in said(at_house)


def test_an_ambiguous_place_is_asked_about_and_the_answer_is_kept(at_house: User) -> None:
    graph = describe_node(at_house.graph, "node_4", name="Kitchen")
    at_house.document.edit("Rename", replace(at_house.project, graph=graph))
    give(at_house, Task("?", "Hall", "kitchen"))
    choose(at_house, 0)
    assert any("fits 2 nodes" in label.text() for label in form(at_house).findChildren(QLabel))
    box = at_house.find(QComboBox, "To: which node is meant")
    assert [box.itemText(n) for n in range(3)] == [
        "To “kitchen”: choose …",
        "To Kitchen · node_3",
        "To Kitchen · node_4",
    ]
    assert len(drawn(at_house).markers) == 3
    box.setCurrentIndex(2)
    box.activated.emit(2)
    at_house.settle()
    assert at_house.project.tasks[0].node_ids == ("", "node_4")
    assert at_house.document.undo_stack.undoText() == "Say that it means Kitchen"


def test_a_hallucinated_question_counts_nowhere_until_it_is_restored(at_house: User) -> None:
    give(at_house, Task("?", "Hall", "Door"), Task("Pool?", "Hall", "Pool"))
    choose(at_house, 1)
    assert "all: 0 of 0, 2 open" in said(at_house)
    at_house.click_widget(at_house.find(QCheckBox, root=form(at_house)))
    assert at_house.project.tasks[1].is_hallucinated
    assert "all: 0 of 0, 1 open" in said(at_house)
    at_house.window.stage.view.setFocus()
    at_house.press("H")
    assert not at_house.project.tasks[1].is_hallucinated


def test_a_renamed_node_stays_the_one_that_is_meant(at_house: User) -> None:
    give(at_house, Task("?", "Hall", "Kitchen"))
    at_house.click(KITCHEN)
    at_house.press("F2", "Ctrl+A")
    at_house.type("Galley")
    at_house.press("Return")
    (task,) = at_house.project.tasks
    assert task.node_ids == ("", "node_3")
    at_house.press("Ctrl+Z")
    assert at_house.project.tasks[0].node_ids == ()


def test_a_file_is_imported_behind_and_exported(
    at_house: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "house_QA.json"
    asked = {"question": "?", "nodes_involved": {"start": "hall", "end": "pantry"}}
    path.write_text(json.dumps({"questions": [asked]}, indent=1))
    give(at_house, Task("Mine?", "Hall", "Door"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    at_house.window.graph.questions.ask_import()
    at_house.wait(lambda: len(at_house.project.tasks) == 2)
    at_house.press("Ctrl+Z")
    assert len(at_house.project.tasks) == 1
    give(at_house)
    at_house.window.graph.questions.ask_import()
    at_house.wait(lambda: len(at_house.project.tasks) == 1)
    out = tmp_path / "out.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    at_house.window.graph.questions.ask_export()
    at_house.wait(lambda: "Wrote 1 question" in at_house.message())
    assert out.read_bytes() == path.read_bytes()
    at_house.window.graph.questions.ask_import()
    at_house.wait(lambda: len(at_house.project.tasks) == 2)
    assert "1 of them was there already, and counts twice; undo" in at_house.message()


def test_a_question_is_deleted_and_comes_back(at_house: User) -> None:
    give(at_house, Task("One?", "Hall", "Door"), Task("Two?", "Hall", "Kitchen"))
    choose(at_house, 0)
    delete = at_house.find(QPushButton, "Delete the question")
    at_house.window.graph.right.ensureWidgetVisible(delete)
    at_house.click_widget(delete)
    assert [task.question for task in at_house.project.tasks] == ["Two?"]
    at_house.press("Ctrl+Z")
    assert [task.question for task in at_house.project.tasks] == ["One?", "Two?"]


def test_selecting_a_node_puts_the_question_away(at_house: User) -> None:
    give(at_house, Task("One?", "Hall", "Door"))
    choose(at_house, 0)
    assert drawn(at_house)
    at_house.click(PANTRY)
    assert at_house.window.graph.questions.at_hand is None
    assert not drawn(at_house)


def test_each_detail_stands_below_the_place_that_it_is_of(at_house: User) -> None:
    at_house.press("Q")
    at_house.click(HALL)
    at_house.click(DOOR, SHIFT)
    at_house.click(KITCHEN)
    at_house.settle()
    shown_form = form(at_house)
    fields = (*shown_form.findChildren(QComboBox), *shown_form.findChildren(QLineEdit))
    shown = sorted((field for field in fields if field.isVisible()), key=lambda field: field.y())
    names = [field.accessibleName() for field in shown]
    assert names == [
        "From: which node is meant",
        "Detail of the start",
        "Via: which node is meant",
        "To: which node is meant",
        "Detail of the end",
    ]
