"""Steps of undo outlive the window, and never take back what somebody else has done since."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.project_strategies import projects
from fixtures.score_examples import book_of, scored, whole_book
from fixtures.whole_projects import DRIVE, MEASURE, whole_project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.documents import kept_steps
from waypost.documents.kept_steps import (
    MOST_STEPS,
    HistoryFile,
    HistoryKeeper,
    Noted,
    fitting,
    read_history,
)
from waypost.documents.project_document import ProjectDocument
from waypost.documents.undo_step import UndoStep, difference_between, moved, packed, unpacked
from waypost.domain.project import Project, set_drive, set_graph, set_measures
from waypost.domain.scene.graph import (
    Node,
    add_node,
    build_graph,
    delete_items,
    describe_node,
    move_nodes,
)
from waypost.domain.score.comparison import ComparisonKey
from waypost.domain.score.comparison_edits import write_pair_decision
from waypost.domain.score.score_book import NO_SCORES
from waypost.domain.score.sheet_edits import write_decision
from waypost.store.project_store import ProjectStore
from waypost.store.row_writing import Change

pytestmark = pytest.mark.heavy

Reopen = Callable[[], ProjectDocument]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    bare = replace(whole_project(), measures={}, drives={})
    ProjectStore.create(file, bare, "ana").close()
    return file


@pytest.fixture
def reopen(file: Path, tmp_path: Path, qapp) -> Iterator[Reopen]:
    """Closes the document that is open, and opens the project as another start of Waypost does."""
    steps = tmp_path / "undo" / "house.sqlite"
    opened: list[ProjectDocument] = []

    def again() -> ProjectDocument:
        if opened:
            assert opened.pop().close()
        store = ProjectStore.open(file, viewer="ana")
        project = store.load()
        history = read_history(steps, project, store.changes_since)
        opened.append(
            ProjectDocument(
                store, "ana", project=project, history=history, keeper=HistoryKeeper(steps)
            )
        )
        return opened[0]

    yield again
    opened[0].close()


def named(project: Project, name: str) -> Project:
    return set_graph(project, describe_node(project.graph, "node_1", name=name))


def nothing_since(_: int) -> tuple[Change, ...]:
    return ()


def texts(document: ProjectDocument) -> list[str]:
    return [document.undo_stack.text(n) for n in range(document.undo_stack.count())]


def test_steps_can_be_undone_and_repeated_after_reopening(reopen: Reopen) -> None:
    document = reopen()
    states = [document.project]
    for name in ("Pantry", "Larder", "Cellar"):
        states.append(named(states[-1], name))
        document.edit(f"Rename to {name}", states[-1])
    states.append(set_graph(states[-1], delete_items(states[-1].graph, ["node_2"])))
    document.edit("Delete Hall", states[-1])
    document.undo()
    document = reopen()
    assert texts(document)[-2:] == ["Rename to Cellar", "Delete Hall"]
    assert document.undo_stack.undoText() == "Rename to Cellar"
    document.redo()
    assert document.project == states[4]
    for state in reversed(states[:4]):
        document.undo()
        assert document.project == state
        assert list(document.project.graph.nodes) == ["node_1", "node_2"]
    document = reopen()
    assert not document.undo_stack.canUndo()
    for state in states[1:]:
        document.redo()
        assert document.project == state


def test_what_a_machine_found_meanwhile_stays_when_a_step_is_undone(reopen: Reopen) -> None:
    document = reopen()
    first = document.project
    document.edit("Rename", named(first, "Pantry"))
    document.note("Measure", set_measures(document.project, [MEASURE]))
    document.note("Drive", set_drive(document.project, DRIVE))
    assert texts(document) == ["Rename"]
    document.undo()
    assert document.project == set_drive(set_measures(first, [MEASURE]), DRIVE)
    document.redo()
    assert document.project.graph.nodes["node_1"].name == "Pantry"
    assert len(document.project.measures) == len(document.project.drives) == 1


def test_a_deleted_node_comes_back_with_its_evidence(reopen: Reopen) -> None:
    document = reopen()
    document.note("Measure", set_measures(document.project, [MEASURE]))
    before = document.project
    document.edit("Delete", set_graph(before, delete_items(before.graph, ["node_1"])))
    assert not document.project.measures
    assert not document.project.labels
    document = reopen()
    document.undo()
    assert document.project == before


def test_a_drag_is_one_step_though_something_is_noted_in_it(reopen: Reopen) -> None:
    document = reopen()
    first = document.project
    for x_m in (1.0, 2.0):
        graph = move_nodes(document.project.graph, {"node_1": (x_m, 0.0, 0.0)})
        document.edit("Move", set_graph(document.project, graph), merge_key="drag")
    document.note("Measure", set_measures(document.project, [MEASURE]))
    graph = move_nodes(document.project.graph, {"node_1": (3.0, 0.0, 0.0)})
    document.edit("Move", set_graph(document.project, graph), merge_key="drag")
    while document.undo_stack.canUndo():
        document.undo()
    assert document.project == set_measures(first, [MEASURE])


def test_what_somebody_else_changed_is_left_alone(reopen: Reopen, file: Path) -> None:
    document = reopen()
    first = document.project
    document.edit("Rename node", named(first, "Pantry"))
    document.edit("Rename project", replace(document.project, name="Flat"))
    assert document.close()
    other = ProjectStore.open(file, viewer="ana")
    theirs = other.load()
    other.save(theirs, named(theirs, "Theirs"), "ben")
    other.close()
    store = ProjectStore.open(file, viewer="ana")
    found = read_history(file.parent / "undo" / "house.sqlite", store.load(), store.changes_since)
    store.close()
    assert [step.text for step in found.steps] == ["Rename project"]
    assert found.dropped == ("Rename node",)
    assert found.dropped_words == (
        "Somebody else changed the project since, so “Rename node” can no longer be undone"
    )
    document = reopen()
    document.undo()
    assert document.project == replace(named(first, "Theirs"), name=first.name)
    assert not document.undo_stack.canUndo()


def test_what_one_has_scored_is_for_nobody_else_to_take_back(reopen: Reopen, file: Path) -> None:
    document = reopen()
    document.note("Begin anew", replace(document.project, scoring=NO_SCORES))
    document.edit("Make a batch", replace(document.project, scoring=book_of()))
    book = scored(document.project.scoring, "i0", "ana", 4, 5)
    document.edit("Submit a sheet", replace(document.project, scoring=book))
    document.edit("Rename", named(document.project, "Pantry"))
    document.undo()
    assert document.close()
    every = ["Make a batch", "Submit a sheet", "Rename"]
    for who, left in (("ben", [every[0], every[2]]), ("ana", every)):
        with closing(ProjectStore.open(file, viewer=who)) as store:
            steps = file.parent / "undo" / "house.sqlite"
            found = read_history(steps, store.load(), store.changes_since)
        assert [step.text for step in found.steps] == left
        assert found.done == len(left) - 1


def test_who_comes_to_the_window_takes_back_all_but_what_another_has_scored(
    reopen: Reopen,
) -> None:
    document = reopen()
    document.note("Begin anew", replace(document.project, scoring=NO_SCORES))
    first = document.project
    document.edit("Rename", named(first, "Pantry"))
    document.edit("Make a batch", replace(document.project, scoring=book_of()))
    book = scored(document.project.scoring, "i0", "ana", 4, 5)
    document.edit("Submit a sheet", replace(document.project, scoring=book))
    document.edit("Rename again", named(document.project, "Larder"))
    last = document.project
    document.hand_over("ben")
    assert texts(document) == ["Rename", "Make a batch", "Rename again"]
    document.undo()
    assert document.project == named(last, "Pantry")
    document.redo()
    assert document.project == last
    refused: list[str] = []
    document.step_refused.connect(refused.append)
    while document.undo_stack.canUndo():
        document.undo()
    assert document.project.graph == first.graph
    assert document.project.scoring == book, "a batch stays as long as somebody's scores are in it"
    assert refused


@pytest.mark.parametrize("is_paired", [False, True])
def test_nobody_takes_back_what_a_lead_has_begun_to_write_to_a_rater(
    reopen: Reopen, file: Path, is_paired: bool
) -> None:
    """Neither at the same window nor when they open the file."""
    document = reopen()
    book = scored(whole_book(), "i0", "ana", 4, 5)
    document.note("Begin anew", replace(document.project, scoring=book))
    key = ComparisonKey("pairs", "p", "ana")
    sheet = book.sheet("demo", "i0", "ana")
    begun = (
        write_pair_decision(book, key, "Look ag")
        if is_paired
        else write_decision(book, sheet, "Look ag")
    )
    document.edit("Comment to a rater", replace(document.project, scoring=begun))
    assert document.close()
    for who, left in (("ben", []), ("ana", ["Comment to a rater"])):
        with closing(ProjectStore.open(file, viewer=who)) as store:
            steps = file.parent / "undo" / "house.sqlite"
            found = read_history(steps, store.load(), store.changes_since)
        assert [step.text for step in found.steps] == left
    document = reopen()
    document.hand_over("ben")
    document.undo()
    assert (texts(document), document.project.scoring) == ([], begun)


def test_a_step_that_does_not_fit_any_more_is_refused_in_words(reopen: Reopen, qtbot) -> None:
    document = reopen()
    graph, node = add_node(document.project.graph, (9.0, 0.0, 0.0), "Shed")
    document.edit("Add node", set_graph(document.project, graph))
    graph = replace(graph, edges={**graph.edges, "e": replace(
        graph.edges["edge_1"], edge_id="e", to_id=node.node_id
    )})  # fmt: skip
    document.note("Join", replace(document.project, graph=graph))
    joined = document.project
    with qtbot.waitSignal(document.step_refused) as told:
        document.undo()
    assert told.args[0].startswith("“Add node” cannot be undone any more: ")
    assert document.project is joined


def test_only_the_last_steps_are_kept(reopen: Reopen) -> None:
    document = reopen()
    for number in range(MOST_STEPS + 30):
        document.edit(f"Rename {number}", named(document.project, f"Room {number}"))
    document = reopen()
    assert texts(document) == [f"Rename {n}" for n in range(30, MOST_STEPS + 30)]
    for _ in range(MOST_STEPS):
        document.undo()
    assert document.project.graph.nodes["node_1"].name == "Room 29"


def test_steps_that_are_too_large_end_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = whole_project()
    states = [first, named(first, "a"), named(first, "b"), named(first, "c")]
    steps = [UndoStep(f"{n}", states[n], states[n + 1]) for n in range(3)]
    monkeypatch.setattr(kept_steps, "MOST_BYTES", len(steps[1].data) + len(steps[2].data))
    HistoryFile(tmp_path / "s.sqlite").write(Noted(steps, 3, 1, "ana"))
    found = read_history(tmp_path / "s.sqlite", states[3], nothing_since)
    assert [step.text for step in found.steps] == ["1", "2"]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 200])
def test_a_file_that_is_damaged_costs_the_steps_only(
    tmp_path: Path, content: bytes, reopen: Reopen
) -> None:
    (tmp_path / "undo").mkdir()
    (tmp_path / "undo" / "house.sqlite").write_bytes(content)
    document = reopen()
    assert document.undo_stack.count() == 0
    document.edit("Rename", named(document.project, "Pantry"))
    assert document.project.graph.nodes["node_1"].name == "Pantry"


def test_a_damaged_step_is_dropped(tmp_path: Path) -> None:
    first = whole_project()
    states = [first, named(first, "a"), replace(named(first, "a"), name="Flat")]
    file = tmp_path / "s.sqlite"
    steps = [UndoStep(f"{n}", states[n], states[n + 1]) for n in range(2)]
    HistoryFile(file).write(Noted(steps, 2, 1, "ana"))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE steps SET data = x'00' WHERE text = '0'")
    found = read_history(file, states[2], nothing_since)
    assert ([step.text for step in found.steps], found.dropped) == (["1"], ("0",))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(projects(), projects())
def test_a_difference_leads_there_and_back(before: Project, after: Project) -> None:
    difference = unpacked(packed(difference_between(before, after)))
    there = moved(before, difference, forward=True)
    back = moved(after, difference, forward=False)
    assert (there.project, there.left_out) == (after, ())
    assert (back.project, back.left_out) == (before, ())


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), st.data())
def test_steps_fit_whatever_was_noted_of_them_last(names: list[str], data: st.DataObject) -> None:
    """The file may lag behind the project by a step in either direction."""
    states = [whole_project()]
    for number, name in enumerate(names):
        states.append(named(states[-1], f"{name}{number}"))
    steps = [UndoStep(f"{n}", states[n], states[n + 1]) for n in range(len(names))]
    now = data.draw(st.integers(0, len(names)))
    noted = data.draw(st.sampled_from([n for n in (now - 1, now, now + 1) if 0 <= n <= len(names)]))
    found = fitting(steps, noted, states[now])
    assert found.steps[: found.done] == tuple(steps[:now])
    assert found.dropped == ()


@pytest.mark.parametrize("author", ["ana", "ben"])
def test_a_step_lost_by_a_kill_does_not_cost_the_others(tmp_path: Path, author: str) -> None:
    """The project has one more change than the steps; it is undone only if it is our own."""
    first = whole_project()
    states = [first, named(first, "a"), named(first, "b"), named(first, "c")]
    steps = [UndoStep(f"{n}", states[n], states[n + 1]) for n in range(2)]
    HistoryFile(tmp_path / "s.sqlite").write(Noted(steps, 2, 7, "ana"))
    asked: list[int] = []

    def since(change_id: int) -> tuple[Change, ...]:
        asked.append(change_id)
        return (Change(author, "", "Rename to c"),)

    found = read_history(tmp_path / "s.sqlite", states[3], since)
    assert asked == [7]
    if author == "ben":
        assert (found.steps, found.dropped) == ((), ("0", "1"))
        return
    assert [step.text for step in found.steps] == ["0", "1", "Rename to c"]
    project = states[3]
    for step, state in zip(reversed(found.steps), reversed(states[:3]), strict=True):
        project = step.taken(project, forward=False).project
        assert project == state


def test_items_come_back_where_they_were() -> None:
    """Several in a row, the first one, the last one, and one whose neighbour somebody deleted."""
    nodes = [Node(f"n{n}", f"Room {n}", (float(n), 0.0, 0.0)) for n in range(8)]
    before = Project(graph=build_graph(nodes, ()))
    after = set_graph(before, delete_items(before.graph, ["n0", "n1", "n4", "n5", "n7"]))
    difference = unpacked(packed(difference_between(before, after)))
    back = moved(after, difference, forward=False).project
    assert list(back.graph.nodes) == [node.node_id for node in nodes]
    theirs = set_graph(after, delete_items(after.graph, ["n3"]))
    back = moved(theirs, difference, forward=False).project
    assert list(back.graph.nodes) == ["n0", "n1", "n2", "n6", "n4", "n5", "n7"]


def test_a_file_that_was_removed_or_damaged_is_made_anew(tmp_path: Path) -> None:
    first = whole_project()
    states = [first, *(named(first, name) for name in "abcdef")]
    steps = [UndoStep(f"{n}", states[n], states[n + 1]) for n in range(6)]
    path = tmp_path / "s.sqlite"
    kept = HistoryFile(path)
    kept.write(Noted(steps[:1], 1, 1, "ana"))
    for count, harm in ((2, path.unlink), (4, lambda: path.write_bytes(b"no database" * 99))):
        harm()
        with pytest.raises(sqlite3.Error):
            kept.write(Noted(steps[:count], count, count, "ana"))
        kept.write(Noted(steps[: count + 1], count + 1, count + 1, "ana"))
        found = read_history(path, states[count + 1], nothing_since)
        assert [step.text for step in found.steps] == [f"{n}" for n in range(count + 1)]
