"""A searchable list in groups that stays quick with thousands of rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.base.visible_text import plain_tip
from waypost.services.appearance import changes_text_size
from waypost.widgets.parts import SAMPLE, label, most_fit, row_table
from waypost.widgets.theme import tokens_in_force

Index = QModelIndex | QPersistentModelIndex
_ROOM_FOR_DETAIL = 24
_BREAKS: Final = re.compile(r"(?<=[_./:-])(?=\w)")
"""Where a part of an id ends."""

_PARTS: Final = re.compile(rf"\s+|{_BREAKS.pattern}")


@dataclass(frozen=True, slots=True)
class ListRow:
    """One thing that can be selected."""

    key: str
    """Id that is reported."""

    text: str
    detail: str = ""
    """Second column, quieter."""

    group: str = ""
    """Heading under which the row stands; rows of a group follow each other."""

    warning: str = ""
    """What is wrong with it; shown by a sign and in the tool tip."""

    tip: str = ""
    """More for the tool tip and the search."""

    @property
    def marked_text(self) -> str:
        """The text, with a sign in front where something is wrong."""
        return f"⚠ {self.text}" if self.warning else self.text


class GroupedList(QWidget):
    """A search field over rows in groups; the selection goes both ways."""

    selection_changed = Signal(object)
    """``frozenset`` of the keys the user has selected."""

    row_activated = Signal(str)
    """Key of the row that was double-clicked or entered: go there."""

    def __init__(self, noun: str, plural: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._noun, self._plural = noun, plural
        self._model = GroupedModel(self)
        self._is_quiet = False
        self._selected: frozenset[str] = frozenset()
        self._fitted_headings: tuple[int, ...] = ()
        self._search = QLineEdit()
        self._search.setPlaceholderText(f"Find {plural}")
        self._search.setAccessibleName(f"Find {plural} by name or id")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._on_search)
        self._table = _make_table(plural)
        self._table.setModel(self._model)
        self._table.setItemDelegateForColumn(0, _WrappingCells(self._table))
        header = self._table.horizontalHeader()
        header.hide()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(50)
        self._table.selectionModel().selectionChanged.connect(self._on_selection)
        self._table.activated.connect(self._on_activated)
        self._table.viewport().installEventFilter(self)
        self._count = label("", "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for widget in (self._search, self._table, self._count):
            layout.addWidget(widget)
        self._show_count()

    @property
    def selected(self) -> frozenset[str]:
        """Keys of the selected rows, hidden ones included."""
        return self._selected

    def set_noun(self, noun: str, plural: str) -> None:
        """Say otherwise what a row is."""
        if noun == self._noun:
            return
        self._noun, self._plural = noun, plural
        self._search.setPlaceholderText(f"Find {plural}")
        self._search.setAccessibleName(f"Find {plural} by name or id")
        self._table.setAccessibleName(f"List of {plural}")
        self._show_count()

    def set_rows(self, rows: Iterable[ListRow]) -> None:
        """Show other rows; what is selected stays so where it still exists."""
        made = tuple(rows)
        if list(made) != self._model.rows:
            self._is_quiet = True
            self._model.set_rows(made)
            self._is_quiet = False
            self._apply_spans()
            self._fit_rows()
        self.set_selected(self._selected)
        self._show_count()

    def set_row(self, row: ListRow) -> None:
        """Show one row of those that are there otherwise, at a cost that their number does not set.

        It stays where it is, and shown or hidden, until the next search.

        Raises:
            KeyError: If there is no row of this key in this group.
        """
        had_details = self._model.has_long_details
        self._model.set_row(row)
        if self._model.has_long_details != had_details:
            self._fit_rows()

    def set_selected(self, keys: Iterable[str]) -> None:
        """Select rows from outside; emits nothing."""
        self._selected = frozenset(keys)
        numbers = sorted(self._model.rows_of(self._selected))
        selection = QItemSelection()
        for first, last in _runs(numbers):
            selection.select(self._model.index(first, 0), self._model.index(last, 1))
        self._is_quiet = True
        model = self._table.selectionModel()
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if numbers:
            current = self._model.index(numbers[0], 0)
            model.setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
            self._table.scrollTo(current)
        self._is_quiet = False

    def set_query(self, query: str) -> None:
        """Search, as if the user had typed it."""
        self._search.setText(query)

    def neighbour(self, key: str, step: int) -> str:
        """Key of the shown row so many rows further; empty beyond the first or the last one."""
        keys = [row.key for row in self._model.shown if isinstance(row, ListRow)]
        wanted = keys.index(key) + step if key in keys else -1
        return keys[wanted] if 0 <= wanted < len(keys) else ""

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def changeEvent(self, event: QEvent) -> None:
        """Make rows as high as another text scale needs."""
        if changes_text_size(event):
            self._fit_rows()
        super().changeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the second column, and one line per row, only where there is room."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._fit_rows()
        return super().eventFilter(watched, event)

    def _fit_rows(self) -> None:
        metrics = self._table.fontMetrics()
        is_narrow = self.width() < metrics.averageCharWidth() * _ROOM_FOR_DETAIL
        self._table.setColumnHidden(1, is_narrow and self._model.has_long_details)
        rows = (row for row in self._model.shown if isinstance(row, ListRow))
        texts = tuple(row.marked_text for row in islice(rows, SAMPLE))
        detail_px = 0 if self._table.isColumnHidden(1) else self._table.sizeHintForColumn(1)
        room_px = self._table.viewport().width() - detail_px - 12
        # A second line helps where it has room for a whole word, or part of an id.
        words = tuple(max(_PARTS.split(text), key=len) for text in texts)
        is_one = most_fit(texts, metrics, room_px) or not most_fit(words, metrics, room_px)
        lines = 1 if is_one else 2
        # One line that may wrap shows its first word alone; and ids differ at their ends.
        self._table.setWordWrap(lines > 1)
        middle, right = Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight
        self._table.setTextElideMode(middle if lines == 1 else right)
        height = metrics.lineSpacing() * lines + 8
        self._table.verticalHeader().setDefaultSectionSize(height)
        # A table keeps the height of a row for whatever stands there next.
        for number in set(self._fitted_headings).difference(self._model.headings):
            self._table.setRowHeight(number, height)
        self._fitted_headings = self._model.headings
        for number in self._model.headings:
            self._table.setRowHeight(number, metrics.lineSpacing() + 8)

    def _on_search(self, query: str) -> None:
        self._is_quiet = True
        self._model.set_query(query)
        self._is_quiet = False
        self._apply_spans()
        self._fit_rows()
        self.set_selected(self._selected)
        self._show_count()

    def _apply_spans(self) -> None:
        self._table.clearSpans()
        for number in self._model.headings:
            self._table.setSpan(number, 0, 1, 2)

    def _on_selection(self, *_: object) -> None:
        if self._is_quiet:
            return
        rows = self._table.selectionModel().selectedRows(0)
        keys = (self._model.key_at(index.row()) for index in rows)
        self._selected = frozenset(key for key in keys if key)
        self.selection_changed.emit(self._selected)

    def _on_activated(self, index: Index) -> None:
        key = self._model.key_at(index.row())
        if key:
            self.row_activated.emit(key)

    def _show_count(self) -> None:
        shown, total = len(self._model.shown) - len(self._model.headings), self._model.total
        noun = self._noun if total == 1 else self._plural
        self._count.setText(f"{total:,} {noun}" if shown == total else f"{shown:,} of {total:,}")


class GroupedModel(QAbstractTableModel):
    """Rows under headings, filtered by a query; two columns, text and detail."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ListRow] = []
        self._places: dict[str, int] = {}
        self._long_details = 0
        self._query = ""
        self._numbers: dict[str, int] = {}
        self.shown: list[ListRow | str] = []
        """What is shown: a row, or the heading of a group."""

        self.headings: tuple[int, ...] = ()
        """Numbers of the headings among what is shown."""

    @property
    def rows(self) -> list[ListRow]:
        """All rows, before searching."""
        return self._rows

    @property
    def total(self) -> int:
        """Number of rows before searching."""
        return len(self._rows)

    def set_rows(self, rows: tuple[ListRow, ...]) -> None:
        """Take other rows."""
        self._rows = list(rows)
        self._places = {row.key: place for place, row in enumerate(rows)}
        self._long_details = sum(map(_is_long, rows))
        self._rebuild()

    def set_row(self, row: ListRow) -> None:
        """Take another row of the same key and group.

        Raises:
            KeyError: If there is none such.
        """
        place = self._places[row.key]
        before = self._rows[place]
        if before.group != row.group:
            raise KeyError(row.key)
        if before == row:
            return
        self._rows[place] = row
        self._long_details += _is_long(row) - _is_long(before)
        number = self._numbers.get(row.key)
        if number is not None:
            self.shown[number] = row
            self.dataChanged.emit(self.index(number, 0), self.index(number, 1))

    def set_query(self, query: str) -> None:
        """Show only rows in which every word of the query occurs."""
        self._query = query
        self._rebuild()

    @property
    def has_long_details(self) -> bool:
        """Whether any detail is longer than a sign."""
        return self._long_details > 0

    def key_at(self, number: int) -> str:
        """Key of a shown row; empty for a heading."""
        row = self.shown[number] if 0 <= number < len(self.shown) else ""
        return row.key if isinstance(row, ListRow) else ""

    def rows_of(self, keys: Iterable[str]) -> list[int]:
        """Numbers of the shown rows with these keys."""
        return [self._numbers[key] for key in keys if key in self._numbers]

    def _rebuild(self) -> None:
        words = self._query.casefold().split()
        groups: dict[str, list[ListRow]] = {}
        for row in self._rows:
            if not words or _has_words(row, words):
                groups.setdefault(row.group, []).append(row)
        shown: list[ListRow | str] = []
        headings: list[int] = []
        for group, rows in groups.items():
            if group:
                headings.append(len(shown))
                shown.append(f"{group} ({len(rows):,})")
            shown += rows
        self.beginResetModel()
        self.shown, self.headings = shown, tuple(headings)
        self._numbers = {r.key: n for n, r in enumerate(shown) if isinstance(r, ListRow)}
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of shown rows, headings included."""
        return 0 if parent is not None and parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index | None = None) -> int:
        """Text and detail."""
        return 0 if parent is not None and parent.isValid() else 2

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings cannot be selected."""
        if isinstance(self.shown[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, colour, font and tool tip of a cell."""
        row = self.shown[index.row()]
        if isinstance(row, str):
            return _heading_data(row, index.column(), role)
        if role == Qt.ItemDataRole.DisplayRole:
            return row.marked_text if index.column() == 0 else row.detail
        if role == Qt.ItemDataRole.ToolTipRole:
            parts = (row.text, row.tip or row.key, row.warning)
            return plain_tip(" · ".join(part for part in parts if part))
        if role == Qt.ItemDataRole.ForegroundRole:
            tokens = tokens_in_force()
            if row.warning and index.column() == 0:
                return QColor(tokens.uncertain)
            if index.column() == 1:
                return QColor(tokens.muted)
        return None


class _WrappingCells(QStyledItemDelegate):
    """Breaks ids between their parts, where cells have two lines."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Let the text of a cell break where parts of an id end."""
        super().initStyleOption(option, index)
        if option.features & QStyleOptionViewItem.ViewItemFeature.WrapText:
            option.text = _with_breaks(option.text)


def _with_breaks(text: str) -> str:
    return _BREAKS.sub("\u200b", text)


def _is_long(row: ListRow) -> bool:
    """Whether the detail is longer than a sign."""
    return len(row.detail) > 1


def _has_words(row: ListRow, words: list[str]) -> bool:
    text = f"{row.text} {row.key} {row.detail} {row.group} {row.tip}".casefold()
    return all(word in text for word in words)


def _heading_data(text: str, column: int, role: int) -> object:
    if role == Qt.ItemDataRole.DisplayRole and column == 0:
        return text
    if role == Qt.ItemDataRole.ForegroundRole:
        return QColor(tokens_in_force().muted)
    return None


def _make_table(plural: str) -> QTableView:
    table = row_table(f"List of {plural}")
    table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setWordWrap(True)
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
    return table


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
