"""The form of one axis or category of a taxonomy."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from waypost.app.replay.causes.taxonomy_tree import EntryPlace
from waypost.domain.causes.failure import Taxonomy
from waypost.widgets.parts import set_property


class TaxonomyEntryForm(QWidget):
    """Shows one entry and reports what is typed; what is refused is put back by showing it anew."""

    changed = Signal(str, object)
    """Name of the field as the edits of a taxonomy call it, and its new value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _line("Name")
        self.shortcut = _line("Key that sets it")
        self.shortcut.setMaxLength(1)
        self.shortcut.setPlaceholderText("One character, or none")
        self.description = _line("Description")
        self.required = QCheckBox("A mark is complete only with an answer here")
        self.several = QCheckBox("Several categories may be chosen")
        self._form = QFormLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        for name, field in (
            ("Name", self.title),
            ("Key", self.shortcut),
            ("Description", self.description),
        ):
            self._form.addRow(name, field)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addLayout(self._form)
        rows.addWidget(self.required)
        rows.addWidget(self.several)
        self._connect()

    def show_entry(self, taxonomy: Taxonomy | None, place: EntryPlace | None) -> None:
        """Show an entry; emits nothing. Disabled for ``None``."""
        axis = None if taxonomy is None or place is None else taxonomy.axis(place.axis)
        self.setEnabled(axis is not None)
        if axis is None or place is None:
            for field in (self.title, self.shortcut, self.description):
                field.clear()
            return
        category = axis.category(place.category) if place.category else None
        self.title.setText(axis.title if category is None else category.title)
        self.shortcut.setText("" if category is None else category.shortcut.upper())
        self.description.setText("" if category is None else category.description)
        for field in (self.shortcut, self.description):
            self._form.setRowVisible(field, category is not None)
            field.setModified(False)
        self.title.setModified(False)
        for box, is_on in (
            (self.required, axis.is_required),
            (self.several, axis.allows_several),
        ):
            box.setVisible(category is None)
            box.setChecked(is_on)

    def mark_refused(self, field: str) -> None:
        """Show which field was refused; an empty name takes the sign away."""
        for name, line in (("title", self.title), ("shortcut", self.shortcut)):
            set_property(line, "level", "error" if name == field else None)

    def _connect(self) -> None:
        for name, field in (("title", self.title), ("description", self.description)):
            field.editingFinished.connect(lambda name=name, field=field: self._report(name, field))
        self.shortcut.textEdited.connect(lambda text: self.changed.emit("shortcut", text))
        self.required.clicked.connect(lambda is_on: self.changed.emit("is_required", is_on))
        self.several.clicked.connect(lambda is_on: self.changed.emit("allows_several", is_on))

    def _report(self, name: str, field: QLineEdit) -> None:
        if field.isModified():
            field.setModified(False)
            self.changed.emit(name, field.text())


def _line(name: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    return made
