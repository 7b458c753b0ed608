"""Seventy instructions of two benchmarks, scored in the window by three raters; one by hand."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from gui.user import User
from PySide6.QtWidgets import QTableWidget

from waypost.app.main import main
from waypost.app.score.batch_dialog import BatchFields
from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.project import Project
from waypost.domain.score.fairness import scores_to_compare
from waypost.domain.score.sheet import SheetState
from waypost.io.scores.instruction_files import InstructionFile, read_instructions
from waypost.metrics.agreement.score_agreement import COEFFICIENTS, score_agreement
from waypost.metrics.score_means import counted_rows, score_means
from waypost.store.project_store import ProjectStore
from waypost.tables.score_tables import score_mean_frame

pytestmark = [pytest.mark.gui, pytest.mark.realdata, pytest.mark.no_cover]

RATERS = ("ana", "ben", "cem")
TABLE = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text(encoding="utf-8")


def simulated(rater: str, criterion: str, item: str) -> int:
    """A score from 1 to 5: mostly what the item deserves, by one off now and then."""
    deserved = 2 + zlib.crc32(f"{criterion} {item}".encode()) % 3
    return deserved + (0, 0, 0, 1, -1)[zlib.crc32(f"{rater} {criterion} {item}".encode()) % 5]


def instructions(shared_data: Path) -> InstructionFile:
    """Ten fine-grained ones, ten coarse ones in three styles, and the first 30 of R2R."""
    graphs = shared_data / "r2r" / "connectivity"
    fine, coarse, r2r = (
        read_instructions(shared_data / name, graphs).instructions
        for name in (
            "vlnverse/fine_grained_demo.json",
            "vlnverse/coarse_grained_demo.json",
            "r2r/R2R_val_unseen.json",
        )
    )
    own = (replace(entry, source="VLNVerse") for entry in (*fine, *coarse))
    return InstructionFile("", (*own, *(replace(entry, source="R2R") for entry in r2r[:30])))


def test_three_raters_score_a_batch_in_the_window(
    user: User, shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pilot.waypost"
    ProjectStore.create(file, Project("pilot"), "lea").close()
    bench = user.window.bench
    bench.open_path(file)
    user.wait(lambda: bench.document is not None)
    user.press("Ctrl+4")
    user.wait(lambda: user.window.workspaces.shown.scope == "score")
    scoring = user.window.workspaces.current
    assert isinstance(scoring, ScoreWorkspace)
    fields = BatchFields("pilot", "", "vlnverse-fine", "", RATERS, 1.0, 7, "", "")
    assert scoring.files.make(fields, instructions(shared_data)) == ""
    for rater in RATERS:
        bench.change_settings(replace(bench.settings, annotator=rater))
        score_all(scoring, rater)
    book = user.project.scoring
    assert len(book.sheets) == 3 * 70
    assert {sheet.state for sheet in book.sheets.values()} == {SheetState.SUBMITTED}
    for key, sheet in book.sheets.items():
        assert dict(sheet.scores) == {
            name: simulated(key.rater, name, key.item) for name in sheet.scores
        }
    assert all(book.instruction("pilot", entry.key.item).path_m for entry in book.items_of("pilot"))
    agreed = score_agreement(scores_to_compare(book, "pilot", "lea"))
    out = tmp_path / "pilot.csv"
    scoring.files.export(out)
    user.wait(out.exists)
    user.window.bench.document.save_now()
    assert main(["agreement", "--scores", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["criteria"]
    for name, row in agreed.items():
        for key, coefficient in row.coefficients.items():
            assert told[name][key]["value"] == coefficient.value
    assert_one_number_everywhere(user, scoring, file, capsys)
    fine = {entry.item for entry in instructions(shared_data).instructions[:10]}
    by_hand = [s for s in scores_to_compare(book, "pilot", "lea") if s.item in fine]
    clarity = score_agreement(by_hand)["clarity"].coefficients
    values = [clarity[n].value for n in ("percentage", "alpha_nominal", "alpha_interval")]
    assert values == pytest.approx([17 / 30, 0.400, 0.733], abs=5e-4)
    for item in fine:
        cells = " | ".join(str(simulated(rater, "clarity", item)) for rater in RATERS)
        assert f"| {item} | {cells} |" in TABLE


def assert_one_number_everywhere(
    user: User, scoring: ScoreWorkspace, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Window, command and frame have the same agreement, mean, counts and worst instruction."""
    bench = user.window.bench
    bench.change_settings(replace(bench.settings, annotator="lea"))
    user.press("R")
    results = scoring.results
    user.wait(lambda: results.means.table.rowCount() > 0)
    words = ["score", "results", "--project", str(file), "--batch", "pilot", "--author", "lea"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = [[cell(results.means.table, row, n) for n in range(6)] for row in range(15)]
    casual = next(row for row in rows if row[:3] == ["VLNVerse", "casual", "Clarity"])
    mean = next(m for m in told["means"] if (m["task"], m["criterion"]) == ("casual", "clarity"))
    by_item: dict[str, list[int]] = {}
    for key, sheet in user.project.scoring.sheets.items():
        if key.item.endswith(" casual"):
            by_item.setdefault(key.item, []).append(sheet.scores["clarity"])
    by_hand = sum(sum(given) / 3 for given in by_item.values()) / 10
    assert mean["mean"] == pytest.approx(by_hand)
    assert casual[3] == f"{by_hand:.2f} [{mean['ci95'][0]:.2f}, {mean['ci95'][1]:.2f}]"
    frame = score_mean_frame(
        score_means(counted_rows(user.project.scoring, "pilot", "lea"))
    ).set_index(["task", "criterion"])
    assert frame.loc[("casual", "clarity"), "mean"] == mean["mean"]
    alpha = told["criteria"]["clarity"]["alpha_ordinal"]
    place = list(COEFFICIENTS).index("alpha_ordinal")
    assert cell(results.agreement.table, place, 2) == (
        f"{alpha['value']:.3f} [{alpha['ci95'][0]:.3f}, {alpha['ci95'][1]:.3f}]"
    )
    given = told["score_counts"]["clarity"]["scores"]
    assert [cell(results.counts.table, 0, n) for n in range(1, 6)] == [*map(str, given.values())]
    assert sum(given.values()) == 210
    assert results.worst._model.rows[0].key == told["worst_items"][0]["item"]


def cell(table: QTableWidget, row: int, column: int) -> str:
    found = table.item(row, column)
    assert found is not None
    return found.text()


def score_all(scoring: ScoreWorkspace, rater: str) -> None:
    """Go through the batch as its rater does: score what is asked, submit, go on."""
    for _ in scoring.desk.items:
        item = scoring.item
        assert not any(chain(scoring.desk.shown()[1].scores))
        for criterion in scoring.face.asked:
            scoring.face.set_current(criterion)
            scoring.give(simulated(rater, criterion, item))
        scoring.submit()
