"""Episodes filtered by a metric's range: asked for by keys, said in words, undone by its chip."""

from __future__ import annotations

from pathlib import Path

import pytest
from cut_text import cut_texts
from fixtures.row_examples import FOUR, make_row, make_rows
from gui.episode_tables import shown, table
from gui.runs import add_run, asked, shown_ids, write_line
from gui.user import User
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from shown_parts import chip_texts

from waypost.app.replay.table.episode_filters import FilterButton, FilterChips
from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.replay.table.metric_range_dialog import MetricRangeDialog
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.app.window.pickers import CommandPalette
from waypost.app.window.startup import make_application
from waypost.domain.base.metric_range import MetricRange, RangeKind
from waypost.domain.replay.row_filter import RowFilter
from waypost.widgets.theme import apply_theme

__all__ = ["table"]

pytestmark = pytest.mark.gui


def chips(table: EpisodeTable) -> tuple[str, ...]:
    return chip_texts(table.findChild(FilterChips))


def opened(table: EpisodeTable, qtbot: QtBot) -> MetricRangeDialog:
    """The form, from the menu."""
    menu = table.findChild(FilterButton).menu()
    menu.aboutToShow.emit()
    (action,) = (a for a in menu.actions() if a.text() == "Metric's range …")
    action.trigger()
    dialog = table.findChildren(MetricRangeDialog)[-1]
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def told(dialog: MetricRangeDialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def choose(dialog: MetricRangeDialog, metric: str, comparison: RangeKind, *bounds: float) -> None:
    dialog.metric_box.setCurrentText(metric)
    dialog.comparison_box.setCurrentText(comparison.value)
    for box, bound in zip((dialog.bound_box, dialog.other_box), bounds, strict=False):
        box.setValue(bound)


def accept(dialog: MetricRangeDialog, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.primary, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.isVisible())


def test_it_begins_with_the_failures_and_says_what_it_would_show(
    table: EpisodeTable, qtbot: QtBot
) -> None:
    dialog = opened(table, qtbot)
    assert dialog.value == MetricRange("SPL", RangeKind.BELOW, 0.5)
    assert "Profile: Room-to-Room." in told(dialog)
    assert "Shows 2 of 4 episodes. 1 is left out: SPL is undefined there." in told(dialog)
    dialog.metric_box.setCurrentText("NE")
    assert dialog.value == MetricRange("NE", RangeKind.ABOVE, 3.0)
    assert dialog.bound_box.text() == "3.00 m"
    choose(dialog, "NE", RangeKind.BETWEEN, 6, 4)
    assert "Shows 2 of 4 episodes." in told(dialog)
    assert shown(table) == ["100_0", "7_0", "12_1", "7_1"]
    accept(dialog, qtbot)
    assert shown(table) == ["7_0", "7_1"]
    assert chips(table) == ("NE from 4 to 6 m (r2r), 1 undefined left out ×",)


def test_it_stands_beside_other_filters_and_its_chip_takes_it_away(
    table: EpisodeTable, qtbot: QtBot
) -> None:
    table.model.set_filter(RowFilter("sofa", scenes=frozenset({"attic", "line"})))
    dialog = opened(table, qtbot)
    choose(dialog, "NE", RangeKind.AT_LEAST, 4)
    accept(dialog, qtbot)
    assert shown(table) == ["7_0"]
    assert chips(table) == ("attic ×", "line ×", "NE at least 4 m (r2r) ×")
    dialog = opened(table, qtbot)
    assert dialog.value == MetricRange("NE", RangeKind.AT_LEAST, 4.0)
    dialog.comparison_box.setCurrentText("below")
    accept(dialog, qtbot)
    assert shown(table) == ["100_0"]
    (chip,) = (b for b in table.findChild(FilterChips)._chips if b.full_text.startswith("NE"))
    assert chip.accessibleName() == "Remove the filter NE below 4 m (r2r)"
    qtbot.waitUntil(chip.isVisible)
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert shown(table) == ["100_0", "7_0"]
    assert table.model.filter.query == "sofa"


def test_cancel_changes_nothing_and_other_runs_close_it(table: EpisodeTable, qtbot: QtBot) -> None:
    before = table.model.filter
    dialog = opened(table, qtbot)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert table.model.filter is before
    dialog = opened(table, qtbot)
    table.set_runs((make_rows(make_row("9_0"), name="other"), FOUR))
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert table.model.filter.is_empty


def test_of_several_runs_one_is_asked_about(table: EpisodeTable, qtbot: QtBot) -> None:
    table.set_runs((FOUR, make_rows(make_row("7_1", (9.0, 0.0, 0.0)), name="other")))
    dialog = opened(table, qtbot)
    dialog.run_box.setCurrentText("other")
    choose(dialog, "NE", RangeKind.ABOVE, 3)
    accept(dialog, qtbot)
    assert shown(table) == ["7_1"]
    assert chips(table) == ("NE above 3 m (r2r, other), 3 undefined left out ×",)
    (in_other,) = table.model.filter.ranges
    table.model.set_filter(RowFilter(ranges=(in_other, MetricRange("NE", RangeKind.ABOVE, 3.0))))
    third = make_rows(make_row("7_1", (0.0, 1.0, 1.0)), name="third")
    table.set_runs((FOUR, third))
    assert chips(table) == ("NE above 3 m (r2r, model), 1 undefined left out ×",)
    assert shown(table) == ["7_0", "7_1"]
    table.set_rows(FOUR)
    assert chips(table) == ("NE above 3 m (r2r), 1 undefined left out ×",)
    table.set_rows(third)
    assert (chips(table), shown(table)) == ((), ["7_1"])


def test_rows_that_arrive_are_filtered_and_counted(table: EpisodeTable) -> None:
    part = make_rows(make_row("1_0", (1.0, 1.0, 1.0)), is_whole=False)
    table.set_rows(part)
    table.model.set_filter(RowFilter(ranges=(MetricRange("NE", RangeKind.ABOVE, 3.0),)))
    assert shown(table) == []
    more = make_row("2_0", (None, None, None)), make_row("3_0", (5.0, 0.0, 0.0))
    table.set_rows(make_rows(*part.rows, *more))
    assert shown(table) == ["3_0"]
    assert chips(table) == ("NE above 3 m (r2r), 1 undefined left out ×",)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("percent", [100, 200])
def test_no_text_of_the_form_is_cut(
    table: EpisodeTable, qtbot: QtBot, theme: str, percent: int
) -> None:
    apply_theme(make_application(), theme, percent)
    dialog = opened(table, qtbot)
    choose(dialog, "NE", RangeKind.BETWEEN, 6, 4)
    qtbot.waitUntil(lambda: cut_texts(dialog) == [])
    dialog.reject()


@pytest.fixture
def replay(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    user.open(house)
    user.press("Ctrl+5")
    add_run(user, asked(write_line(tmp_path / "line"), "gpt"))
    return user.window.replay


def test_keys_alone_filter_the_episodes_of_a_run(user: User, replay: ReplayWorkspace) -> None:
    user.press("Shift+F")
    user.wait(lambda: user.window.findChildren(MetricRangeDialog))
    dialog: MetricRangeDialog = user.find(MetricRangeDialog)
    user.wait(dialog.isActiveWindow)
    assert dialog.metric_box.hasFocus()
    user.press("Home", "Tab", "Home", "Tab", "Ctrl+A")
    assert dialog.comparison_box.currentText() == "below"
    user.type("6")
    user.press("Return")
    user.wait(lambda: not replay.table.model.filter.is_empty)
    (wanted,) = replay.table.model.filter.ranges
    assert (wanted.metric, wanted.comparison, wanted.bound) == ("TL", RangeKind.BELOW, 6.0)
    assert shown_ids(replay) == ["7_2"]


def test_the_palette_has_it(user: User, replay: ReplayWorkspace) -> None:
    entries = {e.key: e for e in user.window.actions_set.palette_entries()}
    entry = entries["replay.filter_metric"]
    assert (entry.text, entry.is_enabled) == ("Filter episodes by a metric's range …", True)
    user.press("Ctrl+Shift+P")
    user.find(CommandPalette)
    user.type("metric range")
    user.press("Return")
    user.wait(lambda: user.window.findChildren(MetricRangeDialog))
    user.find(MetricRangeDialog).reject()
