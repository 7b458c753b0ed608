"""The view of a step at 1280 × 720: large pictures, everything once, nothing to scroll for."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from fixtures.card_examples import navgpt_replay
from fixtures.row_examples import make_row, make_rows
from gui.runs import add_run, asked, open_episode, write_line
from gui.user import User
from PySide6.QtCore import QPoint, QSettings
from PySide6.QtWidgets import QApplication, QScrollArea, QTableView, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.app.shell.middle import Middle
from waypost.app.shell.stage_look import look_of
from waypost.app.window.geometry import WindowGeometry
from waypost.domain.base.visible_text import with_short_ids
from waypost.domain.episode.episode import Instruction
from waypost.viewers.scene.camera import OrbitCamera, TopCamera

pytestmark = pytest.mark.gui

LONG_ID = "9716d6efd8004e66b1ca7faf7ad86438"


@pytest.fixture
def replay(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    """A run with pictures at its first episode, in a window of 1280 × 720."""
    user.open(house)
    user.press("Ctrl+5")
    line = write_line(tmp_path / "line")
    add_run(user, asked(line, "gpt", line.results.parent / "pictures"))
    open_episode(user, "7_0")
    return user.window.replay


def lowest_seen(replay: ReplayWorkspace, part: QWidget) -> int:
    """Pixels of the step card that are left below a part before one has to scroll."""
    area = replay.views.card.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.verticalScrollBar().value() == 0
    port = area.viewport()
    return port.height() - part.mapTo(port, QPoint(0, part.height())).y()


def has_pictures(replay: ReplayWorkspace) -> bool:
    rows = replay.views.strip.rows
    return bool(rows) and all(t.picture is not None and t.picture.pixels is not None
                              for t in rows[0].tiles)  # fmt: skip


def frames(replay: ReplayWorkspace) -> list[float]:
    return [tile.frame.height() for tile in replay.views.strip.canvas._rects[0].tiles]


def test_pictures_are_large_and_the_map_keeps_room(user: User, replay: ReplayWorkspace) -> None:
    user.wait(lambda: has_pictures(replay))
    assert (user.window.width(), user.window.height()) == (1280, 720)
    assert min(frames(replay)) >= 150
    assert replay.views.map.height() >= 300
    user.press("2", "3")
    user.wait(lambda: has_pictures(replay))
    assert min(frames(replay)) >= 150


def test_the_size_somebody_gave_them_stays(
    user: User, replay: ReplayWorkspace, tmp_path: Path
) -> None:
    middle: Middle = user.window.middle
    handle = middle._splitter.handle(1)
    start = handle.mapTo(user.window, handle.rect().center())
    user.drag_px(start, start + QPoint(0, 60))
    wanted = middle._splitter.sizes()[0]
    assert middle.above_px == wanted
    for keys in (("P", "P"), ("2", "3"), ("Ctrl+1", "Ctrl+5")):
        user.press(*keys)
        user.wait(lambda: middle._splitter.sizes()[0] == wanted)
    user.window.resize(1280, 610)
    user.window.resize(1280, 720)
    user.wait(lambda: middle._splitter.sizes()[0] == wanted)
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    geometry = WindowGeometry(settings, user.window, user.window._splitter, middle)
    geometry.save()
    middle.above_px = 0
    geometry.restore()
    assert middle.above_px == wanted


def test_without_panoramas_the_strip_folds_away_until_it_is_wanted(
    user: User, replay: ReplayWorkspace, tmp_path: Path
) -> None:
    strip = replay.views.strip
    assert not strip.is_folded
    bare = write_line(tmp_path / "bare")
    name = add_run(user, asked(bare, "bare"))
    open_episode(user, "7_0")
    assert replay.chosen_runs == (name,)
    user.wait(lambda: strip.is_folded)
    assert "No panoramas" in strip._caption.accessibleName()
    user.press("P")
    assert not strip.is_folded
    open_episode(user, "7_1")
    assert not strip.is_folded


def test_the_instruction_stands_once(user: User, replay: ReplayWorkspace) -> None:
    header, card = replay.views.header._instruction, replay.views.card.instruction
    for keys in (("S",), ("E",), ("X",), ("M",), ("S",), ("F9",), ("F9",)):
        user.press(*keys)
        assert header.isVisible() != card.isVisible(), keys


def test_paths_and_thought_are_seen_without_scrolling(user: User, replay: ReplayWorkspace) -> None:
    replay.views.cursor.move_to(2)
    user.settle()
    card = replay.views.card
    for part in (card.instruction, card.path, card.reference, card.action):
        assert part.isVisible()
        assert lowest_seen(replay, part) >= 0, part.accessibleName()


def test_a_long_thought_leaves_both_paths_in_view_until_it_is_asked_for(
    user: User, replay: ReplayWorkspace
) -> None:
    card, run = replay.views.card, navgpt_replay()
    told = Instruction("Walk past the sofa and the table, then turn left at the window. " * 9)
    run = dataclasses.replace(run, episode=dataclasses.replace(run.episode, instruction=told))
    card.show_step(run, 5)
    user.settle()
    for part in (card.instruction, card.thought, card.path, card.reference):
        assert part.isVisible()
        assert lowest_seen(replay, part) >= 0
    assert card.thought.title == "Thought"
    before = card.thought.height()
    user.click_widget(card.thought.content.more)
    assert not card.thought.content.flow.is_cut
    assert card.thought.height() > before
    card.show_step(run, 6)
    user.settle()
    assert not card.thought.content.flow.is_cut


def test_the_table_is_shown_once(user: User, replay: ReplayWorkspace) -> None:
    for key in "123456":
        user.press(key)
        shown = [t for t in user.window.findChildren(EpisodeTable) if t.isVisible()]
        assert len(shown) == 1, key
    user.press("1")
    assert replay.wide_table.isVisible()
    user.press("Ctrl+F")
    holder = QApplication.focusWidget()
    assert holder is not None
    assert replay.wide_table.isAncestorOf(holder)


def test_the_episode_gone_to_is_scrolled_to(qtbot: QtBot) -> None:
    """Whether its table was hidden meanwhile, or its row came after it was asked for."""
    table = EpisodeTable()
    rows = tuple(make_row(f"{number}_0") for number in range(300))
    table.set_rows(make_rows(*rows))
    qtbot.addWidget(table)
    table.resize(400, 300)
    view = table.findChild(QTableView)
    assert isinstance(view, QTableView)

    def is_in_view(number: int) -> bool:
        place = view.visualRect(table.model.index(number, 0))
        return not place.isEmpty() and view.viewport().rect().contains(place.center())

    table.set_chosen("250_0")
    with qtbot.waitExposed(table):
        table.show()
    qtbot.waitUntil(lambda: is_in_view(250))
    table.hide()
    table.set_chosen("20_0")
    table.show()
    qtbot.waitUntil(lambda: is_in_view(20))
    table.set_chosen("310_0")
    table.set_rows(make_rows(*rows, *(make_row(f"{number}_0") for number in range(300, 320))))
    qtbot.waitUntil(lambda: is_in_view(310))
    view.verticalScrollBar().setValue(0)
    table.set_rows(make_rows(*rows, *(make_row(f"{number}_0") for number in range(300, 330))))
    assert view.verticalScrollBar().value() == 0


def test_long_ids_take_no_headline() -> None:
    assert with_short_ids(LONG_ID) == "9716d6ef…"
    assert with_short_ids(f"Now · {LONG_ID} · facing 90°") == "Now · 9716d6ef… · facing 90°"
    assert with_short_ids(f"{LONG_ID}_{LONG_ID}") == "9716d6ef…_9716d6ef…"
    for kept in ("1010_1", "X7HyMhZNoso", "kujiale_0031", "2024-11-29", "12345678901"):
        assert with_short_ids(kept) == kept


def test_the_camera_goes_back_when_the_run_is_no_longer_in_3d(user: User, sample: Path) -> None:
    """Graph is looked at as before; the run as it was looked at, when it is shown again."""
    user.open(sample)
    user.press("Ctrl+5")
    replay = user.window.replay
    name = next(name for name in replay.desk.names if "NavGPT" in name)
    replay.show_runs([name])
    user.wait(lambda: replay.desk.rows(name) is not None and not replay.desk.is_reading(name))
    user.press("Ctrl+1")
    # What nobody has moved is framed anew beside other controls.
    user.window.stage.view.set_camera(OrbitCamera((5.0, 1.0, 0.0), 15.0, 0.5, -0.8), "orbit")
    before = look_of(user.window.stage)
    user.press("Ctrl+5")
    open_episode(user, "1_1")
    user.press("4")
    stage = user.window.stage
    assert stage.view.camera != before.camera
    stage.view.set_camera(TopCamera((1.0, 2.0, 0.0), 6.0), "top")
    own = look_of(stage)
    for leaving, coming in (("Ctrl+1", "Ctrl+5"), ("3", "4")):
        user.press(leaving)
        assert look_of(stage) == before, leaving
        user.press(coming)
        assert look_of(stage) == own, coming
    user.press("5")
    user.press("Ctrl+1")
    assert look_of(stage) == before
