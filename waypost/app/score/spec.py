"""The Score workspace as the window knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from waypost.app.score.actions import SCORE_SCOPE, score_actions
from waypost.app.shell.exercise import KeyedWords
from waypost.app.shell.workspace import WorkspaceSpec, WorkspaceWords

if TYPE_CHECKING:
    from waypost.app.score.workspace import ScoreWorkspace


def _load() -> type[ScoreWorkspace]:
    from waypost.app.score.workspace import ScoreWorkspace  # noqa: PLC0415 - when it is shown

    return ScoreWorkspace


SCORE: Final = WorkspaceSpec(
    SCORE_SCOPE,
    "Score",
    "Ctrl+4",
    WorkspaceWords(
        "people score instructions, blind",
        "The instructions of a batch, in an order of your own.",
        (KeyedWords(("score.next", "score.previous"), "Next, previous instruction"),),
        "Digits score the criterion at hand; nothing is chosen before you do.",
        (
            KeyedWords(("score.next_criterion",), "Next criterion"),
            KeyedWords(("score.submit",), "Submit and go on"),
            KeyedWords(("score.skip",), "Skip, with a reason"),
        ),
    ),
    _load,
    score_actions,
)
