"""The editor of taxonomies: versions rise, duplicates are refused at once, files round-trip."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cut_text import cut_texts
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from waypost.app.replay.causes.taxonomy_editor import (
    CLOSE_NOTE,
    SHIPPED_NOTE,
    TaxonomyEditor,
    TaxonomyFileDialogs,
)
from waypost.app.replay.causes.taxonomy_tree import EntryPlace
from waypost.domain.causes.failure import Axis, Category, Taxonomy
from waypost.io.taxonomy_files import read_taxonomy, shipped_taxonomies, write_taxonomy

SHIPPED = shipped_taxonomies()
OWN = Taxonomy(
    "own", "Ours", 4, (Axis("why", "Why", (Category("room", "Room", "", "a"),)),), "us", "notes"
)


class Paths:
    """Answers instead of file dialogs."""

    def __init__(self) -> None:
        self.given = ""
        self.proposed = ""

    def propose(self, name: str) -> str:
        self.proposed = name
        return self.given


@pytest.fixture
def paths() -> Paths:
    return Paths()


@pytest.fixture
def editor(qtbot: QtBot, paths: Paths) -> TaxonomyEditor:
    made = TaxonomyEditor(TaxonomyFileDialogs(lambda: paths.given, paths.propose))
    qtbot.addWidget(made)
    made.set_taxonomies({**SHIPPED, "own": OWN}, SHIPPED, "own")
    made.show()
    return made


def press(editor: TaxonomyEditor, text: str) -> None:
    (found,) = [b for b in editor.findChildren(QPushButton) if b.text() == text]
    found.click()


def choose(editor: TaxonomyEditor, key: str) -> None:
    editor.choice.setCurrentIndex(editor.choice.findData(key))
    editor.choice.activated.emit(editor.choice.currentIndex())


def select(editor: TaxonomyEditor, *place: str) -> None:
    editor.entries.tree.show_taxonomy(editor.draft, EntryPlace(*place))


def retype(qtbot: QtBot, field, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_saving_raises_the_version(qtbot: QtBot, editor: TaxonomyEditor) -> None:
    assert not editor.save.isEnabled()
    select(editor, "why", "room")
    retype(qtbot, editor.entries.form.title, "Region")
    assert editor.save.text() == "Save as version 5"
    with qtbot.waitSignal(editor.taxonomy_saved) as saved:
        editor.save.click()
    (taxonomy,) = saved.args
    assert taxonomy.version == 5
    assert taxonomy.axes[0].categories == (Category("room", "Region", "", "a"),)
    assert (taxonomy.source, taxonomy.notes) == ("us", "notes")
    assert editor._message.text() == "Saved."
    assert editor.choice.currentText() == "Ours (version 5)"


def test_entries_are_added_named_keyed_moved_and_deleted(
    qtbot: QtBot, editor: TaxonomyEditor
) -> None:
    select(editor, "why")
    press(editor, "Add category")
    retype(qtbot, editor.entries.form.title, "Stairs")
    qtbot.keyClicks(editor.entries.form.shortcut, "s")
    press(editor, "Move up")
    assert editor.draft is not None
    assert [(c.title, c.shortcut) for c in editor.draft.axes[0].categories] == [
        ("Stairs", "s"),
        ("Room", "a"),
    ]
    press(editor, "Delete")
    assert [c.title for c in editor.draft.axes[0].categories] == ["Room"]
    press(editor, "Add axis")
    retype(qtbot, editor.entries.form.title, "How")
    assert editor._message.text() == "Add a category to “How”."
    assert not editor.save.isEnabled()
    editor.entries.form.required.click()
    editor.entries.form.several.click()
    axis = editor.draft.axes[1]
    assert (axis.title, axis.is_required, axis.allows_several) == ("How", False, True)
    press(editor, "Delete")
    assert editor.draft == OWN
    assert editor._message.text() == "Saved."


def test_the_key_in_files_follows_the_name_until_it_is_saved(
    qtbot: QtBot, editor: TaxonomyEditor
) -> None:
    press(editor, "Add axis")
    press(editor, "Add category")
    retype(qtbot, editor.entries.form.title, "Fell asleep")
    select(editor, "new_axis")
    retype(qtbot, editor.entries.form.title, "Why not")
    select(editor, "why_not", "fell_asleep")
    retype(qtbot, editor.entries.form.title, "Dozed off")
    editor.save.click()
    select(editor, "why_not", "dozed_off")
    retype(qtbot, editor.entries.form.title, "Slept")
    assert editor.draft is not None
    assert editor.draft.axes[1] == Axis("why_not", "Why not", (Category("dozed_off", "Slept"),))


def test_duplicates_are_refused_at_once(qtbot: QtBot, editor: TaxonomyEditor) -> None:
    select(editor, "why")
    press(editor, "Add category")
    retype(qtbot, editor.entries.form.title, "ROOM")
    assert editor._message.text() == "Refused: there is “Room” already."
    assert editor.entries.form.title.text() == "New category"
    qtbot.keyClicks(editor.entries.form.shortcut, "A")
    assert editor._message.text() == "Refused: the key A sets “Room” already."
    assert editor.entries.form.shortcut.text() == ""
    qtbot.keyClicks(editor.entries.form.shortcut, "b")
    assert editor.draft is not None
    assert editor.draft.axes[0].categories[1].shortcut == "b"


def test_shipped_ones_are_copied_not_changed(qtbot: QtBot, editor: TaxonomyEditor) -> None:
    choose(editor, "vln-mme")
    assert editor._message.text() == SHIPPED_NOTE
    assert not editor.name.isEnabled()
    assert not editor.entries.form.isEnabled()
    press(editor, "Copy")
    assert editor.name.text() == "VLN-MME (own)"
    retype(qtbot, editor.name, "Mine")
    with qtbot.waitSignal(editor.taxonomy_saved) as saved:
        editor.save.click()
    assert saved.args[0] == replace(SHIPPED["vln-mme"], key="vln_mme_own", title="Mine")


def test_a_new_one_needs_a_category(qtbot: QtBot, editor: TaxonomyEditor) -> None:
    press(editor, "New")
    assert editor._message.text() == "Add a category to “Cause”."
    press(editor, "Add category")
    assert editor.save.text() == "Save as version 1"
    retype(qtbot, editor.name, " ")
    assert editor._message.text() == "The taxonomy needs a name."


def test_drafts_survive_looking_elsewhere_and_are_asked_about_once(
    qtbot: QtBot, editor: TaxonomyEditor
) -> None:
    retype(qtbot, editor.name, "Renamed")
    choose(editor, "capnav")
    choose(editor, "own")
    assert editor.name.text() == "Renamed"
    editor.reject()
    assert editor.isVisible()
    assert editor._message.text() == CLOSE_NOTE
    editor.reject()
    assert not editor.isVisible()


def test_files_are_exported_and_imported(
    qtbot: QtBot, editor: TaxonomyEditor, paths: Paths, tmp_path: Path
) -> None:
    file = tmp_path / "ours.toml"
    paths.given = str(file)
    press(editor, "Export …")
    assert paths.proposed == "own.toml"
    assert read_taxonomy(file) == OWN
    write_taxonomy(file, replace(OWN, key="theirs", title="Theirs", version=7))
    press(editor, "Import …")
    assert editor.save.text() == "Save as version 7"
    with qtbot.waitSignal(editor.taxonomy_saved) as saved:
        editor.save.click()
    assert (saved.args[0].key, saved.args[0].version) == ("theirs", 7)
    write_taxonomy(file, replace(SHIPPED["capnav"], title="Changed"))
    press(editor, "Import …")
    assert editor.draft is not None
    assert editor.draft.key == "changed"
    file.write_text("axes = 1")
    press(editor, "Import …")
    assert "schema_version" in editor._message.text()
    paths.given = str(tmp_path / "no" / "such.toml")
    press(editor, "Export …")
    assert "such.toml" in editor._message.text()


def test_an_own_one_is_removed(qtbot: QtBot, editor: TaxonomyEditor) -> None:
    with qtbot.waitSignal(editor.taxonomy_removed) as removed:
        press(editor, "Remove")
    assert removed.args == ["own"]
    assert editor.choice.findData("own") == -1
    assert editor.draft == SHIPPED["vln-mme"]


def test_no_text_is_cut(theme: str, editor: TaxonomyEditor) -> None:
    select(editor, "why", "room")
    QApplication.processEvents()
    assert cut_texts(editor) == []
