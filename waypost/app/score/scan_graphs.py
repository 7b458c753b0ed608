"""The graphs of scans that instructions lie in, read once each and in the background."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from waypost.domain.base.progress import Progress, Work
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.services.jobs import JobRunner


class ScanGraphs(QObject):
    """Finds the graph of a scan in a folder of connectivity files.

    Args:
        jobs: Reads files.
        parent: Qt owner.
    """

    ready = Signal()
    """A graph that was asked for is there now, or will not be."""

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: dict[tuple[Path, str], ViewpointGraph | None] = {}
        self._reasons: dict[tuple[Path, str], str] = {}

    def graph(self, folder: Path, scan: str) -> ViewpointGraph | None:
        """The graph, if it has been read; otherwise it is read and ``ready`` follows."""
        key = folder, scan
        if key not in self._known:
            self._known[key] = None
            self._read(key)
        return self._known[key]

    def reason(self, folder: Path, scan: str) -> str:
        """Why there is no graph, a sentence; empty while nothing is wrong."""
        return self._reasons.get((folder, scan), "")

    def _read(self, key: tuple[Path, str]) -> None:
        def work() -> Work[ViewpointGraph]:
            yield Progress(0, 1, "Reading the graph")
            return load_graph(*key)

        def take(found: ViewpointGraph) -> None:
            self._known[key] = found
            self.ready.emit()

        def fail(error: Exception) -> None:
            self._reasons[key] = str(error)
            self.ready.emit()

        job = self._jobs.start("Reading the graph", work())
        job.succeeded.connect(take)
        job.failed.connect(fail)
