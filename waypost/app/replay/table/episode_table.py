"""The episodes of a run to search, sort, filter and choose from; wide, or narrow beside a stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from waypost.app.replay.table.column_room import LEAST_LETTERS, MARGIN_PX, fitting_columns
from waypost.app.replay.table.episode_filters import FilterButton, FilterChips
from waypost.app.replay.table.episode_model import ColumnKind, EpisodeColumn, EpisodeTableModel
from waypost.app.replay.table.id_cells import IdCells, some_numbers
from waypost.domain.base.counted_words import counted
from waypost.domain.replay.row_filter import RowFilter
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.services.appearance import changes_text_size
from waypost.widgets.empty_state import EmptyState
from waypost.widgets.parts import ElidedLabel, row_table

_NARROW: Final = frozenset(
    {
        ColumnKind.ID,
        ColumnKind.SUCCESS,
        ColumnKind.CHOSEN_METRIC,
        ColumnKind.TAG_MARKS,
        ColumnKind.MARK,
    }
)
_ONLY_NARROW: Final = frozenset({ColumnKind.CHOSEN_METRIC, ColumnKind.TAG_MARKS})
_LETTERS: Final = {
    ColumnKind.ID: 0,
    ColumnKind.SUCCESS: 2,
    ColumnKind.METRIC: 6,
    ColumnKind.CHOSEN_METRIC: 6,
    ColumnKind.TAG_MARKS: 3,
    ColumnKind.MARK: 2,
    ColumnKind.TAGS: 30,
    ColumnKind.STEPS: 4,
    ColumnKind.SCENE: 15,
    ColumnKind.INSTRUCTION: 24,
}
"""Width of columns in letters; the user may change it, and what is left over goes to the last."""

_ID_LETTERS, _NARROW_ID_LETTERS = (11, 24), (7, 24)
"""The least and the most that ids get, in the wide and in the narrow table."""

_TOLD_APART: Final = 7
"""Letters of a long id that are shown even where other columns give way for them."""

_NO_RUN: Final = ("Open a run", "Its episodes appear here with metrics and tags.")


class EpisodeTable(QWidget):
    """A search field, a filter menu with chips, the table, and how many episodes are shown.

    Two of them may share a model; what is searched, sorted and filtered is then the same in both,
    the chosen row is each one's own. Enter in the search field goes to an id.

    Args:
        model: Shared with another table; an own one without.
        parent: Qt owner.
    """

    episode_chosen = Signal(str)
    """Id of the episode whose row the user chose, by mouse or keys."""

    attempt_chosen = Signal(str, int)
    """The same with the how many-th run of the episode it is, from 1."""

    entered = Signal(str, int)
    """A row was clicked, entered or gone to by its id: leave the table for the episode."""

    def __init__(
        self, model: EpisodeTableModel | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.model = model or EpisodeTableModel(self)
        """What the table shows; ``set_runs`` fills it."""

        self._is_compact = False
        self._is_quiet = False
        self._owes_scroll = False
        """Whether the chosen row could not be scrolled to: it was hidden, or not read yet."""

        self._chosen: tuple[str, int] | None = None
        self._first: tuple[str, int] | None = None
        self._absence = _NO_RUN
        self._widths: list[int] = []
        self._hidden_count = self._id_letters = self._takes_px = 0
        self._search = _make_search()
        self._search.installEventFilter(self)
        self._filter = FilterButton(self.model)
        self._chips = FilterChips(self.model)
        self._view = _make_view()
        self._view.setModel(self.model)
        self._id_cells = IdCells(self.model, self._view)
        self._view.setItemDelegateForColumn(0, self._id_cells)
        for watched in (self._view, self._view.viewport()):
            watched.installEventFilter(self)
        self._count = ElidedLabel()
        self._count.setProperty("role", "small")
        self._empty = EmptyState(self._view)
        self._empty.action_chosen.connect(lambda: self.model.set_filter(RowFilter()))
        self._lay_out()
        self._connect()
        self._on_columns()
        self._on_reset()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(self._search, 1)
        top.addWidget(self._filter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self._chips)
        layout.addWidget(self._view, 1)
        layout.addWidget(self._count)
        self.setFocusProxy(self._view)

    def _connect(self) -> None:
        self._search.textChanged.connect(self._on_search)
        self._search.returnPressed.connect(self._on_enter)
        self.model.modelReset.connect(self._on_reset)
        self.model.filter_changed.connect(self._on_filter)
        self.model.columns_changed.connect(self._on_columns)
        self.model.order_changed.connect(self._on_order)
        self._view.selectionModel().currentRowChanged.connect(self._on_current)
        self._view.activated.connect(self._on_entered)
        self._view.clicked.connect(self._on_entered)

    @property
    def chosen(self) -> RunRow | None:
        """The chosen row, shown or not; ``None`` if there is none."""
        table = self.model.table
        place = None if self._chosen is None else table.place_of_key(self._chosen)
        return None if place is None else table.rows[place]

    def set_runs(self, runs: tuple[RunRows, ...]) -> None:
        """Show up to four runs side by side, or more rows of the same while they are read."""
        self.model.set_runs(runs)

    def set_rows(self, rows: RunRows) -> None:
        """Show one run."""
        self.model.set_runs((rows,))

    def set_absence(self, title: str = "", text: str = "", *, is_said_around: bool = False) -> None:
        """Say why no run is there; without a title that one is to be opened.

        Args:
            title: Why.
            text: More of it.
            is_said_around: Whether what the table stands on says it, so that the table does not.
        """
        self._absence = (title, text) if title or is_said_around else _NO_RUN
        self._invite()

    def set_compact(self, is_compact: bool) -> None:
        """Show id, success, one metric and tags as signs only, for a narrow panel."""
        self._is_compact = is_compact
        self._search.setPlaceholderText("Find" if is_compact else "Find words, id or scene")
        self._on_columns()

    def set_filter_ids(self, ids: Iterable[str] | None, title: str = "") -> None:
        """Show these episodes and no others, as a chip says; ``None`` takes that back alone.

        Search and other filters end, so that as many show as the bar said that was clicked.
        """
        if ids is None:
            self.model.set_filter(dataclasses.replace(self.model.filter, ids=None))
        else:
            self.model.set_filter(RowFilter(ids=frozenset(ids)), title)

    def set_chosen(self, episode_id: str, attempt: int = 1) -> None:
        """Mark a row as chosen from outside; emits nothing."""
        self._chosen = (episode_id, attempt) if episode_id else None
        self._show_chosen(scrolls=True)

    def go_to(self, text: str) -> bool:
        """Choose the episode of an id: the exact one, else the first that begins so.

        Filters that hide it are taken away.

        Returns:
            Whether there is one.
        """
        place = self.model.table.place_of(text)
        if place is None:
            return False
        row = self.model.table.rows[place]
        if self.model.number_of(*row.key) is None:
            self.model.set_filter(RowFilter())
        self._enter(row)
        return True

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow down leaves the search field for the table; columns follow the width."""
        if event.type() == QEvent.Type.Resize and watched is self._view.viewport():
            self._fit_columns()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_begun = watched is self._view and self._view.selectionModel().hasSelection()
            if event.key() == Qt.Key.Key_Down and self.model.rowCount() and not is_begun:
                self._view.setFocus(Qt.FocusReason.TabFocusReason)
                self._begin_keys()
                return True
        return super().eventFilter(watched, event)

    def _begin_keys(self) -> None:
        """Choose the row at which keys begin."""
        current = self._view.currentIndex()
        self._view.setCurrentIndex(current if current.isValid() else self.model.index(0, 0))
        self._on_current(self._view.currentIndex(), current)

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to what was chosen meanwhile."""
        super().showEvent(event)
        if self._owes_scroll:
            self._show_chosen(scrolls=True)

    def changeEvent(self, event: QEvent) -> None:
        """Make rows and columns as large as another text scale needs."""
        if changes_text_size(event):
            self._on_columns()
        super().changeEvent(event)

    def _on_search(self, query: str) -> None:
        wanted = dataclasses.replace(self.model.filter, query=query)
        self.model.set_filter(wanted, self.model.filter_title)

    def _on_enter(self) -> None:
        if self.model.table.place_of(text := self._search.text()) is not None:
            self._search.clear()  # an id, not words: its neighbours are there to go on to
            self.go_to(text)
        elif (row := self.model.row_at(0)) is not None:
            self._enter(row)

    def _on_filter(self) -> None:
        if self._search.text() != self.model.filter.query:
            self._search.setText(self.model.filter.query)
        self._show_count()

    def _on_reset(self) -> None:
        letters = _longest_id(self.model)
        takes_px = self._id_cells.takes_px(self._view.fontMetrics())
        if letters > self._id_letters or takes_px > self._takes_px or not letters:
            self._id_letters = letters
            self._on_columns()
        self._show_chosen(scrolls=False)
        self._show_count()
        self._invite()

    def _on_columns(self) -> None:
        metrics = self._view.fontMetrics()
        self._takes_px = self._id_cells.takes_px(metrics)
        header = self._view.horizontalHeader()
        self._view.verticalHeader().setDefaultSectionSize(metrics.lineSpacing() + 8)
        header.setStretchLastSection(not self._is_compact)
        self._widths = [self._wanted_width(column) for column in self.model.columns]
        mode = QHeaderView.ResizeMode
        for number, column in enumerate(self.model.columns):
            stretches = self._is_compact and column.kind is ColumnKind.TAG_MARKS
            header.setSectionResizeMode(number, mode.Stretch if stretches else mode.Interactive)
            self._view.setColumnWidth(number, self._widths[number])
        self._fit_columns()
        self._on_order()

    def _wanted_width(self, column: EpisodeColumn) -> int:
        letters = _LETTERS[column.kind]
        if column.kind is ColumnKind.ID:
            least, most = _NARROW_ID_LETTERS if self._is_compact else _ID_LETTERS
            letters = max(least, min(self._id_letters, most))
        return self._width_of(column, letters)

    def _width_of(self, column: EpisodeColumn, letters: int) -> int:
        metrics = self._view.fontMetrics()
        title = metrics.horizontalAdvance(column.title)
        # Digits are wider than the average letter, and most of what stands here is digits.
        letter_px = max(metrics.averageCharWidth(), metrics.horizontalAdvance("0"))
        return max(letters * letter_px, title) + MARGIN_PX

    def _least_px(self, column: EpisodeColumn, wanted_px: int) -> int:
        """How narrow a column may be made, 0 for not at all; long ids need more to tell apart."""
        letters = LEAST_LETTERS.get(column.kind, 0)
        if column.kind is not ColumnKind.ID:
            return self._width_of(column, letters) if letters else 0
        letters = max(letters, min(self._id_letters, _TOLD_APART))
        return min(max(self._width_of(column, letters), self._takes_px + MARGIN_PX), wanted_px)

    def _fit_columns(self) -> None:
        """Hide what has no room, the last metrics first; the line below says how many."""
        columns = self.model.columns
        if len(self._widths) != len(columns):
            return  # other columns came, and rows made room before their widths were known
        belongs = _belongs(self.model, is_compact=self._is_compact)
        wanted = {n: self._widths[n] for n, column in enumerate(columns) if belongs(column)}
        least = {n: px for n in wanted if (px := self._least_px(columns[n], wanted[n]))}
        room_px = self._view.viewport().width()
        shown = fitting_columns(columns, wanted, least, room_px)
        for number in range(len(columns)):
            self._view.setColumnHidden(number, number not in shown)
            if number in least and number in shown:
                self._view.setColumnWidth(number, shown[number])
        self._hidden_count = len(wanted) - len(shown)
        self._show_count()

    def _on_order(self) -> None:
        """Show the arrow of the order in force, which another table may have chosen."""
        header, model = self._view.horizontalHeader(), self.model
        sorting = (n for n in range(len(model.columns)) if model.is_sorted_by(n))
        shown = next((n for n in sorting if not self._view.isColumnHidden(n)), -1)
        way = Qt.SortOrder
        header.blockSignals(True)  # the rows are sorted already
        header.setSortIndicator(
            shown, way.DescendingOrder if model.order.is_descending else way.AscendingOrder
        )
        header.blockSignals(False)

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        row = self.model.row_at(current.row()) if current.isValid() else None
        if self._is_quiet or row is None or row.key == self._chosen:
            return
        self._chosen = row.key
        self._tell(row)

    def _on_entered(self, index: QModelIndex) -> None:
        if (row := self.model.row_at(index.row())) is not None:
            self._enter(row)

    def _enter(self, row: RunRow) -> None:
        self.set_chosen(*row.key)
        self._tell(row)
        self.entered.emit(*row.key)

    def _tell(self, row: RunRow) -> None:
        self.episode_chosen.emit(row.episode_id)
        self.attempt_chosen.emit(*row.key)

    def _show_chosen(self, *, scrolls: bool) -> None:
        if self._chosen is not None:
            number = self.model.number_of(*self._chosen)
        else:
            number, self._first = _where_keys_begin(self.model, self._first)
        selection = self._view.selectionModel()
        self._is_quiet = True
        flags = QItemSelectionModel.SelectionFlag
        if number is None:
            # A filter hides what is replayed: no other row looks chosen, but Enter opens the first.
            selection.clearSelection()
            selection.setCurrentIndex(self.model.index(0, 0), flags.NoUpdate)
        else:
            index = self.model.index(number, 0)
            bar = self._view.verticalScrollBar()
            at = bar.value()
            selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            if scrolls or self._owes_scroll:
                self._view.scrollTo(index)
            else:
                bar.setValue(at)
        if self._chosen is not None and (scrolls or self._owes_scroll):
            self._owes_scroll = number is None or not self.isVisible()
        self._is_quiet = False

    def _show_count(self) -> None:
        self._count.set_full_text(_count_text(self.model, self._hidden_count))
        self._count.setVisible(bool(self._count.full_text))

    def _invite(self) -> None:
        self._empty.invite(*_invitation(self.model, self._absence))


def _make_search() -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText("Find words, id or scene")
    field.setAccessibleName("Find episodes by words of the instruction, id or scene")
    field.setToolTip("Enter goes to the episode with this id")
    field.setClearButtonEnabled(True)
    return field


def _make_view() -> QTableView:
    table = row_table("Episodes")
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setWordWrap(False)
    table.setSortingEnabled(True)
    header = table.horizontalHeader()
    header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    header.setSortIndicatorClearable(True)
    header.setAccessibleName("Columns of the episode table")
    header.setHighlightSections(False)
    header.setMinimumSectionSize(8)
    return table


def _where_keys_begin(
    model: EpisodeTableModel, first: tuple[str, int] | None
) -> tuple[int | None, tuple[str, int] | None]:
    """The row that came first, else the topmost one; which one came first, kept under a filter."""
    number = model.number_of(*first) if first else None
    if number is None and (row := model.row_at(0)) is not None:
        return 0, row.key if model.filter.is_empty else first
    return number, first


def _invitation(model: EpisodeTableModel, absence: tuple[str, str]) -> tuple[str, ...]:
    """Title, text and button where no row is shown; an empty title for none."""
    if model.rowCount():
        return ("",)
    if not model.runs:
        return absence
    if not len(model.table):
        return "Reading", "Rows appear as they are read."
    return "No episode matches", "Search other words or take filters away.", "Show all"


def _count_text(model: EpisodeTableModel, hidden_count: int) -> str:
    """How many episodes, or takes of people, are shown, and how many columns are not."""
    shown, total = model.rowCount(), len(model.table)
    has_takes = total and model.table.rows[0].take is not None
    text = counted(total, "take" if has_takes else "episode")
    text = text if shown == total else f"{shown:,} of {text}"
    more = f"{counted(hidden_count, 'more column')} when wider" if hidden_count else ""
    return " · ".join(part for part in (text if total else "", more) if part)


def _longest_id(model: EpisodeTableModel) -> int:
    """Letters of the longest id among rows from everywhere in the table; 0 without rows."""
    rows = map(model.row_at, some_numbers(model.rowCount()))
    # A take is told from another one of its episode by whose it is.
    return max((len(row.chart_id) for row in rows if row is not None), default=0)


def _belongs(model: EpisodeTableModel, *, is_compact: bool) -> Callable[[EpisodeColumn], bool]:
    """Tells whether the wide, or the narrow, table has a column at all."""
    compared = {ColumnKind.CHOSEN_METRIC} if len(model.runs) > 1 else set()
    if is_compact:
        # Beside a map there is room for it once somebody marks; the metric gives way then.
        unused = set() if model.has_marks else {ColumnKind.MARK}
        return lambda column: column.kind in _NARROW - compared - unused
    return lambda column: column.kind not in _ONLY_NARROW - compared
