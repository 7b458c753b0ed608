from __future__ import annotations

import gc
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fixtures.whole_projects import whole_project
from stored_rows import stored_rows

from waypost.documents.blocked_items import BlockedItems
from waypost.documents.project_document import UNDO_LIMIT, ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.project import Project, set_agent, set_graph
from waypost.domain.scene.graph import (
    add_edge,
    add_node,
    build_graph,
    delete_items,
    describe_node,
    move_nodes,
)
from waypost.domain.traverse.task import Task
from waypost.store.conflicts import Conflict
from waypost.store.item_kinds import NODE
from waypost.store.project_store import ProjectStore

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
RETRY_MS = 20


def renamed(project: Project, name: str) -> Project:
    return replace(project, graph=describe_node(project.graph, "node_1", name=name))


def moved(project: Project, x_m: float) -> Project:
    return replace(project, graph=move_nodes(project.graph, {"node_1": (x_m, 0.0, 0.0)}))


def moved_other(project: Project, x_m: float) -> Project:
    return replace(project, graph=move_nodes(project.graph, {"node_2": (x_m, 0.0, 0.0)}))


def on_disk(file: Path) -> Project:
    store = ProjectStore.open(file)
    project = store.load()
    store.close()
    return project


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    graph, _ = add_node(build_graph([], []), (0.0, 0.0, 0.0), "Kitchen")
    graph, _ = add_node(graph, (3.0, 0.0, 0.0), "Hall")
    ProjectStore.create(file, Project("House", graph=graph), "ana").close()
    return file


@pytest.fixture
def document(qapp, file: Path) -> Iterator[ProjectDocument]:
    document = ProjectDocument(
        ProjectStore.open(file), "ana", clock=lambda: NOON, retry_interval_ms=RETRY_MS
    )
    yield document
    document.close()


@pytest.fixture
def lock(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program that holds the file."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


def test_an_edit_is_on_disk_when_the_views_hear_of_it(
    document: ProjectDocument, file: Path
) -> None:
    before, after = document.project, renamed(document.project, "Pantry")
    heard = []
    document.changed.connect(lambda old, new: heard.append((old, new, on_disk(file))))
    document.edit("Rename node", after)
    assert heard == [(before, after, after)]
    assert heard[0][0] is before
    assert heard[0][1] is document.project is after
    assert document.save_state.kind is SaveKind.SAVED


def test_undo_and_redo_bring_back_the_same_objects_and_are_saved(
    document: ProjectDocument, file: Path
) -> None:
    first = document.project
    last = renamed(first, "Pantry")
    document.edit("Rename node", last)
    document.undo()
    assert document.project is first
    assert on_disk(file) == first
    document.redo()
    assert document.project is last
    assert on_disk(file) == last
    texts = stored_rows(file, "SELECT text FROM changes ORDER BY change_id")
    assert [t for (t,) in texts] == ["Create", "Rename node", "Undo Rename node", "Rename node"]


def test_the_menu_names_the_step(document: ProjectDocument) -> None:
    document.edit("Rename node", renamed(document.project, "Pantry"))
    assert document.undo_stack.undoText() == "Rename node"
    document.undo()
    assert document.undo_stack.redoText() == "Rename node"


def test_undo_without_steps_does_nothing(document: ProjectDocument) -> None:
    heard = []
    document.changed.connect(lambda *states: heard.append(states))
    document.undo()
    document.redo()
    assert heard == []


def test_one_drag_is_one_step_and_every_move_is_saved(
    document: ProjectDocument, file: Path
) -> None:
    first = document.project
    for step in range(1, 6):
        document.edit("Move node", moved(document.project, step * 0.1), merge_key="drag 1")
        assert on_disk(file) == document.project
    assert document.undo_stack.count() == 1
    document.edit("Move node", moved(document.project, 9.0), merge_key="drag 2")
    assert document.undo_stack.count() == 2
    document.undo()
    assert document.project.graph.nodes["node_1"].position_m == (0.5, 0.0, 0.0)
    document.undo()
    assert document.project is first


def test_edits_without_merge_key_never_join(document: ProjectDocument) -> None:
    document.edit("Move node", moved(document.project, 1.0), merge_key="drag")
    document.edit("Move node", moved(document.project, 2.0))
    document.edit("Move node", moved(document.project, 3.0))
    assert document.undo_stack.count() == 3


def test_a_drag_back_to_the_start_leaves_no_step(document: ProjectDocument) -> None:
    first = document.project
    document.edit("Move node", moved(first, 1.0), merge_key="drag")
    document.edit("Move node", first, merge_key="drag")
    assert document.project is first
    assert document.undo_stack.count() == 0


def test_an_equal_state_is_no_edit(document: ProjectDocument) -> None:
    first = document.project
    document.edit("Rename node", renamed(first, "Kitchen"))
    assert document.project is first
    assert document.undo_stack.count() == 0


def test_more_than_200_steps_can_be_taken_back(document: ProjectDocument, file: Path) -> None:
    states = [document.project]
    for step in range(210):
        states.append(moved(states[-1], step + 1.0))
        document.edit("Move node", states[-1])
    for state in reversed(states[:-1]):
        document.undo()
        assert document.project is state
    assert on_disk(file) == states[0]
    assert document.undo_stack.undoLimit() == UNDO_LIMIT >= 210


def test_a_view_that_edits_while_it_is_told_is_an_error(document: ProjectDocument) -> None:
    errors = []

    def edit_back(old: Project, new: Project) -> None:
        with pytest.raises(RuntimeError, match="must not edit") as caught:
            document.edit("Again", renamed(new, "Again"))
        errors.append(caught)

    document.changed.connect(edit_back)
    document.edit("Rename node", renamed(document.project, "Pantry"))
    assert len(errors) == 1
    assert document.project.graph.nodes["node_1"].name == "Pantry"


def test_a_failed_write_keeps_the_edit_and_is_repeated_by_itself(
    document: ProjectDocument, file: Path, lock: sqlite3.Connection, qtbot
) -> None:
    states = []
    document.save_state_changed.connect(states.append)
    document.edit("Rename node", renamed(document.project, "Pantry"))
    document.edit("Move node", moved(document.project, 4.0))
    assert document.save_state.kind is SaveKind.NOT_SAVED
    assert "another program is using the file" in document.save_state.reason
    assert document.save_state.since == NOON
    assert document.project.graph.nodes["node_1"].name == "Pantry"
    lock.execute("ROLLBACK")
    qtbot.waitUntil(lambda: document.save_state.kind is SaveKind.SAVED)
    assert on_disk(file) == document.project
    assert [state.kind for state in states] == [SaveKind.NOT_SAVED, SaveKind.SAVED]


def test_the_next_edit_writes_everything_missed(file: Path, lock: sqlite3.Connection, qapp) -> None:
    document = ProjectDocument(ProjectStore.open(file), "ana", retry_interval_ms=10**6)
    document.edit("Rename node", renamed(document.project, "Pantry"))
    lock.execute("ROLLBACK")
    document.edit("Move node", moved(document.project, 4.0))
    assert document.save_state.kind is SaveKind.SAVED
    assert on_disk(file) == document.project
    document.close()


def test_undoing_everything_unsaved_is_saved(
    document: ProjectDocument, lock: sqlite3.Connection
) -> None:
    document.edit("Rename node", renamed(document.project, "Pantry"))
    document.undo()
    assert document.save_state.kind is SaveKind.SAVED


def test_closing_says_whether_everything_was_saved(
    file: Path, lock: sqlite3.Connection, qapp
) -> None:
    document = ProjectDocument(ProjectStore.open(file), "ana")
    document.edit("Rename node", renamed(document.project, "Pantry"))
    assert document.close() is False
    lock.execute("ROLLBACK")
    document = ProjectDocument(ProjectStore.open(file), "ana")
    document.edit("Rename node", renamed(document.project, "Pantry"))
    assert document.close() is True


def test_a_conflict_names_the_item_and_waits_for_a_decision(
    document: ProjectDocument, file: Path, qtbot
) -> None:
    other = ProjectDocument(ProjectStore.open(file), "ben", retry_interval_ms=RETRY_MS)
    other.edit("Rename node", renamed(other.project, "Cellar"))
    document.edit("Rename node", renamed(document.project, "Pantry"))
    assert document.save_state.kind is SaveKind.NOT_SAVED
    assert document.save_state.is_conflict
    assert "node “Pantry” (node_1) was changed by ben" in document.save_state.reason
    document.edit("Rename project", replace(document.project, name="Flat"))
    assert document.save_state.is_conflict
    assert document.save_state.reason.endswith("or reload. All else is saved")
    assert on_disk(file) == replace(other.project, name="Flat")
    assert document.unsaved_titles == ("node “Pantry” (node_1)",)
    heard = []
    document.changed.connect(lambda old, new: heard.append((old, new)))
    unsaved = document.project
    store = ProjectStore.open(file)
    document.reload(store, store.load())
    assert document.store is store
    assert document.project == replace(other.project, name="Flat")
    assert document.unsaved_titles == ()
    assert heard == [(unsaved, document.project)]
    assert document.save_state.kind is SaveKind.SAVED
    # What somebody else has renamed since is not renamed again; the rest can be undone.
    assert [document.undo_stack.text(n) for n in range(document.undo_stack.count())] == [
        "Rename project"
    ]
    document.undo()
    assert document.project == other.project
    document.edit("Rename node", renamed(document.project, "Pantry"))
    assert on_disk(file).graph.nodes["node_1"].name == "Pantry"
    other.close()


def test_taking_back_the_conflicting_edit_saves_the_rest(
    document: ProjectDocument, file: Path
) -> None:
    other = ProjectStore.open(file)
    theirs = other.load()
    other.save(theirs, renamed(theirs, "Cellar"), "ben")
    other.close()
    document.edit("Rename node", renamed(document.project, "Pantry"))
    document.edit("Rename project", replace(document.project, name="Flat"))
    document.edit("Rename node", renamed(document.project, "Kitchen"))
    assert document.save_state.kind is SaveKind.SAVED
    assert on_disk(file).name == "Flat"
    assert on_disk(file).graph.nodes["node_1"].name == "Cellar"


def test_two_windows_on_different_items_both_save(document: ProjectDocument, file: Path) -> None:
    other = ProjectDocument(ProjectStore.open(file), "ben")
    other.edit("Rename project", replace(other.project, name="Flat"))
    document.edit("Rename node", renamed(document.project, "Pantry"))
    assert document.save_state.kind is other.save_state.kind is SaveKind.SAVED
    assert on_disk(file).name == "Flat"
    assert on_disk(file).graph.nodes["node_1"].name == "Pantry"
    other.close()


def test_other_blocked_items_are_counted_in_words() -> None:
    blocked = BlockedItems()
    for key, said in (("node_1", ""), ("node_2", ", and 1 more item was as well"),
                      ("node_3", ", and 2 more items were as well")):  # fmt: skip
        blocked.add([Conflict(NODE, key, f"{key} was changed by ben first")])
        assert blocked.words.startswith(f"node_1 was changed by ben first{said}; undo your change")


def test_a_conflict_blocks_its_item_only(document: ProjectDocument, file: Path) -> None:
    """What is edited later is saved; the blocked item is once it is as it was."""
    other = ProjectStore.open(file)
    theirs = other.load()
    other.save(theirs, renamed(theirs, "Cellar"), "ben")
    other.close()
    document.edit("Rename node", renamed(document.project, "Pantry"))
    for number in range(3):
        document.edit("Move node", moved_other(document.project, float(number)))
        assert on_disk(file).graph.nodes["node_2"].position_m == (float(number), 0.0, 0.0)
        assert on_disk(file).graph.nodes["node_1"].name == "Cellar"
        assert document.save_state.is_conflict
    assert document.unsaved_titles == ("node “Pantry” (node_1)",)
    for _ in range(3):
        document.undo()
    assert document.save_state.is_conflict
    document.undo()
    assert document.save_state.kind is SaveKind.SAVED
    assert on_disk(file).graph.nodes["node_1"].name == "Cellar"


def test_questions_are_saved_together_or_wait_together(
    document: ProjectDocument, file: Path
) -> None:
    """They are known by their places: one of them alone would stand there twice, or be gone."""
    tasks = tuple(Task(name, "Hall", "Bath") for name in "ABC")
    document.edit("Ask", replace(document.project, tasks=tasks))
    other = ProjectStore.open(file)
    theirs = other.load()
    changed = (*tasks[:2], Task("Ben's", "Hall", "Bath"))
    other.save(theirs, replace(theirs, tasks=changed), "ben")
    other.close()
    document.edit("Delete the question", replace(document.project, tasks=tasks[1:]))
    assert document.save_state.is_conflict
    assert on_disk(file).tasks == changed
    document.undo()
    assert document.save_state.kind is SaveKind.SAVED


def test_an_edge_at_a_node_that_somebody_deleted_waits_without_its_node(
    document: ProjectDocument, file: Path
) -> None:
    other = ProjectStore.open(file)
    theirs = other.load()
    other.save(theirs, set_graph(theirs, delete_items(theirs.graph, ["node_2"])), "ben")
    other.close()
    document.edit("Move node", moved_other(document.project, 5.0))
    assert document.save_state.is_conflict
    assert "node_2" in document.save_state.reason
    document.edit("Rename project", replace(document.project, name="Flat"))
    assert on_disk(file).name == "Flat"
    assert "node_2" not in on_disk(file).graph.nodes


def changes_of(file: Path) -> list[tuple[str, str]]:
    """Who changed what in a project since it was made, in order."""
    with closing(ProjectStore.open(file)) as store:
        return [(change.author, change.text) for change in store.changes_since(1)]


def test_what_one_did_beside_a_conflict_is_not_written_under_the_name_of_the_next(
    document: ProjectDocument, file: Path
) -> None:
    """An edge leads to a node that is not there any more: no item of both is in conflict."""
    with closing(ProjectStore.open(file)) as other:
        theirs = other.load()
        other.save(theirs, set_graph(theirs, delete_items(theirs.graph, ["node_2"])), "cem", "Cut")
    graph, edge = add_edge(document.project.graph, "node_1", "node_2")
    document.edit("Add edge", set_graph(document.project, graph))
    document.edit("Rename project", replace(document.project, name="Flat"))
    document.hand_over("ben")
    document.edit("Move node", moved(document.project, 5.0))
    assert document.save_state.is_conflict
    assert (on_disk(file).name, changes_of(file)) == ("House", [("cem", "Cut")])
    graph = delete_items(document.project.graph, edge_ids=[edge.edge_id])
    document.edit("Delete edge", set_graph(document.project, graph))
    assert document.save_state.kind is SaveKind.SAVED
    assert changes_of(file)[1:] == [("ana", "Rename project"), ("ben", "Delete edge")]
    with closing(sqlite3.connect(file)) as connection:
        (by,) = connection.execute("SELECT changed_by FROM nodes WHERE node_id = 'node_1'")
        named = connection.execute("SELECT changed_by FROM facts WHERE fact = 'name'").fetchall()
    assert (by, named) == (("ben",), [("ana",)])
    # Whoever sits there afterwards writes for nobody else.
    document.hand_over("dan")
    document.edit("Rename project", replace(document.project, name="House"))
    assert changes_of(file)[3:] == [("dan", "Rename project")]


def test_what_hangs_on_a_blocked_item_waits_with_it_and_that_is_said(
    document: ProjectDocument, file: Path
) -> None:
    """Two people drew a node of the same id; one goes on and joins it."""
    other = ProjectStore.open(file)
    theirs = other.load()
    graph, node = add_node(theirs.graph, (9.0, 0.0, 0.0), "Theirs")
    other.save(theirs, set_graph(theirs, graph), "ben")
    other.close()
    graph, own = add_node(document.project.graph, (5.0, 0.0, 0.0), "Own")
    assert own.node_id == node.node_id
    document.edit("Add node", set_graph(document.project, graph))
    assert document.save_state.reason.endswith("or reload. All else is saved")
    graph, _ = add_edge(graph, own.node_id, "node_1")
    document.edit("Add edge", set_graph(document.project, graph))
    assert document.save_state.reason.endswith(
        "or reload. 1 more change waits with it; all else is saved"
    )
    (cart,) = whole_project().agents.values()
    document.edit("Add agent", set_agent(document.project, cart))
    assert on_disk(file).agents == {cart.key: cart}
    assert on_disk(file).graph.nodes[own.node_id].name == "Theirs"
    assert document.unsaved_titles == ("node “Own” (node_3)", "edge edge_1 (node_3 – node_1)")
    for _ in range(3):
        document.undo()
    assert document.save_state.kind is SaveKind.SAVED
    assert on_disk(file).agents == {}


def test_a_closed_document_is_freed_in_any_order(qapp: object, file: Path) -> None:
    """Steps that Python freed before their stack, which then freed them again, were a crash."""
    document = ProjectDocument(ProjectStore.open(file), "ana")
    for number in range(4):
        document.edit("Move node", moved(document.project, float(number + 1)))
    # The collector frees in the order in which it met things last: here the steps first.
    kept = [*map(document.undo_stack.command, range(4)), document]
    gone = weakref.ref(document)
    gc.collect()
    assert document.close()
    assert document.undo_stack.count() == 0
    del document
    gc.collect()
    kept.clear()
    gc.collect()
    assert gone() is None


def test_an_error_that_nobody_foresaw_keeps_no_later_state_out_of_the_file(
    document: ProjectDocument, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = ProjectStore.save

    def fails_once(store: ProjectStore, before: Project, after: Project, *told: str) -> None:
        if after.graph.nodes["node_1"].name == "bad":
            raise TypeError("unforeseen")
        save(store, before, after, *told)

    monkeypatch.setattr(ProjectStore, "save", fails_once)
    with pytest.raises(TypeError):
        document.note("Rename", renamed(document.project, "bad"))
    document.note("Rename", renamed(document.project, "good"))
    assert on_disk(file) == document.project
