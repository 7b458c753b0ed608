from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from fixtures.recorded_takes import write_walk

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import exhaust
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.record.study import Take, TakeKey
from waypost.domain.record.take_rules import TakeRules
from waypost.domain.record.take_summary import summarise
from waypost.io.agent_files import shipped_agents
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import frames_folder, write_camera, write_frame
from waypost.io.recordings.take_records import records_path
from waypost.services.study.take_loading import load_take


def listed(file: Path) -> Take:
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    summary = summarise(read_recording(file))
    return Take(
        TakeKey("r2r", "scanA", "1_0", "P-AAAA", 1), file.name, digest, "", summary, TakeRules()
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "take.csv"
    write_walk(path, [(0.0, 0.0), (1.0, 0.0)])
    return path


def with_header(file: Path, **values: object) -> None:
    """Write more into the header of the records beside a file."""
    records = records_path(file)
    first, *rest = records.read_text().splitlines()
    header = json.loads(first)
    header.update(values)
    records.write_text("\n".join([json.dumps(header), *rest]) + "\n")


def test_a_take_is_read_with_what_its_views_need(file: Path) -> None:
    loaded = exhaust(load_take(listed(file), file, None))
    assert len(loaded.track) == 21
    assert loaded.eye_height_m == EYE_HEIGHT_M
    assert loaded.profile == shipped_agents()["human"]
    assert loaded.notes == ("drawn as a person: the file names no agent",)


def test_the_body_and_eyes_are_those_of_the_header(file: Path) -> None:
    wheelchair = shipped_agents()["wheelchair"]
    with_header(file, profile=asdict(wheelchair), eye_height_m=1.2)
    loaded = exhaust(load_take(listed(file), file, None))
    assert loaded.profile == wheelchair
    assert loaded.eye_height_m == 1.2
    assert loaded.notes == ()


def test_what_was_noted_while_it_was_recorded_is_told(file: Path) -> None:
    records = records_path(file)
    first, *rest = records.read_text().splitlines()
    marks = [("pause", "phone"), ("resume", ""), ("note", "the game controller was unplugged")]
    lines = [
        json.dumps({"kind": kind, "time_ns": 0, "wall_time_ns": 0, "detail": detail})
        for kind, detail in marks
    ]
    records.write_text("\n".join([first, *lines, *rest]) + "\n")
    notes = exhaust(load_take(listed(file), file, None)).notes
    assert notes[0] == "the game controller was unplugged"
    assert "phone" not in notes


@pytest.mark.parametrize("height", [None, "tall", True, -1.0, 80])
def test_eyes_that_cannot_be_are_those_of_a_person(file: Path, height: object) -> None:
    with_header(file, eye_height_m=height)
    assert exhaust(load_take(listed(file), file, None)).eye_height_m == EYE_HEIGHT_M


def test_a_body_that_cannot_be_is_told_of(file: Path) -> None:
    with_header(file, profile={**asdict(shipped_agents()["human"]), "width_m": -1.0})
    (note,) = exhaust(load_take(listed(file), file, None)).notes
    assert note.startswith("drawn as a person: ")
    assert "width_m" in note


def test_a_file_that_was_changed_is_told_of(file: Path) -> None:
    take = replace(listed(file), content_hash="0" * 64)
    assert "the file was changed since it was scored" in exhaust(load_take(take, file, None)).notes


def test_a_file_that_is_gone_or_empty_says_so(file: Path) -> None:
    take = listed(file)
    with pytest.raises((ReadError, OSError)):
        exhaust(load_take(take, file.with_name("gone.csv"), None))
    file.write_text(file.read_text().splitlines()[0] + "\n")
    with pytest.raises(InputError, match="no sample"):
        exhaust(load_take(take, file, None))


def test_frames_count_from_the_first_sample_also_where_it_cannot_be_used(file: Path) -> None:
    folder = frames_folder(file)
    write_camera(folder, {"field_of_view_rad": 1.5, "tilt_rad": 0.0})
    for time_ns in (0, 50_000_000):
        write_frame(folder, time_ns, np.zeros((4, 4, 3), np.uint8), None)
    names, first, *rest = file.read_text().splitlines()
    cells = first.split(",")
    cells[names.split(",").index("x_m")] = "?"
    file.write_text("\n".join([names, ",".join(cells), *rest]) + "\n")
    loaded = exhaust(load_take(listed(file), file, None))
    assert len(loaded.track) == 20
    assert loaded.frames is not None
    assert loaded.frames.source.place(loaded.frames.replay, 0) == "50000000"
