"""Takes the graph of a file into a graph that is there: in its place, or beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import distance_m
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.domain.team_labels import own_labels, with_team
from waypost.domain.traverse.places import without_nodes
from waypost.domain.traverse.team_edits import without_passages
from waypost.domain.traverse.traversability import NODE_TOLERANCE_M, labels_that_hold
from waypost.io.graphs.capnav_graph import adopt_file_facts, keep_file_facts
from waypost.io.graphs.connectivity_import import adopt_connectivity


@dataclass(frozen=True, slots=True)
class AddedGraph:
    """A graph with another one added to it."""

    graph: NavigationGraph
    added_nodes: int
    added_edges: int
    known_nodes: int
    """Nodes of the file that were there already: at the same place with the same id or name."""

    known_edges: int
    """Edges of the file between nodes that were joined already."""

    new_ids: Mapping[str, str]
    """Id in the file → id here, of nodes whose id belonged to another place."""

    def sentence(self, name: str) -> str:
        """What was added from a file, and what was not."""
        nodes, edges = counted(self.added_nodes, "node"), counted(self.added_edges, "edge")
        said = [f"Added {nodes} and {edges} from {name}"]
        if self.known_nodes or self.known_edges:
            nodes, edges = counted(self.known_nodes, "node"), counted(self.known_edges, "edge")
            said.append(f"{nodes} and {edges} of it were there already")
        if self.new_ids:
            ids = counted(
                len(self.new_ids),
                "node has a new id, its own was",
                "nodes have new ids, theirs were",
            )
            said.append(f"{ids} in use")
        return "; ".join(said) + "."


def with_graph_replaced(project: Project, graph: NavigationGraph) -> Project:
    """The project with another graph; labels of places that are as they were stay.

    A question that was chosen to mean a node which is elsewhere now is left to its name again.
    Measures and drives stay where the edge is there still; they tell by themselves where a node
    is elsewhere.
    """
    kept = keep_file_facts(project.graph, graph)
    single = labels_that_hold(own_labels(project), project.graph, kept)
    doubles = project.team.doubles
    gone = doubles.keys() - labels_that_hold(doubles, project.graph, kept).keys()
    elsewhere = {
        node_id
        for node_id, node in kept.nodes.items()
        if (known := project.graph.nodes.get(node_id)) is not None
        and distance_m(node.position_m, known.position_m) > NODE_TOLERANCE_M
    }
    tasks = without_nodes(project.tasks, elsewhere)
    after = set_graph(replace(project, tasks=tasks), kept)
    return with_team(after, without_passages(project.team, gone), single)


def add_graph(
    before: NavigationGraph, file: NavigationGraph, tolerance_m: float = NODE_TOLERANCE_M
) -> AddedGraph:
    """Add the nodes and edges of a file to a graph, of which nothing changes.

    A node with the id of another place gets the next free id. One at the same place, with the same
    id or the same name, is the node that is there. Edges between nodes that are joined are left
    out; others get a new id where theirs is in use.

    Args:
        before: The graph that is there.
        file: What is added, in the same frame.
        tolerance_m: How far apart two positions are the same place.
    """
    here: dict[str, str] = {}
    new: list[Node] = []
    node_ids = _FreeIds("node_", (*before.nodes, *file.nodes))
    file = adopt_connectivity(before, adopt_file_facts(before, file))
    new_ids: dict[str, str] = {}
    by_name: dict[str, list[Node]] = {}
    for node in before.nodes.values():
        by_name.setdefault(node.name, []).append(node)
    for node in file.nodes.values():
        same = _same_node(node, before, by_name.get(node.name, ()), tolerance_m)
        if same is not None:
            here[node.node_id] = same.node_id
            continue
        if node.node_id in before.nodes:
            new_ids[node.node_id] = node_ids.take()
        here[node.node_id] = new_ids.get(node.node_id, node.node_id)
        new.append(replace(node, node_id=here[node.node_id]))
    joined = before.joined_pairs()
    edge_ids = _FreeIds("edge_", (*before.edges, *file.edges))
    edges: list[Edge] = []
    for edge in file.edges.values():
        start, end = here[edge.from_id], here[edge.to_id]
        if frozenset((start, end)) not in joined:
            own_id = edge_ids.take() if edge.edge_id in before.edges else edge.edge_id
            edges.append(replace(edge, edge_id=own_id, from_id=start, to_id=end))
    graph = build_graph(
        (*before.nodes.values(), *new), (*before.edges.values(), *edges), file.extra
    )
    return AddedGraph(
        graph,
        len(new),
        len(edges),
        len(file.nodes) - len(new),
        len(file.edges) - len(edges),
        new_ids,
    )


def _same_node(
    node: Node, graph: NavigationGraph, namesakes: Iterable[Node], tolerance_m: float
) -> Node | None:
    """The node of a graph that a node of a file is, if it is there already."""
    own = graph.nodes.get(node.node_id)
    alike: list[Node] = [*([own] if own else []), *namesakes]
    for known in alike:
        if distance_m(known.position_m, node.position_m) <= tolerance_m:
            return known
    return None


class _FreeIds:
    """Ids with a prefix and a number above every one in use."""

    def __init__(self, prefix: str, taken: Iterable[str]) -> None:
        self._prefix = prefix
        numbers = (key.removeprefix(prefix) for key in taken if key.startswith(prefix))
        self._last = max((int(n) for n in numbers if n.isascii() and n.isdecimal()), default=0)

    def take(self) -> str:
        """The next one."""
        self._last += 1
        return f"{self._prefix}{self._last}"
