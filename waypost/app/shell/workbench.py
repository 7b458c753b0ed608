"""What is open in one window: the project, its scene, the agent at hand and who works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from waypost.app.shell.login import login_name
from waypost.app.shell.open_mark import OpenMark
from waypost.app.shell.project_opening import Opened, ProjectOpening, project_work, scene_work
from waypost.documents.selection import Selection
from waypost.domain.base.errors import WaypostError
from waypost.domain.base.progress import Work
from waypost.domain.project import SUFFIX, Project
from waypost.domain.scene.scene import Scene, Storey
from waypost.domain.traverse.agent import AgentProfile
from waypost.services.jobs import Job, JobRunner
from waypost.services.scene_assets import asset_keywords
from waypost.services.settings import Settings, SettingsFile, with_recent_project

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument
    from waypost.services.open_scene import OpenedScene
    from waypost.store.project_store import ProjectStore
    from waypost.viewers.scene.prepared_scene import PreparedScene


class Workbench(QObject):
    """The open project and scene; whatever replaces them does so only once it is complete.

    Args:
        settings_file: Where choices are kept.
        jobs: Runs what takes time.
        parent: Qt owner.
    """

    document_replaced = Signal()
    """Another project is open; views start anew."""

    history_changed = Signal()
    """A step was made, undone or redone, and the history of undo knows of it."""

    project_changed = Signal(object, object)
    """(old, new) `Project` of the open document."""

    save_state_changed = Signal(object)
    scene_replaced = Signal()
    """Another scene is open, or none."""

    opening_failed = Signal(object)
    """The exception that kept a project or a scene from being opened."""

    agent_chosen = Signal()
    settings_changed = Signal(object)
    refused = Signal(str)
    """One sentence: what was asked could not be done, and nothing changed."""

    def __init__(
        self, settings_file: SettingsFile, jobs: JobRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings_file = settings_file
        self._steps_folder = settings_file.path.parent / "undo"
        self._open_mark = OpenMark()
        self._login_name = login_name()
        self._settings, self.settings_problem = settings_file.load()
        self._jobs = jobs
        self._document: ProjectDocument | None = None
        self._opened: OpenedScene | None = None
        self._own: OpenedScene | None = None
        self._opening = ProjectOpening(jobs, self)
        self._opening.failed.connect(self._on_failed)
        self._scene_reading: Job | None = None
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
        return self._opened

    @property
    def scene_ids(self) -> frozenset[str]:
        """What data sets may call the project's own scene: the name of its file, or its folder."""
        if self._document is None or not self.project.scene_path:
            return frozenset()
        path = self._document.store.root / self.project.scene_path
        return frozenset({path.stem, path.parent.name})

    @property
    def is_own_scene(self) -> bool:
        """Whether the open scene is the project's own, or none is open."""
        return self._opened is self._own

    @property
    def scene(self) -> Scene | None:
        """The open scene, if any."""
        return self._opened.scene if self._opened else None

    @property
    def prepared(self) -> PreparedScene | None:
        """The open scene as its views take it, if any."""
        return self._opened.prepared if self._opened else None

    @property
    def scene_hash(self) -> str:
        """Provenance of labels; empty without a scene."""
        return self._opened.scene.content_hash if self._opened else ""

    @property
    def storeys(self) -> tuple[Storey, ...]:
        """Storeys of the open scene."""
        return self._opened.scene.storeys if self._opened else ()

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
        except OSError as error:
            self.refused.emit(f"{self._settings_file.path}: not kept: {error.strerror}")
        self.settings_changed.emit(settings)

    @property
    def opening(self) -> Job | None:
        """The project that is being opened, if any."""
        return self._opening.job

    def open_path(self, path: Path) -> Job:
        """Open a project, or a scene as a project of its own."""
        if path.suffix == SUFFIX or str(path).startswith("postgresql"):
            return self.open_project(path)
        return self.open_scene_file(path)

    def open_project(self, path: Path, making: Callable[[], Work[Any]] | None = None) -> Job:
        """Read a project; once complete it is open. The one that is open stays if this fails.

        Args:
            path: The project file.
            making: Makes the file first.
        """
        return self._opening.start(
            path.name,
            lambda: project_work(
                path, making=making() if making else None, steps=self._steps_folder
            ),
            self._document,
            self._take_document,
        )

    def open_scene_file(self, path: Path) -> Job:
        """Read a scene; once complete, its project beside it is opened, or made."""
        work = partial(
            scene_work,
            path,
            self.annotator,
            asset_keywords(self._settings, path),
            self._steps_folder,
        )
        return self._opening.start(path.name, work, self._document, self._take_document)

    def read_own_scene(self) -> None:
        """Read the scene of the project once more."""
        if self._document:
            self._read_scene_of(self._document)

    def show_other_scene(self, title: str, work: Work[OpenedScene]) -> Job:
        """Show a scene that is not the project's; once it is complete it takes the stage.

        Edits and labels belong to the project's own scene: only what asks for another scene may
        work in it, and ends with `show_own_scene`.
        """
        document = self._document

        def take(opened: OpenedScene) -> None:
            self._scene_reading = None
            if self._document is document:
                self._opened = opened
                self.scene_replaced.emit()

        self._cancel_scene()
        job = self._jobs.start(title, work)
        self._scene_reading = job
        job.succeeded.connect(take)
        return job

    def show_own_scene(self) -> None:
        """Show the scene of the project again."""
        self._cancel_scene()
        document = self._document
        if self._own is not self._opened:
            self._opened = self._own
            self.scene_replaced.emit()
        if self._own is None and document is not None and document.project.scene_path:
            self._read_scene_of(document)

    def reload(self) -> None:
        """Take the project from its file again, giving up what could not be saved."""
        document = self._document
        if document is None:
            return
        location, root = document.store.location, document.store.root
        self._opening.start(
            document.project.name,
            lambda: project_work(location, root=root),
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
            Whether everything is in the file.
        """
        self._opening.cancel()
        self._cancel_scene()
        is_saved = self._document.close() if self._document else True
        self._open_mark.take_away()
        self._document = None
        return is_saved

    def _cancel_scene(self) -> None:
        if self._scene_reading:
            self._scene_reading.cancel()

    def _take_document(self, found: Opened) -> None:
        from waypost.documents.kept_steps import (  # noqa: PLC0415 - with the first project
            HistoryKeeper,
            history_file,
        )
        from waypost.documents.project_document import (  # noqa: PLC0415 - with the first project
            ProjectDocument,
        )

        store, project, opened = found.loaded.store, found.loaded.project, found.scene
        others = self._open_mark.put(store.location)
        # Of two windows only the first one keeps its steps: they would overwrite each other.
        steps = history_file(self._steps_folder, store.location)
        document = ProjectDocument(
            store,
            self.annotator,
            project=project,
            history=None if others else found.loaded.history,
            keeper=None if others else HistoryKeeper(steps),
            parent=self,
        )
        self._cancel_scene()
        if self._document:
            self._document.close()
            self._document.deleteLater()
        self._document = document
        document.changed.connect(self._on_changed)
        document.undo_stack.indexChanged.connect(self.history_changed)
        document.save_state_changed.connect(self.save_state_changed)
        document.step_refused.connect(self.refused)
        self.selection.set()
        agents = document.project.agents
        self._agent_key = self._agent_key if self._agent_key in agents else next(iter(agents), "")
        self._opened = self._own = opened
        self._remember(store)
        self.document_replaced.emit()
        self.scene_replaced.emit()
        self.agent_chosen.emit()
        told = (others, "" if others else found.loaded.history.dropped_words)
        if any(told):
            self.refused.emit(". ".join(filter(None, told)) + ".")
        if opened is None and document.project.scene_path:
            self._read_scene_of(document)

    def _read_scene_of(self, document: ProjectDocument) -> None:
        project = document.project

        def take(opened: OpenedScene) -> None:
            self._scene_reading = None
            if self._document is document:
                self._opened = self._own = opened
                self.scene_replaced.emit()

        from waypost.services.open_scene import open_scene_job  # noqa: PLC0415 - as above
        from waypost.viewers.scene.prepared_scene import prepare_scene  # noqa: PLC0415 - as above

        path = document.store.root / project.scene_path
        work = open_scene_job(
            path,
            up_axis=project.scene_up_axis,
            metres_per_unit=project.scene_metres_per_unit,
            **asset_keywords(self._settings, path),
            prepare=prepare_scene,
        )
        self._cancel_scene()
        job = self._jobs.start(f"Opening {path.name}", work)
        self._scene_reading = job
        job.succeeded.connect(take)
        job.failed.connect(self._on_failed)

    def _on_failed(self, error: Exception) -> None:
        self.opening_failed.emit(error)
        self.refused.emit(_said(error))

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.graph is not new.graph:
            self.selection.keep_existing(new.graph)
        if old.agents is not new.agents and self._agent_key not in new.agents:
            self._agent_key = next(iter(new.agents), "")
            self.agent_chosen.emit()
        self.project_changed.emit(old, new)

    def _remember(self, store: ProjectStore) -> None:
        recent = with_recent_project(self._settings.recent_projects, str(store.location))
        if recent != self._settings.recent_projects:
            self.change_settings(replace(self._settings, recent_projects=recent))


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, WaypostError) else f"It could not be opened: {error!r}"
