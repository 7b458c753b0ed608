"""The true list of keys, made from the shortcuts in force: F1."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from waypost.services.input.shortcuts import ShortcutMap
from waypost.widgets.parts import button


def key_groups(shortcuts: ShortcutMap) -> dict[str, tuple[tuple[str, str], ...]]:
    """Category → key and title of every action that has a key."""
    groups: dict[str, list[tuple[str, str]]] = {}
    keys = shortcuts.keys()
    for entry in shortcuts.entries:
        if keys[entry.action_id]:
            groups.setdefault(entry.category, []).append((keys[entry.action_id], entry.title))
    return {category: tuple(rows) for category, rows in groups.items()}


def key_list_html(shortcuts: ShortcutMap) -> str:
    """The list as a page that can be printed."""
    parts = ["<h2>Keys of Waypost</h2>"]
    for category, rows in key_groups(shortcuts).items():
        cells = "".join(
            f"<tr><td><b>{escape(key)}</b>&nbsp;&nbsp;</td><td>{escape(title)}</td></tr>"
            for key, title in rows
        )
        parts.append(f"<h3>{escape(category)}</h3><table cellpadding='2'>{cells}</table>")
    return "".join(parts)


class KeyList(QWidget):
    """Shows the list, and asks for it to be printed or changed."""

    print_chosen = Signal(object)
    """A ``QTextDocument`` to print."""

    change_chosen = Signal()
    """The user wants to change keys."""

    def __init__(self, shortcuts: ShortcutMap, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts
        self._page = QTextBrowser()
        self._page.setAccessibleName("List of keys")
        change = button("Change keys …")
        printed = button("Print …")
        change.clicked.connect(self.change_chosen)
        printed.clicked.connect(self._print)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(change)
        row.addWidget(printed)
        layout = QVBoxLayout(self)
        layout.addWidget(self._page, 1)
        layout.addLayout(row)
        self.set_shortcuts(shortcuts)

    def set_shortcuts(self, shortcuts: ShortcutMap) -> None:
        """Show other keys."""
        self._shortcuts = shortcuts
        self._page.setHtml(key_list_html(shortcuts))

    def _print(self) -> None:
        document = QTextDocument()
        document.setHtml(key_list_html(self._shortcuts))
        self.print_chosen.emit(document)
