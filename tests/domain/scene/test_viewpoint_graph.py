"""Distances along viewpoint graphs."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.vln_worlds import grid_graph, line_graph

from waypost.domain.base.errors import InputError
from waypost.domain.scene import viewpoint_graph as module
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph


def test_a_line():
    graph = line_graph(1, 2, 3)
    assert graph.geodesics_m[0].tolist() == [0, 1, 3, 6]
    assert graph.geodesic_rows[3] == [6, 5, 3, 0]
    assert graph.neighbours[1] == {0, 2}
    assert graph.path_between("A", "D") == ("A", "B", "C", "D")
    assert graph.path_between("C", "C") == ("C",)
    assert graph.floor_positions_m[2].tolist() == [3, 0, 0]


@settings(deadline=None)  # the first example imports scipy
@given(st.integers(2, 14), st.integers(0, 2**32 - 1), st.sampled_from([0, 1000]))
def test_both_ways_of_computing_equal_networkx(count, seed, few):
    generator = np.random.default_rng(seed)
    positions = generator.uniform(-9, 9, (count, 3))
    joined = generator.random((count, count)) < 0.3
    included = generator.random(count) < 0.85
    ids = tuple(f"v{i}" for i in range(count))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FEW_VIEWPOINTS", few)
        graph = build_viewpoint_graph("scan", ids, positions, joined, is_included=included)
    plain = nx.Graph()
    plain.add_nodes_from(i for i in range(count) if included[i])
    for i, j in zip(*np.nonzero(joined), strict=True):
        if i != j and included[i] and included[j]:
            plain.add_edge(i, j, weight=float(np.linalg.norm(positions[i] - positions[j])))
    ways = dict(nx.all_pairs_dijkstra_path_length(plain))
    for i in range(count):
        for j in range(count):
            expected = ways.get(i, {}).get(j, np.inf)
            assert graph.geodesics_m[i, j] == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 11), st.integers(0, 11))
def test_a_path_is_as_long_as_the_distance(a, b):
    graph = grid_graph(4, 3)
    names = graph.viewpoint_ids
    path = graph.path_between(names[a], names[b])
    assert len(path) - 1 == graph.geodesics_m[a, b]
    for here, there in itertools.pairwise(path):
        assert graph.index[there] in graph.neighbours[graph.index[here]]


def test_separate_parts_have_no_way():
    graph = build_viewpoint_graph("scan", ("a", "b"), np.zeros((2, 3)), np.zeros((2, 2), bool))
    assert graph.path_between("a", "b") == ()
    assert np.isinf(graph.geodesics_m[0, 1])
    assert np.isnan(graph.heights_m).all()


def test_two_viewpoints_in_one_place_are_joined_by_an_edge_of_no_length():
    for few in (0, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_FEW_VIEWPOINTS", few)
            graph = build_viewpoint_graph(
                "scan", ("a", "b"), np.zeros((2, 3)), np.ones((2, 2), bool)
            )
        assert graph.geodesics_m[0, 1] == 0
        assert graph.neighbours[0] == {1}


def test_what_does_not_fit():
    with pytest.raises(InputError, match="twice"):
        build_viewpoint_graph("scan", ("a", "a"), np.zeros((2, 3)), np.zeros((2, 2), bool))
    with pytest.raises(InputError, match="do not fit"):
        build_viewpoint_graph("scan", ("a", "b"), np.zeros((3, 3)), np.zeros((2, 2), bool))


def test_arrays_are_read_only():
    graph = line_graph(1)
    for array in (graph.positions_m, graph.geodesics_m, graph.edge_lengths_m):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 7


def test_viewpoints_at_one_place_are_walked_through() -> None:
    names = ("a", "a2", "a3", "b", "end")
    positions = np.array([(0, 0, 0), (0, 0, 0), (0, 0, 0), (3, 0, 0), (3, 0, 0)], float)
    joined = np.zeros((5, 5), bool)
    for here, there in ((0, 1), (1, 2), (2, 3), (3, 4)):
        joined[here, there] = True
    graph = build_viewpoint_graph("s", names, positions, joined)
    assert graph.path_between("a", "end") == ("a", "a2", "a3", "b", "end")
    assert graph.path_between("end", "a") == ("end", "b", "a3", "a2", "a")
