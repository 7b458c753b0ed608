"""Small windows and large text: nothing is cut in any workspace, and everything can be reached."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from cut_text import cut_texts
from gui.user import User
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QTabBar, QTableView, QToolButton, QWidget
from pytestqt.exceptions import TimeoutError as GaveUp
from pytestqt.qtbot import QtBot

from waypost.annotators.traverse.hud import Hud, HudValues
from waypost.app.replay.turning_splitter import TurningSplitter
from waypost.widgets.choice_strip import ChoiceStrip
from waypost.widgets.parts import column, scroll_panel

pytestmark = [pytest.mark.gui, pytest.mark.no_cover]

SMALL, USUAL = (960, 600), (1280, 720)
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
KEY_WORDS = ("forward", "back", "turn left", "turn right", "step left", "step right")
HARD = (
    (SMALL, 200, "dark"),
    (SMALL, 150, "light"),
    (SMALL, 100, "dark"),
    (USUAL, 200, "light"),
    (USUAL, 100, "light"),
)
"""Size of the window, percent of the text, theme; the hardest first."""


def dress(user: User, size_px: tuple[int, int], percent: int, theme: str) -> None:
    window = user.window
    window.resize(*size_px)
    wanted = replace(window.bench.settings, theme=theme, text_scale_percent=percent)
    window.bench.change_settings(wanted)
    settle(user)


def settle(user: User) -> None:
    """Let sizes be passed on from the inside out."""
    for _ in range(5):
        user.settle()


def cut(user: User, root: QWidget | None = None) -> list[str]:
    """Texts that stay cut once what shows them has got its room."""
    settle(user)
    root = root or user.window
    with suppress(GaveUp):
        user.wait(lambda: cut_texts(root) == [], 20_000)
    return cut_texts(root)


@pytest.mark.parametrize(("size_px", "percent", "theme"), HARD)
def test_no_text_of_the_window_is_cut(
    user: User, sample: Path, size_px: tuple[int, int], percent: int, theme: str
) -> None:
    window, replay = user.window, user.window.replay
    dress(user, size_px, percent, theme)
    found = {"start": cut(user)}
    user.open(sample)
    for name in ("graph", "traverse", "record", "replay"):
        window.show_workspace(name)
        found[name] = cut(user)
    names = replay.desk.names[:3]
    replay.show_runs(names)
    user.wait(lambda: all((rows := replay.desk.rows(n)) and rows.is_whole for n in names))
    user.wait(lambda: replay.table.model.rowCount() > 0)
    row = replay.table.model.row_at(0)
    assert row is not None
    replay.open_episode(row.episode_id)
    user.wait(replay.has_episode)
    for face in ("table", "charts", "map", "scene", "compare"):
        replay.show_face(face)
        found[face] = cut(user)
    for page in ("Step", "Memory", "Metrics", "Causes"):
        replay.show_page(page)
        found[page] = cut(user)
    assert {place: texts for place, texts in found.items() if texts} == {}
    bars = [table._view.horizontalScrollBar() for table in (replay.table, replay.wide_table)]
    user.wait(lambda: [bar.maximum() for bar in bars] == [0, 0])


def test_cut_slider_leaves_a_narrow_stage_its_room(user: User, sample: Path) -> None:
    """With the largest text its card is folded, and unfolds over the scene for the keyboard."""
    dress(user, SMALL, 200, "dark")
    user.open(sample)
    settle(user)
    view, slider = user.window.stage.view, user.window.stage.slider
    slider.clearFocus()
    user.wait(lambda: slider.is_folded and slider.width() <= view.width() / 8)
    right = slider.geometry().right()
    slider.setFocus()
    user.wait(lambda: slider.width() == slider.sizeHint().width() > view.width() / 8)
    assert slider.geometry().right() == right
    dress(user, USUAL, 100, "dark")
    user.window.stage.view.setFocus()
    user.wait(lambda: not slider.is_folded and slider.width() > 60)


def test_runs_beside_each_other_are_told_apart_in_a_small_window(user: User, sample: Path) -> None:
    """Letter, sign and step of a run stand above the map, however long its name is."""
    user.open(sample)
    dress(user, SMALL, 200, "light")
    replay = user.window.replay
    user.window.show_workspace("replay")
    names = replay.desk.names[:2]
    replay.show_runs(names)
    user.wait(lambda: all((rows := replay.desk.rows(n)) and rows.is_whole for n in names))
    row = replay.table.model.row_at(0)
    assert row is not None
    replay.open_episode(row.episode_id)
    user.wait(replay.has_episode)
    replay.show_face("compare")
    settle(user)
    first = replay.comparison._rows[0]
    first._title.set_full_text(f"A  {'a_long_name_of_a_run_' * 5}  ✕")
    area = first.frame.parentWidget().parentWidget()

    def is_shown() -> bool:
        shown = area.rect()
        return all(
            shown.contains(part.mapTo(area, part.rect().bottomLeft()))
            for part in (first._title, first._state)
        )

    user.wait(is_shown)
    assert first._title.text().startswith("A  a")
    assert first._title.text().endswith("✕")


def test_time_has_room_when_text_grows_while_it_is_shown(user: User, sample: Path) -> None:
    replay = user.window.replay
    user.open(sample)
    user.window.show_workspace("replay")
    user.wait(lambda: replay.table.model.rowCount() > 0)
    row = replay.table.model.row_at(0)
    assert row is not None
    replay.open_episode(row.episode_id)
    user.wait(lambda: replay.has_episode() and replay.face == "map")
    dress(user, SMALL, 200, "light")
    timeline = replay.views.timeline
    for part in (timeline.play, timeline.speed):
        user.wait(lambda part=part: part.height() >= part.minimumSizeHint().height())
    strip = replay.views.strip
    user.wait(lambda: strip.isHidden() or strip.height() >= strip.minimumSizeHint().height())
    dress(user, (1280, 720), 100, "dark")
    user.wait(strip.isVisible)
    user.wait(lambda: user.window.below.height() <= replay.views.below.sizeHint().height())


@pytest.mark.parametrize("percent", [100, 200])
def test_workspaces_never_give_way_to_words(user: User, sample: Path, percent: int) -> None:
    user.open(sample)
    dress(user, SMALL, percent, "dark")
    tabs = user.find(QTabBar, "Workspaces")
    user.wait(lambda: tabs.width() >= tabs.sizeHint().width())
    assert all(not arrow.isVisible() for arrow in tabs.findChildren(QToolButton))
    bar = user.window._bar
    assert bar.search.isVisible()
    assert "Ctrl+Shift+P" in bar.search.toolTip()
    user.wait(lambda: ("Ctrl+Shift+P" in bar.search.text()) is (percent == 100))


def test_pages_of_an_episode_have_room_in_the_usual_window(user: User, sample: Path) -> None:
    user.open(sample)
    user.window.show_workspace("replay")
    settle(user)
    arrows = user.window.replay.views.tabs.findChildren(QToolButton)
    user.wait(lambda: all(not arrow.isVisible() for arrow in arrows))


class _Strip:
    """Three choices in a row."""

    def __init__(self, qtbot: QtBot) -> None:
        self._place = QWidget()
        qtbot.addWidget(self._place)
        self.widget = ChoiceStrip("Show", self._place)
        texts = ("Table", "Charts", "Compare")
        self.widget.set_choices((t, t, str(n), t) for n, t in enumerate(texts, start=1))
        self.widget.set_current("Table")
        self._place.show()

    @property
    def texts(self) -> list[str]:
        return [b.text() for b in self.widget._buttons.values() if b.isVisible()]

    @property
    def in_menu(self) -> list[str]:
        if not self.widget._more.isVisible():
            return []
        return [action.text() for action in self.widget._more.menu().actions()]


def test_strip_loses_keys_then_its_last_choices(qtbot: QtBot) -> None:
    strip = _Strip(qtbot)
    whole = strip.widget.sizeHint()
    strip.widget.resize(whole)
    assert strip.texts == ["Table  1", "Charts  2", "Compare  3"]
    strip.widget.resize(whole.width() - 1, whole.height())
    assert (strip.texts, strip.in_menu) == (["Table", "Charts", "Compare"], [])
    strip.widget.resize(strip.widget.minimumSizeHint())
    assert strip.texts == ["Table"]
    assert strip.in_menu == ["Charts\t2", "Compare\t3"]
    assert cut_texts(strip.widget) == []
    strip.widget.resize(whole)
    assert (len(strip.texts), strip.in_menu) == (3, [])


def test_choice_in_the_menu_is_chosen_by_keys(qtbot: QtBot) -> None:
    strip = _Strip(qtbot)
    strip.widget.chosen.connect(strip.widget.set_current)
    strip.widget.resize(strip.widget.minimumSizeHint())
    assert strip.widget._more.focusPolicy() & Qt.FocusPolicy.TabFocus
    with qtbot.waitSignal(strip.widget.chosen) as told:
        strip.widget._more.menu().actions()[1].trigger()
    assert told.args == ["Compare"]
    assert strip.texts == ["Compare"]
    assert strip.in_menu == ["Table\t1", "Charts\t2"]


def test_parts_stand_below_each_other_where_they_need_more_width(qtbot: QtBot) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    splitter = TurningSplitter(place)
    left, right = QWidget(), QWidget()
    for part in (left, right):
        part.setMinimumSize(200, 50)
        splitter.addWidget(part)
    splitter.resize(420, 300)
    place.show()
    assert splitter.orientation() is Qt.Orientation.Horizontal
    assert splitter.minimumSizeHint().width() == 200
    splitter.resize(399, 300)
    assert splitter.orientation() is Qt.Orientation.Vertical
    splitter.resize(420, 300)
    assert splitter.orientation() is Qt.Orientation.Horizontal
    left.setMinimumWidth(300)
    qtbot.waitUntil(lambda: splitter.orientation() is Qt.Orientation.Vertical)


def test_panel_that_scrolls_is_as_wide_as_what_it_shows(qtbot: QtBot) -> None:
    content = QWidget()
    content.setMinimumSize(260, 900)
    area = scroll_panel(column(content, margin_px=0))
    qtbot.addWidget(area)
    area.show()
    bar_px = area.verticalScrollBar().sizeHint().width()
    qtbot.waitUntil(lambda: area.minimumSizeHint().width() == 260 + bar_px)
    content.setMinimumWidth(320)
    qtbot.waitUntil(lambda: area.minimumSizeHint().width() == 320 + bar_px)


@pytest.mark.parametrize("width_px", [760, 420, 300])
@pytest.mark.parametrize("percent", [100, 200])
def test_driving_display_stays_inside_the_stage(
    user: User, qtbot: QtBot, width_px: int, percent: int
) -> None:
    stage = QWidget()
    qtbot.addWidget(stage)
    stage.resize(width_px, 420)
    hud = Hud(stage)
    stage.show()
    keys = tuple((key, word) for key, word in zip("WSADQE", KEY_WORDS, strict=True))
    hud.start("Humanoid", keys)
    hud.set_notice("Stopped: the window lost the keyboard. Press a drive key to go on")
    hud.set_values(HudValues(1.2, 0.05, 0.02, 0.12, 0.3, "stairs"))
    dress(user, USUAL, percent, "dark")
    shown = [card for card in stage.findChildren(QFrame, options=DIRECT) if card.isVisible()]
    assert len(shown) >= 2
    for number, card in enumerate(shown):
        assert stage.rect().contains(card.geometry()), card.geometry()
        assert not any(card.geometry().intersects(other.geometry()) for other in shown[:number])
    assert cut(user, stage) == []


def test_driving_display_follows_the_text_scale(user: User, qtbot: QtBot) -> None:
    """It is made at one scale and shown at another, as in a program started so."""
    dress(user, USUAL, 200, "dark")
    sizes = []
    for first in (200, 100):
        dress(user, USUAL, first, "dark")
        stage = QWidget()
        qtbot.addWidget(stage)
        stage.resize(1000, 700)
        hud = Hud(stage)
        stage.show()
        dress(user, USUAL, 200, "dark")
        hud.start("Human", (("W", "forward"),))
        settle(user)
        sizes.append([card.size() for card in stage.findChildren(QFrame, options=DIRECT)])
    assert sizes[0] == sizes[1]


def test_keys_can_be_read_beside_their_actions(user: User) -> None:
    dress(user, SMALL, 200, "dark")
    user.window.preferences.edit_shortcuts()
    settle(user)
    table = user.find(QTableView, root=user.window.preferences._editor)
    user.wait(lambda: table.horizontalScrollBar().maximum() == 0)
    user.window.preferences._editor.close()
