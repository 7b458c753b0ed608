"""The buttons of undo and redo say what can be undone, whatever made the step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gui.user import User

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
