"""Where the path of an instruction lies, and what is seen along it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from waypost.app.score.path.walk_view import PathEnds, WalkView
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.path_replay import path_replay
from waypost.viewers.map.path_sketch import PathSketch
from waypost.viewers.map.view import MapView
from waypost.viewers.scene.prepared_scene import PreparedScene
from waypost.widgets.parts import button, label

_MOST_PX = 16_777_215
"""Qt's own: no limit."""

_WIDE_PX, _WIDE = 620, 1.5
"""From this width on, and so much wider than high, what is seen stands beside the map."""

_HALVES_PX = [242, 184]
"""Heights of what is seen and of the map, until somebody moves the line between them."""


class PathFace(QWidget):
    """What is seen beside the map, or a sketch where nothing lies under the path."""

    folder_chosen = Signal()
    """A folder is to be chosen in which what is missing lies."""

    seen = Signal(bool)
    """Something is seen along the path now, or nothing any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_seen = False
        self.sketch, self.map = PathSketch(), MapView()
        self.map.setAccessibleName("Map of the path")
        self.walk_view, self.ends = WalkView(), PathEnds()
        self._reason = label("", "small")
        self._choose = button("Choose a folder …", "Choose the folder that has what is missing")
        self._choose.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._choose.clicked.connect(lambda *_: self.folder_chosen.emit())
        self._told = QWidget()
        self._faces = QStackedWidget()
        self._faces.addWidget(self.sketch)
        self._faces.addWidget(self.map)
        self._shown: tuple[object, ...] = ()
        self.replay: Replay | None = None
        """The path as the map shows it; ``None`` where there is only a sketch."""

        self._lay_out()
        self.set_reason("")
        self.show_seen(is_in_scene=False, has_pictures=False, has_time=False)

    def _lay_out(self) -> None:
        self._below = QWidget()
        self._row = QHBoxLayout(self._below)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        self._row.addWidget(self.ends, 2)
        self._row.addWidget(self._faces, 3)
        self._halves = QSplitter(Qt.Orientation.Vertical)
        self._halves.setChildrenCollapsible(False)
        self._halves.addWidget(self.walk_view)
        self._halves.addWidget(self._below)
        for place, share in enumerate((3, 2)):
            self._halves.setStretchFactor(place, share)
        self._halves.setSizes(_HALVES_PX)
        told = QHBoxLayout(self._told)
        told.setContentsMargins(0, 0, 0, 0)
        told.addWidget(self._reason, 1)
        told.addWidget(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._halves, 1)
        layout.addWidget(self._told)

    @property
    def is_map(self) -> bool:
        """Whether the map is shown."""
        return self._faces.currentWidget() is self.map

    @property
    def reason(self) -> str:
        """What is missing, in words; empty where nothing is."""
        return self._reason.text()

    def set_reason(self, sentence: str, *, can_choose: bool = False) -> None:
        """Say what is missing, and offer to choose where it lies."""
        self._reason.setText(sentence)
        self._told.setVisible(bool(sentence))
        self._choose.setVisible(can_choose)

    def set_path(
        self,
        instruction: InstructionText,
        graph: ViewpointGraph | None = None,
        scene: PreparedScene | None = None,
    ) -> None:
        """Show the path of an instruction, whole, from its start to its goal.

        Args:
            instruction: With its path, if that is known.
            graph: Of its scan.
            scene: That it lies in.
        """
        shown = instruction, graph, scene
        if [*map(id, shown)] == [*map(id, self._shown)]:
            return
        self._shown = shown
        self.sketch.set_path(instruction.path_m)
        has_ground = bool(instruction.path_m) and (graph is not None or scene is not None)
        self.replay = path_replay(instruction, graph) if has_ground else None
        self.map.set_replay(self.replay, scene, is_path=True)
        if self.replay is not None:
            self.map.set_step(len(self.replay) - 1)
        self._faces.setCurrentWidget(self.map if has_ground else self.sketch)

    def show_seen(self, *, is_in_scene: bool, has_pictures: bool, has_time: bool) -> None:
        """Show what is seen along the path, as far as there is anything.

        Args:
            is_in_scene: Whether it is seen through its scene.
            has_pictures: Whether there are pictures of its viewpoints instead.
            has_time: Whether the path can be gone along.
        """
        self.walk_view.show_face(is_in_scene=is_in_scene, has_pictures=has_pictures)
        self.walk_view.setVisible(has_time)
        self.ends.setVisible(is_in_scene)
        is_seen = has_time and (is_in_scene or has_pictures)
        self.walk_view.setMaximumHeight(_MOST_PX if is_seen else self.walk_view.sizeHint().height())
        if is_seen is not self._is_seen:
            self._is_seen = is_seen
            self.seen.emit(is_seen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the parts stand beside each other where there is room."""
        super().resizeEvent(event)
        is_wide = self.width() >= max(_WIDE_PX, _WIDE * self.height())
        is_wide = is_wide and self.walk_view.is_in_scene
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        if (self._halves.orientation() is across) is not is_wide:
            self._halves.setOrientation(across if is_wide else down)
            self._halves.setSizes([600, 400] if is_wide else _HALVES_PX)
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.BottomToTop if is_wide else direction.LeftToRight)
        self.ends.set_stacked(is_stacked=not is_wide)
