"""``waypost report``: one page that holds everything and lets nothing foreign in."""

from __future__ import annotations

import csv
import dataclasses
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from fixtures.picture_folders import four_views
from fixtures.replay_files import NASTY, write_run

from waypost.app.main import main
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.report.page import write_report
from waypost.services.replay.loading import replay_all


class Page(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def count(self, tag: str, css: str = "") -> int:
        return sum(
            name == tag and (not css or css in (a.get("class") or "").split())
            for name, a in self.found
        )


def report(folder: Path, walked: dict[str, str], *more: str, instruction: str = "Go.") -> str:
    files = write_run(folder, walked, instruction=instruction)
    main(["report", *files.options(), "--out", str(folder / "out"), *more])
    return (folder / "out" / "report.html").read_text(encoding="utf-8")


def test_every_episode_has_a_row_a_plan_and_its_steps(tmp_path: Path) -> None:
    text = report(tmp_path, {"7_0": "ABABC", "7_1": "AB", "7_2": "ABCDE"})
    page = Page(text)
    assert sum("data-at" in attributes for _, attributes in page.found) == 3
    assert page.count("details", "episode") == 3
    assert page.count("svg", "map") == 3
    assert page.count("tr", "deviation") == 2
    assert "3 of 3 episodes" in text
    assert "0.5000" not in text.split("<h2>Metrics")[0]
    assert "SR · d / max(TL, d)" in text


def test_nothing_is_loaded_and_foreign_text_is_text(tmp_path: Path) -> None:
    text = report(tmp_path, {"7_0": "ABABC"}, instruction=NASTY)
    page = Page(text)
    assert page.count("script") == 1
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "हिन्दी مرحبا 🙂" in text
    links = [a[key] for _, a in page.found for key in ("src", "href") if key in a]
    assert all(link is not None and link.startswith("#") for link in links)
    assert "http" not in text.replace("http-equiv", "")


def test_what_is_invisible_is_spelled_out(tmp_path: Path) -> None:
    """In texts, in the attributes that bars name episodes by, and in the drawings."""
    files = write_run(tmp_path, {"7_0": "AB"})
    record = {"instr_id": "a\u202eb\x00c", "trajectory": [["A\x1b[31m", 0, 0]]}
    files.results.write_text(json.dumps([record]))
    main(["report", str(files.results), "--out", str(tmp_path / "out")])
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert not {"\u202e", "\x00", "\x1b"} & set(text)
    row = next(a for tag, a in Page(text).found if tag == "tr" and "data-id" in a)
    bars = [a["data-ids"] for _, a in Page(text).found if "data-ids" in a]
    assert row["data-id"] == "a⟨RLO⟩b⟨NUL⟩c"
    assert bars
    assert set(bars) == {row["data-id"]}


def test_half_characters_stand_in_page_and_tables_alike(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "AB"})
    files.results.write_text('[{"instr_id": "\\ud800 7", "trajectory": [["A\\udfff", 0, 0]]}]')
    out, table = tmp_path / "out", tmp_path / "t.csv"
    more = ["--table", str(table), "--table", str(tmp_path / "t.parquet")]
    assert main(["report", str(files.results), "--out", str(out), *more]) == 0
    assert "⟨U+D800⟩ 7" in (out / "report.html").read_text(encoding="utf-8")
    assert ",⟨U+D800⟩ 7," in table.read_text(encoding="utf-8")


def test_foreign_names_are_escaped_everywhere(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "AB"})
    record = [{"instr_id": '"><img src=x>', "trajectory": [["</title><b>", 0, 0]]}]
    files.results.write_text(json.dumps(record))
    main(["report", str(files.results), "--out", str(tmp_path / "out")])
    page = Page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    assert page.count("img") == 0


def test_the_file_is_the_page_written_piece_by_piece(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    request = RunSource((files.results,), (files.annotations,), files.connectivity)
    whole = exhaust(replay_all(request))
    path = write_report(tmp_path / "out", whole)
    before = path.read_text(encoding="utf-8")
    assert before.rstrip().endswith("</html>")
    # A page that fails half way leaves the one before.
    broken: Any = dataclasses.replace(whole, warnings=None)
    with pytest.raises(TypeError):
        write_report(tmp_path / "out", broken)
    assert path.read_text(encoding="utf-8") == before
    assert [file.name for file in path.parent.iterdir()] == ["report.html"]


def test_few_in_full(tmp_path: Path) -> None:
    text = report(tmp_path, {"7_0": "AB", "7_1": "AB", "7_2": "ABC"}, "--most", "1")
    assert Page(text).count("details", "episode") == 1
    assert "2 are in the table only" in text


def test_fewer_than_none_in_full_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "AB"})
    out = tmp_path / "out"
    assert main(["report", *files.options(), "--out", str(out), "--most", "-1"]) == 2
    assert capsys.readouterr().err == "error: --most: -1 is below 0\n"
    assert not out.exists()


def test_missing_and_foreign_runs_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC", "9_9": "AB"})
    out = str(tmp_path / "out")
    assert main(["report", *files.options(), "--out", out, "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert shown["coverage"] == {
        "expected": 3,
        "found": 1,
        "missing": 2,
        "duplicated_identical": 0,
        "duplicated_conflicting": 0,
        "foreign": 1,
        "unreadable": 0,
    }
    assert shown["tags"] == {"perfect": 1}
    assert shown["named"] == {
        "missing": {"first": ["7_1", "7_2"], "more": 0},
        "foreign": {"first": ["9_9"], "more": 0},
    }
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<b>missing:</b> 7_1, 7_2</p>" in text
    assert "<b>foreign:</b> 9_9</p>" in text


def test_of_many_odd_runs_the_first_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    good = {"instr_id": "7_0", "trajectory": [["A", 1.5, 0.0]]}
    other = {"instr_id": "7_0", "trajectory": [["B", 1.5, 0.0]]}
    foreign = [{"instr_id": f"9_{n}", "trajectory": [["A", 0, 0]]} for n in range(25)]
    bad = [{"instr_id": f"8_{n}", "trajectory": "<lost>"} for n in range(22)]
    files.results.write_text(json.dumps([good, good, other, *foreign, *bad]))
    out = str(tmp_path / "out")
    assert main(["report", *files.options(), "--out", out, "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    named = shown["named"]
    assert named["duplicated_identical"] == {"first": ["7_0"], "more": 0}
    assert named["duplicated_conflicting"] == {"first": ["7_0"], "more": 0}
    assert named["foreign"] == {"first": [f"9_{n}" for n in range(20)], "more": 5}
    assert named["unreadable"]["more"] == 2
    assert len(named["unreadable"]["first"]) == 20
    assert [one["id"] for one in shown["unreadable"]] == [f"8_{n}" for n in range(20)]
    assert shown["unreadable"][0]["message"] == named["unreadable"]["first"][0]
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "9_18, 9_19 and 5 more</p>" in text
    assert "and 2 more</p>" in text
    text = Path(shown["report"]).read_text(encoding="utf-8")
    assert "1 of 3 episodes" in text


def test_a_whole_run_has_no_problem(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC", "7_1": "ABC", "7_2": "A"})
    assert main(["report", *files.options(), "--out", str(tmp_path / "out")]) == 0


def test_a_file_that_ends_in_the_middle_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC", "7_1": "ABC", "7_2": "A"})
    files.results.write_text(files.results.read_text()[:-20])
    told = "ends in the middle; its 2 complete items were read"
    out = str(tmp_path / "out")
    assert main(["report", str(files.results), "--out", out]) == 1
    assert f"warning: {files.results} {told}" in capsys.readouterr().out
    assert told in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert main(["report", *files.options(), "--out", out, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["warnings"] == [f"{files.results} {told}"]


def test_a_run_of_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"9_9": "AB"})
    assert main(["report", *files.options(), "--out", str(tmp_path / "out")]) == 2
    assert (
        "has no run of any episode in R2R_val.json; give the episodes of its split"
        in capsys.readouterr().err
    )


@pytest.mark.usefixtures("qapp")
def test_pictures_of_the_steps_are_in_the_page(tmp_path: Path) -> None:
    for name in "AB":
        four_views(tmp_path / "pictures" / "line", name + "_{}.png")
    text = report(tmp_path, {"7_0": "ABC"}, "--pictures", str(tmp_path / "pictures"))
    sources = [a["src"] for tag, a in Page(text).found if tag == "img"]
    # There are none of C.
    assert len(sources) == 2
    assert all(source and source.startswith("data:image/jpeg;base64,") for source in sources)
    assert "pictures of steps are left out" not in text


def test_the_table_has_every_attempt_in_the_order_of_the_file(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    runs = [("7_0", "ABC"), ("7_1", "AB"), ("7_0", "ABABC"), ("9_9", "AB"), ("7_0", "A")]
    files.results.write_text(
        json.dumps(
            [{"instr_id": name, "trajectory": [[p, 0, 0] for p in path]} for name, path in runs]
        )
    )
    table, out = tmp_path / "t.csv", str(tmp_path / "out")
    assert main(["report", *files.options(), "--out", out, "--table", str(table)]) == 1
    with table.open(encoding="utf-8-sig", newline="") as stream:
        lines = [(row["episode_id"], row["attempt"], row["TL"]) for row in csv.DictReader(stream)]
    assert [line[:2] for line in lines] == [("7_0", "1"), ("7_1", "1"), ("7_0", "2"), ("7_0", "3")]
    assert [float(line[2]) for line in lines] == [4.0, 2.0, 8.0, 0.0]
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert Page(text).count("details", "episode") == 2


def test_scores_without_a_path_are_shown_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"scene_id": "s", "episode_id": 1, "success": 1.0, "spl": 0.75, "os": 1.0, "ne": 1.5}
    other = {**line, "episode_id": 2, "success": 0.0, "spl": math.nan, "ne": 4.5}
    (tmp_path / "result.json").write_text(f"{json.dumps(line)}\n{json.dumps(other)}\n")
    assert main(["report", str(tmp_path / "result.json"), "--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "warning: the file states scores and no path: there is none" in out
    page = (tmp_path / "out" / "report.html").read_text()
    why = "There is no path to show: the source states scores without a path."
    assert f"{why} · success 1.000 · spl 0.750" in page
    assert "ended by: not stated" in page
    stated = page.partition('<table id="stated">')[2].partition("</table>")[0]
    cells = [re.findall("<td[^>]*>(.*?)</td>", row)[:3] for row in stated.split("<tr>")[2:]]
    assert ["<b>success</b>", "0.5000", "2 of 2"] in cells
    assert ["<b>spl</b>", "—", "0 of 2"] in cells
    assert ["<b>ne</b>", "3.0000", "2 of 2"] in cells
    assert "1; 0.7500 over the 1 known" in stated
    results = str(tmp_path / "result.json")
    assert main(["report", results, "--out", str(tmp_path / "out"), "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert main(["evaluate", "--results", results, "--json"]) == 0
    evaluated = json.loads(capsys.readouterr().out)
    for key in ("stated_by_source", "stated_rule"):
        assert reported[key] == evaluated[key]


def test_numbers_are_sorted_as_numbers_below_zero_too(tmp_path: Path) -> None:
    """Goal progress is negative for whoever went away; the worst are looked for first."""
    text = report(tmp_path, {"7_0": "ABC"})
    (comparing,) = re.findall(r"^function inOrder.*$", text, flags=re.MULTILINE)
    engine = pytest.importorskip("PySide6.QtQml").QJSEngine()
    engine.evaluate(comparing)
    cells = ["0.500", "-1.250", "12.000", "-8.000", "2.000", "-0.500"]
    sort = f"{json.dumps(cells)}.sort((a, b) => inOrder(a, b, true)).join()"
    assert engine.evaluate(sort).toString() == "-8.000,-1.250,-0.500,0.500,2.000,12.000"


def test_of_unknown_success_no_tag_says_anything(tmp_path: Path) -> None:
    """VLN-CE leaves success open without a navmesh, however near a run ends; so the page says."""
    text = report(tmp_path, {"7_0": "ABC", "7_1": "AB"}, "--profile", "vlnce")
    assert text.count('<td class="unknown">?</td>') == 2
    assert "no tag takes an episode for a success or a failure" in text
    assert not re.search(r"(perfect|early stop|late stop)( \(step \d+\))?:", text)
