"""Whatever steps came before, a card on screen looks as one that is made for the step alone."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from fixtures.card_examples import (
    loop_replay,
    mapgpt_replay,
    navgpt_replay,
    no_move_replay,
    plan_replay,
    segmented_replay,
)
from fixtures.replay_examples import ends_near
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.replay.cards.flow_text import FlowText
from waypost.app.replay.cards.memory_panel import MemoryPanel
from waypost.app.replay.cards.metrics_card import MetricsCard
from waypost.app.replay.cards.step_card import StepCard
from waypost.domain.replay.memories import MemoryPage, memory_of
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.tags import find_tags

pytestmark = pytest.mark.gui

JUMPS = 14
ROUNDS = 4
"""Of events until a scroll bar has come or gone, and the texts beside it have their width."""

RUNS = {
    "navgpt": lambda: navgpt_replay(12, 400),
    "loop": loop_replay,
    "no move": no_move_replay,
    "segments": lambda: segmented_replay("ABUBC"),
    "mapgpt": mapgpt_replay,
    "plan": plan_replay,
}
"""With and without decisions, options, reasons, folds and parts of the instruction."""


def on_screen(widget: QWidget) -> QImage:
    """What the display shows of a widget, not what it would paint if it were asked to."""
    screen, at = QApplication.primaryScreen(), widget.mapToGlobal(QPoint(0, 0))
    shot = screen.grabWindow(0, at.x(), at.y(), widget.width(), widget.height())
    return shot.toImage().convertToFormat(QImage.Format.Format_RGB32)


def painted(widget: QWidget) -> QImage:
    """All of a widget, painted anew."""
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def put_up(qtbot: QtBot, widget: QWidget, height_px: int) -> None:
    qtbot.addWidget(widget)
    widget.resize(300, height_px)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    widget.setFocus()


def check(
    qtbot: QtBot, made: Callable[[], QWidget], jumps: list[Callable[[QWidget], None]]
) -> None:
    """Jump about in one widget, and beside it make a new one for each place."""
    for height_px in (420, 900):
        followed = made()
        put_up(qtbot, followed, height_px)
        seen = [jumped(qtbot, followed, jump) for jump in jumps]
        followed.close()
        for jump, before in zip(jumps, seen, strict=True):
            alone = made()
            put_up(qtbot, alone, height_px)
            assert jumped(qtbot, alone, jump) == before
            alone.close()


def jumped(qtbot: QtBot, widget: QWidget, jump: Callable[[QWidget], None]) -> QImage:
    """What a widget shows after a jump, once the display shows the same."""
    jump(widget)
    for _ in range(ROUNDS):
        QApplication.processEvents()
    qtbot.waitUntil(lambda: on_screen(widget) == painted(widget))
    return painted(widget)


def places(replays: list[Replay], seed: int) -> list[tuple[Replay, int]]:
    dice = random.Random(seed)
    found = []
    for _ in range(JUMPS):
        replay = dice.choice(replays)
        found.append((replay, dice.randrange(len(replay))))
    return found


def jumps_of(replays: list[Replay], seed: int) -> list[Callable[[QWidget], None]]:
    def to(replay: Replay, step: int) -> Callable[[QWidget], None]:
        return lambda widget: widget.show_step(replay, step)  # type: ignore[attr-defined]

    return [to(replay, step) for replay, step in places(replays, seed)]


@pytest.mark.parametrize("run", RUNS)
def test_steps_of_a_run(qtbot: QtBot, run: str) -> None:
    check(qtbot, StepCard, jumps_of([RUNS[run]()], seed=len(run)))


def test_steps_of_several_runs(qtbot: QtBot) -> None:
    check(qtbot, StepCard, jumps_of([make() for make in RUNS.values()], seed=7))


@pytest.mark.parametrize("page", [MemoryPage.MAP, MemoryPage.PLAN, MemoryPage.PRUNING])
def test_pages_of_the_memory(qtbot: QtBot, page: MemoryPage) -> None:
    def made() -> MemoryPanel:
        panel = MemoryPanel()
        panel.choose_page(page)
        return panel

    runs = [make() for make in RUNS.values()]
    having = [run for run in runs if page in memory_of(run).pages]
    assert having
    check(qtbot, made, jumps_of(having[:1], seed=3))


def test_values_and_tags(qtbot: QtBot) -> None:
    replay = navgpt_replay(12, 400)
    tags = find_tags(replay, ends_near(replay))
    assert any(tag.step is not None for tag in tags)

    def to(step: int) -> Callable[[QWidget], None]:
        return lambda card: card.show_step(None, replay, step, tags)  # type: ignore[attr-defined]

    check(qtbot, MetricsCard, [to(step) for _, step in places([replay], seed=5)])


def test_a_step_is_laid_out_in_one_round(qtbot: QtBot) -> None:
    """However deep a text lies, its height is right when the next picture is painted."""
    replay, card = navgpt_replay(12, 400), StepCard()
    put_up(qtbot, card, 420)
    card.show_step(replay, 0)
    for _ in range(ROUNDS):
        QApplication.processEvents()
    heights = []
    for _, step in places([replay], seed=6):
        card.show_step(replay, step)
        QApplication.processEvents()
        for flow in card.findChildren(FlowText):
            if flow.isVisible():
                assert flow.height() == flow.heightForWidth(flow.width())
                heights.append(flow.height())
    assert len(set(heights)) > 3
