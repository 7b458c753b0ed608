"""A connection that breaks behind COMMIT: the server has everything, and has not said so."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest
from fixtures.score_examples import NOON, book_of
from fixtures.server_documents import (
    add,
    answer,
    authors,
    changes_on_server,
    on_server,
    rename,
    wait_for,
)
from fixtures.server_lines import ServerLine
from fixtures.server_schemas import needs_server
from pytestqt.qtbot import QtBot

from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.base.errors import EditError
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import delete_items, describe_node
from waypost.domain.score.sheet_edits import set_score
from waypost.domain.traverse.traversability import Reason, Verdict
from waypost.store.project_store import ProjectStore
from waypost.store.score_news import ScoreNewsReader

pytestmark = needs_server
Lose = Callable[[Callable[[ProjectDocument], object]], None]


@pytest.fixture
def lose(document: ProjectDocument, line: ServerLine, qtbot: QtBot) -> Lose:
    """Makes an edit whose answer is lost; the line is cut then, and nothing is tried again."""

    def lose_answer(edit: Callable[[ProjectDocument], object]) -> None:
        line.cut_behind = b"COMMIT"
        edit(document)
        wait_for(qtbot, document, SaveKind.NOT_SAVED)
        document._saving._retry.stop()
        line.cut_behind = b""
        qtbot.waitUntil(lambda: not document.is_saving)

    return lose_answer


def delete_last(document: ProjectDocument) -> None:
    less = delete_items(document.project.graph, frozenset({"node_3"}), frozenset())
    document.edit("Delete", set_graph(document.project, less))


def test_it_is_no_conflict_with_oneself(
    document: ProjectDocument, lose: Lose, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    lose(lambda document: rename(document, "Hall"))
    assert on_server(place) == document.project
    add(document)
    rename(document, "Kitchen")
    line.mend()
    document.save_soon()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
    assert changes_on_server(place)[0] == "Call it Hall"


def test_what_is_taken_back_is_taken_back_there_too(
    document: ProjectDocument, lose: Lose, line: ServerLine, place: str
) -> None:
    lose(lambda document: rename(document, "Hall"))
    document.undo()
    line.mend()
    assert document.save_now()
    assert on_server(place) == document.project
    assert document.project.graph.nodes["node_1"].name == "n0"


@pytest.mark.parametrize("edit", [add, delete_last])
def test_a_line_that_breaks_again_takes_nothing_with_it(
    edit: Callable[[ProjectDocument], object], document: ProjectDocument, lose: Lose,
    line: ServerLine, place: str, qtbot: QtBot,
) -> None:  # fmt: skip
    lose(edit)
    line.mend()
    # What it asks for is answered; what it wants to write then is not.
    line.cut_behind = b"INSERT INTO changes"
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    line.heal()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_line_that_breaks_once_it_was_found_takes_nothing_with_it(
    is_undone: bool, document: ProjectDocument, lose: Lose, line: ServerLine, place: str,
    qtbot: QtBot,
) -> None:  # fmt: skip
    lose(add)
    line.cut_behind = b"COMMIT"
    line.mend()
    document.save_soon()
    qtbot.waitUntil(lambda: not document.is_saving)
    line.heal()
    document.undo() if is_undone else rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project


def test_the_other_answer_is_seen_although_two_attempts_failed(
    sit: Callable[[str], ProjectDocument], line: ServerLine, place: str, qtbot: QtBot
) -> None:
    ben, ana = sit("ben"), sit("ana")
    answer(ben, Reason.DOOR)
    wait_for(qtbot, ben, SaveKind.SAVED)
    line.cut_behind = b"COMMIT"
    answer(ana, Verdict.TRAVELS)
    wait_for(qtbot, ana, SaveKind.NOT_SAVED)
    line.cut_behind = b"INSERT INTO changes"
    line.mend()
    rename(ana, "Hall")
    qtbot.waitUntil(lambda: line.is_cut and not ana.is_saving)
    assert ana.save_state.kind is SaveKind.NOT_SAVED
    line.heal()
    qtbot.waitUntil(lambda: authors(ana.project) == {"ana", "ben"})
    with pytest.raises(EditError):
        answer(ana, Reason.TOO_NARROW)


def test_what_never_came_there_keeps_no_news_out(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    line.cut_behind = b"INSERT INTO changes"
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    line.cut_behind = b""
    document.undo()
    line.mend()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert not document.store.is_unsure
    assert on_server(place) == document.project


def test_a_conflict_with_another_person_names_nothing_of_ones_own(
    document: ProjectDocument, lose: Lose, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    lose(add)
    with closing(ProjectStore.open(place)) as store:
        before = store.load()
        graph = describe_node(before.graph, "node_1", name="Ben's")
        store.save(before, set_graph(before, graph), "ben")
    line.mend()
    rename(document, "Hall")
    qtbot.waitUntil(lambda: document.save_state.is_conflict and not document.is_saving)
    assert "ben" in document.save_state.reason
    assert "more item" not in document.save_state.reason
    document.undo()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert "Attic" in {node.name for node in on_server(place).graph.nodes.values()}


def test_what_another_one_scores_meanwhile_is_not_written_under_ones_own_name(
    sit: Callable[[str], ProjectDocument], line: ServerLine, place: str, qtbot: QtBot
) -> None:
    def score(project: Project, value: int) -> Project:
        sheet = project.scoring.sheet("demo", "i0", "ben")
        return replace(project, scoring=set_score(project.scoring, sheet, "clarity", value, NOON))

    with closing(ProjectStore.open(place)) as bens:
        before = bens.load()
        scored = score(replace(before, scoring=book_of()), 4)
        bens.save(before, scored, "ben")
        ana = sit("ana")
        line.cut_behind = b"COMMIT"
        rename(ana, "Hall")
        wait_for(qtbot, ana, SaveKind.NOT_SAVED)
        ana._saving._retry.stop()
        with closing(ScoreNewsReader(place, ana.store.loaded_change)) as reader:
            bens.save(scored, score(scored, 2), "ben")
            news = reader.read()
    qtbot.waitUntil(lambda: not ana.is_saving)
    assert news is not None
    assert not ana.take_news(news)
    line.heal()
    assert ana.save_now()
    assert ana.take_news(news)
    assert ana.project.scoring.sheet("demo", "i0", "ben").scores["clarity"] == 2
    with closing(ProjectStore.open(place)) as store:
        authors = [change.author for change in store.changes_since(1)]
    assert sorted(authors) == ["ana", "ben", "ben"]


def test_a_commit_that_arrives_after_its_connection_broke_is_no_conflict(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    arrives = line.late = threading.Event()
    line.late_words = b"COMMIT"
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    # Another attempt waits for the rows in vain: the transaction of before still has them.
    assert not document.save_now()
    arrives.set()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
    assert changes_on_server(place) == ["Call it Hall"]


@pytest.mark.parametrize("edit", [add, lambda document: rename(document, "Hall")])
def test_one_that_arrives_while_the_next_attempt_waits_is_none_either(
    edit: Callable[[ProjectDocument], object], document: ProjectDocument, line: ServerLine,
    place: str, qtbot: QtBot,
) -> None:  # fmt: skip
    arrives = line.late = threading.Event()
    line.late_words = b"COMMIT"
    edit(document)
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    qtbot.waitUntil(lambda: document.is_saving)
    qtbot.wait(200)
    arrives.set()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
    assert len(changes_on_server(place)) == 1


@pytest.mark.parametrize("is_alone", [True, False])
def test_what_is_taken_back_before_it_arrives_is_taken_back_there_too(
    is_alone: bool, document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    arrives = line.late = threading.Event()
    line.late_words = b"COMMIT"
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    document.undo()
    if not is_alone:
        rename(document, "Kitchen", "node_2")
    assert not document.save_now()
    arrives.set()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
    assert document.project.graph.nodes["node_1"].name == "n0"


def test_a_large_part_that_arrives_late_is_there_once(
    document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    arrives = line.late = threading.Event()
    line.late_words = b"COMMIT"
    name = document.keep_part(b"a driven path" * 400)
    rename(document, "Hall")
    wait_for(qtbot, document, SaveKind.NOT_SAVED)
    qtbot.waitUntil(lambda: document.is_saving)
    qtbot.wait(200)
    arrives.set()
    wait_for(qtbot, document, SaveKind.SAVED)
    with closing(ProjectStore.open(place)) as store:
        assert store.attachment(name) == b"a driven path" * 400


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_or_refused_whatever_the_line_does(
    seed: int, document: ProjectDocument, line: ServerLine, place: str, qtbot: QtBot
) -> None:
    """A connection may end before, while or after the server commits: nobody else is here."""

    def lose_answers() -> None:
        line.cut_behind = b"COMMIT"

    chance = random.Random(seed)
    acts: list[Callable[[], object]] = [
        line.hold, line.release, line.cut, line.mend, document.undo, document.redo, lose_answers,
        line.heal, line.heal, lambda: add(document),
    ]  # fmt: skip
    for step in range(60):
        if chance.random() < 0.4:
            rename(document, f"Room {step}", f"node_{chance.randint(1, 3)}")
        else:
            chance.choice(acts)()
        qtbot.wait(chance.choice([0, 1, 5, 20]))
        assert not document.save_state.is_conflict
        if document.save_state.kind is SaveKind.SAVED and not document.is_saving:
            assert on_server(place) == document.project
    line.heal()
    wait_for(qtbot, document, SaveKind.SAVED)
    assert on_server(place) == document.project
