"""Picking runs out of a folder of results."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from waypost.app.replay.catalogue_dialog import CatalogueDialog, CatalogueRow

ROWS = (
    CatalogueRow("a", "r2r/gpt/plain.json", "R2R", "R2R", "val_unseen", "gpt", "plain"),
    CatalogueRow("b", "r2r/gpt/map.json", "R2R", "R2R", "val_unseen", "gpt", "map"),
    CatalogueRow("c", "r2r/llama/map.json", "R2R", "R2R", "val_unseen", "llama", "map"),
    CatalogueRow("d", "loose.json", "R2R", "R2R", "val_unseen"),
)


@pytest.fixture
def dialog(qtbot: QtBot) -> CatalogueDialog:
    made = CatalogueDialog(ROWS, "", 2)
    qtbot.addWidget(made)
    return made


def shown(dialog: CatalogueDialog) -> tuple[str, ...]:
    items = (dialog.list.item(place) for place in range(dialog.list.count()))
    return tuple(item.data(Qt.ItemDataRole.UserRole) for item in items)


def choose(dialog: CatalogueDialog, axis: str, text: str) -> None:
    choice = dialog.choices[axis]
    choice.setCurrentIndex(choice.findText(text))


def test_every_choice_narrows_the_list(dialog):
    assert shown(dialog) == ("a", "b", "c", "d")
    choose(dialog, "setting", "map")
    assert shown(dialog) == ("b", "c")
    choose(dialog, "model", "llama")
    assert shown(dialog) == ("c",)
    choose(dialog, "setting", "Any")
    choose(dialog, "model", "Not told")
    assert shown(dialog) == ("d",)
    assert dialog.picked == ("d",)


def test_what_all_runs_share_is_said_and_is_no_choice(dialog):
    split = dialog.choices["split"]
    assert split.currentText() == "val_unseen"
    assert not split.isEnabled()
    assert dialog.choices["model"].isEnabled()


def test_no_more_than_can_be_compared_are_picked(dialog):
    assert dialog.picked == ("a",)
    assert dialog.open_button.isEnabled()
    dialog.list.selectAll()
    assert not dialog.open_button.isEnabled()
    dialog.list.item(3).setSelected(False)
    dialog.list.item(0).setSelected(False)
    assert dialog.picked == ("b", "c")
    assert dialog.open_button.isEnabled()
