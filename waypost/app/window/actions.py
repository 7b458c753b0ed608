"""Everything the window can do, as data; menus, palette, keys and key list are made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from waypost.annotators.graph.tool import TOOL_KEYS, TOOL_TITLES, ToolName
from waypost.app.graph.workspace import GRAPH_SCOPE
from waypost.app.record.review_actions import review_actions
from waypost.app.record.workspace import RECORD_SCOPE
from waypost.app.replay.actions import replay_actions
from waypost.app.replay.workspace import REPLAY_SCOPE
from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.camera_actions import camera_actions
from waypost.app.traverse.workspace import TRAVERSE_SCOPE
from waypost.domain.scene.graph import EdgeKind
from waypost.domain.traverse.traversability import REASON_TITLES, Reason, Verdict
from waypost.services.input.shortcuts import DRIVING_SCOPE, EVERYWHERE

if TYPE_CHECKING:
    from waypost.app.window.window import MainWindow

_Run = Callable[[], None]


def window_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    """Every action of a window, in the order of the menus."""
    return (
        *_file_actions(window),
        *_edit_actions(window),
        *_view_actions(window),
        *_graph_actions(window),
        *_traverse_actions(window),
        *_record_actions(window),
        *review_actions(window.record),
        *replay_actions(window.replay, window.replay_sharing),
        ActionSpec(
            "replay.rename_run", "Rename the run …", "F2", "Replay", window.replay.has_run,
            lambda: window.replay_files.ask_name(window.replay.chosen_runs[0]), scope=REPLAY_SCOPE,
        ),
        *_driving_actions(window),
        *_session_actions(window),
        *camera_actions(window.record.camera_takes),
        *_help_actions(window),
    )  # fmt: skip


def _file_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    has_project = window.has_project
    rows: tuple[tuple[str, str, str, Callable[[], bool] | None, _Run], ...] = (
        ("file.open_project", "Open project …", "Ctrl+O", None, window.files.ask_project),
        ("file.open_scene", "Open scene …", "Ctrl+Shift+O", None, window.files.ask_scene),
        ("file.open_sample", "Open the sample home", "", None, window.files.open_sample),
        ("file.open_run", "Replay a run …", "Ctrl+Shift+R", None, window.replay_files.ask_file),
        (
            "file.open_run_folder",
            "Replay from a folder of results …",
            "",
            None,
            window.replay_files.ask_folder,
        ),
        ("file.import_graph", "Import CapNav graph …", "", has_project, window.files.ask_import),
        ("file.export", "Export for CapNav …", "Ctrl+E", has_project, window.files.ask_export),
        ("file.save_now", "Try to save now", "Ctrl+S", has_project, window.save_now),
        ("file.reload", "Reload the project from its file", "", has_project, window.bench.reload),
        ("file.quit", "Quit", "Ctrl+Q", None, window.quit),
    )
    return tuple(
        ActionSpec(key, text, shortcut, "File", enabled, run)
        for key, text, shortcut, enabled, run in rows
    )


def _edit_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(key, text, shortcut, "Edit", None, run)

    bench = window.bench
    return (
        ActionSpec("edit.undo", "Undo", "Ctrl+Z", "Edit", bench.can_undo, bench.undo, repeats=True),
        ActionSpec(
            "edit.redo", "Redo", "Ctrl+Shift+Z", "Edit", bench.can_redo, bench.redo, repeats=True
        ),
        ActionSpec(
            "edit.agents", "Edit agents …", "Ctrl+Shift+A", "Edit",
            window.has_project, window.edit_agents,
        ),
        spec("edit.annotator", "Change the annotator …", "", window.preferences.ask_annotator),
        spec("edit.reading_limits", "Limits of reading …", "",
             window.preferences.ask_reading_limits),
        spec("edit.shortcuts", "Change keys …", "Ctrl+,", window.preferences.edit_shortcuts),
    )  # fmt: skip


def _view_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    stage, slider, preferences = window.stage, window.stage.slider, window.preferences

    def look(mode: str) -> _Run:
        return lambda: stage.set_camera_mode(mode)

    rows: tuple[tuple[str, str, str, _Run, bool], ...] = (
        ("view.palette", "Find a command …", "Ctrl+Shift+P", window.open_palette, False),
        ("view.go_to", "Go to node or edge …", "Ctrl+K", window.open_go_to, False),
        ("view.graph", "Graph workspace", "Ctrl+1", lambda: window.show_workspace(0), False),
        ("view.traverse", "Traverse workspace", "Ctrl+2", lambda: window.show_workspace(1), False),
        ("view.record", "Record workspace", "Ctrl+3", lambda: window.show_workspace(2), False),
        ("view.replay", "Replay workspace", "Ctrl+5", window.show_replay, False),
        ("view.frame", "Frame the selection", "F", window.frame_selected, False),
        ("view.whole", "Frame the whole scene", "Shift+Home", window.frame_scene, False),
        ("view.top", "Look from above", "T", look("top"), False),
        ("view.orbit", "Look around it (orbit)", "O", look("orbit"), False),
        ("view.fly", "Fly through it", "G", look("fly"), False),
        ("view.map", "Fold the mini-map", "Shift+M", stage.map.toggle, False),
        ("view.storey_up", "Storey above", "PgUp", lambda: window.step_storey(1), True),
        ("view.storey_down", "Storey below", "PgDown", lambda: window.step_storey(-1), True),
        ("view.cut_up", "Raise the cut", "]", lambda: slider.move_by(0.1), True),
        ("view.cut_down", "Lower the cut", "[", lambda: slider.move_by(-0.1), True),
        ("view.theme", "Switch between dark and light", "", preferences.switch_theme, False),
        ("view.text_larger", "Larger text", "Ctrl+=", lambda: preferences.scale_text(10), False),
        ("view.text_smaller", "Smaller text", "Ctrl+-", lambda: preferences.scale_text(-10), False),
        ("view.left", "Fold the left panel", "F8", lambda: window.fold_panel(0), False),
        ("view.right", "Fold the right panel", "F9", lambda: window.fold_panel(2), False),
        ("view.full", "Only the stage", "F11", window.toggle_stage_only, False),
    )  # fmt: skip
    return tuple(
        ActionSpec(key, text, shortcut, "View", None, run, repeats=repeats)
        for key, text, shortcut, run, repeats in rows
    )


def _graph_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    graph = window.graph

    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(
            f"graph.{key}", text, shortcut, "Graph", window.has_project, run, scope=GRAPH_SCOPE
        )

    def choose(name: ToolName) -> _Run:
        return lambda: graph.choose_tool(name)

    def set_kind(kind: EdgeKind) -> _Run:
        return lambda: graph.set_selected_kind(kind)

    return (
        *(spec(name, TOOL_TITLES[name], TOOL_KEYS[name], choose(name)) for name in ToolName),
        spec("delete", "Delete the selection", "Del", graph.delete_selected),
        spec("rename", "Rename the node", "F2", graph.rename_selected),
        spec("select_all", "Select every node", "Ctrl+A", graph.select_all),
        spec("search", "Search the lists", "Ctrl+F", graph.focus_search),
        *(
            spec(f"kind_{kind}", f"Edge is {kind}", str(number + 1), set_kind(kind))
            for number, kind in enumerate(EdgeKind)
        ),
        spec("cancel", "Drop the gesture or the selection", "Esc", graph.cancel),
    )


def _traverse_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    traverse = window.traverse

    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(
            f"traverse.{key}", text, shortcut, "Traverse", window.has_project, run,
            scope=TRAVERSE_SCOPE,
        )  # fmt: skip

    def answer(verdict: Verdict) -> _Run:
        return lambda: traverse.answer(verdict)

    def choose(digit: str) -> _Run:
        return lambda: traverse.choose_reason(digit)

    digits = ((reason, str((number + 1) % 10)) for number, reason in enumerate(Reason))
    return (
        spec("travels", "It travels", "Y", answer(Verdict.TRAVELS)),
        spec("does_not", "It does not travel", "N", answer(Verdict.DOES_NOT)),
        spec("uncertain", "Uncertain", "U", answer(Verdict.UNCERTAIN)),
        *(
            spec(f"reason_{reason}", f"Reason: {REASON_TITLES[reason]}", digit, choose(digit))
            for reason, digit in digits
        ),
        spec("note", "Write a note", "C", traverse.focus_note),
        spec("clear", "Clear the answer", "Del", traverse.clear_answer),
        spec("drive", "Drive it", "D", window.drive),
        spec("drive_straight", "Let it drive itself", "Shift+D", traverse.drive_automatically),
        ActionSpec(
            "traverse.replay",
            "Show the drive again",
            "R",
            "Traverse",
            traverse.has_drive,
            traverse.replay,
            scope=TRAVERSE_SCOPE,
        ),
        spec("overview", "Show every label", "L", traverse.toggle_overview),
        spec("next", "Next passage", ".", traverse.go_next),
        spec("previous", "Previous passage", ",", traverse.go_previous),
        spec("undecided", "Next undecided passage", "Space", traverse.go_to_undecided),
        spec("back", "Back to the passage before", "Backspace", traverse.go_back),
        spec("next_agent", "Next agent", "Alt+Down", lambda: window.bench.step_agent(1)),
        spec("previous_agent", "Previous agent", "Alt+Up", lambda: window.bench.step_agent(-1)),
        spec("search", "Search the queue", "Ctrl+F", traverse.focus_search),
        spec("cancel", "Drop the half-given answer", "Esc", traverse.cancel),
    )


def _record_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    record = window.record

    def spec(
        key: str, text: str, shortcut: str, enabled: Callable[[], bool], run: _Run
    ) -> ActionSpec:
        return ActionSpec(
            f"record.{key}", text, shortcut, "Record", enabled, run, scope=RECORD_SCOPE
        )

    return (
        spec("begin", "Begin the session of the participant", "B", record.can_begin, record.begin),
        spec("add", "Add a participant", "N", record.has_study, record.add),
        spec("assign", "Assign episodes", "A", record.has_study, record.assign),
        spec("new_study", "New study from an episode file …", "", record.can_create,
             record.files.ask_new_study),
        spec("rules", "Change the rules of the study …", "", record.has_study,
             record.files.ask_rules),
        spec("consent", "New consent text …", "", record.has_study, record.files.ask_consent),
        spec("withdraw", "Withdraw the consent of the participant", "", record.can_withdraw,
             record.withdraw),
        spec("export", "Export the study …", "", record.has_study, record.files.ask_export),
        spec("search", "Search the participants", "Ctrl+F", record.has_study,
             record.people.focus_search),
    )  # fmt: skip


def _session_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    session = window.record.session

    def spec(
        key: str, text: str, shortcut: str, enabled: Callable[[], bool], run: _Run
    ) -> ActionSpec:
        return ActionSpec(
            f"record.{key}", text, shortcut, "Recording", enabled, run, scope=DRIVING_SCOPE
        )

    return (
        spec("go", "Start, or go on", "Space", lambda: session.has_next, session.go_on),
        spec("stop", "Stop here (twice)", "Return", session.is_taking, session.stop),
        spec("pause", "Pause, or go on", "P", session.is_taking, session.toggle_pause),
        spec("lost", "I cannot do this", "L", session.is_taking, session.toggle_lost),
        spec("leave", "Leave the session", "Ctrl+Shift+Esc", lambda: session.is_running,
             session.leave),
    )  # fmt: skip


def _driving_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    driver = window.traverse.driver

    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(f"drive.{key}", text, shortcut, "Driving", None, run, scope=DRIVING_SCOPE)

    def look(mode: str) -> _Run:
        return lambda: driver.choose_camera(mode)

    return (
        spec("stop", "Stop driving", "Esc", driver.stop),
        spec("chase", "Look from behind", "1", look("chase")),
        spec("first_person", "Look with its eyes", "2", look("first_person")),
        spec("top", "Look from above while driving", "3", look("top")),
    )


def _help_actions(window: MainWindow) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(f"help.{key}", text, shortcut, "Help", None, run, scope=EVERYWHERE)

    introduction = window.introduction
    return (
        spec("keys", "List of keys", "F1", window.preferences.show_keys),
        spec("welcome", "Welcome page", "", window.show_welcome),
        spec("introduction", "Take the tour", "Shift+F1", introduction.start),
        ActionSpec(
            "help.introduction_next", "Next step of the tour", "Alt+Right", "Help",
            introduction.is_running, introduction.go_on,
        ),
        ActionSpec(
            "help.introduction_back", "Step of the tour before", "Alt+Left", "Help",
            introduction.is_running, introduction.go_back,
        ),
        spec("about", "About Waypost", "", window.show_about),
    )  # fmt: skip
