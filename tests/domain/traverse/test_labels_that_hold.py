from __future__ import annotations

from waypost.domain.scene.graph import Edge, Node, build_graph, delete_items, move_nodes
from waypost.domain.traverse.traversability import (
    Passage,
    TraversabilityLabel,
    Verdict,
    labels_that_hold,
)

GRAPH = build_graph(
    [Node(f"node_{i}", f"place {i}", (float(i), 0.0, 0.0)) for i in range(3)],
    [Edge("edge_1", "node_0", "node_1"), Edge("edge_2", "node_1", "node_2")],
)
LABELS = {
    passage: TraversabilityLabel(passage, Verdict.TRAVELS)
    for passage in (Passage("node_0", "node_1", "human"), Passage("node_2", "node_1", "human"))
}


def test_the_same_graph_keeps_all() -> None:
    assert dict(labels_that_hold(LABELS, GRAPH, GRAPH)) == LABELS


def test_a_node_within_the_tolerance_is_the_same_place() -> None:
    near = move_nodes(GRAPH, {"node_0": (0.04, 0.0, 0.0)})
    assert len(labels_that_hold(LABELS, GRAPH, near)) == 2
    far = move_nodes(GRAPH, {"node_0": (0.06, 0.0, 0.0)})
    assert list(labels_that_hold(LABELS, GRAPH, far)) == [Passage("node_2", "node_1", "human")]


def test_deleted_edges_and_nodes_take_their_labels_along() -> None:
    cut = delete_items(GRAPH, edge_ids=["edge_1"])
    assert list(labels_that_hold(LABELS, GRAPH, cut)) == [Passage("node_2", "node_1", "human")]
    assert not labels_that_hold(LABELS, GRAPH, delete_items(GRAPH, ["node_1"]))
