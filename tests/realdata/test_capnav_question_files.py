"""CapNav's own question files come back as they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from waypost.io.datasets.capnav_tasks import read_capnav_tasks, write_capnav_tasks

pytestmark = pytest.mark.realdata

WRITTEN_BY_PROGRAMS = (
    "peers/capnav/gt/s1-QA.json",
    "peers/capnav/gt/s2-QA.json",
    "found/runs/capnav_gt/s1-QA.json",
)


@pytest.mark.parametrize("name", WRITTEN_BY_PROGRAMS)
def test_byte_for_byte(shared_data: Path, name: str, tmp_path: Path) -> None:
    found = read_capnav_tasks(shared_data / name)
    write_capnav_tasks(tmp_path / "out.json", found.tasks, found.extra)
    assert (tmp_path / "out.json").read_bytes() == (shared_data / name).read_bytes()


def test_the_sample_that_was_laid_out_by_hand_differs_in_white_space_only(
    shared_data: Path, tmp_path: Path
) -> None:
    """Its ``["hallway"]`` stand on one line in an otherwise indented file."""
    sample = shared_data / "capnav" / "SAMPLE-QA.json"
    found = read_capnav_tasks(sample)
    write_capnav_tasks(tmp_path / "out.json", found.tasks, found.extra)
    written = (tmp_path / "out.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads(sample.read_text())
    assert "".join(written.split()) == "".join(sample.read_text(encoding="utf-8").split())
