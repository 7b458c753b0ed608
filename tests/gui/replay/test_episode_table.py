"""The table of episodes alone: search, sort, filter, choose, jump, two views of one model."""

from __future__ import annotations

import dataclasses

import pytest
from cut_text import cut_texts
from fixtures.row_examples import FOUR, make_row, make_rows
from gui.episode_tables import shown, table
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot
from shown_parts import chip_texts

from waypost.app.replay.table.episode_filters import FilterButton, FilterChips
from waypost.app.replay.table.episode_model import ColumnKind
from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.window.startup import make_application
from waypost.domain.replay.row_filter import RowFilter
from waypost.domain.replay.run_rows import RunRows
from waypost.domain.replay.tags import TagKind
from waypost.services.appearance import DARK, LIGHT
from waypost.services.pieces import Pieces
from waypost.tables import joined_runs
from waypost.widgets.parts import ElidedButton
from waypost.widgets.theme import apply_theme

__all__ = ["table"]

pytestmark = pytest.mark.gui

ROLE = Qt.ItemDataRole


def search_of(table: EpisodeTable) -> QLineEdit:
    return table.findChild(QLineEdit)


def view_of(table: EpisodeTable) -> QTableView:
    return table.findChild(QTableView)


def column_of(table: EpisodeTable, kind: ColumnKind, metric: str = "") -> int:
    pairs = [(column.kind, column.metric) for column in table.model.columns]
    return pairs.index((kind, metric))


def cell(table: EpisodeTable, row: int, column: int, role: int = ROLE.DisplayRole) -> object:
    return table.model.data(table.model.index(row, column), role)


def visible_columns(table: EpisodeTable) -> list[str]:
    view = view_of(table)
    return [
        column.title
        for number, column in enumerate(table.model.columns)
        if not view.isColumnHidden(number)
    ]


def count_of(table: EpisodeTable) -> str:
    return table._count.full_text


def test_cells_say_what_they_show(table: EpisodeTable) -> None:
    ne, sign = column_of(table, ColumnKind.METRIC, "NE"), column_of(table, ColumnKind.SUCCESS)
    tags = column_of(table, ColumnKind.TAGS)
    assert [cell(table, row, sign) for row in range(4)] == ["✓", "✕", "?", "✕"]
    assert cell(table, 0, sign, ROLE.AccessibleTextRole) == "success"
    assert cell(table, 1, sign, ROLE.ToolTipRole) == "No success; ended by: stop"
    assert cell(table, 2, sign, ROLE.ToolTipRole) == "Success unknown: no way; ended by: stop"
    assert [cell(table, row, ne) for row in range(4)] == ["0.00", "4.00", "–", "6.00"]
    assert cell(table, 2, ne, ROLE.ToolTipRole) == "Undefined: no way"
    assert cell(table, 2, ne, ROLE.AccessibleTextRole) == "NE undefined"
    assert cell(table, 1, tags) == "↻ loops  ⇥ late stop"
    assert cell(table, 1, tags, ROLE.AccessibleTextRole) == "Looping, Late stop"
    assert "Late stop, from step 1: because of late_stop" in str(
        cell(table, 1, tags, ROLE.ToolTipRole)
    )
    header = table.model.headerData(ne, Qt.Orientation.Horizontal, ROLE.ToolTipRole)
    assert "Shortest way from the last viewpoint to the goal." in str(header)
    assert "Room-to-Room" in str(header)


@pytest.mark.parametrize(("theme", "tokens"), [("dark", DARK), ("light", LIGHT)])
def test_signs_have_the_colours_of_the_theme(
    table: EpisodeTable, theme: str, tokens: object
) -> None:
    apply_theme(make_application(), theme)
    sign = column_of(table, ColumnKind.SUCCESS)
    names = [cell(table, row, sign, ROLE.ForegroundRole).name() for row in range(3)]  # type: ignore[attr-defined]
    assert names == [tokens.travels, tokens.does_not, tokens.uncertain]  # type: ignore[attr-defined]
    assert cut_texts(table) == []


def test_a_click_on_a_heading_sorts_and_a_third_restores(table: EpisodeTable, qtbot: QtBot) -> None:
    header = view_of(table).horizontalHeader()
    column = column_of(table, ColumnKind.METRIC, "NE")
    place = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
    orders = []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        orders.append(shown(table))
    assert orders == [
        ["100_0", "7_0", "7_1", "12_1"],
        ["7_1", "7_0", "100_0", "12_1"],
        ["100_0", "7_0", "12_1", "7_1"],
    ]


def test_typing_searches_and_enter_goes_to_an_id(table: EpisodeTable, qtbot: QtBot) -> None:
    table.focus_search()
    qtbot.keyClicks(search_of(table), "sofa")
    assert shown(table) == ["100_0", "7_0"]
    assert count_of(table) == "2 of 4 episodes"
    search_of(table).selectAll()
    told: list[tuple[object, ...]] = []
    table.episode_chosen.connect(lambda *what: told.append(what))
    table.attempt_chosen.connect(lambda *what: told.append(what))
    qtbot.keyClicks(search_of(table), "12_1")
    qtbot.keyClick(search_of(table), Qt.Key.Key_Return)
    assert told == [("12_1",), ("12_1", 1)]
    assert table.chosen is FOUR.rows[2]


def test_enter_chooses_the_first_row_that_words_find(table: EpisodeTable, qtbot: QtBot) -> None:
    with qtbot.waitSignal(table.episode_chosen) as told:
        qtbot.keyClicks(search_of(table), "stairs")
        qtbot.keyClick(search_of(table), Qt.Key.Key_Return)
    assert told.args == ["7_1"]


def test_arrows_leave_the_search_and_choose_rows(table: EpisodeTable, qtbot: QtBot) -> None:
    table.focus_search()
    with qtbot.waitSignal(table.episode_chosen) as told:
        qtbot.keyClick(search_of(table), Qt.Key.Key_Down)
    assert told.args == ["100_0"]
    assert view_of(table).hasFocus()
    with qtbot.waitSignal(table.episode_chosen) as told:
        qtbot.keyClick(view_of(table), Qt.Key.Key_Down)
    assert told.args == ["7_0"]


def test_enter_opens_the_row_that_came_first(table: EpisodeTable, qtbot: QtBot) -> None:
    """Nothing was replayed for it; later rows and another order leave it where it is."""
    view = view_of(table)
    part = make_rows(*(make_row(f"{n}_0") for n in range(50)), is_whole=False)
    with qtbot.assertNotEmitted(table.episode_chosen):
        table.set_runs(())
        table.set_rows(part)
        view.sortByColumn(column_of(table, ColumnKind.ID), Qt.SortOrder.DescendingOrder)
        more = (make_row(f"{n}_0") for n in range(50, 300))
        table.set_rows(dataclasses.replace(part, rows=(*part.rows, *more)))
    assert (table.chosen, shown(table).index("0_0")) == (None, 299)
    assert view.currentIndex().row() == 299
    for query, number in (("299_0", 0), ("", 299)):
        search_of(table).setText(query)
        assert view.currentIndex().row() == number
    with qtbot.waitSignal(table.entered) as told:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert told.args == ["0_0", 1]


@pytest.mark.parametrize("is_compact", [False, True])
def test_keys_begin_at_the_first_row_where_a_filter_hides_what_is_replayed(
    table: EpisodeTable, qtbot: QtBot, *, is_compact: bool
) -> None:
    """No row looks chosen, nothing is opened by itself, and no row is passed over."""
    table.set_compact(is_compact)
    view = view_of(table)
    told: list[str] = []
    table.episode_chosen.connect(told.append)
    table.set_chosen("100_0")
    table.model.set_filter(RowFilter(tags=frozenset({TagKind.LATE_STOP})))
    assert shown(table) == ["7_0", "7_1"]
    search_of(table).setFocus()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    assert view.selectionModel().selectedRows() == []
    assert (table.chosen.episode_id, told) == ("100_0", [])
    with qtbot.waitSignal(table.entered) as entered:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert (entered.args, told) == (["7_0", 1], ["7_0"])
    table.set_chosen("100_0")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert told == ["7_0", "7_0"]
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert told == ["7_0", "7_0", "7_1"]
    table.set_chosen("100_0")
    table.model.set_filter(RowFilter())
    assert [index.row() for index in view.selectionModel().selectedRows()] == [0]


def test_going_to_an_id_takes_away_what_hides_it(table: EpisodeTable) -> None:
    table.model.set_filter(RowFilter(tags=frozenset({TagKind.LOOPING})))
    assert shown(table) == ["7_0"]
    assert table.go_to("12_1")
    assert len(shown(table)) == 4
    assert not table.go_to("999")


def test_the_menu_filters_and_chips_undo(table: EpisodeTable, qtbot: QtBot) -> None:
    menu = table.findChild(FilterButton).menu()
    menu.aboutToShow.emit()
    by_title = {action.text(): action.menu() for action in menu.actions() if action.menu()}
    tags = by_title["Tag"]
    assert isinstance(tags, QMenu)
    texts = [action.text() for action in tags.actions()]
    assert texts == ["↻  Looping  (1)", "⇥  Late stop  (2)", "⚠  Generation error  (2)"]
    tags.actions()[1].trigger()
    assert shown(table) == ["7_0", "7_1"]
    menu.aboutToShow.emit()
    scenes = next(a.menu() for a in menu.actions() if a.text() == "Scene")
    assert isinstance(scenes, QMenu)
    scenes.actions()[0].trigger()
    assert shown(table) == ["7_0"]
    chips = table.findChild(FilterChips)
    assert chip_texts(chips) == ("Late stop ×", "attic ×")
    chip = next(b for b in chips.findChildren(QPushButton) if b.text() == "attic ×")
    qtbot.waitUntil(chip.isVisible)
    assert chip.accessibleName() == "Remove the filter attic"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert chip_texts(chips) == ("Late stop ×",)
    assert shown(table) == ["7_0", "7_1"]


def test_a_long_choice_goes_on_in_further_columns(table: EpisodeTable) -> None:
    table.set_rows(make_rows(*(make_row(f"{n}_0", scene=f"scene {n:02d}") for n in range(80))))
    menu = table.findChild(FilterButton).menu()
    menu.aboutToShow.emit()
    column = next(a.menu() for a in menu.actions() if a.text() == "Scene")
    found: list[str] = []
    while isinstance(column, QMenu):
        entries = column.actions()
        assert len(entries) <= 12
        found += [entry.text() for entry in entries if not entry.menu()]
        column = entries[-1].menu()
    assert len(found) == 56
    assert found[:2] == ["scene 00  (1)", "scene 01  (1)"]
    assert found[-1] == "25 more: type a name to search"


def test_charts_filter_by_ids(table: EpisodeTable) -> None:
    table.set_filter_ids(["7_0", "12_1"], "Late stop")
    assert chip_texts(table.findChild(FilterChips)) == ("Late stop: 2 episodes ×",)
    assert shown(table) == ["7_0", "12_1"]
    search_of(table).setText("left")
    assert shown(table) == ["12_1"]
    assert chip_texts(table.findChild(FilterChips)) == ("Late stop: 2 episodes ×",)
    table.set_filter_ids(None)
    assert shown(table) == ["12_1"]
    assert chip_texts(table.findChild(FilterChips)) == ()


def test_a_bar_shows_all_its_episodes_whatever_was_filtered(table: EpisodeTable) -> None:
    search_of(table).setText("left")
    table.model.set_filter(dataclasses.replace(table.model.filter, scenes=frozenset({"attic"})))
    table.set_filter_ids(["7_0", "12_1"], "Late stop")
    assert shown(table) == ["7_0", "12_1"]
    assert search_of(table).text() == ""
    assert chip_texts(table.findChild(FilterChips)) == ("Late stop: 2 episodes ×",)


def test_a_long_chip_is_shortened_where_its_count_is_kept(
    table: EpisodeTable, qtbot: QtBot
) -> None:
    before = table.minimumSizeHint().width()
    title = "Incorrect navigation → Late stop → Region & recognition \u202e"
    table.set_filter_ids(["7_0", "12_1"], title)
    chip = next(b for b in table.findChildren(ElidedButton) if b.isVisible())
    table.resize(220, 400)
    qtbot.waitUntil(lambda: "…" in chip.text())
    assert table.minimumSizeHint().width() == before
    assert chip.text().endswith("2 episodes ×")
    assert chip.toolTip().startswith(f"{title[:-1]}⟨RLO⟩: 2 episodes ×")


def test_empty_tables_teach(table: EpisodeTable, qtbot: QtBot) -> None:
    search_of(table).setText("zzz")
    assert table._empty._title.text() == "No episode matches"
    button = next(b for b in view_of(table).findChildren(QPushButton) if b.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (search_of(table).text(), len(shown(table))) == ("", 4)
    table.set_runs(())
    assert table._empty._title.text() == "Open a run"
    table.set_rows(dataclasses.replace(FOUR, rows=(), is_whole=False))
    assert table._empty._title.text() == "Reading"


def test_the_choice_stays_while_rows_arrive(table: EpisodeTable, qtbot: QtBot) -> None:
    rows = tuple(make_row(f"{n}_0") for n in range(400))
    part = make_rows(*rows[:100], is_whole=False)
    table.set_rows(part)
    table.set_chosen("50_0")
    view = view_of(table)
    view.verticalScrollBar().setValue(300)
    with qtbot.assertNotEmitted(table.episode_chosen):
        table.set_rows(dataclasses.replace(part, rows=rows))
    assert view.verticalScrollBar().value() == 300
    assert [index.row() for index in view.selectionModel().selectedRows()] == [50]
    assert table.chosen is rows[50]
    assert count_of(table) == "400 episodes"


def test_ids_that_grow_while_rows_arrive_are_shown_whole(table: EpisodeTable) -> None:
    rows = tuple(make_row("7" * (1 + n // 20)) for n in range(300))
    part = make_rows(*rows[:50], is_whole=False)
    table.set_rows(part)
    table.set_rows(dataclasses.replace(part, rows=rows))
    view, column = view_of(table), column_of(table, ColumnKind.ID)
    assert view.columnWidth(column) > view.fontMetrics().horizontalAdvance("7" * 15)


def test_two_views_share_one_model(table: EpisodeTable, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    narrow = EpisodeTable(table.model)
    narrow.set_compact(True)
    narrow.setFixedWidth(236)
    row = QHBoxLayout(window)
    row.addWidget(narrow)
    with qtbot.waitExposed(window):
        window.show()
    assert visible_columns(narrow) == ["Id", "✓", "SPL", "Tags"]
    view = view_of(narrow)
    assert view.horizontalScrollBar().maximum() == 0
    marks = column_of(narrow, ColumnKind.TAG_MARKS)
    assert cell(narrow, 1, marks) == "↻⇥"
    search_of(narrow).setText("sofa")
    assert search_of(table).text() == "sofa"
    view_of(table).sortByColumn(column_of(table, ColumnKind.ID), Qt.SortOrder.AscendingOrder)
    assert shown(narrow) == ["7_0", "100_0"]
    assert view.horizontalHeader().sortIndicatorSection() == column_of(narrow, ColumnKind.ID)
    narrow.model.set_metric("NE")
    assert visible_columns(narrow) == ["Id", "✓", "NE", "Tags"]
    assert cut_texts(window) == []


def test_runs_stand_side_by_side(table: EpisodeTable) -> None:
    other = make_rows(make_row("7_0", (1.0, 1.0, 0.8), scene="attic"), name="other")
    table.set_runs((FOUR, other))
    assert visible_columns(table) == [
        "Id", "✓1", "✓2", "SPL 1", "SPL 2", "Mark", "Tags", "Steps", "Scene", "Instruction",
    ]  # fmt: skip
    second = [n for n, c in enumerate(table.model.columns) if c.kind is ColumnKind.SUCCESS][1]
    assert [cell(table, row, second) for row in range(4)] == ["–", "✓", "–", "–"]
    assert cell(table, 0, second, ROLE.ToolTipRole) == "this run lacks the episode"


def test_each_run_has_the_definitions_of_its_own_profile(table: EpisodeTable) -> None:
    """A tip with another profile's definition would tell that two numbers can be compared."""
    other = dataclasses.replace(
        make_rows(make_row("7_0", (1.0,)), name="other"),
        profile_title="VLN-CE",
        columns=(dataclasses.replace(FOUR.columns[1], definition="1 if STOP was called near."),),
    )
    table.set_runs((FOUR, other))
    tips = {}
    for key in ("SR", "NE"):
        table.model.set_metric(key)
        columns = [c for c in table.model.columns if c.kind is ColumnKind.CHOSEN_METRIC]
        tips[key] = [column.tip for column in columns]
    assert tips["SR"][0].endswith("SR: 1 if NE is below 3 m. Profile: Room-to-Room.")
    assert tips["SR"][1] == "other: SR: 1 if STOP was called near. Profile: VLN-CE."
    assert tips["NE"][1] == "other: NE (m): not in this profile. Profile: VLN-CE."


def test_columns_give_way_so_that_nothing_scrolls_sideways(
    table: EpisodeTable, qtbot: QtBot
) -> None:
    table.resize(640, 400)
    view = view_of(table)
    qtbot.waitUntil(
        lambda: "SR" in visible_columns(table) and "Steps" not in visible_columns(table)
    )
    qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() == 0)
    assert "more columns when wider" in count_of(table)
    wide = table.width()
    while "more column when wider" not in count_of(table):
        wide += 10
        assert wide < 3000
        table.resize(wide, 400)
        qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() == 0)
    assert "1 more column when wider" in count_of(table)


def test_a_second_attempt_is_told_apart(table: EpisodeTable, qtbot: QtBot) -> None:
    table.set_rows(make_rows(make_row("1"), make_row("1", attempt=2)))
    assert cell(table, 1, 0) == "1 ·2"
    assert cell(table, 1, 0, ROLE.AccessibleTextRole) == "1, run 2 of this episode"
    with qtbot.waitSignal(table.attempt_chosen) as told:
        view_of(table).selectRow(1)
    assert told.args == ["1", 2]


def many() -> RunRows:
    words = [
        "walk",
        "past",
        "the",
        "kitchen",
        "and",
        "stop",
        "near",
        "the",
        "red",
        "sofa",
        "by",
        "the",
        "stairs",
    ]
    rows = [
        make_row(
            f"{n * 7919 % 100_003}_{n % 3}",
            (n % 97 / 7, float(n % 2), None if n % 11 == 0 else n % 101 / 100),
            scene=f"scan{n % 90}",
            instruction=" ".join(words[n % 7 :] + words[: n % 7]),
            success=n % 2 == 0,
            tags=(TagKind.LATE_STOP,) if n % 5 == 0 else (),
        )
        for n in range(100_000)
    ]
    return make_rows(*rows)


def test_a_hundred_thousand_rows_are_searched_and_sorted(table: EpisodeTable) -> None:
    table.set_rows(many())
    search_of(table).setText("scan77")
    # One of 90 scenes; ids and instructions hold no such word.
    assert table.model.rowCount() == 1111
    search_of(table).setText("")
    assert table.model.rowCount() == 100_000
    spl = column_of(table, ColumnKind.METRIC, "SPL")
    view_of(table).sortByColumn(spl, Qt.SortOrder.DescendingOrder)
    best = table.model.row_at(0)
    assert best is not None
    assert 1.0 in best.values


def test_what_is_shown_stays_until_runs_are_joined(
    qtbot: QtBot, table: EpisodeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joined_runs, "_AT_ONCE", 1)
    table.model._joining = Pieces(table.model, budget_s=0.0)
    five = make_rows(*(make_row(str(number)) for number in range(5)))
    other = make_rows(make_row("9"), name="other")
    table.set_rows(FOUR)
    table.set_runs((five, other))
    assert table.model.runs == (FOUR,)
    table.set_runs((other, five))
    table.set_chosen("3")
    qtbot.waitUntil(lambda: table.model.runs == (other, five))
    assert table.model.rowCount() == 6
    assert table.chosen is five.rows[3]
    table.set_runs((five, other))
    table.set_runs(())
    assert table.model.runs == ()
    assert not table.model._joining.is_busy


@pytest.mark.parametrize("kind", [ColumnKind.ID, ColumnKind.SCENE, ColumnKind.INSTRUCTION])
def test_cells_spell_out_what_is_invisible(table: EpisodeTable, kind: ColumnKind) -> None:
    hostile = "see \u202egnp.exe"
    row = make_row(hostile, scene=hostile, instruction=hostile)
    table.set_rows(make_rows(row))
    column = [each.kind for each in table.model.columns].index(kind)
    index = table.model.index(0, column)
    for role in (ROLE.DisplayRole, ROLE.ToolTipRole, ROLE.AccessibleTextRole):
        assert str(index.data(role)).startswith("see ⟨RLO⟩gnp.exe")
