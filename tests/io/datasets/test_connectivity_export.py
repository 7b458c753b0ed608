"""A graph of our own as a connectivity file: what stands in it, and reading it back."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.io.graphs.connectivity_export import (
    graph_to_connectivity,
    write_graph_as_connectivity,
)
from waypost.io.graphs.matterport_graphs import load_graph, read_connectivity
from waypost.io.read_log import ReadLog
from waypost.sample.navigation import build_navigation

NUMBERS = st.floats(-1e4, 1e4)


def two_rooms() -> NavigationGraph:
    """a (0, 0, 0) – b (3, 4, 0), 5 m apart; c beside them, joined to nothing."""
    nodes = (
        Node("a", "Hall", (0.0, 0.0, 0.0)),
        Node("b", "Room", (3.0, 4.0, 0.0)),
        Node("c", "Attic", (1.0, 1.0, 3.0)),
    )
    return build_graph(nodes, (Edge("e", "b", "a", EdgeKind.DOOR),))


def test_an_entry_is_in_the_official_form() -> None:
    """A camera that looks along +Y: right is +X, down −Z, ahead +Y, the columns of its pose."""
    first, second, third = graph_to_connectivity(two_rooms(), 1.6)
    assert first == {
        "image_id": "a",
        "pose": [1, 0, 0, 0.0, 0, 0, 1, 0.0, 0, -1, 0, 1.6, 0, 0, 0, 1],
        "included": True,
        "visible": [False, True, False],
        "unobstructed": [False, True, False],
        "height": 1.6,
    }
    assert second["unobstructed"] == [True, False, False]
    assert third["unobstructed"] == [False, False, False]
    rotation = np.array(second["pose"], dtype=float).reshape(4, 4)[:3, :3]
    assert np.linalg.det(rotation) == 1.0
    assert (rotation @ [0, 0, 1]).tolist() == [0, 1, 0]
    assert (rotation @ [0, 1, 0]).tolist() == [0, 0, -1]


def test_it_reads_back_with_its_floor_and_lengths(tmp_path: Path) -> None:
    path = write_graph_as_connectivity(tmp_path / "new", "home", two_rooms(), 1.6)
    assert path == tmp_path / "new" / "home_connectivity.json"
    log = ReadLog()
    graph = read_connectivity(path, log)
    assert log.findings == []
    assert (graph.scene_id, graph.viewpoint_ids) == ("home", ("a", "b", "c"))
    np.testing.assert_allclose(graph.floor_positions_m, [(0, 0, 0), (3, 4, 0), (1, 1, 3)])
    assert graph.geodesics_m[0].tolist() == [0.0, 5.0, math.inf]
    assert list(graph.records) == json.loads(path.read_text())


@given(
    points=st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=8),
    data=st.data(),
)
def test_every_graph_comes_back(
    points: list[tuple[float, float, float]],
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    nodes = [Node(f"n{i}", "", point) for i, point in enumerate(points)]
    pairs = [(a, b) for a in range(len(nodes)) for b in range(a)]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    edges = [Edge(f"e{i}", f"n{a}", f"n{b}") for i, (a, b) in enumerate(chosen)]
    folder = tmp_path_factory.mktemp("graph")
    path = write_graph_as_connectivity(folder, "s", build_graph(nodes, edges))
    graph = read_connectivity(path, ReadLog())
    assert graph.positions_m[:, :2].tolist() == [[x, y] for x, y, _ in points]
    found = {(a, b) for a, row in enumerate(graph.neighbours) for b in row if b < a}
    assert found == set(chosen)


def test_the_sample_home_is_whole(tmp_path: Path) -> None:
    drawn = build_navigation()
    write_graph_as_connectivity(tmp_path, "home", drawn)
    graph = load_graph(tmp_path, "home")
    assert sum(map(len, graph.neighbours)) == 2 * len(drawn.edges)
    assert np.isfinite(graph.geodesics_m).all()


@pytest.mark.parametrize("scan", ["", "..", "a/b", "a\\b"])
def test_a_scan_that_names_no_file_is_refused(tmp_path: Path, scan: str) -> None:
    with pytest.raises(InputError, match="cannot name"):
        write_graph_as_connectivity(tmp_path, scan, two_rooms())


@pytest.mark.parametrize("height", [0.0, -1.0, math.nan, math.inf])
def test_a_camera_in_the_floor_is_refused(height: float) -> None:
    with pytest.raises(InputError, match="above the floor"):
        graph_to_connectivity(two_rooms(), height)
