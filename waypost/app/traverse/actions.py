"""What can be done with passages and while driving, as data; the keys of the Traverse workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from waypost.annotators.traverse.label_keys import REASON_KEYS
from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.menu_columns import in_groups
from waypost.app.shell.workspace import LazyWorkspace, Surroundings
from waypost.domain.traverse.traversability import REASON_TITLES, Reason, Verdict
from waypost.services.input.shortcuts import DRIVING_SCOPE

if TYPE_CHECKING:
    from waypost.app.traverse.workspace import TraverseWorkspace

TRAVERSE_SCOPE: Final = "traverse"

_Run = Callable[["TraverseWorkspace"], object]


def traverse_actions(
    the: LazyWorkspace[TraverseWorkspace], around: Surroundings
) -> tuple[ActionSpec, ...]:
    """The actions of the workspace, in the order of the menu."""
    reasons = [f"traverse.reason_{reason}" for reason in Reason]
    return in_groups(
        (*_passage_actions(the, around), *_driving_actions(the)),
        ("Reason", reasons[0], reasons[-1]),
        ("Drive", "traverse.drive", "traverse.overview"),
        ("Go to", "traverse.next", "traverse.previous_agent"),
    )


def _passage_actions(
    the: LazyWorkspace[TraverseWorkspace], around: Surroundings
) -> tuple[ActionSpec, ...]:
    bench = around.bench

    def spec(
        key: str, text: str, shortcut: str, run: _Run,
        enabled: Callable[[], bool] = bench.has_project,
    ) -> ActionSpec:  # fmt: skip
        doing, scope = the.doing(run), TRAVERSE_SCOPE
        return ActionSpec(
            f"traverse.{key}", text, shortcut, "Traverse", enabled, doing, scope=scope
        )

    def answer(verdict: Verdict) -> _Run:
        return lambda traverse: traverse.answer(verdict)

    def choose(reason: Reason) -> _Run:
        return lambda traverse: traverse.choose_reason(reason)

    return (
        spec("travels", "It travels", "Y", answer(Verdict.TRAVELS)),
        spec("does_not", "It does not travel", "N", answer(Verdict.DOES_NOT)),
        spec("uncertain", "Uncertain", "U", answer(Verdict.UNCERTAIN)),
        *(
            spec(f"reason_{reason}", f"Reason: {REASON_TITLES[reason]}", key, choose(reason))
            for reason, key in zip(Reason, REASON_KEYS, strict=True)
        ),
        spec("note", "Write a note", "C", lambda traverse: traverse.focus_note()),
        spec("clear", "Clear the answer", "Del", lambda traverse: traverse.clear_answer()),
        spec("drive", "Drive it", "D", lambda traverse: traverse.drive()),
        spec("drive_straight", "Let it drive itself", "Shift+D",
             lambda traverse: traverse.drive_automatically()),
        spec("replay", "Show the drive again", "R", lambda traverse: traverse.replay(),
             the.asking(lambda traverse: traverse.has_drive())),
        spec("overview", "Show every label", "L", lambda traverse: traverse.toggle_overview()),
        spec("needed", "Ask only what questions need", "Q",
             lambda traverse: traverse.toggle_needed()),
        spec("next", "Next passage", ".", lambda traverse: traverse.go_next()),
        spec("previous", "Previous passage", ",", lambda traverse: traverse.go_previous()),
        spec("undecided", "Next undecided passage", "Space",
             lambda traverse: traverse.go_to_undecided()),
        spec("back", "Back to the passage before", "Backspace",
             lambda traverse: traverse.go_back()),
        spec("next_agent", "Next agent", "Alt+Down", lambda _: bench.step_agent(1)),
        spec("previous_agent", "Previous agent", "Alt+Up", lambda _: bench.step_agent(-1)),
        spec("search", "Search the queue", "Ctrl+F", lambda traverse: traverse.focus_search()),
        spec("cancel", "Drop the half-given answer", "Esc", lambda traverse: traverse.cancel()),
    )  # fmt: skip


def _driving_actions(the: LazyWorkspace[TraverseWorkspace]) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(
            f"drive.{key}", text, shortcut, "Driving", None, the.doing(run), scope=DRIVING_SCOPE
        )

    def look(mode: str) -> _Run:
        return lambda traverse: traverse.driver.choose_camera(mode)

    return (
        spec("stop", "Stop driving", "Esc", lambda traverse: traverse.driver.stop()),
        spec("chase", "Look from behind", "1", look("chase")),
        spec("first_person", "Look with its eyes", "2", look("first_person")),
        spec("top", "Look from above while driving", "3", look("top")),
    )
