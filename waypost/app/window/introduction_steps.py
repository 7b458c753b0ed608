"""What the introduction says at each of its steps, in each workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from waypost.app.graph.workspace import GRAPH_SCOPE
from waypost.app.record.workspace import RECORD_SCOPE
from waypost.app.replay.workspace import REPLAY_SCOPE
from waypost.app.traverse.workspace import TRAVERSE_SCOPE


class Place(StrEnum):
    """The part of the window that a step speaks of."""

    LISTS = "lists"
    SCENE = "scene"
    ANSWERS = "answers"
    WORKSPACES = "workspaces"
    COMMANDS = "commands"


@dataclass(frozen=True, slots=True)
class KeyedWords:
    """What the keys of some actions do."""

    action_ids: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class IntroductionStep:
    """One step, before keys are written into it."""

    place: Place
    title: str
    text: str
    keyed: tuple[KeyedWords, ...]
    back_action_id: str
    """Brings the place back where it is folded away."""


_LISTS: Final[Mapping[str, tuple[str, KeyedWords]]] = MappingProxyType(
    {
        GRAPH_SCOPE: (
            "The nodes and edges of your graph, and below them what looks wrong in it.",
            KeyedWords(("graph.search",), "Search the lists"),
        ),
        TRAVERSE_SCOPE: (
            "The agent, and the passages to answer for it. A click on one shows it in the scene.",
            KeyedWords(("traverse.undecided",), "The next one without an answer"),
        ),
        RECORD_SCOPE: (
            "The participants of your study, and the episodes of the chosen one.",
            KeyedWords(("record.search",), "Search the participants"),
        ),
        REPLAY_SCOPE: (
            "The runs of your project and their episodes. A click on an episode replays it.",
            KeyedWords(("replay.search",), "Find an episode"),
        ),
    }
)

_ANSWERS: Final[Mapping[str, tuple[str, tuple[KeyedWords, ...]]]] = MappingProxyType(
    {
        GRAPH_SCOPE: (
            "What you select, in the scene or in a list, is described here and can be named.",
            (
                KeyedWords(("graph.node",), "Place nodes"),
                KeyedWords(("graph.rename",), "Name the selected node"),
            ),
        ),
        TRAVERSE_SCOPE: (
            "One question at a time: can this agent go there? Drive it, then answer.",
            (
                KeyedWords(("traverse.drive",), "Drive the agent"),
                KeyedWords(
                    ("traverse.travels", "traverse.does_not", "traverse.uncertain"),
                    "It travels, it does not, uncertain",
                ),
            ),
        ),
        RECORD_SCOPE: (
            "How the study stands. For a session a participant gets the whole window.",
            (
                KeyedWords(("record.add",), "Add a participant"),
                KeyedWords(("record.begin",), "Begin the session"),
            ),
        ),
        REPLAY_SCOPE: (
            "What the agent was asked, wrote and did at a step, and how it was scored.",
            (
                KeyedWords(("replay.back", "replay.forward"), "Step by step"),
                KeyedWords(("replay.play",), "Play, or pause"),
            ),
        ),
    }
)

_SCENE_TEXT: Final = (
    "Drag with the right button to turn it, with Shift held to push it along; the wheel zooms."
    " The slider cuts it open."
)


def introduction_steps(scope: str) -> tuple[IntroductionStep, ...]:
    """The five steps as they read in a workspace.

    Args:
        scope: Of the workspace that is shown.
    """
    lists, search = _LISTS[scope]
    answers, keyed = _ANSWERS[scope]
    fold = "Fold this panel away, or unfold it"
    return (
        IntroductionStep(
            Place.LISTS, "What there is to do", lists,
            (search, KeyedWords(("view.left",), fold)), "view.left",
        ),
        IntroductionStep(
            Place.SCENE, "The scene", _SCENE_TEXT,
            (
                KeyedWords(("view.storey_up", "view.storey_down"), "Storey above, below"),
                KeyedWords(("view.cut_up", "view.cut_down"), "Raise, lower the cut"),
                KeyedWords(("view.whole",), "See the whole scene"),
            ),
            "view.graph",
        ),
        IntroductionStep(
            Place.ANSWERS, "What you say about it", answers,
            (*keyed, KeyedWords(("view.right",), fold)), "view.right",
        ),
        IntroductionStep(
            Place.WORKSPACES, "Four workspaces", "One for each job, always on the same project.",
            (
                KeyedWords(("view.graph",), "Graph: draw places and the ways between them"),
                KeyedWords(("view.traverse",), "Traverse: drive agents, say what they can travel"),
                KeyedWords(("view.record",), "Record: people drive, every move is kept"),
                KeyedWords(("view.replay",), "Replay: see what a model did"),
            ),
            "view.full",
        ),
        IntroductionStep(
            Place.COMMANDS, "Any command, undo, saved",
            "A few letters find any command. Every edit is saved as it happens – the lower left"
            " says so – and can be undone.",
            (
                KeyedWords(("view.palette",), "Find a command"),
                KeyedWords(("edit.undo", "edit.redo"), "Undo, redo"),
                KeyedWords(("help.keys",), "Every key"),
                KeyedWords(("help.introduction",), "This tour again"),
            ),
            "view.full",
        ),
    )  # fmt: skip
