"""RxR's timed words reach the step card: from the files to the marked words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.rxr_files import TEXT, write_rxr, write_rxr_habitat, write_trace

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.instruction_parts import instruction_of_step
from waypost.domain.replay.replay import Replay
from waypost.services import guides
from waypost.services.guides import with_guide
from waypost.services.replay.finding import replay_one
from waypost.services.replay.run_index import RunIndex, index_run

NAME = "pose_traces/rxr_val_unseen/000026_guide_pose_trace.npz"
FIRST, SECOND, THIRD = "Leave the room", "walk past the sofa", "Stop at the lamp"


def marked(replay: Replay) -> list[list[str]]:
    told = [instruction_of_step(replay, step) for step in range(len(replay))]
    assert {step.text for step in told} == {TEXT}
    return [[TEXT[start:end] for start, end in step.spans] for step in told]


def rxr(folder: Path) -> RunSource:
    files = write_rxr(folder / "rxr-data")
    return RunSource((files.results,), (files.annotations,), files.connectivity)


def index(asked: RunSource, folder: Path) -> RunIndex:
    return exhaust(index_run(asked, folder / "cache"))


def test_words_of_an_rxr_walk(tmp_path: Path) -> None:
    asked = rxr(tmp_path)
    write_trace(tmp_path / "rxr-data" / NAME)
    # A, a turn in place, B, up to U off the reference, back to B, C. "and" was said on the way.
    expected = [[FIRST], [FIRST], [SECOND], [], [SECOND], [THIRD]]
    for _ in range(2):  # the second time from the cache
        assert marked(index(asked, tmp_path).replayed("26").replay) == expected
    assert marked(replay_one(asked, "26").replay) == expected


def test_words_of_an_rxr_habitat_walk(tmp_path: Path) -> None:
    annotations, results = write_rxr_habitat(tmp_path / "RxR_VLNCE_v0")
    write_trace(tmp_path / "rxr-data" / NAME)
    made = index(RunSource((results,), (annotations,)), tmp_path)
    assert marked(made.replayed("26").replay) == [[FIRST], [FIRST], [SECOND], [THIRD], []]


def test_a_trace_that_comes_later_is_found(tmp_path: Path) -> None:
    asked = rxr(tmp_path)
    made = index(asked, tmp_path)
    told = instruction_of_step(made.replayed("26").replay, 0)
    assert (told.spans, "no pose trace" in told.note) == ((), True)
    write_trace(tmp_path / "rxr-data" / NAME)
    assert marked(made.replayed("26").replay)[0] == [FIRST]


def test_a_damaged_trace_is_told_on_the_card(tmp_path: Path) -> None:
    asked = rxr(tmp_path)
    path = write_trace(tmp_path / "rxr-data" / NAME)
    path.write_bytes(path.read_bytes()[:-40])
    shown = index(asked, tmp_path).replayed("26")
    told = instruction_of_step(shown.replay, 0)
    assert told.spans == ()
    assert told.note.count(str(path)) == 1
    assert "is no whole numpy archive" in told.note
    assert len(shown.replay) == 6


def test_no_trace_is_read_for_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = rxr(tmp_path)
    write_trace(tmp_path / "rxr-data" / NAME)
    read: list[Path] = []
    reader = guides.read_guide_trace
    monkeypatch.setattr(guides, "read_guide_trace", lambda path: read.append(path) or reader(path))
    made = index(asked, tmp_path)
    assert read == []
    made.replayed("26")
    assert read == [tmp_path / "rxr-data" / NAME]


def test_an_episode_without_timed_words_needs_no_trace(tmp_path: Path) -> None:
    write_trace(tmp_path / "000026_guide_pose_trace.npz")
    episode = replay_one(rxr(tmp_path), "26").replay.episode
    plain = replace(episode, instruction=replace(episode.instruction, words=()))
    annotations = (tmp_path / "a.jsonl",)
    assert with_guide(plain, annotations) is plain
    assert with_guide(episode, annotations).guide is not None
