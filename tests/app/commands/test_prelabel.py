from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from simulators.rooms import door, floor, scene

from waypost.app.main import main
from waypost.domain.base.frames import FRAMES
from waypost.domain.project import Project
from waypost.domain.scene.graph import NavigationGraph, add_edge, add_node, build_graph
from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
from waypost.io.agent_files import shipped_agents, write_agent
from waypost.io.graphs.capnav_graph import write_capnav_graph
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.heavy

KEYS = [
    "from", "to", "agent", "answer", "straight", "detour_m", "reason", "at_m", "margin_m",
    "clear_width_m", "step_up_m", "step_down_m", "turn_needs_m", "turn_has_m", "head_room_m",
    "slope_deg", "contacts", "opinions", "engine", "profile_hash", "sim_time_s",
]  # fmt: skip


def places() -> NavigationGraph:
    graph = build_graph([], [])
    for name, x in (("Left", 0.4), ("Right", 3.6), ("Far", 6.0)):
        graph, _ = add_node(graph, (x, 0.0, 0.0), name)
    graph, _ = add_edge(graph, "node_1", "node_2")
    graph, _ = add_edge(graph, "node_2", "node_3")
    return graph


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room with a door of 0.66 m at x = 2 as a Y-up GLB, a graph, and a project of both."""
    folder = tmp_path_factory.mktemp("room")
    export = trimesh.Scene()
    for mesh in scene(floor(), door(0.66)).meshes:
        y_up = mesh.vertices @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        export.add_geometry(
            trimesh.Trimesh(y_up, mesh.faces, process=False),
            node_name=mesh.name,
            geom_name=mesh.name,
        )
    (folder / "room.glb").write_bytes(export.export(file_type="glb"))
    write_capnav_graph(folder / "graph.json", places(), FRAMES["scene"])
    rule = PassageRule(AnswerBy.STRAIGHT)
    agents = {"wheelchair": shipped_agents()["wheelchair"]}
    project = Project("room", "room.glb", graph=places(), agents=agents, passage_rule=rule)
    ProjectStore.create(folder / "room.waypost", project, "mia").close()
    return folder


def prelabel(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict[str, object]]:
    assert main(["prelabel", "--json", "--workers", "1", *map(str, arguments)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["passages"]
    return list(document["passages"])


def of_files(folder: Path) -> list[object]:
    return ["--scene", folder / "room.glb", "--graph", folder / "graph.json", "--frame", "scene"]


def test_each_passage_has_the_agreed_keys_in_the_order_of_the_graph(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = prelabel(capsys, *of_files(folder), "--agents", "wheelchair", "sweeper")
    assert [list(passage)[: len(KEYS)] for passage in found] == [KEYS] * 8
    assert [(p["from"], p["to"], p["agent"]) for p in found[:3]] == [
        ("node_1", "node_2", "wheelchair"),
        ("node_1", "node_2", "sweeper"),
        ("node_2", "node_1", "wheelchair"),
    ]
    blocked, free = found[0], found[1]
    assert (blocked["answer"], blocked["straight"]) == ("does_not", "does_not")
    assert blocked["reason"] is not None
    assert "wall" in blocked["contacts"]  # type: ignore[operator]
    assert (free["answer"], free["reason"], free["engine"]) == ("travels", None, "physx")
    opinions = free["opinions"]
    assert opinions["physx_straight"]["answer"] == "travels"  # type: ignore[index]


def test_a_project_brings_its_agents_and_chosen_edges_are_measured(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = ("--project", folder / "room.waypost")
    found = prelabel(capsys, *project, "--edges", "edge_2", "node_2|node_1")
    assert [(p["from"], p["to"], p["agent"]) for p in found] == [
        ("node_2", "node_1", "wheelchair"),
        ("node_2", "node_3", "wheelchair"),
        ("node_3", "node_2", "wheelchair"),
    ]
    assert [p["answer"] for p in found] == ["does_not", "travels", "travels"]


def test_an_agent_from_a_file_and_sentences_for_people(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cart.toml"
    write_agent(file, replace(shipped_agents()["wheelchair"], key="cart", width_m=0.6))
    words = ["prelabel", *of_files(folder), "--agents", file, "--edges", "edge_1", "--workers", 1]
    assert main([str(word) for word in words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("Left → Right, cart: travels. ")
    assert lines[2] == "2 passages: 2 travels, 0 does not, 0 uncertain"


def test_an_engine_that_cannot_run_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What geometry alone says of a passage looks like what a drive has confirmed."""
    words = ["prelabel", *of_files(folder), "--agents", "sweeper", "--edges", "edge_1"]
    assert main([str(word) for word in [*words, "--workers", 1, "--python", "/nowhere"]]) == 0
    out, err = capsys.readouterr()
    assert "2 travels" in out
    reason = "the engine 'physx' cannot run: /nowhere cannot be started: No such file or directory"
    assert f"note: no opinion of physx: {reason}\n" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scene", "room.glb"], "--graph: name the graph file of the scene"),
        (["--project", "room.waypost", "--graph", "graph.json"], "the project has its own graph"),
        (["--project", "room.waypost", "--agents", "cat"], "cat: agent: no such agent or file"),
        (["--project", "room.waypost", "--edges", "edge_9"], "--edges: edge_9: the graph has no"),
        (["--project", "room.waypost", "--workers", "0"], "--workers: 0 is outside 1 to 256"),
        (["--scene", "no.glb", "--graph", "graph.json"], "no.glb: file: does not exist"),
    ],
)
def test_bad_input_is_one_sentence(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(folder)
    assert main(["prelabel", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert len(said.err.splitlines()) == 1


def test_a_project_without_a_scene_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "empty.waypost"
    with closing(ProjectStore.create(file, Project("empty", graph=places()), "mia")):
        pass
    assert main(["prelabel", "--project", str(file)]) == 2
    assert "scene: there is none" in capsys.readouterr().err
