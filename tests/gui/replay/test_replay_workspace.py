"""The Replay workspace in the real window: runs, table, keys, one cursor, playing, comparing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from chosen_chart import show_chart
from fixtures.replay_files import RunFiles
from gui.runs import (
    add_run,
    asked,
    at_hand,
    open_episode,
    shown_ids,
    wait_for_rows,
    write_line,
)
from gui.user import User
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QTableView
from shown_parts import chip_texts

from waypost.app.replay.run_dialog import RunDialog
from waypost.app.replay.table.episode_filters import FilterChips
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.viewers.charts.outcome_charts import ChartKind

pytestmark = pytest.mark.gui


@pytest.fixture
def line(tmp_path: Path) -> RunFiles:
    """Results with everything that goes with them in one folder."""
    return write_line(tmp_path / "line")


@pytest.fixture
def replay(user: User, house: Path, line: RunFiles) -> ReplayWorkspace:
    """A project with one run, read, its table in front."""
    user.open(house)
    user.press("Ctrl+5")
    add_run(user, asked(line, "gpt", line.results.parent / "pictures"))
    return user.window.replay


@pytest.fixture
def looping(user: User, replay: ReplayWorkspace) -> ReplayWorkspace:
    """The same at the episode that goes back and forth."""
    open_episode(user, "7_0")
    return replay


def keep_picture(user: User, name: str) -> None:
    folder = os.environ.get("WAYPOST_PICTURES")
    if folder:
        user.settle()
        user.window.grab().save(f"{folder}/{name}.png")


def said_steps(replay: ReplayWorkspace) -> set[int]:
    """The step that each view which can be seen stands at, as it says itself."""
    views = replay.views
    found = {views.cursor.step, views.timeline.position}
    if views.card.isVisible():
        found.add(int(views.card.title.text().split()[1]))
    if views.map.isVisible():
        told = re.search(r"[Ss]tep (\d+)", views.map.accessibleDescription())
        found.add(int(told[1]) if told else -1)
    if views.strip.isVisible():
        found.add(views.strip.rows[0].step)
    for panel in views.plot._panels if views.plot.isVisible() else ():
        found.add(-1 if panel._plot._x is None else round(panel._plot._x))
    return found


def test_a_run_is_open_in_three_actions(
    user: User, line: RunFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first page: replay a run, choose its file, confirm what was found beside it."""
    replay = user.window.replay
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(line.results), ""))
    )
    user.click_widget(user.find(QPushButton, "Replay a run …"))
    user.wait(lambda: user.window.findChildren(RunDialog))
    dialog = user.find(RunDialog)
    user.click_widget(dialog.open_button)
    user.wait(lambda: replay.table.model.rowCount() == 3)
    wait_for_rows(user, replay, "model")
    assert replay.chosen_runs == ("model",)
    source = replay.desk.book.sources["model"]
    assert source.annotations == (Path("R2R_val.json"),)
    assert source.connectivity == Path("connectivity")
    assert source.pictures
    user.wait(lambda: not user.window.findChildren(RunDialog))
    assert (line.results.parent / "model.waypost").is_file()
    keep_picture(user, "opened")


def test_the_table_is_browsed_searched_and_entered_by_keys(
    user: User, replay: ReplayWorkspace
) -> None:
    """Arrows show each episode beside the table; Enter goes to its map."""
    user.press("Ctrl+F")
    user.type("second")
    assert shown_ids(replay) == ["7_1"]
    user.press("Ctrl+A", "Del")
    assert shown_ids(replay) == ["7_0", "7_1", "7_2"]
    user.press("Down")
    user.wait(lambda: at_hand(replay) == ("7_0", 1))
    user.press("Down")
    user.wait(lambda: at_hand(replay) == ("7_1", 1))
    assert replay.face == "table"
    assert replay.wide_table.isVisible()
    assert "Second." in replay.views.card.title.text() + str(
        replay.views.cursor.replay.episode.instruction
    )
    user.press("Return")
    user.wait(lambda: replay.face == "map")
    assert at_hand(replay) == ("7_1", 1)
    user.press("Right")
    assert said_steps(replay) == {1}


def test_a_click_on_a_heading_sorts_and_a_click_on_a_row_opens(
    user: User, replay: ReplayWorkspace
) -> None:
    table = user.find(QTableView, "Episodes", replay.wide_table)
    header = table.horizontalHeader()
    columns = [c.title for c in replay.table.model.columns]
    place = header.sectionViewportPosition(columns.index("SPL")) + 5
    assert shown_ids(replay) == ["7_0", "7_1", "7_2"]
    user.click_widget(header.viewport(), QPoint(place, 5))
    rising = shown_ids(replay)
    user.click_widget(header.viewport(), QPoint(place, 5))
    assert shown_ids(replay) == rising[::-1] or rising[0] == "7_0"
    number = shown_ids(replay).index("7_2")
    row = table.visualRect(replay.table.model.index(number, 0)).center()
    user.click_widget(table.viewport(), row)
    user.wait(lambda: at_hand(replay) == ("7_2", 1) and replay.face == "map")
    assert not isinstance(QApplication.focusWidget(), QLineEdit)


def test_typing_an_id_jumps_there(user: User, replay: ReplayWorkspace) -> None:
    for key, episode_id in (("Ctrl+K", "7_2"), ("Ctrl+F", "7_1")):
        user.press(key)
        user.type(episode_id)
        user.press("Return")
        user.wait(lambda wanted=episode_id: at_hand(replay) == (wanted, 1))
        user.wait(lambda: replay.face == "map")
        user.settle()
        assert not isinstance(QApplication.focusWidget(), QLineEdit)
    user.press("Right")
    assert said_steps(replay) == {1}


def test_every_key_does_what_the_list_of_keys_says(user: User, looping: ReplayWorkspace) -> None:
    """A, B, A, B, C against A, B, C: off at step 2, back at A then and at B after it."""
    cursor, views = looping.views.cursor, looping.views
    for key, step in (
        ("Right", 1), ("Right", 2), ("Left", 1), ("End", 4), ("Right", 4), ("Home", 0),
        ("Left", 0), ("Shift+Right", 1), ("Shift+Left", 0), ("D", 2), ("Home", 0),
        ("R", 2), ("R", 3), ("R", 2), ("C", 2),
    ):  # fmt: skip
        user.press(key)
        assert cursor.step == step, key
        assert said_steps(looping) == {step}, key
    for key, face in zip("123456", ("table", "charts", "map", "scene", "first_person", "compare"),
                         strict=True):  # fmt: skip
        user.press(key)
        assert looping.face == face, QApplication.focusWidget()
    user.press("3")
    for key, title in (("M", "Memory"), ("E", "Metrics"), ("X", "Causes")):
        user.press(key)
        assert views.tabs.tabText(views.tabs.currentIndex()) == title
    user.wait(looping.causes.panel.hasFocus)
    user.press("Ctrl+F", "Escape")
    user.wait(lambda: not isinstance(QApplication.focusWidget(), QLineEdit))
    user.press("S")
    assert views.tabs.tabText(views.tabs.currentIndex()) == "Step"
    user.press("P", "K")
    assert views.strip.is_folded
    assert views.plot.isVisible()
    user.press("K", "P")
    assert not views.strip.is_folded
    assert not views.plot.isVisible()
    user.press(".")
    assert cursor._speed == 2.0
    user.press(",", ",")
    assert cursor._speed == 0.5
    user.press("N")
    user.wait(lambda: at_hand(looping) == ("7_1", 1))
    user.press("Shift+N")
    user.wait(lambda: at_hand(looping) == ("7_0", 1))
    assert looping.face == "map"


def test_storeys_and_fitting_by_keys(user: User, replay: ReplayWorkspace) -> None:
    """U lies 3 m above B."""
    open_episode(user, "7_2")
    run_map = replay.views.map
    assert run_map.storey_count == 2
    assert run_map.storey == 0
    user.press("PgUp")
    assert (run_map.storey, run_map._pinned is not None) == (1, True)
    user.press("PgDown")
    assert run_map.storey == 0
    fitted = run_map._frame
    QTest.mouseDClick(run_map, Qt.MouseButton.LeftButton, pos=run_map.rect().center())
    user.settle()
    user.press("F")
    assert run_map._frame == fitted
    user.press("End")
    assert said_steps(replay) == {2}


def test_the_list_of_keys_names_them_all(user: User, replay: ReplayWorkspace) -> None:
    keys = user.window.actions_set.shortcuts.keys()
    for action, key in (
        ("play", "Space"), ("forward", "Right"), ("back", "Left"), ("first", "Home"),
        ("last", "End"), ("deviation", "D"), ("revisit", "R"), ("collision", "C"),
        ("faster", "."), ("slower", ","), ("next_episode", "N"), ("previous_episode", "Shift+N"),
        ("search", "Ctrl+F"), ("fold_pictures", "P"), ("fold_curves", "K"),
    ):  # fmt: skip
        assert keys[f"replay.{action}"] == key


def test_every_view_moves_the_one_cursor(user: User, looping: ReplayWorkspace) -> None:
    views = looping.views
    user.press("K")
    user.wait(lambda: views.plot.isVisible() and len(views.plot._panels) > 0)
    views.timeline.moved.emit(3)
    assert said_steps(looping) == {3}
    panel = views.plot._panels[0]
    panel.cursor_moved.emit(1.4)
    assert said_steps(looping) == {1}
    views.map.step_chosen.emit(2)
    assert said_steps(looping) == {2}
    views.card.step_chosen.emit(4)
    assert said_steps(looping) == {4}
    user.press("E")
    views.metrics.step_chosen.emit(0)
    assert said_steps(looping) == {0}
    views.strip.option_chosen.emit("B")
    assert said_steps(looping) == {1}
    user.press("S", "End")
    assert said_steps(looping) == {4}
    keep_picture(user, "one_cursor")


def test_it_plays_at_the_speed_chosen(user: User, looping: ReplayWorkspace) -> None:
    cursor, seen = looping.views.cursor, []
    cursor.set_speed(16.0)
    cursor.moved.connect(lambda step: seen.append((step, said_steps(looping))))
    playing: list[bool] = []
    cursor.playing_changed.connect(playing.append)
    user.press("Space")
    user.wait(lambda: playing == [True, False])
    assert seen[-1] == (4, {4})
    assert all(said == {step} for step, said in seen)
    cursor.set_speed(0.25)
    user.press("Space")
    assert cursor.is_playing
    user.press("Ctrl+1")
    assert not cursor.is_playing
    user.press("Ctrl+5")
    assert looping.face == "map"
    assert looping.views.below.isVisible()
    user.press("Home", "Right")
    assert said_steps(looping) == {1}


def test_a_bar_shows_its_episodes_and_the_chip_takes_them_away(
    user: User, replay: ReplayWorkspace
) -> None:
    user.press("2")
    charts = replay.charts
    show_chart(charts, ChartKind.TAGS)
    user.wait(lambda: charts.isVisible() and charts.view.picture is not None)
    charts.view.setFocus()
    user.press("Home", "Return")
    shown = shown_ids(replay)
    assert 0 < len(shown) < 3
    (chips,) = replay.table.findChildren(FilterChips)
    assert len(chip_texts(chips)) == 1
    (chip,) = [b for b in chips.findChildren(QPushButton) if b.isVisible()]
    user.click_widget(chip)
    assert shown_ids(replay) == ["7_0", "7_1", "7_2"]


def test_the_strip_of_takes_does_not_put_the_timeline_away(
    user: User, looping: ReplayWorkspace
) -> None:
    """It is laid out anew out of sight, when the theme or the fonts change."""
    strip = user.window.record.review.strip
    QApplication.postEvent(strip, QEvent(QEvent.Type.LayoutRequest))
    user.settle()
    assert looping.views.timeline.isVisible()
