"""The window: lays out the workspaces and connects them; it decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from waypost.app.graph.spec import GRAPH
from waypost.app.record.spec import RECORD
from waypost.app.replay.spec import REPLAY
from waypost.app.shell.actions import ActionSet, ActionSpec, shortcut_entries
from waypost.app.shell.camera.camera_takes import CameraTakes
from waypost.app.shell.driving.driving_mode import DrivingMode
from waypost.app.shell.field_keys import FieldKeys
from waypost.app.shell.key_sets import DRIVE_ENTRIES
from waypost.app.shell.keyboard_return import KeyboardReturn
from waypost.app.shell.middle import LowerStrip, Middle
from waypost.app.shell.navmesh_layer import NAVMESH_SCOPES, NavmeshLayer
from waypost.app.shell.project_address import project_place
from waypost.app.shell.scene_engine import SceneEngine
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.app.shell.workspace import Surroundings, Workspace, WorkspaceSpec
from waypost.app.traverse.spec import TRAVERSE
from waypost.app.window.actions import window_actions
from waypost.app.window.driving_guard import DrivingGuard
from waypost.app.window.file_drops import take_drops
from waypost.app.window.files import WindowFiles
from waypost.app.window.geometry import WindowGeometry
from waypost.app.window.left_places import LeftPlaces
from waypost.app.window.notice_place import NoticePlace
from waypost.app.window.notices import Notices
from waypost.app.window.panel_folds import PanelFolds
from waypost.app.window.pickers import CommandPalette, GoTo, graph_entries
from waypost.app.window.scene.scene_repairs import SceneRepairs
from waypost.app.window.settings.preferences import Preferences
from waypost.app.window.start.introduction import Introduction, WindowParts
from waypost.app.window.start.welcome import WelcomePage
from waypost.app.window.status import show_saved, show_status
from waypost.app.window.status_strip import StatusStrip
from waypost.app.window.step_names import name_steps
from waypost.app.window.tab_order import arrange_tabs
from waypost.app.window.unsaved import may_close
from waypost.app.window.workspace_bar import WorkspaceBar
from waypost.app.window.workspaces import WORKSPACES, Workspaces
from waypost.domain.project import Project
from waypost.domain.scene.graph import NavigationGraph
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.jobs import JobRunner
from waypost.services.settings import Settings

if TYPE_CHECKING:
    from waypost.app.graph.workspace import GraphWorkspace
    from waypost.app.record.workspace import RecordWorkspace
    from waypost.app.replay.workspace import ReplayWorkspace
    from waypost.app.traverse.workspace import TraverseWorkspace
    from waypost.app.window.agents.agent_dialog import AgentDialog

_STATUS_INTERVAL_MS = 1000
_CAMERAS = ("orbit", "fly", "top")


class MainWindow(QMainWindow):
    """One window on one project.

    Args:
        bench: What is open.
        jobs: Runs what takes time.
        engine: The physics engine.
        data_folder: Where this user's copy of the sample is kept.
        geometry: Where size and splitters are remembered.
        clock: Gives the time written into labels and shown in the status.
        specs: Its workspaces, in order.
    """

    def __init__(
        self,
        bench: Workbench,
        jobs: JobRunner,
        engine: DrivenEngine,
        data_folder: Path,
        geometry: QSettings,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        specs: tuple[WorkspaceSpec[Any], ...] = WORKSPACES,
    ) -> None:
        super().__init__()
        self.bench, self._engine, self._clock, self._jobs = bench, engine, clock, jobs
        self.stage = Stage()
        self.stage.setFocusProxy(self.stage.view)
        self.middle, self.below = Middle(self.stage), LowerStrip()
        self.driving = DrivingMode(self)
        self.files = WindowFiles(bench, jobs, data_folder, self)
        self.camera_takes = CameraTakes(bench, self.stage.view, jobs, self)
        self.notices = Notices(bench, jobs, self.driving, self)
        self.repairs = SceneRepairs(bench, engine, self.stage, self.notices, self)
        self.navmesh = NavmeshLayer(bench, jobs, self.stage, self.notices.say, self)
        self.preferences = Preferences(bench, jobs, self)
        self._agents: AgentDialog | None = None
        self._build(specs)
        self.workspaces = self._make_workspaces(specs, self._surroundings(jobs, data_folder))
        self.workspaces.of(specs[0])
        parts = WindowParts(
            self._bar, self._left, self._right, self.below, self._status, self.stage, self.middle
        )
        self.introduction = Introduction(
            self, parts, bench, self.workspaces, self.show_workspace, self.driving,
            self.preferences, self.notices,
        )  # fmt: skip
        self.actions_set = self._make_actions()
        self.drops = take_drops(
            self, bench, self.workspaces, self.notices, jobs,
            lambda: not self.actions_set.is_driving,
        )  # fmt: skip
        away = (self._bar, self._left, self._right, self.below, self._status)
        DrivingGuard(self.driving, away, self.actions_set, lambda: self.workspaces.shown.scope)
        self.places = LeftPlaces(geometry, bench, self.workspaces, self.stage, self.show_workspace)
        self._connect()
        self._apply_settings(bench.settings)
        self._geometry = WindowGeometry(geometry, self, self._splitter, self.middle)
        self._geometry.restore()
        self._arrange_tabs()
        self.show_workspace(specs[0].scope)
        self.show_welcome()
        if bench.settings_problem:
            self.notices.warn(bench.settings_problem)

    @property
    def engine(self) -> DrivenEngine:
        """The physics engine of this window."""
        return self._engine

    @property
    def graph(self) -> GraphWorkspace:
        """The Graph workspace."""
        return self.workspaces.of(GRAPH)

    @property
    def traverse(self) -> TraverseWorkspace:
        """The Traverse workspace; made if need be."""
        return self.workspaces.of(TRAVERSE)

    @property
    def record(self) -> RecordWorkspace:
        """The Record workspace; made if need be."""
        return self.workspaces.of(RECORD)

    @property
    def replay(self) -> ReplayWorkspace:
        """The Replay workspace; made if need be."""
        return self.workspaces.of(REPLAY)

    @property
    def saved_text(self) -> str:
        """What the status strip says of the project's file."""
        return self._status.saved_text

    def save_now(self) -> None:
        """Try to write what is not in the file yet."""
        if self.bench.document and self.bench.document.save_soon():
            self.notices.say("Everything is saved; every edit is saved as it happens.")

    def quit(self) -> None:
        """Close the window."""
        self.close()

    def show_workspace(self, scope: str) -> None:
        """Show the workspace with a scope."""
        self.places.drop()
        if self.bench.has_project():
            self._pages.setCurrentWidget(self._splitter)
        if self.workspaces.show(scope):
            # Keys act on what is shown, wherever the pointer was before.
            self.middle.take_keyboard()

    def frame_selected(self) -> None:
        """Bring into view what is at hand."""
        self.workspaces.current.frame_selected()

    def step_storey(self, places: int) -> None:
        """Show another storey of what fills the middle."""
        if not self.workspaces.current.step_storey(places):
            self.stage.slider.step_storey(places)

    def frame_scene(self) -> None:
        """Bring the whole scene into view."""
        if self.bench.scene:
            self.stage.view.frame_bounds(*self.bench.scene.bounds_m)

    def open_palette(self) -> None:
        """Show every command."""
        self._palette.open_with(self.actions_set.palette_entries())

    def open_go_to(self) -> None:
        """Show what one can go to: every node and edge, where a workspace has nothing else."""
        if not self.workspaces.current.search_items():
            self._go_to.open_with(graph_entries(_graph_shown(self.bench)))

    def edit_agents(self) -> None:
        """Show the form of the agents."""
        if self._agents is None:
            from waypost.app.window.agents.agent_dialog import AgentDialog  # noqa: PLC0415 - on request

            self._agents = AgentDialog(self.bench, self)
        self._agents.open_at(self.bench.agent.key if self.bench.agent else "")

    def show_welcome(self) -> None:
        """Show where to begin."""
        recent = self.bench.settings.recent_projects
        self._welcome.set_recent(recent, self.places.words(recent))
        self._pages.setCurrentWidget(self._welcome)
        self._welcome.first_button.setFocus()

    def _build(self, specs: tuple[WorkspaceSpec[Any], ...]) -> None:
        self.setWindowTitle("Waypost")
        self.setMinimumSize(960, 600)
        self._bar, self._status = WorkspaceBar(specs), StatusStrip()
        self._left, self._right = QStackedWidget(), QStackedWidget()
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        for part in (self._left, self.middle, self._right):
            self._splitter.addWidget(part)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([236, 764, 280])
        self._splitter.setCollapsible(1, False)
        self._welcome, self._pages = WelcomePage(), QStackedWidget()
        self._pages.addWidget(self._welcome)
        self._pages.addWidget(self._splitter)
        central = QWidget()
        layout = QVBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._over, self._under = QWidget(), QWidget()
        for row in (self._bar, self._over, self._pages, self._under, self.below, self._status):
            layout.addWidget(row)
        layout.setStretchFactor(self._pages, 1)
        self.setCentralWidget(central)
        self._palette, self._go_to = CommandPalette(central), GoTo(central)
        notices = (self.notices.progress, self.notices.messages)
        NoticePlace(central, (self.stage.view, self.middle, self._pages), notices)
        panels, bars = (self._left, self._right), (self._bar, self._status)
        self.folds = PanelFolds(self._splitter, (*panels, *bars), self.below)
        FieldKeys(panels, self.middle, self.bench.document_left)
        KeyboardReturn(self, panels, (*bars, self.stage), (self._palette, self._go_to), self.middle)

    def _surroundings(self, jobs: JobRunner, data_folder: Path) -> Surroundings:
        over, under = QVBoxLayout(self._over), QVBoxLayout(self._under)
        for bars in (over, under):
            bars.setContentsMargins(0, 0, 0, 0)
        return Surroundings(
            self.bench, jobs, self._engine, SceneEngine(self.bench, self._engine), self._clock,
            data_folder, self.stage, self.middle, self.below, over, under,
            self.driving, self, self.notices.say,
            lambda shown: self.show_workspace(self.workspaces.spec_of(shown).scope),
            lambda action_id: self.actions_set.trigger(action_id),  # noqa: PLW0108 - made later
        )  # fmt: skip

    def _make_workspaces(
        self, specs: tuple[WorkspaceSpec[Any], ...], around: Surroundings
    ) -> Workspaces:
        workspaces = Workspaces(specs, around)
        workspaces.made.connect(self._add_panels)
        workspaces.turned.connect(self._on_turned)
        workspaces.wanted.connect(self.show_workspace)
        return workspaces

    def _make_actions(self) -> ActionSet:
        specs = window_actions(self, self.workspaces.actions())
        entries = (*shortcut_entries(specs), *DRIVE_ENTRIES)
        actions = ActionSet(specs, ShortcutMap(entries, self.bench.settings.shortcuts), self)
        categories: dict[str, list[ActionSpec]] = {}
        for spec in specs:
            categories.setdefault(spec.category, []).append(spec)
        self._bar.set_actions(actions, categories)
        self._write_keys(actions.shortcuts)
        self.preferences.use_actions(actions)
        self.preferences.keys_changed.connect(self._write_keys)
        return actions

    def _connect(self) -> None:
        bench, engine = self.bench, self._engine
        self.workspaces.made.connect(self._on_made)
        bench.document_replaced.connect(self._on_document)
        bench.scene_replaced.connect(self._on_scene)
        bench.project_changed.connect(self._on_changed)
        bench.history_changed.connect(self.actions_set.refresh)
        for changed in (bench.document_replaced, bench.history_changed):
            changed.connect(lambda: name_steps(self.actions_set, bench.document))
        bench.settings_changed.connect(self._apply_settings)
        self.files.told.connect(self.notices.say)
        self._status.gaps_clicked.connect(self.repairs.ask_way_past)
        self.camera_takes.told.connect(self.notices.say)
        self.notices.messages.keyboard_left.connect(self.middle.take_keyboard)
        for changed in (
            bench.save_state_changed, bench.agent_chosen, engine.state_changed,
            engine.engine_ready, self.driving.began, self.driving.ended,
        ):  # fmt: skip
            changed.connect(self._show_status)
        self._bar.workspace_chosen.connect(self.workspaces.choose)
        self._palette.entry_chosen.connect(self.actions_set.trigger)
        self._go_to.entry_chosen.connect(self._go_to_item)
        self._status.annotator_clicked.connect(self.preferences.ask_annotator)
        self._status.saved_clicked.connect(self.save_now)
        self._status.engine_clicked.connect(engine.restart)
        self._welcome.sample_chosen.connect(self.files.open_sample)
        self._welcome.job_chosen.connect(lambda scope: _open_sample_at(self, scope))
        self._welcome.scene_chosen.connect(self.files.ask_scene)
        self._welcome.project_chosen.connect(self.files.ask_project)
        self._welcome.run_chosen.connect(lambda: self.actions_set.trigger("file.open_run"))
        self._welcome.recent_chosen.connect(lambda path: bench.open_project(project_place(path)))
        self._tabs_timer = QTimer(self, singleShot=True, interval=0)
        self._tabs_timer.timeout.connect(self._arrange_tabs)
        self._status_timer = QTimer(self, interval=_STATUS_INTERVAL_MS)
        self._status_timer.timeout.connect(lambda: show_saved(self._status, bench, self._clock()))
        self._status_timer.timeout.connect(self.places.keep)
        self._status_timer.start()

    def _go_to_item(self, key: str) -> None:
        self.workspaces.current.go_to_item(key)

    def _add_panels(self, workspace: Workspace) -> None:
        self._left.addWidget(workspace.left)
        self._right.addWidget(workspace.right)

    def _on_made(self, workspace: Workspace) -> None:
        workspace.set_keys(self.actions_set.shortcuts)
        self._tabs_timer.start()
        # The window hears of another project or scene after every workspace.
        for signal, slot in (
            (self.bench.document_replaced, self._on_document),
            (self.bench.scene_replaced, self._on_scene),
            (self.bench.project_changed, self._on_changed),
        ):
            signal.disconnect(slot)
            signal.connect(slot)

    def _arrange_tabs(self) -> None:
        arrange_tabs(
            (
                self._bar, self.notices.messages, self._over, self._welcome, self._left,
                self.middle, self._right, self._under, self.below,
                self.notices.progress, self._status,
                self._palette, self._go_to,
            )
        )  # fmt: skip

    def _on_turned(self, workspace: Workspace) -> None:
        spec = self.workspaces.shown
        self._left.setCurrentWidget(workspace.left)
        self._right.setCurrentWidget(workspace.right)
        self._bar.set_current(spec.scope)
        self.actions_set.set_scope(spec.scope)
        self.navmesh.set_away(is_away=spec.scope not in NAVMESH_SCOPES)

    def _apply_settings(self, settings: Settings) -> None:
        self.stage.set_theme(dark=settings.theme == "dark")
        self._show_status()

    def _on_document(self) -> None:
        self.stage.map.set_graph(_graph_shown(self.bench))
        self._pages.setCurrentWidget(self._splitter)
        self.middle.take_keyboard()
        self.setWindowTitle(f"{self.bench.project.name} — Waypost")
        self.actions_set.refresh()
        self._show_status()

    def _on_changed(self, *_: Project) -> None:
        self.stage.map.set_graph(_graph_shown(self.bench))
        self._show_status()

    def _on_scene(self) -> None:
        self.stage.set_scene(self.bench.scene, self.bench.prepared)
        self.stage.map.set_graph(_graph_shown(self.bench))
        self._show_status()

    def _write_keys(self, shortcuts: ShortcutMap) -> None:
        self._bar.set_search_key(shortcuts.key("view.palette"))
        self.stage.set_camera_keys({mode: shortcuts.key(f"view.{mode}") for mode in _CAMERAS})
        for workspace in self.workspaces.all_made:
            workspace.set_keys(shortcuts)

    def _show_status(self, *_: object) -> None:
        is_driven = self.driving.is_on
        show_status(self._status, self.bench, self._engine, self._clock(), is_driven=is_driven)

    def is_moving(self) -> bool:
        """Whether something goes on that stands still when the event loop does, or a job runs."""
        # Jobs bring much that stays: to look through it before they end is in vain.
        is_waiting = self.camera_takes.is_filming or bool(self._jobs.jobs)
        return is_waiting or any(made.is_moving() for made in self.workspaces.all_made)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the other workspaces ready once this can be seen."""
        super().showEvent(event)
        self.workspaces.start_loading()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save what is left; ask only if that fails, or if something would be cut short."""
        if not self.workspaces.current.may_close(self.close):
            event.ignore()
            return
        self.bench.document_left.emit()
        self.workspaces.current.deactivate()
        if not may_close(self.bench.document, self):
            self.workspaces.current.activate()
            event.ignore()
            return
        self._geometry.save()
        self.hide()  # What could be saved is; nobody needs to see a server waited for.
        self.workspaces.close()
        self._status_timer.stop()
        self.bench.close()
        self.introduction.close_exercise()


def _graph_shown(bench: Workbench) -> NavigationGraph:
    """What can be seen and gone to: the project's nodes stand in no other scene than its own."""
    return bench.project.graph if bench.is_own_scene else NavigationGraph()


def _open_sample_at(window: MainWindow, scope: str) -> None:
    """Open the sample in the workspace of a job, wherever it was left."""

    def show() -> None:
        window.places.drop()
        window.workspaces.choose(scope)

    window.files.open_sample(show)
