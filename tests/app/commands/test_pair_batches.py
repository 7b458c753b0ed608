"""``waypost score`` with a batch of pairs: made, answered, exported and brought in."""

from __future__ import annotations

import json
import math
from contextlib import closing
from pathlib import Path

import pytest
from fixtures.score_examples import NOON

from waypost.app.main import main
from waypost.domain.project import Project
from waypost.domain.score.comparison import Better, ComparisonKey
from waypost.domain.score.comparison_edits import (
    return_comparison,
    set_better,
    set_pair_cannot_judge,
    set_pair_comment,
    submit_comparison,
    write_pair_decision,
)
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.heavy

TABLE = (
    "item;text;source;pair\r\n"
    "a;Go to the kitchen.;human;1\r\n"
    "b;\"Turn left,\r\nthen stop\";gpt;1\r\n"
    "c;रसोई में जाओ;human;2\r\n"
    "d;=1+1 🙂;gpt;2\r\n"
    "e;alone;gpt;\r\n"
)  # fmt: skip
RATERS = ("ana", "ben")


def told(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict:
    capsys.readouterr()
    assert main([*map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with a batch of two pairs for two raters."""
    file, project = tmp_path / "i.csv", tmp_path / "p.waypost"
    file.write_bytes(TABLE.encode())
    ProjectStore.create(project, Project("p"), "lea").close()
    words = ("score", "create", file, "--project", project, "--batch", "duo", "--pairs")
    made = told(capsys, *words, "--raters", "ana,ben", "--author", "lea")
    assert (made["items"], made["pairs"], made["raters"]) == (4, 2, {"ana": 2, "ben": 2})
    return project


def answer(file: Path, rater: str, *answers: Better) -> None:
    """A rater answers both pairs and submits; of the second nobody can judge the naturalness."""
    store = ProjectStore.open(file)
    before = store.load()
    book = before.scoring
    for pair, better in zip(("a | b", "c | d"), answers, strict=False):
        key = ComparisonKey("duo", pair, rater)
        for criterion in ("clarity", "naturalness", "accuracy"):
            book = set_better(book, key, criterion, better, NOON)
        if pair == "c | d":
            book = set_pair_cannot_judge(book, key, "naturalness", NOON)
        book = set_pair_comment(book, key, 'odd, "so"\n=x', NOON)
        book = submit_comparison(book, key, NOON)
    store.save(before, Project("p", scoring=book), rater)
    store.close()


def give_back(file: Path) -> None:
    """A lead returns the first pair of ana, who answers it again; the second one waits."""
    store = ProjectStore.open(file)
    before = store.load()
    book, key = before.scoring, ComparisonKey("duo", "a | b", "ana")
    book = return_comparison(book, key, "lea", "look again", NOON)
    book = set_better(book, key, "clarity", Better.NEITHER, NOON)
    book = submit_comparison(book, key, NOON)
    book = write_pair_decision(book, key._replace(pair="c | d"), "not said")
    store.save(before, Project("p", scoring=book), "lea")
    store.close()


def comparisons(file: Path) -> dict:
    with closing(ProjectStore.open(file)) as store:
        return dict(store.load().scoring.comparisons)


def batch(project: Path, author: str) -> tuple[str | Path, ...]:
    return "--project", project, "--batch", "duo", "--author", author


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_comparisons_leave_and_come_back_the_same(
    ending: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(project, "ana", Better.FIRST, Better.SECOND)
    answer(project, "ben", Better.NEITHER, Better.SECOND)
    give_back(project)
    out = tmp_path / f"s.{ending}"
    assert told(capsys, "score", "export", *batch(project, "lea"), "--out", out) == {
        "out": str(out), "comparisons": 4, "rows": 12,
    }  # fmt: skip
    assert "not said" not in out.read_text(encoding="utf-8")
    kept = comparisons(project)
    again = told(capsys, "score", "import", out, "--project", project)
    assert (again["comparisons"], again["unchanged"]) == (0, 4)
    assert comparisons(project) == kept
    assert [entry.round for entry in kept["duo", "a | b", "ana"].rounds] == [1, 2]
    first = told(capsys, "score", "results", *batch(project, "lea"))
    if ending == "csv":
        by_file = told(capsys, "agreement", "--scores", out)["criteria"]
        assert by_file == first["criteria"]
        assert first["comparisons_after_seeing_others"] == 1
        with closing(ProjectStore.open(project)) as store:
            before = store.load()
            key = ComparisonKey("duo", "a | b", "ben")
            book = set_pair_comment(before.scoring, key, "otherwise", NOON)
            store.save(before, Project("p", scoring=book), "ben")
        assert main(["score", "import", str(out), "--project", str(project)]) == 2
        assert "1 comparison otherwise than in the project" in capsys.readouterr().err
        words = ("score", "import", out, "--project", project, "--on-conflict", "replace")
        assert told(capsys, *words)["comparisons"] == 1
        assert told(capsys, "score", "results", *batch(project, "lea")) == first
        return
    other = tmp_path / "other.waypost"
    ProjectStore.create(other, Project("o"), "lea").close()
    assert told(capsys, "score", "import", out, "--project", other)["comparisons"] == 4
    rounds = comparisons(other)["duo", "a | b", "ana"].rounds
    assert rounds == kept["duo", "a | b", "ana"].rounds
    lines = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    late = [line for line in lines if line.get("value", {}).get("earlier")]
    del late[0]["value"]["earlier"]
    (tmp_path / "late.jsonl").write_text(
        f'{{"waypost_scores": 1}}\n{json.dumps(late[0])}\n', encoding="utf-8"
    )
    words = ["score", "import", str(tmp_path / "late.jsonl"), "--project"]
    assert main([*words, str(project)]) == 0, "a file may hold only the last round"
    assert told(capsys, "score", "results", *batch(other, "lea")) == first


def test_results_by_hand(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer(project, "ana", Better.FIRST, Better.FIRST)
    answer(project, "ben", Better.NEITHER, Better.SECOND)
    found = told(capsys, "score", "results", *batch(project, "lea"))
    assert found["progress"]["ana"] == {"settled": 2, "total": 2, "flagged": 0, "anew": 0}
    clarity = found["strengths"]["source"]["clarity"]
    assert clarity["comparisons"] == 4
    # Human ones win twice, tie once, lose once: 2.5 to 1.5.
    human, gpt = (clarity["strengths"][name]["value"] for name in ("human", "gpt"))
    assert human - gpt == pytest.approx(math.log(2.5 / 1.5), abs=1e-6)
    assert found["criteria"]["clarity"]["percentage"]["value"] == 0
    naturalness = found["answers"]["naturalness"]
    assert (naturalness["cannot_judge"], naturalness["tie"]) == (2, 1)
    assert [entry["pair"] for entry in found["disputed_pairs"]] == ["c | d", "a | b"]


def test_a_rater_reads_nothing_of_others_by_any_command(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(project, "ana", Better.FIRST, Better.FIRST)
    found = told(capsys, "score", "results", *batch(project, "ben"))
    assert (found["criteria"], found["strengths"], found["disputed_pairs"]) == ({}, {}, [])
    for ending in ("csv", "jsonl", "parquet"):
        out = tmp_path / f"s.{ending}"
        wrote = told(capsys, "score", "export", *batch(project, "ben"), "--out", out)
        assert wrote["rows"] == 0
        assert b"human" not in out.read_bytes()
        assert b'"first"' not in out.read_bytes()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,text\na,x\nb,y\n", "no two instructions are of the same path or episode"),
        ("item,text,pair,expected.clarity\na,x,1,5\nb,y,1,\n", "expected scores are of sheets"),
    ],
)
def test_what_cannot_be_paired_is_refused(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, project = tmp_path / "i.csv", tmp_path / "p.waypost"
    file.write_text(text, encoding="utf-8")
    ProjectStore.create(project, Project("p"), "lea").close()
    words = ["score", "create", str(file), "--project", str(project), "--batch", "duo"]
    assert main([*words, "--pairs", "--raters", "ana"]) == 2
    assert said in capsys.readouterr().err
