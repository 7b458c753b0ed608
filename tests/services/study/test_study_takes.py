from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from fixtures.recorded_takes import EPISODE, KEY, study_of_walks, walk, write_walk
from fixtures.study_examples import NOON, with_people

from waypost.domain.base.errors import ReadError
from waypost.domain.record.study import (
    AssignmentKey,
    AssignmentState,
    EpisodeKey,
    Study,
)
from waypost.domain.record.study_edits import adopt_takes
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_records import records_path
from waypost.metrics.profile import Scenery
from waypost.services.study.take_scoring import score_recording
from waypost.services.study.takes import find_new_takes, take_of_file


@pytest.fixture
def study() -> Study:
    return study_of_walks()


def test_a_recording_becomes_the_next_take_with_scores(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "recordings" / "one.csv"
    write_walk(file, [(0, 0), (4, 0)])
    take = take_of_file(study, tmp_path / "deep" / "project", file, lambda key: EPISODE)
    assert take.key == (*KEY, "P-AAAA", 1)
    assert take.path == "../../recordings/one.csv"
    assert take.content_hash == hashlib.sha256(file.read_bytes()).hexdigest()
    assert (take.summary.rows, take.started_utc) == (81, NOON)
    assert take.profile == "vlnverse"
    assert {name.partition(".")[0] for name in take.scores} == {"vlnverse"}
    assert take.scores["vlnverse.SR"] == 1.0
    assert take.scores["vlnverse.NE"] == pytest.approx(0.0, abs=1e-9)
    assert take.scores["vlnverse.SR_n"] is None
    assert take.score_notes["vlnverse.SR_n"] == "the episode has no stages"


def test_without_the_episode_a_take_has_no_scores(study: Study, tmp_path: Path) -> None:
    write_walk(tmp_path / "one.csv", [(0, 0), (4, 0)])
    take = take_of_file(study, tmp_path, tmp_path / "one.csv", lambda key: None)
    assert take.scores == {}
    assert take.profile == ""
    scored = score_recording(walk([(0, 0), (4, 0)]), EPISODE, Scenery())
    assert scored.values["vlnverse.OSR"] == 1.0


def test_a_recording_of_no_study_is_refused(study: Study, tmp_path: Path) -> None:
    write_walk(tmp_path / "one.csv", [(0, 0), (4, 0)], participant="")
    with pytest.raises(ReadError, match="names no episode and participant"):
        take_of_file(study, tmp_path, tmp_path / "one.csv", lambda key: None)


def test_only_unlisted_recordings_of_the_study_are_found(study: Study, tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    write_walk(folder / "b.csv", [(0, 0), (1, 0)], started_utc="2026-11-28T12:00:05+00:00")
    write_walk(folder / "z.csv", [(0, 0), (2, 0)], started_utc="2026-11-28T12:00:01+00:00")
    write_walk(folder / "other.csv", [(0, 0), (1, 0)], episode_id="9")
    write_walk(folder / "nobody.csv", [(0, 0), (1, 0)], participant="")
    write_walk(folder / "broken.csv", [(0, 0), (1, 0)])
    records_path(folder / "broken.csv").write_text("{}\n")
    takes, problems = find_new_takes(study, tmp_path, folder, lambda key: EPISODE)
    assert [(take.path, take.key.number) for take in takes] == [
        ("recordings/z.csv", 1),
        ("recordings/b.csv", 2),
    ]
    assert len(problems) == 1
    assert "broken.take.jsonl: line 1: is not the header" in problems[0]
    more, _ = find_new_takes(with_people(study, 1), tmp_path, folder, lambda key: None)
    assert [take.key.assignment for take in more] == [AssignmentKey(*KEY, "P-AAAA")] * 2


def test_copies_of_a_recording_are_taken_in_once(study: Study, tmp_path: Path) -> None:
    write_walk(tmp_path / "takes" / "one.csv", [(0, 0), (1, 0)])
    shutil.copytree(tmp_path / "takes", tmp_path / "takes again")

    def found(known: Study) -> list[str]:
        return [take.path for take in find_new_takes(known, tmp_path, tmp_path, _no_episode)[0]]

    first = find_new_takes(study, tmp_path, tmp_path, _no_episode)[0]
    listed = adopt_takes(study, first, NOON)
    shutil.copytree(tmp_path / "takes", tmp_path / "export" / "takes")
    assert [take.path for take in first] == ["takes/one.csv"]
    assert found(listed) == []
    # Where the one that is listed has gone, its copy is all there is.
    shutil.rmtree(tmp_path / "takes")
    shutil.rmtree(tmp_path / "takes again")
    assert found(listed) == ["export/takes/one.csv"]
    moved = find_new_takes(listed, tmp_path, tmp_path, _no_episode)[0]
    (take,) = adopt_takes(listed, moved, NOON).takes.values()
    assert (take.key.number, take.path) == (1, "export/takes/one.csv")


@pytest.mark.parametrize("rows", [30, 81])
def test_a_recording_that_was_found_under_way_is_found_again_once_it_has_ended(
    study: Study, tmp_path: Path, rows: int
) -> None:
    """Somebody looked for recordings when so many of its samples were in the file."""
    file = tmp_path / "takes" / "one.csv"
    write_walk(file, [(0, 0), (4, 0)])
    samples, records = file.read_bytes(), records_path(file).read_bytes()
    file.write_bytes(b"".join(samples.splitlines(keepends=True)[: rows + 1]))
    records_path(file).write_bytes(records.splitlines(keepends=True)[0])
    study = adopt_takes(study, find_new_takes(study, tmp_path, tmp_path, _no_episode)[0], NOON)
    (cut,) = study.takes.values()
    assert (cut.summary.rows, cut.summary.is_complete) == (rows, False)
    assert find_new_takes(study, tmp_path, tmp_path, _no_episode) == ((), ())
    file.write_bytes(samples)
    records_path(file).write_bytes(records)
    takes, problems = find_new_takes(study, tmp_path, tmp_path, lambda key: EPISODE)
    assert problems == ()
    study = adopt_takes(study, takes, NOON)
    (take,) = study.takes.values()
    assert (take.key, take.summary.rows, take.summary.is_complete) == (cut.key, 81, True)
    assert take.scores["vlnverse.SR"] == 1.0
    assert study.assignments[take.key.assignment].state is AssignmentState.DONE
    assert find_new_takes(study, tmp_path, tmp_path, _no_episode) == ((), ())


def test_a_recording_that_was_changed_before_it_was_found_is_refused(
    study: Study, tmp_path: Path
) -> None:
    """A spreadsheet saved it, say; an export would not have it either."""
    file = tmp_path / "one.csv"
    write_walk(file, [(0, 0), (4, 0)])
    file.write_text(file.read_text().replace("3.95,", "9.95,"))
    assert len(read_recording(file).trajectory) == 81
    takes, problems = find_new_takes(study, tmp_path, tmp_path, _no_episode)
    assert takes == ()
    (problem,) = problems
    assert problem == f"{file}: file: was changed after it was recorded; it is not taken in"


def test_a_recording_that_says_no_time_is_refused(study: Study, tmp_path: Path) -> None:
    """Everything that goes by when a take began would stop at it."""
    write_walk(tmp_path / "one.csv", [(0, 0), (4, 0)], started_utc="yesterday")
    takes, problems = find_new_takes(study, tmp_path, tmp_path, _no_episode)
    assert takes == ()
    assert problems == (f"{tmp_path / 'one.csv'}: header: started_utc: 'yesterday' is no time",)


def _no_episode(_key: EpisodeKey) -> None:
    return None
