"""The cause panel reports gestures, shows of others what it is given, keeps notes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cut_text import cut_texts
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.replay.causes.cause_panel import CausePanel
from waypost.app.replay.causes.cause_question import CauseQuestion, EdgeQuestion, category_for_key
from waypost.app.replay.causes.marks_switch import BLIND, SEEING
from waypost.domain.causes.failure import Axis, Category, CauseKey, CauseMark, Taxonomy
from waypost.domain.causes.mark_progress import MarkProgress
from waypost.domain.causes.replay_book import EdgeVerdict, EdgeVerdictKey, RouteVerdict
from waypost.io.taxonomy_files import shipped_taxonomies
from waypost.widgets.parts import scroll_panel

HOW = Axis("how", "How", (Category("loop", "Looping", "round", "1"), Category("stop", "Stop")))
WHY = Axis(
    "why",
    "Why",
    (Category("room", "Room & hall", "", "a"), Category("sill", "Sill", "", "-")),
    True,
    True,
)
OPEN = Axis("extra", "Extra", (Category("x", "X", "", "a"),), False)
TAXONOMY = Taxonomy("own", "Ours", 2, (HOW, WHY, OPEN))
KEY = CauseKey("gpt", "7_0", "ana", "own")
CHOICES = (("vln-mme", "VLN-MME"), ("own", "Ours"))
HALF = CauseMark(KEY, 2, {"how": ("loop",)}, 3, "dark")
WHOLE = replace(HALF, choices={"how": ("loop",), "why": ("room",)})
BEN = CauseMark(KEY._replace(analyst="ben"), 2, {"how": ("loop",), "why": ("room", "sill")})
CY = CauseMark(KEY._replace(analyst="cy"), 1, {"how": ("gone",)})


def question(mark: CauseMark | None = None, *others: CauseMark, **values) -> CauseQuestion:
    return CauseQuestion(KEY, TAXONOMY, mark, others, CHOICES, **values)


@pytest.fixture
def panel(qtbot: QtBot) -> CausePanel:
    made = CausePanel()
    qtbot.addWidget(made)
    made.resize(330, 700)
    made.set_step(7)
    made.show_question(question())
    made.show()
    return made


def chip(panel: CausePanel, name: str) -> QPushButton:
    every = panel.findChildren(QPushButton)
    found = [b for b in every if b.accessibleName().startswith(name) and not b.isHidden()]
    assert len(found) == 1, found
    return found[0]


def said(panel: CausePanel) -> list[str]:
    return [w.text() for w in panel.findChildren(QLabel) if w.isVisibleTo(panel) and w.text()]


def press(panel: CausePanel, key: int, text: str, scan_code: int = 0) -> QKeyEvent:
    event = QKeyEvent(
        QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, scan_code, 0, 0, text
    )
    QApplication.sendEvent(panel, event)
    return event


def test_a_chip_reports_axis_and_category(qtbot: QtBot, panel: CausePanel) -> None:
    with qtbot.waitSignal(panel.choice_toggled) as toggled:
        chip(panel, "Why: Room & hall, key A").click()
    assert toggled.args == ["why", "room"]
    panel.show_question(question(HALF))
    assert chip(panel, "How: Looping").isChecked()
    assert not chip(panel, "How: Stop").isChecked()


def test_missing_axes_are_said(panel: CausePanel) -> None:
    assert "Not marked yet." in said(panel)
    assert "HOW · missing" in said(panel)
    assert "EXTRA · optional" in said(panel)
    panel.show_question(question(HALF))
    assert "Missing: Why." in said(panel)
    assert "WHY, one or more · missing" in said(panel)
    panel.show_question(question(WHOLE))
    assert "✓ Complete." in said(panel)


def test_others_are_counted_and_no_more_for_who_is_blind_to_them(panel: CausePanel) -> None:
    panel.show_question(question(WHOLE, hidden_count=1))
    assert "✓ Complete. 1 other analyst has marked this; hidden." in said(panel)


def test_others_stand_beside_an_own_answer_or_alone(panel: CausePanel) -> None:
    panel.show_question(question(WHOLE, BEN, CY))
    lines = [line for text in said(panel) for line in text.split("\n")]
    assert "= ben: Looping" in lines
    assert "≠ ben: Room & hall, Sill" in lines
    assert "≠ cy: gone (version 1)" in lines
    assert "≠ cy: no answer (version 1)" in lines
    assert "✓ Complete. 2 other analysts have marked this too." in said(panel)
    panel.show_question(question(HALF, BEN))
    assert "· ben: Room & hall, Sill" in said(panel)


def test_the_switch_asks_and_shows_what_holds(qtbot: QtBot, panel: CausePanel) -> None:
    switch = panel.switch
    assert not switch.box.isChecked()
    assert switch._told.text() == BLIND
    with qtbot.waitSignal(switch.asked) as asked:
        switch.box.click()
    assert asked.args == [True]
    with qtbot.assertNotEmitted(switch.asked):
        switch.set_everyone(is_on=True)
        assert switch._told.text() == SEEING
        switch.set_everyone(is_on=False)
    assert not switch.box.isChecked()


def test_keys_of_the_taxonomy_act_in_the_panel(qtbot: QtBot, panel: CausePanel) -> None:
    for key, text, expected in (
        (Qt.Key.Key_1, "1", ["how", "loop"]),
        (Qt.Key.Key_A, "a", ["why", "room"]),
        (Qt.Key.Key_Minus, "-", ["why", "sill"]),
    ):
        with qtbot.waitSignal(panel.choice_toggled) as toggled:
            press(panel, key, text)
        assert toggled.args == expected
    with qtbot.assertNotEmitted(panel.choice_toggled):
        event = press(panel, Qt.Key.Key_Z, "z")
    assert not event.isAccepted()


@pytest.mark.skipif("sys.platform != 'linux'", reason="scan codes of X11")
def test_digits_go_by_position(qtbot: QtBot, panel: CausePanel) -> None:
    """On a French keyboard the key of 1 types an ampersand."""
    with qtbot.waitSignal(panel.choice_toggled) as toggled:
        press(panel, Qt.Key.Key_Ampersand, "&", scan_code=10)
    assert toggled.args == ["how", "loop"]


def test_keys_are_claimed_before_commands_hear_them(panel: CausePanel) -> None:
    for text, is_claimed in (("-", True), ("z", False)):
        event = QKeyEvent(
            QEvent.Type.ShortcutOverride, ord(text.upper()), Qt.KeyboardModifier.NoModifier, text
        )
        event.ignore()
        panel.event(event)
        assert event.isAccepted() is is_claimed
    assert panel.property("claimed_keys") == ["-", "1", "A"]
    control = QKeyEvent(
        QEvent.Type.ShortcutOverride, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, "a"
    )
    control.ignore()
    panel.event(control)
    assert not control.isAccepted()


def test_a_key_of_two_axes_goes_to_the_one_without_an_answer() -> None:
    assert category_for_key(question(), "A") == ("why", "room")
    assert category_for_key(question(WHOLE), "a") == ("extra", "x")
    full = replace(WHOLE, choices={**WHOLE.choices, "extra": ("x",)})
    assert category_for_key(question(full), "a") == ("why", "room")


def test_the_step_is_that_of_the_cursor(qtbot: QtBot, panel: CausePanel) -> None:
    with qtbot.waitSignal(panel.step_set) as stepped:
        chip(panel, "Wrong from step 7").click()
    assert stepped.args == [7]
    panel.show_question(question(HALF))
    button = chip(panel, "✓ Wrong from step 3 → set to 7")
    panel.set_step(3)
    assert button.text() == "✓ Wrong from step 3"
    with qtbot.waitSignal(panel.step_set) as stepped:
        chip(panel, "Not from a step").click()
    assert stepped.args == [None]
    panel.set_step(None)
    assert not button.isEnabled()


def test_a_note_is_reported_for_the_question_it_was_written_for(
    qtbot: QtBot, panel: CausePanel
) -> None:
    panel.note.setFocus()
    qtbot.keyClicks(panel.note, "a1 room ")
    other = replace(question(), key=KEY._replace(episode_id="8_0"))
    with qtbot.waitSignal(panel.note_changed) as noted:
        panel.show_question(other)
    assert noted.args == [KEY, "a1 room"]
    assert panel.note.toPlainText() == ""
    with qtbot.assertNotEmitted(panel.note_changed):
        panel.show_question(question(HALF))
        panel.report_note()
    assert panel.note.toPlainText() == "dark"


def test_a_note_being_written_survives_an_answer_and_is_reported_in_the_end(
    qtbot: QtBot, panel: CausePanel
) -> None:
    qtbot.keyClicks(panel.note, "half")
    panel.show_question(question(HALF))
    assert panel.note.toPlainText() == "half"
    with qtbot.waitSignal(panel.note_changed) as noted:
        pass
    assert noted.args == [KEY, "half"]


def test_a_mark_of_an_older_version_says_so(panel: CausePanel) -> None:
    old = CauseMark(KEY, 1, {"how": ("loop", "gone"), "lost": ("x",)})
    panel.show_question(question(old))
    assert any(text.startswith("Your mark is as of version 1;") for text in said(panel))
    assert chip(panel, "How: Looping").isChecked()
    panel.show_question(question(HALF))
    assert not any("as of version" in text for text in said(panel))


def test_taxonomies_are_offered(qtbot: QtBot, panel: CausePanel) -> None:
    choice = panel.findChild(QComboBox)
    assert [choice.itemText(i) for i in range(choice.count())] == ["VLN-MME", "Ours"]
    assert choice.currentText() == "Ours"
    with qtbot.waitSignal(panel.taxonomy_chosen) as chosen:
        choice.activated.emit(choice.currentIndex())
    assert chosen.args == ["own"]
    with qtbot.waitSignal(panel.editing_wanted):
        chip(panel, "Edit taxonomies").click()
    panel.show_question(question(HALF))
    with qtbot.waitSignal(panel.cleared):
        chip(panel, "Clear mark").click()


def test_edges_are_judged_one_by_one(qtbot: QtBot, panel: CausePanel) -> None:
    verdict = EdgeVerdict(
        EdgeVerdictKey("gpt", "7_0", "a", "b", "ben"), RouteVerdict.INVALID, "sill"
    )
    edge = EdgeQuestion("a", "b", "Hall → Bath", "does not travel: step")
    panel.show_question(question(edges=(edge, EdgeQuestion("b", "c", "Bath → Sauna"))))
    assert "does not travel: step" in said(panel)
    with qtbot.waitSignal(panel.edge_verdict_chosen) as chosen:
        chip(panel, "Hall → Bath: valid").click()
    assert chosen.args == ["a", "b", RouteVerdict.VALID]
    seen = replace(edge, others=(verdict,))
    panel.show_question(question(edges=(seen,)))
    qtbot.waitUntil(lambda: "· ben: invalid – sill" in said(panel))
    assert "Bath → Sauna" not in said(panel)
    panel.show_question(question(edges=(replace(seen, verdict=RouteVerdict.VALID),)))
    assert "≠ ben: invalid – sill" in said(panel)
    with qtbot.waitSignal(panel.edge_verdict_chosen) as chosen:
        chip(panel, "Hall → Bath: valid").click()
    assert chosen.args == ["a", "b", None]


def test_without_a_run_nothing_can_be_said(qtbot: QtBot, panel: CausePanel) -> None:
    edges = (EdgeQuestion("a", "b", "Hall → Bath"),)
    panel.show_question(question(HALF, edges=edges, progress=MarkProgress(12, 50)))
    panel.show_question(None)
    assert not panel.isEnabled()
    shown = [w for w in panel.findChildren(QWidget) if w.isVisibleTo(panel)]
    texts = " ".join(getattr(w, "text", str)() + w.accessibleName() for w in shown)
    assert "Open an episode to say why it failed." in texts
    for gone in ("12 of 50", "HOW", "Looping", "Hall", "Wrong from", "Clear mark", "The keys"):
        assert gone not in texts
    with qtbot.assertNotEmitted(panel.choice_toggled):
        press(panel, Qt.Key.Key_1, "1")


@pytest.mark.parametrize("key", ["vln-mme", "capnav"])
def test_no_text_is_cut(qtbot: QtBot, theme: str, key: str) -> None:
    made = CausePanel()
    qtbot.addWidget(made)
    taxonomy = shipped_taxonomies()[key]
    edges = (EdgeQuestion("a", "b", "A hallway with a long name → Another one", "truth" * 12),)
    made.show_question(
        CauseQuestion(KEY._replace(taxonomy=key), taxonomy, None, (BEN,), ((key, "T"),), edges)
    )
    made.resize(300, made.heightForWidth(300) if made.hasHeightForWidth() else 800)
    made.show()
    QApplication.processEvents()
    assert cut_texts(made) == []


def test_panel_is_as_narrow_as_its_place(qtbot: QtBot) -> None:
    """Whatever a mark says and however long names are, nothing sticks out of the panel."""
    long = "The doorway was taken for a mirror because the picture is dark & blurred"
    axis = Axis("why", "Why", (Category("dark", long, "dark pictures", "d"),))
    panel = CausePanel()
    area = scroll_panel(panel)
    qtbot.addWidget(area)
    area.resize(284, 600)
    area.show()
    mark = replace(HALF, choices={}, step=12_345)
    asked = CauseQuestion(KEY, replace(TAXONOMY, axes=(axis,)), mark, (), CHOICES)
    panel.show_question(asked)
    panel.set_step(12_346)
    shown = chip(panel, f"Why: {long}")
    qtbot.waitUntil(lambda: shown.text().endswith("…"))
    assert panel.width() == area.viewport().width()
    assert cut_texts(panel) == []
    assert shown.text().startswith("D  The doorway")
    assert shown.toolTip() == f"D  {long}\ndark pictures"


def test_names_with_room_are_shown_whole(panel: CausePanel) -> None:
    shown = chip(panel, "Why: Room & hall")
    assert shown.text() == "A  Room && hall"
    assert shown.toolTip() == ""


def test_no_word_is_wider_than_the_panel(qtbot: QtBot) -> None:
    """What a model answers, what nodes, axes and analysts are called comes from files."""
    word = "W" * 10_000
    axis = Axis("why", word[:200], (Category("dark", word[:200]),))
    panel = CausePanel()
    area = scroll_panel(panel)
    qtbot.addWidget(area)
    area.resize(284, 600)
    area.show()
    edge = EdgeQuestion("a", "b", word[:300], f"does not travel: {word}")
    other = replace(BEN, key=BEN.key._replace(analyst=word[:100]), choices={"why": ("dark",)})
    panel.show_question(
        CauseQuestion(
            KEY,
            replace(TAXONOMY, axes=(axis,)),
            replace(HALF, choices={}),
            (other,),
            CHOICES,
            edges=(edge,),
            route_told=f"The reason given: “{word}”",
        )
    )
    qtbot.waitUntil(lambda: cut_texts(panel) == [])
    assert panel.width() == area.viewport().width()
