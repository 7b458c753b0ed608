"""Ids that have no room keep what tells them apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixtures.row_examples import make_row, make_rows
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from waypost.app.replay.table.column_room import MARGIN_PX
from waypost.app.replay.table.episode_model import EpisodeTableModel
from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.replay.table.id_cells import IdCells, shared_start, some_numbers
from waypost.domain.replay.row_filter import RowFilter

CAPNAV = ("home_0__WHEELCHAIR", "home_10__HUMAN", "home_12__WHEELCHAIR")


@pytest.mark.parametrize(
    ("ids", "shared"),
    [
        (CAPNAV, "home_"),
        (CAPNAV[1:], "home_"),
        (("7_0", "7_1"), ""),
        (("100_0", "101_0"), ""),
        (("scan_a-1", "scan_a-2", "other"), ""),
        (("only_one",), ""),
        (("only_one", "only_one"), ""),
        ((), ""),
    ],
)
def test_what_ids_share_ends_between_words(ids: tuple[str, ...], shared: str) -> None:
    assert shared_start(ids) == shared
    assert shared_start(reversed(ids)) == shared


def test_rows_from_everywhere_stand_for_all() -> None:
    assert some_numbers(0) == set()
    assert some_numbers(3) == {0, 1, 2}
    assert {0, 99_999} <= some_numbers(100_000)
    assert len(some_numbers(100_000)) <= 102


def shown(model: EpisodeTableModel, cells: IdCells, row: int, width_px: int) -> str:
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, width_px, 20)
    cells.initStyleOption(option, model.index(row, 0))
    assert option.textElideMode is Qt.TextElideMode.ElideMiddle
    return str(option.text)


def test_a_cell_leaves_out_what_all_share_only_where_it_has_no_room(qtbot: QtBot) -> None:
    model = EpisodeTableModel()
    cells = IdCells(model)
    model.set_runs((make_rows(*map(make_row, CAPNAV)),))
    assert [shown(model, cells, row, 1000) for row in range(3)] == list(CAPNAV)
    expected = ["…0__WHEELCHAIR", "…10__HUMAN", "…12__WHEELCHAIR"]
    assert [shown(model, cells, row, 40) for row in range(3)] == expected
    model.set_filter(RowFilter("home_1"))
    assert [shown(model, cells, row, 40) for row in range(2)] == expected[1:]
    model.set_runs((make_rows(make_row("7_0"), make_row("7_1"), name="other"),))
    assert shown(model, cells, 1, 10) == "7_1"


def test_tags_give_way_to_long_ids_in_a_narrow_table(qtbot: QtBot) -> None:
    table = EpisodeTable()
    qtbot.addWidget(table)
    table.set_compact(True)
    table.set_rows(make_rows(*map(make_row, CAPNAV)))
    view = table._view
    digit_px = view.fontMetrics().horizontalAdvance("0")
    table.resize(13 * digit_px, 300)
    table.show()
    qtbot.waitUntil(lambda: view.columnWidth(0) >= 7 * digit_px)
    titles = [c.title for n, c in enumerate(table.model.columns) if not view.isColumnHidden(n)]
    assert titles == ["Id", "✓"]


@pytest.mark.parametrize("is_compact", [False, True])
def test_whose_take_it_is_can_be_read(qtbot: QtBot, is_compact: bool) -> None:
    """Episode, person and take can be read in full, in short where the table is narrow."""
    table = EpisodeTable()
    qtbot.addWidget(table)
    table.set_compact(is_compact)
    takes = [
        replace(make_row("1_0"), attempt=number, take=1, participant=code)
        for number, code in enumerate(("P-4K7D", "P-9WRM"), start=1)
    ]
    table.set_rows(make_rows(*takes, name="Human takes"))
    table.resize(213 if is_compact else 746, 300)
    table.show()
    view, cells = table._view, table._view.itemDelegateForColumn(0)
    needed = "1_0 · P-9WRM ·1" if is_compact else "1_0 · P-9WRM, take 1"
    qtbot.waitUntil(
        lambda: view.columnWidth(0) - MARGIN_PX > view.fontMetrics().horizontalAdvance(needed)
    )
    option = QStyleOptionViewItem()
    option.rect = view.visualRect(table.model.index(1, 0))
    cells.initStyleOption(option, table.model.index(1, 0))
    assert option.text == needed
    titles = [c.title for n, c in enumerate(table.model.columns) if not view.isColumnHidden(n)]
    assert {"Tags", "✓"} < set(titles)
    assert table._count.full_text.startswith("2 takes")


def test_whose_take_it_is_stays_where_the_id_gives_way(qtbot: QtBot) -> None:
    model = EpisodeTableModel()
    cells = IdCells(model)
    takes = [replace(make_row(own), take=2, participant="P-4K7D") for own in CAPNAV]
    model.set_runs((make_rows(*takes),))
    assert shown(model, cells, 1, 1000) == "home_10__HUMAN · P-4K7D, take 2"
    option = QStyleOptionViewItem()
    needed_px = option.fontMetrics.horizontalAdvance("…10__HUMAN · P-4K7D ·2") + MARGIN_PX
    assert shown(model, cells, 1, needed_px + 1) == "…10__HUMAN · P-4K7D ·2"
    less = shown(model, cells, 1, needed_px - 20)
    assert less.count("…") == 1
    assert less.endswith("HUMAN · P-4K7D ·2")
    assert shown(model, cells, 1, 10).endswith(" · P-4K7D ·2")


def test_a_later_take_that_needs_more_gets_it(qtbot: QtBot) -> None:
    """Rows come while they are read, and a later code may be wider."""
    table = EpisodeTable()
    qtbot.addWidget(table)
    table.set_compact(True)
    takes = [
        replace(make_row(own), take=1, participant=code)
        for own, code in (("1_0", "P-4K7D"), ("2_0", "P-WWWW"))
    ]
    view = table._view
    table.resize(200, 300)
    table.show()
    for count in (1, 2):
        table.set_rows(make_rows(*takes[:count], name="Human takes"))
    needed_px = view.fontMetrics().horizontalAdvance("2_0 · P-WWWW ·1")
    qtbot.waitUntil(lambda: view.columnWidth(0) - MARGIN_PX > needed_px)
