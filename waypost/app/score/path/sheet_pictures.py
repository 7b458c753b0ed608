"""Pictures of the viewpoints that paths go over, from folders that somebody chose."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress, Work
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.panorama_folder import PanoramaFolder
from waypost.io.picture_sources.source import PictureSource
from waypost.io.picture_sources.viewpoint_pictures import ViewpointPictures
from waypost.services.jobs import JobRunner


class SheetPictures(QObject):
    """Opens the first folder that has pictures of viewpoints, in the background.

    Args:
        jobs: Looks into folders.
        parent: Qt owner.
    """

    ready = Signal()
    """The folder that was asked for has been looked into."""

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folders: tuple[str, ...] | None = None
        self._source: PictureSource | None = None

    def source(self, folders: tuple[str, ...]) -> PictureSource | None:
        """The pictures, if their folder has been opened; otherwise ``ready`` may follow."""
        if folders != self._folders:
            self._folders, self._source = folders, None
            if folders:
                self._open(folders)
        return self._source

    def _open(self, folders: tuple[str, ...]) -> None:
        job = self._jobs.start("Looking for pictures", _opening(folders))

        def take(found: PictureSource | None) -> None:
            if folders == self._folders:
                self._source = found
                self.ready.emit()
            elif found is not None:
                found.close()

        job.succeeded.connect(take)


def _opening(folders: tuple[str, ...]) -> Work[PictureSource | None]:
    for done, folder in enumerate(folders):
        yield Progress(done, len(folders), f"Looking into {Path(folder).name}")
        try:
            source = open_picture_source(Path(folder))
        except ReadError:
            # It may have scenes or graphs instead.
            continue
        if isinstance(source, PanoramaFolder | ViewpointPictures):
            return source
        source.close()
    return None
