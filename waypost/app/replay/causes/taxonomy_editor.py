"""The dialog in which taxonomies are made, changed, imported and exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from waypost.app.replay.causes.taxonomy_entries import TaxonomyEntries
from waypost.domain.base.errors import ReadError, WriteError
from waypost.domain.causes.failure import Taxonomy
from waypost.domain.causes.replay_book import free_name
from waypost.domain.causes.taxonomy_edits import copied_taxonomy, new_taxonomy, problems
from waypost.io.taxonomy_files import read_taxonomy, write_taxonomy
from waypost.widgets.parts import button, label, set_property
from waypost.widgets.row_layouts import FlowRows

SHIPPED_NOTE = "Comes with Waypost and stays as it is; copy it to change it."
CLOSE_NOTE = "Not saved. Close again to give the changes up."


@dataclass(frozen=True, slots=True)
class TaxonomyFileDialogs:
    """Asks for a file; each gives an empty text if none was chosen."""

    to_import: Callable[[], str]
    to_export: Callable[[str], str]
    """Is given a name to propose."""


class TaxonomyEditor(QDialog):
    """Edits copies; a saved one gets the next version, so that older marks keep their meaning.

    Args:
        asking: Asks for paths.
        parent: Qt owner.
    """

    taxonomy_saved = Signal(object)
    """A new or changed ``Taxonomy`` with its version raised; the owner keeps it."""

    taxonomy_removed = Signal(str)
    """Key of an own taxonomy to take out."""

    def __init__(self, asking: TaxonomyFileDialogs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Taxonomies")
        self.resize(620, 640)
        self._asking = asking
        self._known: dict[str, Taxonomy] = {}
        self._shipped: frozenset[str] = frozenset()
        self._drafts: dict[str, Taxonomy] = {}
        self._is_discarding = False
        self.choice = QComboBox()
        self.choice.setAccessibleName("Taxonomy")
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the taxonomy")
        self.entries = TaxonomyEntries()
        self._message = label("", "muted")
        self._buttons: dict[str, QPushButton] = {}
        self.save = button("Save", role="primary")
        self._close = button("Close")
        self._lay_out()
        self._connect()

    @property
    def draft(self) -> Taxonomy | None:
        """The taxonomy as it stands in the dialog."""
        key = str(self.choice.currentData() or "")
        return self._drafts.get(key) or self._known.get(key)

    def set_taxonomies(
        self, known: Mapping[str, Taxonomy], shipped: Mapping[str, Taxonomy], current: str = ""
    ) -> None:
        """Show what there is; drafts that are not saved stay.

        Args:
            known: The newest version of each, by key.
            shipped: Those that come with Waypost.
            current: Which one to show; empty keeps the one shown, else the first.
        """
        wanted = current or str(self.choice.currentData() or "")
        self._known, self._shipped = dict(known), frozenset(shipped)
        self.choice.clear()
        for key, taxonomy in {**self._known, **self._drafts}.items():
            self.choice.addItem(self._title(taxonomy), key)
        self.choice.setCurrentIndex(max(self.choice.findData(wanted), 0))
        self._show_draft()

    def import_file(self, path: Path) -> None:
        """Begin from a file; a key of Waypost's own is not taken over."""
        try:
            found = read_taxonomy(path)
        except ReadError as error:
            self._say(str(error), is_error=True)
            return
        if found.key in self._shipped:
            found = copied_taxonomy(found, self._free_title(found.title), self._known)
        self._begin(found)

    def reject(self) -> None:
        """Close; what is not saved is asked about once."""
        unsaved = any(self._is_changed(draft) for draft in self._drafts.values())
        if unsaved and not self._is_discarding:
            self._is_discarding = True
            self._say(CLOSE_NOTE, is_error=True)
            return
        super().reject()

    def _lay_out(self) -> None:
        files = QWidget()
        flow = FlowRows(files)
        for name in ("New", "Copy", "Remove", "Import …", "Export …"):
            self._buttons[name] = button(name)
            flow.addWidget(self._buttons[name])
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._close)
        foot.addWidget(self.save)
        rows = QVBoxLayout(self)
        rows.setSpacing(8)
        for part in (self.choice, files, self.name):
            rows.addWidget(part)
        rows.addWidget(self.entries, 1)
        rows.addWidget(self._message)
        rows.addLayout(foot)

    def _connect(self) -> None:
        self.choice.activated.connect(lambda _: self._show_draft())
        self.name.textEdited.connect(self._on_renamed)
        self.entries.draft_changed.connect(self._on_changed)
        self.entries.refused.connect(lambda reason: self._say(f"Refused: {reason}.", is_error=True))
        self.save.clicked.connect(self._save)
        self._close.clicked.connect(self.reject)
        acts = (self._new, self._copy, self._remove, self._import, self._export)
        for made, act in zip(self._buttons.values(), acts, strict=True):
            made.clicked.connect(lambda _=False, act=act: act())

    def _show_draft(self) -> None:
        draft = self.draft
        is_shipped = draft is not None and draft.key in self._shipped
        can_edit = draft is not None and not is_shipped
        self.name.setText("" if draft is None else draft.title)
        self.name.setEnabled(can_edit)
        self.entries.show_draft(draft, can_edit=can_edit)
        for name in ("Copy", "Export …"):
            self._buttons[name].setEnabled(draft is not None)
        self._buttons["Remove"].setEnabled(can_edit)
        self._show_saving()

    def _show_saving(self) -> None:
        """What can be saved, and what is missing before that."""
        draft, self._is_discarding = self.draft, False
        if draft is None:
            self.save.setEnabled(False)
            self._say("Make a taxonomy, copy one or import one.")
            return
        missing, is_changed = problems(draft), self._is_changed(draft)
        self.save.setEnabled(is_changed and not missing)
        self.save.setText(f"Save as version {self._next_version(draft)}" if is_changed else "Save")
        if draft.key in self._shipped:
            self._say(SHIPPED_NOTE)
        elif missing:
            self._say(missing[0])
        else:
            self._say("Not saved yet." if is_changed else "Saved.")

    def _on_changed(self, draft: Taxonomy) -> None:
        self._drafts[draft.key] = draft
        self._show_saving()

    def _on_renamed(self, text: str) -> None:
        draft = self.draft
        if draft is not None:
            renamed = replace(draft, title=text)
            self.entries.show_draft(renamed, self.entries.tree.place, can_edit=True)
            self._on_changed(renamed)

    def _begin(self, draft: Taxonomy) -> None:
        """Go on with a taxonomy that is not saved yet."""
        self._drafts[draft.key] = draft
        shipped = {key: self._known[key] for key in self._shipped}
        self.set_taxonomies(self._known, shipped, draft.key)

    def _new(self) -> None:
        taken = (*self._known, *self._drafts)
        self._begin(new_taxonomy(self._free_title("Causes"), taken))

    def _copy(self) -> None:
        draft = self.draft
        if draft is not None:
            title = self._free_title(f"{draft.title} (own)")
            self._begin(copied_taxonomy(draft, title, (*self._known, *self._drafts)))

    def _remove(self) -> None:
        draft = self.draft
        if draft is None or draft.key in self._shipped:
            return
        self._drafts.pop(draft.key, None)
        is_known = self._known.pop(draft.key, None) is not None
        self.set_taxonomies(self._known, {key: self._known[key] for key in self._shipped})
        if is_known:
            self.taxonomy_removed.emit(draft.key)

    def _import(self) -> None:
        path = self._asking.to_import()
        if path:
            self.import_file(Path(path))

    def _export(self) -> None:
        draft = self.draft
        path = "" if draft is None else self._asking.to_export(f"{draft.key}.toml")
        if draft is None or not path:
            return
        try:
            write_taxonomy(Path(path), replace(draft, version=max(draft.version, 1)))
        except WriteError as error:
            self._say(str(error), is_error=True)
            return
        self._say(f"Written to {path}.")

    def _save(self) -> None:
        draft = self.draft
        if draft is None or problems(draft):
            return
        saved = replace(draft, title=draft.title.strip(), version=self._next_version(draft))
        self._drafts.pop(draft.key, None)
        self.entries.forget_fresh()
        shipped = {key: self._known[key] for key in self._shipped}
        self.set_taxonomies({**self._known, saved.key: saved}, shipped, saved.key)
        self.taxonomy_saved.emit(saved)

    def _is_changed(self, draft: Taxonomy) -> bool:
        saved = self._known.get(draft.key)
        return saved is None or replace(draft, version=saved.version) != saved

    def _next_version(self, draft: Taxonomy) -> int:
        saved = self._known.get(draft.key)
        return max(draft.version, 1) if saved is None else saved.version + 1

    def _free_title(self, wanted: str) -> str:
        every = {**self._known, **self._drafts}
        return free_name((taxonomy.title for taxonomy in every.values()), wanted)

    def _title(self, taxonomy: Taxonomy) -> str:
        if taxonomy.key not in self._known:
            return f"{taxonomy.title} (not saved)"
        owner = "Waypost's, " if taxonomy.key in self._shipped else ""
        return f"{taxonomy.title} ({owner}version {self._known[taxonomy.key].version})"

    def _say(self, sentence: str, *, is_error: bool = False) -> None:
        set_property(self._message, "role", "error" if is_error else "muted")
        self._message.setText(sentence)
