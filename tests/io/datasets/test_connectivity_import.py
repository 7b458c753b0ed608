"""Connectivity files as graphs of a project: what viewpoints become, and what is written back."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from worlds.vln_worlds import connectivity_entries

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import SCENE
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.scene.graph import (
    NavigationGraph,
    add_edge,
    add_node,
    delete_items,
    move_nodes,
)
from waypost.io.graphs.capnav_graph import graph_to_capnav, project_to_floor, read_capnav_graph
from waypost.io.graphs.connectivity_export import graph_to_connectivity, remembered_scan
from waypost.io.graphs.graph_files import GraphFile, read_graph_file

POINTS = ((0.0, 0.0, 1.5), (2.0, 0.0, 1.5), (4.0, 0.0, 1.6), (6.0, 0.0, 1.5), (8.0, 0.0, 1.5))


def odd_entries() -> list[dict[str, Any]]:
    """a – b – c – d – e; d is excluded, a reaches c one way, b states no height, e is unseen."""
    records = connectivity_entries("abcde", POINTS, ((0, 1), (1, 2), (2, 3), (3, 4)))
    records[3]["included"] = False
    records[0]["unobstructed"][2] = True
    records[4]["unobstructed"][4] = True
    records[0]["visible"][4] = True
    del records[1]["height"]
    del records[4]["visible"]
    records[2]["note"] = {"unknown": [1, 2.5, None]}
    records[2]["height"] = 1.6
    return records


def read(folder: Path, records: Any) -> GraphFile:
    path = folder / "scan_connectivity.json"
    path.write_text(json.dumps(records))
    return read_graph_file(path)


def graph_of(folder: Path) -> NavigationGraph:
    return read(folder, odd_entries()).build(SCENE)


def test_included_viewpoints_become_nodes_on_the_floor(tmp_path: Path) -> None:
    file = read(tmp_path, odd_entries())
    graph = file.build(SCENE)
    assert file.frame is SCENE
    assert {name: node.position_m for name, node in graph.nodes.items()} == {
        "a": (0.0, 0.0, 0.0),
        "b": (2.0, 0.0, 1.5),  # at its camera: the file does not say where its floor is
        "c": (4.0, 0.0, 0.0),
        "e": (8.0, 0.0, 0.0),
    }
    joined = {(edge.from_id, edge.to_id) for edge in graph.edges.values()}
    assert joined == {("a", "b"), ("a", "c"), ("b", "c")}
    assert file.edge_ends == ((0, 1), (0, 2), (1, 2))
    assert file.positions[2].tolist() == [4.0, 0.0, 1.6]
    assert {finding.kind for finding in file.findings} == {
        ImportKind.EXCLUDED_VIEWPOINT,
        ImportKind.ASYMMETRIC_EDGE,
        ImportKind.SELF_EDGE,
        ImportKind.NO_HEIGHT,
    }
    assert remembered_scan(graph) == "scan"


def test_unchanged_it_is_written_as_it_was(tmp_path: Path) -> None:
    assert graph_to_connectivity(graph_of(tmp_path), 9.0) == odd_entries()


def test_put_on_the_floor_and_not_moved_it_is_written_as_it_was(tmp_path: Path) -> None:
    placed = project_to_floor(graph_of(tmp_path), lambda point: -0.25).graph
    assert placed.nodes["c"].position_m == (4.0, 0.0, -0.25)
    assert graph_to_connectivity(placed) == odd_entries()
    moved = move_nodes(placed, {"c": (4.5, 1.0, -0.25), "b": (2.0, 1.0, -0.25)})
    entries = graph_to_connectivity(moved)
    # The cameras stay as far above the nodes as they were: 1.6 + 0.25 and 1.5 + 0.25 m.
    assert [entries[2]["pose"][place] for place in (3, 7, 11)] == [4.5, 1.0, 1.6]
    assert [entries[1]["pose"][place] for place in (3, 7, 11)] == [2.0, 1.0, 1.5]


def test_only_what_was_changed_differs(tmp_path: Path) -> None:
    graph = graph_of(tmp_path)
    graph = move_nodes(graph, {"a": (1.0, 0.5, 0.0)})
    removed = graph.edge_between("b", "c")
    assert removed is not None
    graph = delete_items(graph, edge_ids=[removed.edge_id])
    graph, _ = add_edge(graph, "b", "e")
    graph, new = add_node(graph, (9.0, 0.0, 0.0))
    graph, _ = add_edge(graph, new.node_id, "e")
    entries = graph_to_connectivity(graph, 1.25)
    before = odd_entries()
    assert [entry["image_id"] for entry in entries] == ["a", "b", "c", "d", "e", new.node_id]
    pose = [*before[0]["pose"]]
    pose[3], pose[7], pose[11] = 1.0, 0.5, 1.5
    assert entries[0]["pose"] == pose
    table = [entry["unobstructed"] for entry in entries]
    # a reaches c one way as before; b – c is gone; b – e and e – new are open both ways.
    assert table == [
        [False, True, True, False, False, False],
        [True, False, False, False, True, False],
        [False, False, False, True, False, False],
        [False, False, True, False, True, False],
        [False, True, False, True, True, True],
        [False, False, False, False, True, False],
    ]
    assert entries[2]["note"] == before[2]["note"]
    assert entries[1]["visible"][4] is True
    assert "visible" not in entries[4]
    assert (entries[5]["height"], entries[5]["pose"][11]) == (1.25, 1.25)


def test_a_deleted_viewpoint_is_gone_from_every_row(tmp_path: Path) -> None:
    entries = graph_to_connectivity(delete_items(graph_of(tmp_path), node_ids=["b"]))
    assert [entry["image_id"] for entry in entries] == ["a", "c", "d", "e"]
    assert entries[0]["unobstructed"] == [False, True, False, False]
    assert entries[0]["visible"] == [False, False, False, True]


def test_it_becomes_a_graph_of_capnav(tmp_path: Path) -> None:
    value = graph_to_capnav(graph_of(tmp_path))
    first = value["nodes"][0]
    assert (first["id"], first["position"]) == ("a", {"x": 0.0, "y": 0.0, "z": 0.0})
    assert len(value["edges"]) == 3


def test_a_file_in_the_other_form_is_called_that(tmp_path: Path) -> None:
    path = tmp_path / "scan_connectivity.json"
    path.write_text(json.dumps(odd_entries()))
    with pytest.raises(ReadError, match="a Matterport3D connectivity file, not a CapNav graph"):
        read_capnav_graph(path)
    path.write_text(json.dumps([1, 2]))
    with pytest.raises(ReadError, match="is an array, not an object"):
        read_graph_file(path)


def test_a_graph_whose_memory_is_odd_is_still_written(tmp_path: Path) -> None:
    graph = graph_of(tmp_path)
    bare = NavigationGraph(graph.nodes, graph.edges, MappingProxyType({"connectivity": 7}))
    assert [entry["image_id"] for entry in graph_to_connectivity(bare)] == ["a", "b", "c", "e"]


@pytest.mark.realdata
def test_every_scan_is_written_as_it_was(shared_data: Path) -> None:
    files = sorted((shared_data / "r2r" / "connectivity").glob("*_connectivity.json"))
    assert files
    for file in files:
        graph = read_graph_file(file).build(SCENE)
        assert graph_to_connectivity(graph) == json.loads(file.read_text()), file.name
