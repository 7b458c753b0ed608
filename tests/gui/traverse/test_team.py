"""Two annotators and a reviewer take turns at the real window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cut_text import cut_texts
from gui.user import User
from label_panels import chosen_reason
from PySide6.QtWidgets import QLabel

from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.team_dialogs import ReturnDialog, TeamDialog
from waypost.domain.traverse.team import Standing
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.store.project_store import ProjectStore
from waypost.widgets.parts import TextBox

pytestmark = pytest.mark.gui


def sit_down(user: User, name: str) -> None:
    """Somebody else works at the window from now on."""
    bench = user.window.bench
    bench.change_settings(replace(bench.settings, annotator=name))
    user.wait(lambda: user.project.team.viewer == name and bench.opening is None)
    user.settle()


def panel_text(user: User) -> str:
    panel = user.find(LabelPanel)
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def chips(user: User) -> set[str]:
    """The parts of the queue that are offered, with their counts."""
    strip = user.find(PassageList).parts
    return {chip.text() for chip in strip._chips.values() if chip.isVisible()}


def go(user: User, passage: Passage) -> None:
    user.window.traverse.go_to_passage(passage)
    user.settle()


def give(user: User, passage: Passage, *keys: str) -> None:
    go(user, passage)
    user.press(*keys)
    user.settle()


@pytest.fixture
def team(at_house: User) -> User:
    """Every passage of every agent is labelled by two."""
    at_house.press("Ctrl+2")
    assert at_house.window.actions_set.trigger("traverse.people")
    dialog = at_house.find(TeamDialog)
    dialog.people.setPlainText("ana: annotator\nben: annotator\nrita: boss")
    dialog.primary.click()
    assert dialog.isVisible()
    dialog.people.setPlainText("ana: annotator\nben: annotator\nrita: reviewer")
    dialog.share.setValue(100)
    dialog.primary.click()
    at_house.settle()
    assert len(at_house.project.team.doubles) == 10 * len(at_house.graph.edges)
    return at_house


def test_two_label_and_a_third_decides(team: User) -> None:
    decides_nothing_by_selecting_all(team)
    way = ana_labels(team)
    sees_nothing_of_ana(team, way)
    ben_labels_and_sees_both(team, way)
    rita_returns_and_decides(team, way)


@pytest.mark.parametrize("is_answered", [False, True])
def test_what_is_half_given_or_answered_at_hand_is_not_shown_to_the_next_person(
    team: User, is_answered: bool
) -> None:
    """They sit down at the same window and the same passage, which both label blindly."""
    panel, note = team.find(LabelPanel), team.find(LabelPanel).findChild(TextBox)
    sit_down(team, "ana")
    passage = team.window.traverse.current
    assert passage is not None
    assert passage in team.project.team.doubles
    team.press("C")
    team.type("a sill")
    team.press("Esc", "3")
    if is_answered:
        team.press("N")
        go(team, passage)
    assert (chosen_reason(panel), note.toPlainText()) == (Reason.TOO_NARROW, "a sill")
    sit_down(team, "ben")
    assert team.window.traverse.current == passage
    assert (chosen_reason(panel), note.toPlainText()) == (None, "")
    team.press(".", ",")
    assert (chosen_reason(panel), note.toPlainText()) == (None, "")
    assert team.project.team.labels == {}


def ana_labels(team: User) -> Passage:
    """That the first passage is too narrow, and that the way back travels."""
    agent = team.window.bench.agent
    assert agent is not None
    edge = next(iter(team.graph.edges.values()))
    found = Passage(edge.from_id, edge.to_id, agent.key)
    sit_down(team, "ana")
    go(team, found)
    assert "yours is missing" in panel_text(team)
    give(team, found, "3", "N")
    give(team, found.reverse, "Y")
    assert team.project.labels[found].reason is Reason.TOO_NARROW
    return found


def sees_nothing_of_ana(team: User, way: Passage) -> None:
    sit_down(team, "ben")
    go(team, way)
    assert team.project.team.labels == {}
    assert team.project.labels == {}
    assert "ana" not in panel_text(team)
    assert not team.document.undo_stack.canUndo()
    assert not team.document.undo_stack.canRedo()
    assert team.window.traverse.walk.is_open(way)
    assert not any("disagreeing" in chip for chip in chips(team))


def ben_labels_and_sees_both(team: User, way: Passage) -> None:
    give(team, way, "Y")
    give(team, way.reverse, "Y")
    go(team, way)
    assert "ana: does not travel, too narrow" in panel_text(team)
    assert "ben: travels" in panel_text(team)
    assert team.project.labels[way].verdict is Verdict.TRAVELS
    assert "disagreeing 1" in chips(team)
    team.press("U")
    assert "both labels of this passage are in" in team.message().lower()
    assert team.project.labels[way].verdict is Verdict.TRAVELS


def rita_returns_and_decides(team: User, way: Passage) -> None:
    sit_down(team, "rita")
    assert way not in team.project.labels
    assert way.reverse in team.project.labels
    assert "disagreeing 1" in chips(team)
    assert not team.window.traverse.walk.is_open(way)
    go(team, way)
    assert "They disagree" in panel_text(team)
    assert cut_texts(team.window) == []
    side = team.project.team.doubles[way].annotators.index("ben")
    action = ("traverse.return_first", "traverse.return_second")[side]
    assert team.window.actions_set.trigger(action)
    dialog = team.find(ReturnDialog)
    dialog.primary.click()
    assert dialog.isVisible()
    dialog.findChild(TextBox).setPlainText("look at the sill")
    dialog.primary.click()
    team.settle()
    assert team.project.team.standing(way) is Standing.RETURNED
    assert "Returned to ben by rita: look at the sill" in panel_text(team)
    assert "returned 1" in chips(team)

    sit_down(team, "ben")
    go(team, way)
    assert "Returned by rita: look at the sill" in panel_text(team)
    assert way not in team.project.labels
    give(team, way, "1", "N")

    sit_down(team, "rita")
    give(team, way, "3", "N")
    final = team.project.team.finals[way]
    assert (final.label.reason, final.decided_by) == (Reason.TOO_NARROW, "rita")
    assert team.project.labels[way] == final.label
    team.press("Ctrl+Z")
    assert way not in team.project.team.finals
    team.press("Ctrl+Shift+Z")
    go(team, way)
    on = final.decided_at.strftime("%Y-%m-%d")
    assert f"Decided by rita on {on}, does not travel, too narrow" in panel_text(team)
    store = ProjectStore.open(team.document.store.location, viewer="ana")
    project = store.load()
    store.close()
    assert project.labels[way].author == "rita"
    assert [entry.key.round for entry in project.team.rounds(way, "ben")] == [1, 2]


def decides_nothing_by_selecting_all(team: User) -> None:
    sit_down(team, "rita")
    team.press("Ctrl+A", "Return", "Space")
    team.settle()
    assert team.project.team.finals == {}
    assert team.project.labels == {}
