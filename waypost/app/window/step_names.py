"""The buttons of undo and redo name their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waypost.app.shell.actions import ActionSet

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument


def name_steps(actions: ActionSet, document: ProjectDocument | None) -> None:
    """Say what would be undone, and what repeated.

    Args:
        actions: Have both.
        document: What is open, if anything.
    """
    undo = redo = ""
    if document is not None:
        undo, redo = document.undo_stack.undoText(), document.undo_stack.redoText()
    actions.set_tip("edit.undo", f"Undo: {undo}" if undo else "Undo")
    actions.set_tip("edit.redo", f"Redo: {redo}" if redo else "Redo")
