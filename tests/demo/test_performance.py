from __future__ import annotations

import json

import pytest
from PIL import Image

from waypost.app.main import main
from waypost.demo.performance import AUTHOR, WINDOW_SIZE, check_nobody_worked_in, perform
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.sample.sample_project import write_sample
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
    check_nobody_worked_in(tmp_path / "sample" / "home.waypost")
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


def test_a_sample_in_which_somebody_worked_is_not_replaced(tmp_path, capsys):
    """``make run`` on a desktop keeps its sample in ``out/sample``, which ``--out out`` means."""
    project = write_sample(tmp_path / "sample")
    check_nobody_worked_in(project)
    assert (
        main(
            [
                "questions",
                "mark",
                "1",
                "--project",
                str(project),
                "--hallucinated",
                "--author",
                "ana",
            ]
        )
        == 0
    )
    capsys.readouterr()
    before = project.read_bytes()
    assert main(["demo", "--out", str(tmp_path)]) == 2
    reason = "ana worked in it; another folder is named by --out"
    assert capsys.readouterr().err == f"error: {project}: file: cannot be written: {reason}\n"
    assert project.read_bytes() == before
