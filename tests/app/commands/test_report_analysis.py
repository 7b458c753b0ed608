"""``waypost report --project``: marks of people enter the charts, the table and the JSON."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.replay_files import RunFiles, write_run

from waypost.app.main import main
from waypost.charts.svg import measure, wrapped
from waypost.domain.causes.failure import CauseBook, CauseKey, CauseMark, set_mark
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    add_source,
    save_taxonomy,
    set_causes,
    set_edge_verdict,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.io.taxonomy_files import shipped_taxonomies
from waypost.store.project_store import ProjectStore

CAPNAV = shipped_taxonomies()["capnav"]
OURS = replace(CAPNAV, key="ours", title="Ours <b>", version=1)


def book(files: RunFiles, folder: Path) -> ReplayBook:
    """Two analysts on two failed episodes, one of them also by a version that is gone."""
    options = files.options()
    graph = options[options.index("--connectivity") + 1]
    annotations = options[options.index("--annotations") + 1]
    source = RunSource(
        (files.results.relative_to(folder),),
        (Path(annotations).relative_to(folder),),
        Path(graph).relative_to(folder),
        name="gpt",
    )
    marks = CauseBook()
    for episode, analyst, *chosen in (
        ("7_0", "ana", "path_hallucination"),
        ("7_0", "ben", "path_hallucination", "dimension_neglect"),
        ("7_1", "ana", "dimension_neglect"),
        ("7_1", "ben", "dimension_neglect"),
    ):
        key = CauseKey("gpt", episode, analyst, "capnav")
        mark = CauseMark(key, 1, {"error": tuple(chosen)}, is_blind=True)
        marks = set_mark(marks, CAPNAV, mark)
    old = CauseKey("gpt", "7_1", "cy", "ours")
    marks = set_mark(marks, OURS, CauseMark(old, 1, {"error": ("ability_hallucination",)}))
    kept = save_taxonomy(save_taxonomy(add_source(ReplayBook(), source), OURS), replace(
        OURS, version=2))  # fmt: skip
    edge = EdgeVerdictKey("gpt", "7_0", "A", "B", "ana")
    kept = set_edge_verdict(kept, EdgeVerdict(edge, RouteVerdict.VALID))
    return set_causes(kept, marks)


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, RunFiles]:
    files = write_run(tmp_path, {"7_0": "ABCDE", "7_1": "ABCDE", "7_2": "ABC"})
    file = tmp_path / "house.waypost"
    made = Project("House", replay=book(files, tmp_path))
    ProjectStore.create(file, made, "ana").close()
    return file, files


def ids_of(text: str, title: str) -> list[str]:
    """Episodes behind the part of a chart with a title."""
    found = re.search(rf'data-ids="([^"]*)"><title>{re.escape(title)}:', text)
    assert found is not None, title
    return found[1].split("\n")


def test_causes_and_agreement_are_in_the_page(project, tmp_path: Path) -> None:
    file, files = project
    out = tmp_path / "out"
    assert main(["report", str(files.results), "--project", str(file), "--out", str(out)]) == 0
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "From outcome over behaviour to Error (CapNav)" in text
    assert ids_of(text, "Dimension neglect") == ["7_0", "7_1"]
    assert ids_of(text, "Late stop → Path hallucination") == ["7_0"]
    assert "4 marks of version 1 by ana, ben" in " ".join(text.split())
    assert "Ours &lt;b&gt;</b>, version 2" in text
    assert "1 mark of version 1 by cy" in " ".join(text.split())
    assert "nobody has answered" in text
    assert "blind answers; left out: 1 unknown" in text
    assert text.count("all answers") == 2
    assert "Routes, edge by edge" in text
    assert "3 of 3 episodes" in text


def test_pictures_that_are_gone_are_said_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The project's own; a folder that the command names must be there."""
    files = write_run(tmp_path, {"7_0": "ABC", "7_1": "ABC", "7_2": "ABC"})
    file = tmp_path / "house.waypost"
    source = RunSource(
        (Path(files.results.name),),
        (Path(files.annotations.name),),
        pictures=Path("gone"),
        name="gpt",
    )
    made = Project("House", replay=add_source(ReplayBook(), source))
    ProjectStore.create(file, made, "ana").close()
    out = tmp_path / "out"
    arguments = ["report", str(files.results), "--project", str(file), "--out", str(out)]
    assert main(arguments) == 0
    gone = tmp_path / "gone"
    said = capsys.readouterr().err
    assert said == f"note: {gone}: the pictures of gpt are gone; the report has none\n"
    (out / "report.html").unlink()
    assert main([*arguments, "--pictures", str(gone)]) == 2
    assert not (out / "report.html").exists()


def test_the_same_as_json(project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, files = project
    arguments = ["report", str(files.results), "--project", str(file), "--json"]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)["analysis"]
    assert found["run"] == "gpt"
    assert found["counted"] == "everyone: ana, ben, cy"
    capnav, ours = found["taxonomies"]
    assert (capnav["taxonomy"], capnav["version"], capnav["marks"]) == ("capnav", 1, {"1": 4})
    assert capnav["made"] == {"blind": 4, "seeing": 0, "unknown": 0}
    (row,) = capnav["agreement"]
    assert (row["compared"], row["percent"], row["disputed"]) == (2, 0.5, ["7_0"])
    assert (row["answers"], row["all_answers"]) == (capnav["made"], None)
    # Answers: p, p+d, d, d. One pair alike of two, p_o = 0.5; p_e = 0.25.
    assert row["kappa"] == pytest.approx(1 / 3)
    assert (ours["version"], ours["marks"]) == (2, {"1": 1})
    assert ours["agreement"][0]["percent"] is None
    assert ours["made"] == {"blind": 0, "seeing": 0, "unknown": 1}
    verdicts = found["route_verdicts"]
    assert verdicts["undefined"]["alpha"] == "nobody has answered"
    assert verdicts["all_answers"]["undefined"]["alpha"] == "only one analyst has answered"
    assert verdicts["answers"] == {"blind": 0, "seeing": 0, "unknown": 1}


def test_causes_are_in_the_table(project, tmp_path: Path) -> None:
    file, files = project
    table = tmp_path / "t.csv"
    arguments = ["report", str(files.results), "--project", str(file), "--table", str(table)]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 0
    with table.open(encoding="utf-8-sig", newline="") as stream:
        lines = list(csv.DictReader(stream))
    causes = {line["episode_id"]: line["causes"] for line in lines}
    assert {line["causes_by"] for line in lines} == {"everyone: ana, ben, cy"}
    assert causes["7_0"] == "Path hallucination; Dimension neglect"
    assert causes["7_1"] == "Dimension neglect; Ability hallucination"
    assert causes["7_2"] == ""
    made = {line["episode_id"]: (line["marks_blind"], line["marks_unknown"]) for line in lines}
    assert made == {"7_0": ("2", "0"), "7_1": ("2", "1"), "7_2": ("0", "0")}


def test_the_marks_of_one_analyst_alone(
    project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, files = project
    table, out = tmp_path / "t.csv", tmp_path / "out"
    arguments = ["report", str(files.results), "--project", str(file), "--out", str(out)]
    assert main([*arguments, "--analyst", "ana", "--table", str(table), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["analysis"]
    assert found["counted"] == "ana"
    (capnav,) = found["taxonomies"]
    assert (capnav["marks"], capnav["analysts"]) == ({"1": 2}, ["ana"])
    (row,) = capnav["agreement"]
    assert row["percent"] is None
    assert row["undefined"]["percent"] == "only one analyst has answered"
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "Counted are the marks of ana alone." in text
    assert ids_of(text, "Dimension neglect") == ["7_1"]
    assert "ben" not in text
    with table.open(encoding="utf-8-sig", newline="") as stream:
        told = {line["episode_id"]: (line["causes"], line["causes_by"])
                for line in csv.DictReader(stream)}  # fmt: skip
    assert told["7_0"] == ("Path hallucination", "ana")


def test_an_analyst_without_marks_is_refused(
    project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, files = project
    arguments = ["report", str(files.results), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--project", str(file), "--analyst", "dan"]) == 2
    assert "'dan' has marked nothing (marked by: ana, ben, cy)" in capsys.readouterr().err
    assert main([*arguments, "--analyst", "ana"]) == 2
    assert "--analyst: needs --project" in capsys.readouterr().err


def test_in_words(project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, files = project
    out = str(tmp_path / "out")
    main(["report", str(files.results), "--project", str(file), "--out", out])
    lines = capsys.readouterr().out.splitlines()
    assert "counted are the marks of everyone: ana, ben, cy" in lines
    assert "CapNav, version 1: 4 marks by ana, ben" in lines
    assert any("50 % equal of 2, kappa 0.33, alpha" in line and line.endswith(" (blind)")
               for line in lines)  # fmt: skip


def test_a_run_that_nobody_marked(
    project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, files = project
    bare = add_source(ReplayBook(), RunSource((files.results,), name="bare"))
    file = tmp_path / "bare.waypost"
    ProjectStore.create(file, Project(replay=bare), "ana").close()
    out = str(tmp_path / "out")
    main([*("report", *files.options()), "--project", str(file), "--out", out])
    assert "nobody has marked causes in bare" in capsys.readouterr().out
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "From outcome to behaviour" in text
    assert "What people say" not in text


def test_long_titles_are_wrapped_in_the_page() -> None:
    assert wrapped("Room not recognised", 100) == ["Room not", "recognised"]
    assert wrapped("mmmmmmmm", 60) == ["mmmm", "mmmm"]
    assert wrapped("房间", 20) == ["房", "间"]
    assert measure("Room not recognised", 100) == (pytest.approx(77.2), 34.0)


def test_a_run_that_the_project_does_not_have(
    project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, files = project
    other = files.results.with_name("other.json")
    other.write_bytes(files.results.read_bytes())
    assert main(["report", str(other), "--project", str(file), "--out", str(tmp_path / "o")]) == 2
    assert "other.json is none of them (gpt)" in capsys.readouterr().err
