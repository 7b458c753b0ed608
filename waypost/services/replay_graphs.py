"""The graph of each run: from connectivity files, a CapNav graph file or the open project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from waypost.domain.errors import InputError
from waypost.domain.frames import CAPNAV
from waypost.domain.graph import NavigationGraph
from waypost.domain.recording import EYE_HEIGHT_M
from waypost.domain.route_truth import viewpoints_of_nodes
from waypost.domain.viewpoint_graph import ViewpointGraph
from waypost.io.datasets.capnav_graph import graph_from_capnav, read_capnav_graph
from waypost.io.datasets.matterport_graphs import has_graph, load_graph


class RunGraphs:
    """Looks up the graph of each scan once.

    Args:
        connectivity: Folder of connectivity files, or one CapNav graph file, which is taken in the
            frame ``capnav``.
        nodes: Of the open project, for runs over its nodes that no folder has a graph for.

    Raises:
        InputError: If there is no such folder, or the file is no CapNav graph.
    """

    def __init__(self, connectivity: Path | None, nodes: NavigationGraph | None = None) -> None:
        self._folder = connectivity
        self._drawn: tuple[NavigationGraph, ...] = (nodes or NavigationGraph(),)
        self.uses_nodes = False
        """Whether any run so far goes over the nodes of the project."""
        if connectivity is not None and connectivity.is_file():
            self._folder = None
            self._drawn += (graph_from_capnav(read_capnav_graph(connectivity), CAPNAV),)
        elif connectivity is not None and not connectivity.is_dir():
            raise InputError(f"{connectivity}: file: is no folder")
        self._has_graph: dict[str, bool] = {}
        self._of_drawn: dict[tuple[int, str], ViewpointGraph] = {}
        self.warnings: list[str] = []

    def of_scan(self, scene_id: str) -> ViewpointGraph | None:
        """The graph of a scan, if the folder has it."""
        if self._folder is None or not scene_id:
            return None
        if scene_id not in self._has_graph:
            self._has_graph[scene_id] = has_graph(self._folder, scene_id)
        if self._has_graph[scene_id]:
            return load_graph(self._folder, scene_id)
        sentence = f"{self._folder} has no connectivity file of {scene_id}"
        if sentence not in self.warnings:
            self.warnings.append(sentence)
        return None

    def of_run(self, scene_id: str, viewpoint_ids: Sequence[str]) -> ViewpointGraph | None:
        """The graph that a run goes over: of its scan, of the project, or of CapNav's file."""
        found = self.of_scan(scene_id)
        if found is not None:
            return found
        for number, drawn in enumerate(self._drawn):
            if any(name in drawn.nodes for name in viewpoint_ids):
                self.uses_nodes |= number == 0
                key = (number, scene_id)
                if key not in self._of_drawn:
                    self._of_drawn[key] = viewpoints_of_nodes(drawn, scene_id, EYE_HEIGHT_M)
                return self._of_drawn[key]
        return None


def nodes_identity(nodes: NavigationGraph | None) -> str:
    """Everything of nodes that a replay depends on, as one text."""
    if nodes is None:
        return ""
    places = [(node.node_id, node.position_m) for node in nodes.nodes.values()]
    return repr((places, [(edge.from_id, edge.to_id) for edge in nodes.edges.values()]))
