"""``waypost report`` on answers to CapNav questions, with and without people's verdicts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import trimesh
from worlds.capnav_worlds import judged, write_world
from worlds.scene_files import usd_cube, usda

from waypost.app.main import main
from waypost.domain.causes.reason_verdicts import REASON_PLACE
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    add_source,
    set_edge_verdict,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.traverse.traversability import Provenance
from waypost.io.scenes.open_scene import read_scene
from waypost.store.project_store import ProjectStore

VERDICTS = (
    ("flat_1__S2", RouteVerdict.VALID),
    ("flat_1__S3", RouteVerdict.INVALID),
    ("flat_0__S4", RouteVerdict.INVALID),
)


def report(capsys: pytest.CaptureFixture[str], *options: object) -> dict[str, object]:
    code = main(["report", *map(str, options), "--json"])
    # Kitchen to bedroom is asked and not answered.
    assert code == 1
    return json.loads(capsys.readouterr().out)


def values(found: dict[str, object], key: str) -> dict[str, float | None]:
    return {name: entry["value"] for name, entry in found[key].items()}


def test_summaries_stand_in_page_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = write_world(tmp_path)
    questions = tmp_path / "graphs" / "flat-QA.json"
    found = report(
        capsys, results, "--annotations", questions, "--connectivity", tmp_path,
        "--out", tmp_path / "out",
    )  # fmt: skip
    assert found["profile"] == "capnav"
    assert values(found, "metrics")["accuracy"] == pytest.approx(6 / 9)
    assert values(found, "of_the_whole_run")["Feas_F1"] == pytest.approx(8 / 11)
    composite = found["of_the_whole_run"]["composite"]
    assert composite["undefined"] == {"RV is undefined for every answer": 9}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Feas_F1" in page
    assert "3 undefined: no analyst has judged the reason yet" in page
    assert page.count("<button>Feas_F1") == 0, "a score of the whole run is no column"


def test_verdicts_and_labels_of_the_project_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = write_world(tmp_path)
    source = RunSource((Path("results"),), (Path("graphs/flat-QA.json"),), name="answers")
    book = add_source(ReplayBook(), source)
    for episode, verdict in VERDICTS:
        key = EdgeVerdictKey("answers", episode, *REASON_PLACE, "ana")
        book = set_edge_verdict(book, EdgeVerdict(key, verdict))
    world = judged()
    project = replace(Project(), graph=world.graph, labels=world.labels, replay=book)
    store = ProjectStore.create(tmp_path / "flat.waypost", project, author="ana")
    store.close()
    found = report(capsys, results, "--project", tmp_path / "flat.waypost", "--out", tmp_path)
    assert values(found, "metrics")["RV"] == pytest.approx(1 / 3)
    expected = (8 / 11 + 6 / 7 + 2 / 3 + 1 / 3) / 4
    assert values(found, "of_the_whole_run")["composite"] == pytest.approx(expected)
    assert found["tags"]["empty_no"] == 1
    assert found["tags"]["wrong_reason"] == 1
    # Labels that were given on another scene tell nothing, as in the window; what is no answer
    # is wrong whatever they say.
    trimesh.creation.box().export(tmp_path / "flat.glb")
    on_another = {
        passage: replace(label, provenance=Provenance("of another scene"))
        for passage, label in project.labels.items()
    }
    later = replace(project, scene_path="flat.glb", labels=on_another)
    ProjectStore.create(tmp_path / "flat.waypost", later, author="ana", overwrite=True).close()
    found = report(capsys, results, "--project", tmp_path / "flat.waypost", "--out", tmp_path)
    assert found["metrics"]["accuracy"]["n"] == 1


def test_labels_count_that_were_given_with_files_outside_the_scene(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The window reads such files once somebody allowed it, and labels are judged on them."""
    results = write_world(tmp_path)
    (tmp_path / "scene").mkdir()
    usda(tmp_path / "walls.usda", usd_cube("Walls"))
    there = usda(
        tmp_path / "scene" / "flat.usda",
        usd_cube("Floor") + 'def "Outside" (references = @../walls.usda@</Walls>) {}',
    )
    judged_on = Provenance(read_scene(there, allow_outside=True).content_hash)
    world = judged()
    labels = {key: replace(label, provenance=judged_on) for key, label in world.labels.items()}
    source = RunSource((Path("results"),), (Path("graphs/flat-QA.json"),), name="answers")
    project = replace(
        Project(),
        scene_path="scene/flat.usda",
        graph=world.graph,
        labels=labels,
        replay=add_source(ReplayBook(), source),
    )
    ProjectStore.create(tmp_path / "flat.waypost", project, author="ana").close()
    asked = (results, "--project", tmp_path / "flat.waypost", "--out", tmp_path)
    # Without that file every label is stale; what is no answer is wrong whatever they say.
    assert report(capsys, *asked)["metrics"]["accuracy"]["n"] == 1
    found = report(capsys, *asked, "--allow-outside")
    assert values(found, "metrics")["accuracy"] == pytest.approx(6 / 9)


def test_definitions_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "list", "capnav", "capnav-released", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["profiles"]
    assert set(first["of_a_whole_run"]) == {"precision", "recall", "Feas_F1", "composite"}
    assert first["metrics"]["RV"]["definition"] != second["metrics"]["RV"]["definition"]
    assert second["metrics"]["PV"]["source"] == "makeabilitylab/CapNav:scripts/capnav_score.py"
    assert main(["metrics", "list", "capnav"]) == 0
    assert "Feas_F1 (fraction)" in capsys.readouterr().out


@pytest.mark.parametrize("profile", ["capnav", "capnav-released"])
def test_evaluate_says_the_numbers_of_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], profile: str
) -> None:
    results = write_world(tmp_path)
    given = ["--annotations", str(tmp_path / "graphs" / "flat-QA.json"), "--profile", profile]
    graphs = ["--connectivity", str(tmp_path)]
    asked = ["evaluate", *given, "--results", str(results)]
    # Kitchen to bedroom is asked and not answered.
    assert main([*asked, *graphs, "--json", "--per-episode", str(tmp_path / "s.parquet")]) == 1
    found = json.loads(capsys.readouterr().out)
    told = report(capsys, results, *given, *graphs, "--out", tmp_path / "out")
    assert found["metrics"] == told["metrics"]
    assert found["of_the_whole_run"] == told["of_the_whole_run"]
    assert {key: found["coverage"][key] for key in ("expected", "found", "missing")} == {
        key: told["coverage"][key] for key in ("expected", "found", "missing")
    }
    assert set(found["of_the_whole_run"]) < set(found["definitions"])
    assert len(pd.read_parquet(tmp_path / "s.parquet")) == 9
    assert main([*asked, *graphs]) == 1
    shown = capsys.readouterr().out
    assert "9 answers to 3 of 4 questions" in shown
    assert "Feas_F1" in shown
    twice = [*asked, str(results / "flat"), *graphs, "--json"]
    assert main(twice) == 1
    first, second = json.loads(capsys.readouterr().out)["runs"]
    assert "compared_with_first" not in first
    assert second["compared_with_first"]["accuracy"]["difference"] == 0
    assert main(asked) == 2
    assert f"the profile {profile} needs --connectivity" in capsys.readouterr().err
