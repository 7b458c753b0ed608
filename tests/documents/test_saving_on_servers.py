"""What is saved on a PostgreSQL server that is slow, silent or gone, and what is seen meanwhile."""

from __future__ import annotations

import os
import random
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from fixtures.server_lines import ServerLine, server_line
from fixtures.team_examples import cart_passages, label_of, row_of_nodes
from pytestqt.qtbot import QtBot
from sqlalchemy import create_engine, make_url, text

from waypost.documents.kept_steps import HistoryKeeper, history_file, read_history
from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import add_node, describe_node, move_nodes
from waypost.domain.team_labels import with_team
from waypost.domain.traverse.team import Person, Role
from waypost.domain.traverse.team_edits import deal_second_labels, with_people
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.store.project_store import ProjectStore

URL = os.environ.get("WAYPOST_TEST_POSTGRESQL", "")
pytestmark = pytest.mark.skipif(
    not URL, reason="WAYPOST_TEST_POSTGRESQL names no server; scripts/with_postgresql.sh makes one"
)
RETRY_MS = 20
FIRST, *_ = cart_passages(row_of_nodes(3))
Sit = Callable[[str], ProjectDocument]


@pytest.fixture
def place() -> Iterator[str]:
    """The address of a project in a schema of its own, over no line."""
    schema = f"waypost_test_{uuid.uuid4().hex}"
    server = make_url(URL).set(drivername="postgresql+psycopg")
    engine = create_engine(server)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    inside = make_url(URL).update_query_dict({"options": f"-csearch_path={schema}"})
    place = inside.render_as_string(hide_password=False)
    project = row_of_nodes(3)
    people = (Person("ana", Role.ANNOTATOR), Person("ben", Role.ANNOTATOR))
    team = with_people(project.team, people)
    team = deal_second_labels(team, cart_passages(project), project.labels, 1.0, 0)
    ProjectStore.create(place, with_team(project, team), "lea").close()
    yield place
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture
def line(place: str) -> Iterator[ServerLine]:
    with server_line(place) as line:
        yield line


@pytest.fixture
def sit(qapp, line: ServerLine) -> Iterator[Sit]:
    """Opens the project over the line as somebody."""
    opened = []

    def as_somebody(who: str) -> ProjectDocument:
        store = ProjectStore.open(line.address, viewer=who)
        opened.append(ProjectDocument(store, who, retry_interval_ms=RETRY_MS))
        return opened[-1]

    yield as_somebody
    line.mend()
    line.release()
    for document in opened:
        document.close()


@pytest.fixture
def document(sit: Sit) -> ProjectDocument:
    return sit("ana")


def on_server(place: str, viewer: str = "ana") -> Project:
    with closing(ProjectStore.open(place, viewer=viewer)) as store:
        return store.load()


def changes_on_server(place: str) -> list[str]:
    with closing(ProjectStore.open(place)) as store:
        return [change.text for change in store.changes_since(0)][1:]


def rename(document: ProjectDocument, name: str, node: str = "node_1") -> None:
    graph = describe_node(document.project.graph, node, name=name)
    document.edit(f"Call it {name}", set_graph(document.project, graph))


def answer(document: ProjectDocument, said: Verdict | Reason) -> None:
    labels = {**document.project.labels, FIRST: label_of(FIRST, said, document.author)}
    document.edit("Answer", replace(document.project, labels=MappingProxyType(labels)))


def authors(project: Project, passage: Passage = FIRST) -> set[str]:
    """Whose answers about a passage are in memory."""
    return {key.author for key in project.team.labels if key.passage == passage}


def wait_for(qtbot: QtBot, document: ProjectDocument, kind: SaveKind) -> None:
    qtbot.waitUntil(lambda: document.save_state.kind is kind and not document.is_saving)


def test_nobody_waits_for_a_silent_server_and_every_edit_is_a_change_of_its_own(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    heard = []
    document.changed.connect(lambda old, new: heard.append(new))
    line.hold()
    for name in ("Hall", "Kitchen", "Cellar"):
        rename(document, name)
    assert [project.graph.nodes["node_1"].name for project in heard] == [
        "Hall",
        "Kitchen",
        "Cellar",
    ]
    assert document.save_state.kind is SaveKind.SAVING
    assert not document.save_soon()
    document.undo()
    assert on_server(place).graph.nodes["node_1"].name == "n0"
    line.release()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
    assert changes_on_server(place) == [
        "Call it Hall", "Call it Kitchen", "Call it Cellar", "Undo Call it Cellar",
    ]  # fmt: skip
    assert document.save_soon()


def test_closing_waits_until_the_server_has_everything(
    document: ProjectDocument, line: ServerLine, place: str
) -> None:
    line.delay_s = 0.01
    for name in ("Hall", "Kitchen"):
        rename(document, name)
    assert document.close()
    assert changes_on_server(place) == ["Call it Hall", "Call it Kitchen"]


def test_what_was_made_while_a_server_was_gone_is_there_once_it_is_back(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.hold()
    rename(document, "Hall")
    rename(document, "Stairs", "node_2")
    line.cut()
    line.release()
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    assert not document.save_state.is_conflict
    rename(document, "Cellar", "node_3")
    document.undo()
    rename(document, "Attic", "node_3")
    line.mend()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
    assert [node.name for node in document.project.graph.nodes.values()] == [
        "Hall", "Stairs", "Attic",
    ]  # fmt: skip


def test_what_somebody_else_changed_first_is_left_and_all_else_is_saved(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.hold()
    rename(document, "Hall")
    rename(document, "Stairs", "node_2")
    with closing(ProjectStore.open(place)) as store:
        before = store.load()
        graph = describe_node(before.graph, "node_1", name="Ben's")
        store.save(before, replace(before, graph=graph), "ben")
    line.release()
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    assert document.save_state.is_conflict
    assert "ben" in document.save_state.reason
    qtbot.waitUntil(lambda: on_server(place).graph.nodes["node_2"].name == "Stairs")
    assert on_server(place).graph.nodes["node_1"].name == "Ben's"
    assert document.project.graph.nodes["node_1"].name == "Hall"
    document.undo()
    document.undo()
    wait_for(qtbot, document, SaveKind.SAVED)


def test_the_other_answer_is_seen_once_ones_own_is_in_and_no_edit_meanwhile_costs_either(
    sit: Sit, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    ben, ana = sit("ben"), sit("ana")
    answer(ben, Reason.DOOR)
    wait_for(qtbot, ben, SaveKind.SAVED)
    assert authors(ben.project) == {"ben"}
    heard = []
    ana.changed.connect(lambda old, new: heard.append(authors(new)))
    line.hold()
    answer(ana, Verdict.TRAVELS)
    rename(ana, "Hall")
    assert authors(ana.project) == {"ana"}
    line.release()
    qtbot.waitUntil(lambda: authors(ana.project) == {"ana", "ben"})
    assert heard[:2] == [{"ana"}, {"ana"}]
    rename(ana, "Cellar")
    wait_for(qtbot, ana, SaveKind.SAVED)
    assert authors(on_server(place)) == {"ana", "ben"}
    assert ana.project == on_server(place)
    ana.undo()
    ana.undo()
    wait_for(qtbot, ana, SaveKind.SAVED)
    assert authors(on_server(place)) == {"ana", "ben"}


def test_an_answer_that_is_read_beside_an_edit_is_read_again(
    sit: Sit, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    ben, ana = sit("ben"), sit("ana")
    answer(ben, Reason.DOOR)
    wait_for(qtbot, ben, SaveKind.SAVED)
    line.delay_s = 0.02
    answer(ana, Verdict.TRAVELS)
    # What ben said is being read now, and what comes is not what it was read beside.
    qtbot.waitUntil(lambda: ana.save_state.kind is SaveKind.SAVED and ana.is_saving)
    rename(ana, "Hall")
    qtbot.waitUntil(lambda: authors(ana.project) == {"ana", "ben"})
    wait_for(qtbot, ana, SaveKind.SAVED)
    assert ana.project == on_server(place)
    assert ana.project.graph.nodes["node_1"].name == "Hall"


def test_a_large_part_is_written_with_what_refers_to_it_also_by_a_later_attempt(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.cut()
    name = document.keep_part(b"a driven path")
    assert document.part(name) == b"a driven path"
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    assert document.part(name) == b"a driven path"
    line.mend()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert document.part(name) == b"a driven path"
    with closing(ProjectStore.open(place)) as store:
        assert store.attachment(name) == b"a driven path"


def test_steps_of_undo_are_those_of_the_server_also_where_it_was_slow(
    place: str, line: ServerLine, tmp_path: Path, qtbot: QtBot
) -> None:
    file = history_file(tmp_path, place)
    store = ProjectStore.open(line.address, viewer="ana")
    document = ProjectDocument(store, "ana", keeper=HistoryKeeper(file))
    line.delay_s = 0.01
    rename(document, "Hall")
    rename(document, "Kitchen")
    assert document.close()
    with closing(ProjectStore.open(place)) as store:
        found = read_history(file, on_server(place), store.changes_since)
    assert [step.text for step in found.steps] == ["Call it Hall", "Call it Kitchen"]
    assert (found.done, found.dropped) == (2, ())


def test_what_a_server_has_written_without_being_able_to_say_so_is_no_conflict(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.cut_behind = b"COMMIT"
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    assert on_server(place) == document.project
    line.cut_behind = b""
    graph, _ = add_node(document.project.graph, (9.0, 0.0, 0.0), "Attic")
    document.edit("Add node", set_graph(document.project, graph))
    rename(document, "Kitchen")
    assert not document.save_state.is_conflict
    line.mend()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
    assert changes_on_server(place)[0] == "Call it Hall"


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_or_refused_whatever_the_line_does(
    seed: int, document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    """A connection may end before, while or after the server commits: nobody else is here."""
    chance = random.Random(seed)
    acts: list[Callable[[], object]] = [
        line.hold, line.release, line.cut, line.mend, document.undo, document.undo_stack.redo,
    ]  # fmt: skip
    for step in range(60):
        if chance.random() < 0.5:
            rename(document, f"Room {step}", f"node_{chance.randint(1, 3)}")
        else:
            chance.choice(acts)()
        qtbot.wait(chance.choice([0, 1, 5]))
        assert not document.save_state.is_conflict
    line.mend()
    line.release()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project


def test_reloading_gives_up_what_waits_and_takes_the_store_that_read(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.cut()
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    line.mend()
    document.keep_part(b"nobody refers to it")
    store = ProjectStore.open(place, viewer="ana")
    document.reload(store, store.load())
    assert document.save_state.kind is SaveKind.SAVED
    assert document.project.graph.nodes["node_1"].name == "n0"
    graph = move_nodes(document.project.graph, {"node_2": (9.0, 0.0, 0.0)})
    document.edit("Move node", set_graph(document.project, graph))
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place).graph == graph
