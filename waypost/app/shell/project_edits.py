"""How desks change the open project, and how they say why something could not be done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from waypost.app.shell.workbench import Workbench
from waypost.domain.base.errors import EditError, WaypostError
from waypost.domain.base.sentences import capitalised
from waypost.domain.project import Project

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument


def project_root(bench: Workbench) -> Path:
    """Folder that paths of the open project resolve against; empty without one."""
    document = bench.document
    return document.store.root if document else Path()


def edit_project(
    bench: Workbench,
    text: str,
    change: Callable[[Project], Project],
    merge_key: object | None = None,
) -> bool:
    """Make a change of the open project one step of undo.

    Returns:
        Whether it was possible; the window is told why not.
    """
    document = bench.document
    if document is None:
        return False
    try:
        document.edit(text, change(document.project), merge_key)
    except EditError as error:
        sentence = str(error)
        bench.refused.emit(f"{capitalised(sentence)}.")
        return False
    return True


def is_still_open(bench: Workbench, document: ProjectDocument | None, name: str) -> bool:
    """Whether a file that was read may go into the open project; the window is told if not.

    Args:
        bench: Has the open project.
        document: What was open when the reading began.
        name: Of the file.
    """
    if document is bench.document:
        return True
    bench.refused.emit(f"{name} was not imported: another project was opened meanwhile.")
    return False


def note_in_project(bench: Workbench, text: str, change: Callable[[Project], Project]) -> None:
    """Keep what is found out of the open project at every opening; undo leaves it alone.

    What an edit has made impossible meanwhile is left out, and the window is told why.
    """
    if bench.document is not None:
        try:
            bench.document.note_again(text, change)
        except EditError as error:
            refuse(bench, error)


def refuse(bench: Workbench, error: Exception) -> None:
    """Tell the window what a job failed of."""
    bench.refused.emit(str(error) if isinstance(error, WaypostError) else repr(error))
