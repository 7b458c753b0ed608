"""What is read for one replay, and what is said of the rest."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.services.replay.finding import READ_ON_BYTES, find_replay, replay_one

LARGE = "is large and was read as far as this run"
THOUGHT = "a" * 60_000


def line(number: int, thought: str = "") -> str:
    told = [{"first_pose": 0, "end_pose": 1, "thought": thought}] if thought else []
    run = {"waypost_run": 1, "episode_id": f"e{number}", "viewpoints": ["A"], "decisions": told}
    return json.dumps(run) + "\n"


def large(path: Path) -> int:
    """Runs of 60 kB each, a bit more than is read on, with damage at the end."""
    count = READ_ON_BYTES // len(THOUGHT) + 2
    with path.open("w") as out:
        out.writelines(line(number, THOUGHT) for number in range(count))
        out.write('{"waypost_run": 1, "episode_id": "cut')
    return count


def warned(path: Path, name: str) -> list[str]:
    warnings: list[str] = []
    exhaust(find_replay(RunSource((path,)), name, warnings=warnings))
    return warnings


def test_of_a_large_file_it_is_said_what_was_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    count = large(path)
    (sentence,) = warned(path, "e1")
    assert sentence.startswith(f"{path}: {LARGE}")
    # At the very end there is nothing left to look at, and the damage is met.
    (sentence,) = warned(path, f"e{count - 1}")
    assert "ends in the middle" in sentence


def test_a_packed_file_counts_ten_times(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    noise = random.Random(7)
    size, number = 0, 0
    with path.open("wb") as raw, gzip.open(raw, "wt") as out:
        while size <= READ_ON_BYTES // 10:
            out.write(line(number, noise.randbytes(100_000).hex()))
            size, number = raw.tell(), number + 1
        out.write(line(number))
    (sentence,) = warned(path, "e0")
    assert LARGE in sentence
    assert warned(path, f"e{number}") == []


def test_a_small_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(line(0) + line(1) + '{"waypost_run": 1')
    (sentence,) = warned(path, "e0")
    assert "ends in the middle" in sentence


def test_who_asks_for_no_warnings_reads_no_further(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(line(0) + "[broken\n" + line(1))
    assert replay_one(RunSource((path,)), "e0").replay.viewpoint_ids == ("A",)


def test_the_way_to_a_late_run_is_told(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(map(line, range(450))))
    told = []
    exhaust(find_replay(RunSource((path,)), "e449"), told.append)
    assert [progress.message for progress in told] == ["200 runs read", "400 runs read"]
    with pytest.raises(InputError, match="has no run of episode e450"):
        replay_one(RunSource((path,)), "e450")
