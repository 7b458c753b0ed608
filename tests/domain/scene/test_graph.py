from __future__ import annotations

import pytest

from waypost.domain.base.errors import EditError
from waypost.domain.scene.graph import (
    Edge,
    EdgeKind,
    NavigationGraph,
    Node,
    add_edge,
    add_node,
    build_graph,
    delete_items,
    describe_node,
    move_nodes,
    next_edge_id,
    next_node_id,
    set_edge_kind,
)

NODES = (
    Node("node_1", "Kitchen", (0.0, 0.0, 0.0), "with a window", {"colour": "red"}),
    Node("node_2", "Hall", (3.0, 0.0, 0.0)),
    Node("node_7", "Attic", (3.0, 4.0, 2.7)),
)
EDGES = (
    Edge("edge_1", "node_1", "node_2", EdgeKind.DOOR),
    Edge("edge_2", "node_7", "node_2", EdgeKind.STAIRS, {"steps": 17}),
)


@pytest.fixture
def graph() -> NavigationGraph:
    return build_graph(NODES, EDGES, {"version": 3})


def test_build_keeps_order_and_extras(graph: NavigationGraph) -> None:
    assert tuple(graph.nodes.values()) == NODES
    assert tuple(graph.edges.values()) == EDGES
    assert graph.extra == {"version": 3}


@pytest.mark.parametrize(
    ("nodes", "edges", "reason"),
    [
        ([*NODES, NODES[0]], [], "two nodes have the id 'node_1'"),
        (NODES, [EDGES[0], EDGES[0]], "two edges have the id 'edge_1'"),
        (NODES[:2], EDGES, "edge 'edge_2' names the unknown node 'node_7'"),
    ],
)
def test_build_refuses_what_contradicts_itself(nodes, edges, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        build_graph(nodes, edges)


def test_nobody_can_write_into_a_graph(graph: NavigationGraph) -> None:
    with pytest.raises(TypeError, match="does not support item assignment"):
        graph.nodes["node_1"] = NODES[1]


def test_edges_are_found_from_both_ends(graph: NavigationGraph) -> None:
    assert graph.edge_between("node_2", "node_7") == EDGES[1]
    assert graph.edge_between("node_7", "node_2") == EDGES[1]
    assert graph.edge_between("node_1", "node_7") is None


def test_ids_go_on_above_the_highest_number(graph: NavigationGraph) -> None:
    assert next_node_id(graph) == "node_8"
    assert next_edge_id(graph) == "edge_3"
    assert next_node_id(build_graph([], [])) == "node_1"
    foreign = build_graph(
        [Node("kitchen", "Kitchen", (0, 0, 0)), Node("node_x", "x", (0, 0, 0))], []
    )
    assert next_node_id(foreign) == "node_1"


def test_an_added_node_comes_last_and_gets_a_name(graph: NavigationGraph) -> None:
    changed, node = add_node(graph, (1.0, 2.0, 0.5))
    assert node == Node("node_8", "Place 8", (1.0, 2.0, 0.5))
    assert list(changed.nodes) == ["node_1", "node_2", "node_7", "node_8"]
    assert changed.edges is graph.edges
    assert len(graph.nodes) == 3
    assert add_node(graph, (0, 0, 0), "Bath", "wet")[1].description == "wet"


def test_moving_changes_only_what_moves(graph: NavigationGraph) -> None:
    changed = move_nodes(graph, {"node_2": (3.0, 1.0, 0.0)})
    assert changed.nodes["node_2"] == Node("node_2", "Hall", (3.0, 1.0, 0.0))
    assert changed.nodes["node_1"] is graph.nodes["node_1"]
    assert list(changed.nodes) == list(graph.nodes)
    assert changed.extra is graph.extra


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_positions_are_finite(graph: NavigationGraph, bad: float) -> None:
    with pytest.raises(EditError, match="node 'node_1' has no finite position"):
        move_nodes(graph, {"node_1": (0.0, bad, 0.0)})
    with pytest.raises(EditError, match="node 'node_8' has no finite position"):
        add_node(graph, (bad, 0.0, 0.0))
    with pytest.raises(EditError, match="node 'x' has no finite position"):
        Node("x", "x", (0.0, 0.0, bad))


def test_describing_keeps_the_rest(graph: NavigationGraph) -> None:
    named = describe_node(graph, "node_1", name="Pantry")
    assert named.nodes["node_1"] == Node(
        "node_1", "Pantry", (0.0, 0.0, 0.0), "with a window", {"colour": "red"}
    )
    described = describe_node(graph, "node_1", description="")
    assert described.nodes["node_1"].name == "Kitchen"
    assert described.nodes["node_1"].description == ""
    with pytest.raises(EditError, match="a node needs a name"):
        describe_node(graph, "node_1", name="  ")


def test_joining_two_nodes(graph: NavigationGraph) -> None:
    changed, edge = add_edge(graph, "node_7", "node_1", EdgeKind.ELEVATOR)
    assert edge == Edge("edge_3", "node_7", "node_1", EdgeKind.ELEVATOR)
    assert list(changed.edges) == ["edge_1", "edge_2", "edge_3"]
    assert changed.nodes is graph.nodes


def test_joining_refuses_itself_and_what_is_joined_in_either_direction(
    graph: NavigationGraph,
) -> None:
    with pytest.raises(EditError, match="two different nodes"):
        add_edge(graph, "node_1", "node_1")
    with pytest.raises(EditError, match="Hall and Kitchen are joined already"):
        add_edge(graph, "node_2", "node_1")


def test_the_kind_of_an_edge(graph: NavigationGraph) -> None:
    changed = set_edge_kind(graph, "edge_2", EdgeKind.WALK)
    assert changed.edges["edge_2"] == Edge(
        "edge_2", "node_7", "node_2", EdgeKind.WALK, {"steps": 17}
    )
    assert changed.edges["edge_1"] is EDGES[0]


def test_deleting_a_node_takes_its_edges(graph: NavigationGraph) -> None:
    changed = delete_items(graph, ["node_1", "unknown"])
    assert list(changed.nodes) == ["node_2", "node_7"]
    assert list(changed.edges) == ["edge_2"]
    assert list(delete_items(graph, edge_ids=["edge_2"]).edges) == ["edge_1"]
    assert len(delete_items(graph, edge_ids=["edge_2"]).nodes) == 3


@pytest.mark.parametrize(
    "edit",
    [
        lambda graph: move_nodes(graph, {"node_9": (0, 0, 0)}),
        lambda graph: describe_node(graph, "node_9", name="x"),
        lambda graph: add_edge(graph, "node_1", "node_9"),
        lambda graph: add_edge(graph, "node_9", "node_1"),
    ],
)
def test_unknown_nodes_are_named(graph: NavigationGraph, edit) -> None:
    with pytest.raises(EditError, match="there is no node 'node_9'"):
        edit(graph)


def test_an_unknown_edge_is_named(graph: NavigationGraph) -> None:
    with pytest.raises(EditError, match="there is no edge 'edge_9'"):
        set_edge_kind(graph, "edge_9", EdgeKind.DOOR)
