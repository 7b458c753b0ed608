"""What lies around the path of the instruction at hand: graph, scene and pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from waypost.app.score.path.path_face import PathFace
from waypost.app.score.path.path_playing import PathPlaying
from waypost.app.score.path.scan_graphs import ScanGraphs
from waypost.app.score.path.sheet_pictures import SheetPictures
from waypost.app.score.path.sheet_scenes import SheetScenes
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.shell.project_edits import project_root
from waypost.app.shell.workbench import Workbench
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.score.batch import ScoreBatch
from waypost.domain.score.instruction_text import InstructionText
from waypost.services.jobs import JobRunner
from waypost.services.settings import with_companion_folder


class PathGround(QObject):
    """Gives a face its path, and more of what lies around it as that is read.

    Args:
        bench: Has the scene.
        desk: Has the batch at hand.
        jobs: Reads graphs, scenes and pictures.
        face: Shows the path.
    """

    def __init__(self, bench: Workbench, desk: SheetDesk, jobs: JobRunner, face: PathFace) -> None:
        super().__init__(desk)
        self._bench, self._desk, self._face = bench, desk, face
        self._instruction: InstructionText | None = None
        self.playing = PathPlaying(jobs, face, self)
        self._graphs, self._scenes = ScanGraphs(jobs, self), SheetScenes(bench, jobs, self)
        self._pictures = SheetPictures(jobs, self)
        for part in (self._graphs, self._scenes, self._pictures):
            part.ready.connect(self._show_again)
        self.playing.failed.connect(self._show_again)
        # A walk that somebody began and watches is an act until it ends.
        self.playing.cursor.playing_changed.connect(
            lambda is_playing: desk.time.watch(is_watching=is_playing)
        )
        face.folder_chosen.connect(self.ask_folder)

    def show(self, instruction: InstructionText) -> None:
        """Show the path of an instruction of the batch at hand."""
        self._instruction = instruction
        self._show_again()

    def ask_folder(self) -> None:
        """Ask for a folder with scenes, graphs or pictures, and look into it from now on."""
        known = self._bench.settings.companion_folders
        at = known[0] if known else str(project_root(self._bench))
        folder = QFileDialog.getExistingDirectory(
            self._face.window(), "Folder with scenes, graphs or pictures", at
        )
        if folder:
            self.look_into(Path(folder))

    def look_into(self, folder: Path) -> None:
        """Look for scenes, graphs and pictures in a folder as well, from now on."""
        settings = self._bench.settings
        folders = with_companion_folder(settings.companion_folders, str(folder.absolute()))
        self._bench.change_settings(replace(settings, companion_folders=folders))
        self._show_again()

    def close(self) -> None:
        """End everything."""
        self.playing.close()
        self._scenes.forget()

    def _show_again(self) -> None:
        instruction, batch, bench = self._instruction, self._desk.batch, self._bench
        if instruction is None or batch is None:
            return
        scan = instruction.scene_id if instruction.path_m else ""
        opened = self._scenes.scene(scan)
        folders = self._graph_folders(batch) if scan else ()
        graph = self._graphs.graph(folders, scan) if folders else None
        self._face.set_path(instruction, graph, opened.prepared if opened else None)
        names_viewpoints = graph is not None and opened is None
        kept = bench.settings.companion_folders
        source = self._pictures.source(kept) if names_viewpoints else None
        height_m = EYE_HEIGHT_M if batch.eye_height_m is None else batch.eye_height_m
        self.playing.show(instruction.path_m, opened, source, height_m)
        if opened is not None or not scan:
            self._face.set_reason(self.playing.problem)
        elif self._scenes.is_awaited(scan):
            self._face.set_reason(f"Looking for the scene {scan} …")
        elif names_viewpoints:
            told = f"There is neither the scene nor a picture of {scan} here."
            self._face.set_reason("" if source is not None else told, can_choose=True)
        else:
            of_graph = self._graphs.reason(folders, scan) if batch.graphs_path else ""
            reasons = (of_graph, self._scenes.reason(scan))
            said = (f"{reason.rstrip('.')}." for reason in reasons if reason)
            self._face.set_reason(" ".join(said), can_choose=True)

    def _graph_folders(self, batch: ScoreBatch) -> tuple[Path, ...]:
        """Where graphs may lie; nowhere for a batch of paths that are not over viewpoints."""
        own = (project_root(self._bench) / batch.graphs_path,) if batch.graphs_path else ()
        return (*own, *map(Path, self._bench.settings.companion_folders))
