"""Reads in the background what replaces the open project, and hands it over when it is whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from waypost.documents.save_state import SaveKind
from waypost.domain.base.errors import EditError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import SUFFIX, Project
from waypost.io.agent_files import shipped_agents
from waypost.services.jobs import Job, JobRunner
from waypost.services.scene_assets import AssetKeywords

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument
    from waypost.services.open_project import LoadedProject
    from waypost.services.open_scene import OpenedScene


class Opened(NamedTuple):
    """What was read."""

    loaded: LoadedProject
    scene: OpenedScene | None = None
    """Where a scene was opened, and the project beside it."""


class ProjectOpening(QObject):
    """At most one project is being opened; the newest wish counts.

    Args:
        jobs: Runs the reading.
        parent: Qt owner.
    """

    failed = Signal(object)
    """The exception that kept it from being opened."""

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None

    @property
    def job(self) -> Job | None:
        """The opening under way, if any."""
        return self._job

    def start(
        self,
        name: str,
        work: Callable[[], Work[Opened]],
        document: ProjectDocument | None,
        take: Callable[[Opened], None],
        *,
        gives_up_edits: bool = False,
    ) -> Job:
        """Read a project; what is open stays as it is until it is handed over.

        Nothing is handed over as long as edits of what is open cannot be saved.

        Args:
            name: What is opened.
            work: Begins the reading.
            document: What is open now. If it is the same file and is edited meanwhile, what was
                read is outdated, and the reading begins anew.
            take: Gets what was read.
            gives_up_edits: Whether edits that are not saved are to be lost.
        """
        self.cancel()
        project = document.project if document else None
        job = self._jobs.start(f"Opening {name}", work())
        self._job = job

        def succeed(opened: Opened) -> None:
            if job is not self._job:
                return
            self._job = None
            is_unsaved = not gives_up_edits and not _is_saved(document)
            if document and is_unsaved and not document.save_now():
                self.failed.emit(EditError(_unsaved_sentence(name, document)))
            elif document and _is_outdated(opened.loaded, document, project, is_unsaved):
                self.start(name, work, document, take, gives_up_edits=gives_up_edits)
            else:
                take(opened)

        def fail(error: Exception) -> None:
            if job is self._job:
                self._job = None
                self.failed.emit(error)

        job.succeeded.connect(succeed)
        job.failed.connect(fail)
        job.cancelled.connect(lambda: self._forget(job))
        return job

    def cancel(self) -> None:
        """Give up what is being read."""
        job, self._job = self._job, None
        if job:
            job.cancel()

    def _forget(self, job: Job) -> None:
        if job is self._job:
            self._job = None


def project_work(
    location: Path | str,
    *,
    root: Path | None = None,
    making: Work[Any] | None = None,
    steps: Path | None = None,
) -> Work[Opened]:
    """Read a project, which is made first where a way to do so is given."""
    from waypost.services.open_project import open_project_job  # noqa: PLC0415 - the job waits

    if making is not None:
        yield from making
    return Opened((yield from open_project_job(location, root=root, steps=steps)))


def scene_work(
    path: Path, author: str, assets: AssetKeywords, steps: Path | None = None
) -> Work[Opened]:
    """Read a scene and the project beside it, which is made if there is none."""
    from waypost.services.open_project import open_project_job  # noqa: PLC0415 - the job waits
    from waypost.services.open_scene import open_scene_job  # noqa: PLC0415 - as above
    from waypost.store.project_store import ProjectStore  # noqa: PLC0415 - as above
    from waypost.viewers.scene.prepared_scene import prepare_scene  # noqa: PLC0415 - as above

    scene = yield from open_scene_job(path, prepare=prepare_scene, **assets)
    project_path = path.with_suffix(SUFFIX)
    if not project_path.exists():
        yield Progress(1.0, 1.0, f"Making {project_path.name}")
        project = Project(name=path.stem, scene_path=path.name, agents=shipped_agents())
        ProjectStore.create(project_path, project, author).close()
    return Opened((yield from open_project_job(project_path, steps=steps)), scene)


def _is_outdated(
    loaded: LoadedProject,
    document: ProjectDocument,
    project: Project | None,
    is_just_saved: bool,
) -> bool:
    """Whether what was read is the file of this document, and is older than its last edit."""
    is_same_file = document.store.location == loaded.store.location
    return is_same_file and (is_just_saved or document.project is not project)


def _is_saved(document: ProjectDocument | None) -> bool:
    return document is None or document.save_state.kind is not SaveKind.NOT_SAVED


def _unsaved_sentence(name: str, document: ProjectDocument) -> str:
    return (
        f"{name} is not opened, because the last edits of {document.project.name} "
        f"would be lost: {document.save_state.reason}. Undo them, or close the window, to go on "
        "without them"
    )
