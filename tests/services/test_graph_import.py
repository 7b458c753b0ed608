"""Adding the graph of a file: nothing of the own graph changes, and ids in use get new ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.whole_projects import WAY, whole_project

from waypost.domain.base.frames import CAPNAV, FRAMES, Frame
from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph, move_nodes
from waypost.domain.traverse.task import Task
from waypost.io.graphs.capnav_graph import (
    frame_of,
    graph_from_capnav,
    graph_to_capnav,
    project_to_floor,
    read_capnav_graph,
)
from waypost.services.graph_import import add_graph, with_graph_replaced

OTHER = next(frame for frame in FRAMES.values() if frame is not CAPNAV)


def drawn() -> NavigationGraph:
    nodes = (Node("node_1", "Hall", (0.0, 0.0, 0.0)), Node("node_2", "Bath", (3.0, 0.0, 0.0)))
    return build_graph(nodes, (Edge("edge_1", "node_1", "node_2"),))


def from_file(
    folder: Path, frame: Frame, positions: dict[str, list[float]], edges: list[tuple[str, str]]
) -> NavigationGraph:
    value = {
        "nodes": [
            {"id": key, "name": key, "position": dict(zip("xyz", p, strict=True)), "seen": 7}
            for key, p in positions.items()
        ],
        "edges": [{"id": f"edge_{n}", "from": a, "to": b} for n, (a, b) in enumerate(edges, 1)],
    }
    path = folder / f"{frame.key}{len(positions)}.json"
    path.write_text(json.dumps(value))
    return graph_from_capnav(read_capnav_graph(path), frame)


def test_ids_in_use_by_other_places_get_new_ones() -> None:
    other = build_graph(
        (Node("node_2", "Attic", (9.0, 0.0, 3.0)), Node("node_3", "Roof", (9.0, 4.0, 3.0))),
        (Edge("edge_1", "node_2", "node_3"),),
    )
    added = add_graph(drawn(), other)
    assert list(added.graph.nodes) == ["node_1", "node_2", "node_4", "node_3"]
    assert added.graph.nodes["node_2"].name == "Bath"
    assert added.graph.nodes["node_4"].name == "Attic"
    new = added.graph.edges["edge_2"]
    assert (new.from_id, new.to_id) == ("node_4", "node_3")
    assert dict(added.new_ids) == {"node_2": "node_4"}
    assert added.sentence("x.json") == (
        "Added 2 nodes and 1 edge from x.json; 1 node has a new id, its own was in use."
    )


def test_what_is_there_already_stays_as_it_is() -> None:
    """The same file twice, its nodes within the tolerance of 5 cm, adds nothing."""
    again = move_nodes(drawn(), {"node_1": (0.04, 0.0, 0.0)})
    added = add_graph(drawn(), again)
    assert added.graph == drawn()
    assert (added.added_nodes, added.added_edges) == (0, 0)
    assert (added.known_nodes, added.known_edges) == (2, 1)
    beyond = add_graph(drawn(), move_nodes(drawn(), {"node_1": (0.06, 0.0, 0.0)}))
    twice = add_graph(beyond.graph, move_nodes(drawn(), {"node_1": (0.06, 0.0, 0.0)}))
    assert twice.graph == beyond.graph
    assert not twice.new_ids
    assert (beyond.added_nodes, beyond.added_edges, beyond.known_nodes) == (1, 1, 1)


@pytest.mark.parametrize("is_grounded", [False, True])
@pytest.mark.parametrize(("first", "second"), [(CAPNAV, OTHER), (OTHER, CAPNAV), (OTHER, OTHER)])
def test_files_in_two_frames_are_exported_in_one(
    tmp_path: Path, first: Frame, second: Frame, *, is_grounded: bool
) -> None:
    """Every place is where its own file put it, whatever frame the export is in."""
    own = from_file(tmp_path, first, {"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 4.0]}, [("a", "b")])
    points = {"a": [5.0, 1.2, 7.0], "c": [6.0, 1.3, 8.0], "d": [6.0, 2.3, 9.5]}
    other = from_file(tmp_path, second, points, [("a", "c")])
    in_scene = [node.position_m for node in other.nodes.values()]
    if is_grounded:
        other = project_to_floor(other, lambda at: at[2] - 0.5).graph
    added = add_graph(own, other)
    assert frame_of(added.graph) is first
    for target in (first, second):
        written = graph_to_capnav(added.graph, target)["nodes"][2:]
        assert [node["seen"] for node in written] == [7, 7, 7]
        for node, place in zip(written, in_scene, strict=True):
            point = [node["position"][axis] for axis in "xyz"]
            assert target.to_scene(point).tolist() == pytest.approx(list(place), abs=1e-9)
    assert graph_to_capnav(added.graph)["nodes"][:2] == graph_to_capnav(own)["nodes"]


def test_a_drawn_graph_takes_the_frame_of_the_file(tmp_path: Path) -> None:
    other = from_file(tmp_path, OTHER, {"c": [6.1, 1.3, 8.7]}, [])
    added = add_graph(drawn(), other)
    assert frame_of(added.graph) is OTHER
    assert graph_to_capnav(added.graph)["nodes"][2]["position"] == {"x": 6.1, "y": 1.3, "z": 8.7}


def test_evidence_goes_with_its_edge_when_the_graph_is_replaced() -> None:
    before = whole_project()
    assert before.measures.keys() == before.drives.keys() == {WAY}
    same = with_graph_replaced(before, before.graph)
    assert (same.measures, same.drives, same.labels) == (
        before.measures, before.drives, before.labels,
    )  # fmt: skip
    without = replace(before.graph, edges={})
    after = with_graph_replaced(before, without)
    assert after.measures == after.drives == after.labels == {}


def test_a_question_means_no_other_place_once_the_graph_is_replaced() -> None:
    asked = Task("?", "Hall", "Bath", node_ids=("node_1", "node_2"))
    before = Project(graph=drawn(), tasks=(asked,))
    other = move_nodes(drawn(), {"node_1": (0.0, 0.04, 0.0), "node_2": (3.0, 0.06, 0.0)})
    after = with_graph_replaced(before, other)
    assert after.tasks == (replace(asked, node_ids=("node_1", "")),)
