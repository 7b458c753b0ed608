"""The Traverse workspace as the window knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from waypost.app.shell.workspace import KeyedWords, WorkspaceSpec, WorkspaceWords
from waypost.app.traverse.actions import TRAVERSE_SCOPE, traverse_actions

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
        "drive agents, say what they can travel",
        "The agent, and the passages to answer for it. A click on one shows it in the scene.",
        (KeyedWords(("traverse.undecided",), "The next one without an answer"),),
        "One question at a time: can this agent go there? Drive it, then answer.",
        (
            KeyedWords(("traverse.drive",), "Drive the agent"),
            KeyedWords(
                ("traverse.travels", "traverse.does_not", "traverse.uncertain"),
                "It travels, it does not, uncertain",
            ),
        ),
    ),
    _load,
    traverse_actions,
)
