"""The graphs of scans that instructions lie in, read once each and in the background."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.services.jobs import JobRunner

_Key = tuple[tuple[Path, ...], str]


class ScanGraphs(QObject):
    """Finds the graph of a scan in folders of connectivity files.

    Args:
        jobs: Reads files.
        parent: Qt owner.
    """

    ready = Signal()
    """A graph that was asked for is there now, or will not be."""

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: dict[_Key, ViewpointGraph | None] = {}
        self._reasons: dict[_Key, str] = {}

    def graph(self, folders: tuple[Path, ...], scan: str) -> ViewpointGraph | None:
        """The graph, if it has been read; otherwise it is read and ``ready`` follows.

        Args:
            folders: The first one that has a file of the scan counts.
            scan: Its name.
        """
        key = folders, scan
        if key not in self._known:
            self._known[key] = None
            if folders:
                self._read(key)
        return self._known[key]

    def reason(self, folders: tuple[Path, ...], scan: str) -> str:
        """Why there is no graph, a sentence; empty while nothing is wrong."""
        return self._reasons.get((folders, scan), "")

    def _read(self, key: _Key) -> None:
        folders, scan = key

        def work() -> Work[ViewpointGraph]:
            yield Progress(0, 1, "Reading the graph")
            found = next(_having(folders, scan), None)
            if found is None:
                raise InputError(f"There is no graph of {scan} in {folders[0].name}")
            return load_graph(found, scan)

        def take(found: ViewpointGraph) -> None:
            self._known[key] = found
            self.ready.emit()

        def fail(error: Exception) -> None:
            self._reasons[key] = str(error)
            self.ready.emit()

        job = self._jobs.start("Reading the graph", work())
        job.succeeded.connect(take)
        job.failed.connect(fail)


def _having(folders: tuple[Path, ...], scan: str) -> Iterator[Path]:
    """The folders that have a file of the scan, themselves or in ``connectivity``."""
    for folder in folders:
        for place in (folder, folder / "connectivity"):
            if (place / f"{scan}_connectivity.json").is_file():
                yield place
