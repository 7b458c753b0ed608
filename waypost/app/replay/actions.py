"""What can be done with a replay, as data; the keys of the Replay workspace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from waypost.app.replay.replay_header import FACES
from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.menu_columns import in_groups
from waypost.app.shell.workspace import LazyWorkspace, Surroundings

if TYPE_CHECKING:
    from waypost.app.replay.workspace import ReplayWorkspace
    from waypost.services.replay.cursor import Landmark

REPLAY_SCOPE: Final = "replay"

_Run = Callable[["ReplayWorkspace"], object]
_Condition = Callable[["ReplayWorkspace"], bool]


def replay_actions(
    the: LazyWorkspace[ReplayWorkspace], _around: Surroundings
) -> tuple[ActionSpec, ...]:
    """The actions of the workspace, in the order of the menu."""
    faces = tuple(FACES)
    specs = (
        *_file_actions(the),
        *_run_actions(the),
        *_sharing_actions(the),
        *_face_actions(the),
        *_time_actions(the),
    )
    return in_groups(
        specs,
        ("Episodes", "replay.search", "replay.next_unmarked"),
        ("Runs", "replay.lead_next", "replay.remove_run"),
        ("About the episode", "replay.page_step", "replay.fold_curves"),
        ("Share", "replay.share_episode", "replay.export_table"),
        ("Show", f"replay.{faces[0]}", f"replay.{faces[-1]}"),
        ("Time", "replay.play", "replay.slower"),
    )


def _spec(
    the: LazyWorkspace[ReplayWorkspace],
    key: str,
    text: str,
    shortcut: str,
    enabled: _Condition,
    run: _Run,
    *,
    repeats: bool = False,
) -> ActionSpec:
    return ActionSpec(
        f"replay.{key}", text, shortcut, "Replay", the.asking(enabled), the.doing(run),
        scope=REPLAY_SCOPE, repeats=repeats,
    )  # fmt: skip


def _has_run(replay: ReplayWorkspace) -> bool:
    return replay.has_run()


def _has_episode(replay: ReplayWorkspace) -> bool:
    return replay.has_episode()


def _file_actions(the: LazyWorkspace[ReplayWorkspace]) -> tuple[ActionSpec, ...]:
    """What opens runs from every workspace."""
    return (
        ActionSpec("file.open_run", "Replay a run …", "Ctrl+Shift+R", "File", None,
                   the.doing(lambda replay: replay.files.ask_file())),
        ActionSpec("file.open_run_folder", "Replay from a folder of results …", "", "File", None,
                   the.doing(lambda replay: replay.files.ask_folder())),
    )  # fmt: skip


def _run_actions(the: LazyWorkspace[ReplayWorkspace]) -> tuple[ActionSpec, ...]:
    spec = partial(_spec, the)

    def turn_to(page: str) -> _Run:
        return lambda replay: replay.show_page(page)

    return (
        spec("search", "Find an episode", "Ctrl+F", _has_run, lambda replay: replay.focus_search()),
        spec("filter_metric", "Filter episodes by a metric's range …", "Shift+F",
              _can_ask_range, _ask_range),
        spec("next_episode", "Next episode", "N", _has_run, lambda replay: replay.step_episode(1)),
        spec("previous_episode", "Episode before", "Shift+N", _has_run,
              lambda replay: replay.step_episode(-1)),
        spec("next_unmarked", "Next failure without a mark", "U", _has_run,
              lambda replay: replay.open_next_unmarked()),
        spec("lead_next", "Let the next run lead", "Shift+L",
              lambda replay: len(replay.chosen_runs) > 1, lambda replay: replay.choice.lead_next()),
        spec("rename_run", "Rename the run …", "F2", _has_run,
              lambda replay: replay.files.ask_name(replay.chosen_runs[0])),
        spec("remove_run", "Take the run out of the project", "", _has_run,
              lambda replay: replay.remove_run()),
        spec("page_step", "Step card", "S", _has_episode, turn_to("Step")),
        spec("page_memory", "Memory", "M", _has_episode, turn_to("Memory")),
        spec("page_metrics", "Metrics", "E", _has_episode, turn_to("Metrics")),
        spec("page_causes", "Root causes", "X", _has_episode, lambda replay: replay.focus_causes()),
        spec("fold_pictures", "Fold the pictures", "P", _has_episode, _fold_pictures),
        spec("fold_curves", "Fold the curves", "K", _has_episode,
              lambda replay: replay.views.curves.toggle()),
    )  # fmt: skip


def _fold_pictures(replay: ReplayWorkspace) -> None:
    strip = replay.views.strip
    strip.set_folded(not strip.is_folded)


def _can_ask_range(replay: ReplayWorkspace) -> bool:
    from waypost.app.replay.table.metric_range_dialog import (  # noqa: PLC0415 - when it is shown
        can_ask_range,
    )

    return can_ask_range(replay.table.model)


def _ask_range(replay: ReplayWorkspace) -> None:
    from waypost.app.replay.table.metric_range_dialog import (  # noqa: PLC0415 - when it is shown
        ask_range,
    )

    ask_range(replay.table.model, replay.left)


def _landmark(kind: str) -> Landmark:
    from waypost.services.replay.cursor import Landmark  # noqa: PLC0415 - when it is shown

    return Landmark(kind)


def _sharing_actions(the: LazyWorkspace[ReplayWorkspace]) -> tuple[ActionSpec, ...]:
    spec = partial(_spec, the)
    return (
        spec("share_episode", "Share the episode …", "Ctrl+Shift+E", _has_episode,
              lambda replay: replay.sharing.ask_episode()),
        spec("report", "Report of the run …", "", _has_run,
             lambda replay: replay.sharing.ask_report()),
        spec("export_table", "Table of the run …", "", _has_run,
              lambda replay: replay.sharing.ask_table()),
    )  # fmt: skip


def _face_actions(the: LazyWorkspace[ReplayWorkspace]) -> tuple[ActionSpec, ...]:
    spec = partial(_spec, the)

    def show(face: str) -> _Run:
        return lambda replay: replay.show_face(face)

    return tuple(
        spec(face, f"Show: {tip}", str(number), _has_run, show(face))
        for number, (face, (_, tip)) in enumerate(FACES.items(), start=1)
    )


def _time_actions(the: LazyWorkspace[ReplayWorkspace]) -> tuple[ActionSpec, ...]:
    spec = partial(_spec, the)

    def move(steps: int) -> _Run:
        return lambda replay: replay.views.cursor.move_by(steps)

    def move_s(time_s: float) -> _Run:
        return lambda replay: replay.views.cursor.move_by_seconds(time_s)

    def jump(kind: str) -> _Run:
        return lambda replay: replay.views.cursor.go_to_next(_landmark(kind))

    def has(kind: str) -> _Condition:
        return lambda replay: bool(replay.views.cursor.landmarks(_landmark(kind)))

    return (
        spec("play", "Play, or pause", "Space", _has_episode,
             lambda replay: replay.views.cursor.toggle_play()),
        spec("forward", "Next step", "Right", _has_episode, move(1), repeats=True),
        spec("back", "Step before", "Left", _has_episode, move(-1), repeats=True),
        spec("second_forward", "A second on", "Shift+Right", _has_episode, move_s(1.0),
              repeats=True),
        spec("second_back", "A second back", "Shift+Left", _has_episode, move_s(-1.0),
              repeats=True),
        spec("first", "First step", "Home", _has_episode,
             lambda replay: replay.views.cursor.go_first()),
        spec("last", "Last step", "End", _has_episode,
             lambda replay: replay.views.cursor.go_last()),
        *(
            spec(kind, f"Next {kind}", key, has(kind), jump(kind))
            for kind, key in (("deviation", "D"), ("revisit", "R"), ("collision", "C"))
        ),
        spec("faster", "Play faster", ".", _has_episode,
             lambda replay: replay.views.cursor.step_speed(1)),
        spec("slower", "Play slower", ",", _has_episode,
             lambda replay: replay.views.cursor.step_speed(-1)),
    )  # fmt: skip
