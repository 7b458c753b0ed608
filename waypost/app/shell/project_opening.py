"""Reads in the background what replaces the open project, and hands it over when it is whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal

from waypost.domain.base.errors import EditError, StoreError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
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
    """Where a scene was opened, and its project."""

    free_place: Path | None = None
    """A place for a project of this scene, where what was read is that of another one."""


class ProjectOpening(QObject):
    """At most one project is being opened; the newest wish counts.

    Args:
        jobs: Runs the reading.
        parent: Qt owner.
    """

    read = Signal()
    """What is open is about to be left, and can still be changed: another project is read."""

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
        """Read a project; what is open stays until then, and while its edits cannot be saved.

        Args:
            name: What is opened.
            work: Begins the reading.
            document: What is open now. If it is the same file and is edited meanwhile, what was
                read is outdated, and the reading begins anew.
            take: Gets what was read.
            gives_up_edits: Whether edits that are not saved are to be lost.
        """
        self.cancel()
        begun = _state_of(document)
        job = self._jobs.start(f"Opening {name}", work())
        self._job = job

        def succeed(opened: Opened) -> None:
            if job is not self._job:
                return
            if document:
                self.read.emit()
            if document is None or gives_up_edits or _needs_no_save(document):
                hand_over(opened)
            else:
                _save(document, partial(hand_over, opened, is_just_saved=True))

        def hand_over(opened: Opened, *, is_just_saved: bool = False) -> None:
            if job is not self._job:
                return
            self._job = None
            if document and is_just_saved and not document.save_state.is_safe:
                self.failed.emit(EditError(_unsaved_sentence(name, document)))
            elif document and _is_outdated(opened.loaded, document, begun, is_just_saved):
                self.start(name, work, document, take, gives_up_edits=gives_up_edits)
            else:
                take(opened)

        job.succeeded.connect(succeed)
        job.failed.connect(partial(self._fail, job))
        job.cancelled.connect(lambda: self._forget(job))
        return job

    def cancel(self) -> None:
        """Give up what is being read."""
        job, self._job = self._job, None
        if job:
            job.cancel()

    def _fail(self, job: Job, error: Exception) -> None:
        if job is self._job:
            self._job = None
            self.failed.emit(error)

    def _forget(self, job: Job) -> None:
        if job is self._job:
            self._job = None


def project_work(
    location: Path | str,
    *,
    root: Path | None = None,
    making: Work[Any] | None = None,
    steps: Path | None = None,
    viewer: str = "",
) -> Work[Opened]:
    """Read a project as somebody may see it; it is made first where a way to do so is given."""
    from waypost.services.open_project import open_project_job  # noqa: PLC0415 - the job waits

    if making is not None:
        yield from making
    return Opened((yield from open_project_job(location, root=root, steps=steps, viewer=viewer)))


def scene_work(
    path: Path,
    author: str,
    assets: AssetKeywords,
    data_folder: Path,
    location: Path | str | None = None,
    change: Callable[[Project], Project] = lambda project: project,
    steps: Path | None = None,
) -> Work[Opened]:
    """Read a scene as its project corrects it, and that project, which is made if there is none.

    Args:
        path: The scene file.
        author: Who opens or makes the project.
        assets: How the scene is opened.
        data_folder: Where the project is kept if the folder of the scene cannot be written.
        location: Where the project is, or is made; by default where projects of it usually are.
        change: What the project is to say of its scene besides, when it is read.
        steps: Folder of kept steps of undo.
    """
    from waypost.io.scenes.registry import format_of_file  # noqa: PLC0415 - the job waits
    from waypost.services.open_scene import open_scene_job  # noqa: PLC0415 - as above
    from waypost.services.project_places import find_scene_project  # noqa: PLC0415 - as above
    from waypost.viewers.scene.prepared_scene import prepare_scene  # noqa: PLC0415 - as above

    # What is no scene says more than what is wrong with a project beside it.
    format_of_file(path)
    found = yield from find_scene_project(path, data_folder, location, steps, author)
    own = change(found.loaded.project if found.loaded and found.is_own else Project())
    scene = yield from open_scene_job(
        path,
        up_axis=own.scene_up_axis,
        metres_per_unit=own.scene_metres_per_unit,
        prepare=prepare_scene,
        **assets,
    )
    if found.loaded is None:
        return (yield from new_project_work(found.free_place, scene, author, data_folder))
    return Opened(found.loaded, scene, None if found.is_own else found.free_place)


def new_project_work(
    place: Path, scene: OpenedScene, author: str, data_folder: Path
) -> Work[Opened]:
    """Make a project of a scene that was read, and open it."""
    from waypost.services.open_project import open_project_job  # noqa: PLC0415 - the job waits
    from waypost.services.project_places import stated_scene  # noqa: PLC0415 - as above
    from waypost.store.project_store import ProjectStore  # noqa: PLC0415 - as above

    yield Progress(1.0, 1.0, f"Making {place.name}")
    path = Path(scene.scene.path)
    stated = stated_scene(place, path, data_folder)
    project = Project(name=path.stem, scene_path=stated, agents=shipped_agents())
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(str(place), "file", f"cannot be written: {error.strerror}") from error
    ProjectStore.create(place, project, author).close()
    return Opened((yield from open_project_job(place, viewer=author)), scene)


def same_house_work(opened: Opened, steps: Path, viewer: str) -> Work[Opened]:
    """Read the project of another scene once more; it is to get the scene that was read."""
    store = opened.loaded.store
    where = store.location
    again = yield from project_work(where, root=store.root, steps=steps, viewer=viewer)
    return again._replace(scene=opened.scene)


def _is_outdated(
    loaded: LoadedProject,
    document: ProjectDocument,
    begun: tuple[Project, datetime] | None,
    is_just_saved: bool,
) -> bool:
    """Whether what was read is the file of this document, and is older than its last edit."""
    if document.store.location != loaded.store.location:
        return False
    now = _state_of(document)
    return is_just_saved or not begun or not now or begun[0] is not now[0] or begun[1] != now[1]


def _state_of(document: ProjectDocument | None) -> tuple[Project, datetime] | None:
    """What is another one once anything is edited or saved; ``None`` while a server is saved to."""
    if document is None or document.is_saving:
        return None
    return document.project, document.last_saved_at


def _needs_no_save(document: ProjectDocument) -> bool:
    return document.save_state.is_safe and not document.is_saving


def _save(document: ProjectDocument, then: Callable[[], None]) -> None:
    """Try to save, and go on once that is done or has failed; no server is waited for here."""
    document.save_soon()
    if document.is_saving:
        document.settled.connect(then, Qt.ConnectionType.SingleShotConnection)
    else:
        then()


def _unsaved_sentence(name: str, document: ProjectDocument) -> str:
    return (
        f"{name} is not opened, because the last edits of {document.project.name} "
        f"would be lost: {document.save_state.reason}. Undo them, or close the window, to go on "
        "without them"
    )


def document_of(
    loaded: LoadedProject, author: str, steps_folder: Path | None, parent: QObject
) -> ProjectDocument:
    """A project that was read as the open document, with the steps of undo that were kept.

    Args:
        loaded: What was read.
        author: Who works on it; of a project with people it is who it was read for, on a server who
            is logged in there.
        steps_folder: Where the steps of undo are kept; without, they are neither kept nor there.
        parent: Qt owner.
    """
    from waypost.documents.kept_steps import (  # noqa: PLC0415 - with the first project
        HistoryKeeper,
        history_file,
    )
    from waypost.documents.project_document import (  # noqa: PLC0415 - with the first project
        ProjectDocument,
    )

    keeper = None
    if steps_folder is not None:
        keeper = HistoryKeeper(history_file(steps_folder, loaded.store.location))
    return ProjectDocument(
        loaded.store,
        loaded.project.team.member or author,
        project=loaded.project,
        history=None if keeper is None else loaded.history,
        keeper=keeper,
        parent=parent,
    )
