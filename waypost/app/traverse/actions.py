"""What can be done with passages and while driving, as data; the keys of the Traverse workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from waypost.annotators.traverse.label_keys import REASON_KEYS
from waypost.annotators.traverse.queue_parts import QueuePart
from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.menu_columns import in_groups
from waypost.app.shell.workspace import LazyWorkspace, Surroundings
from waypost.app.traverse.team_desk import TeamDesk
from waypost.domain.traverse.traversability import REASON_TITLES, Reason, Verdict
from waypost.services.input.shortcuts import DRIVING_SCOPE

if TYPE_CHECKING:
    from waypost.app.traverse.workspace import TraverseWorkspace

TRAVERSE_SCOPE: Final = "traverse"

_PART_KEYS: Final = {QueuePart.PROPOSED: "P"}

_OF_TWO: Final = (QueuePart.DISAGREEING, QueuePart.RETURNED)

_Run = Callable[["TraverseWorkspace"], object]
_Make = Callable[..., ActionSpec]


def traverse_actions(
    the: LazyWorkspace[TraverseWorkspace], around: Surroundings
) -> tuple[ActionSpec, ...]:
    """The actions of the workspace, in the order of the menu."""
    spec = _specs(around, the)
    reasons = [f"traverse.reason_{reason}" for reason in Reason]
    return in_groups(
        (
            *_answer_actions(around, the, spec),
            *_queue_actions(around, spec),
            *_team_actions(TeamDesk(around), the, spec),
            *_driving_actions(the),
        ),
        ("Reason", reasons[0], reasons[-1]),
        ("Answer", "traverse.accept", "traverse.clear"),
        ("Measure", "traverse.measure_all", "traverse.rule"),
        ("Drive", "traverse.drive", "traverse.overview"),
        ("Queue", "traverse.select_all", "traverse.uncertain_first"),
        ("Go to", "traverse.next", "traverse.search"),
        ("Two annotators", "traverse.part_disagreeing", "traverse.people"),
    )


def _specs(around: Surroundings, the: LazyWorkspace[TraverseWorkspace]) -> _Make:
    bench = around.bench

    def spec(
        key: str, text: str, shortcut: str, run: _Run,
        enabled: Callable[[], bool] = bench.has_project,
    ) -> ActionSpec:  # fmt: skip
        doing, scope = the.doing(run), TRAVERSE_SCOPE
        return ActionSpec(
            f"traverse.{key}", text, shortcut, "Traverse", enabled, doing, scope=scope
        )

    return spec


def _answer(verdict: Verdict) -> _Run:
    return lambda traverse: traverse.answer(verdict)


def _answer_actions(
    around: Surroundings, the: LazyWorkspace[TraverseWorkspace], spec: _Make
) -> tuple[ActionSpec, ...]:
    def choose(reason: Reason) -> _Run:
        return lambda traverse: traverse.choose_reason(reason)

    return (
        spec("travels", "It travels", "Y", _answer(Verdict.TRAVELS)),
        spec("does_not", "It does not travel", "N", _answer(Verdict.DOES_NOT)),
        spec("uncertain", "Uncertain", "U", _answer(Verdict.UNCERTAIN)),
        *(
            spec(f"reason_{reason}", f"Reason: {REASON_TITLES[reason]}", key, choose(reason))
            for reason, key in zip(Reason, REASON_KEYS, strict=True)
        ),
        spec("accept", "Accept what was measured", "Return", lambda traverse: traverse.accept(),
             the.asking(lambda traverse: traverse.walk.has_proposal)),
        spec("answer_rest", "Answer all that is left …", "Shift+Y",
             lambda traverse: traverse.answer_rest()),
        spec("note", "Write a note on the passage just answered", "C",
             lambda traverse: traverse.focus_note()),
        spec("clear", "Clear the answer", "Del", lambda traverse: traverse.clear_answer()),
        spec("measure_all", "Measure all, or stop measuring", "M",
             lambda traverse: traverse.measuring.toggle()),
        spec("measure", "Measure what is selected", "Ctrl+M",
             lambda traverse: traverse.measuring.measure(traverse.walk.selected)),
        spec("rule", "What “travels” means …", "", lambda traverse: traverse.rule.ask()),
        spec("drive", "Drive it", "D", lambda traverse: traverse.drive()),
        spec("drive_straight", "Let it drive itself", "Shift+D",
             lambda traverse: traverse.drive_automatically()),
        spec("replay", "Show the drive again", "R", lambda traverse: traverse.replay(),
             the.asking(lambda traverse: traverse.has_drive())),
        spec("spot", "Show the spot that decides", "V", lambda traverse: traverse.spots.go_to(),
             the.asking(lambda traverse: traverse.spots.has_spot())),
        spec("camera", "Camera of the engine …", "Shift+C",
             lambda _: around.trigger("edit.engines")),
        spec("overview", "Show every label", "L", lambda traverse: traverse.toggle_overview()),
    )  # fmt: skip


def _queue_actions(around: Surroundings, spec: _Make) -> tuple[ActionSpec, ...]:
    bench = around.bench

    def narrow(part: QueuePart) -> _Run:
        return lambda traverse: traverse.list.parts.toggle(part)

    return (
        spec("select_all", "Select all that the queue shows", "Ctrl+A",
             lambda traverse: traverse.list.select_all()),
        spec("extend_down", "Select one more below", "Shift+Down",
             lambda traverse: traverse.list.extend(1)),
        spec("extend_up", "Select one more above", "Shift+Up",
             lambda traverse: traverse.list.extend(-1)),
        spec("needed", "Ask only what questions need", "Alt+Q",
             lambda traverse: traverse.toggle_needed()),
        spec("step_part", "Narrow the queue to its next part", "Q",
             lambda traverse: traverse.list.parts.step()),
        *(
            spec(f"part_{part}", f"Show only what is {part}", key, narrow(part))
            for part, key in ((part, _PART_KEYS.get(part, "")) for part in QueuePart)
            if part not in _OF_TWO
        ),
        spec("uncertain_first", "Uncertain passages first, or in the order of the graph", "Shift+Q",
             lambda traverse: traverse.walk.toggle_uncertain_first()),
        spec("next", "Next passage", ".", lambda traverse: traverse.walk.next()),
        spec("previous", "Previous passage", ",", lambda traverse: traverse.walk.previous()),
        spec("undecided", "Next passage to answer, or next agent", "Space",
             lambda traverse: traverse.go_to_undecided()),
        spec("back", "Back to the passage before", "Backspace",
             lambda traverse: traverse.walk.back()),
        spec("next_agent", "Next agent", "Alt+Down", lambda _: bench.step_agent(1)),
        spec("previous_agent", "Previous agent", "Alt+Up", lambda _: bench.step_agent(-1)),
        spec("search", "Search the queue", "Ctrl+F",
             lambda traverse: traverse.list.focus_search()),
        spec("cancel", "Drop the half-given answer", "Esc", lambda traverse: traverse.cancel()),
    )  # fmt: skip


def _team_actions(
    desk: TeamDesk, the: LazyWorkspace[TraverseWorkspace], spec: _Make
) -> tuple[ActionSpec, ...]:
    def narrow(part: QueuePart) -> _Run:
        return lambda traverse: traverse.list.parts.toggle(part)

    can_decide = the.asking(lambda traverse: desk.can_decide(traverse.current))
    return (
        *(spec(f"part_{part}", f"Show only what is {part}", "", narrow(part)) for part in _OF_TWO),
        spec("accept_first", "Accept what the first annotator says", "Alt+1",
             lambda traverse: desk.accept(traverse.current, 0), can_decide),
        spec("accept_second", "Accept what the second annotator says", "Alt+2",
             lambda traverse: desk.accept(traverse.current, 1), can_decide),
        spec("return_first", "Return the label of the first annotator …", "Alt+Shift+1",
             lambda traverse: desk.ask_return(traverse.current, 0), can_decide),
        spec("return_second", "Return the label of the second annotator …", "Alt+Shift+2",
             lambda traverse: desk.ask_return(traverse.current, 1), can_decide),
        spec("people", "People and second labels …", "", lambda _: desk.ask_people()),
    )  # fmt: skip


def _driving_actions(the: LazyWorkspace[TraverseWorkspace]) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(
            f"drive.{key}", text, shortcut, "Driving", None, the.doing(run), scope=DRIVING_SCOPE
        )

    def look(mode: str) -> _Run:
        return lambda traverse: traverse.driver.choose_camera(mode)

    return (
        spec("travels", "It travels: stop and answer", "Y", _answer(Verdict.TRAVELS)),
        spec("does_not", "It does not travel: stop and answer", "N", _answer(Verdict.DOES_NOT)),
        spec("uncertain", "Uncertain: stop and answer", "U", _answer(Verdict.UNCERTAIN)),
        spec("stop", "Stop driving", "Esc", lambda traverse: traverse.driver.stop()),
        spec("chase", "Look from behind", "1", look("chase")),
        spec("first_person", "Look with its eyes", "2", look("first_person")),
        spec("top", "Look from above while driving", "3", look("top")),
    )
