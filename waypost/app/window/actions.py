"""Everything the window can do, as data; menus, palette, keys and key list are made from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from waypost import __version__
from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.camera.camera_actions import camera_actions
from waypost.app.shell.camera.camera_takes import CameraTakes
from waypost.app.shell.menu_columns import in_groups
from waypost.app.shell.navmesh_layer import NavmeshLayer
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.app.window.files import WindowFiles
from waypost.app.window.notices import Notices
from waypost.app.window.panel_folds import PanelFolds
from waypost.app.window.scene.scene_repairs import SceneRepairs
from waypost.app.window.settings.preferences import Preferences
from waypost.app.window.start.introduction import Introduction
from waypost.app.window.workspaces import Workspaces
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.input.shortcuts import DRIVING_SCOPE

_Run = Callable[[], None]


class CommandedWindow(Protocol):
    """What a window can be told to do."""

    @property
    def engine(self) -> DrivenEngine:
        """The physics engine."""

    bench: Workbench
    stage: Stage
    files: WindowFiles
    preferences: Preferences
    introduction: Introduction
    camera_takes: CameraTakes
    notices: Notices
    repairs: SceneRepairs
    navmesh: NavmeshLayer
    folds: PanelFolds
    workspaces: Workspaces

    def save_now(self) -> None:
        """Try to write what is not in the file yet."""

    def quit(self) -> None:
        """Close it."""

    def edit_agents(self) -> None:
        """Show the form of the agents."""

    def open_palette(self) -> None:
        """Show every command."""

    def open_go_to(self) -> None:
        """Show what one can go to."""

    def frame_selected(self) -> None:
        """Bring into view what is at hand."""

    def frame_scene(self) -> None:
        """Bring the whole scene into view."""

    def step_storey(self, places: int) -> None:
        """Show another storey."""

    def show_welcome(self) -> None:
        """Show where to begin."""


def window_actions(
    window: CommandedWindow, of_workspaces: Sequence[ActionSpec]
) -> tuple[ActionSpec, ...]:
    """Every action of a window, in the order of the menus.

    Args:
        window: Is told to do them.
        of_workspaces: What its workspaces bring; what they put under a heading of the window stands
            there before what needs a project, and what only works while somebody drives comes last.
    """
    opening, with_project = _file_actions(window)
    own = (*opening, *with_project, *_edit_actions(window), *_view_actions(window))
    headings = {spec.category for spec in own}
    joined = [spec for spec in of_workspaces if spec.category in headings]
    others = [spec for spec in of_workspaces if spec.category not in headings]
    return (
        *opening,
        *joined,
        *own[len(opening):],
        *(spec for spec in others if spec.scope != DRIVING_SCOPE),
        *(spec for spec in others if spec.scope == DRIVING_SCOPE),
        *camera_actions(window.camera_takes),
        *_help_actions(window),
    )  # fmt: skip


def _file_actions(
    window: CommandedWindow,
) -> tuple[tuple[ActionSpec, ...], tuple[ActionSpec, ...]]:
    """What opens something, and what comes after it in the menu."""

    def spec(
        key: str, text: str, shortcut: str, run: _Run, enabled: Callable[[], bool] | None = None
    ) -> ActionSpec:
        return ActionSpec(f"file.{key}", text, shortcut, "File", enabled, run)

    files, has_project = window.files, window.bench.has_project
    opening = (
        spec("open_project", "Open project …", "Ctrl+O", files.ask_project),
        spec("open_scene", "Open scene …", "Ctrl+Shift+O", files.ask_scene),
        spec("open_sample", "Open the sample home", "", files.open_sample),
    )
    return opening, (
        spec("import_graph", "Import graph …", "", files.ask_import, has_project),
        spec("export", "Export for CapNav …", "Ctrl+E", files.ask_export, has_project),
        spec("save_now", "Try to save now", "Ctrl+S", window.save_now, has_project),
        spec("reload", "Reload the project from its file", "", window.notices.reload, has_project),
        spec("quit", "Quit", "Ctrl+Q", window.quit),
    )


def _edit_actions(window: CommandedWindow) -> tuple[ActionSpec, ...]:
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
            bench.has_project, window.edit_agents,
        ),
        *_scene_actions(window.repairs),
        spec("edit.annotator", "Change the annotator …", "", window.preferences.ask_annotator),
        spec("edit.reading_limits", "Limits of reading …", "",
             window.preferences.ask_reading_limits),
        spec("edit.engines", "Engines …", "", window.preferences.ask_engines),
        spec("edit.shortcuts", "Change keys …", "Ctrl+,", window.preferences.edit_shortcuts),
    )  # fmt: skip


def _scene_actions(repairs: SceneRepairs) -> tuple[ActionSpec, ...]:
    """What can be done about a scene that is wrong."""
    has_scene, has_gaps, has_strays = repairs.has_scene, repairs.has_gaps, repairs.has_strays
    return tuple(
        ActionSpec(f"scene.{key}", text, "", "Edit", enabled, run)
        for key, text, enabled, run in (
            ("up_axis", "Wrong up axis of the scene …", has_scene, repairs.correct_up_axis),
            ("unit", "Wrong unit of the scene …", has_scene, repairs.correct_unit),
            ("gaps", "Drive despite missing geometry …", has_gaps, repairs.ask_way_past),
            ("strays", "Go to the next stray vertex", has_strays, repairs.go_to_stray),
        )
    )


def _view_actions(window: CommandedWindow) -> tuple[ActionSpec, ...]:
    stage, slider, preferences = window.stage, window.stage.slider, window.preferences

    def look(mode: str) -> _Run:
        return lambda: stage.set_camera_mode(mode)

    def choose(scope: str) -> _Run:
        return lambda: window.workspaces.choose(scope)

    rows: tuple[tuple[str, str, str, _Run, bool], ...] = (
        ("view.palette", "Find a command …", "Ctrl+Shift+P", window.open_palette, False),
        ("view.go_to", "Go to node or edge …", "Ctrl+K", window.open_go_to, False),
        *(
            (spec.show_action, f"{spec.title} workspace", spec.key, choose(spec.scope), False)
            for spec in window.workspaces.specs
        ),
        ("view.frame", "Frame the selection", "F", window.frame_selected, False),
        ("view.whole", "Frame the whole scene", "Shift+Home", window.frame_scene, False),
        ("view.top", "Look from above", "T", look("top"), False),
        ("view.orbit", "Look around it (orbit)", "O", look("orbit"), False),
        ("view.fly", "Fly through it", "G", look("fly"), False),
        ("view.navmesh", "Show or hide the navmesh of the agent", "Ctrl+Shift+M",
         window.navmesh.toggle, False),
        ("view.storey_up", "Storey above", "PgUp", lambda: window.step_storey(1), True),
        ("view.storey_down", "Storey below", "PgDown", lambda: window.step_storey(-1), True),
        ("view.cut_up", "Raise the cut", "]", lambda: slider.move_by(0.1), True),
        ("view.cut_down", "Lower the cut", "[", lambda: slider.move_by(-0.1), True),
        ("view.theme", "Switch between dark and light", "", preferences.switch_theme, False),
        ("view.text_larger", "Larger text", "Ctrl+=", lambda: preferences.scale_text(10), False),
        ("view.text_smaller", "Smaller text", "Ctrl+-", lambda: preferences.scale_text(-10), False),
        ("view.left", "Fold the left panel", "F8", lambda: window.folds.fold(0), False),
        ("view.right", "Fold the right panel", "F9", lambda: window.folds.fold(2), False),
        ("view.map", "Fold the mini-map", "Shift+M", stage.map.toggle, False),
        ("view.full", "Only the stage", "F11", window.folds.toggle_stage_only, False),
    )  # fmt: skip
    specs = tuple(
        ActionSpec(key, text, shortcut, "View", None, run, repeats=repeats)
        for key, text, shortcut, run, repeats in rows
    )
    shown = [spec.show_action for spec in window.workspaces.specs]
    return in_groups(
        specs,
        ("Workspaces", shown[0], shown[-1]),
        ("Look at the scene", "view.frame", "view.navmesh"),
        ("Storey and cut", "view.storey_up", "view.cut_down"),
        ("Theme and text", "view.theme", "view.text_smaller"),
        ("Panels", "view.left", "view.full"),
    )


def _help_actions(window: CommandedWindow) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        return ActionSpec(f"help.{key}", text, shortcut, "Help", None, run)

    introduction = window.introduction
    return (
        spec("keys", "List of keys", "F1", window.preferences.show_keys),
        spec("welcome", "Welcome page", "", window.show_welcome),
        spec("introduction", "Take the tour", "Shift+F1", introduction.start),
        spec("practise", "Practise measuring and judging", "", introduction.practise),
        ActionSpec(
            "help.introduction_next", "Next step of the tour", "Alt+Right", "Help",
            introduction.is_running, introduction.go_on,
        ),
        ActionSpec(
            "help.introduction_back", "Step of the tour before", "Alt+Left", "Help",
            introduction.is_running, introduction.go_back,
        ),
        spec("notice", "Show the last notice again", "", window.notices.messages.show_again),
        spec("about", "About Waypost", "", lambda: window.notices.say(_about(window.engine))),
    )  # fmt: skip


def _about(engine: DrivenEngine) -> str:
    """What this is, and which engine drives."""
    text = f"Waypost {__version__}, Apache-2.0"
    return f"{text} · {engine.info.title}" if engine.info else text
