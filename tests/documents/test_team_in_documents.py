"""Two label passages in documents of their own: what undo takes back, and what each sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from fixtures.team_examples import cart_passages, label_of, row_of_nodes
from PySide6.QtCore import QObject
from stored_rows import stored_rows

from waypost.app.shell.project_opening import document_of
from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.documents.undo_step import UndoStep, packed
from waypost.domain.base.progress import exhaust
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import delete_items
from waypost.domain.team_labels import own_labels, with_team
from waypost.domain.traverse.team import Person, Role
from waypost.domain.traverse.team_edits import (
    accept_label,
    deal_second_labels,
    return_label,
    with_people,
)
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.metrics.agreement.label_agreement import ANSWER, label_agreement
from waypost.services.open_project import open_project_job
from waypost.store.project_store import ProjectStore, utc_now

Sit = Callable[[str], ProjectDocument]
EVERY_LABEL = "SELECT * FROM double_labels ORDER BY from_id, to_id"
FIRST, SECOND, *_ = cart_passages(row_of_nodes(3))
PEOPLE = (
    Person("ana", Role.ANNOTATOR), Person("ben", Role.ANNOTATOR), Person("rita", Role.REVIEWER),
)  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two label each of four passages."""
    project = row_of_nodes(3)
    team = with_people(project.team, PEOPLE)
    team = deal_second_labels(team, cart_passages(project), project.labels, 1.0, 0)
    path = tmp_path / "home.waypost"
    ProjectStore.create(path, with_team(project, team), "lea").close()
    return path


@pytest.fixture
def sit(qapp, file: Path) -> Iterator[Sit]:
    """Opens the project as somebody."""
    opened = []

    def as_somebody(who: str) -> ProjectDocument:
        opened.append(ProjectDocument(ProjectStore.open(file, viewer=who), who))
        return opened[-1]

    yield as_somebody
    for document in opened:
        document.close()


def say(document: ProjectDocument, passage: Passage, said: Verdict | Reason) -> None:
    labels = {**document.project.labels, passage: label_of(passage, said, "")}
    document.edit("Answer", replace(document.project, labels=MappingProxyType(labels)))


def said(document: ProjectDocument) -> dict[tuple[str, int], str]:
    """What each said about the first passage, round by round, as far as it is in memory."""
    labels = document.project.team.labels
    return {
        (key.author, key.round): str(entry.label.reason or entry.label.verdict)
        for key, entry in labels.items()
        if key.passage == FIRST
    }


def test_a_label_is_not_taken_back_and_given_anew_once_the_others_was_seen(sit: Sit) -> None:
    """That would turn a disagreement into agreement of two who are said not to have seen it."""
    ana, ben = sit("ana"), sit("ben")
    refused: list[str] = []
    ben.step_refused.connect(refused.append)
    say(ana, FIRST, Verdict.TRAVELS)
    say(ben, SECOND, Verdict.TRAVELS)
    say(ben, FIRST, Reason.DOOR)
    both = {("ana", 1): "travels", ("ben", 1): "door"}
    assert said(ben) == both
    ben.undo()
    assert said(ben) == both
    assert refused == ["Left as changed since, not undone: ben's label node_1 → node_2 of cart"]
    ben.undo()
    assert SECOND not in ben.project.labels
    row = next(row for row in label_agreement(ben.project.team) if row.about == ANSWER)
    assert (row.n, row.percentage.value) == (1, 0.0)


def test_undo_takes_back_what_only_one_has_said(sit: Sit) -> None:
    ana, ben = sit("ana"), sit("ben")
    say(ana, FIRST, Verdict.TRAVELS)
    say(ben, FIRST, Reason.DOOR)
    # She has not seen what Ben said meanwhile.
    ana.undo()
    assert said(ana) == {}
    ana.redo()
    assert said(ana) == {("ana", 1): "travels", ("ben", 1): "door"}
    assert ana.save_state.kind is SaveKind.SAVED


def test_of_many_labels_undo_takes_back_those_of_which_one_is_in(sit: Sit) -> None:
    ana, ben = sit("ana"), sit("ben")
    say(ana, FIRST, Verdict.TRAVELS)
    labels = {way: label_of(way, Reason.DOOR, "") for way in (FIRST, SECOND)}
    ben.edit("Answer both", replace(ben.project, labels=MappingProxyType(labels)))
    ben.undo()
    assert ben.project.labels.keys() == {FIRST}
    ben.redo()
    assert ben.project.labels.keys() == {FIRST, SECOND}


def test_kept_steps_take_back_no_label_of_which_both_are_in(sit: Sit, file: Path) -> None:
    ana, ben = sit("ana"), sit("ben")
    say(ana, FIRST, Verdict.TRAVELS)
    say(ben, FIRST, Reason.DOOR)
    step = ben.undo_stack.command(0).step
    again = UndoStep("Answer", data=packed(step.difference))
    assert again.taken(ben.project, forward=False).project is ben.project


def test_what_a_reviewer_returned_is_taken_back(sit: Sit) -> None:
    ana, ben = sit("ana"), sit("ben")
    say(ana, FIRST, Verdict.TRAVELS)
    say(ben, FIRST, Reason.DOOR)
    rita = sit("rita")
    team = return_label(rita.project.team, FIRST, "ben", "look again", utc_now())
    rita.edit("Return", with_team(rita.project, team))
    assert ("ben", 2) in said(rita)
    rita.undo()
    assert said(rita) == {("ana", 1): "travels", ("ben", 1): "door"}
    assert rita.save_state.kind is SaveKind.SAVED


def test_what_another_reviewer_has_returned_is_not_final(sit: Sit, file: Path) -> None:
    ana, ben = sit("ana"), sit("ben")
    say(ana, FIRST, Verdict.TRAVELS)
    say(ben, FIRST, Reason.DOOR)
    rita, other = sit("rita"), sit("rita")
    team = return_label(rita.project.team, FIRST, "ben", "look again", utc_now())
    rita.edit("Return", with_team(rita.project, team))
    team = accept_label(other.project.team, FIRST, "ana", utc_now())
    other.edit("Accept", replace(with_team(other.project, team), name="Home"))
    assert other.save_state.is_conflict
    with closing(ProjectStore.open(file, viewer="rita")) as store:
        found = store.load()
    assert (found.name, found.team.finals) == ("Home", {})
    assert found.team.labels == rita.project.team.labels
    other.undo()
    assert other.save_state.kind is SaveKind.SAVED


def test_an_edge_goes_with_both_labels_and_comes_back_with_them(sit: Sit) -> None:
    ana, ben = sit("ana"), sit("ben")
    say(ana, FIRST, Verdict.TRAVELS)
    say(ben, FIRST, Reason.DOOR)
    both, start = said(ben), ben.project
    for _ in range(2):
        less = delete_items(ben.project.graph, edge_ids=["edge_1"])
        ben.edit("Delete", set_graph(ben.project, less))
        assert FIRST not in ben.project.team.doubles
        ben.undo()
        assert (said(ben), ben.project) == (both, start)
        ben.redo()
        assert FIRST not in ben.project.team.doubles
        ben.undo()
        assert ben.save_state.kind is SaveKind.SAVED


def test_nothing_that_one_may_not_see_is_lost_by_what_one_does(sit: Sit, file: Path) -> None:
    """Edits, undo, a refused deletion and reloading leave the rows of others as they are."""
    ana = sit("ana")
    for way in cart_passages(ana.project):
        say(ana, way, Verdict.TRAVELS)
    hidden = stored_rows(file, EVERY_LABEL)
    assert len(hidden) == 4
    for who in ("ben", "somebody"):
        other = sit(who)
        assert other.project.team.labels == {}
        other.edit("Rename", replace(other.project, name=who))
        other.undo()
        less = delete_items(other.project.graph, edge_ids=["edge_1"])
        other.edit("Delete", set_graph(other.project, less))
        assert other.save_state.kind is SaveKind.NOT_SAVED
        assert "somebody has labelled a passage there that two label" in other.save_state.reason
        assert "undo your change" in other.save_state.reason
        other.undo()
        assert other.save_state.kind is SaveKind.SAVED
        other.reload(other.store, other.store.load())
        assert other.save_state.kind is SaveKind.SAVED
        assert stored_rows(file, EVERY_LABEL) == hidden


def test_after_ones_own_answer_one_sees_what_the_file_shows(sit: Sit, file: Path) -> None:
    """Whatever others gave, changed, took back, returned and decided meanwhile, of any passage."""
    ana, ben, rita = sit("ana"), sit("ben"), sit("rita")
    first, second, third, fourth = cart_passages(ana.project)

    def answer(document: ProjectDocument, passage: Passage, answer: Verdict | Reason) -> None:
        say(document, passage, answer)
        store = ProjectStore.open(file, viewer=document.author)
        fresh = store.load()
        store.close()
        own, whole = document.project, fresh.team
        assert (own.team.labels, own.team.finals) == (whole.labels, whole.finals)
        assert own.labels == fresh.labels
        assert document.save_state.kind is SaveKind.SAVED

    answer(ana, first, Verdict.TRAVELS)
    answer(ben, first, Reason.DOOR)
    answer(ben, second, Verdict.TRAVELS)
    answer(ana, third, Verdict.TRAVELS)
    ana.undo()
    answer(ben, third, Verdict.TRAVELS)
    rita.reload(rita.store, rita.store.load())
    team = return_label(rita.project.team, first, "ben", "look again", utc_now())
    rita.edit("Return", with_team(rita.project, team))
    answer(ana, second, Reason.STAIRS)
    rita.reload(rita.store, rita.store.load())
    answer(rita, second, Verdict.UNCERTAIN)
    answer(ben, fourth, Verdict.TRAVELS)
    assert said(ben) == {("ben", 1): "door", ("ben", 2): "door"}
    people = with_people(rita.project.team, (*PEOPLE[:2], Person("rita", Role.LEAD)))
    rita.edit("Change the team", with_team(rita.project, people))
    answer(ana, fourth, Verdict.TRAVELS)


def test_who_works_on_a_project_with_people_is_who_it_was_read_for(
    file: Path, qapp: object
) -> None:
    """On a server that is the login, whatever name the window has; commands say the same."""
    loaded = exhaust(open_project_job(file, viewer="ana"))
    window = QObject()
    document = document_of(loaded, "Ana at home", None, window)
    assert document.author == "ana"
    assert document.close()


@pytest.fixture
def both(qapp, tmp_path: Path) -> Iterator[tuple[ProjectDocument, ProjectDocument, Path]]:
    """Lea and Ana have a project open of which nothing is dealt yet."""
    project = row_of_nodes(3)
    project = with_team(project, with_people(project.team, (*PEOPLE, Person("lea", Role.LEAD))))
    path = tmp_path / "undealt.waypost"
    ProjectStore.create(path, project, "lea").close()
    lea, ana = (ProjectDocument(ProjectStore.open(path, viewer=who), who) for who in ("lea", "ana"))
    yield lea, ana, path
    lea.close()
    ana.close()


def deal(document: ProjectDocument) -> None:
    project = document.project
    asked = cart_passages(project)
    team = deal_second_labels(project.team, asked, own_labels(project), 1.0, 0)
    document.edit("Deal", with_team(project, team))


def seen_by(who: str, path: Path) -> Project:
    store = ProjectStore.open(path, viewer=who)
    project = store.load()
    store.close()
    return project


def test_dealing_loses_no_label_that_was_given_meanwhile(
    both: tuple[ProjectDocument, ProjectDocument, Path],
) -> None:
    """It would count for nobody, and nobody would see it; all else is dealt."""
    lea, ana, path = both
    say(ana, FIRST, Verdict.TRAVELS)
    deal(lea)
    assert lea.save_state.kind is SaveKind.NOT_SAVED
    assert "the label node_1 → node_2 of cart was added by ana" in lea.save_state.reason
    assert "All else is saved" in lea.save_state.reason
    found = seen_by("ana", path)
    assert found.labels[FIRST].verdict is Verdict.TRAVELS
    assert len(found.team.doubles) == 3
    lea.undo()
    assert lea.save_state.kind is SaveKind.SAVED
    assert seen_by("ana", path).team.doubles == {}


def test_no_label_is_given_alone_of_what_was_dealt_to_two_meanwhile(
    both: tuple[ProjectDocument, ProjectDocument, Path],
) -> None:
    lea, ana, path = both
    deal(lea)
    say(ana, FIRST, Verdict.TRAVELS)
    assert ana.save_state.kind is SaveKind.NOT_SAVED
    assert "that two label node_1 → node_2 of cart was added by lea" in ana.save_state.reason
    ana.undo()
    assert ana.save_state.kind is SaveKind.SAVED
    lea.undo()
    assert lea.save_state.kind is SaveKind.SAVED
    say(ana, FIRST, Verdict.TRAVELS)
    assert seen_by("lea", path).labels[FIRST].verdict is Verdict.TRAVELS
