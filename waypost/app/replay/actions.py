"""What can be done with a replay, as data; the keys of the Replay workspace."""

from __future__ import annotations

from collections.abc import Callable

from waypost.app.replay.replay_header import FACES
from waypost.app.replay.sharing import ReplaySharing
from waypost.app.replay.table.metric_range_dialog import ask_range, can_ask_range
from waypost.app.replay.workspace import REPLAY_SCOPE, ReplayWorkspace
from waypost.app.shell.actions import ActionSpec
from waypost.services.replay.cursor import Landmark


def replay_actions(replay: ReplayWorkspace, sharing: ReplaySharing) -> tuple[ActionSpec, ...]:
    """The actions of the workspace, in the order of the menu."""
    return (
        *_run_actions(replay),
        *_sharing_actions(replay, sharing),
        *_face_actions(replay),
        *_time_actions(replay),
    )


def face_action(face: str) -> str:
    """Id of the action that shows a face."""
    return f"replay.{face}"


def _spec(
    key: str,
    text: str,
    shortcut: str,
    enabled: Callable[[], bool],
    run: Callable[[], object],
    *,
    repeats: bool = False,
) -> ActionSpec:
    def act() -> None:
        run()

    return ActionSpec(
        f"replay.{key}", text, shortcut, "Replay", enabled, act, scope=REPLAY_SCOPE, repeats=repeats
    )


def _run_actions(replay: ReplayWorkspace) -> tuple[ActionSpec, ...]:
    has_run, has_episode, strip = replay.has_run, replay.has_episode, replay.views.strip
    return (
        _spec("search", "Find an episode", "Ctrl+F", has_run, replay.focus_search),
        _spec("filter_metric", "Filter episodes by a metric's range …", "Shift+F",
              lambda: can_ask_range(replay.table.model),
              lambda: ask_range(replay.table.model, replay.left)),
        _spec("next_episode", "Next episode", "N", has_run, lambda: replay.step_episode(1)),
        _spec("previous_episode", "Episode before", "Shift+N", has_run,
              lambda: replay.step_episode(-1)),
        _spec("lead_next", "Let the next run lead", "Shift+L",
              lambda: len(replay.chosen_runs) > 1, replay.choice.lead_next),
        _spec("remove_run", "Take the run out of the project", "", has_run, replay.remove_run),
        _spec("page_step", "Step card", "S", has_episode, lambda: replay.show_page("Step")),
        _spec("page_memory", "Memory", "M", has_episode, lambda: replay.show_page("Memory")),
        _spec("page_metrics", "Metrics", "E", has_episode, lambda: replay.show_page("Metrics")),
        _spec("page_causes", "Root causes", "X", has_episode, replay.focus_causes),
        _spec("fold_pictures", "Fold the pictures", "P", has_episode,
              lambda: strip.set_folded(not strip.is_folded)),
        _spec("fold_curves", "Fold the curves", "K", has_episode, replay.views.curves.toggle),
    )  # fmt: skip


def _sharing_actions(replay: ReplayWorkspace, sharing: ReplaySharing) -> tuple[ActionSpec, ...]:
    has_run, has_episode = replay.has_run, replay.has_episode
    return (
        _spec(
            "share_episode", "Share the episode …", "Ctrl+Shift+E", has_episode, sharing.ask_episode
        ),
        _spec("report", "Report of the run …", "", has_run, sharing.ask_report),
        _spec("export_table", "Table of the run …", "", has_run, sharing.ask_table),
    )


def _face_actions(replay: ReplayWorkspace) -> tuple[ActionSpec, ...]:
    def show(face: str) -> Callable[[], None]:
        return lambda: replay.show_face(face)

    return tuple(
        _spec(face, f"Show: {tip}", str(number), replay.has_run, show(face))
        for number, (face, (_, tip)) in enumerate(FACES.items(), start=1)
    )


def _time_actions(replay: ReplayWorkspace) -> tuple[ActionSpec, ...]:
    cursor, has_episode = replay.views.cursor, replay.has_episode

    def jump(kind: Landmark) -> Callable[[], bool]:
        return lambda: cursor.go_to_next(kind)

    def has(kind: Landmark) -> Callable[[], bool]:
        return lambda: bool(cursor.landmarks(kind))

    return (
        _spec("play", "Play, or pause", "Space", has_episode, cursor.toggle_play),
        _spec("forward", "Next step", "Right", has_episode, lambda: cursor.move_by(1),
              repeats=True),
        _spec("back", "Step before", "Left", has_episode, lambda: cursor.move_by(-1), repeats=True),
        _spec("second_forward", "A second on", "Shift+Right", has_episode,
              lambda: cursor.move_by_seconds(1.0), repeats=True),
        _spec("second_back", "A second back", "Shift+Left", has_episode,
              lambda: cursor.move_by_seconds(-1.0), repeats=True),
        _spec("first", "First step", "Home", has_episode, cursor.go_first),
        _spec("last", "Last step", "End", has_episode, cursor.go_last),
        _spec("deviation", "Next deviation", "D", has(Landmark.DEVIATION),
              jump(Landmark.DEVIATION)),
        _spec("revisit", "Next revisit", "R", has(Landmark.REVISIT), jump(Landmark.REVISIT)),
        _spec("collision", "Next collision", "C", has(Landmark.COLLISION),
              jump(Landmark.COLLISION)),
        _spec("faster", "Play faster", ".", has_episode, lambda: cursor.step_speed(1)),
        _spec("slower", "Play slower", ",", has_episode, lambda: cursor.step_speed(-1)),
    )  # fmt: skip
