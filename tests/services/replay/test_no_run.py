"""Results of which no run can be replayed: the refusal names what is wrong, not something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.replay_files import RunFiles, write_run

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.services.replay.loading import replay_all
from waypost.services.replay.run_index import index_run


@pytest.fixture
def files(tmp_path: Path) -> RunFiles:
    return write_run(tmp_path, {"7_0": "ABC"})


def refusals(files: RunFiles, cache: Path) -> set[str]:
    """What a report and the window say."""
    asked = RunSource((files.results,), (files.annotations,), files.connectivity)
    said = set()
    for work in (replay_all(asked), index_run(asked, cache)):
        with pytest.raises(InputError) as caught:
            exhaust(work)
        said.add(str(caught.value))
    return said


def test_a_file_that_ends_within_its_first_run(files: RunFiles, tmp_path: Path) -> None:
    whole = json.dumps(json.loads(files.results.read_text()), indent=1)
    files.results.write_text(whole[: len(whole) // 2])
    (told,) = refusals(files, tmp_path / "cache")
    assert told.startswith(f"{files.results}: file: has no run that can be read; ")
    assert "R2R_val.json" not in told


def test_a_file_whose_only_run_cannot_be_read(files: RunFiles, tmp_path: Path) -> None:
    files.results.write_text(
        json.dumps([{"instr_id": "7_0", "trajectory": [["A", 0, 0], ["B", "far", 0]]}])
    )
    (told,) = refusals(files, tmp_path / "cache")
    assert "has no run that can be read; " in told
    assert "trajectory" in told


def test_runs_of_other_episodes_ask_for_the_right_annotations(
    files: RunFiles, tmp_path: Path
) -> None:
    files.results.write_text(files.results.read_text().replace("7_0", "8_0"))
    (told,) = refusals(files, tmp_path / "cache")
    assert "has no run of any episode in R2R_val.json" in told
