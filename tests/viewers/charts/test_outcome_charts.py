"""Charts in the window: every part is reached by mouse and keyboard and opens its episodes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from chosen_chart import show_chart
from contrast import contrast_ratio, seen_through
from cut_text import cut_texts
from picture_colours import colours
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot
from shown_parts import middle_of

from waypost.domain.causes.replay_book import EdgeVerdict, EdgeVerdictKey, RouteVerdict
from waypost.domain.replay.charts import EpisodeOutcome
from waypost.domain.replay.tags import Tag, TagKind
from waypost.metrics.analyst_agreement import agreement, verdict_agreement
from waypost.services.appearance import DARK, LIGHT, ThemeTokens
from waypost.services.jobs import JobRunner
from waypost.viewers.charts import outcome_charts
from waypost.viewers.charts.agreement_picture import agreement_rows
from waypost.viewers.charts.chart_makers import (
    BLIND,
    NO_MARKS,
    NO_OTHER,
    NO_RUN,
    Chart,
    ChartData,
    ChartedAxis,
    ChartKind,
    make_chart,
)
from waypost.viewers.charts.chart_painting import BAND_OPACITY, CELL_OPACITY
from waypost.viewers.charts.outcome_charts import CHOICE_HINT, OutcomeCharts
from waypost.widgets.theme import apply_theme


def outcome(name: str, success: bool | None, *kinds: TagKind, scene: str = "s1") -> EpisodeOutcome:
    tags = tuple(Tag(kind, 0, "") for kind in kinds)
    return EpisodeOutcome(name, scene, success, 6.0, 2, tags)


RUN = (
    outcome("1", True, TagKind.PERFECT),
    outcome("2", False, TagKind.EARLY_STOP),
    outcome("3", False, TagKind.LOOPING, scene="s2"),
    outcome("4", False, TagKind.GENERATION_ERROR, scene="s2"),
    outcome("5", None, scene="s2"),
)
OTHER = (
    outcome("1", False, TagKind.LOOPING),
    outcome("2", False, TagKind.EARLY_STOP),
    outcome("3", True, TagKind.PERFECT, scene="s2"),
)
CAUSES = (ChartedAxis("Own · Why", {"2": ("Stairs",), "3": ("Stairs", "Room")}),)
ANSWERS = {"2": {"ana": "a", "ben": "a"}, "3": {"ana": "a", "ben": "b"}, "4": {"ana": "b"}}


@pytest.fixture
def charts(qtbot: QtBot) -> OutcomeCharts:
    made = OutcomeCharts()
    qtbot.addWidget(made)
    made.resize(640, 420)
    made.set_outcomes(RUN, "gpt")
    made.set_causes(CAUSES)
    made.set_others({"msnav": OTHER})
    made.set_agreements([agreement("Why", ANSWERS)])
    made.show()
    QApplication.processEvents()
    return made


def click(charts: OutcomeCharts, title: str) -> tuple[str, tuple[str, ...]]:
    """Press the mouse in the middle of a part; what is reported."""
    picture = charts.view.picture
    assert picture is not None
    (index,) = [i for i, target in enumerate(picture.targets) if target.title == title]
    point = middle_of(charts.view, index)
    found: list[tuple[str, tuple[str, ...]]] = []
    charts.episodes_chosen.connect(found.append)
    event = QMouseEvent(
        QEvent.Type.MouseButtonPress,
        point,
        QPointF(charts.view.mapToGlobal(point)),
        Qt.MouseButton.LeftButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(charts.view, event)
    charts.episodes_chosen.disconnect(found.append)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("kind", "title", "ids"),
    [
        (ChartKind.FLOW, "Incorrect navigation", ("2", "3")),
        (ChartKind.FLOW, "Incorrect navigation → Looping", ("3",)),
        (ChartKind.FLOW, "Looping → Room", ("3",)),
        (ChartKind.FLOW, "Stairs", ("2", "3")),
        (ChartKind.FLOW, "No cause set", ("4",)),
        (ChartKind.TAGS, "Generation error", ("4",)),
        (ChartKind.LENGTH, "5–7.5 m: ✕ failure", ("2", "3", "4")),
        (ChartKind.TURNS, "2: ✓ success", ("1",)),
        (ChartKind.SCENES, "s2: ✕ failure", ("3", "4")),
        (ChartKind.RUNS, "gpt ✓ · msnav ✕", ("1",)),
        (ChartKind.RUNS, "Looping · Perfect", ("3",)),
        (ChartKind.RUNS, "Left out", ("4", "5")),
        (ChartKind.AGREEMENT, "Why, blind: ≠ disputed", ("3",)),
        (ChartKind.AGREEMENT, "Why, blind: ✓ agreed", ("2",)),
    ],
)
def test_a_click_opens_the_episodes_of_a_part(
    charts: OutcomeCharts, kind: ChartKind, title: str, ids: tuple[str, ...]
) -> None:
    show_chart(charts, kind)
    assert click(charts, title) == (title, ids)


@pytest.mark.parametrize("kind", ChartKind)
def test_the_keyboard_reaches_every_part(
    qtbot: QtBot, charts: OutcomeCharts, kind: ChartKind
) -> None:
    show_chart(charts, kind)
    view, found = charts.view, []
    assert view.picture is not None
    charts.episodes_chosen.connect(found.append)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for _ in view.picture.targets:
        qtbot.keyClick(view, Qt.Key.Key_Return)
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert found == [(target.title, target.episode_ids) for target in view.picture.targets]
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.shown is view.picture.targets[-1]
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.shown is not None


def test_keys_that_walk_are_claimed_before_commands_hear_them(charts: OutcomeCharts) -> None:
    for key, is_claimed in (
        (Qt.Key.Key_Right, True),
        (Qt.Key.Key_Home, True),
        (Qt.Key.Key_Space, True),
        (Qt.Key.Key_D, False),
    ):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
        event.ignore()
        charts.view.event(event)
        assert event.isAccepted() is is_claimed


def test_the_pointer_brings_parts_out(charts: OutcomeCharts) -> None:
    show_chart(charts, ChartKind.TAGS)
    view = charts.view
    for place, said in (
        (middle_of(view, 0), "Perfect: 1 of 5 episodes (20.0 %)"),
        (QPointF(1.0, 1.0), CHOICE_HINT),
    ):
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            place,
            QPointF(view.mapToGlobal(place)),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(view, event)
        assert charts._said.text() == said
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        middle_of(view, 0),
        QPointF(),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert charts._said.text() == CHOICE_HINT


@pytest.mark.parametrize("kind", [ChartKind.FLOW, ChartKind.TAGS])
def test_where_the_keyboard_is_can_be_seen(
    qapp: QApplication, qtbot: QtBot, charts: OutcomeCharts, kind: ChartKind
) -> None:
    apply_theme(qapp, "dark")
    show_chart(charts, kind)
    charts.activateWindow()
    charts.view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(charts.view.hasFocus)
    assert charts.view.picture is not None
    assert charts.view.shown is charts.view.picture.targets[0]
    for _ in charts.view.picture.targets:
        assert DARK.highlight in colours(charts.view.grab().toImage(), 1)
        qtbot.keyClick(charts.view, Qt.Key.Key_Right)
    charts.findChildren(QPushButton)[0].setFocus()
    qtbot.waitUntil(lambda: charts.view.shown is None)
    assert DARK.highlight not in colours(charts.view.grab().toImage(), 1)


def test_what_changes_while_hidden_is_drawn_when_shown(charts: OutcomeCharts) -> None:
    charts.hide()
    before = charts.view.picture
    charts.set_outcomes(RUN[:2], "gpt")
    QApplication.processEvents()
    assert charts.view.picture is before
    charts.show()
    assert charts.view.picture is not before


def test_what_is_shown_is_said(qtbot: QtBot, charts: OutcomeCharts) -> None:
    show_chart(charts, ChartKind.SCENES)
    assert charts._said.text() == CHOICE_HINT
    qtbot.keyClick(charts.view, Qt.Key.Key_Home)
    assert charts._said.text() == "s2: success 0.0 %, n = 2, 1 unknown"
    assert charts.view.accessibleDescription() == charts._said.text()
    qtbot.keyClick(charts.view, Qt.Key.Key_Right)
    assert charts._said.text() == "s2: ✕ failure: 2 of 2 episodes (100.0 %)"


def test_empty_charts_say_why(qtbot: QtBot) -> None:
    made = OutcomeCharts()
    qtbot.addWidget(made)
    made.show()
    for kind in ChartKind:
        show_chart(made, kind)
        assert made.view.picture is None
        assert made._explanation.text() == (NO_MARKS if kind is ChartKind.AGREEMENT else NO_RUN)
    made.set_outcomes(RUN)
    show_chart(made, ChartKind.RUNS)
    assert made._explanation.text() == NO_OTHER


def test_undefined_agreement_says_why() -> None:
    one, none = agreement_rows(
        [agreement("Why", {"1": {"ana": "a", "ben": "a"}}), agreement("How", {"1": {"ana": "a"}})]
    )
    assert (one.value, one.note) == ("100 %", "n = 1")
    assert one.target.detail.startswith("n = 1; everyone always gave the same answer")
    assert (none.value, none.note) == ("—", "only one analyst has answered")


def test_agreement_about_edges_opens_their_episodes() -> None:
    verdicts = [
        EdgeVerdict(EdgeVerdictKey("gpt", "7", "a", to_id, analyst), answer)
        for to_id, analyst, answer in (
            ("b", "ana", RouteVerdict.VALID),
            ("b", "ben", RouteVerdict.VALID),
            ("c", "ana", RouteVerdict.VALID),
            ("c", "ben", RouteVerdict.INVALID),
        )
    ]
    blind = [replace(verdict, is_blind=True) for verdict in verdicts]
    (row,) = agreement_rows([verdict_agreement(blind, "gpt")])
    told = [(part.target.episode_ids, part.target.detail) for part in row.parts if part.target]
    assert told == [(("7",), "1 of 2 edges (50.0 %)")] * 2
    assert row.target.episode_ids == ("7",)
    nothing, over_all = agreement_rows([verdict_agreement(verdicts, "gpt")])
    assert (nothing.label, nothing.value) == ("Route verdict, blind", "—")
    assert nothing.note == "nobody has answered"
    assert nothing.target.detail.endswith("; left out: 4 unknown")
    assert (over_all.label, over_all.parts) == (
        "Route verdict, with 4 unknown",
        tuple(
            replace(
                part,
                target=replace(
                    part.target, title=part.target.title.replace("blind", "with 4 unknown")
                ),
            )
            for part in row.parts
        ),
    )


def many(count: int = 2349, scenes: int = 60) -> tuple[EpisodeOutcome, ...]:
    kinds = list(TagKind)
    return tuple(
        EpisodeOutcome(
            str(i),
            f"scene{i % scenes:03}",
            i % 3 == 0,
            5.0 + i % 20,
            i % 9,
            (Tag(kinds[i % 13], 0, ""), Tag(kinds[i * 7 % 13], 0, "")),
        )
        for i in range(count)
    )


def test_chips_choose_the_chart(charts: OutcomeCharts) -> None:
    chips = charts.findChildren(QPushButton)
    assert [chip.text() for chip in chips if chip.isChecked()] == ["Flow"]
    next(chip for chip in chips if chip.text() == "Scenes").click()
    assert charts.kind is ChartKind.SCENES
    assert charts._explanation.text().startswith("gpt: Success by scene"), "which of two runs"
    charts.resize(300, 420)
    QApplication.processEvents()
    assert len({chip.y() for chip in chips}) > 1
    assert max(chip.geometry().right() for chip in chips) < charts.width()


def test_sixty_scenes_scroll_down_not_sideways(qtbot: QtBot, charts: OutcomeCharts) -> None:
    charts.set_outcomes(many(), "gpt")
    show_chart(charts, ChartKind.SCENES)
    QApplication.processEvents()
    area = charts.findChild(QScrollArea)
    assert area.verticalScrollBar().maximum() > 0
    assert not area.horizontalScrollBar().isVisible()
    qtbot.keyClick(charts.view, Qt.Key.Key_End)
    assert area.verticalScrollBar().value() > 0.8 * area.verticalScrollBar().maximum()
    bars = [target for target in charts.view.picture.targets if ":" not in target.title]
    assert len(bars) == 60


@pytest.mark.parametrize("kind", ChartKind)
def test_several_changes_of_thousands_of_episodes_are_counted_once(
    charts: OutcomeCharts, kind: ChartKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = many()
    show_chart(charts, kind)
    counted = []

    def make(data: ChartData, which: ChartKind, choice: str) -> Chart:
        counted.append((len(data.outcomes), which))
        return make_chart(data, which, choice)

    monkeypatch.setattr(outcome_charts, "make_chart", make)
    charts.set_others({"msnav": many()[100:]})
    charts.set_outcomes(run[:7], "gpt")
    charts.set_outcomes(run, "gpt")
    QApplication.processEvents()
    charts.view.grab()
    charts.view.grab()
    assert counted == [(2349, kind)]


def test_large_runs_are_counted_in_the_background(qtbot: QtBot) -> None:
    jobs = JobRunner()
    made = OutcomeCharts(jobs)
    qtbot.addWidget(made)
    made.show()
    run = many(20_000)
    made.set_outcomes(run, "gpt")
    show_chart(made, ChartKind.TAGS)
    show_chart(made, ChartKind.SCENES)
    assert {job.title for job in jobs.jobs} == {"Counting episodes"}
    assert made._explanation.text() == "Counting 20,000 episodes …"
    qtbot.waitUntil(lambda: made.view.picture is not None)
    assert made._explanation.text().startswith("Success by scene")
    titles = [target.title for target in made.view.picture.targets if ":" not in target.title]
    assert len(titles) == 60
    qtbot.waitUntil(lambda: not jobs.jobs)
    assert made._explanation.text().startswith("Success by scene")
    assert jobs.shutdown() == ()


def test_two_themes_paint_with_their_colours(qapp: QApplication, charts: OutcomeCharts) -> None:
    show_chart(charts, ChartKind.TAGS)
    for name, tokens in (("light", LIGHT), ("dark", DARK)):
        apply_theme(qapp, name)
        QApplication.processEvents()
        assert tokens.accent in colours(charts.view.grab().toImage())


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_text_on_cells_and_bands_can_be_read(tokens: ThemeTokens) -> None:
    for tone in (tokens.travels, tokens.does_not, tokens.accent, tokens.undecided):
        for ground in (tokens.panel, tokens.window):
            cell = seen_through(tone, CELL_OPACITY, ground)
            assert contrast_ratio(tokens.text, cell) >= 4.5
            band = seen_through(tokens.panel, 0.8, seen_through(tone, 3 * BAND_OPACITY, ground))
            assert contrast_ratio(tokens.text, band) >= 4.5


@pytest.mark.parametrize("percent", [100, 200])
def test_no_label_of_the_panel_is_cut(
    qapp: QApplication, qtbot: QtBot, charts: OutcomeCharts, percent: int
) -> None:
    apply_theme(qapp, "dark", percent)
    try:
        for kind in ChartKind:
            show_chart(charts, kind)
            QApplication.processEvents()
            assert cut_texts(charts) == []
    finally:
        apply_theme(qapp, "dark")


def test_charts_say_whose_marks_they_count(charts: OutcomeCharts) -> None:
    charts.set_causes(CAUSES, "your marks (ada)")
    show_chart(charts, ChartKind.FLOW)
    assert charts._explanation.text().endswith(" Counts your marks (ada).")
    show_chart(charts, ChartKind.TAGS)
    assert "marks" not in charts._explanation.text()


def test_agreement_needs_everyones_marks(charts: OutcomeCharts) -> None:
    charts.set_agreements(None)
    show_chart(charts, ChartKind.AGREEMENT)
    assert charts.view.picture is None
    assert charts._explanation.text() == BLIND


def test_what_lacks_a_length_is_said(charts: OutcomeCharts) -> None:
    charts.set_outcomes((*RUN, replace(RUN[0], episode_id="6", reference_m=None)), "gpt")
    show_chart(charts, ChartKind.LENGTH)
    assert charts._explanation.text().endswith(" 1 without it stands nowhere here.")
    show_chart(charts, ChartKind.TURNS)
    assert "nowhere" not in charts._explanation.text()


def test_a_negative_coefficient_has_a_minus() -> None:
    apart = agreement("Why", {"1": {"ana": "a", "ben": "b"}, "2": {"ana": "b", "ben": "a"}})
    assert agreement_rows([apart])[0].note == "α −0.50 · κ −1.00 · n = 2"
