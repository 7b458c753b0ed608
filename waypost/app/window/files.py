"""Opening, importing and exporting from the window: asks for paths and confirms frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from waypost.app.shell.project_edits import is_still_open
from waypost.app.shell.workbench import Workbench
from waypost.app.window.scene.scene_question import SceneQuestion
from waypost.app.window.scene.unit_question import UnitQuestion
from waypost.domain.base.counted_words import counted, few_of
from waypost.domain.base.errors import WriteError
from waypost.domain.base.frames import FRAMES, Frame
from waypost.domain.base.progress import Progress, Work
from waypost.domain.base.visible_text import one_line
from waypost.domain.causes.replay_book import add_source
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import SUFFIX, Project
from waypost.io.graphs.capnav_names import ExportNames
from waypost.services.jobs import Job, JobRunner

# What reads and writes is imported by the jobs: a window starts without it.

if TYPE_CHECKING:
    from waypost.documents.project_document import ProjectDocument
    from waypost.io.datasets.frame_proposals import FrameProposal
    from waypost.io.graphs.capnav_graph import FloorProjection
    from waypost.io.graphs.graph_files import GraphFile
    from waypost.services.capnav_export import CapnavExport
    from waypost.services.open_scene import OpenedScene

SCENE_FILTER = "Scenes (*.glb *.gltf *.usd *.usda *.usdc *.usdz *.dae *.ply *.off *.stl *.obj)"
GRAPH_FILTER = "Graphs of CapNav or Matterport3D (*.json *.json.gz)"
PROJECT_FILTER = f"Waypost projects (*{SUFFIX})"


class WindowFiles(QObject):
    """Asks for files and hands them to the workbench.

    Args:
        bench: What is open.
        jobs: Reads and writes.
        data_folder: Where the sample project is kept for this user.
        window: Owner of the dialogs.
    """

    told = Signal(str)
    """One sentence about what was written or read."""

    def __init__(
        self, bench: Workbench, jobs: JobRunner, data_folder: Path, window: QWidget
    ) -> None:
        super().__init__(window)
        self._bench, self._jobs = bench, jobs
        self._data_folder = data_folder
        self._window = window
        self.scene_question = SceneQuestion(bench, jobs, window)
        self.unit_question = UnitQuestion(bench, window)

    def ask_project(self) -> None:
        """Ask for a project and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open project", self._folder(), PROJECT_FILTER
        )
        if path:
            self._bench.open_project(Path(path))

    def ask_scene(self) -> None:
        """Ask for a scene and open it with its project."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open scene", self._folder(), SCENE_FILTER
        )
        if path:
            self._bench.open_scene_file(Path(path))

    def open_sample(self, then: Callable[[], None] = lambda: None) -> None:
        """Open this user's copy of the sample home; made on first use.

        A copy of a version that had no runs gets them, and one without instructions to score those,
        beside whatever was made of it. Whoever opens it is a rater of them.

        Args:
            then: Called when it is open.
        """
        folder = self._data_folder / "sample"
        project = folder / f"home{SUFFIX}"
        is_there = project.exists()
        job = self._bench.open_project(
            project,
            None if is_there else lambda: _making_sample(folder, self._bench.annotator),
        )
        job.succeeded.connect(lambda _: self._complete_sample(folder))
        job.succeeded.connect(lambda _: then())

    def ask_import(self) -> None:
        """Ask for a graph of CapNav or Matterport3D and take it over; see ``propose_import``."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Import graph", self._folder(), GRAPH_FILTER
        )
        if path:
            self.propose_import(Path(path))

    def propose_import(self, path: Path) -> None:
        """Read a graph file and take it over; the frame of CapNav's is tried and confirmed.

        Where there is a graph, it is asked whether the file's takes its place or is added.
        """
        document = self._bench.document

        def take(read: _ReadGraph) -> None:
            if not is_still_open(self._bench, document, path.name):
                return
            frame = read.file.frame or self._ask_frame(read.proposals)
            if frame is None:
                return
            count = len(self._bench.project.graph.nodes) if self._bench.document else 0
            if count:
                self._ask_place(read.file, frame, path.name, count)
            else:
                self.import_graph(read.file, frame, path.name)

        self._start(f"Reading {path.name}", _reading(path, self._bench.scenes.own), take)

    def import_graph(
        self, file: GraphFile, frame: Frame, name: str, *, is_added: bool = False
    ) -> None:
        """Take a graph from a file, its nodes put on the floor; one undo step.

        Args:
            file: What was read.
            frame: Of its positions.
            name: Of the file.
            is_added: Whether the graph that is there stays; else it is replaced.
        """
        document = self._bench.document
        if document is None:
            return

        def take(grounded: FloorProjection) -> None:
            if not is_still_open(self._bench, document, name):
                return
            from waypost.services.graph_import import (  # noqa: PLC0415 - the job has it by now
                add_graph,
                with_graph_replaced,
            )

            project, graph = document.project, grounded.graph
            odd = _odd_sentences(grounded.without_floor, file)
            if is_added:
                added = add_graph(project.graph, graph)
                document.edit(f"Add {name}", replace(project, graph=added.graph))
                self.told.emit(added.sentence(name) + odd)
                return
            replaced = with_graph_replaced(project, graph)
            document.edit(f"Import {name}", replaced)
            nodes, edges = counted(len(graph.nodes), "node"), counted(len(graph.edges), "edge")
            dropped = _dropped_sentence(len(project.labels) - len(replaced.labels))
            self.told.emit(f"{nodes} and {edges} from {name}.{dropped}{odd}")

        work = _grounding(file, frame, self._bench.scenes.own, name)
        self._start(f"Importing {name}", work, take)

    def _ask_place(self, file: GraphFile, frame: Frame, name: str, count: int) -> None:
        """Ask whether a graph takes the place of the one that is there, or is added to it."""
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Import a graph")
        box.setText(
            f"The project has {counted(count, 'node')}."
            f" Add the graph of {one_line(name, 60)}, or replace yours with it?"
        )
        box.setInformativeText(
            "Adding keeps every node and label. Replacing keeps the labels of places that are"
            " the same in both. Undo takes either back."
        )
        add = box.addButton("Add", QMessageBox.ButtonRole.AcceptRole)
        put = box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.setDefaultButton(add)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        add.clicked.connect(lambda: self.import_graph(file, frame, name, is_added=True))
        put.clicked.connect(lambda: self.import_graph(file, frame, name))
        box.open()

    def ask_export(self) -> None:
        """Ask for a folder and write graph and labels there as CapNav files."""
        folder = QFileDialog.getExistingDirectory(self._window, "Export into", self._folder())
        if not folder:
            return
        project = self._bench.project
        names = ExportNames.of(project.scene_path, project.name)
        written = names if project.tasks else names[:2]
        there = [name for name in written if os.path.lexists(Path(folder) / name)]
        if there:
            self._ask_to_overwrite(Path(folder), there)
        else:
            self.export_to(Path(folder))

    def _ask_to_overwrite(self, folder: Path, names: Sequence[str]) -> None:
        """Ask about files that an export would replace: the labels of others, perhaps."""
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Overwrite the files?")
        are = "are" if len(names) > 1 else "is"
        box.setText(one_line(f"{', '.join(names)} {are} in {folder} already.", 300))
        put = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setEscapeButton(keep)
        box.setDefaultButton(keep)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        put.clicked.connect(lambda: self.export_to(folder))
        box.open()

    def export_to(self, folder: Path) -> Job:
        """Write graph and labels as CapNav files; says what was left out.

        Returns:
            The job that writes; its result is a `CapnavExport`.
        """
        work = _exporting(self._bench.project, self._bench.scene_hash, folder)
        return self._start(
            f"Writing into {folder}", work, lambda written: self.told.emit(written.sentence)
        )

    def _complete_sample(self, folder: Path) -> None:
        """Add to a copy what it has not: scores, and runs where there is no folder of theirs."""
        document = self._bench.document
        if document is None or document.store.root != folder or document.store.is_read_only:
            return
        self._add_sample_scores(document)
        if document.project.replay.sources:
            return

        def take(sources: tuple[RunSource, ...]) -> None:
            if not sources or document is not self._bench.document:
                return
            project = document.project
            book = project.replay
            for source in sources:
                book = add_source(book, source)
            document.edit("Add the runs of the sample", replace(project, replay=book))
            self.told.emit("This copy of the sample had no runs to replay: they were added.")

        self._start("Adding the runs of the sample", _making_sample_runs(folder), take)

    def _add_sample_scores(self, document: ProjectDocument) -> None:
        """Have whoever is at the window score the instructions of the sample."""
        from waypost.sample.sample_scores import (  # noqa: PLC0415 - only where it is wanted
            with_sample_scores,
        )

        before = document.project
        scoring = with_sample_scores(before.scoring, self._bench.annotator)
        if scoring is not before.scoring:
            document.edit("Add instructions to score", replace(before, scoring=scoring))
            self.told.emit("The sample has instructions for you to score, in the workspace Score.")

    def _start(self, title: str, work: Work[Any], take: Callable[[Any], None]) -> Job:
        job = self._jobs.start(title, work)
        job.succeeded.connect(take)
        job.failed.connect(lambda error: self._bench.refused.emit(str(error)))
        return job

    def _ask_frame(self, proposals: tuple[FrameProposal, ...]) -> Frame | None:
        ranked = [proposal.frame for proposal in proposals] or list(FRAMES.values())
        lines = [p.explanation for p in proposals] or [frame.title for frame in ranked]
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


def _dropped_sentence(count: int) -> str:
    one, more = "label of places that changed was", "labels of places that changed were"
    return f" {counted(count, one, more)} dropped; undo takes that back." if count else ""


def _odd_sentences(without_floor: Sequence[str], file: GraphFile) -> str:
    """What to look at after an import, each with a blank before it."""
    told = []
    if without_floor:
        told.append(f"No floor under {few_of(without_floor)}: left where they are.")
    odd = (*file.warnings, *(finding.message for finding in file.findings))
    if odd:
        more = f" (and {len(odd) - 1:,} more)" if len(odd) > 1 else ""
        told.append(f"Odd in the file: {one_line(odd[0], 150)}{more}.")
    return "".join(f" {sentence}" for sentence in told)


class _ReadGraph(NamedTuple):
    """A graph file as it was read."""

    file: GraphFile
    proposals: tuple[FrameProposal, ...]
    """The frames it may be in, the best first; none without a scene or without nodes."""


def _making_sample(folder: Path, rater: str) -> Work[None]:
    from waypost.sample.sample_project import write_sample  # noqa: PLC0415 - see above

    yield Progress(0.0, 0.0, "Making the sample home")
    write_sample(folder, rater)


def _making_sample_runs(folder: Path) -> Work[tuple[RunSource, ...]]:
    """Write the runs of the sample unless there is a folder of theirs; a half-written one never is.

    Returns:
        Those that were written.
    """
    from waypost.sample.sample_project import (  # noqa: PLC0415 - see above
        RUNS_FOLDER,
        write_sample_runs,
    )

    yield Progress(0.0, 0.0, "Adding the runs of the sample")
    if (folder / RUNS_FOLDER).exists():
        return ()
    with TemporaryDirectory(dir=folder) as draft:
        try:
            sources = write_sample_runs(Path(draft))
        except WriteError as error:
            # What the user knows is the folder of the sample, not the draft.
            raise WriteError(str(folder / RUNS_FOLDER), error.reason) from error
        (Path(draft) / RUNS_FOLDER).rename(folder / RUNS_FOLDER)
    return sources


def _reading(path: Path, opened: OpenedScene | None) -> Work[_ReadGraph]:
    from waypost.io.graphs.graph_files import read_graph_file  # noqa: PLC0415 - see above
    from waypost.services.frame_fitting import fitting_frames  # noqa: PLC0415 - see above

    yield Progress(0.0, 0.0, f"Reading {path.name}")
    file = read_graph_file(path)
    if opened is None or len(file.positions) == 0 or file.frame is not None:
        return _ReadGraph(file, ())
    yield Progress(0.0, 0.0, f"Trying {path.name} on the scene")
    return _ReadGraph(file, fitting_frames(file, opened.scene, opened.rays))


def _grounding(
    file: GraphFile, frame: Frame, opened: OpenedScene | None, name: str
) -> Work[FloorProjection]:
    """Take a graph out of its file and put its nodes on the floor of the scene."""
    from waypost.io.graphs.capnav_graph import (  # noqa: PLC0415 - see above
        FloorProjection,
        project_to_floor,
    )
    from waypost.services.frame_fitting import floor_below  # noqa: PLC0415 - see above

    yield Progress(0.0, 0.0, f"Importing {name}")
    graph = file.build(frame)
    if opened is None:
        return FloorProjection(graph, ())
    yield Progress(0.0, 0.0, f"Importing {name}: floors")
    return project_to_floor(graph, floor_below(opened.rays))


def _exporting(project: Project, scene_hash: str, folder: Path) -> Work[CapnavExport]:
    from waypost.services.capnav_export import export_capnav  # noqa: PLC0415 - see above

    yield Progress(0.0, 0.0, f"Writing into {folder}")
    return export_capnav(project, scene_hash, folder)
