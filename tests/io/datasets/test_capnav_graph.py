from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import CAPNAV, CAPNAV_SWAPPED, FRAMES, GLTF, Frame
from waypost.domain.scene.graph import (
    Edge,
    EdgeKind,
    NavigationGraph,
    Node,
    add_edge,
    build_graph,
    delete_items,
    describe_node,
    move_nodes,
    set_edge_kind,
)
from waypost.io.graphs.capnav_graph import (
    check_capnav_graph,
    frame_of,
    graph_from_capnav,
    graph_to_capnav,
    project_to_floor,
    read_capnav_graph,
    write_capnav_graph,
)
from waypost.io.json_reading import parse_json

HOUSE: dict[str, Any] = {
    "nodes": [
        {
            "id": "node_1",
            "name": "entrance",
            "description": "by the door",
            "position": {"x": 1.25, "y": 1.4, "z": -3},
        },
        {"position": {"x": 0.1, "y": 1.4, "z": 2.5}, "name": "kitchen", "id": "node_7"},
    ],
    "edges": [{"id": "edge_1", "from": "node_1", "to": "node_7"}],
}


def read(value: Any, frame: Frame = CAPNAV) -> NavigationGraph:
    return graph_from_capnav(check_capnav_graph(parse_json(json.dumps(value), "g.json")), frame)


def test_nodes_and_edges_reach_the_scene_frame() -> None:
    graph = read(HOUSE)
    assert list(graph.nodes) == ["node_1", "node_7"]
    entrance = graph.nodes["node_1"]
    assert (entrance.name, entrance.description) == ("entrance", "by the door")
    assert entrance.position_m == (-1.25, 3.0, 1.4)
    assert graph.nodes["node_7"].description == ""
    edge = graph.edges["edge_1"]
    assert (edge.from_id, edge.to_id, edge.kind) == ("node_1", "node_7", EdgeKind.WALK)
    assert frame_of(graph) is CAPNAV


@pytest.mark.parametrize(
    ("frame", "position"),
    [
        ("capnav", (-1.25, 3.0, 1.4)),
        ("capnav-swapped", (-1.25, -1.4, 3.0)),
        ("gltf", (1.25, 3.0, 1.4)),
        ("scene", (1.25, 1.4, -3.0)),
    ],
)
def test_every_frame(frame: str, position: tuple[float, float, float]) -> None:
    graph = read(HOUSE, FRAMES[frame])
    assert graph.nodes["node_1"].position_m == position
    assert json.dumps(graph_to_capnav(graph)) == json.dumps(HOUSE)


def test_another_frame_can_be_written() -> None:
    nodes = graph_to_capnav(read(HOUSE, CAPNAV), GLTF)["nodes"]
    assert nodes[0]["position"] == {"x": -1.25, "y": 1.4, "z": -3.0}


numbers = st.floats(-1e8, 1e8) | st.integers(-(10**6), 10**6)
unknown = st.dictionaries(
    st.text(max_size=6), st.none() | st.booleans() | numbers | st.text(max_size=6), max_size=3
)


def _shuffled(draw: st.DrawFn, known: dict[str, Any]) -> dict[str, Any]:
    extra = {key: value for key, value in draw(unknown).items() if key not in known}
    return dict(draw(st.permutations(list({**known, **extra}.items()))))


@st.composite
def graph_files(draw: st.DrawFn) -> dict[str, Any]:
    ids = draw(st.lists(st.text(min_size=1, max_size=4), unique=True, min_size=2, max_size=5))
    nodes = []
    for identity in ids:
        position = _shuffled(draw, {axis: draw(numbers) for axis in "xyz"})
        known = {"id": identity, "name": draw(st.text(max_size=4)), "position": position}
        if draw(st.booleans()):
            known["description"] = draw(st.none() | st.text(max_size=4))
        nodes.append(_shuffled(draw, known))
    edges = []
    for number in range(draw(st.integers(0, 4))):
        known = {"id": f"edge_{number}", "from": draw(st.sampled_from(ids))}
        known["to"] = draw(st.sampled_from(ids))
        if draw(st.booleans()):
            known["kind"] = draw(st.sampled_from(["walk", "stairs", "corridor", 3]))
        edges.append(_shuffled(draw, known))
    return _shuffled(draw, {"nodes": nodes, "edges": edges})


@given(graph_files(), st.sampled_from(list(FRAMES.values())))
def test_an_untouched_file_comes_back_to_the_byte(file: dict[str, Any], frame: Frame) -> None:
    assert json.dumps(graph_to_capnav(read(file, frame))) == json.dumps(file)


@given(graph_files(), st.sampled_from(list(FRAMES.values())), st.floats(-5, 5))
def test_on_the_floor_too(file: dict[str, Any], frame: Frame, floor_z: float) -> None:
    placed = project_to_floor(read(file, frame), lambda point: floor_z)
    assert all(node.position_m[2] == floor_z for node in placed.graph.nodes.values())
    assert json.dumps(graph_to_capnav(placed.graph)) == json.dumps(file)


def test_only_what_was_changed_changes_in_the_file() -> None:
    graph = describe_node(read(HOUSE), "node_7", name="galley")
    graph = move_nodes(graph, {"node_1": (-2.0, 3.0, 1.4)})
    graph = set_edge_kind(graph, "edge_1", EdgeKind.DOOR)
    expected = json.loads(json.dumps(HOUSE))
    expected["nodes"][1]["name"] = "galley"
    expected["nodes"][0]["position"] = {"x": 2.0, "y": 1.4, "z": -3.0}
    expected["edges"][0]["kind"] = "door"
    assert json.dumps(graph_to_capnav(graph)) == json.dumps(expected)
    assert read(expected).edges["edge_1"].kind is EdgeKind.DOOR


def test_a_moved_node_keeps_its_height_above_the_floor() -> None:
    placed = project_to_floor(read(HOUSE), lambda point: 0.2)
    graph = move_nodes(placed.graph, {"node_1": (-1.0, 2.0, 3.2)})
    first, second = graph_to_capnav(graph)["nodes"]
    assert first["position"]["x"] == 1.0
    assert first["position"]["y"] == pytest.approx(3.2 + 1.4 - 0.2)
    assert first["position"]["z"] == -2.0
    assert second == HOUSE["nodes"][1]


def test_a_node_without_floor_stays_and_is_reported() -> None:
    graph = read(HOUSE)
    placed = project_to_floor(graph, lambda point: 0.0 if point[0] < -1 else None)
    assert placed.without_floor == ("node_7",)
    assert placed.graph.nodes["node_1"].position_m == (-1.25, 3.0, 0.0)
    assert placed.graph.nodes["node_7"] is graph.nodes["node_7"]


def test_new_and_deleted_items() -> None:
    graph = delete_items(read(HOUSE), ["node_1"])
    nodes = [*graph.nodes.values(), Node("node_8", "hall", (1.0, 2.0, 3.0), "wide")]
    graph, _ = add_edge(build_graph(nodes, [], graph.extra), "node_7", "node_8")
    assert graph_to_capnav(graph) == {
        "nodes": [
            HOUSE["nodes"][1],
            {
                "id": "node_8",
                "name": "hall",
                "description": "wide",
                "position": {"x": -1.0, "y": 3.0, "z": -2.0},
            },
        ],
        "edges": [{"id": "edge_1", "from": "node_7", "to": "node_8"}],
    }


def test_a_graph_drawn_here_is_written_as_the_annotator_writes() -> None:
    graph = build_graph(
        [Node("node_1", "a", (1.0, -2.0, 0.0)), Node("node_2", "b", (0.0, 0.0, 0.0))],
        [Edge("edge_1", "node_1", "node_2", EdgeKind.STAIRS)],
    )
    written = graph_to_capnav(graph)
    assert written["nodes"][0]["position"] == {"x": -1.0, "y": 0.0, "z": 2.0}
    assert json.dumps(written["nodes"][1]["position"]) == '{"x": 0.0, "y": 0.0, "z": 0.0}'
    assert written["edges"][0]["kind"] == "stairs"
    assert graph_to_capnav(graph, CAPNAV_SWAPPED)["nodes"][0]["position"] == {
        "x": -1.0,
        "y": 2.0,
        "z": 0.0,
    }
    again = read(written)
    assert {k: (n.name, n.position_m) for k, n in again.nodes.items()} == {
        k: (n.name, n.position_m) for k, n in graph.nodes.items()
    }


def test_odd_but_usable_files_are_read_with_warnings() -> None:
    file = json.loads(json.dumps(HOUSE))
    file["nodes"][1]["name"] = " "
    file["edges"] += [
        {"id": "edge_2", "from": "node_7", "to": "node_1"},
        {"id": "edge_3", "from": "node_7", "to": "node_7"},
    ]
    checked = check_capnav_graph(parse_json(json.dumps(file), "g.json"))
    assert checked.warnings == (
        "g.json: nodes[1]: has no name; its id is shown instead",
        "g.json: edges[1]: repeats edges[0]",
        "g.json: edges[2]: joins a node to itself",
    )
    graph = graph_from_capnav(checked, CAPNAV)
    assert graph.nodes["node_7"].name == "node_7"
    assert json.dumps(graph_to_capnav(graph)) == json.dumps(file)


def _broken(path: list[Any], value: Any) -> dict[str, Any]:
    file = json.loads(json.dumps(HOUSE))
    target = file
    for step in path[:-1]:
        target = target[step]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return file


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (_broken(["edges", 0, "to"], "node_9"), "edges[0].to: there is no node 'node_9'"),
        (_broken(["edges", 0, "from"], 3), "edges[0].from: is a number, not text"),
        (_broken(["edges", 0, "from"], ...), "edges[0].from: is missing"),
        (_broken(["edges"], {}), "edges: is an object, not an array"),
        (_broken(["edges"], ...), "edges: is missing"),
        (_broken(["nodes"], ...), "nodes: is missing"),
        (_broken(["nodes", 1, "id"], "node_1"), "nodes[1].id: repeats the id 'node_1'"),
        (_broken(["nodes", 1, "id"], ""), "nodes[1].id: is empty"),
        (_broken(["nodes", 1], None), "nodes[1]: is null, not an object"),
        (_broken(["nodes", 0, "position"], [1, 2, 3]), "nodes[0].position: is an array, not an"),
        (_broken(["nodes", 0, "position", "y"], math.nan), "nodes[0].position.y: nan is not a"),
        (_broken(["nodes", 0, "position", "y"], math.inf), "nodes[0].position.y: inf is not a"),
        (_broken(["nodes", 0, "position", "y"], ...), "nodes[0].position.y: is missing"),
        (_broken(["nodes", 0, "position", "y"], "1"), "nodes[0].position.y: is text, not a"),
        (_broken(["nodes", 0, "name"], 5), "nodes[0].name: is a number, not text"),
        ([], "top level: is an array, not an object"),
        (5, "top level: is a number, not an object"),
        ({}, "nodes: is missing"),
        ({"questions": []}, "top level: this is a CapNav task file, not a graph"),
        ({"HUMAN": {"a|b": {}}}, "top level: this is a CapNav traverse file, not a graph"),
    ],
)
def test_bad_files_name_the_place(file: Any, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(file)
    assert str(caught.value).startswith(f"g.json: {message}")


def test_files_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "house-graph.json"
    path.write_bytes(gzip.compress(json.dumps(HOUSE).encode("utf-8-sig")))
    graph = graph_from_capnav(read_capnav_graph(path), CAPNAV)
    write_capnav_graph(tmp_path / "out.json", graph)
    assert json.loads((tmp_path / "out.json").read_text()) == HOUSE
    path.write_text(json.dumps(HOUSE)[:-30])
    with pytest.raises(ReadError, match="the file ends too early, as if it were cut off"):
        read_capnav_graph(path)
