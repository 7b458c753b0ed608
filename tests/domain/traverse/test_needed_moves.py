"""The moves that questions need, against every simple path of small graphs."""

from __future__ import annotations

import itertools

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.domain.traverse.needed_moves import needed_moves


def by_enumeration(graph: nx.Graph[str], places: tuple[str, ...]) -> set[tuple[str, str]]:
    """As CapNav's annotator does it: every simple path of every pair."""
    return {
        move
        for start, end in itertools.pairwise(places)
        if start != end
        for path in nx.all_simple_paths(graph, start, end)
        for move in itertools.pairwise(path)
    }


@st.composite
def small_graphs(draw: st.DrawFn) -> nx.Graph[str]:
    count = draw(st.integers(2, 8))
    nodes = [f"n{i}" for i in range(count)]
    pairs = list(itertools.combinations(nodes, 2))
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), max_size=14)))
    return graph


@given(small_graphs(), st.data())
@settings(max_examples=300, deadline=None)
def test_exactly_what_enumeration_finds(graph: nx.Graph[str], data: st.DataObject) -> None:
    node = st.sampled_from(sorted(graph.nodes))
    places = tuple(data.draw(st.lists(node, min_size=2, max_size=4)))
    assert needed_moves(graph, places) == by_enumeration(graph, places)


def test_a_loop_is_gone_round_in_both_ways_and_a_dead_end_never() -> None:
    graph = nx.Graph([("hall", "kitchen"), ("kitchen", "living"), ("living", "hall")])
    graph.add_edges_from([("entrance", "hall"), ("living", "sofa"), ("kitchen", "larder")])
    assert needed_moves(graph, ("entrance", "sofa")) == {
        ("entrance", "hall"),
        ("hall", "kitchen"),
        ("kitchen", "living"),
        ("hall", "living"),
        ("living", "sofa"),
    }


def test_places_that_nothing_joins_need_nothing() -> None:
    graph = nx.Graph([("a", "b"), ("c", "d")])
    assert needed_moves(graph, ("a", "c")) == set()
    assert needed_moves(graph, ("a", "a")) == set()
    assert needed_moves(graph, ("a", "elsewhere")) == set()


def test_the_rim_of_a_large_grid_is_passed_one_way_only() -> None:
    """No path may cross itself: along the upper rim nobody comes back from the far side."""
    grid = nx.grid_2d_graph(12, 12)
    graph: nx.Graph[str] = nx.relabel_nodes(grid, {n: f"{n[0]:02}-{n[1]:02}" for n in grid})
    moves = needed_moves(graph, ("00-06", "11-06"))
    assert ("04-00", "05-00") in moves
    assert ("05-00", "04-00") not in moves
    assert {frozenset(move) for move in moves} == {frozenset(edge) for edge in graph.edges}


@pytest.mark.parametrize("seed", range(3))
def test_a_large_graph_is_answered_at_all(seed: int) -> None:
    """500 nodes and 1,500 edges: enumerating all simple paths would never end."""
    graph = nx.relabel_nodes(nx.gnm_random_graph(500, 1500, seed=seed), str)
    moves = needed_moves(graph, ("0", "499"))
    assert len({frozenset(move) for move in moves}) > 1400
