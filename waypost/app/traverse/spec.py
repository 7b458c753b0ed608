"""The Traverse workspace as the window knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from waypost.app.shell.exercise import KeyedWords
from waypost.app.shell.workspace import WorkspaceSpec, WorkspaceWords
from waypost.app.traverse.actions import TRAVERSE_SCOPE, traverse_actions
from waypost.app.traverse.exercise import traverse_exercise

if TYPE_CHECKING:
    from waypost.app.traverse.workspace import TraverseWorkspace


def _load() -> type[TraverseWorkspace]:
    from waypost.app.traverse.workspace import (  # noqa: PLC0415 - when it is shown
        TraverseWorkspace,
    )

    return TraverseWorkspace


TRAVERSE: Final = WorkspaceSpec(
    TRAVERSE_SCOPE,
    "Traverse",
    "Ctrl+2",
    WorkspaceWords(
        "measure, judge what is uncertain",
        "Let every passage be measured: ○✓ is proposed, ○? is uncertain.",
        (KeyedWords(("traverse.measure_all",), "Measure all"),),
        "Can this agent go there? Accept what was measured, or overrule it.",
        (
            KeyedWords(("traverse.accept",), "Accept it"),
            KeyedWords(("traverse.reason_too_narrow",), "No: too narrow"),
        ),
    ),
    _load,
    traverse_actions,
    traverse_exercise,
)
