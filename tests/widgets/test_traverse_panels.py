from __future__ import annotations

from dataclasses import replace

import pytest
from label_panels import asks_why, chosen_reason, said
from passage_lists import said_words, search, shown_titles
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from waypost.annotators.traverse.agent_chooser import AgentChooser, AgentRow, AgentTile
from waypost.annotators.traverse.answer_buttons import AnswerButtons
from waypost.annotators.traverse.hud import Hud, HudValues, hud_rows
from waypost.annotators.traverse.label_draft import LabelAnswer, LabelQuestion
from waypost.annotators.traverse.label_keys import LabelKeys
from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.passage_rows import PassageRow
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, PassageState, Reason, Verdict
from waypost.services.agent_marks import agent_marks
from waypost.services.appearance import DARK, LIGHT
from waypost.widgets.facts_table import Fact
from waypost.widgets.theme import apply_theme

THERE = Passage("a", "b", "wheelchair")
ELSEWHERE = Passage("b", "c", "wheelchair")
QUESTION = LabelQuestion(THERE, "Wheelchair", "Hallway", "Bath & <sauna>")
ROWS = (
    PassageRow(THERE, "Hall", "Bath", PassageState.TRAVELS),
    PassageRow(THERE.reverse, "Bath", "Hall", PassageState.DOES_NOT, "too narrow"),
    PassageRow(ELSEWHERE, "Bath", "Sauna", PassageState.UNDECIDED),
    PassageRow(ELSEWHERE.reverse, "Sauna", "Bath", PassageState.STALE),
)


@pytest.fixture
def panel(qtbot: QtBot) -> LabelPanel:
    made = LabelPanel()
    qtbot.addWidget(made)
    made.set_question(QUESTION)
    made.show()
    return made


def texts(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def note_box(panel: LabelPanel) -> QPlainTextEdit:
    found = panel.findChild(QPlainTextEdit)
    assert isinstance(found, QPlainTextEdit)
    return found


def press(qtbot: QtBot, widget: QWidget, text: str) -> None:
    made = next(b for b in widget.findChildren(QPushButton) if text in b.text())
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)


def test_question_in_plain_words(panel: LabelPanel) -> None:
    title = next(text for text in texts(panel) if text.startswith("Can a"))
    assert title.endswith("go from Hallway to Bath &amp; &lt;sauna&gt;?")


def test_question_follows_the_theme(qapp: QApplication, panel: LabelPanel) -> None:
    for name, tokens in (("light", LIGHT), ("dark", DARK)):
        apply_theme(qapp, name)
        title = next(text for text in texts(panel) if text.startswith("Can a"))
        assert tokens.agent in title


def test_nothing_is_decided_by_looking(qtbot: QtBot, panel: LabelPanel) -> None:
    offered = replace(QUESTION, passage=ELSEWHERE, offered_reason=Reason.DOOR, offered_note="heavy")
    with qtbot.assertNotEmitted(panel.answered):
        panel.set_question(offered)
        panel.set_question(QUESTION)
        panel.set_question(None)


def test_travels(qtbot: QtBot, panel: LabelPanel) -> None:
    with qtbot.waitSignal(panel.answered) as answered:
        press(qtbot, panel, "Travels")
    assert answered.args == [LabelAnswer(THERE, Verdict.TRAVELS, None, "")]


def test_no_asks_for_a_reason_first(qtbot: QtBot, panel: LabelPanel) -> None:
    with qtbot.assertNotEmitted(panel.answered):
        press(qtbot, panel, "Does not")
    assert asks_why(panel)
    with qtbot.waitSignal(panel.answered) as answered:
        panel.choose_reason(Reason.TOO_NARROW)
    assert answered.args == [LabelAnswer(THERE, Verdict.DOES_NOT, Reason.TOO_NARROW, "")]
    assert not asks_why(panel)


def test_asking_for_a_reason_can_be_taken_back(qtbot: QtBot, panel: LabelPanel) -> None:
    panel.answer(Verdict.DOES_NOT)
    panel.cancel_reason()
    with qtbot.assertNotEmitted(panel.answered):
        panel.choose_reason(Reason.STAIRS)
    assert chosen_reason(panel) is Reason.STAIRS


def test_every_reason_has_its_key_on_its_chip(panel: LabelPanel) -> None:
    written = {made.text() for made in panel.findChildren(QPushButton)}
    assert {"1  stairs", "9  phantom geometry", "B  obstacle", "0  other"} <= written


def test_reason_first_then_no(qtbot: QtBot, panel: LabelPanel) -> None:
    with qtbot.assertNotEmitted(panel.answered):
        panel.choose_reason(Reason.STAIRS)
    note_box(panel).setPlainText(" 12 steps ")
    with qtbot.waitSignal(panel.answered) as answered:
        panel.answer(Verdict.DOES_NOT)
    assert answered.args == [LabelAnswer(THERE, Verdict.DOES_NOT, Reason.STAIRS, "12 steps")]


def test_the_other_direction_is_offered_and_taken_by_no(qtbot: QtBot, panel: LabelPanel) -> None:
    offered = replace(QUESTION, passage=ELSEWHERE, offered_reason=Reason.DOOR, offered_note="heavy")
    panel.set_question(offered)
    assert any("as in the other direction" in text for text in said(panel))
    with qtbot.waitSignal(panel.answered) as answered:
        panel.answer(Verdict.DOES_NOT)
    assert answered.args == [LabelAnswer(ELSEWHERE, Verdict.DOES_NOT, Reason.DOOR, "heavy")]


def test_an_offered_note_never_reaches_another_answer(qtbot: QtBot, panel: LabelPanel) -> None:
    offered = replace(QUESTION, passage=ELSEWHERE, offered_reason=Reason.DOOR, offered_note="heavy")
    panel.set_question(offered)
    with qtbot.waitSignal(panel.answered) as answered:
        panel.answer(Verdict.TRAVELS)
    assert answered.args == [LabelAnswer(ELSEWHERE, Verdict.TRAVELS, None, "")]


def test_half_filled_answers_stay_with_their_passage(panel: LabelPanel) -> None:
    other = replace(QUESTION, passage=ELSEWHERE)
    panel.choose_reason(Reason.STAIRS)
    note_box(panel).setPlainText("steep")
    panel.set_question(other)
    assert (chosen_reason(panel), note_box(panel).toPlainText()) == (None, "")
    panel.set_question(QUESTION)
    assert (chosen_reason(panel), note_box(panel).toPlainText()) == (Reason.STAIRS, "steep")


def test_a_note_changed_later_is_reported_before_it_is_left(
    qtbot: QtBot, panel: LabelPanel
) -> None:
    answered_before = replace(QUESTION, verdict=Verdict.DOES_NOT, reason=Reason.STAIRS, note="old")
    panel.set_question(replace(QUESTION, passage=ELSEWHERE))
    panel.set_question(answered_before)
    note_box(panel).setPlainText("new")
    with qtbot.waitSignal(panel.answered) as answered:
        panel.set_question(replace(QUESTION, passage=ELSEWHERE))
    assert answered.args == [LabelAnswer(THERE, Verdict.DOES_NOT, Reason.STAIRS, "new", True)]
    assert note_box(panel).toPlainText() == ""


def test_stale_answers_say_so(panel: LabelPanel) -> None:
    panel.set_question(
        replace(QUESTION, verdict=Verdict.TRAVELS, stale_because=("the agent has changed",))
    )
    assert any(text.startswith("▨ Answered: travels; stale") for text in texts(panel))


def test_changed_keys_are_written_on_the_buttons(panel: LabelPanel) -> None:
    panel.set_keys(LabelKeys(does_not="X", drive="", reasons=("F1", *"23456789B0")))
    written = {made.text() for made in panel.findChildren(QPushButton)}
    assert {"✕ Does not  X", "Drive", "F1  stairs", "✓ Travels  Y"} <= written


def test_a_missing_reason_keeps_no_pressed(qtbot: QtBot, panel: LabelPanel) -> None:
    press(qtbot, panel, "Does not")
    pressed = [b.text() for b in panel.findChildren(QPushButton) if b.isChecked()]
    assert pressed == ["✕ Does not  N"]
    panel.cancel_reason()
    assert [b.text() for b in panel.findChildren(QPushButton) if b.isChecked()] == []


def test_a_passage_can_be_left_undecided(qtbot: QtBot, panel: LabelPanel) -> None:
    with qtbot.assertNotEmitted(panel.answered), qtbot.waitSignal(panel.skipped):
        press(qtbot, panel, "Skip")


def test_facts_have_signs(panel: LabelPanel) -> None:
    facts = (Fact("narrowest", "0.68 m", "needs 0.70 m", False), Fact("reached", "no"))
    panel.set_question(replace(QUESTION, facts=facts))
    assert "✕ needs 0.70 m" in texts(panel)


def test_all_that_an_answer_needs_is_seen_at_once(
    qapp: QApplication, qtbot: QtBot, panel: LabelPanel
) -> None:
    """A passage with many measures that was driven as well, as large as at 1280 × 720."""
    apply_theme(qapp, "dark")
    uncertain = PassageMeasure(
        THERE, Verdict.UNCERTAIN, Verdict.DOES_NOT, None, margin_m=0.2,
        words="A way is found 12 cm beside the edge, but driving stops after 0.43 m.",
        contacts=("Bed_01_001_3", "NightStand_01_002_6"),
    )  # fmt: skip
    measures = tuple(Fact(f"measure {n}", "0.97 m", "needs 0.70 m", True) for n in range(9))
    opinions = Fact("by path", "✓ geometry, driving  ? sweep")
    drive = (
        Fact("reached", "yes", "≤ 0.30 m", True),
        Fact("clearance", "0.90 m"),
        Fact("pushed off", "0.000 m", "< 0.10 m", True),
        Fact("touched", "Bed_01_001_3, NightStand_01_002_6"),
        Fact("simulated time", "2.9 s"),
    )
    panel.resize(259, 632)
    panel.set_question(
        replace(
            QUESTION, to_name="Bathroom", measure=uncertain,
            measure_facts=(*measures, opinions), facts=drive, has_drive=True,
        )
    )  # fmt: skip
    area = panel.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    qtbot.waitUntil(lambda: "by path  ✓ geometry, driving  ? sweep" in said(panel))
    assert area.verticalScrollBar().maximum() == 0
    assert "reached yes ✓ · clearance 0.90 m · pushed off 0.000 m ✓" in said(panel)


def test_queue_counts_and_shows(qtbot: QtBot) -> None:
    queue = PassageList()
    qtbot.addWidget(queue)
    queue.set_rows("Wheelchair", ROWS)
    assert "2 of 4 directed edges decided, 1 stale" in said_words(queue)
    search(queue, "does not")
    assert shown_titles(queue) == ["Bath → Hall"]
    search(queue, "sauna bath")
    assert shown_titles(queue) == ["Bath → Sauna", "Sauna → Bath"]


def test_queue_goes_to_a_row_by_keyboard_and_keeps_it(qtbot: QtBot) -> None:
    queue = PassageList()
    qtbot.addWidget(queue)
    queue.set_rows("Wheelchair", ROWS)
    with qtbot.assertNotEmitted(queue.passage_chosen):
        queue.set_current(THERE)
    view = queue.findChild(QTableView)
    assert isinstance(view, QTableView)
    with qtbot.waitSignal(queue.passage_chosen) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Down)
    assert chosen.args == [THERE.reverse]
    with qtbot.assertNotEmitted(queue.passage_chosen):
        queue.set_rows("Wheelchair", tuple(reversed(ROWS)))
    assert view.currentIndex().data() == "Bath → Hall"


def test_home_and_end_go_to_the_first_and_the_last_row(qtbot: QtBot) -> None:
    queue = PassageList()
    qtbot.addWidget(queue)
    queue.set_rows("Wheelchair", ROWS)
    queue.set_current(THERE.reverse)
    view = queue.findChild(QTableView)
    assert view is not None
    for key, row in ((Qt.Key.Key_End, 3), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(view, key)
        assert view.currentIndex().row() == row


def test_states_change_in_place_and_nothing_out_of_view_is_asked(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = tuple(
        PassageRow(Passage(f"n{n}", f"n{n + 1}", "wheelchair"), "A", "B", PassageState.UNDECIDED)
        for n in range(5_000)
    )
    queue = PassageList()
    qtbot.addWidget(queue)
    queue.resize(300, 400)
    with qtbot.waitExposed(queue):
        queue.show()
    view = queue.findChild(QTableView)
    assert view is not None
    queue.set_current(many[2_500].passage)
    queue.set_rows("Wheelchair", many)
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
    scrolled = view.verticalScrollBar().value()
    model, asked = type(view.model()), []
    plain = model.data
    monkeypatch.setattr(
        model, "data", lambda self, i, role=0: asked.append(i.row()) or plain(self, i, role)
    )
    with qtbot.assertNotEmitted(view.model().modelReset):
        queue.set_rows("Wheelchair", tuple(replace(r, state=PassageState.TRAVELS) for r in many))
    view.viewport().repaint()
    assert len(set(asked)) < 100
    assert view.currentIndex().row() == 2_500
    assert view.verticalScrollBar().value() == scrolled > 0


def test_a_margin_is_told_in_the_row_as_long_as_one_is_proposed(qtbot: QtBot) -> None:
    """At the width that the panel has beside a window of 1280 pixels."""
    row = PassageRow(
        THERE, "Garden path", "Porch", PassageState.UNDECIDED, "no room to turn -12.3 cm",
        margin="-12.3 cm",
    )  # fmt: skip
    queue = PassageList()
    qtbot.addWidget(queue)
    queue.resize(216, 400)
    with qtbot.waitExposed(queue):
        queue.show()
    queue.set_rows("Wheelchair", (row,))
    assert queue._delegate.is_two_line
    queue.set_rows("Wheelchair", (replace(row, state=PassageState.TRAVELS, margin=""),))
    assert not queue._delegate.is_two_line


def test_an_empty_queue_says_what_to_do(qtbot: QtBot) -> None:
    queue = PassageList()
    qtbot.addWidget(queue)
    queue.set_rows("Wheelchair", ())
    assert "No edges yet: draw them in Graph." in said_words(queue)


def test_chooser_names_agents_with_their_progress(qtbot: QtBot) -> None:
    human = AgentProfile(
        "human", "Human", BodyShape.CYLINDER, 0.5, 0.5, 1.75, 0.5, True, True, True
    )
    chooser = AgentChooser()
    qtbot.addWidget(chooser)
    tall = replace(human, key="tall", height_m=2.4)
    marks = agent_marks({"human": human, "tall": tall})
    chooser.set_agents((AgentRow(human, marks["human"], 3, 60), AgentRow(tall, marks["tall"])))
    chooser.show()
    tiles = chooser.findChildren(AgentTile)
    assert tiles[0].accessibleName() == "Human: 3 of 60 decided"
    assert tiles[1].accessibleName() == "Human 2: 0 of 0 decided"
    with qtbot.waitSignal(chooser.agent_chosen) as chosen:
        qtbot.keyClick(tiles[1], Qt.Key.Key_Space)
    assert chosen.args == ["tall"]
    assert [tile.isChecked() for tile in tiles] == [False, True]


def test_hud_marks_what_is_too_much() -> None:
    rows = {name: (text, role) for name, text, role in hud_rows(HudValues(0.5, 0.02, 0.013, 0.1))}
    assert rows["speed"] == ("0.50 m/s", "")
    assert rows["step met"] == ("2.0 of 1.3 cm", "error")
    assert rows["pushed off"] == ("10.0 cm", "error")
    assert rows["nearest"] == ("–", "")


def test_hud_shows_driving_and_offers_a_restart(qtbot: QtBot) -> None:
    stage = QWidget()
    qtbot.addWidget(stage)
    stage.resize(700, 500)
    stage.show()
    hud = Hud(stage)
    assert not hud.is_shown
    hud.start("Wheelchair", (("W", "forward"), ("Esc", "stop")))
    hud.set_values(HudValues(blocked_by="stairs"))
    assert hud.is_shown
    assert "✕ stopped by stairs" in texts(stage)
    hud.set_failure("The engine stopped.")
    with qtbot.waitSignal(hud.restart_chosen):
        press(qtbot, stage, "Restart")
    hud.set_failure("")
    hud.stop()
    assert (hud.failure, hud.is_shown) == ("", False)


def test_hud_keeps_a_corner_free(qtbot: QtBot) -> None:
    stage = QWidget()
    qtbot.addWidget(stage)
    stage.resize(700, 500)
    stage.show()
    hud = Hud(stage)
    hud.start("Wheelchair", (("W", "forward"), ("A", "turn left"), ("Esc", "stop")))
    corner = QRect(0, 340, 210, 160)
    cards = [card for card in stage.findChildren(QFrame) if card.parent() is stage]
    assert any(card.isVisible() and card.geometry().intersects(corner) for card in cards)
    hud.keep_corner_free(corner.size())
    shown = [card.geometry() for card in cards if card.isVisible()]
    assert not any(shape.intersects(corner) for shape in shown)
    assert all(stage.rect().contains(shape) for shape in shown)


def test_travels_and_does_not_stand_side_by_side_whether_or_not_one_can_be_accepted(
    qtbot: QtBot,
) -> None:
    buttons = AnswerButtons()
    qtbot.addWidget(buttons)
    buttons.resize(260, 200)
    buttons.show()
    for proposal in (None, Verdict.TRAVELS, None):
        buttons.set_state(None, is_drive_next=True, proposal=proposal)
        qtbot.waitUntil(lambda: row_of(buttons, "Travels") == row_of(buttons, "Does not"))
        travels, does_not = (answer_button(buttons, word) for word in ("Travels", "Does not"))
        assert travels.x() < does_not.x()


def answer_button(buttons: AnswerButtons, word: str) -> QPushButton:
    return next(made for made in buttons.findChildren(QPushButton) if word in made.text())


def row_of(buttons: AnswerButtons, word: str) -> int:
    return answer_button(buttons, word).y()
