from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_takes import write_walk
from study_examples import assigned, drive_next, study_of

from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.record.study import Study, Take
from waypost.domain.record.study_edits import exclude_take
from waypost.domain.record.study_progress import counted_takes
from waypost.io.recordings.read_recording import read_recording
from waypost.io.study_exports import (
    CopyState,
    Table,
    copy_takes,
    export_name,
    remove_earlier_export,
    score_table,
    write_manifest,
    write_table_csv,
    write_table_parquet,
)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study with two takes whose files lie under ``project``."""
    study = assigned(study_of([1, 1], 1, count=2))
    for _ in range(2):
        study = drive_next(study, "P-0")
    takes = {}
    for key, take in study.takes.items():
        file = tmp_path / "project" / take.path
        write_walk(file, [(0, 0), (1, 0)], episode_id=key.episode_id)
        takes[key] = replace(take, content_hash=hashlib.sha256(file.read_bytes()).hexdigest())
    return replace(study, takes=MappingProxyType(takes))


def takes_of(study: Study) -> tuple[Take, ...]:
    return counted_takes(study)[0]


def test_takes_are_copied_whole_with_their_records(study: Study, tmp_path: Path) -> None:
    copied = copy_takes(tmp_path / "project", tmp_path / "out", takes_of(study))
    assert [entry.state for entry in copied] == [CopyState.COPIED] * 2
    for entry in copied:
        source = tmp_path / "project" / entry.take.path
        target = tmp_path / "out" / entry.file
        assert target.read_bytes() == source.read_bytes()
        assert read_recording(target).trajectory == read_recording(source).trajectory
        assert read_recording(target).is_complete


def test_a_missing_and_a_changed_file_are_said_and_not_copied(study: Study, tmp_path: Path) -> None:
    first, second = takes_of(study)
    (tmp_path / "project" / first.path).unlink()
    changed = tmp_path / "project" / second.path
    changed.write_bytes(changed.read_bytes() + b"\n")
    copied = copy_takes(tmp_path / "project", tmp_path / "out", (first, second))
    assert [entry.state for entry in copied] == [CopyState.MISSING, CopyState.CHANGED]
    assert not (tmp_path / "out").exists()


def test_the_manifest_says_what_is_in_and_why_the_rest_is_not(study: Study, tmp_path: Path) -> None:
    first, second = takes_of(study)
    study = exclude_take(study, second.key, "phone rang")
    counted, left_out = counted_takes(study)
    copied = copy_takes(tmp_path / "project", tmp_path / "out", counted)
    write_manifest(tmp_path / "out" / "manifest.json", study, copied, left_out)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    (entry,) = manifest["takes"]
    assert (
        hashlib.sha256((tmp_path / "out" / entry["file"]).read_bytes()).hexdigest()
        == (entry["sha256"])
    )
    assert (entry["participant"], entry["take"], entry["consent_version"]) == ("P-0", 1, 1)
    assert entry["episode_id"] == first.key.episode_id
    (out,) = manifest["left_out"]
    assert (out["episode_id"], out["reason"]) == (second.key.episode_id, "excluded: phone rang")
    assert manifest["consent_texts"][0]["sha256"] == hashlib.sha256(b"I agree.").hexdigest()


def test_only_the_files_of_an_earlier_export_are_removed(study: Study, tmp_path: Path) -> None:
    out = tmp_path / "out"
    copied = copy_takes(tmp_path / "project", out, takes_of(study))
    assert remove_earlier_export(out) == 0
    (out / "manifest.json").write_text('{"schema": "of another program"}')
    assert remove_earlier_export(out) == 0
    write_manifest(out / "manifest.json", study, copied, ())
    (out / "takes" / "notes.csv").write_text("mine")
    assert remove_earlier_export(out) == 4
    assert [path.name for path in (out / "takes").rglob("*")] == ["notes.csv"]


def test_names_are_safe_and_differ(study: Study) -> None:
    take = takes_of(study)[0]
    odd = take.key._replace(scene_id="a/../b", episode_id="x:y", participant="P 1")
    name = export_name(replace(take, key=odd))
    assert name.startswith("takes/P-1/a-..-b_x-y_")
    assert name.endswith("_take1.csv")
    other = export_name(replace(take, key=odd._replace(episode_id="x?y")))
    assert other.replace(other[-16:], "") != name


def scored(study: Study) -> tuple[Study, tuple[Take, ...]]:
    first, second = takes_of(study)
    first = replace(
        first, scores={"vlnce.SR": 1.0, "vlnce.NE": None}, score_notes={"vlnce.NE": "=no goal"}
    )
    return study, (first, second)


def test_the_table_of_scores_has_a_row_per_take(study: Study, tmp_path: Path) -> None:
    study, takes = scored(study)
    table = score_table(study, takes)
    write_table_csv(tmp_path / "scores.csv", table)
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
    write_table_parquet(tmp_path / "scores.parquet", score_table(study, takes))
    table = pq.read_table(tmp_path / "scores.parquet")
    assert table.num_rows == 2
    kinds = {field.name: str(field.type) for field in table.schema}
    assert (kinds["take"], kinds["vlnce.SR"], kinds["flag_low_rate"]) == ("int64", "double", "bool")
    assert table.column("vlnce.SR").to_pylist() == [1.0, None]
    assert table.column("vlnce.NE_undefined").to_pylist() == ["=no goal", "the take was not scored"]


def test_a_study_without_takes_gives_empty_tables(tmp_path: Path) -> None:
    table = score_table(assigned(study_of([1], 1)), ())
    write_table_parquet(tmp_path / "scores.parquet", table)
    assert pq.read_table(tmp_path / "scores.parquet").num_rows == 0


cells = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=9)


@given(st.lists(st.tuples(cells, st.none() | st.floats(allow_nan=False)), max_size=5))
def test_tables_read_back_as_they_were(tmp_path_factory, rows) -> None:
    folder = tmp_path_factory.mktemp("tables")
    table = Table((("text", str), ("number", float)), tuple(rows))
    write_table_parquet(folder / "t.parquet", table)
    found = pq.read_table(folder / "t.parquet").to_pylist()
    assert [(row["text"], row["number"]) for row in found] == rows
    write_table_csv(folder / "t.csv", table)
    with (folder / "t.csv").open(encoding="utf-8-sig", newline="") as stream:
        read = list(csv.reader(stream))[1:]
    assert [row[1] for row in read] == ["" if n is None else repr(n) for _, n in rows]
    for row, (text, _) in zip(read, rows, strict=True):
        assert not row[0].startswith(("=", "+", "-", "@"))
        assert row[0] in {text or "", f"'{text}"}


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    table = Table((("text", str),), (("\ud800",),))
    with pytest.raises(WriteError, match="is a file, not a folder"):
        write_table_csv(tmp_path / "file" / "t.csv", Table((("text", str),), ()))
    with pytest.raises(InputError, match="half a character"):
        write_table_csv(tmp_path / "t.csv", table)
