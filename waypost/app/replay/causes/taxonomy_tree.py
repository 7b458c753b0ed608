"""A taxonomy as a tree: axes with their categories and keys, one of them selected."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from waypost.domain.base.visible_text import plain_tip
from waypost.domain.causes.failure import Taxonomy

_PLACE = Qt.ItemDataRole.UserRole


class EntryPlace(NamedTuple):
    """An axis, or a category on it."""

    axis: str
    category: str = ""
    """Empty for the axis itself."""


class TaxonomyTree(QTreeWidget):
    """Shows axes and categories and reports the one that is selected."""

    place_selected = Signal(object)
    """The ``EntryPlace``, or ``None``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Axes and categories")
        self.setHeaderLabels(["Name", "Key"])
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.currentItemChanged.connect(lambda *_: self.place_selected.emit(self.place))

    @property
    def place(self) -> EntryPlace | None:
        """What is selected."""
        item = self.currentItem()
        found = None if item is None else item.data(0, _PLACE)
        return EntryPlace(*found) if found is not None else None

    def show_taxonomy(self, taxonomy: Taxonomy | None, place: EntryPlace | None = None) -> None:
        """Show a taxonomy with one entry selected, the first one without; emits once."""
        self.blockSignals(True)
        self.clear()
        wanted: QTreeWidgetItem | None = None
        for axis in taxonomy.axes if taxonomy is not None else ():
            parent = _item(axis.title, "", EntryPlace(axis.key))
            self.addTopLevelItem(parent)
            parent.setExpanded(True)
            for category in axis.categories:
                own = EntryPlace(axis.key, category.key)
                child = _item(category.title, category.shortcut.upper(), own)
                child.setToolTip(0, plain_tip(category.description or category.title))
                parent.addChild(child)
                wanted = child if own == place else wanted
            wanted = parent if EntryPlace(axis.key) == place else wanted
        chosen = wanted or self.topLevelItem(0)
        if chosen is not None:
            self.setCurrentItem(chosen)
        self.blockSignals(False)
        self.place_selected.emit(self.place)


def _item(title: str, shortcut: str, place: EntryPlace) -> QTreeWidgetItem:
    made = QTreeWidgetItem([title, shortcut])
    made.setData(0, _PLACE, tuple(place))
    made.setToolTip(0, plain_tip(title))
    return made
