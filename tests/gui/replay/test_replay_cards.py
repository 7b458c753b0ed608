"""Step card, memory panel and metrics card: what they say, how they are used, their pace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import pytest
from cut_text import cut_texts
from fixtures.card_examples import (
    HOSTILE,
    hostile_replay,
    loop_replay,
    mapgpt_replay,
    navgpt_replay,
    no_move_replay,
    plan_replay,
    segmented_replay,
)
from fixtures.replay_examples import (
    ends_near,
    graph_episode,
    graph_replay,
    line_graph,
    space_replay,
)
from fixtures.run_samples import SAMPLES
from picture_colours import colours
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDoubleSpinBox,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shown_parts import current_chip, marked_pieces, place_on_map, shown_folds

from waypost.app.replay.cards.flow_text import FlowText, LongText
from waypost.app.replay.cards.memory_pages import (
    DialoguePage,
    ExpertsPage,
    PlanPage,
    StagesPage,
    TextMapPage,
)
from waypost.app.replay.cards.memory_panel import MemoryPanel
from waypost.app.replay.cards.metrics_card import MetricsCard
from waypost.app.replay.cards.pruning_page import PruningPage
from waypost.app.replay.cards.row_list import MOST_ROWS, RowList, TextRow
from waypost.app.replay.cards.step_card import StepCard
from waypost.domain.base.visible_text import visible_text
from waypost.domain.episode.episode import Episode, Goal, Instruction, Turn
from waypost.domain.episode.route import route
from waypost.domain.episode.run import SCORES_ONLY, Decision, EpisodeRun
from waypost.domain.replay.memories import MemoryPage, memory_of
from waypost.domain.replay.memory import MSNAV_PRUNING
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.step_words import card_parts
from waypost.domain.replay.tags import find_tags
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.metrics.profile import Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode
from waypost.services.replay.loading import ReplayScores
from waypost.widgets.theme import apply_theme

pytestmark = pytest.mark.gui

Shown = TypeVar("Shown", bound=QWidget)


@pytest.fixture
def card(qtbot: QtBot) -> StepCard:
    return shown(qtbot, StepCard())


@pytest.fixture
def panel(qtbot: QtBot) -> MemoryPanel:
    return shown(qtbot, MemoryPanel())


@pytest.fixture
def metrics(qtbot: QtBot) -> MetricsCard:
    return shown(qtbot, MetricsCard())


@pytest.fixture
def plain_theme(qapp: QApplication) -> Iterator[Callable[[str, int], None]]:
    """Changes theme and text scale, and back at the end."""
    yield lambda theme, scale: apply_theme(qapp, theme, scale)
    apply_theme(qapp, "dark")


def shown(qtbot: QtBot, widget: Shown) -> Shown:
    qtbot.addWidget(widget)
    widget.resize(340, 900)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    return widget


def scores_of(replay: Replay) -> ReplayScores:
    profile = PROFILES["r2r"]
    scored = score_episode(profile, replay.episode, replay.run, Scenery(graph=replay.graph))
    keys = [metric.key for metric in profile.metrics]
    reasons = {key: why for key, why in zip(keys, scored.reasons, strict=True) if why}
    return ReplayScores(profile, dict(zip(keys, scored.values, strict=True)), reasons)


def titles(rows: RowList) -> list[str]:
    return [row.title for row in rows._rows]


def click_row(qtbot: QtBot, rows: RowList, index: int) -> None:
    qtbot.mouseClick(rows, Qt.MouseButton.LeftButton, pos=rows.row_rect(index).center())


def texts_of(root: QWidget) -> str:
    """Every text that a person may see or hear."""
    found = []
    for widget in root.findChildren(QWidget):
        found += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
        if isinstance(widget, QLabel | QAbstractButton):
            found.append(widget.text())
        if isinstance(widget, QPlainTextEdit):
            found.append(widget.toPlainText())
    return "\n".join(found)


# Step card


def test_the_first_deviation_is_flagged(card: StepCard) -> None:
    replay = loop_replay()
    flagged = []
    for step in range(len(replay)):
        card.show_step(replay, step)
        flagged.append(card.deviation.isVisible())
    assert flagged == [False, False, True, False, False]
    card.show_step(replay, 2)
    assert card.title.text() == "Step 2 of 4"
    assert "✕ Off the reference" in texts_of(card)
    assert "4.00 m to the goal" in texts_of(card)
    assert card.action._shown == "turns around, 2.00 m · the log says “B”"


def test_the_paths_with_where_it_is(card: StepCard, qtbot: QtBot) -> None:
    replay = loop_replay()
    card.show_step(replay, 3)
    assert card.path._texts == ("A", "B", "⚑ A", "B", "C")
    assert current_chip(card.path) == "B"
    assert card.reference._texts == ("✓ A", "✓ B", "✓ C")
    with qtbot.waitSignal(card.step_chosen) as chosen:
        centre = card.path.chip_rect(2).center()
        qtbot.mouseClick(card.path, Qt.MouseButton.LeftButton, pos=centre)
    assert chosen.args == [2]
    card.reference.setFocus()
    qtbot.keyClick(card.reference, Qt.Key.Key_Down)
    with qtbot.waitSignal(card.step_chosen) as chosen:
        qtbot.keyClick(card.reference, Qt.Key.Key_Return)
    assert chosen.args == [4]


def test_folds_stay_as_they_were_while_stepping(card: StepCard, qtbot: QtBot) -> None:
    replay = navgpt_replay()
    card.show_step(replay, 0)
    states = {fold.title: fold.is_open for fold in shown_folds(card)}
    assert states == {
        "Plan": True,
        "Thought": True,
        "Action": True,
        "Action Input": True,
        "Observation": False,
        "Raw output": False,
    }
    for title in ("Thought", "Observation"):
        fold = next(fold for fold in shown_folds(card) if fold.title == title)
        qtbot.mouseClick(fold.header, Qt.MouseButton.LeftButton)
    card.prompt.header.setFocus()
    qtbot.keyClick(card.prompt.header, Qt.Key.Key_Space)
    card.show_step(replay, 12)
    assert not shown_folds(card)
    card.show_step(replay, 5)
    states = {fold.title: fold.is_open for fold in shown_folds(card)}
    assert (states["Thought"], states["Observation"]) == (False, True)
    assert card.prompt.is_open
    assert card.prompt.content.flow._shown.startswith("History: I walked past")


def test_options_say_where_they_lead(card: StepCard, qtbot: QtBot) -> None:
    replay = navgpt_replay()
    card.show_step(replay, 1)
    assert titles(card.options) == ["1 · A · chosen", "2 · B"]
    area = card.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    hovered: list[str] = []
    card.option_hovered.connect(hovered.append)

    def is_hovered() -> bool:
        area.ensureWidgetVisible(card.options)
        qtbot.mouseMove(card.options, card.options.row_rect(1).center())
        return hovered[-1:] == [replay.viewpoint_ids[0]]

    qtbot.waitUntil(is_hovered)
    card.options.setFocus(Qt.FocusReason.TabFocusReason)
    assert hovered[-1] == replay.viewpoint_ids[2]
    assert "1 · A · chosen" in card.options.accessibleDescription()
    card.setFocus()
    qtbot.keyClick(card.options, Qt.Key.Key_Tab)
    assert hovered[-1] == ""


def test_parse_errors_in_words(card: StepCard) -> None:
    card.show_step(no_move_replay(), 1)
    assert card.error_text.isVisible()
    assert card.error_text._shown.splitlines() == [
        "⚠ The text names no valid move; the agent stayed.",
        "It names option Z; offered were A, B.",
        "The program answered: “Invalid Format: Missing 'Action:'”",
    ]
    card.show_step(no_move_replay(), 0)
    assert not card.error_text.isVisible()


def test_the_part_of_the_instruction_is_marked(card: StepCard) -> None:
    replay = segmented_replay("ABUBC")
    marked = []
    for step in range(5):
        card.show_step(replay, step)
        marked.append(marked_pieces(card.instruction.flow))
    assert marked == [
        ("Leave the room",),
        ("walk past the sofa",),
        (),
        ("walk past the sofa",),
        ("Stop",),
    ]
    card.show_step(loop_replay(), 0)
    assert marked_pieces(card.instruction.flow) == ()


def test_marks_stand_right_behind_pictograms(card: StepCard) -> None:
    told = Instruction(
        "🛋\u202e Leave the room. Stop.",
        segments=segmented_replay().episode.instruction.segments[:1],
    )
    episode = graph_episode("ABC", instruction=told)
    card.show_step(build_replay(episode, EpisodeRun("7_0", route(("A", "B"))), line_graph()), 0)
    (selection,) = card.instruction.flow.extraSelections()
    assert selection.cursor.selectedText() == "Leave the room"


def test_hostile_text_is_only_text(
    card: StepCard, panel: MemoryPanel, metrics: MetricsCard
) -> None:
    replay = hostile_replay()
    card.show_step(replay, 0)
    for fold in (*shown_folds(card), card.prompt, card.reported):
        if not fold.is_open:
            fold.header.click()
    panel.show_step(replay, 0)
    metrics.show_step(None, replay, 0)
    for page in MemoryPage:
        panel.choose_page(page)
    for widget in (card, panel, metrics):
        for plain in widget.findChildren(QLabel):
            assert plain.textFormat() is Qt.TextFormat.PlainText
        told = texts_of(widget)
        for hidden in "\x1b\u202e\u202c\u200b\ud800\x00":
            assert hidden not in told
    whole = texts_of(card)
    assert whole.count("<b>bold</b><img src='http://x.invalid/a.png'>") > 5
    assert "⟨ESC⟩[31mred" in whole
    assert "⟨RLO⟩evil⟨PDF⟩" in whole
    assert HOSTILE[:20] in metrics.told._rows[0].title


@pytest.mark.parametrize("text", ["x" * 1_000_000, "Thought: <b>\n" * 80_000, "\u202e" * 1_000_000])
def test_a_megabyte_is_bounded_until_it_is_asked_for(
    card: StepCard, qtbot: QtBot, text: str
) -> None:
    card.show_step(hostile_replay(text), 0)
    card.prompt.header.click()
    flow = card.prompt.content.flow
    assert len(flow._shown) < 60_000
    assert f"{len(text):,}" in card.prompt.content.more.text()
    clicks = 0
    while card.prompt.content.more.isVisible():
        qtbot.mouseClick(card.prompt.content.more, Qt.MouseButton.LeftButton)
        clicks += 1
    assert clicks == -(-len(text) // 150_000)
    assert flow._shown == visible_text(text)
    shown = flow.toPlainText()
    assert shown.replace("\n", "") == flow._shown.replace("\n", "")
    assert flow.height() < 600
    card.show_step(graph_replay("ABC", decisions=(Decision(1, 2, prompt="short"),)), 0)
    assert flow._shown == "short"
    assert not flow.is_scrolling


def test_stepping_makes_no_new_widgets(card: StepCard, qapp: QApplication) -> None:
    replay = navgpt_replay(12, 60_000)
    for fold_opened in (False, True):
        for step in range(13):
            card.show_step(replay, step)
        before = len(card.findChildren(QWidget))
        for step in range(12):
            card.show_step(replay, step)
            qapp.processEvents()
            assert len(card.findChildren(QWidget)) == before
        if not fold_opened:
            for fold in (*shown_folds(card), card.prompt):
                if not fold.is_open:
                    fold.header.click()


def test_nothing_to_show(card: StepCard, panel: MemoryPanel, metrics: MetricsCard) -> None:
    for widget in (card, panel):
        widget.show_step(None)
        assert "Choose an episode to replay." in texts_of(widget)
    metrics.show_step(None, None)
    assert "Choose an episode to replay." in texts_of(metrics)
    nothing = build_replay(graph_episode("ABC"), EpisodeRun("7_0"))
    card.show_step(nothing, 0)
    assert "neither a pose nor a text" in texts_of(card)
    panel.show_step(nothing, 0)
    metrics.show_step(None, nothing, 0)
    text_only = graph_replay("", decisions=(Decision(0, 0, thought="hm"),))
    card.show_step(text_only, 0)
    assert "Text only: the run has no poses" in texts_of(card)
    metrics.show_step(None, text_only, 0)
    assert titles(metrics.live) == ["Positions and goal are unknown: nothing can be measured."]


def test_nothing_scrolls_where_nothing_is_shown(card: StepCard, qtbot: QtBot) -> None:
    card.resize(280, 200)
    card.show_step(loop_replay(), 1)
    bar = card.findChild(QScrollArea).verticalScrollBar()
    qtbot.waitUntil(bar.isVisible)
    card.show_step(None)
    assert not bar.isVisible()
    card.show_step(loop_replay(), 1)
    assert bar.isVisible()


def test_ten_thousand_poses(card: StepCard, qapp: QApplication) -> None:
    long = graph_replay("AB" * 5_000)
    for step in (0, 5_000, 9_999):
        card.show_step(long, step)
        qapp.processEvents()
    assert len(card.path._texts) == 60
    assert "9,940 not drawn" in card.path.accessibleDescription()


# Memory panel


def page_of(panel: MemoryPanel, page: MemoryPage, kind: type[Shown]) -> Shown:
    panel.choose_page(page)
    made = panel.page(page)
    assert isinstance(made, kind)
    assert panel._shown is page
    return made


def test_the_map_with_new_and_vanished_places(panel: MemoryPanel) -> None:
    replay = mapgpt_replay()
    panel.show_step(replay, 1)
    page = page_of(panel, MemoryPage.MAP, TextMapPage)
    assert "5 places · new: 3, 4" in texts_of(page)
    there = place_on_map(page.picture, "2")
    panel.show_step(replay, 2)
    assert "4 places · vanished: 0" in texts_of(page)
    assert place_on_map(page.picture, "2") == there
    assert place_on_map(page.picture, "9") is None


def test_the_map_is_painted(panel: MemoryPanel) -> None:
    panel.show_step(mapgpt_replay(), 1)
    page = page_of(panel, MemoryPage.MAP, TextMapPage)
    assert len(colours(page.picture.grab().toImage())) > 8


EAGER = replace(
    MSNAV_PRUNING, start_step=3, old_after_steps=1, keep_recent_steps=0, uses_distance=True
)


def test_pruning_by_hand_and_live_weights(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel.show_step(graph_replay("ABCDE"), 3)
    page = page_of(panel, MemoryPage.PRUNING, PruningPage)
    assert "Pruning starts at arrival 15; this is 3." in texts_of(page)
    page.form.set_parameters(EAGER)
    rows = {row.title.split()[2]: row for row in page.nodes._rows}
    assert rows["A"].title == "1 · A  P = 1"
    assert rows["A"].is_struck_out
    assert rows["A"].text == "age 3 · degree 1 · unexplored 0 · 3 edges away"
    assert rows["A"].note == "λt·ft +2  λd·fd −2.5  λf·ff +0  λdist·fdist +1.5"
    assert rows["B"].title == "2 · B  P = −10.5"
    assert "4 nodes, 1 struck out. Pruned at this step: 1." in texts_of(page)
    # With 20 per unexplored neighbour taken back, B's U weighs for it: 1 − 7.5 + 20 + 1 = 14.5.
    weights = {box.accessibleName(): box for box in page.form.findChildren(QDoubleSpinBox)}
    weights["λf (unexplored)"].setValue(-20.0)
    rows = {row.title.split()[2]: row for row in page.nodes._rows}
    assert rows["B"].title == "2 · B  P = 14.5"
    assert (rows["A"].is_struck_out, rows["B"].is_struck_out) == (False, True)
    qtbot.mouseClick(page.form.reset, Qt.MouseButton.LeftButton)
    assert page.form.parameters == MSNAV_PRUNING
    assert not any(row.is_struck_out for row in page.nodes._rows)


def test_scores_that_the_log_has_stand_below_ours_and_nodes_have_its_numbers(
    panel: MemoryPanel,
) -> None:
    """MSNav prints its scores before the prompt of the step; its places count from 0."""
    scores = (
        "--- Pruning Scores Detail (Step 1, Current VP: B) ---\n  Node A:\n    Total Score: 1.00"
    )
    decisions = tuple(
        Decision(
            pose,
            pose + 1,
            extra=MappingProxyType({"map": text, "place": pose - 1, "console": console}),
        )
        for pose, text, console in (
            (1, "Place 0 is connected with Places 1", "DEBUG: Received"),
            (
                2,
                "Place 0 is connected with Places 1\nPlace 1 is connected with Places 0, 2, 3",
                scores,
            ),
        )
    )
    replay = graph_replay("ABA", decisions=decisions)
    panel.show_step(replay, 0)
    page = page_of(panel, MemoryPage.PRUNING, PruningPage)
    assert page.logged.isHidden()
    panel.show_step(replay, 1)
    assert not page.logged.isHidden()
    assert page.logged._title == "Scores as the log has them"
    assert {row.title.split("  ")[0] for row in page.nodes._rows} == {"0 · A", "1 · B"}
    assert MemoryPage.EXPERTS not in memory_of(replay).pages
    decision = replay.step(1).decision
    assert decision is not None
    assert [(part.name, part.text, part.is_open_first) for part in card_parts(decision)] == [
        ("Console", scores, False)
    ]


def test_pruned_nodes_stay_struck_out_and_lead_to_their_step(
    panel: MemoryPanel, qtbot: QtBot
) -> None:
    panel.show_step(graph_replay("ABCDE"), 4)
    page = page_of(panel, MemoryPage.PRUNING, PruningPage)
    page.form.set_parameters(EAGER)
    last = page.nodes._rows[-1]
    assert (last.title, last.text, last.is_struck_out) == ("1 · A", "pruned at step 3", True)
    with qtbot.waitSignal(panel.step_chosen) as chosen:
        click_row(qtbot, page.nodes, len(page.nodes._rows) - 1)
    assert chosen.args == [3]


def test_the_plan_kept_struck_out_and_made_anew(panel: MemoryPanel, qtbot: QtBot) -> None:
    panel.show_step(plan_replay(), 2)
    page = page_of(panel, MemoryPage.PLAN, PlanPage)
    assert [(row.sign, row.title, row.is_struck_out) for row in page.items._rows] == [
        ("=", "1. to the hall", False),
        ("+", "2. find another door", False),
        ("+", "3. find the sofa", False),
        ("✕", "find the sofa", True),
    ]
    assert titles(page.feedback) == ["Out of plan, before this plan"]
    with qtbot.waitSignal(panel.step_chosen) as chosen:
        click_row(qtbot, page.changes, 0)
    assert chosen.args == [2]
    panel.show_step(plan_replay(), 1)
    assert "As of step 0" in texts_of(page)
    assert [(row.sign, row.title) for row in page.feedback._rows] == [
        ("✕", "Out of plan, after this step")
    ]
    panel.show_step(plan_replay(), 0)
    assert [(row.sign, row.title) for row in page.feedback._rows] == [
        ("✓", "In plan, after this step")
    ]


def test_dialogue_and_stages(panel: MemoryPanel) -> None:
    told = Instruction("sink", dialogue=(Turn("navigator", "Left?", 1), Turn("oracle", "Yes.")))
    stages = (Goal("B", radius_m=1.0), Goal("C", radius_m=1.0))
    episode = graph_episode("ABC", instruction=told, stages=stages)
    replay = build_replay(episode, EpisodeRun("7_0", route(tuple("ABC"))), line_graph())
    panel.show_step(replay, 1)
    turns = page_of(panel, MemoryPage.DIALOGUE, DialoguePage).turns
    assert [(row.title, row.text) for row in turns._rows] == [
        ("navigator", "Left?"),
        ("oracle", "Yes."),
    ]
    assert [row.note for row in turns._rows] == [
        "said at place 1 of the walk in the data set",
        "",
    ]
    rows = page_of(panel, MemoryPage.STAGES, StagesPage).stages._rows
    assert [(row.sign, row.text, row.is_current) for row in rows] == [
        ("✓", "reached at step 1", False),
        ("▸", "current", True),
    ]


def test_turns_are_marked_where_they_were_said(qtbot: QtBot, panel: MemoryPanel) -> None:
    turns = tuple(Turn("oracle", "On.", at, name) for at, name in enumerate("EAB"))
    episode = graph_episode("ABC", instruction=Instruction("sink", dialogue=turns))
    replay = build_replay(episode, EpisodeRun("7_0", route(tuple("ABC"))), line_graph())
    panel.show_step(replay, 0)
    page = page_of(panel, MemoryPage.DIALOGUE, DialoguePage)
    place = "of the walk in the data set"
    assert [(row.note, row.is_current, row.can_choose) for row in page.turns._rows] == [
        (f"said at place 0 {place}, E: the run is never there", False, False),
        (f"said at place 1 {place}, A: here", True, True),
        (f"said at place 2 {place}, B: the run is there first at step 1", False, True),
    ]
    with qtbot.waitSignal(panel.step_chosen) as chosen:
        click_row(qtbot, page.turns, 2)
    assert chosen.args == [1]
    panel.show_step(replay, 1)
    assert [row.is_current for row in page.turns._rows] == [False, False, True]


def test_experts_are_folded(panel: MemoryPanel) -> None:
    panel.show_step(hostile_replay("go on"), 0)
    page = page_of(panel, MemoryPage.EXPERTS, ExpertsPage)
    assert [fold.title for fold in shown_folds(page)] == ["Fused thought go on", "Context"]
    shown_folds(page)[0].header.click()
    panel.show_step(hostile_replay("go on"), 1)
    assert shown_folds(page) == ()
    panel.show_step(hostile_replay("go on"), 0)
    assert [fold.is_open for fold in shown_folds(page)] == [False, True]


def test_the_chosen_page_is_kept_where_a_run_has_it(panel: MemoryPanel) -> None:
    panel.show_step(mapgpt_replay(), 0)
    panel.choose_page(MemoryPage.PLAN)
    panel.show_step(loop_replay(), 0)
    assert panel._shown is MemoryPage.PRUNING
    panel.show_step(plan_replay(), 0)
    assert panel._shown is MemoryPage.PLAN


def test_why_there_is_no_memory(panel: MemoryPanel) -> None:
    panel.show_step(space_replay([[0, 0, 0]], [[0, 0, 0]]), 0)
    assert panel._shown is None
    assert panel._empty.text().startswith("The log has no map, plan, expert, dialogue or stage")


# Metrics card


def test_metrics_of_there_and_back_again(metrics: MetricsCard, qtbot: QtBot) -> None:
    replay = loop_replay()
    tags = find_tags(replay, ends_near(replay))
    metrics.show_step(scores_of(replay), replay, 2, tags)
    rows = {row.key: row for row in metrics.metrics._rows}
    assert rows["TL"].title == "TL  8.00\u00a0m"
    assert rows["SPL"].title == "SPL  0.500"
    assert titles(metrics.live) == [
        "Distance to goal  4.00\u00a0m",
        "Oracle distance  2.00\u00a0m",
        "Progress  0.000",
        "Travelled  4.00\u00a0m",
        "nDTW so far  0.641",
    ]
    assert [row.is_current for row in metrics.tags._rows] == [True, True]
    metrics.show_step(scores_of(replay), replay, 4, tags)
    assert metrics.live._rows[0].title == "Distance to goal  0.00\u00a0m"
    with qtbot.waitSignal(metrics.step_chosen) as chosen:
        click_row(qtbot, metrics.tags, 1)
    assert chosen.args == [2]


def test_definitions_open_on_a_click_and_by_key(metrics: MetricsCard, qtbot: QtBot) -> None:
    replay = loop_replay()
    metrics.show_step(scores_of(replay), replay, 0)
    before = metrics.metrics.row_rect(0).height()
    click_row(qtbot, metrics.metrics, 0)
    assert metrics.metrics.row_rect(0).height() > before
    metrics.metrics.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(metrics.metrics, Qt.Key.Key_Return)
    assert metrics.metrics.row_rect(0).height() == before
    assert "Source: " in metrics.metrics.accessibleDescription()


def test_undefined_has_its_reason_and_the_file_stands_apart(metrics: MetricsCard) -> None:
    replay = build_replay(
        graph_episode("ABC"),
        EpisodeRun("7_0", route(("A", "Z")), reported={"spl": 0.75, "ne": None}),
        line_graph(),
    )
    metrics.show_step(scores_of(replay), replay, 0)
    undefined = [row for row in metrics.metrics._rows if row.title.endswith("undefined")]
    assert undefined
    assert all(row.text and row.sign == "○" for row in undefined)
    assert titles(metrics.told) == ["spl  0.75", "ne  unknown"]
    assert "AS THE FILE SAYS" in texts_of(metrics)


def test_of_scores_alone_the_card_says_why_nothing_is_measured(metrics: MetricsCard) -> None:
    told = "There is no path to show: the source states scores without a path."
    bare = EpisodeRun("7_0", reported={"spl": 0.75})
    replay = build_replay(graph_episode("ABC"), bare)
    metrics.show_step(scores_of(replay), replay, 0)
    assert f"{told} Ended by: not stated" in texts_of(metrics)
    assert titles(metrics.told) == ["spl  0.75"]
    (row,) = metrics.metrics._rows
    assert (row.title, row.text) == ("None is defined", "the source states scores without a path")
    assert "SPL: " in row.detail
    # An answer, or objects that were named, are scored without a path.
    some = replace(scores_of(replay), values={"SPL": 0.5}, reasons={"TL": SCORES_ONLY})
    metrics.show_step(some, replay, 0)
    assert "SPL  0.500" in titles(metrics.metrics)
    thought = build_replay(
        graph_episode("ABC"), replace(bare, decisions=(Decision(0, 0, thought="on"),))
    )
    metrics.show_step(scores_of(thought), thought, 0)
    assert titles(metrics.live) == [told]


# All of them


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_step_of_every_format_shows(
    card: StepCard, panel: MemoryPanel, metrics: MetricsCard, tmp_path: Path, name: str
) -> None:
    file, text = SAMPLES[name]
    (tmp_path / file).write_text(text, encoding="utf-8")
    for run in RUN_FORMATS.find(tmp_path / file, name).read(tmp_path / file, ReadLog()):
        episode = Episode("", "", run.episode_id, "", Instruction(run.instruction))
        replay = build_replay(replace(episode, has_ground_truth=False), run)
        for step in range(max(len(replay), 1)):
            card.show_step(replay, step)
            panel.show_step(replay, step)
            metrics.show_step(None, replay, step)
        for page in MemoryPage:
            panel.choose_page(page)
        assert card.title.isVisible() == bool(len(replay))


def test_what_navgpt_wrote(card: StepCard, tmp_path: Path) -> None:
    file, text = SAMPLES["navgpt"]
    (tmp_path / file).write_text(text, encoding="utf-8")
    run = next(iter(RUN_FORMATS.find(tmp_path / file, "navgpt").read(tmp_path / file, ReadLog())))
    replay = build_replay(Episode("", "", "1940_1", "", Instruction("Go.")), run)
    told = []
    for step in range(len(replay)):
        card.show_step(replay, step)
        told.append(card.error_text._shown if card.error_text.isVisible() else "")
    wrong = [text for text in told if text]
    assert len(wrong) == 2
    assert "cannot be reached from here; the agent stayed." in wrong[0]
    assert wrong[1].startswith("⚠ The text names no valid move; the agent stayed.")


def test_row_lists_are_bounded(qtbot: QtBot) -> None:
    rows = shown(qtbot, RowList("Rows"))
    rows.set_rows(tuple(TextRow(str(i), f"row {i}") for i in range(500)))
    assert len(rows._rows) == MOST_ROWS + 1
    assert rows._rows[-1].title == "… and 300 more"


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("width", "scale"), [(260, 100), (260, 200), (420, 200), (420, 100)])
def test_nothing_is_cut_or_scrolls_sideways(
    qtbot: QtBot,
    plain_theme: Callable[[str, int], None],
    theme: str,
    width: int,
    scale: int,
) -> None:
    plain_theme(theme, scale)
    replay = navgpt_replay()
    card, panel, metrics = StepCard(), MemoryPanel(), MetricsCard()
    for widget in (card, panel, metrics):
        shown(qtbot, widget).resize(width, 700)
    card.show_step(replay, 6)
    panel.show_step(mapgpt_replay(), 1)
    loop = loop_replay()
    metrics.show_step(scores_of(loop), loop, 2, find_tags(loop, ends_near(loop)))
    for widget in (card, panel, metrics):
        qtbot.waitUntil(lambda widget=widget: not cut_texts(widget))
    for page in (MemoryPage.PLAN, MemoryPage.PRUNING):
        panel.choose_page(page)
        qtbot.waitUntil(lambda: not cut_texts(panel))
    for widget in (card, panel, metrics):
        assert widget.width() == width
        qtbot.waitUntil(lambda widget=widget: not hidden_lines(widget))
        for area in widget.findChildren(QScrollArea):
            content = area.widget()
            assert content is not None
            assert content.width() <= area.viewport().width()
            assert area.horizontalScrollBar().maximum() == 0


def hidden_lines(root: QWidget) -> list[str]:
    """Texts with lines below their edge that nothing offers to show."""
    return [
        flow._shown
        for flow in root.findChildren(FlowText)
        if flow.isVisible()
        and not flow.is_scrolling
        and flow.verticalScrollBar().maximum()
        and not (flow.is_cut and _is_offered_whole(flow))
    ]


def _is_offered_whole(flow: FlowText) -> bool:
    text = flow.parentWidget()
    return isinstance(text, LongText) and text.more.isVisible()


@pytest.mark.parametrize("width", [263, 340, 417])
def test_scripts_of_all_heights_are_whole(card: StepCard, qtbot: QtBot, width: int) -> None:
    text = "कमरे से बाहर निकलें और 🛋 के पास रुकें। غادر الغرفة. 部屋を出る。 Ä̂ɡ̊ " * 12
    card.resize(width, 700)
    card.show_step(hostile_replay(text), 0)
    for fold in (*shown_folds(card), card.prompt):
        if not fold.is_open:
            fold.header.click()
    qtbot.waitUntil(lambda: not cut_texts(card) and not hidden_lines(card))


def test_everything_has_a_name_and_can_be_reached(
    card: StepCard, panel: MemoryPanel, metrics: MetricsCard
) -> None:
    loop = loop_replay()
    card.show_step(navgpt_replay(), 6)
    panel.show_step(mapgpt_replay(), 1)
    for page in MemoryPage:
        panel.choose_page(page)
    metrics.show_step(scores_of(loop), loop, 2, find_tags(loop, ends_near(loop)))
    for widget in (card, panel, metrics):
        for child in widget.findChildren(QWidget):
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible():
                assert child.accessibleName(), child


def test_clicks_beside_rows_and_chips_do_nothing(card: StepCard, qtbot: QtBot) -> None:
    card.show_step(loop_replay(), 1)
    with qtbot.assertNotEmitted(card.step_chosen):
        beside = QPoint(card.path.width() - 1, card.path.height() - 1)
        qtbot.mouseClick(card.path, Qt.MouseButton.LeftButton, pos=beside)
        click_row(qtbot, card.options, 0)


def test_no_line_of_a_text_is_cut_through(qtbot: QtBot) -> None:
    text = LongText("Instruction")
    qtbot.addWidget(text)
    text.set_most_lines(5)
    with qtbot.waitExposed(text):
        text.show()
    for count in (5, 6):
        text.set_text("\n".join(["Jump"] * count))
        needed = text.flow.blockBoundingGeometry(text.flow.document().findBlockByNumber(4)).bottom()
        assert text.flow.heightForWidth(text.flow.width()) >= needed
        assert text.more.isVisible() is (count > 5)
