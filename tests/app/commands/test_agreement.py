"""``waypost agreement`` on the published tables, odd tables and refused ones."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from waypost.app.main import main

_ = math.nan
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
)
FOUR_JUDGES = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4],
                        [8, 2, 8, 6, 9, 7]], float)  # fmt: skip


def table_file(folder: Path, *more: str) -> Path:
    """Both published tables as one file."""
    lines = ["item,rater,criterion,score"]
    for criterion, table in (("krippendorff", FOUR_OBSERVERS), ("shrout", FOUR_JUDGES)):
        for (rater, item), score in np.ndenumerate(table):
            text = "" if math.isnan(score) else f"{score:g}"
            lines.append(f"u{item},r{rater},{criterion},{text}")
    file = folder / "scores.csv"
    file.write_text("\n".join([*lines, *more]), encoding="utf-8")
    return file


def test_published_values_come_out_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agreement", "--scores", str(table_file(tmp_path)), "--json"]) == 0
    out = capsys.readouterr()
    criteria = json.loads(out.out)["criteria"]
    ours = criteria["krippendorff"]
    assert [ours[key] for key in ("items", "overlapping_items", "raters")] == [12, 11, 4]
    alphas = [ours[f"alpha_{level}"]["value"] for level in ("nominal", "ordinal", "interval")]
    assert alphas == pytest.approx([0.743, 0.815, 0.849], abs=5e-4)
    iccs = [criteria["shrout"][key]["value"] for key in ("icc_2_1", "icc_2_k")]
    assert [round(value, 2) for value in iccs] == [0.29, 0.62]
    assert set(ours) == {
        "items", "overlapping_items", "raters", "percentage", "kappa_quadratic",
        "alpha_nominal", "alpha_ordinal", "alpha_interval", "icc_2_1", "icc_2_k",
    }  # fmt: skip
    assert all(set(ours[key]) == {"value", "ci95", "undefined"} for key in list(ours)[3:])
    assert "7 rows without a score" in out.err


def test_what_is_undefined_is_null_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scores.csv"
    rows = ["a,x,same,3", "a,y,same,3", "b,x,same,3", "b,y,same,3", "a,x,apart,3", "b,y,apart,4"]
    file.write_text("\n".join(["item;rater;criterion;score", *(r.replace(",", ";") for r in rows)]))
    assert main(["agreement", "--scores", str(file), "--json"]) == 0
    criteria = json.loads(capsys.readouterr().out)["criteria"]
    none = {"value": None, "ci95": None}
    assert criteria["same"]["percentage"] == {"value": 1.0, "ci95": [1.0, 1.0], "undefined": None}
    assert criteria["same"]["alpha_ordinal"] == {**none, "undefined": "no variation"}
    assert criteria["apart"]["icc_2_k"] == {**none, "undefined": "no overlap"}
    assert main(["agreement", "--scores", str(file)]) == 0
    text = capsys.readouterr().out
    assert "same: 2 overlapping items of 2, 2 raters" in text
    assert "undefined: no variation" in text
    assert "undefined: no overlap" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,rater,score\na,x,1", "line 1: the column criterion is missing"),
        ("item,rater,criterion,score\na,x,c,three", "line 2, score: 'three' is no finite number"),
        ("item,rater,criterion,score\na,x,c,nan", "line 2, score: 'nan' is no finite number"),
        ("item,rater,criterion,score\n,x,c,1", "line 2, item: is empty"),
        ("item,rater,criterion,score\na,x,c,1\na,x,c,2", "line 3: repeats the c of a by x"),
        ("item,rater,criterion,score\na,x,c,", "score: there is no score in it"),
        ('item,rater,criterion,score\n"a"b,x,c,1', "line 2: is not CSV"),
        ("item,rater,criterion,score\na,x,c,1,2", "line 2: has 5 cells, the first line 4"),
    ],
)
def test_a_bad_table_is_refused_by_line_and_column(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(text)
    assert main(["agreement", "--scores", str(file)]) == 2
    assert f"{file}: {said}" in capsys.readouterr().err
