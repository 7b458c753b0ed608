"""What every workspace is to the window: how it is declared, made and asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.driving.driving_mode import DrivingMode
from waypost.app.shell.exercise import Exercise, KeyedWords
from waypost.app.shell.middle import LowerStrip, Middle
from waypost.app.shell.scene_engine import SceneEngine
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.jobs import JobRunner
from waypost.services.pieces import Steps
from waypost.widgets.message_strip import Message


@dataclass(frozen=True, slots=True)
class WorkspaceWords:
    """What the introduction says of a workspace."""

    purpose: str
    """What it is for, e.g. ``draw places and the ways between them``."""

    lists: str
    """What its left panel shows."""

    lists_keys: tuple[KeyedWords, ...]
    answers: str
    """What its right panel shows."""

    answers_keys: tuple[KeyedWords, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a workspace finds in its window."""

    bench: Workbench
    jobs: JobRunner
    engine: DrivenEngine
    scene_engine: SceneEngine
    clock: Callable[[], datetime]
    """Gives the time of every edit."""

    data_folder: Path
    """Where this user's own projects are kept."""

    stage: Stage
    middle: Middle
    """Gets further faces beside the stage."""

    below: LowerStrip
    """Gets what is shown over time."""

    over: QVBoxLayout
    under: QVBoxLayout
    """For bars over and under everything between bar and status of the window."""

    driving: DrivingMode
    window: QWidget
    """Owner of dialogs and of the workspace."""

    say: Callable[[str | Message], None]
    """Tells in the window what was done."""

    show: Callable[[Workspace], None]
    """Shows a workspace in the window."""

    trigger: Callable[[str], object]
    """Runs an action of the window by its id, if it can run now."""


class Workspace(QObject):
    """One job of the window, between its bar and its status strip.

    It is made after the window, maybe with a project open already. Faces of the middle and what
    is shown below it give to ``Surroundings.middle`` and ``Surroundings.below`` when it is made.

    Args:
        around: What it finds in its window.
    """

    left: QWidget
    """What there is to do."""

    right: QWidget
    """What is said about it."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around.window)

    def make(self) -> Steps:
        """Make what is left to make, in steps: nothing is asked of it before the last one.

        None of them should hold up the window for more than a few hundredths of a second.
        """
        yield from ()

    def activate(self) -> None:
        """Take over the stage."""

    def deactivate(self) -> None:
        """Let go of the stage; what is half done is ended or dropped."""

    def place(self) -> dict[str, Any]:
        """Where somebody is in it, as JSON holds it; see ``go_to_place``."""
        return {}

    def go_to_place(self, place: Mapping[str, Any]) -> None:
        """Go where somebody was when the same project was open before, as far as it is there."""

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Write the keys in force on the controls."""

    def frame_selected(self) -> None:
        """Bring into view what is at hand."""

    def go_to_item(self, key: str) -> None:
        """Go to a node, an edge or what else has this id."""

    def search_items(self) -> bool:
        """Ask in its own way what to go to; whether it has one."""
        return False

    def step_storey(self, places: int) -> bool:  # noqa: ARG002 - for those that have storeys
        """Show another storey of what fills the middle; whether that is its own."""
        return False

    def is_moving(self) -> bool:
        """Whether something goes on that stands still when the event loop does."""
        return False

    def may_close(self, close: Callable[[], object]) -> bool:  # noqa: ARG002 - for those that ask
        """Whether the window can close now; if not, it asks and calls ``close`` after a yes."""
        return True

    def close(self) -> None:
        """End all loading: the window is closed."""


W = TypeVar("W", bound=Workspace)


class LazyWorkspace(Generic[W]):
    """A workspace that may not be there yet.

    Args:
        give: Gives it, and makes it if need be.
    """

    def __init__(self, give: Callable[[], W]) -> None:
        self._give = give
        self._asking: dict[Callable[[W], bool], Callable[[], bool]] = {}

    def doing(self, act: Callable[[W], object]) -> Callable[[], None]:
        """What has it do something, making it first if need be."""

        def run() -> None:
            act(self._give())

        return run

    def asking(self, condition: Callable[[W], bool]) -> Callable[[], bool]:
        """What asks it something, the same for the same condition."""
        return self._asking.setdefault(condition, lambda: condition(self._give()))


@dataclass(frozen=True, slots=True)
class WorkspaceSpec(Generic[W]):
    """A workspace as data: what the window says of it and offers before it is made."""

    scope: str
    """Of its actions; its name in code."""

    title: str
    """In the bar of the window."""

    key: str
    """Shows it; the default."""

    words: WorkspaceWords
    load: Callable[[], Callable[[Surroundings], W]]
    """Imports what it needs, which takes a while, and gives what makes it; for Qt's thread only."""

    actions: Callable[[LazyWorkspace[W], Surroundings], tuple[ActionSpec, ...]]
    """What can be done in it. It is made when one of them runs, and by conditions of those that
    have its scope, no earlier."""

    exercise: Callable[[LazyWorkspace[W], Surroundings], Exercise] | None = None
    """What a newcomer does once in it, instead of being told; ``None`` for none."""

    @property
    def show_action(self) -> str:
        """Id of the action that shows it."""
        return f"view.{self.scope}"
