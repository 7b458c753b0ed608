"""What is open in one window: the project, its scene, the agent at hand and who works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from waypost.app.shell.bench_scenes import BenchScenes
from waypost.app.shell.login import login_name
from waypost.app.shell.open_mark import OpenMark
from waypost.app.shell.project_address import place_name, without_password
from waypost.app.shell.project_opening import (
    Opened,
    ProjectOpening,
    document_of,
    project_work,
    scene_work,
)
from waypost.documents.selection import Selection
from waypost.domain.base.errors import WaypostError, WriteError
from waypost.domain.base.progress import Work
from waypost.domain.project import SUFFIX, Project
from waypost.domain.scene.scene import Scene, Storey
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.scenes.corrections import lacks_frame
from waypost.io.scenes.scene_folder import scene_names
from waypost.services.jobs import Job, JobRunner
from waypost.services.scene_assets import asset_keywords
from waypost.services.settings import Settings, SettingsFile, with_recent_project

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument
    from waypost.services.open_scene import OpenedScene
    from waypost.store.project_store import ProjectStore
    from waypost.viewers.scene.prepared_scene import PreparedScene


_Begin = Callable[[], Work[Opened]]
_Change = Callable[[Project], Project]


def _same(project: Project) -> Project:
    return project


class Workbench(QObject):
    """The open project and scene; whatever replaces them does so only once it is complete.

    Args:
        settings_file: Where choices are kept.
        jobs: Runs what takes time.
        data_folder: Where this user's data is kept.
        parent: Qt owner.
    """

    document_left = Signal()  # the open project, which can be changed yet, is about to be left
    document_replaced = Signal()
    """Another project is open; views start anew."""

    history_changed = Signal()
    """A step was made, undone or redone, and the history of undo knows of it."""

    project_changed = Signal(object, object)
    """(old, new) `Project` of the open document."""

    save_state_changed = Signal(object)
    scene_replaced = Signal()
    """Another scene is open, or none."""

    scene_unclaimed = Signal(object)
    """An `Opened`: a scene was read, and in the place of its project is that of another one."""

    opening_failed = Signal(object)
    """The exception that kept a project or a scene from being opened."""

    agent_chosen = Signal()
    settings_changed = Signal(object)
    refused = Signal(str)
    """One sentence: what was asked could not be done, and nothing changed."""

    def __init__(
        self,
        settings_file: SettingsFile,
        jobs: JobRunner,
        data_folder: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings_file, self.data_folder = settings_file, data_folder
        self.steps_folder = settings_file.path.parent / "undo"
        self._open_mark, self._login_name = OpenMark(), login_name()
        self._settings, self.settings_problem = settings_file.load()
        self._document: ProjectDocument | None = None
        self.scenes = BenchScenes(jobs, self)
        self.scenes.replaced.connect(self.scene_replaced)
        self.scenes.failed.connect(self._on_failed)
        self._opening = ProjectOpening(jobs, self)
        self._opening.read.connect(self.document_left)
        self._opening.failed.connect(self._on_failed)
        self._agent_key = ""
        self.selection = Selection(self)

    @property
    def settings(self) -> Settings:
        """What the user has chosen."""
        return self._settings

    @property
    def annotator(self) -> str:
        """Who labels; the login name until one is given."""
        return self._settings.annotator or self._login_name

    @property
    def document(self) -> ProjectDocument | None:
        """The open project, if any."""
        return self._document

    @property
    def project(self) -> Project:
        """The state of the open project; an empty one if none is open."""
        return self._document.project if self._document else Project()

    @property
    def opened(self) -> OpenedScene | None:
        """The open scene with its ray index, if any."""
        return self.scenes.shown

    @property
    def own_scene_path(self) -> Path | None:
        """The file of the project's own scene, if it names one."""
        if self._document is None or not self.project.scene_path:
            return None
        return self._document.store.root / self.project.scene_path

    @property
    def scene_ids(self) -> frozenset[str]:
        """What data sets may call the project's own scene: the name of its file, or its folder."""
        path = self.own_scene_path
        return frozenset() if path is None else scene_names(path)

    @property
    def is_own_scene(self) -> bool:
        """Whether the open scene is the project's own, or none is open."""
        return self.scenes.shown is self.scenes.own

    @property
    def scene(self) -> Scene | None:
        """The open scene, if any."""
        return self.opened.scene if self.opened else None

    @property
    def prepared(self) -> PreparedScene | None:
        """The open scene as its views take it, if any."""
        return self.opened.prepared if self.opened else None

    @property
    def scene_hash(self) -> str:
        """Provenance of labels: of the project's own scene, whichever is shown; empty without."""
        return own.scene.content_hash if (own := self.scenes.own) else ""

    @property
    def storeys(self) -> tuple[Storey, ...]:
        """Storeys of the open scene."""
        return self.opened.scene.storeys if self.opened else ()

    @property
    def agent(self) -> AgentProfile | None:
        """The agent at hand."""
        return self.project.agents.get(self._agent_key)

    def has_project(self) -> bool:
        """Whether a project is open."""
        return self._document is not None

    def choose_agent(self, key: str) -> None:
        """Take another agent in hand."""
        if key in self.project.agents and key != self._agent_key:
            self._agent_key = key
            self.agent_chosen.emit()

    def step_agent(self, step: int) -> None:
        """Take the next or the previous agent in hand."""
        agents = list(self.project.agents)
        if self._agent_key in agents:
            self.choose_agent(agents[(agents.index(self._agent_key) + step) % len(agents)])

    def change_settings(self, settings: Settings) -> None:
        """Put other settings in force and keep them."""
        self._settings = settings
        try:
            self._settings_file.save(settings)
        except WriteError as error:
            self.refused.emit(f"The settings are not kept: {error}")
        self.settings_changed.emit(settings)

    @property
    def opening(self) -> Job | None:
        """The project that is being opened, if any."""
        return self._opening.job

    def open_path(self, path: Path | str, location: Path | str | None = None) -> Job:
        """Open a project, or a scene with its project.

        Args:
            path: Of either; the address of a database as text.
            location: Of the project of the scene; see `open_scene_file`.
        """
        if isinstance(path, str) or path.suffix == SUFFIX:
            return self.open_project(path)
        return self.open_scene_file(path, location)

    def open_project(self, path: Path | str, making: Callable[[], Work[Any]] | None = None) -> Job:
        """Read a project; once complete it is open. The one that is open stays if this fails.

        Args:
            path: The project file, or the address of a database as text.
            making: Makes the file first.
        """

        def work() -> Work[Opened]:
            made, own = making() if making else None, self.annotator
            return project_work(path, making=made, steps=self.steps_folder, viewer=own)

        return self.open_by(place_name(path), work)

    def open_by(self, name: str, work: _Begin, then: Callable[[], None] = lambda: None) -> Job:
        """Open what a work reads, once it is complete; ``then`` is called when it is open."""

        def take(opened: Opened) -> None:
            if opened.free_place is None:
                self._take_document(opened)
                then()
            else:
                self.scene_unclaimed.emit(opened)

        return self._opening.start(name, work, self._document, take)

    def open_scene_file(
        self,
        path: Path,
        location: Path | str | None = None,
        change: _Change = _same,
    ) -> Job:
        """Read a scene; once complete, its project is opened, or made.

        Nothing is opened where a project of another scene stands in its place: `scene_unclaimed`.

        Args:
            path: The scene.
            location: Of the project; by default where projects of this scene usually are.
            change: What the project is to say of its scene besides, as one step of undo.
        """
        assets = asset_keywords(self._settings, path)
        work = partial(
            scene_work, path, self.annotator, assets, self.data_folder, location, change,
            steps=self.steps_folder,
        )  # fmt: skip

        def then() -> None:
            if self.opened is not None:
                self.keep_shown_scene("Correct the scene", change(self.project), self.opened)

        return self.open_by(path.name, work, then)

    def keep_shown_scene(self, text: str, project: Project, opened: OpenedScene) -> None:
        """Make a scene that was read the project's own, as one step of undo.

        Args:
            text: What the step is called.
            project: Says of its scene what was read.
            opened: The scene.
        """
        if self._document is None:
            return
        is_news = self.opened is not opened or not self.is_own_scene
        self.scenes.put(opened, project)
        self._document.edit(text, project)
        if is_news:
            self.scene_replaced.emit()

    def read_own_scene(self) -> None:
        """Read the scene of the project once more."""
        if self._document:
            self.scenes.read(self._document, self._settings)

    def show_other_scene(self, title: str, work: Work[OpenedScene]) -> Job:
        """Show a scene that is not the project's; once it is complete it takes the stage.

        Edits and labels belong to the project's own scene: only what asks for another scene may
        work in it, and ends with `show_own_scene`.
        """
        document = self._document
        return self.scenes.show_other(title, work, lambda: self._document is document)

    def show_own_scene(self) -> None:
        """Show the scene of the project again."""
        self.scenes.show_own()
        if self._document is None:
            return
        if self.scenes.own is None and self.project.scene_path:
            self.read_own_scene()
        else:
            self.scenes.follow(self._document, self._settings)

    def reload(self) -> None:
        """Take the project from its file again, giving up what could not be saved."""
        if (document := self._document) is None:
            return
        at, root, viewer = document.store.location, document.store.root, self.annotator
        self._opening.start(
            document.project.name,
            lambda: project_work(at, root=root, viewer=viewer),
            document,
            lambda opened: document.reload(opened.loaded.store, opened.loaded.project),
            gives_up_edits=True,
        )

    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._document is not None and self._document.undo_stack.canUndo()

    def can_redo(self) -> bool:
        """Whether there is a step to repeat."""
        return self._document is not None and self._document.undo_stack.canRedo()

    def undo(self) -> None:
        """Take back the last step."""
        if self._document:
            self._document.undo()

    def redo(self) -> None:
        """Repeat the step taken back last."""
        if self._document:
            self._document.redo()

    def close(self) -> bool:
        """Save what is left and let go of everything.

        Returns:
            Whether nothing is lost.
        """
        self._opening.cancel()
        self.scenes.cancel()
        is_saved = self._document.close() if self._document else True
        self._open_mark.take_away()
        self._document = None
        return is_saved

    def _take_document(self, found: Opened) -> None:
        store, project, opened = found.loaded.store, found.loaded.project, found.scene
        others = self._open_mark.put(store.location, found.loaded.presence)
        # Of two windows only the first one keeps its steps: they would overwrite each other.
        kept = None if self._open_mark.is_own_twice else self.steps_folder
        document = document_of(found.loaded, self.annotator, kept, self)
        if self._document:
            self._document.close()
            self._document.deleteLater()
        self.scenes.put(opened, project)
        self._document = document
        document.changed.connect(self._on_changed)
        document.undo_stack.indexChanged.connect(self.history_changed)
        document.save_state_changed.connect(self.save_state_changed)
        document.step_refused.connect(self.refused)
        self.selection.set()
        agents = document.project.agents
        self._agent_key = self._agent_key if self._agent_key in agents else next(iter(agents), "")
        self._remember(store)
        self.document_replaced.emit()
        self.scene_replaced.emit()
        self.agent_chosen.emit()
        told = (others, "" if kept is None else found.loaded.history.dropped_words)
        if any(told):
            self.refused.emit(". ".join(filter(None, told)) + ".")
        if opened is None and document.project.scene_path:
            self.scenes.read(document, self._settings)

    def _on_failed(self, error: Exception) -> None:
        self.opening_failed.emit(error)
        if not lacks_frame(error):  # the window asks then, and says so with its question
            self.refused.emit(_said(error))

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.graph is not new.graph:
            self.selection.keep_existing(new.graph)
        if old.agents is not new.agents and self._agent_key not in new.agents:
            self._agent_key = next(iter(new.agents), "")
            self.agent_chosen.emit()
        self.project_changed.emit(old, new)
        if self._document and self.is_own_scene:
            self.scenes.follow(self._document, self._settings)

    def _remember(self, store: ProjectStore) -> None:
        before = self._settings.recent_projects
        if (recent := with_recent_project(before, without_password(store.location))) != before:
            self.change_settings(replace(self._settings, recent_projects=recent))


def at_window(bench: Workbench) -> str:
    """Who is at the window; on a server who is logged in there, of people of the project."""
    document = bench.document
    if document is not None and document.store.is_on_server:
        return document.project.team.member or bench.annotator
    return bench.annotator


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, WaypostError) else f"It could not be opened: {error!r}"
