"""``waypost score`` from instructions to results, and ``instructions stats``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.score_examples import NOON

from waypost.app.main import main
from waypost.domain.project import Project
from waypost.domain.score.sheet_edits import set_score, submit
from waypost.store.project_store import ProjectStore

TABLE = (
    "item;text;source;expected.clarity\r\n"
    "a;Go to the kitchen.;human;\r\n"
    "b;\"Turn left,\r\nthen stop\";gpt;\r\n"
    "c;blue blue blue;;1|2\r\n"
)  # fmt: skip


def made(folder: Path, table: str = TABLE) -> Path:
    """A project with a batch of three items for two raters."""
    file, project = folder / "i.csv", folder / "p.waypost"
    file.write_bytes(table.encode())
    ProjectStore.create(project, Project("p"), "lea").close()
    words = ["score", "create", str(file), "--project", str(project), "--batch", "demo"]
    assert main([*words, "--raters", "ana, ben", "--author", "lea"]) == 0
    return project


def score_all(file: Path) -> None:
    """Both raters score every item on every criterion."""
    store = ProjectStore.open(file)
    before = project = store.load()
    for rater, base in (("ana", 1), ("ben", 2)):
        for place, item in enumerate("abc"):
            book = project.scoring
            for name in ("clarity", "naturalness", "accuracy"):
                sheet = book.sheet("demo", item, rater)
                book = set_score(book, sheet, name, base + place, NOON)
            book = submit(book, book.sheet("demo", item, rater), NOON, 3.5)
            project = Project("p", scoring=book)
    store.save(before, project, "test")
    store.close()


def told(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict:
    assert main([*map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refuses_another_batch_of_this_name(
    folder: Path, scores: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()
    project = made(folder, TABLE.replace("Go to", "Leave"))
    capsys.readouterr()
    assert main(["score", "import", str(scores), "--project", str(project)]) == 2
    said = "scores: batch 'demo': 'a' is another instruction here\n"
    assert capsys.readouterr().err == f"error: {scores}: {said}"


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_scores_leave_and_come_back_the_same(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = made(tmp_path)
    score_all(project)
    out = tmp_path / f"s.{ending}"
    batch = ("--project", project, "--batch", "demo", "--author", "lea")
    capsys.readouterr()
    assert told(capsys, "score", "export", *batch, "--out", out)["sheets"] == 6
    first = told(capsys, "score", "results", *batch)
    again = told(capsys, "score", "import", out, "--project", project)
    assert (again["sheets"], again["unchanged"]) == (0, 6)
    refuses_another_batch_of_this_name(tmp_path / "elsewhere", out, capsys)
    if ending == "csv":
        assert main(["agreement", "--scores", str(out), "--json"]) == 0
        by_file = json.loads(capsys.readouterr().out)["criteria"]["clarity"]
        # The file has the attention check as well, which is in no result.
        assert by_file == first["criteria"]["clarity"]
        assert by_file["items"] == 2
        return
    other = tmp_path / "other.waypost"
    ProjectStore.create(other, Project("o"), "lea").close()
    assert told(capsys, "score", "import", out, "--project", other)["batches"] == 1
    same = told(capsys, "score", "results", *("--project", other), *batch[2:])
    assert same == first


def test_results_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = made(tmp_path)
    score_all(project)
    capsys.readouterr()
    batch = ("--project", project, "--batch", "demo", "--author")
    found = told(capsys, "score", "results", *batch, "lea")
    means = {(m["source"], m["criterion"]): m["mean"] for m in found["means"]}
    assert (means["human", "clarity"], means["gpt", "clarity"]) == (1.5, 2.5)
    assert found["progress"]["ana"] == {"settled": 3, "total": 3, "flagged": 0, "anew": 0}
    assert [(m["rater"], m["score"]) for m in found["missed_attention_checks"]] == [
        ("ana", 3), ("ben", 4),
    ]  # fmt: skip
    assert found["criteria"]["clarity"]["percentage"]["value"] == 0
    assert told(capsys, "score", "results", *batch, "ana")["missed_attention_checks"] == []


def test_a_rater_reads_nothing_of_others_by_any_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = made(tmp_path)
    store = ProjectStore.open(project)
    before = store.load()
    book = before.scoring
    for name in ("clarity", "naturalness", "accuracy"):
        book = set_score(book, book.sheet("demo", "a", "ana"), name, 5, NOON)
    after = Project("p", scoring=submit(book, book.sheet("demo", "a", "ana"), NOON))
    store.save(before, after, "ana")
    store.close()
    capsys.readouterr()
    batch = ("--project", project, "--batch", "demo", "--author", "ben")
    found = told(capsys, "score", "results", *batch)
    assert (found["criteria"], found["means"]) == ({}, [])
    assert found["progress"]["ana"] is None
    for ending in ("csv", "jsonl", "parquet"):
        out = tmp_path / f"s.{ending}"
        assert told(capsys, "score", "export", *batch, "--out", out)["rows"] == 0
        assert b"human" not in out.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--raters", ","), "raters: a batch needs raters with names"),
        (("--raters", "a", "--rubric", "mine"), "rubric: 'mine' is none of vlnverse-fine"),
        (("--raters", "a", "--rubric", "navbench-simple"), "c, expected.clarity: '2' is not on"),
    ],
)
def test_a_batch_that_cannot_be_made_says_why(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = made(tmp_path)
    again = ("score", "create", str(tmp_path / "i.csv"), "--project", str(project))
    assert main([*again, "--batch", "new", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("demo,a,ana,clarity,9,1,1", "sheet of ana on a: clarity: 9 is not on the scale"),
        ("none,a,ana,clarity,3,1,1", "sheet of ana on a: the batch 'none' has no such item"),
        ("demo,z,ana,clarity,3,1,1", "sheet of ana on z: the batch 'demo' has no such item"),
        ("demo,a,eve,clarity,3,1,1", "sheet of eve on a: it is not assigned to eve"),
        ("demo,a,ana,charm,3,1,1", "sheet of ana on a: its rubric has no criterion 'charm'"),
        ("demo,a,ana,clarity,3,7,1", "sheet of ana on a: its rubric has no version 7"),
        ("demo,a,ana,clarity,3,1,2", "sheet of ana on a: round 2: round 1 is missing"),
        ("demo,a,ana,clarity,3,1,0", "sheet of ana on a: round 0: rounds begin with 1"),
    ],
)
def test_scores_that_do_not_fit_are_refused_with_file_and_sheet(
    row: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, file = made(tmp_path), tmp_path / "s.csv"
    file.write_text(f"batch,item,rater,criterion,score,rubric_version,round\n{row}\n")
    before = project.read_bytes()
    capsys.readouterr()
    assert main(["score", "import", str(file), "--project", str(project)]) == 2
    assert capsys.readouterr().err == f"error: {file}: scores: {said}\n"
    assert project.read_bytes() == before


@pytest.mark.parametrize(
    "words", ["results", "export --out {}/s.csv", "create {}/i.csv --raters a"]
)
def test_what_is_wrong_with_a_batch_names_project_and_batch(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = made(tmp_path)
    capsys.readouterr()
    is_there = words.startswith("create")
    name = "demo" if is_there else "nope"
    given = words.format(tmp_path).split()
    assert main(["score", *given, "--project", str(project), "--batch", name]) == 2
    said = (
        "there is a batch 'demo' already"
        if is_there
        else "there is no batch 'nope'; there is 'demo'"
    )
    assert capsys.readouterr().err == f"error: {project}: batch '{name}': {said}\n"


def test_statistics_of_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path)
    capsys.readouterr()
    found = told(capsys, "instructions", "stats", tmp_path / "i.csv")
    assert (found["format"], found["instructions"], found["words"]["mean"]) == ("csv", 3, 11 / 3)
    assert found["missing_end_point"]["items"] == ["c"]
    assert main(["instructions", "stats", str(tmp_path / "i.csv")]) == 0
    assert "3 instructions (csv)" in capsys.readouterr().out


def test_a_rubric_leaves_and_comes_back_as_a_new_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, file = made(tmp_path), tmp_path / "r.toml"
    score_all(project)
    capsys.readouterr()
    words = ("score", "rubric", "--project", project)
    out = told(capsys, *words, "--rubric", "vlnverse-fine", "--out", file)
    assert (out["rubric"], out["rubric_version"]) == ("vlnverse-fine", 1)
    text = file.read_text(encoding="utf-8")
    changed = text.replace("\nversion = 1", "\nversion = 2").replace(
        'key = "naturalness"', 'key = "style"'
    )
    file.write_text(changed, encoding="utf-8")
    saved = told(capsys, *words, "--rubric-file", file)
    assert (saved["new_to_score"], saved["batches_of_other_versions"]) == ([], ["demo"])
    saved = told(capsys, *words, "--rubric-file", file, "--batch", "demo")
    assert saved["new_to_score"] == [{"batch": "demo", "criteria": ["Naturalness"], "sheets": 6}]
    found = told(capsys, "score", "results", "--project", project, "--batch", "demo")
    assert found["progress"]["ana"]["anew"] == 3
    # The attention check is a sheet as well.
    assert (found["criteria"], found["sheets_of_earlier_versions"]) == ({}, 6)
    file.write_text(changed.replace("Clarity", "Clearness"), encoding="utf-8")
    assert main([*map(str, words), "--rubric-file", str(file)]) == 2
    assert "give the changed one a higher version" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rubric", "vlnverse-fine"), "--out: is needed with --rubric"),
        (("--rubric", "vlnverse-fine", "--out", "R", "--batch", "demo"), "--batch: goes with"),
        (("--rubric-file", "R", "--out", "S"), "--out: goes with --rubric,"),
    ],
)
def test_no_option_of_a_rubric_is_ignored(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "R"
    file.write_text("", encoding="utf-8")
    named = [str(tmp_path / word) if word in {"R", "S"} else word for word in words]
    assert main(["score", "rubric", "--project", str(made(tmp_path)), *named]) == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")
    assert file.read_text(encoding="utf-8") == ""
