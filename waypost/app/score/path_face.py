"""Where the path of an instruction lies: on the graph of its scan, over its scene, or alone."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.path_replay import path_replay
from waypost.viewers.map.path_sketch import PathSketch
from waypost.viewers.map.view import MapView
from waypost.viewers.scene.prepared_scene import PreparedScene
from waypost.widgets.parts import label


class PathFace(QWidget):
    """The map where there is something under the path, else a sketch of the path."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sketch, self.map = PathSketch(), MapView()
        self.map.setAccessibleName("Map of the path")
        self._reason = label("", "small")
        self._reason.hide()
        self._faces = QStackedWidget()
        self._faces.addWidget(self.sketch)
        self._faces.addWidget(self.map)
        self._shown: tuple[object, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._faces, 1)
        layout.addWidget(self._reason)

    @property
    def is_map(self) -> bool:
        """Whether the map is shown."""
        return self._faces.currentWidget() is self.map

    @property
    def reason(self) -> str:
        """Why there is no graph under the path; empty without a reason."""
        return self._reason.text()

    def set_path(
        self,
        instruction: InstructionText,
        graph: ViewpointGraph | None = None,
        scene: PreparedScene | None = None,
        reason: str = "",
    ) -> None:
        """Show the path of an instruction, whole, from its start to its goal.

        Args:
            instruction: With its path, if that is known.
            graph: Of its scan.
            scene: That it lies in.
            reason: Why there is no graph, where there should be one.
        """
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        shown = instruction, graph, scene
        if [*map(id, shown)] == [*map(id, self._shown)]:
            return
        self._shown = shown
        self.sketch.set_path(instruction.path_m)
        has_ground = bool(instruction.path_m) and (graph is not None or scene is not None)
        if has_ground:
            replay = path_replay(instruction, graph)
            self.map.set_replay(replay, scene, is_path=True)
            self.map.set_step(len(replay) - 1)
        else:
            self.map.set_replay(None)
        self._faces.setCurrentWidget(self.map if has_ground else self.sketch)
