"""The Record workspace as the window knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from waypost.app.record.actions import RECORD_SCOPE, record_actions
from waypost.app.shell.exercise import KeyedWords
from waypost.app.shell.workspace import WorkspaceSpec, WorkspaceWords

if TYPE_CHECKING:
    from waypost.app.record.workspace import RecordWorkspace


def _load() -> type[RecordWorkspace]:
    from waypost.app.record.workspace import RecordWorkspace  # noqa: PLC0415 - when it is shown

    return RecordWorkspace


RECORD: Final = WorkspaceSpec(
    RECORD_SCOPE,
    "Record",
    "Ctrl+3",
    WorkspaceWords(
        "people drive, every move is kept",
        "The participants of your study, and the episodes of the chosen one.",
        (KeyedWords(("record.search",), "Search the participants"),),
        "How the study stands. For a session a participant gets the whole window.",
        (
            KeyedWords(("record.add",), "Add a participant"),
            KeyedWords(("record.begin",), "Begin the session"),
        ),
    ),
    _load,
    record_actions,
)
