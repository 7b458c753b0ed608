"""Axes and categories of one taxonomy being edited: the tree, its buttons and the entry's form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.app.replay.causes.taxonomy_entry_form import TaxonomyEntryForm
from waypost.app.replay.causes.taxonomy_tree import EntryPlace, TaxonomyTree
from waypost.domain.base.errors import EditError
from waypost.domain.causes.failure import Taxonomy
from waypost.domain.causes.replay_book import free_name
from waypost.domain.causes.taxonomy_edits import (
    add_axis,
    add_category,
    change_axis,
    change_category,
    move_axis,
    move_category,
    rekeyed_axis,
    rekeyed_category,
    remove_axis,
    remove_category,
)
from waypost.widgets.parts import button
from waypost.widgets.row_layouts import FlowRows


class TaxonomyEntries(QWidget):
    """Holds a draft and changes it by pure edits; what an edit refuses is put back at once."""

    draft_changed = Signal(object)
    """The ``Taxonomy`` after an edit."""

    refused = Signal(str)
    """Why an edit was not made."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft: Taxonomy | None = None
        self._can_edit = False
        self._fresh: set[EntryPlace] = set()
        self.tree = TaxonomyTree()
        self.form = TaxonomyEntryForm()
        self._tools = QWidget()
        flow = FlowRows(self._tools)
        acts: tuple[tuple[str, Callable[[], None]], ...] = (
            ("Add axis", self.add_axis),
            ("Add category", self.add_category),
            ("Move up", lambda: self._move(-1)),
            ("Move down", lambda: self._move(1)),
            ("Delete", self._delete),
        )
        for name, act in acts:
            made = button(name)
            made.clicked.connect(lambda _=False, act=act: act())
            flow.addWidget(made)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self.tree, 1)
        rows.addWidget(self._tools)
        rows.addWidget(self.form)
        self.tree.place_selected.connect(lambda _: self._show_entry())
        self.form.changed.connect(self._on_changed)

    def show_draft(
        self, draft: Taxonomy | None, place: EntryPlace | None = None, *, can_edit: bool
    ) -> None:
        """Show a taxonomy with one entry selected; emits nothing."""
        if self._draft is None or draft is None or self._draft.key != draft.key:
            self._fresh.clear()
        self._draft, self._can_edit = draft, can_edit
        self._tools.setEnabled(can_edit)
        self.tree.show_taxonomy(draft, place)

    def add_axis(self) -> None:
        """Add an axis at the end, to be named."""
        if self._draft is None:
            return
        name = free_name((axis.title for axis in self._draft.axes), "New axis")
        self._apply("", lambda draft: add_axis(draft, name))
        self._name_it(EntryPlace(self._draft.axes[-1].key))

    def add_category(self) -> None:
        """Add a category at the end of the axis that is selected, to be named."""
        place = self.tree.place
        axis = None if self._draft is None or place is None else self._draft.axis(place.axis)
        if axis is None:
            return
        name = free_name((entry.title for entry in axis.categories), "New category")
        self._apply("", lambda draft: add_category(draft, axis.key, name))
        grown = None if self._draft is None else self._draft.axis(axis.key)
        if grown is not None:
            self._name_it(EntryPlace(axis.key, grown.categories[-1].key))

    def forget_fresh(self) -> None:
        """Keep the keys of everything from now on: it is saved, and marks can be filed by it."""
        self._fresh.clear()

    def _name_it(self, place: EntryPlace) -> None:
        self._fresh.add(place)
        self.tree.show_taxonomy(self._draft, place)
        self.form.title.setFocus()
        self.form.title.selectAll()

    def _show_entry(self) -> None:
        self.form.show_entry(self._draft, self.tree.place)
        if not self._can_edit:
            self.form.setEnabled(False)
        self.form.mark_refused("")

    def _apply(
        self,
        field: str,
        edit: Callable[[Taxonomy], Taxonomy],
        place: Callable[[], EntryPlace | None] | None = None,
    ) -> None:
        """Change the draft, or say why not and show it as it was."""
        if self._draft is None:
            return
        try:
            self._draft = edit(self._draft)
        except EditError as error:
            self._show_entry()
            self.form.mark_refused(field)
            self.refused.emit(str(error))
            return
        self.tree.show_taxonomy(self._draft, self.tree.place if place is None else place())
        self.draft_changed.emit(self._draft)

    def _on_changed(self, field: str, value: object) -> None:
        place = self.tree.place
        if place is None:
            return
        values: dict[str, Any] = {field: value}
        if field == "title" and place in self._fresh:
            self._rename_fresh(place, str(value))
        elif place.category:
            self._apply(
                field, lambda draft: change_category(draft, place.axis, place.category, **values)
            )
        else:
            self._apply(field, lambda draft: change_axis(draft, place.axis, **values))

    def _rename_fresh(self, place: EntryPlace, title: str) -> None:
        """Name an entry that was never saved; its key in files follows."""
        renamed = place

        def edit(draft: Taxonomy) -> Taxonomy:
            nonlocal renamed
            if place.category:
                named = change_category(draft, *place, title=title)
                after, key = rekeyed_category(named, *place)
                renamed = EntryPlace(place.axis, key)
            else:
                after, key = rekeyed_axis(change_axis(draft, place.axis, title=title), place.axis)
                renamed = EntryPlace(key)
                inside = {entry for entry in self._fresh if entry.axis == place.axis}
                self._fresh -= inside
                self._fresh |= {entry._replace(axis=key) for entry in inside}
            self._fresh.discard(place)
            self._fresh.add(renamed)
            return after

        self._apply("title", edit, lambda: renamed)

    def _move(self, by: int) -> None:
        place = self.tree.place
        if place is None:
            return
        if place.category:
            self._apply("", lambda draft: move_category(draft, *place, by))
        else:
            self._apply("", lambda draft: move_axis(draft, place.axis, by))

    def _delete(self) -> None:
        place = self.tree.place
        if place is None:
            return
        if place.category:
            axis = EntryPlace(place.axis)
            self._apply("", lambda draft: remove_category(draft, *place), lambda: axis)
        else:
            self._apply("", lambda draft: remove_axis(draft, place.axis))
