"""What there is to label: one row per directed edge for the chosen agent."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from waypost.annotators.traverse.passage_rows import (
    ROW_ROLE,
    Index,
    PassageDelegate,
    PassageModel,
    PassageRow,
    PassageTable,
)
from waypost.annotators.traverse.queue_part_strip import QueuePartStrip
from waypost.domain.traverse.traversability import Passage, PassageState
from waypost.services.agent_marks import AgentMark
from waypost.services.theme_in_force import tokens_in_force
from waypost.widgets.parts import SAMPLE, QuietBar, heading, label, most_fit


class PassageList(QWidget):
    """Rows with signs, names and state; how many are decided; and what the queue is narrowed to.

    Several rows can be selected, with Shift, Ctrl or all at once; the passage at hand is one of
    them.
    """

    passage_chosen = Signal(object)
    """The ``Passage`` the user went to."""

    selection_changed = Signal()
    """Other rows are selected than before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PassageRow, ...] = ()
        self._texts: tuple[str, ...] | None = None
        self._current: Passage | None = None
        self._is_quiet = False
        self._model = PassageModel(self)
        self._heading = heading("QUEUE")
        self._bar = QuietBar()
        self._bar.setTextVisible(False)
        self._count = label("")
        self.parts = QueuePartStrip()
        self.parts.part_chosen.connect(self._show_rows)
        self._search = QLineEdit()
        self._search.setPlaceholderText("Find edge or node")
        self._search.setAccessibleName("Find an edge or a node in the queue")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._show_rows)
        self._list = PassageTable()
        self._list.setModel(self._model)
        self._delegate = PassageDelegate(self._list)
        self._list.setItemDelegate(self._delegate)
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._list.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._list.viewport().installEventFilter(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        shown = (self._heading, self._bar, self._count, self.parts, self._search, self._list)
        for widget in shown:
            layout.addWidget(widget)

    @property
    def selected(self) -> tuple[Passage, ...]:
        """The selected passages in the order shown; usually the one at hand alone."""
        numbers = sorted(index.row() for index in self._list.selectionModel().selectedRows())
        return tuple(self._model.rows[number].passage for number in numbers)

    @property
    def shown(self) -> tuple[Passage, ...]:
        """The passages that are shown, in their order."""
        return tuple(row.passage for row in self._model.rows)

    @property
    def is_narrowed(self) -> bool:
        """Whether only a part of the queue is shown."""
        return len(self._model.rows) != len(self._rows)

    def set_rows(
        self, agent_title: str, rows: tuple[PassageRow, ...], mark: AgentMark | None = None
    ) -> None:
        """Show the queue of an agent, in its colour; the current row stays the same passage."""
        self._heading.setText(f"QUEUE · {agent_title.upper()}")
        own = mark.colour(is_dark=tokens_in_force().is_dark) if mark else ""
        self._heading.setStyleSheet(f"color: {own};" if own else "")
        self._rows, self._texts = rows, None
        stale = sum(row.state is PassageState.STALE for row in rows)
        open_count = sum(row.state is PassageState.UNDECIDED for row in rows)
        decided = len(rows) - open_count - stale
        self._bar.show_share(decided, len(rows))
        text = f"{decided:,} of {len(rows):,} directed edges decided"
        if stale:
            text += f", {stale:,} stale"
        self._count.setText(text if rows else "No edges yet: draw them in Graph.")
        self._bar.setAccessibleName(text)
        self.parts.set_counts(Counter(part for row in rows for part in row.parts))
        self._show_rows()

    def set_current(self, passage: Passage | None) -> None:
        """Highlight a passage, alone unless it is one of several selected; emits nothing."""
        self._current = passage
        number = self._model.number_of(passage)
        index = self._model.index(number, 0) if number >= 0 else QModelIndex()
        selected = self._list.selectionModel()
        is_one_of_many = len(selected.selectedRows()) > 1 and selected.isSelected(index)
        flags = QItemSelectionModel.SelectionFlag
        self._is_quiet = True
        selected.setCurrentIndex(
            index, flags.NoUpdate if is_one_of_many else flags.ClearAndSelect | flags.Rows
        )
        if not index.isValid():
            selected.clear()
        elif not is_one_of_many:
            self._list.scrollTo(index)
        self._is_quiet = False

    def select_all(self) -> None:
        """Select everything that is shown."""
        rows = self._model.rows
        if rows:
            every = QItemSelection(self._model.index(0, 0), self._model.index(len(rows) - 1, 0))
            flags = QItemSelectionModel.SelectionFlag
            self._list.selectionModel().select(every, flags.ClearAndSelect | flags.Rows)

    def select_only_current(self) -> None:
        """Select the passage at hand alone again."""
        if len(self._list.selectionModel().selectedRows()) > 1:
            self._list.selectionModel().clearSelection()
            self.set_current(self._current)

    def extend(self, step: int) -> None:
        """Select one more row below (1) or above (-1) the passage at hand and go there."""
        number = self._model.number_of(self._current) + step
        if 0 <= number < len(self._model.rows):
            flags = QItemSelectionModel.SelectionFlag
            index = self._model.index(number, 0)
            self._list.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def _show_rows(self, *_: object) -> None:
        words, part = self._search.text().casefold().split(), self.parts.chosen
        shown = self._rows
        if words:
            self._texts = self._texts or tuple(row.searchable for row in shown)
            found = list(zip(shown, self._texts, strict=True))
            for word in words:
                found = [each for each in found if word in each[1]]
            shown = tuple(row for row, _ in found)
        if part is not None:
            shown = tuple(row for row in shown if part in row.parts)
        kept = set(self.selected)
        self._is_quiet = True
        self._model.set_rows(shown)
        self._select_again(kept)
        self._is_quiet = False
        self._delegate.has_second_sign = any(row.second_sign for row in shown)
        self._fit_rows()
        # Before there is room for them all, the row at hand cannot be scrolled to.
        self._list.doItemsLayout()
        self.set_current(self._current)
        if kept != set(self.selected):
            self.selection_changed.emit()

    def _select_again(self, kept: set[Passage]) -> None:
        """Several selected rows stay selected where they are still shown."""
        if len(kept) < 2 or len(kept) == len(self.selected):
            return
        flags, model = QItemSelectionModel.SelectionFlag, self._list.selectionModel()
        for number, row in enumerate(self._model.rows):
            if row.passage in kept:
                model.select(self._model.index(number, 0), flags.Select | flags.Rows)

    def _fit_rows(self) -> None:
        metrics = self._list.fontMetrics()
        room = self._list.viewport().width() - self._delegate.signs_px(metrics) - 3
        rows = self._model.rows
        # As long as one is proposed, so that no row moves while others are answered.
        proposed = tuple(islice((row.line for row in rows if row.margin), SAMPLE))
        lines = proposed or tuple(row.title for row in rows[:SAMPLE])
        is_two_line = not most_fit(lines, metrics, room)
        self._delegate.is_two_line = is_two_line
        height_px = metrics.lineSpacing() * (2 if is_two_line else 1) + 8
        header = self._list.verticalHeader()
        if header.defaultSectionSize() != height_px:
            header.setDefaultSectionSize(height_px)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Use two lines per row where one is too short, as high as the text."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._fit_rows()
        return super().eventFilter(watched, event)

    def _on_current_changed(self, current: Index, _previous: Index) -> None:
        row = current.data(ROW_ROLE) if current.isValid() else None
        if self._is_quiet or not isinstance(row, PassageRow) or row.passage == self._current:
            return
        self._current = row.passage
        self.passage_chosen.emit(row.passage)

    def _on_selection_changed(self, *_: object) -> None:
        if not self._is_quiet:
            self.selection_changed.emit()
