"""Labelling in the real window by keys; nothing is decided without an answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from cut_text import cut_texts
from gui.user import User
from label_panels import asks_why, chosen_reason
from PySide6.QtWidgets import QDoubleSpinBox, QFileDialog, QLabel, QPlainTextEdit, QPushButton

from waypost.annotators.traverse.answer_buttons import AnswerButtons
from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.reason_chips import ReasonChips
from waypost.annotators.traverse.rest_dialog import RestDialog
from waypost.app.shell.graph_layer import GraphLayer
from waypost.domain.base.visible_text import breakable
from waypost.domain.project import set_graph, set_measures
from waypost.domain.scene.graph import move_nodes
from waypost.domain.traverse.measure import MEASURING_VERSION, PassageMeasure
from waypost.domain.traverse.team import Person, Role, Team
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
    judged_on,
)
from waypost.io.agent_files import read_agent
from waypost.services.judging import circumstances
from waypost.store.project_store import ProjectStore
from waypost.widgets.fact_lines import FactLines

pytestmark = pytest.mark.gui


@pytest.fixture
def labeller(at_house: User) -> User:
    at_house.press("Ctrl+2")
    return at_house


def at_hand(user: User) -> Passage:
    passage = user.window.traverse.current
    assert passage is not None
    return passage


def verdict(user: User, passage: Passage) -> Verdict | None:
    label = user.project.labels.get(passage)
    return label.verdict if label else None


def test_nothing_is_decided_without_an_answer(labeller: User) -> None:
    labeller.press(".", ".", ",", "Space", "Alt+Down", "Alt+Up", "Backspace", "L", "F")
    assert labeller.project.labels == {}
    assert not labeller.document.undo_stack.canUndo()
    for agent in labeller.project.agents:
        labeller.window.bench.choose_agent(agent)
    labeller.settle()
    assert labeller.project.labels == {}
    # What is half given is of its own project, though the passages of another have the same names.
    asked, panel = at_hand(labeller), labeller.window.findChild(LabelPanel)
    labeller.press("3")
    assert panel.is_half_given
    other = labeller.document.store.root / "other.waypost"
    ProjectStore.create(other, labeller.project, "ana").close()
    labeller.open(other)
    assert at_hand(labeller) == asked
    assert chosen_reason(panel) is None
    labeller.press("N")
    assert (asks_why(panel), labeller.project.labels) == (True, {})


@pytest.mark.parametrize(("key", "answer"), [("Y", Verdict.TRAVELS), ("U", Verdict.UNCERTAIN)])
def test_one_key_answers_and_goes_on(labeller: User, key: str, answer: Verdict) -> None:
    asked = at_hand(labeller)
    labeller.press(key)
    label = labeller.project.labels[asked]
    assert (label.verdict, label.reason) == (answer, None)
    assert label.author == labeller.window.bench.annotator
    assert label.provenance.scene_hash == labeller.window.bench.scene_hash
    assert label.provenance.engine == ""
    assert at_hand(labeller) != asked
    labeller.press("Ctrl+Z")
    assert labeller.project.labels == {}


@pytest.mark.parametrize(
    ("first", "key"),
    [((), "Y"), ((), "U"), (("3",), "N"), (("N",), "3"), (("Y", "Backspace"), "U")],
)
def test_a_label_key_shows_everything_once(
    labeller: User, first: tuple[str, ...], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    labeller.press(*first)
    before = labeller.project.labels
    shown = Counter[str]()

    def counted(kind: type, name: str) -> None:
        plain = getattr(kind, name)

        def count(*arguments: object, **named: object) -> object:
            shown[name] += 1
            return plain(*arguments, **named)

        monkeypatch.setattr(kind, name, count)

    counted(FactLines, "set_facts")
    counted(AnswerButtons, "set_state")
    counted(ReasonChips, "set_reason")
    counted(GraphLayer, "show")
    labeller.press(key)
    assert labeller.project.labels != before
    assert shown == {"set_facts": 1, "set_state": 1, "set_reason": 1, "show": 1}


def test_does_not_needs_its_reason(labeller: User) -> None:
    asked = at_hand(labeller)
    labeller.press("N")
    assert labeller.project.labels == {}
    assert asks_why(labeller.find(LabelPanel))
    labeller.press("Esc")
    assert not asks_why(labeller.find(LabelPanel))
    labeller.press("3")
    assert labeller.project.labels == {}
    labeller.press("N")
    assert labeller.project.labels[asked].reason is Reason.TOO_NARROW


def test_the_other_direction_offers_reason_and_note_but_decides_nothing(labeller: User) -> None:
    asked = at_hand(labeller)
    labeller.press("C")
    labeller.type("cupboard in the way")
    labeller.press("Esc", "N", "3")
    assert labeller.project.labels[asked].note == "cupboard in the way"
    labeller.window.traverse.go_to_passage(asked.reverse)
    labeller.settle()
    panel = labeller.find(LabelPanel)
    assert chosen_reason(panel) is Reason.TOO_NARROW
    assert asked.reverse not in labeller.project.labels
    labeller.press("N")
    label = labeller.project.labels[asked.reverse]
    assert (label.reason, label.note) == (Reason.TOO_NARROW, "cupboard in the way")


def test_an_offer_is_not_taken_by_travels(labeller: User) -> None:
    asked = at_hand(labeller)
    labeller.press("N", "3")
    labeller.window.traverse.go_to_passage(asked.reverse)
    labeller.settle()
    labeller.press("Y")
    label = labeller.project.labels[asked.reverse]
    assert (label.verdict, label.reason, label.note) == (Verdict.TRAVELS, None, "")


def test_the_note_of_an_answer_for_all_that_is_left_stays(labeller: User) -> None:
    """The passage at hand is answered with the others, and its panel says so."""
    labeller.press("Shift+Y")
    dialog = labeller.window.findChild(RestDialog)
    labeller.wait(dialog.isActiveWindow)
    labeller.click_widget(dialog.findChild(QPlainTextEdit))
    labeller.type("it flies")
    labeller.click_widget(dialog.primary)
    labeller.wait(lambda: bool(labeller.project.labels))
    labeller.window.activateWindow()
    labeller.wait(labeller.window.isActiveWindow)
    labeller.press(".", ",")
    assert {label.note for label in labeller.project.labels.values()} == {"it flies"}


def test_backspace_goes_back_and_del_clears(labeller: User) -> None:
    asked = at_hand(labeller)
    labeller.press("Y")
    labeller.press("Backspace")
    assert at_hand(labeller) == asked
    labeller.press("Del")
    assert labeller.project.labels == {}
    assert at_hand(labeller) == asked


def test_letters_of_a_note_answer_nothing(labeller: User) -> None:
    labeller.press("C")
    labeller.type("you do not")
    assert labeller.project.labels == {}
    assert labeller.find(QPlainTextEdit).toPlainText() == "you do not"
    labeller.press("Esc")
    labeller.press("U")
    assert len(labeller.project.labels) == 1


def test_progress_is_counted_per_agent(labeller: User) -> None:
    queue = labeller.find(PassageList)
    labeller.press("Y", "Y", "U")
    texts = [found.text() for found in queue.findChildren(QLabel) if found.isVisible()]
    assert any("3 of 8" in text for text in texts), texts
    labeller.press("Alt+Down")
    texts = [found.text() for found in queue.findChildren(QLabel) if found.isVisible()]
    assert any("0 of 8" in text for text in texts), texts


def test_a_button_answers_and_leaves_the_keys_working(labeller: User) -> None:
    asked = at_hand(labeller)
    (travels,) = (b for b in labeller.window.findChildren(QPushButton) if "Travels" in b.text())
    labeller.click_widget(travels)
    assert verdict(labeller, asked) is Verdict.TRAVELS
    second = at_hand(labeller)
    labeller.press("U")
    assert verdict(labeller, second) is Verdict.UNCERTAIN
    third = at_hand(labeller)
    labeller.press("Space")
    assert at_hand(labeller) != third
    assert verdict(labeller, third) is None


def test_the_space_bar_presses_the_button_that_has_the_focus(labeller: User) -> None:
    asked = at_hand(labeller)
    (travels,) = (b for b in labeller.window.findChildren(QPushButton) if "Travels" in b.text())
    travels.setFocus()
    labeller.press("Space")
    assert verdict(labeller, asked) is Verdict.TRAVELS


def test_there_is_nothing_to_show_again_before_a_drive(labeller: User) -> None:
    entries = {e.key: e.is_enabled for e in labeller.window.actions_set.palette_entries()}
    assert not entries["traverse.replay"]
    assert entries["traverse.drive"]


def test_a_click_in_the_queue_takes_another_passage(labeller: User) -> None:
    queue = labeller.find(PassageList)
    index = queue._list.model().index(4, 0)
    labeller.click_widget(queue._list.viewport(), queue._list.visualRect(index).center())
    asked = at_hand(labeller)
    assert asked == labeller.window.traverse.walk.queue.passages[4]
    labeller.press("Y")
    assert verdict(labeller, asked) is Verdict.TRAVELS


def test_an_agent_is_saved_as_a_file(
    labeller: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = labeller.window.bench.agent
    assert agent is not None
    path = tmp_path / "mine.toml"
    chosen = iter([str(path), "", str(tmp_path)])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(chosen), ""))
    labeller.press("Ctrl+Shift+A")
    dialog = labeller.window._agents
    labeller.wait(dialog.isActiveWindow)
    save = labeller.find(QPushButton, "Save as file …", dialog)
    labeller.click_widget(save)
    assert read_agent(path) == agent
    labeller.find(QLabel, breakable(f"{agent.name} is saved in {path}."), dialog)
    labeller.click_widget(save)
    labeller.click_widget(save)
    labeller.find(QLabel, breakable(f"{tmp_path}: file: is a folder"), dialog)
    assert cut_texts(dialog) == []
    dialog.close()
    labeller.window.activateWindow()


def test_a_changed_agent_makes_its_labels_stale(labeller: User) -> None:
    asked = at_hand(labeller)
    labeller.press("Y", "Ctrl+Shift+A")
    before = labeller.project
    agent = labeller.window.bench.agent
    assert agent is not None
    dialog = labeller.window._agents
    labeller.wait(dialog.isActiveWindow)
    (width,) = (w for w in dialog.findChildren(QDoubleSpinBox) if "Width" in w.accessibleName())
    labeller.click_widget(width)
    labeller.press("Ctrl+A")
    labeller.type("0.85")
    labeller.press("Tab")
    dialog.close()
    labeller.window.activateWindow()
    changed = labeller.project.agents[agent.key]
    assert labeller.document.undo_stack.index() == 2
    assert changed.width_m == pytest.approx(0.85)
    assert changed.profile_hash != agent.profile_hash
    assert labeller.project.labels[asked].is_stale(
        circumstances(labeller.project, labeller.window.bench.scene_hash)
    )
    labeller.wait(labeller.window.isActiveWindow)
    labeller.press("Ctrl+Z")
    assert labeller.project is before


def test_a_passage_to_where_nothing_can_stand_is_not_labelled(labeller: User) -> None:
    inside_wall = {at_hand(labeller).to_id: (1.05, 2.0, 0.0)}
    graph = move_nodes(labeller.graph, inside_wall)
    labeller.document.edit("Move", set_graph(labeller.project, graph))
    labeller.settle()
    labeller.press("Y")
    assert not labeller.project.labels
    assert "wall_b is in the way" in labeller.message()


def test_a_label_is_of_whoever_the_project_is_open_for(labeller: User) -> None:
    """On a server that is the login, whatever name the settings have."""
    team = Team(people={"login": Person("login", Role.ANNOTATOR)}, viewer="login")
    labeller.document.edit("People", replace(labeller.project, team=team))
    asked = at_hand(labeller)
    labeller.press("Y")
    assert labeller.project.labels[asked].author == "login"


def test_nothing_is_answered_before_the_scene_is_in_view(labeller: User) -> None:
    """Such a label would rest on no scene, and never be stale."""
    bench, asked = labeller.window.bench, at_hand(labeller)
    bench.scenes.put(None, labeller.project)
    bench.read_own_scene()
    labeller.press("Y")
    assert labeller.message() == "The scene is still being read: answer once it is in view."
    assert not labeller.project.labels
    labeller.wait(lambda: bench.scenes.own is not None)
    labeller.press("Y")
    assert labeller.project.labels[asked].provenance.scene_hash == bench.scene_hash != ""


def test_a_note_that_is_left_for_another_agent_is_of_its_own_agent(
    labeller: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a sweeper stands under a table, a human cannot."""
    monkeypatch.setattr(
        "waypost.app.traverse.answering.standing_refusal",
        lambda _graph, _ends, _rays, height_m: "A table is in the way." if height_m > 0.5 else "",
    )
    labeller.window.bench.choose_agent("sweeper")
    asked = at_hand(labeller)
    labeller.press("Y", "Backspace", "C")
    labeller.type("under the table")
    labeller.window.bench.choose_agent("human")
    assert labeller.project.labels[asked].note == "under the table"


def measure_too_narrow(user: User) -> PassageMeasure:
    """What is at hand is measured as too narrow."""
    asked = at_hand(user)
    now = circumstances(user.project, user.window.bench.scene_hash)
    found = PassageMeasure(
        asked, Verdict.DOES_NOT, Verdict.DOES_NOT, Reason.TOO_NARROW, "0.58 m wide, needs 0.70 m",
        provenance=judged_on(asked, now), measuring_version=MEASURING_VERSION,
    )  # fmt: skip
    user.document.note("Measure", set_measures(user.project, [found]))
    return found


def test_a_stale_answer_given_again_is_asked_about(labeller: User) -> None:
    """It was right of the scene before; the evidence is of this one."""
    asked = at_hand(labeller)
    known = Provenance(scene_hash="the scene before")
    stale = TraversabilityLabel(asked, Verdict.TRAVELS, provenance=known)
    labels = {asked: stale}
    labeller.document.edit("Label", replace(labeller.project, labels=labels))
    measure_too_narrow(labeller)
    labeller.press("Y")
    assert labeller.project.labels[asked] == stale
    assert "measured: 0.58 m wide, needs 0.70 m" in labeller.message()
    labeller.press("Y")
    label = labeller.project.labels[asked]
    assert label.provenance.scene_hash == labeller.window.bench.scene_hash
    labeller.window.traverse.go_to_passage(asked)
    labeller.press("Y")
    assert "Not stored" not in labeller.message(), "one that holds is not asked about again"


def test_an_answer_against_its_evidence_is_asked_about_once(labeller: User) -> None:
    asked = at_hand(labeller)
    found = measure_too_narrow(labeller)
    labeller.press("Y")
    assert labeller.project.labels == {}
    assert "measured: 0.58 m wide, needs 0.70 m" in labeller.message()
    labeller.press("U")
    assert labeller.project.labels[asked].verdict is Verdict.UNCERTAIN
    labeller.press("Ctrl+Z")
    labeller.window.traverse.go_to_passage(asked)
    labeller.press("Y")
    assert labeller.project.labels == {}
    found = replace(found, words="0.40 m wide, needs 0.70 m")
    labeller.document.note("Measure", set_measures(labeller.project, [found]))
    labeller.press("Y")
    assert labeller.project.labels == {}
    assert "measured: 0.40 m wide, needs 0.70 m" in labeller.message()
    labeller.press("Y")
    assert labeller.project.labels[asked].verdict is Verdict.TRAVELS
    assert labeller.project.measures == {asked: found}
