"""The buttons of undo and redo say what can be undone, whatever made the step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gui.user import User

from waypost.domain.base.visible_text import plain_tip

pytestmark = pytest.mark.gui


def test_undo_and_redo_follow_steps_that_no_command_made(at_house: User) -> None:
    undo, redo = at_house.window._bar.history
    assert (undo.isEnabled(), redo.isEnabled()) == (False, False)
    document = at_house.document
    document.edit("Rename", replace(document.project, name="Another"))
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
    document.undo()
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    document.redo()
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)


def test_the_buttons_name_their_steps(at_house: User) -> None:
    undo, redo = at_house.window._bar.history
    document = at_house.document
    document.edit("Rename <b>house</b>", replace(document.project, name="Another"))
    assert undo.toolTip() == plain_tip("Undo: Rename <b>house</b> (Ctrl+Z)")
    assert redo.toolTip() == "Redo (Ctrl+Shift+Z)"
    document.undo()
    assert undo.toolTip() == "Undo (Ctrl+Z)"
    assert "Redo: Rename" in redo.toolTip()


def test_the_buttons_name_the_steps_that_were_kept(user: User, house: Path, sample: Path) -> None:
    undo, _ = user.window._bar.history
    user.open(house)
    user.document.edit("Rename", replace(user.project, name="Another"))
    user.open(sample)
    assert undo.toolTip() == "Undo (Ctrl+Z)"
    user.open(house)
    assert undo.toolTip() == "Undo: Rename (Ctrl+Z)"
