"""Where the pictures of a run come from: its folder, else the open scene, else nowhere.

People's takes show the camera frames that were kept with them, else the scene; else they borrow
pictures of viewpoints from models' runs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from waypost.app.replay.desk import OpenedRun, ReplayDesk
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.progress import Progress, Work
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.panorama_folder import PanoramaFolder
from waypost.io.picture_sources.source import PictureSource
from waypost.io.picture_sources.viewpoint_pictures import ViewpointPictures
from waypost.io.recordings.take_frames import kept_frames
from waypost.services.jobs import JobRunner
from waypost.viewers.scene.pictures import SceneSource
from waypost.viewers.strip.panorama_strip import PanoramaStrip


class ReplayPictures(QObject):
    """Gives each strip the pictures of the run it shows; folders are opened in the background.

    Args:
        bench: What is open.
        desk: Knows the folders.
        jobs: Opens them.
        is_here: Whether a run is in the open scene.
        parent: Qt owner.
    """

    def __init__(
        self,
        bench: Workbench,
        desk: ReplayDesk,
        jobs: JobRunner,
        is_here: Callable[[OpenedRun], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._desk, self._jobs, self._is_here = bench, desk, jobs, is_here
        self._given: dict[PanoramaStrip, str] = {}

    def give(self, strip: PanoramaStrip, run: OpenedRun) -> None:
        """Let a strip take its pictures from where those of a run are; nothing if it does so."""
        samples = run.shown.samples
        kept = None if samples is None else kept_frames(samples)
        folder = kept or self._desk.pictures_folder(run.name)
        prepared = self._bench.prepared
        scene = self._bench.scene if folder is None and self._is_here(run) else None
        is_borrowed = folder is None and scene is None
        if is_borrowed:
            folder = self._desk.pictures_to_borrow(run.name)
        wanted = str(folder) if folder else scene.content_hash if scene else ""
        if self._given.get(strip) == wanted:
            return
        self._given[strip] = wanted
        strip.set_source(None, is_awaited=bool(wanted))
        if folder is not None:
            self._open(strip, folder, is_borrowed=is_borrowed)
        elif scene is not None and prepared is not None:
            strip.set_source(SceneSource(scene, prepared.packed))

    def _open(self, strip: PanoramaStrip, folder: Path, *, is_borrowed: bool) -> None:
        job = self._jobs.start(f"Opening {folder.name}", _opening(folder))

        def take(source: PictureSource) -> None:
            is_of_places = isinstance(source, PanoramaFolder | ViewpointPictures)
            if self._given.get(strip) == str(folder) and (is_of_places or not is_borrowed):
                strip.set_source(source)
            else:
                source.close()
                if self._given.get(strip) == str(folder):
                    strip.set_source(None)

        job.succeeded.connect(take)

        def fail(error: Exception) -> None:
            self._bench.refused.emit(str(error))
            if self._given.get(strip) == str(folder):
                strip.set_source(None)

        job.failed.connect(fail)


def _opening(folder: Path) -> Work[PictureSource]:
    yield Progress(0.0, 0.0, f"Looking into {folder.name}")
    return open_picture_source(folder)
