from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from fixtures.recorded_takes import write_walk
from fixtures.study_examples import assigned, drive_next, study_of

from waypost.domain.base.errors import WriteError
from waypost.domain.record.study import Study, Take
from waypost.domain.record.study_edits import exclude_take
from waypost.domain.record.study_progress import counted_takes
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import frames_folder, has_frames, write_frame
from waypost.io.study_exports import (
    TABLES,
    CopyState,
    check_export_place,
    copy_takes,
    export_name,
    remove_earlier_export,
    write_manifest,
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
    # The folder of the project, whose recordings of two computers were put into folders.
    for name in ("P-1_7_0_take001", "P-1_123456_take001"):
        (out / "takes" / "laptop").mkdir(exist_ok=True)
        for suffix in (".csv", ".take.jsonl", ".parquet"):
            (out / "takes" / "laptop" / f"{name}{suffix}").write_text("mine")
        write_frame(
            frames_folder(out / f"takes/laptop/{name}.csv"), 0, np.zeros((4, 4, 3), np.uint8), None
        )
    mine = {path for path in (out / "takes" / "laptop").rglob("*") if path.is_file()}
    own, linked = (frames_folder(out / entry.file) for entry in copied)
    write_frame(own, 0, np.zeros((4, 4, 3), np.uint8), None)
    original = tmp_path / "original.frames"
    write_frame(original, 0, np.zeros((4, 4, 3), np.uint8), None)
    linked.symlink_to(original)
    assert remove_earlier_export(out) == 5
    left = {path for path in (out / "takes").rglob("*") if not path.is_dir()}
    assert left == {out / "takes" / "notes.csv", *mine}
    assert has_frames(original)


@pytest.mark.parametrize("name", [*TABLES, "manifest.json"])
def test_files_of_others_are_not_written_over(study: Study, tmp_path: Path, name: str) -> None:
    """A list of participants that a coordinator keeps in the folder of the project, say."""
    (tmp_path / name).write_text("mine")
    with pytest.raises(WriteError, match=rf"{name}: file: cannot be written: it is there already"):
        check_export_place(tmp_path)
    write_manifest(tmp_path / "manifest.json", study, (), ())
    check_export_place(tmp_path)


def test_names_are_safe_and_differ(study: Study) -> None:
    take = takes_of(study)[0]
    odd = take.key._replace(scene_id="a/../b", episode_id="x:y", participant="P 1")
    name = export_name(replace(take, key=odd))
    assert name.startswith("takes/P-1/a-..-b_x-y_")
    assert name.endswith("_take1.csv")
    other = export_name(replace(take, key=odd._replace(episode_id="x?y")))
    assert other.replace(other[-16:], "") != name
