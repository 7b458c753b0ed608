"""The Replay workspace as the window knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from waypost.app.replay.actions import REPLAY_SCOPE, replay_actions
from waypost.app.shell.exercise import KeyedWords
from waypost.app.shell.workspace import WorkspaceSpec, WorkspaceWords

if TYPE_CHECKING:
    from waypost.app.replay.workspace import ReplayWorkspace


def _load() -> type[ReplayWorkspace]:
    from waypost.app.replay.workspace import ReplayWorkspace  # noqa: PLC0415 - when it is shown

    return ReplayWorkspace


REPLAY: Final = WorkspaceSpec(
    REPLAY_SCOPE,
    "Replay",
    "Ctrl+5",
    WorkspaceWords(
        "see what a model did",
        "The runs of your project and their episodes. A click on an episode replays it.",
        (KeyedWords(("replay.search",), "Find an episode"),),
        "What the agent was asked, wrote and did at a step, and how it was scored.",
        (
            KeyedWords(("replay.back", "replay.forward"), "Step by step"),
            KeyedWords(("replay.play",), "Play, or pause"),
        ),
    ),
    _load,
    replay_actions,
)
