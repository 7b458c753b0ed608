"""The graph on the stage, drawn in pieces so that a large one never stops the window."""

from __future__ import annotations

from PySide6.QtCore import QObject

from waypost.annotators.graph.drawing import GraphLook, graph_drawing_steps
from waypost.domain.scene.graph import NavigationGraph
from waypost.services.pieces import Pieces, Steps
from waypost.viewers.scene.drawing import NOTHING
from waypost.viewers.scene.view import SceneView

_LAYER = "graph"


class GraphLayer(QObject):
    """One workspace's drawing of the graph.

    Args:
        view: Where it is drawn.
        parent: Qt owner.
    """

    def __init__(self, view: SceneView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._pieces = Pieces(self)

    def show(self, graph: NavigationGraph, look: GraphLook) -> None:
        """Draw a graph; a small one is drawn when this returns."""
        self._pieces.start(lambda: self._drawing(graph, look))

    def clear(self) -> None:
        """Take the graph off the stage."""
        self._pieces.cancel()
        self._view.set_drawing(_LAYER, NOTHING)

    def _drawing(self, graph: NavigationGraph, look: GraphLook) -> Steps:
        drawing = yield from graph_drawing_steps(graph, look)
        yield from self._view.prepare_steps(drawing)
        self._view.set_drawing(_LAYER, drawing)
