"""A day of an annotator in the real window: the machine proposes, keys accept, overrule, go on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixtures.measured_passages import measure_by
from gui.user import User
from label_panels import said
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.annotators.traverse.offer_strip import OfferStrip
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.queue_part_strip import QueuePartStrip
from waypost.annotators.traverse.rest_dialog import RestDialog
from waypost.app.window.status_strip import StatusStrip
from waypost.domain.project import set_agent, set_drive
from waypost.domain.traverse.passage_drive import DrivenBy, PassageDrive
from waypost.domain.traverse.traversability import Passage, Reason, Verdict

pytestmark = pytest.mark.gui

UNCERTAIN = (2, 5)
"""Places in the queue of eight that were measured as uncertain."""

PUSHED = 7
"""One that was measured as travelled and driven otherwise."""


@pytest.fixture
def annotator(at_house: User) -> User:
    """Before the measured queue of the first agent."""
    at_house.press("Ctrl+2")
    measure_by(
        at_house.window.bench,
        lambda number, _: (
            (Verdict.UNCERTAIN, 0.004)
            if number in UNCERTAIN
            else (Verdict.DOES_NOT, -0.05)
            if number == 1
            else (Verdict.TRAVELS, 0.1 + number / 100)
        ),
    )
    settle(at_house)
    return at_house


def settle(user: User) -> None:
    traverse = user.window.traverse
    user.wait(lambda: not traverse._filling.is_busy)
    user.settle()


def press(user: User, *keys: str) -> None:
    for key in keys:
        user.press(key)
        settle(user)


def at_hand(user: User) -> Passage:
    passage = user.window.traverse.current
    assert passage is not None
    return passage


def part_words(user: User) -> list[str]:
    strip = user.find(QueuePartStrip)
    return [chip.text() for chip in strip.findChildren(QPushButton) if chip.isVisibleTo(strip)]


def test_parts_are_counted_and_empty_ones_are_not_offered(annotator: User) -> None:
    assert part_words(annotator) == ["undecided 8", "proposed 6", "uncertain 2"]
    press(annotator, "Return")
    assert part_words(annotator) == ["undecided 7", "proposed 5", "uncertain 2"]
    press(annotator, "Q", "Q")
    shown = annotator.find(PassageList)
    assert len(shown.shown) == 5
    press(annotator, "Q")
    assert len(shown.shown) == 2
    press(annotator, "Q")
    assert len(shown.shown) == 8


def test_one_key_accepts_and_one_overrules(annotator: User) -> None:
    first, second = annotator.window.traverse.walk.queue.passages[:2]
    press(annotator, "Return")
    labels = annotator.project.labels
    assert (labels[first].verdict, labels[first].reason) == (Verdict.TRAVELS, None)
    assert labels[first].provenance.scene_hash == annotator.window.bench.scene_hash
    assert at_hand(annotator) == second
    press(annotator, "6")
    label = annotator.project.labels[second]
    assert (label.verdict, label.reason) == (Verdict.DOES_NOT, Reason.DOOR)


def test_an_agent_is_called_alike_in_every_place(annotator: User) -> None:
    """Two agents of one name: step of undo and status bar say which of the two it is."""
    first, second = list(annotator.project.agents.values())[:2]
    project = set_agent(annotator.project, replace(second, name=first.name))
    annotator.document.edit("Name", project)
    annotator.window.bench.choose_agent(second.key)
    settle(annotator)
    press(annotator, "Y")
    name = f"{first.name} 2"
    stack = annotator.document.undo_stack
    assert f" for {name}: " in stack.undoText()
    assert annotator.window.traverse.driver.agent_name == name
    strip = annotator.find(StatusStrip)
    assert any(f"agent {name} " in text for text in said(strip))


def test_what_contradicts_its_measure_is_a_part_with_a_count(annotator: User) -> None:
    second = annotator.window.traverse.walk.queue.passages[1]
    press(annotator, ".", "Y")
    assert second not in annotator.project.labels
    press(annotator, "Y")
    assert annotator.project.labels[second].verdict is Verdict.TRAVELS
    assert annotator.message() == "Stored all the same, and marked with ≠."
    assert part_words(annotator)[-1] == "contradicting 1"
    press(annotator, "Backspace")
    state = "✓ Answered: travels; ≠ its evidence says otherwise"
    assert state in said(annotator.find(LabelPanel))


def test_a_reason_overrules_with_one_key_and_contradicts(annotator: User) -> None:
    first = annotator.window.traverse.walk.queue.passages[0]
    press(annotator, "3")
    assert annotator.project.labels[first].reason is Reason.TOO_NARROW
    assert part_words(annotator)[-1] == "contradicting 1"


def test_proposals_are_accepted_together_in_one_step_and_uncertain_ones_are_left(
    annotator: User,
) -> None:
    passages = annotator.window.traverse.walk.queue.passages
    pushed = PassageDrive(passages[PUSHED], DrivenBy.HAND, True, pushed_m=0.3)
    annotator.document.note("Keep a drive", set_drive(annotator.project, pushed))
    steps = annotator.document.undo_stack.index()
    press(annotator, "Ctrl+A", "Return")
    labels = annotator.project.labels
    assert annotator.document.undo_stack.index() == steps + 1
    assert {passages.index(p) for p in passages if p not in labels} == {*UNCERTAIN, PUSHED}
    assert labels[passages[1]].reason is Reason.TOO_NARROW
    assert passages.index(at_hand(annotator)) == UNCERTAIN[0]
    press(annotator, "Ctrl+A", "Return")
    assert annotator.project.labels is labels
    assert annotator.window.traverse.walk.selected == (passages[UNCERTAIN[0]],)
    press(annotator, "Ctrl+Z")
    assert annotator.project.labels == {}


def test_a_measure_of_the_agent_as_it_was_is_no_proposal(annotator: User) -> None:
    agent, traverse = annotator.window.bench.agent, annotator.window.traverse
    assert agent is not None
    assert traverse.walk.has_proposal
    taller = replace(agent, height_m=agent.height_m + 0.1)
    annotator.document.edit("Taller", set_agent(annotator.project, taller))
    settle(annotator)
    assert not traverse.walk.has_proposal


def test_several_are_answered_with_one_reason(annotator: User) -> None:
    passages = annotator.window.traverse.walk.queue.passages
    steps = annotator.document.undo_stack.index()
    press(annotator, "Shift+Down", "Shift+Down")
    assert any("3 passages are selected" in text for text in said(annotator.find(LabelPanel)))
    press(annotator, "4")
    labels = annotator.project.labels
    assert set(labels) == set(passages[:3])
    assert {label.reason for label in labels.values()} == {Reason.NO_ROOM_TO_TURN}
    assert annotator.document.undo_stack.index() == steps + 1
    assert at_hand(annotator) == passages[3]
    assert annotator.window.traverse.walk.selected == (passages[3],)


def test_a_note_goes_to_the_passage_just_answered_and_the_queue_goes_on(annotator: User) -> None:
    answered = at_hand(annotator)
    press(annotator, "Y")
    following = at_hand(annotator)
    press(annotator, "C")
    assert at_hand(annotator) == answered
    annotator.type("the door stands open")
    press(annotator, "Esc")
    assert annotator.project.labels[answered].note == "the door stands open"
    assert following not in annotator.project.labels
    assert at_hand(annotator) == following
    press(annotator, "U")
    assert annotator.project.labels[following].note == ""


def test_a_note_that_is_undone_stays_undone(annotator: User) -> None:
    answered = at_hand(annotator)
    press(annotator, "Y", "C")
    annotator.type("the door stands open")
    press(annotator, "Esc", "Backspace")
    assert at_hand(annotator) == answered
    press(annotator, "Ctrl+Z", ".")
    assert annotator.project.labels[answered].note == ""
    assert annotator.document.undo_stack.canRedo()


def test_space_finds_stale_ones_and_then_the_next_agent(annotator: User) -> None:
    bench, scene_px = annotator.window.bench, annotator.view.width()
    press(annotator, "Ctrl+A", "Return", "U", "U")
    offer = annotator.find(OfferStrip)
    assert annotator.view.width() == scene_px, "the offer pushes nothing aside"
    first = bench.agent
    assert first is not None
    words = [text.text() for text in offer.findChildren(QLabel)]
    assert f"✓ {first.name} is finished." in words
    press(annotator, "Space")
    assert bench.agent is not first
    assert bench.agent is not None


def test_at_the_end_the_export_is_offered(annotator: User) -> None:
    for _ in annotator.project.agents:
        press(annotator, "Ctrl+A", "Return", "Y", "Y", "Space")
    offer = annotator.find(OfferStrip)
    (made,) = offer.findChildren(QPushButton)
    assert made.text().startswith("Export for CapNav …")


def test_everything_left_is_answered_with_what_was_written_down(annotator: User) -> None:
    press(annotator, "Shift+Y")
    dialog = annotator.window.findChild(RestDialog)
    annotator.wait(dialog.isActiveWindow)
    annotator.click_widget(dialog.primary)
    assert annotator.project.labels == {}
    annotator.click_widget(dialog.findChild(QPlainTextEdit))
    annotator.type("it flies")
    annotator.click_widget(dialog.primary)
    assert any("evidence says otherwise (measured: As wide" in text for text in said(dialog))
    assert annotator.project.labels == {}
    annotator.click_widget(dialog.primary)
    annotator.wait(lambda: len(annotator.project.labels) == 8)
    labels = annotator.project.labels.values()
    assert {(label.verdict, label.note) for label in labels} == {(Verdict.TRAVELS, "it flies")}
    annotator.window.activateWindow()
    annotator.wait(annotator.window.isActiveWindow)
    press(annotator, "Ctrl+Z")
    assert annotator.project.labels == {}


def test_what_does_not_travel_for_all_is_told_what_was_measured(annotator: User) -> None:
    """Its reason was chosen beside no measure."""
    press(annotator, "Shift+Y")
    dialog = annotator.window.findChild(RestDialog)
    annotator.wait(dialog.isActiveWindow)
    dialog._verdict.setCurrentIndex(dialog._verdict.findData(Verdict.DOES_NOT.value))
    annotator.click_widget(dialog.findChild(QPlainTextEdit))
    annotator.type("it floats")
    annotator.click_widget(dialog.primary)
    assert any("evidence says otherwise (measured: As wide" in text for text in said(dialog))
    assert any("so it is with 4 more" in text for text in said(dialog))
    assert annotator.project.labels == {}
    annotator.click_widget(dialog.primary)
    annotator.wait(lambda: len(annotator.project.labels) == 8)


def test_uncertain_passages_come_first_on_wish(annotator: User) -> None:
    walk = annotator.window.traverse.walk
    plain = walk.queue.passages
    press(annotator, "Shift+Q")
    assert walk.queue.passages[:3] == (plain[2], plain[5], plain[1])
    press(annotator, "Shift+Q")
    assert walk.queue.passages == plain


def test_the_search_narrows_what_the_next_key_goes_to(annotator: User) -> None:
    press(annotator, "Ctrl+F")
    annotator.type("pantry")
    press(annotator, "Return")
    shown = annotator.find(PassageList).shown
    assert len(shown) == 2
    press(annotator, ".", ".")
    assert at_hand(annotator) in shown
    assert annotator.project.labels == {}


@pytest.mark.parametrize(("key", "verdict"), [("Y", Verdict.TRAVELS), ("U", Verdict.UNCERTAIN)])
@pytest.mark.conformance
def test_an_answer_ends_a_drive(annotator: User, key: str, verdict: Verdict) -> None:
    annotator.wait_for_engine()
    asked, traverse = at_hand(annotator), annotator.window.traverse
    press(annotator, "D")
    annotator.wait(lambda: traverse.driver.is_driving)
    annotator.press(key)
    annotator.wait(lambda: not traverse.driver.is_driving)
    assert annotator.project.labels[asked].verdict is verdict


def test_buttons_drive_let_drive_and_show_again(annotator: User) -> None:
    texts = [made.text() for made in annotator.find(LabelPanel).findChildren(QPushButton)]
    for name in ("Drive  D", "By itself  Shift+D", "Replay  R"):
        assert name in texts
