"""``waypost graph propose`` on a house of two rooms."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from worlds.box_scenes import box, plate, scene

from tools.scene_files.write_glb import write_glb
from waypost.app.main import main
from waypost.domain.base.progress import Work, exhaust
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph_proposal import GraphProposal, with_rejected
from waypost.geometry.graph_proposals import propose_graph
from waypost.geometry.ray_index import RayIndex
from waypost.io.scenes.decode_scene import decode_at_once
from waypost.store.project_store import ProjectStore


@pytest.fixture
def project(tmp_path: Path) -> Path:
    built = scene(
        plate("Left floor", (0, 0), (4, 4), 0.0),
        plate("Right floor", (4, 0), (8, 4), 0.0),
        box("south", (0, 0, 0), (8, 0.1, 2.6)),
        box("north", (0, 3.9, 0), (8, 4, 2.6)),
        box("west", (0, 0, 0), (0.1, 4, 2.6)),
        box("east", (7.9, 0, 0), (8, 4, 2.6)),
        box("wall", (3.95, 0, 0), (4.05, 1.55, 2.6)),
        box("wall", (3.95, 2.45, 0), (4.05, 4, 2.6)),
        box("lintel", (3.95, 1.55, 2.05), (4.05, 2.45, 2.6)),
    )
    write_glb(built, tmp_path / "house.glb")
    path = tmp_path / "house.waypost"
    ProjectStore.create(path, Project("house", scene_path="house.glb"), "test").close()
    return path


def test_it_proposes_and_applies_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "propose", "--project", str(project), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {node["name"] for node in found["nodes"]} == {"Left", "Right", "Doorway Left – Right"}
    assert not any(node["is_there"] for node in found["nodes"])
    assert main(["graph", "propose", "--project", str(project), "--apply"]) == 0
    said = capsys.readouterr().out
    assert "added 3 nodes (1 doorway, 2 rooms) and 2 edges" in said
    assert main(["graph", "propose", "--project", str(project), "--apply", "--json"]) == 0
    assert all(node["is_there"] for node in json.loads(capsys.readouterr().out)["nodes"])
    store = ProjectStore.open(project)
    graph = store.load().graph
    store.close()
    assert len(graph.nodes) == 3
    assert len(graph.edges) == 2
    assert main(["graph", "propose", "--project", str(project), "--apply"]) == 0
    said = capsys.readouterr().out
    assert said.count("(there already)") == 3
    assert said.endswith("added 0 nodes and 0 edges\n")


def test_what_somebody_rejected_is_not_applied(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proposal = exhaust(_proposing(project))
    (left,) = (node.key for node in proposal.nodes if node.name == "Left")
    with contextlib.closing(ProjectStore.open(project)) as store:
        before = store.load()
        after = set_graph(before, with_rejected(before.graph, proposal, [left]))
        store.save(before, after, "ana", "Reject Left")
    assert main(["graph", "propose", "--project", str(project), "--apply"]) == 0
    said = capsys.readouterr().out
    assert "room: Left at" in said
    assert said.count("(rejected)") == 1
    # The edge to a rejected node goes with it, as where the window accepts every proposal.
    assert said.endswith("added 2 nodes (1 doorway, 1 room) and 1 edge\n")
    with contextlib.closing(ProjectStore.open(project)) as store:
        graph = store.load().graph
    assert {node.name for node in graph.nodes.values()} == {"Right", "Doorway Left – Right"}
    assert len(graph.edges) == 1
    assert main(["graph", "propose", "--project", str(project), "--json"]) == 0
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    told = {node["name"]: (node["is_there"], node["is_rejected"]) for node in nodes}
    assert told == {
        "Left": (False, True),
        "Right": (True, False),
        "Doorway Left – Right": (True, False),
    }


def _proposing(project: Path) -> Work[GraphProposal]:
    read = decode_at_once(project.parent / "house.glb")
    return propose_graph(read, RayIndex.build(read))


def test_a_scene_alone_can_be_looked_at_but_not_changed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project.parent / "house.glb"
    assert main(["graph", "propose", "--scene", str(file)]) == 0
    assert "doorway: Doorway Left – Right at 3.98, 1.98, 0.00" in capsys.readouterr().out
    assert main(["graph", "propose", "--scene", str(file), "--apply"]) == 2
    assert "--apply: there is no project" in capsys.readouterr().err
