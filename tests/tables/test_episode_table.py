"""Tables of episodes say their profile, why a value is missing, and run nothing."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fixtures.row_examples import FOUR, make_row, make_rows

from waypost.domain.base.errors import WriteError
from waypost.domain.causes.blind_marks import BlindCount
from waypost.domain.replay.run_rows import RunRows
from waypost.domain.replay.tags import TagKind
from waypost.metrics.registry import PROFILES
from waypost.services.replay.row_making import columns_of
from waypost.tables.episode_table import EpisodeCauses, write_episode_table


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_line_of_a_csv(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    causes = {"7_0": ("Door", "Region")}
    assert (
        write_episode_table(
            file, FOUR, causes=EpisodeCauses(causes, "ana", {"7_0": BlindCount(1, 0, 2)})
        )
        == 4
    )
    lines = read_csv(file)
    assert lines[1] == {
        "run": "model",
        "profile": "r2r",
        "episode_id": "7_0",
        "attempt": "1",
        "scene_id": "attic",
        "split": "val",
        "instruction": "Walk to the SOFA and stop.",
        "success": "false",
        "NE": "4.0",
        "NE_undefined": "",
        "SR": "0.0",
        "SR_undefined": "",
        "SPL": "0.0",
        "SPL_undefined": "",
        "tags": "looping; late_stop",
        "tag_steps": "1; 1",
        "causes": "Door; Region",
        "causes_by": "ana",
        "marks_blind": "1",
        "marks_seeing": "0",
        "marks_unknown": "2",
        "step_count": "3",
        "ended_by": "stop",
        "reference_m": "4.0",
        "turn_count": "0",
    }
    assert [lines[2][f"marks_{name}"] for name in BlindCount._fields] == ["0", "0", "0"]
    assert (lines[2]["SPL"], lines[2]["SPL_undefined"], lines[2]["success"]) == ("", "no way", "")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\t=1", '=HYPERLINK("x")'])
def test_texts_are_no_formulas(tmp_path: Path, text: str) -> None:
    file = tmp_path / "t.csv"
    write_episode_table(file, make_rows(make_row(text, instruction=text), name=text))
    (line,) = read_csv(file)
    assert line["episode_id"] == line["instruction"] == line["run"] == f"'{text}"


def test_only_the_rows_that_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    assert write_episode_table(file, FOUR, {("7_1", 1), ("7_0", 2)}) == 1
    assert [line["episode_id"] for line in read_csv(file)] == ["7_1"]


def test_parquet_has_types_nulls_and_definitions(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    write_episode_table(file, FOUR)
    table = pq.read_table(file)
    assert table.column("SPL").to_pylist() == [0.5, 0.0, None, 0.0]
    assert table.column("SPL_undefined").to_pylist() == [None, None, "no way", None]
    assert table.column("success").to_pylist() == [True, False, None, False]
    assert table.column("episode_id").to_pylist() == ["100_0", "7_0", "12_1", "7_1"]
    assert table.column("tags").to_pylist()[0] == ""
    metadata = table.schema.metadata
    assert metadata[b"waypost.profile"] == b"r2r"
    assert metadata[b"waypost.profile_title"] == b"Room-to-Room"
    assert json.loads(metadata[b"waypost.definitions"])["NE"] == {
        "definition": "Shortest way from the last viewpoint to the goal.",
        "unit": "m",
        "source": "R2R",
    }


def test_a_tag_without_a_step_has_an_empty_one(tmp_path: Path) -> None:
    row = make_row("1", tags=(TagKind.FALL,))
    object.__setattr__(row.tags[0], "step", None)
    file = tmp_path / "t.csv"
    write_episode_table(file, make_rows(row))
    assert read_csv(file)[0]["tag_steps"] == ""


@pytest.mark.parametrize("name", ["t.xlsx", "t", "t.csv.gz"])
def test_other_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(WriteError, match=r"written as \.csv or \.parquet"):
        write_episode_table(tmp_path / name, FOUR)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_a_file_that_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteError, match="cannot be written"):
        write_episode_table(tmp_path / "file" / name, FOUR)


@pytest.mark.parametrize("key", PROFILES)
def test_no_metric_has_the_name_of_another_column(tmp_path: Path, key: str) -> None:
    file = tmp_path / "t.parquet"
    write_episode_table(file, RunRows("", "", columns=columns_of(PROFILES[key])))
    names = pq.read_schema(file).names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_half_characters_are_spelled_out_in_every_text(tmp_path: Path, name: str) -> None:
    """JSON holds halves of surrogate pairs, in any text; no file in UTF-8 does."""
    odd = "\ud800a\udfff 😀"
    row = dataclasses.replace(
        make_row("7_0"), episode_id=odd, scene_id=odd, split=odd, instruction=odd, ended_by=odd
    )
    rows = dataclasses.replace(make_rows(row), name=odd, source=odd, profile_title=odd)
    causes = EpisodeCauses({odd: (odd,)}, odd)
    file = tmp_path / name
    assert write_episode_table(file, rows, causes=causes) == 1
    (line,) = read_csv(file) if file.suffix == ".csv" else pq.read_table(file).to_pylist()
    told = "⟨U+D800⟩a⟨U+DFFF⟩ 😀"
    texts = ("run", "episode_id", "scene_id", "split", "instruction", "causes", "causes_by")
    assert {line[key] for key in (*texts, "ended_by")} == {told}
    if file.suffix == ".parquet":
        assert pq.read_schema(file).metadata[b"waypost.source"].decode() == told
