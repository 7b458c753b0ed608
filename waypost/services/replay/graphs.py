"""The graph of each run: from connectivity files, CapNav graph files or the open project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import CAPNAV
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.traverse.judged_graph import JudgedGraph, may_be_one_house
from waypost.domain.traverse.route_truth import viewpoints_of_nodes
from waypost.io.graphs.capnav_graph import graph_from_capnav, read_capnav_graph
from waypost.io.graphs.capnav_names import GRAPH_NAME
from waypost.io.graphs.matterport_graphs import has_graph, load_graph
from waypost.io.labels.capnav_traverse import find_traverse, read_capnav_traverse


class RunGraphs:
    """Looks up the graph of each scan once.

    Args:
        connectivity: Folder of connectivity files or of CapNav graph files, or one CapNav graph
            file; CapNav's are taken in the frame ``capnav``, with the labels that stand nearby.
        nodes: Of the open project, for runs over its nodes that no folder has a graph for, and no
            file of another house.

    Raises:
        InputError: If there is no such folder, or the file is no CapNav graph.
    """

    def __init__(self, connectivity: Path | None, nodes: JudgedGraph | None = None) -> None:
        self._folder = connectivity
        self._drawn: tuple[JudgedGraph, ...] = (nodes or JudgedGraph(),)
        self.uses_nodes = False
        """Whether any run so far goes over the nodes of the project."""
        self._of_scene: dict[str, JudgedGraph | None] = {}
        self._is_elsewhere: dict[str, bool] = {}
        self._scenes_on_nodes: dict[str, None] = {}
        if connectivity is not None and connectivity.is_file():
            self._folder = None
            self._drawn += (_read(connectivity),)
            self._of_scene[connectivity.name.partition(GRAPH_NAME)[0]] = self._drawn[-1]
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
        if self._named_by_scene(scene_id) is None and sentence not in self.warnings:
            self.warnings.append(sentence)
        return None

    def of_run(self, scene_id: str, viewpoint_ids: Sequence[str]) -> ViewpointGraph | None:
        """The graph that a run goes over: of its scan, of the project, or of CapNav's file."""
        found = self.of_scan(scene_id)
        if found is not None:
            return found
        place = self._place(scene_id, viewpoint_ids)
        if place is None:
            return None
        number, judged = place
        key = (number, scene_id)
        if key not in self._of_drawn:
            self._of_drawn[key] = viewpoints_of_nodes(judged.graph, scene_id, EYE_HEIGHT_M)
        return self._of_drawn[key]

    def judged(self, scene_id: str, viewpoint_ids: Sequence[str]) -> JudgedGraph | None:
        """Graph and labels that an answer is judged by: of the project, or of CapNav's files.

        Args:
            scene_id: Scene of the question.
            viewpoint_ids: Nodes of answer and question; one that is known tells the graph. Where
                they are names, or there are none, the graph whose file the scene names counts.
        """
        place = self._place(scene_id, viewpoint_ids)
        return self._named_by_scene(scene_id) if place is None else place[1]

    def _place(self, scene_id: str, viewpoint_ids: Sequence[str]) -> tuple[int, JudgedGraph] | None:
        """The first drawn graph that has any of these nodes, and its number.

        That of the project is passed over where another house has a file that the scene names.
        """
        in_folder = self._named_by_scene(scene_id)
        drawn = (*self._drawn, *(() if in_folder is None else (in_folder,)))
        for number, judged in enumerate(drawn):
            if number == 0 and in_folder is not None and self._is_of_another(scene_id, in_folder):
                continue
            if any(name in judged.graph.nodes for name in viewpoint_ids):
                if number == 0:
                    self._note_on_nodes(scene_id)
                return number, judged
        return None

    def _is_of_another(self, scene_id: str, in_folder: JudgedGraph) -> bool:
        if scene_id not in self._is_elsewhere:
            own = self._drawn[0].graph
            self._is_elsewhere[scene_id] = is_other = not may_be_one_house(own, in_folder.graph)
            if is_other:
                sentence = (
                    f"the graph of the project is not of {scene_id}: that of its file is used"
                )
                self.warnings.append(sentence)
        return self._is_elsewhere[scene_id]

    def _note_on_nodes(self, scene_id: str) -> None:
        """Note a run over the nodes of the project, and say so if it is of a second scene."""
        self.uses_nodes = True
        if scene_id and scene_id not in self._scenes_on_nodes:
            self._scenes_on_nodes[scene_id] = None
            if len(self._scenes_on_nodes) == 2:
                both = " and ".join(self._scenes_on_nodes)
                self.warnings.append(f"runs in {both} go by the one graph of the project")

    def _named_by_scene(self, scene_id: str) -> JudgedGraph | None:
        """CapNav's graph whose file is named by a scene."""
        if scene_id not in self._of_scene:
            if self._folder is None or not scene_id:
                return None
            name = f"{scene_id}{GRAPH_NAME}"
            files = (self._folder / name, self._folder / "graphs" / name)
            file = next((file for file in files if file.is_file()), None)
            self._of_scene[scene_id] = None if file is None else _read(file)
        return self._of_scene[scene_id]


def _read(file: Path) -> JudgedGraph:
    graph = graph_from_capnav(read_capnav_graph(file), CAPNAV)
    labels = find_traverse(file)
    if labels is None:
        return JudgedGraph(graph)
    found = read_capnav_traverse(labels, graph)
    return JudgedGraph(graph, found.labels, found.sections)


def may_use_nodes(connectivity: Path | None) -> bool:
    """Whether a run may go over the nodes of the project: it names no folder of graphs."""
    return connectivity is None or connectivity.name.endswith((".json", ".json.gz"))


def nodes_identity(nodes: JudgedGraph | None) -> str:
    """Everything of nodes that a replay depends on, as one text."""
    if nodes is None:
        return ""
    places = [(node.node_id, node.name, node.position_m) for node in nodes.graph.nodes.values()]
    edges = [(edge.from_id, edge.to_id) for edge in nodes.graph.edges.values()]
    labels = [
        (*passage, label.verdict.value, label.reason, label.note)
        for passage, label in nodes.labels.items()
    ]
    return repr((places, edges, labels))
