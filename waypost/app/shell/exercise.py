"""A job learned by doing it once: what a workspace declares, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from waypost.domain.project import Project


class Place(StrEnum):
    """The part of the window that a step of the introduction or an exercise speaks of."""

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
class ExerciseStep:
    """One thing to do; the next step comes once it was done."""

    place: Place
    title: str
    text: str
    keyed: tuple[KeyedWords, ...]
    begin: Callable[[], object]
    """Sets up what the step needs; called again where somebody has done something else."""

    is_done: Callable[[Project, Project], bool]
    """Whether it was done, from the project as the step began and as it is."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """What a newcomer does once, on a copy of the sample that is thrown away afterwards."""

    title: str
    offer: str
    """What happens, before it begins."""

    steps: tuple[ExerciseStep, ...]
    farewell: str
    """What is said once everything was done."""
