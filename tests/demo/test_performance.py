from __future__ import annotations

import json

import pytest
from PIL import Image

from waypost.demo.performance import AUTHOR, WINDOW_SIZE, perform
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui


def test_the_main_job_leaves_pictures_labels_and_a_report(tmp_path):
    report = perform(tmp_path)
    assert report == tmp_path / "report.html"
    names = ("overview", "graph", "labels_wheelchair", "labels_quadruped", "driving")
    for name in (*names, "replay_map", "replay_route"):
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert picture.size == WINDOW_SIZE
            assert len(picture.convert("RGB").resize((64, 36)).getcolors(64 * 36)) > 100
        assert f"{name}.png" in report.read_text(encoding="utf-8")
    store = ProjectStore.open(tmp_path / "sample" / "home.waypost")
    project = store.load()
    store.close()
    edges = len(project.graph.edges)
    assert edges == 28
    assert len(project.labels) == 5 * 2 * edges
    assert {label.author for label in project.labels.values()} == {AUTHOR}
    names = {node.name: node.node_id for node in project.graph.nodes.values()}
    stairs = (names["Stair foot"], names["Landing"])
    verdicts = {
        key: project.labels[Passage(*stairs, key)].verdict for key in ("human", "wheelchair")
    }
    assert verdicts == {"human": Verdict.TRAVELS, "wheelchair": Verdict.DOES_NOT}
    traverse = json.loads((tmp_path / "home-traverse.json").read_text(encoding="utf-8"))
    assert len(traverse["WHEELCHAIR"]) == 2 * edges
    assert traverse["WHEELCHAIR"]["|".join(stairs)]["traversable"] is False
