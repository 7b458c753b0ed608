"""The scene on the stage of one window: the project's own, or another one for a while."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
from waypost.services.jobs import Job, JobRunner
from waypost.services.scene_assets import asset_keywords
from waypost.services.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from waypost.documents.project_document import ProjectDocument
    from waypost.services.open_scene import OpenedScene


class SceneWish(NamedTuple):
    """What a project says of its scene: another one means other triangles."""

    path: str
    up_axis: str | None
    metres_per_unit: float | None

    @classmethod
    def of(cls, project: Project) -> SceneWish:
        """Of a project."""
        return cls(project.scene_path, project.scene_up_axis, project.scene_metres_per_unit)


class BenchScenes(QObject):
    """Reads scenes in the background; the newest wish counts, and what is shown stays until then.

    Args:
        jobs: Runs the reading.
        parent: Qt owner.
    """

    replaced = Signal()
    """Another scene is shown, or none."""

    failed = Signal(object)
    """The exception that kept the project's scene from being read."""

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._reading: Job | None = None
        self._wish: SceneWish | None = None
        self._read_as: SceneWish | None = None
        self.shown: OpenedScene | None = None
        """On the stage."""

        self.own: OpenedScene | None = None
        """The project's, whatever is on the stage; ``None`` until it is read."""

    @property
    def is_own_awaited(self) -> bool:
        """Whether the project's own scene is being read, and nobody has seen it yet."""
        return self.own is None and self._reading is not None

    def put(self, opened: OpenedScene | None, project: Project) -> None:
        """Another project is open, or says otherwise of its scene, which was read already."""
        self.cancel()
        self.shown = self.own = opened
        self._wish = self._read_as = SceneWish.of(project)

    def follow(self, document: ProjectDocument, settings: Settings) -> None:
        """Read the scene again if the project says otherwise of it than when it was read."""
        if SceneWish.of(document.project) != self._wish:
            self.read(document, settings)

    def read(self, document: ProjectDocument, settings: Settings) -> None:
        """Read the scene of a project, with its corrections."""
        self.cancel()
        self._wish = wish = SceneWish.of(document.project)
        if not wish.path:
            self.shown = self.own = None
            self.replaced.emit()
            return

        def take(opened: OpenedScene) -> None:
            if job is self._reading:
                self._reading, self._read_as = None, wish
                self.shown = self.own = opened
                self.replaced.emit()

        def fail(error: Exception) -> None:
            if job is self._reading:
                self._drop_outdated(wish)
                self.failed.emit(error)

        def give_up() -> None:
            if job is self._reading:
                self._drop_outdated(wish)

        path = document.store.root / wish.path
        job = self._jobs.start(f"Opening {path.name}", scene_reading(path, wish, settings))
        self._reading = job
        job.succeeded.connect(take)
        job.failed.connect(fail)
        job.cancelled.connect(give_up)

    def show_other(self, title: str, work: Work[OpenedScene], is_wanted: Callable[[], bool]) -> Job:
        """Show a scene that is not the project's; once it is complete it takes the stage."""

        def take(opened: OpenedScene) -> None:
            if job is self._reading and is_wanted():
                self._reading = None
                self.shown = opened
                self.replaced.emit()

        self.cancel()
        job = self._jobs.start(title, work)
        self._reading = job
        job.succeeded.connect(take)
        return job

    def show_own(self) -> None:
        """Show the scene of the project again."""
        self.cancel()
        if self.own is not self.shown:
            self.shown = self.own
            self.replaced.emit()

    def cancel(self) -> None:
        """Give up what is being read."""
        job, self._reading = self._reading, None
        if job:
            job.cancel()

    def _drop_outdated(self, wish: SceneWish) -> None:
        """Nothing may be drawn over triangles that the project no longer means."""
        self._reading = None
        if self.own is not None and self._read_as != wish:
            self.shown = self.own = None
            self.replaced.emit()


def is_same_file(one: Path | None, other: Path) -> bool:
    """Whether both name one file or folder, by whatever way; ``None`` names none."""
    return one is not None and os.path.realpath(one) == os.path.realpath(other)


def scene_reading(path: Path, wish: SceneWish, settings: Settings) -> Work[OpenedScene]:
    """Read a scene as a project corrects it, ready for the stage."""
    from waypost.services.open_scene import open_scene_job  # noqa: PLC0415 - the job waits
    from waypost.viewers.scene.prepared_scene import prepare_scene  # noqa: PLC0415 - as above

    return (
        yield from open_scene_job(
            path,
            up_axis=wish.up_axis,
            metres_per_unit=wish.metres_per_unit,
            **asset_keywords(settings, path),
            prepare=prepare_scene,
        )
    )


def named_scene_reading(
    place: Path, scene_id: str, settings: Settings, own: tuple[Path | None, SceneWish]
) -> Work[OpenedScene]:
    """Find the scene of an episode by its name, and read it.

    Args:
        place: Folder or list of scenes; see ``find_scene_file``.
        scene_id: As the episode names it.
        settings: The user's.
        own: File of the project's own scene, and what the project says of it: it is corrected by
            whatever name an episode calls it.

    Raises:
        ReadError: If it is not there, or cannot be read.
    """
    from waypost.io.scenes.scene_folder import find_scene_file  # noqa: PLC0415 - the job waits

    yield Progress(0.0, 1.0, f"Looking for the scene {scene_id}")
    return (yield from found_scene_reading(find_scene_file(place, scene_id), settings, own))


def found_scene_reading(
    path: Path, settings: Settings, own: tuple[Path | None, SceneWish]
) -> Work[OpenedScene]:
    """Read a scene that may be the project's own; see ``named_scene_reading``."""
    own_path, wish = own
    wish = wish if is_same_file(own_path, path) else SceneWish(str(path), None, None)
    return (yield from scene_reading(path, wish, settings))
