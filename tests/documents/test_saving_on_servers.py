"""What is saved on a PostgreSQL server that is slow, silent or gone, and what is seen meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from fixtures.server_documents import (
    FIRST,
    SECOND,
    add,
    answer,
    authors,
    changes_on_server,
    on_server,
    rename,
    wait_for,
)
from fixtures.server_lines import ServerLine, server_line
from fixtures.server_schemas import needs_server
from fixtures.team_servers import Server, team_server
from pytestqt.qtbot import QtBot

from waypost.documents.kept_steps import HistoryKeeper, history_file, read_history
from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.base.errors import EditError
from waypost.domain.base.progress import exhaust
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import describe_node, move_nodes
from waypost.domain.traverse.team import DoubleLabel, DoubleLabelKey
from waypost.domain.traverse.traversability import Reason, Verdict
from waypost.store.project_store import ProjectStore

pytestmark = needs_server
Sit = Callable[[str], ProjectDocument]


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
    assert exhaust(document.part_work(name)) == b"a driven path"
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    assert exhaust(document.part_work(name)) == b"a driven path"
    line.mend()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert exhaust(document.part_work(name)) == b"a driven path"
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


def test_an_answer_on_its_way_is_not_changed_before_the_others_can_be_in(
    sit: Sit, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    """Once both are in nobody changes theirs: a server refuses it, together with all else."""
    ben, ana = sit("ben"), sit("ana")
    answer(ben, Reason.DOOR)
    wait_for(qtbot, ben, SaveKind.SAVED)
    told = list[str]()
    ana.step_refused.connect(told.append)
    line.hold()
    answer(ana, Verdict.TRAVELS)
    with pytest.raises(EditError, match="has not got your last answer yet"):
        answer(ana, Reason.TOO_NARROW)
    ana.undo()
    assert "has not got your last answer yet" in told[0]
    answer(ana, Reason.TOO_NARROW, SECOND)
    line.release()
    qtbot.waitUntil(lambda: authors(ana.project) == {"ana", "ben"})
    wait_for(qtbot, ana, SaveKind.SAVED)
    assert changes_on_server(place) == ["Label passages that two label"] * 3
    with pytest.raises(EditError):
        answer(ana, Reason.TOO_NARROW)


def test_what_one_did_is_not_written_under_the_name_of_the_next(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.hold()
    rename(document, "Hall")
    document.hand_over("ben")
    rename(document, "Stairs", "node_2")
    line.cut()
    line.release()
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    line.mend()
    wait_for(qtbot, document, SaveKind.SAVED)
    with closing(ProjectStore.open(place)) as store:
        told = [(change.author, change.text) for change in store.changes_since(1)]
    assert told == [("ana", "Call it Hall"), ("ben", "Save")]


def test_who_turns_a_dial_does_not_fill_the_way_to_a_slow_server(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.hold()
    for place_m in range(200):
        graph = move_nodes(document.project.graph, {"node_1": (float(place_m), 0.0, 0.0)})
        document.edit("Move node", set_graph(document.project, graph))
    line.release()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place).graph == document.project.graph
    assert len(changes_on_server(place)) < 30


def test_who_saves_when_told_that_something_is_on_its_way_writes_nothing_twice(
    document: ProjectDocument, place: str, qtbot: QtBot
) -> None:
    document.save_state_changed.connect(lambda _: document.save_soon())
    add(document)
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place).graph == document.project.graph
    assert changes_on_server(place) == ["Add node"]


def test_nothing_is_called_saved_that_waits_behind_a_look(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.delay_s = 0.02
    answer(document, Verdict.TRAVELS)
    qtbot.waitUntil(lambda: document.save_state.kind is SaveKind.SAVED and document.is_saving)
    line.hold()
    rename(document, "Hall")
    assert document.save_state.kind is SaveKind.SAVING
    line.release()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project


class Secured(NamedTuple):
    """A server that docs/team.md has set up, and the window of ana over a line."""

    server: Server
    line: ServerLine
    ana: ProjectDocument

    def answer_of_ben(self) -> None:
        """Ben says something about the first passage."""
        store = ProjectStore.open(self.server.url("ben"), viewer="ben")
        with closing(ProjectDocument(store, "ben")) as ben:
            answer(ben, Reason.DOOR, FIRST)
            assert ben.save_now()

    def labels(self) -> Mapping[DoubleLabelKey, DoubleLabel]:
        """What ana may see on the server."""
        with closing(ProjectStore.open(self.server.url("ana"), viewer="ana")) as store:
            return store.load().team.labels


@pytest.fixture
def secured(tmp_path: Path, qapp: object) -> Iterator[Secured]:
    with team_server(tmp_path) as server, server_line(server.url("ana")) as line:
        store = ProjectStore.open(line.address, viewer="ana")
        with closing(ProjectDocument(store, "ana")) as ana:
            yield Secured(server, line, ana)


def test_a_second_thought_that_the_server_refuses_keeps_no_other_answer_from_it(
    secured: Secured,
) -> None:
    """She was cut off when she changed her mind, and his answer was in by then."""
    ana = secured.ana
    answer(ana, Reason.TOO_NARROW, FIRST)
    assert ana.save_now()
    secured.line.cut()
    answer(ana, Verdict.TRAVELS, FIRST)
    assert not ana.save_now()
    secured.answer_of_ben()
    secured.line.mend()
    answer(ana, Verdict.TRAVELS, SECOND)
    assert not ana.save_now()
    assert "is in, and cannot be changed any more" in ana.save_state.reason
    assert "All else is saved" in ana.save_state.reason
    labels = secured.labels()
    mine = {key.passage: said.label for key, said in labels.items() if key.author == "ana"}
    assert mine[FIRST].reason is Reason.TOO_NARROW
    assert mine[SECOND].verdict is Verdict.TRAVELS


def test_what_was_refused_beside_another_is_tried_again_without_it(secured: Secured) -> None:
    ana = secured.ana
    for passage in (FIRST, SECOND):
        answer(ana, Reason.TOO_NARROW, passage)
    assert ana.save_now()
    secured.line.cut()
    for passage in (SECOND, FIRST):
        answer(ana, Verdict.TRAVELS, passage)
        assert not ana.save_now()
    secured.answer_of_ben()
    secured.line.mend()
    assert not ana.save_now()
    ana.undo()
    assert ana.save_now()
    assert secured.labels() == ana.project.team.labels
