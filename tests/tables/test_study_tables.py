"""Tables of takes, and the files that frames are written to."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from fixtures.study_examples import assigned, drive_next, study_of
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.record.study import Study, Take
from waypost.domain.record.study_progress import counted_takes
from waypost.tables.frames import frame_of, write_csv, write_parquet
from waypost.tables.study_tables import take_frame


@pytest.fixture
def study() -> Study:
    """A study with two takes."""
    study = assigned(study_of([1, 1], 1, count=2))
    return drive_next(drive_next(study, "P-0"), "P-0")


def takes_of(study: Study) -> tuple[Take, ...]:
    return counted_takes(study)[0]


def pairs(*rows: tuple[str | None, float | None]) -> pd.DataFrame:
    """A frame of a text and a number."""
    cells = {"text": (str, lambda row: row[0]), "number": (float, lambda row: row[1])}
    return frame_of(rows, cells)


def scored(study: Study) -> tuple[Study, tuple[Take, ...]]:
    first, second = takes_of(study)
    first = replace(
        first, scores={"vlnce.SR": 1.0, "vlnce.NE": None}, score_notes={"vlnce.NE": "=no goal"}
    )
    return study, (first, second)


def test_the_table_of_scores_has_a_row_per_take(study: Study, tmp_path: Path) -> None:
    study, takes = scored(study)
    table = take_frame(study, takes)
    write_csv(tmp_path / "scores.csv", table)
    text = (tmp_path / "scores.csv").read_text(encoding="utf-8")
    assert text.startswith("\ufeffparticipant,dataset,split,")
    rows = list(csv.DictReader(text.removeprefix("\ufeff").splitlines()))
    assert [row["vlnce.SR"] for row in rows] == ["1.0", ""]
    assert [row["vlnce.SR_undefined"] for row in rows] == ["", "the take was not scored"]
    assert [row["vlnce.NE"] for row in rows] == ["", ""]
    assert rows[0]["vlnce.NE_undefined"] == "'=no goal"
    assert (rows[0]["duration_s"], rows[0]["achieved_rate_hz"]) == ("60.0", "20.0")
    assert (rows[0]["flag_collisions"], rows[0]["outcome"]) == ("false", "done")
    assert [row["place"] for row in rows] == ["0", "1"]


def test_parquet_has_the_types_and_nulls(study: Study, tmp_path: Path) -> None:
    study, takes = scored(study)
    write_parquet(tmp_path / "scores.parquet", take_frame(study, takes))
    table = pq.read_table(tmp_path / "scores.parquet")
    assert table.num_rows == 2
    kinds = {field.name: str(field.type) for field in table.schema}
    assert (kinds["take"], kinds["vlnce.SR"], kinds["flag_low_rate"]) == ("int64", "double", "bool")
    assert table.column("vlnce.SR").to_pylist() == [1.0, None]
    assert table.column("vlnce.NE_undefined").to_pylist() == ["=no goal", "the take was not scored"]


def test_a_study_without_takes_gives_empty_tables(tmp_path: Path) -> None:
    table = take_frame(assigned(study_of([1], 1)), ())
    write_parquet(tmp_path / "scores.parquet", table)
    assert pq.read_table(tmp_path / "scores.parquet").num_rows == 0


cells = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=9)


@given(st.lists(st.tuples(cells, st.none() | st.floats(allow_nan=False)), max_size=5))
def test_tables_read_back_as_they_were(tmp_path_factory, rows) -> None:
    folder = tmp_path_factory.mktemp("tables")
    table = pairs(*rows)
    write_parquet(folder / "t.parquet", table)
    found = pq.read_table(folder / "t.parquet").to_pylist()
    assert [(row["text"], row["number"]) for row in found] == rows
    write_csv(folder / "t.csv", table)
    with (folder / "t.csv").open(encoding="utf-8-sig", newline="") as stream:
        read = list(csv.reader(stream))[1:]
    assert [row[1] for row in read] == ["" if n is None else repr(n) for _, n in rows]
    for row, (text, _) in zip(read, rows, strict=True):
        assert not row[0].startswith(("=", "+", "-", "@"))
        assert row[0] in {text or "", f"'{text}"}


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match="is a file, not a folder"):
        write_csv(tmp_path / "file" / "t.csv", pairs())
    with pytest.raises(InputError, match="half a character"):
        write_csv(tmp_path / "t.csv", pairs(("\ud800", 1.0)))
