"""Changing keys: a table of all actions, a field that hears a key, and refusals that explain."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.base.errors import InputError
from waypost.services.input.shortcuts import ShortcutEntry, ShortcutMap, key_of_event
from waypost.widgets.fuzzy import match_score
from waypost.widgets.parts import button, label, set_property

Index = QModelIndex | QPersistentModelIndex
_COLUMNS = ("Action", "Where", "Key", "Default")
_MODIFIER_KEYS = frozenset(
    {
        Qt.Key.Key_Control,
        Qt.Key.Key_Shift,
        Qt.Key.Key_Alt,
        Qt.Key.Key_Meta,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_unknown,
    }
)


class ShortcutEditor(QWidget):
    """Edits a ``ShortcutMap``; a key that another action has is refused and that one named."""

    shortcuts_changed = Signal(object)
    """The new ``ShortcutMap``."""

    def __init__(self, shortcuts: ShortcutMap, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _ShortcutModel(shortcuts, self)
        self._search = QLineEdit()
        self._search.setPlaceholderText("Find an action or a key")
        self._search.setAccessibleName("Find an action or a key")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._on_search)
        self._table = QTableView()
        self._table.setModel(self._model)
        self._table.setAccessibleName("Actions and their keys")
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._table.setShowGrid(False)
        self._table.setTabKeyNavigation(False)
        self._table.verticalHeader().hide()
        header = self._table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        header.setHighlightSections(False)
        self._table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self._capture = KeyCapture()
        self._capture.key_captured.connect(self._assign)
        self._remove = button("No key", "Take the key of this action away")
        self._remove.clicked.connect(lambda: self._assign(""))
        self._reset = button("Reset", "Give this action its default key back")
        self._reset.clicked.connect(self._reset_one)
        self._reset_all = button("Reset all", "Give every action its default key back")
        self._reset_all.clicked.connect(self._reset_every)
        self._message = label("Choose an action, then press its new key in the field.", "muted")
        row = QHBoxLayout()
        row.addWidget(self._capture, 1)
        for made in (self._remove, self._reset, self._reset_all):
            row.addWidget(made)
        layout = QVBoxLayout(self)
        layout.addWidget(self._search)
        layout.addWidget(self._table, 1)
        layout.addLayout(row)
        layout.addWidget(self._message)
        self._on_row_changed(QModelIndex(), QModelIndex())

    @property
    def shortcuts(self) -> ShortcutMap:
        """The map as edited so far."""
        return self._model.shortcuts

    def choose_action(self, action_id: str) -> None:
        """Select the row of an action."""
        row = self._model.row_of(action_id)
        if row >= 0:
            self._table.setCurrentIndex(self._model.index(row, 0))

    def _chosen(self) -> ShortcutEntry | None:
        return self._model.entry_at(self._table.currentIndex().row())

    def _assign(self, key: str) -> None:
        entry = self._chosen()
        if entry is None:
            return
        try:
            changed = self.shortcuts.assign(entry.action_id, key)
        except InputError as error:
            self._say(f"✕ {error}. Choose another key, or change that action first.", "error")
            return
        shown = key or "no key"
        self._publish(changed, f"✓ {entry.title}: {shown}")

    def _reset_one(self) -> None:
        entry = self._chosen()
        if entry is None:
            return
        try:
            changed = self.shortcuts.reset(entry.action_id)
        except InputError as error:
            self._say(f"✕ {error}. Change that action first.", "error")
            return
        self._publish(changed, f"✓ {entry.title}: {entry.default_key or 'no key'}")

    def _reset_every(self) -> None:
        self._publish(self.shortcuts.reset_all(), "✓ Every key is as it was at first.")

    def _publish(self, changed: ShortcutMap, sentence: str) -> None:
        entry = self._chosen()
        self._model.set_shortcuts(changed)
        if entry is not None:
            self.choose_action(entry.action_id)
        self._say(sentence, "good")
        self.shortcuts_changed.emit(changed)

    def _say(self, sentence: str, role: str) -> None:
        self._message.setText(sentence)
        set_property(self._message, "role", role)

    def _on_search(self, query: str) -> None:
        self._model.set_query(query)

    def _on_row_changed(self, current: Index, _previous: Index) -> None:
        has_row = current.isValid()
        for widget in (self._capture, self._remove, self._reset):
            widget.setEnabled(has_row)


class KeyCapture(QLineEdit):
    """A field that hears one key with its modifiers; Tab and Shift+Tab still leave it."""

    key_captured = Signal(str)
    """Portable key, e.g. ``Ctrl+K``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setPlaceholderText("Press the new key here")
        self.setAccessibleName("New key: press it here")
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    def event(self, event: QEvent) -> bool:
        """Keep every key but Tab from being a command."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Report the key."""
        if event.key() in _MODIFIER_KEYS:
            return
        key = key_of_event(event)
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers != Qt.KeyboardModifier.NoModifier:
            combination = QKeySequence(event.keyCombination())
            key = combination.toString(QKeySequence.SequenceFormat.PortableText)
        if key:
            self.key_captured.emit(key)


class _ShortcutModel(QAbstractTableModel):
    def __init__(self, shortcuts: ShortcutMap, parent: QObject) -> None:
        super().__init__(parent)
        self.shortcuts = shortcuts
        self._query = ""
        self._keys: dict[str, str] = {}
        self._rows: tuple[ShortcutEntry, ...] = ()
        self._rebuild()

    def set_shortcuts(self, shortcuts: ShortcutMap) -> None:
        self.shortcuts = shortcuts
        self._rebuild()

    def set_query(self, query: str) -> None:
        self._query = query
        self._rebuild()

    def row_of(self, action_id: str) -> int:
        ids = [entry.action_id for entry in self._rows]
        return ids.index(action_id) if action_id in ids else -1

    def entry_at(self, row: int) -> ShortcutEntry | None:
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._keys = self.shortcuts.keys()
        self._rows = tuple(
            entry
            for entry in self.shortcuts.entries
            if match_score(
                self._query, f"{entry.title} {entry.category} {self._keys[entry.action_id]}"
            )
            is not None
        )
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return _COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self._rows[index.row()]
        key = self._keys[entry.action_id]
        if role == Qt.ItemDataRole.DisplayRole:
            shown = (entry.title, entry.category, key or "–", entry.default_key or "–")
            return shown[index.column()]
        if role == Qt.ItemDataRole.FontRole and key != entry.default_key and index.column() == 2:
            font = QFont()
            font.setBold(True)
            return font
        return None
