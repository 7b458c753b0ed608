"""A list over the window that is filtered while you type; commands and places share it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from waypost.widgets.fuzzy import best_matches
from waypost.widgets.parts import frame, label
from waypost.widgets.theme import tokens_in_force

Index = QModelIndex | QPersistentModelIndex
_ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
_MOVES = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 8,
    Qt.Key.Key_PageUp: -8,
}
_OWN_KEYS = frozenset({*_MOVES, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape})


@dataclass(frozen=True, slots=True)
class PickerEntry:
    """One row of a picker."""

    key: str
    """What is reported when it is chosen."""

    text: str
    detail: str = ""
    """Behind the text, quieter: a category, a storey, an id; it is searched too."""

    hint: str = ""
    """At the right: a shortcut."""

    is_enabled: bool = True
    """Disabled entries are shown grey and cannot be chosen."""


class Picker(QWidget):
    """A search field over a list, in front of the window it belongs to.

    Up, Down and the page keys move, Enter chooses, Esc closes and gives the focus back.
    """

    entry_chosen = Signal(str)
    """Key of the entry the user chose; the picker is closed already."""

    closed = Signal()
    """The picker went away, with or without a choice, and gave the focus back."""

    def __init__(self, parent: QWidget, title: str, placeholder: str) -> None:
        super().__init__(parent)
        self._host = parent
        self._entries: tuple[PickerEntry, ...] = ()
        self._texts: list[str] = []
        self._came_from: QWidget | None = None
        self._model = _EntryModel(self)
        self.setAccessibleName(title)
        self._search = QLineEdit()
        self._search.setProperty("role", "palette")
        self._search.setPlaceholderText(placeholder)
        self._search.setAccessibleName(title)
        self._search.textEdited.connect(self._filter)
        self._search.installEventFilter(self)
        self._list = QListView()
        self._list.setProperty("role", "plain")
        self._list.setModel(self._model)
        self._list.setItemDelegate(_EntryDelegate(self._list))
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setAccessibleName(f"{title}: matches")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.clicked.connect(self._choose)
        self._empty = label("Nothing matches. Try fewer letters.", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        card = frame("popup", self)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(10, 10, 10, 10)
        for widget in (self._search, self._list, self._empty):
            layout.addWidget(widget)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(card)
        parent.installEventFilter(self)
        self.hide()

    def open_with(self, entries: tuple[PickerEntry, ...]) -> None:
        """Show the entries and wait for typing."""
        self._entries = entries
        self._texts = [f"{e.text} {e.detail}" for e in entries]
        if not self.isVisible():
            self._came_from = QApplication.focusWidget()
        self._search.clear()
        self._filter("")
        self._fit_parent()
        self.show()
        self.raise_()
        self._search.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_picker(self) -> None:
        """Go away without a choice and give the focus back."""
        if not self.isVisible():
            return
        self.hide()
        if self._came_from is not None and self._came_from.isVisible():
            self._came_from.setFocus(Qt.FocusReason.PopupFocusReason)
            self.closed.emit()
        self._came_from = None

    def _filter(self, query: str) -> None:
        self._model.set_entries(best_matches(query, self._entries, self._texts))
        has_any = bool(self._model.entries)
        self._list.setVisible(has_any)
        self._empty.setVisible(not has_any)
        if has_any:
            self._list.setCurrentIndex(self._model.index(0, 0))

    def _move(self, rows: int) -> None:
        count = self._model.rowCount()
        if count:
            row = self._list.currentIndex().row() + rows
            row = row % count if abs(rows) == 1 else min(max(row, 0), count - 1)
            self._list.setCurrentIndex(self._model.index(row, 0))

    def _choose(self, index: Index) -> None:
        entry = index.data(_ENTRY_ROLE)
        if isinstance(entry, PickerEntry) and entry.is_enabled:
            self.close_picker()
            self.entry_chosen.emit(entry.key)

    def _press(self, key: int) -> None:
        if key in _MOVES:
            self._move(_MOVES[Qt.Key(key)])
        elif key == Qt.Key.Key_Escape:
            self.close_picker()
        else:
            self._choose(self._list.currentIndex())

    def _fit_parent(self) -> None:
        parent = self._host
        metrics = QFontMetrics(self.font())
        width = min(metrics.averageCharWidth() * 90, parent.width() - 40)
        height = min(metrics.height() * 24, parent.height() - 100)
        self.setGeometry((parent.width() - width) // 2, 56, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that move and choose; follow the window; close when left."""
        if watched is self._host:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._fit_parent()
        elif event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in _OWN_KEYS:
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _OWN_KEYS:
                self._press(event.key())
                return True
        elif event.type() == QEvent.Type.FocusOut and self.isVisible():
            self._came_from = None
            self.close_picker()
        return super().eventFilter(watched, event)


class _EntryModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: tuple[PickerEntry, ...] = ()

    def set_entries(self, entries: tuple[PickerEntry, ...]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == _ENTRY_ROLE:
            return entry
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = "" if entry.is_enabled else ", not available now"
            return ", ".join(p for p in (entry.text, entry.detail, entry.hint) if p) + state
        return None


class _EntryDelegate(QStyledItemDelegate):
    """Paints text, quiet detail and the key at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(100, option.fontMetrics.height() + 12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = index.data(_ENTRY_ROLE)
        tokens = tokens_in_force()
        rect = QRect(option.rect)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(option.palette.color(QPalette.ColorRole.Highlight))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 5, 5)
        text = tokens.on_selection if is_selected else tokens.text
        quiet = tokens.on_selection if is_selected else tokens.muted
        if not entry.is_enabled:
            text = quiet = tokens.on_selection if is_selected else tokens.disabled
        rect.adjust(10, 0, -10, 0)
        metrics = option.fontMetrics
        vertical = Qt.AlignmentFlag.AlignVCenter
        if entry.hint:
            width = metrics.horizontalAdvance(entry.hint)
            painter.setPen(QColor(quiet))
            painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignRight, entry.hint)
            rect.adjust(0, 0, -width - 16, 0)
        painter.setPen(QColor(text))
        shown = metrics.elidedText(entry.text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignLeft, shown)
        rect.adjust(metrics.horizontalAdvance(shown) + 14, 0, 0, 0)
        detail = metrics.elidedText(entry.detail, Qt.TextElideMode.ElideRight, rect.width())
        painter.setPen(QColor(quiet))
        painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignLeft, detail)
        painter.restore()
