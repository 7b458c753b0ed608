"""What the introduction says at each of its steps, in each workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from waypost.app.shell.exercise import Exercise, KeyedWords, Place
from waypost.app.shell.workspace import WorkspaceSpec


@dataclass(frozen=True, slots=True)
class IntroductionStep:
    """One step, before keys are written into it."""

    place: Place
    title: str
    text: str
    keyed: tuple[KeyedWords, ...]
    back_action_id: str
    """Brings the place back where it is folded away."""

    next_text: str = ""
    """On the button that goes on; empty for the usual words."""

    waits: bool = False
    """Whether it goes on by itself, once its thing was done."""


_SCENE_TEXT: Final = (
    "Drag with the right button to turn it, with Shift held to push it along; the wheel zooms."
    " The slider cuts it open."
)


def introduction_steps(
    shown: WorkspaceSpec[Any], specs: Sequence[WorkspaceSpec[Any]]
) -> tuple[IntroductionStep, ...]:
    """The five steps as they read in a workspace.

    Args:
        shown: The workspace that is shown.
        specs: All workspaces of the window; the first one shows the scene.
    """
    words, fold = shown.words, "Fold this panel away, or unfold it"
    return (
        IntroductionStep(
            Place.LISTS, "What there is to do", words.lists,
            (*words.lists_keys, KeyedWords(("view.left",), fold)), "view.left",
        ),
        IntroductionStep(
            Place.SCENE, "The scene", _SCENE_TEXT,
            (
                KeyedWords(("view.storey_up", "view.storey_down"), "Storey above, below"),
                KeyedWords(("view.cut_up", "view.cut_down"), "Raise, lower the cut"),
                KeyedWords(("view.whole",), "See the whole scene"),
            ),
            specs[0].show_action,
        ),
        IntroductionStep(
            Place.ANSWERS, "What you say about it", words.answers,
            (*words.answers_keys, KeyedWords(("view.right",), fold)), "view.right",
        ),
        IntroductionStep(
            Place.WORKSPACES, f"{_counted(len(specs))} workspaces",
            "One for each job, always on the same project.",
            tuple(
                KeyedWords((spec.show_action,), f"{spec.title}: {spec.words.purpose}")
                for spec in specs
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


def offer_steps(exercise: Exercise) -> tuple[IntroductionStep, ...]:
    """What is said before an exercise begins."""
    return (
        IntroductionStep(
            Place.LISTS, exercise.title, exercise.offer, (), "view.left", next_text="Begin"
        ),
    )


def exercise_steps(exercise: Exercise, scene_action: str) -> tuple[IntroductionStep, ...]:
    """The steps of an exercise, and its farewell.

    Args:
        exercise: Under way.
        scene_action: Shows the scene.
    """
    back = {Place.LISTS: "view.left", Place.ANSWERS: "view.right", Place.SCENE: scene_action}
    steps = (
        IntroductionStep(s.place, s.title, s.text, s.keyed, back[s.place], waits=True)
        for s in exercise.steps
    )
    return (*steps, IntroductionStep(Place.LISTS, "Done", exercise.farewell, (), "view.left"))


def _counted(number: int) -> str:
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
    return words[number] if number < len(words) else str(number)
