"""The window: lays out the workspaces and connects them; it decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from waypost import __version__
from waypost.app.graph.workspace import GraphWorkspace
from waypost.app.record.workspace import RecordWorkspace
from waypost.app.replay.files import ReplayFiles
from waypost.app.replay.sharing import ReplaySharing
from waypost.app.replay.workspace import REPLAY_SCOPE, ReplayWorkspace
from waypost.app.shell.actions import ActionSet, shortcut_entries
from waypost.app.shell.field_keys import FieldKeys
from waypost.app.shell.key_sets import ALLOWED_WHILE_DRIVING, DRIVE_ENTRIES, drive_keys
from waypost.app.shell.middle import Below, Middle
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.app.traverse.workspace import TraverseWorkspace
from waypost.app.window.actions import window_actions
from waypost.app.window.agent_dialog import AgentDialog
from waypost.app.window.command_palette import CommandPalette
from waypost.app.window.driving_mode import DrivingMode
from waypost.app.window.file_drops import take_drops
from waypost.app.window.files import WindowFiles
from waypost.app.window.geometry import WindowGeometry
from waypost.app.window.go_to import GoTo, graph_entries
from waypost.app.window.introduction import Introduction, WindowParts
from waypost.app.window.keys import write_keys
from waypost.app.window.notices import Notices
from waypost.app.window.participant_mode import ParticipantMode
from waypost.app.window.preferences import Preferences
from waypost.app.window.status import show_status
from waypost.app.window.status_strip import StatusStrip
from waypost.app.window.unsaved import may_close
from waypost.app.window.welcome import WelcomePage
from waypost.app.window.workspace_bar import WorkspaceBar
from waypost.app.window.workspace_order import SCOPES
from waypost.domain.project import Project
from waypost.services.engine.driving_session import DrivingSession
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.jobs import JobRunner
from waypost.services.settings import Settings

_STATUS_INTERVAL_MS = 1000
_REPLAY = SCOPES.index(REPLAY_SCOPE)


class MainWindow(QMainWindow):
    """One window on one project.

    Args:
        bench: What is open.
        jobs: Runs what takes time.
        session: The physics engine.
        data_folder: Where this user's copy of the sample is kept.
        geometry: Where size and splitters are remembered.
        clock: Gives the time written into labels and shown in the status.
    """

    def __init__(
        self,
        bench: Workbench,
        jobs: JobRunner,
        session: DrivingSession,
        data_folder: Path,
        geometry: QSettings,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        super().__init__()
        self.bench = bench
        self._session = session
        self._clock = clock
        self.stage = Stage()
        self.stage.setFocusProxy(self.stage.view)
        self.middle, self.below = Middle(self.stage), Below()
        self.graph = GraphWorkspace(bench, self.stage, self)
        self.traverse = TraverseWorkspace(bench, self.stage, session, clock, self)
        prepare = self.traverse.prepare_engine
        self.record = RecordWorkspace(
            bench, self.stage, self.below, session, jobs, prepare, clock, self
        )
        self.replay = ReplayWorkspace(bench, self.stage, self.middle, self.below, jobs, clock, self)
        self.files = WindowFiles(bench, jobs, data_folder, self)
        self.replay_files = ReplayFiles(bench, self.replay.desk, jobs, data_folder, self)
        self.replay_sharing = ReplaySharing(bench, self.replay, jobs, self)
        self.notices, self.preferences = Notices(bench, jobs, self), Preferences(bench, self)
        self._workspaces = (self.graph, self.traverse, self.record, self.replay)
        self._index = -1
        self._build()
        parts = (self._bar, self._left, self._right, self.below, self._status)
        self.introduction = Introduction(self, WindowParts(*parts))
        self.actions_set = self._make_actions()
        self.drops = take_drops(self, jobs)
        ParticipantMode(self.record.session, parts, self.actions_set)
        DrivingMode(
            self.traverse.driver, session, self.actions_set, lambda: SCOPES[self._index],
            self.stage.map,
        )  # fmt: skip
        self._connect()
        self._apply_settings(bench.settings)
        self._geometry = WindowGeometry(geometry, self, self._splitter)
        self._geometry.restore()
        self.show_workspace(0)
        self.show_welcome()
        if bench.settings_problem:
            self.notices.warn(bench.settings_problem)

    @property
    def session(self) -> DrivingSession:
        """The physics engine of this window."""
        return self._session

    @property
    def saved_text(self) -> str:
        """What the status strip says of the project's file."""
        return self._status.saved_text

    def has_project(self) -> bool:
        """Whether a project is open."""
        return self.bench.document is not None

    def save_now(self) -> None:
        """Try to write what is not in the file yet."""
        if self.bench.document and self.bench.document.save_now():
            self.notices.say("Everything is saved; every edit is saved as it happens.")

    def quit(self) -> None:
        """Close the window."""
        self.close()

    def show_workspace(self, index: int) -> None:
        """Show the graph (0), traverse (1), record (2) or replay (3) workspace."""
        if self.has_project():
            self._pages.setCurrentWidget(self._splitter)
        if index == self._index:
            return
        if self._index >= 0:
            self._workspaces[self._index].deactivate()
        self._index = index
        self._left.setCurrentIndex(index)
        self._right.setCurrentIndex(index)
        self._bar.set_current(index)
        self.actions_set.set_scope(SCOPES[index])
        self._workspaces[index].activate()
        # Keys act on what is shown, wherever the pointer was before.
        self.middle.take_keyboard()

    def frame_selected(self) -> None:
        """Bring into view what is at hand."""
        self._workspaces[self._index].frame_selected()

    def show_replay(self) -> None:
        """Show the replay workspace."""
        self.show_workspace(_REPLAY)

    def step_storey(self, places: int) -> None:
        """Show another storey of what fills the middle."""
        is_map = self._index == _REPLAY and self.replay.step_storey(places)
        if not is_map:
            self.stage.slider.step_storey(places)

    def frame_scene(self) -> None:
        """Bring the whole scene into view."""
        if self.bench.scene:
            self.stage.view.frame_bounds(*self.bench.scene.bounds_m)

    def drive(self) -> None:
        """Drive the agent at hand along the passage at hand."""
        keys = self.actions_set.shortcuts.keys()
        passed_on = frozenset(keys[name] for name in ALLOWED_WHILE_DRIVING)
        self.traverse.drive(drive_keys(self.actions_set.shortcuts), passed_on)

    def open_palette(self) -> None:
        """Show every command."""
        self._palette.open_with(self.actions_set.palette_entries())

    def open_go_to(self) -> None:
        """Show every node and edge; in a replay, go to an episode by its id."""
        if self._index == _REPLAY:
            self.replay.focus_search()
            return
        self._go_to.open_with(graph_entries(self.bench.project.graph))

    def edit_agents(self) -> None:
        """Show the form of the agents."""
        self._agents.open_at(self.bench.agent.key if self.bench.agent else "")

    def show_welcome(self) -> None:
        """Show where to begin."""
        self._welcome.set_recent(self.bench.settings.recent_projects)
        self._pages.setCurrentWidget(self._welcome)
        self._welcome.sample_button.setFocus()

    def show_about(self) -> None:
        """Say what this is."""
        engine = self._session.engine
        text = f"Waypost {__version__}, Apache-2.0"
        self.notices.say(f"{text} · {engine.title}" if engine else text)

    def fold_panel(self, index: int) -> None:
        """Fold the left (0) or right (2) panel away, or unfold it."""
        panel = self._splitter.widget(index)
        if panel:
            panel.setVisible(panel.isHidden())

    def toggle_stage_only(self) -> None:
        """Give the whole window to the stage, or take it back."""
        is_alone = self._bar.isHidden()
        for part in (self._bar, self._left, self._right, self._status):
            part.setVisible(is_alone)
        self.below.set_folded(is_folded=not is_alone)

    def _build(self) -> None:
        self.setMinimumSize(960, 600)
        self._bar, self._status = WorkspaceBar(), StatusStrip()
        self._left, self._right = QStackedWidget(), QStackedWidget()
        for workspace in self._workspaces:
            self._left.addWidget(workspace.left)
            self._right.addWidget(workspace.right)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        for part in (self._left, self.middle, self._right):
            self._splitter.addWidget(part)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([236, 764, 280])
        self._splitter.setCollapsible(1, False)
        self._welcome = WelcomePage()
        self._pages = QStackedWidget()
        self._pages.addWidget(self._welcome)
        self._pages.addWidget(self._splitter)
        central = QWidget()
        layout = QVBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bar)
        layout.addWidget(self.notices.messages)
        layout.addWidget(self.record.session.instruction)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self.record.session.legend)
        layout.addWidget(self.below)
        layout.addWidget(self.notices.progress)
        layout.addWidget(self._status)
        self.setCentralWidget(central)
        self._palette, self._go_to = CommandPalette(central), GoTo(central)
        self._agents = AgentDialog(self.bench, self)
        self._field_keys = FieldKeys((self._left, self._right, self.replay.table_face), self.middle)

    def _make_actions(self) -> ActionSet:
        specs = window_actions(self)
        entries = (*shortcut_entries(specs), *DRIVE_ENTRIES)
        actions = ActionSet(specs, ShortcutMap(entries, self.bench.settings.shortcuts), self)
        categories: dict[str, tuple[str, ...]] = {}
        for spec in specs:
            categories[spec.category] = (*categories.get(spec.category, ()), spec.id)
        self._bar.set_actions(actions, categories)
        self._write_keys(actions.shortcuts)
        self.preferences.use_actions(actions)
        self.preferences.keys_changed.connect(self._write_keys)
        return actions

    def _connect(self) -> None:
        bench, session = self.bench, self._session
        bench.document_replaced.connect(self._on_document)
        bench.scene_replaced.connect(self._on_scene)
        bench.project_changed.connect(self._on_changed)
        bench.save_state_changed.connect(self._show_status)
        bench.agent_chosen.connect(self._show_status)
        bench.settings_changed.connect(self._apply_settings)
        for files in (self.files, self.record.files, self.replay_files, self.replay_sharing):
            files.told.connect(self.notices.say)
        self.replay_files.added.connect(self._on_runs_added)
        self.replay.empty.action_chosen.connect(self.replay_files.ask_file)
        self.stage.view.pointer.connect(self.graph.handle_pointer)
        self.traverse.drive_chosen.connect(self.drive)
        self.record.session.started.connect(self.notices.put_away)
        self.stage.map.corner_changed.connect(self.traverse.driver.hud.keep_corner_free)
        self.stage.empty.action_chosen.connect(self._do_what_is_missing)
        session.state_changed.connect(self._show_status)
        self._bar.workspace_chosen.connect(self.show_workspace)
        self._palette.entry_chosen.connect(self.actions_set.trigger)
        self._go_to.entry_chosen.connect(self._go_to_item)
        self._status.annotator_clicked.connect(self.preferences.ask_annotator)
        self._status.saved_clicked.connect(self.save_now)
        self._status.engine_clicked.connect(session.restart)
        self._welcome.sample_chosen.connect(self.files.open_sample)
        self._welcome.scene_chosen.connect(self.files.ask_scene)
        self._welcome.project_chosen.connect(self.files.ask_project)
        self._welcome.run_chosen.connect(self.replay_files.ask_file)
        self._welcome.recent_chosen.connect(lambda path: bench.open_project(Path(path)))
        self._status_timer = QTimer(self)
        self._status_timer.setInterval(_STATUS_INTERVAL_MS)
        self._status_timer.timeout.connect(self._show_status)
        self._status_timer.start()

    def _apply_settings(self, settings: Settings) -> None:
        self.stage.set_theme(dark=settings.theme == "dark")
        self.replay.set_theme(dark=settings.theme == "dark")
        self._show_status()

    def _on_document(self) -> None:
        self.stage.map.set_graph(self.bench.project.graph)
        self._pages.setCurrentWidget(self._splitter)
        self.middle.take_keyboard()
        self.setWindowTitle(f"{self.bench.project.name} — Waypost")
        self.actions_set.refresh()
        self._show_status()

    def _on_changed(self, _old: Project, new: Project) -> None:
        self.stage.map.set_graph(new.graph)
        self.actions_set.refresh()
        self._show_status()

    def _on_runs_added(self, names: tuple[str, ...]) -> None:
        self.show_replay()
        self.replay.show_runs(names)

    def _on_scene(self) -> None:
        self.stage.set_scene(self.bench.scene, self.bench.prepared)
        self._show_status()

    def _write_keys(self, shortcuts: ShortcutMap) -> None:
        self._bar.set_search_key(shortcuts.key("view.palette"))
        write_keys(self, shortcuts)

    def _do_what_is_missing(self) -> None:
        if self.bench.project.graph.edges:
            self.edit_agents()
        else:
            self.show_workspace(0)

    def _go_to_item(self, key: str) -> None:
        self._workspaces[self._index].go_to_item(key)

    def _show_status(self, *_: object) -> None:
        show_status(self._status, self.bench, self._session, self._clock())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save what is left; ask only if that fails."""
        self.traverse.deactivate()
        self.record.deactivate()
        if not may_close(self.bench.document, self):
            event.ignore()
            return
        self.replay.close()
        self._geometry.save()
        self._status_timer.stop()
        self.bench.close()
        event.accept()
