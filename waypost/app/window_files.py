"""Opening, importing and exporting from the window: asks for paths and confirms frames."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from waypost.app.capnav_export import CapnavExport, export_capnav
from waypost.app.commands.frame_choice import fitting_frames, floor_below
from waypost.app.workbench import Workbench
from waypost.domain.errors import WaypostError
from waypost.domain.frames import FRAMES, Frame
from waypost.domain.traversability import labels_that_hold
from waypost.io.datasets.capnav_graph import (
    CapnavGraphFile,
    graph_from_capnav,
    keep_file_facts,
    project_to_floor,
    read_capnav_graph,
)
from waypost.store.project_store import SUFFIX

SCENE_FILTER = "Scenes (*.glb *.gltf *.usd *.usda *.usdc *.usdz)"
PROJECT_FILTER = f"Waypost projects (*{SUFFIX})"


class WindowFiles(QObject):
    """Asks for files and hands them to the workbench.

    Args:
        bench: What is open.
        data_folder: Where the sample project is kept for this user.
        window: Owner of the dialogs.
    """

    told = Signal(str)
    """One sentence about what was written or read."""

    def __init__(self, bench: Workbench, data_folder: Path, window: QWidget) -> None:
        super().__init__(window)
        self._bench = bench
        self._data_folder = data_folder
        self._window = window

    def ask_project(self) -> None:
        """Ask for a project and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open project", self._folder(), PROJECT_FILTER
        )
        if path:
            self._bench.open_project(Path(path))

    def ask_scene(self) -> None:
        """Ask for a scene and open it with the project beside it."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open scene", self._folder(), SCENE_FILTER
        )
        if path:
            self._bench.open_scene_file(Path(path))

    def open_sample(self) -> None:
        """Open this user's copy of the sample home; made on first use."""
        # Its writers load USD, which only the first opening of the sample needs.
        from waypost.sample.sample_project import write_sample  # noqa: PLC0415

        folder = self._data_folder / "sample"
        project = folder / f"home{SUFFIX}"
        try:
            if not project.exists():
                write_sample(folder)
        except WaypostError as error:
            self._bench.refused.emit(str(error))
            return
        self._bench.open_project(project)

    def ask_import(self) -> None:
        """Ask for a CapNav graph, let the user confirm its frame, and take it over."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Import CapNav graph", self._folder(), "CapNav graphs (*.json *.json.gz)"
        )
        if not path:
            return
        try:
            file = read_capnav_graph(Path(path))
            frame = self._ask_frame(file)
            if frame:
                self.import_graph(file, frame, Path(path).name)
        except WaypostError as error:
            self._bench.refused.emit(str(error))

    def import_graph(self, file: CapnavGraphFile, frame: Frame, name: str) -> None:
        """Replace the graph by one from a file, its nodes put on the floor; one undo step."""
        document, opened = self._bench.document, self._bench.opened
        if document is None:
            return
        graph = graph_from_capnav(file, frame)
        if opened:
            graph = project_to_floor(graph, floor_below(opened.rays)).graph
        project = document.project
        graph = keep_file_facts(project.graph, graph)
        labels = labels_that_hold(project.labels, project.graph, graph)
        document.edit(f"Import {name}", replace(project, graph=graph, labels=labels))
        self.told.emit(f"{len(graph.nodes)} nodes and {len(graph.edges)} edges from {name}.")

    def ask_export(self) -> None:
        """Ask for a folder and write graph and labels there as CapNav files."""
        folder = QFileDialog.getExistingDirectory(self._window, "Export into", self._folder())
        if folder:
            self.export_to(Path(folder))

    def export_to(self, folder: Path) -> CapnavExport | None:
        """Write graph and labels as CapNav files; says what was left out."""
        try:
            written = export_capnav(self._bench.project, self._bench.scene_hash, folder)
        except (WaypostError, OSError) as error:
            self._bench.refused.emit(str(error))
            return None
        self.told.emit(written.sentence)
        return written

    def _ask_frame(self, file: CapnavGraphFile) -> Frame | None:
        opened = self._bench.opened
        has_nodes = len(file.positions) > 0
        proposals = fitting_frames(file, opened.scene, opened.rays) if opened and has_nodes else ()
        ranked = [proposal.frame for proposal in proposals] or list(FRAMES.values())
        lines = [f"{p.frame.title} — {p.explanation}" for p in proposals] or [
            frame.title for frame in ranked
        ]
        chosen, is_confirmed = QInputDialog.getItem(
            self._window,
            "Which coordinates?",
            "CapNav files do not say which axes they use. The best fit with this scene is first:",
            lines,
            0,
            False,
        )
        return ranked[lines.index(chosen)] if is_confirmed else None

    def _folder(self) -> str:
        document = self._bench.document
        return os.fspath(document.store.root) if document else os.fspath(Path.home())
