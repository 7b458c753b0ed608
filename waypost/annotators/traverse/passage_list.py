"""What there is to label: one row per directed edge for the chosen agent."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.base.visible_text import plain_tip
from waypost.domain.traverse.traversability import Passage, PassageState
from waypost.services.appearance import SIGNS
from waypost.widgets.parts import SAMPLE, QuietBar, heading, label, most_fit
from waypost.widgets.theme import tokens_in_force

Index = QModelIndex | QPersistentModelIndex
_ROW_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One question of the queue."""

    passage: Passage
    from_name: str
    to_name: str
    state: PassageState
    note: str = ""
    """Short words behind the names where they fit, e.g. ``too narrow``; always in the tool tip."""

    @property
    def title(self) -> str:
        """From where to where."""
        return f"{self.from_name} → {self.to_name}"


class PassageList(QWidget):
    """Rows with sign, names and state, and how many are decided."""

    passage_chosen = Signal(object)
    """The ``Passage`` the user went to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PassageRow, ...] = ()
        self._texts: tuple[str, ...] | None = None
        self._current: Passage | None = None
        self._is_quiet = False
        self._model = _PassageModel(self)
        self._heading = heading("QUEUE")
        self._bar = QuietBar()
        self._bar.setTextVisible(False)
        self._count = label("")
        self._search = QLineEdit()
        self._search.setPlaceholderText("Find edge or node")
        self._search.setAccessibleName("Find an edge or a node in the queue")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._show_rows)
        self._list = _PassageView()
        self._list.setModel(self._model)
        self._delegate = _PassageDelegate(self._list)
        self._list.setItemDelegate(self._delegate)
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._list.viewport().installEventFilter(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for widget in (self._heading, self._bar, self._count, self._search, self._list):
            layout.addWidget(widget)

    def set_rows(self, agent_title: str, rows: tuple[PassageRow, ...]) -> None:
        """Show the queue of an agent; the current row stays the same passage."""
        self._heading.setText(f"QUEUE · {agent_title.upper()}")
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
        self._show_rows()

    def set_current(self, passage: Passage | None) -> None:
        """Highlight a passage; emits nothing."""
        self._current = passage
        number = self._model.number_of(passage)
        self._is_quiet = True
        self._list.setCurrentIndex(self._model.index(number, 0) if number >= 0 else QModelIndex())
        self._is_quiet = False

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def _show_rows(self, *_: object) -> None:
        words = self._search.text().casefold().split()
        shown = self._rows
        if words:
            self._texts = self._texts or tuple(map(_searchable, shown))
            found = zip(shown, self._texts, strict=True)
            shown = tuple(row for row, text in found if all(word in text for word in words))
        self._is_quiet = True
        self._model.set_rows(shown)
        self._is_quiet = False
        self._fit_rows()
        # Before there is room for them all, the row at hand cannot be scrolled to.
        self._list.doItemsLayout()
        self.set_current(self._current)

    def _fit_rows(self) -> None:
        metrics = self._list.fontMetrics()
        room = self._list.viewport().width() - metrics.horizontalAdvance("▨") - 12
        titles = tuple(row.title for row in self._model.rows[:SAMPLE])
        is_two_line = not most_fit(titles, metrics, room)
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
        row = current.data(_ROW_ROLE) if current.isValid() else None
        if self._is_quiet or not isinstance(row, PassageRow) or row.passage == self._current:
            return
        self._current = row.passage
        self.passage_chosen.emit(row.passage)


def _searchable(row: PassageRow) -> str:
    passage, word = row.passage, SIGNS[row.state].word
    return (
        f"{row.from_name} → {row.to_name} {row.note} {word} {passage.from_id} {passage.to_id}"
    ).casefold()


class _PassageView(QTableView):
    """One column of rows of one height: unlike a list it asks nothing of rows out of view."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self.setAccessibleName("Queue of directed edges")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(8)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End go to the first and last row, not column."""
        ends = QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd
        if action in ends:
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)


class _PassageModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: tuple[PassageRow, ...] = ()
        self._numbers: dict[Passage, int] = {}

    def set_rows(self, rows: tuple[PassageRow, ...]) -> None:
        numbers = {row.passage: number for number, row in enumerate(rows)}
        if len(rows) == len(self.rows) and numbers == self._numbers:
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows, self._numbers = rows, numbers
        self.endResetModel()

    def number_of(self, passage: Passage | None) -> int:
        return -1 if passage is None else self._numbers.get(passage, -1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == _ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            parts = (row.title, SIGNS[row.state].word, row.note)
            told = ", ".join(part for part in parts if part)
            return plain_tip(told) if role == Qt.ItemDataRole.ToolTipRole else told
        return None


class _PassageDelegate(QStyledItemDelegate):
    """Paints sign, names and the quiet note, on two lines where one is too short."""

    is_two_line = False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(_ROW_ROLE)
        tokens = tokens_in_force()
        sign = SIGNS[row.state]
        rect = QRect(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        metrics = option.fontMetrics
        vertical = Qt.AlignmentFlag.AlignVCenter
        sign_width = metrics.horizontalAdvance("▨") + 9
        sign_rect = QRect(rect.left(), rect.top(), sign_width, rect.height())
        painter.setPen(QColor(tokens.on_selection if is_current else getattr(tokens, sign.colour)))
        painter.drawText(sign_rect, vertical | Qt.AlignmentFlag.AlignHCenter, sign.mark)
        rect.adjust(sign_width, 0, -3, 0)
        painter.setPen(QColor(tokens.on_selection if is_current else tokens.text))
        if self.is_two_line:
            upper = QRect(rect.left(), rect.top() + 4, rect.width(), metrics.lineSpacing())
            shown = metrics.elidedText(
                f"{row.from_name} →", Qt.TextElideMode.ElideRight, rect.width()
            )
            painter.drawText(upper, vertical | Qt.AlignmentFlag.AlignLeft, shown)
            rect = upper.translated(0, metrics.lineSpacing())
        whole = row.to_name if self.is_two_line else row.title
        title = metrics.elidedText(whole, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignLeft, title)
        rect.adjust(metrics.horizontalAdvance(title) + 10, 0, 0, 0)
        if metrics.horizontalAdvance(row.note) <= rect.width():
            painter.setPen(QColor(tokens.on_selection if is_current else tokens.muted))
            painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignLeft, row.note)
        painter.restore()
