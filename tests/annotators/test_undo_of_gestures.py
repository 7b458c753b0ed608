"""Every gesture is one step of the document's undo, and undoing gives the same objects back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from annotators.small_house import at

from waypost.annotators.graph.select_tool import SelectTool
from waypost.annotators.graph.tool import delete_selection
from waypost.documents.project_document import ProjectDocument
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore
from waypost.viewers.scene.pointer import PointerPhase


@pytest.fixture
def document(tmp_path, qapp):
    store = ProjectStore.create(tmp_path / "home.waypost", Project("home"), "ada")
    document = ProjectDocument(store, "ada")
    yield document
    document.close()


class Gestures:
    """Carries the edits of a player into a document, as the window does."""

    def __init__(self, player, document):
        self.player, self.document = player, document

    def send(self, event):
        result = self.player.send(event)
        if result.edit is not None:
            self.take(result.edit)

    def take(self, edit):
        project = replace(self.document.project, graph=edit.graph)
        self.document.edit(edit.text, project, edit.merge_key)

    def click(self, x, y, **modifiers):
        self.send(at(x, y, PointerPhase.PRESS, **modifiers))
        self.send(at(x, y, PointerPhase.RELEASE, **modifiers))


def test_gestures_are_single_steps_and_can_all_be_undone(player, document):
    hand = Gestures(player(SelectTool()), document)
    first = document.project
    for x in (0.0, 2.0 - 0.5):
        hand.click(x, -1.0)
        hand.send(at(x, -1.0, PointerPhase.DOUBLE))
    hand.click(0.0, -1.0, alt=True)
    hand.send(at(0.0, -1.0, PointerPhase.PRESS))
    for i in range(1, 30):
        hand.send(at(-0.1 * i, -1.0 + 0.1 * i, PointerPhase.MOVE))
    hand.send(at(-2.9, 1.9, PointerPhase.RELEASE))
    edit = delete_selection(hand.player.context)
    hand.take(edit)
    stack = document.undo_stack
    assert [stack.text(i) for i in range(stack.count())] == [
        "Add Place 1",
        "Add Place 2",
        "Join Place 2 – Place 1",
        "Move Place 1",
        "Delete Place 1",
    ]
    for _ in range(5):
        document.undo()
    assert document.project is first
    for _ in range(5):
        document.redo()
    assert document.project.graph is edit.graph
