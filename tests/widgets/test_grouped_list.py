from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem, QTableView, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from waypost.widgets.grouped_list import GroupedList, ListRow


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[GroupedList]:
    """A list in a window that leaves it exactly its width."""
    window = QWidget()
    made = GroupedList("episode", "episodes")
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(made)
    window.resize(700, 300)
    qtbot.addWidget(window)
    window.show()
    yield made
    window.close()


def table(shown: GroupedList) -> QTableView:
    found = shown.findChild(QTableView)
    assert isinstance(found, QTableView)
    return found


def rows(text: str, warning: str = "") -> tuple[ListRow, ...]:
    return tuple(ListRow(str(n), f"{text}_{n}", "done", warning=warning) for n in range(3))


def test_one_line_is_cut_in_the_middle_and_never_after_its_first_word(shown: GroupedList) -> None:
    shown.set_rows(rows("✓ small_house"))
    assert not table(shown).wordWrap()
    assert table(shown).textElideMode() is Qt.TextElideMode.ElideMiddle


def test_a_word_that_no_line_has_room_for_is_cut_in_the_middle(shown: GroupedList) -> None:
    shown.window().resize(260, 300)
    shown.set_rows(rows("○ anepisodewithanamethatiswiderthanthewholelist"))
    assert not table(shown).wordWrap()
    assert table(shown).textElideMode() is Qt.TextElideMode.ElideMiddle


def test_an_id_goes_on_in_the_second_line_where_a_part_ends(shown: GroupedList) -> None:
    shown.window().resize(226, 300)
    shown.set_rows(rows("▶ kujiale_0010_20_of_the_house"))
    assert table(shown).wordWrap()
    index, option = table(shown).model().index(0, 0), QStyleOptionViewItem()
    option.features |= QStyleOptionViewItem.ViewItemFeature.WrapText
    table(shown).itemDelegateForColumn(0).initStyleOption(option, index)
    assert option.text.split("\u200b") == [
        "▶ kujiale_",
        "0010_",
        "20_",
        "of_",
        "the_",
        "house_",
        "0",
    ]


def test_the_sign_of_a_warning_takes_room_too(shown: GroupedList) -> None:
    metrics = table(shown).fontMetrics()
    shown.set_rows(rows("✓ small_house"))
    detail_px = table(shown).sizeHintForColumn(1)
    fitting_px = metrics.horizontalAdvance("✓ small_house_0") + detail_px + 24
    assert metrics.averageCharWidth() * 24 < fitting_px
    frame_px = shown.width() - table(shown).viewport().width()
    shown.window().resize(fitting_px + frame_px, 300)
    one_line_px = table(shown).rowHeight(0)
    assert not table(shown).wordWrap()
    shown.set_rows(rows("✓ small_house", "collisions: 2"))
    assert table(shown).wordWrap()
    assert table(shown).rowHeight(0) > one_line_px


def test_rows_that_were_set_while_hidden_fit_when_they_are_seen(shown: GroupedList) -> None:
    shown.window().resize(260, 300)
    shown.hide()
    shown.set_rows(rows("✓ an_episode_with_quite_a_long_name"))
    shown.show()
    assert table(shown).wordWrap()


def test_a_row_is_as_high_as_others_where_a_heading_stood(shown: GroupedList) -> None:
    shown.set_rows([ListRow("1", "Hall"), ListRow("2", "Pool", group="Hallucinated")])
    heading = table(shown).rowHeight(1)
    shown.window().resize(226, 300)
    two_lines = [ListRow(str(n), "Can it go from the hall to the kitchen?") for n in range(3)]
    shown.set_rows(two_lines)
    assert len({table(shown).rowHeight(n) for n in range(3)} - {heading}) == 1
    shown.set_rows(
        [*two_lines, ListRow("4", "Can it go from the hall to the pool?", group="Hallucinated")]
    )
    shown.set_query("pool")
    assert [table(shown).rowHeight(n) > heading for n in range(2)] == [False, True]
