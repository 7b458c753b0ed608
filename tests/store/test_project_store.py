from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from given_labels import set_label
from stored_rows import SET, change_rows, stored_rows

from waypost.domain.base.errors import ConflictError, ReadError, StoreError
from waypost.domain.project import Project, set_agent, set_passage_rule
from waypost.domain.scene.graph import (
    Node,
    add_edge,
    add_node,
    build_graph,
    delete_items,
    describe_node,
    move_nodes,
)
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.store.project_store import ProjectStore

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
WHEELCHAIR = AgentProfile(
    "wheelchair", "Wheelchair", BodyShape.BOX, 0.68, 1.2, 1.3, 0.013, *[False] * 3
)
LABEL = TraversabilityLabel(
    Passage("node_1", "node_2", "wheelchair"),
    Verdict.DOES_NOT,
    Reason.STEP_OR_SILL,
    "2 cm",
    "ana",
    "2026-11-27T10:00:00+00:00",
    Provenance("scene", "profile", "physx", "5.4", "mover"),
)


def house() -> Project:
    graph, _ = add_node(build_graph([], []), (1.0, 2.0, 0.0), "Kitchen")
    graph, _ = add_node(graph, (3.0, 2.0, 0.0), "Hall")
    graph, _ = add_edge(graph, "node_1", "node_2")
    return Project("House", "scene/house.glb", graph=graph)


def renamed(project: Project, node_id: str, name: str) -> Project:
    return replace(project, graph=describe_node(project.graph, node_id, name=name))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, house(), "ana", clock=lambda: NOON).close()
    return file


def test_each_row_says_who_when_and_in_which_change(file: Path) -> None:
    store = ProjectStore.open(file, clock=lambda: NOON.replace(hour=13))
    before = store.load()
    store.save(before, set_agent(before, WHEELCHAIR), "ben", "Add agent")
    store.close()
    rows = stored_rows(file, "SELECT agent_key, row_version, changed_by, changed_utc FROM agents")
    assert rows == [("wheelchair", 2, "ben", "2026-11-27T13:00:00+00:00")]
    nodes = stored_rows(file, "SELECT DISTINCT row_version, changed_by FROM nodes")
    assert nodes == [(1, "ana")]


def test_labels_keep_their_own_author_time_and_provenance(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    after = replace(before, labels=set_label(before.labels, LABEL))
    store.save(before, after, "ben", "Label")
    assert dict(store.load().labels) == {LABEL.passage: LABEL}


def test_history_names_every_item_of_a_change(file: Path) -> None:
    store = ProjectStore.open(file, clock=lambda: NOON)
    before = store.load()
    after = replace(before, graph=delete_items(before.graph, ["node_1"]), name="Flat")
    store.save(before, after, "ben", "Delete node")
    rows = stored_rows(
        file,
        "SELECT author, text, kind, item, action FROM history JOIN changes USING (change_id) "
        "WHERE change_id = 2 ORDER BY kind",
    )
    assert rows == [
        ("ben", "Delete node", "edge", "edge_1", "deleted"),
        ("ben", "Delete node", "node", "node_1", "deleted"),
        ("ben", "Delete node", "project setting", "name", "changed"),
    ]


def test_saving_the_same_state_writes_nothing(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    size, modified = file.stat().st_size, file.stat().st_mtime_ns
    store.save(before, replace(before, name="House"), "ana")
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (size, modified)


def test_a_node_put_back_by_undo_returns_to_its_place_without_touching_others(file: Path) -> None:
    store = ProjectStore.open(file)
    whole = store.load()
    without = replace(whole, graph=delete_items(whole.graph, ["node_1"]))
    store.save(whole, without, "ana")
    store.save(without, whole, "ana")
    assert list(store.load().graph.nodes) == ["node_1", "node_2"]
    versions = stored_rows(file, "SELECT node_id, row_version FROM nodes ORDER BY 1")
    assert versions == [("node_1", 3), ("node_2", 1)]


def test_a_new_order_of_agents_is_kept(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    other = replace(WHEELCHAIR, key="cat")
    both = set_agent(set_agent(before, WHEELCHAIR), other)
    turned = set_agent(set_agent(before, other), WHEELCHAIR)
    store.save(before, both, "ana")
    store.save(both, turned, "ana")
    assert list(store.load().agents) == ["cat", "wheelchair"]


def test_removing_the_first_task_keeps_the_others_in_order(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    tasks = tuple(Task(f"Question {i}", "Kitchen", "Hall") for i in range(3))
    full = replace(before, tasks=tasks)
    store.save(before, full, "ana")
    store.save(full, replace(full, tasks=tasks[1:]), "ana")
    assert store.load().tasks == tasks[1:]


def test_questions_of_two_writers_stay_whole_and_can_be_changed(file: Path) -> None:
    tasks = tuple(Task(name, "Kitchen", "Hall") for name in "ABCDE")
    first = ProjectStore.open(file)
    before = first.load()
    first.save(before, a := replace(before, tasks=tasks[:3]), "ana")
    second = ProjectStore.open(file)
    b = second.load()
    first.save(a, replace(a, tasks=tasks[1:3]), "ana")
    second.save(b, replace(b, tasks=tasks[:4]), "ben")
    third = ProjectStore.open(file)
    c = third.load()
    assert c.tasks == tasks[1:4]
    third.save(c, d := replace(c, tasks=(*tasks[1:3], tasks[4])), "cem")
    third.save(d, e := replace(d, tasks=(*d.tasks, tasks[0])), "cem")
    assert third.load().tasks == e.tasks
    assert stored_rows(file, "SELECT place FROM tasks ORDER BY 1") == [(n,) for n in range(4)]


def test_the_second_writer_of_a_row_is_refused_by_name(file: Path) -> None:
    first, second = ProjectStore.open(file, clock=lambda: NOON), ProjectStore.open(file)
    a, b = first.load(), second.load()
    first.save(a, renamed(a, "node_1", "Pantry"), "ana")
    with pytest.raises(
        ConflictError, match=r"node “Cellar” \(node_1\) was changed by ana at 2026-11-27 12:00:00"
    ):
        second.save(b, renamed(b, "node_1", "Cellar"), "ben")
    assert first.load().graph.nodes["node_1"].name == "Pantry"


def test_writers_of_different_rows_both_succeed(file: Path) -> None:
    first, second = ProjectStore.open(file), ProjectStore.open(file)
    a, b = first.load(), second.load()
    first.save(a, renamed(a, "node_1", "Pantry"), "ana")
    second.save(b, renamed(b, "node_2", "Lobby"), "ben")
    names = [node.name for node in first.load().graph.nodes.values()]
    assert names == ["Pantry", "Lobby"]


def test_both_adding_the_same_id_is_a_conflict(file: Path) -> None:
    first, second = ProjectStore.open(file), ProjectStore.open(file)
    a, b = first.load(), second.load()
    first.save(a, replace(a, graph=add_node(a.graph, (0, 0, 0), "Bath")[0]), "ana")
    with pytest.raises(ConflictError, match=r"“Sauna” \(node_3\) was added by ana"):
        second.save(b, replace(b, graph=add_node(b.graph, (0, 0, 0), "Sauna")[0]), "ben")


def test_an_edge_to_a_node_somebody_deleted_is_a_conflict(file: Path) -> None:
    first, second = ProjectStore.open(file), ProjectStore.open(file)
    first_state = first.load()
    graph, _ = add_node(first_state.graph, (9, 9, 0), "Shed")
    with_shed = replace(first_state, graph=graph)
    first.save(first_state, with_shed, "ana")
    b = second.load()
    first.save(with_shed, first_state, "ana")
    with pytest.raises(ConflictError, match="node node_3 was deleted by ana"):
        second.save(b, replace(b, graph=add_edge(b.graph, "node_1", "node_3")[0]), "ben")
    assert second.load() == first_state


def test_deleting_a_node_somebody_joined_is_a_conflict(file: Path) -> None:
    first, second = ProjectStore.open(file), ProjectStore.open(file)
    a = first.load()
    with_shed = replace(a, graph=add_node(a.graph, (9, 9, 0), "Shed")[0])
    first.save(a, with_shed, "ana")
    b = second.load()
    joined = replace(with_shed, graph=add_edge(with_shed.graph, "node_1", "node_3")[0])
    first.save(with_shed, joined, "ana")
    with pytest.raises(ConflictError, match="edge edge_2 was added by ana"):
        second.save(b, replace(b, graph=delete_items(b.graph, ["node_3"])), "ben")
    assert second.load() == joined


def test_a_recreated_id_is_not_mistaken_for_the_old_row(file: Path) -> None:
    first, second = ProjectStore.open(file), ProjectStore.open(file)
    a, b = first.load(), second.load()
    without = replace(a, graph=delete_items(a.graph, ["node_2"]))
    again = replace(without, graph=add_node(without.graph, (7, 7, 0), "Attic")[0])
    first.save(a, without, "ana")
    first.save(without, again, "ana")
    assert "node_2" in again.graph.nodes
    with pytest.raises(ConflictError, match="node_2"):
        second.save(b, renamed(b, "node_2", "Lobby"), "ben")


def test_an_edge_may_change_ends_while_its_old_end_goes(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    graph, _ = add_node(before.graph, (5, 5, 0), "Bath")
    graph = delete_items(graph, ["node_2"])
    graph, edge = add_edge(graph, "node_1", "node_3")
    after = replace(before, graph=graph)
    assert edge.edge_id == "edge_1"
    store.save(before, after, "ana")
    assert store.load() == after


def test_waits_only_briefly_for_another_programs_lock(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program is using the file"):
            store.save(before, renamed(before, "node_1", "Pantry"), "ana")
    with store._database.writing() as connection:
        longest_ms = connection.exec_driver_sql("PRAGMA busy_timeout").scalar()
    assert 0 < longest_ms <= 500
    store.save(before, renamed(before, "node_1", "Pantry"), "ana")
    assert store.load().graph.nodes["node_1"].name == "Pantry"


def test_a_moved_file_is_not_written_under_another_name(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    elsewhere = file.rename(file.with_name("moved.waypost"))
    after = renamed(before, "node_1", "Pantry")
    with pytest.raises(StoreError, match="moved or deleted"):
        store.save(before, after, "ana")
    elsewhere.rename(file)
    store.save(before, after, "ana")
    assert store.load() == after


def test_another_file_in_its_place_is_not_overwritten(file: Path, tmp_path: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    ProjectStore.create(tmp_path / "other.waypost", house(), "eve").close()
    (tmp_path / "other.waypost").replace(file)
    content = file.read_bytes()
    with pytest.raises(ConflictError, match="another file took its place"):
        store.save(before, renamed(before, "node_1", "Pantry"), "ana")
    assert file.read_bytes() == content


def test_a_copy_put_back_in_its_place_is_accepted(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)
    after = renamed(before, "node_1", "Pantry")
    store.save(before, after, "ana")
    assert store.load() == after


def test_create_refuses_an_existing_file_and_overwrites_when_told(file: Path) -> None:
    content = file.read_bytes()
    with pytest.raises(StoreError, match="exists already"):
        ProjectStore.create(file, Project("new"), "ana")
    assert file.read_bytes() == content
    ProjectStore.create(file, Project("new"), "ana", overwrite=True).close()
    assert ProjectStore.open(file).load() == Project("new")


def test_create_leaves_nothing_behind_where_it_cannot_write(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        ProjectStore.create(tmp_path / "missing" / "x.waypost", house(), "ana")
    unstorable = replace(house(), graph=replace(house().graph, extra={"k": object()}))
    with pytest.raises(StoreError, match="graph extra cannot be stored"):
        ProjectStore.create(tmp_path / "x.waypost", unstorable, "ana")
    assert list(tmp_path.iterdir()) == []


def test_a_journal_left_by_a_killed_program_is_not_replayed_into_a_new_file(file: Path) -> None:
    journal = file.with_name(file.name + "-journal")
    journal.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(1000))
    ProjectStore.create(file, Project("new"), "ana", overwrite=True).close()
    assert not journal.exists()
    assert [f.name for f in file.parent.iterdir()] == ["house.waypost"]


def test_odd_file_names_work(tmp_path: Path) -> None:
    file = tmp_path / "100% “odd” #1?mode=ro&x=ü.waypost"
    store = ProjectStore.create(file, house(), "ana")
    assert store.root == tmp_path
    store.close()
    assert [f.name for f in tmp_path.iterdir()] == [file.name]
    assert ProjectStore.open(file).load() == house()


def test_one_node_of_5000_is_saved_without_touching_the_others(tmp_path: Path) -> None:
    nodes = [Node(f"node_{i}", f"Place {i}", (i * 1.0, 0.0, 0.0)) for i in range(5000)]
    project = Project(graph=build_graph(nodes, []))
    store = ProjectStore.create(tmp_path / "big.waypost", project, "ana")
    path = tmp_path / "big.waypost"
    moved = move_nodes(project.graph, {"node_150": (0.0, 1.0, 0.0)})
    after = replace(project, graph=moved)
    store.save(project, after, "ana", "Move node")
    with closing(sqlite3.connect(path)) as file:
        written = file.execute(
            "SELECT node_id FROM nodes WHERE row_version = (SELECT max(change_id) FROM changes)"
        ).fetchall()
        assert file.execute("SELECT count(*) FROM nodes").fetchall() == [(5000,)]
    assert written == [("node_150",)]
    assert store.load() == after


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "there is no such file"),
        (b"", "the file is empty"),
        (b"glTF" + bytes(5000), "not a Waypost project"),
        (b"SQLite format 3\0" + bytes(5000), "Waypost project|damaged"),
    ],
)
def test_what_is_no_project_is_refused(tmp_path: Path, content: bytes | None, reason: str) -> None:
    file = tmp_path / "x.waypost"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ReadError, match=f"{file}: file: .*({reason})"):
        ProjectStore.open(file)
    assert (file.read_bytes() if file.exists() else None) == content


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is not a file"):
        ProjectStore.open(tmp_path)


def test_another_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.waypost"
    change_rows(file, "CREATE TABLE nodes (id)")
    with pytest.raises(ReadError, match="is a database, but not a Waypost project"):
        ProjectStore.open(file)


def test_a_truncated_file_is_refused(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-4096])
    with pytest.raises(ReadError, match="damaged"):
        ProjectStore.open(file)


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        (SET.format("edges", "kind", "'slide'"), r"edges, row 1: .*slide"),
        (
            SET.format("nodes", "position_m[0]", "'abc'") + " WHERE node_id = 'node_2'",
            "nodes, row 2: position_m",
        ),
        (SET.format("nodes", "extra", "json('[]')"), "nodes, row 1: extra: must be an object"),
        ("UPDATE nodes SET payload = CAST(x'ff' AS TEXT)", "nodes: .*decode"),
        ("UPDATE nodes SET payload = x'ff'", "nodes, row 1: expected text"),
        ("DELETE FROM facts WHERE fact = 'name'", "facts: 'name' is missing"),
        ("UPDATE edges SET from_id = 'nowhere'", "graph: .*unknown node 'nowhere'"),
        ("DROP TABLE labels", "no such table"),
    ],
)
def test_a_bad_row_blocks_and_is_named(file: Path, statement: str, place: str) -> None:
    change_rows(file, statement)
    with pytest.raises(ReadError, match=place):
        ProjectStore.open(file).load()


def test_a_failed_load_leaves_the_store_usable(file: Path) -> None:
    store = ProjectStore.open(file)
    before = store.load()
    change_rows(file, SET.format("edges", "kind", "'slide'"))
    with pytest.raises(ReadError):
        store.load()
    change_rows(file, SET.format("edges", "kind", "'walk'"))
    after = renamed(before, "node_1", "Pantry")
    store.save(before, after, "ana")
    assert store.load() == after


def test_the_rule_for_passages_is_kept_and_absent_where_nobody_chose_one(file: Path) -> None:
    rule = PassageRule(AnswerBy.STRAIGHT, allows_furniture=True, detour_extra_m=0.5)
    with closing(ProjectStore.open(file)) as store:
        before = store.load()
        assert before.passage_rule == PassageRule()
        after = set_passage_rule(before, rule)
        store.save(before, after, "mia")
    with closing(ProjectStore.open(file)) as store:
        assert store.load() == after
        store.save(after, before, "mia")
    with closing(sqlite3.connect(file)) as connection:
        keys = {row[0] for row in connection.execute("SELECT fact FROM facts")}
    assert "passage_rule" not in keys
