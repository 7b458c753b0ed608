"""What lies under the path of the instruction at hand: graph of its scan, scene of the project."""

from __future__ import annotations

from PySide6.QtCore import QObject

from waypost.app.score.path_face import PathFace
from waypost.app.score.scan_graphs import ScanGraphs
from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.shell.project_edits import project_root
from waypost.app.shell.workbench import Workbench
from waypost.domain.score.instruction_text import InstructionText
from waypost.services.jobs import JobRunner


class PathGround(QObject):
    """Gives a face its path, and more of what lies under it as that is read.

    Args:
        bench: Has the scene.
        desk: Has the batch at hand.
        jobs: Reads graphs.
        face: Shows the path.
    """

    def __init__(self, bench: Workbench, desk: SheetDesk, jobs: JobRunner, face: PathFace) -> None:
        super().__init__(desk)
        self._bench, self._desk, self._face = bench, desk, face
        self._instruction: InstructionText | None = None
        self._graphs = ScanGraphs(jobs, self)
        self._graphs.ready.connect(self._show_again)
        bench.scene_replaced.connect(self._show_again)

    def show(self, instruction: InstructionText) -> None:
        """Show the path of an instruction of the batch at hand."""
        self._instruction = instruction
        self._show_again()

    def _show_again(self) -> None:
        instruction, batch, bench = self._instruction, self._desk.batch, self._bench
        if instruction is None or batch is None:
            return
        scan = instruction.scene_id
        is_here = scan in bench.scene_ids and bench.is_own_scene
        scene = bench.prepared if is_here else None
        if not batch.graphs_path or not scan:
            self._face.set_path(instruction, scene=scene)
            return
        folder = project_root(bench) / batch.graphs_path
        graph, reason = self._graphs.graph(folder, scan), self._graphs.reason(folder, scan)
        self._face.set_path(instruction, graph, scene, reason)
