from __future__ import annotations

from pathlib import Path

from fixtures.run_samples import SAMPLES, V

from waypost.domain.episode.route import Route
from waypost.domain.episode.run import EpisodeRun
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.read_log import ReadLog


def test_people_are_runs_of_the_instruction(tmp_path: Path) -> None:
    name, text = SAMPLES["rxr-follower"]
    (tmp_path / name).write_text(text)
    first, second = RUN_FORMATS.find(tmp_path / name).read(tmp_path / name, ReadLog())
    assert (first.episode_id, second.episode_id) == ("26", "27")
    assert first.route == Route((V[0], V[1]))
    assert first.reported["spl"] == 0.9479355350139731
    assert first.extra == {"demonstration_id": 31, "annotator_id": 43}


def test_other_runs_are_numbered(tmp_path: Path) -> None:
    entry = RUN_FORMATS.find(tmp_path, "rxr-follower")
    assert entry.write is not None
    path = tmp_path / "out.jsonl"
    entry.write(path, [EpisodeRun("26", Route((V[3],)), reported={"ne": None})], ReadLog())
    (run,) = entry.read(path, ReadLog())
    assert (run.episode_id, run.extra["demonstration_id"]) == ("26", 0)
    assert run.route == Route((V[3],))
