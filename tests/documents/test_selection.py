from __future__ import annotations

import pytest

from waypost.documents.selection import Selection
from waypost.domain.scene.graph import add_edge, add_node, build_graph


@pytest.fixture
def selection(qapp) -> Selection:
    return Selection()


def test_tells_of_a_new_selection_once(selection: Selection) -> None:
    told = []
    selection.changed.connect(lambda: told.append(selection.node_ids))
    selection.set(["a", "b"], ["e"])
    selection.set({"b", "a"}, ("e",))
    assert told == [frozenset({"a", "b"})]
    assert selection.edge_ids == {"e"}
    selection.set()
    assert told == [{"a", "b"}, frozenset()]


def test_lets_go_of_what_is_gone(selection: Selection) -> None:
    graph, _ = add_node(build_graph([], []), (0, 0, 0))
    graph, _ = add_node(graph, (1, 0, 0))
    graph, _ = add_edge(graph, "node_1", "node_2")
    selection.set(["node_1", "node_9"], ["edge_1", "edge_9"])
    selection.keep_existing(graph)
    assert selection.node_ids == {"node_1"}
    assert selection.edge_ids == {"edge_1"}
