"""Every format of runs replays, and nothing that its log says is dropped on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.run_samples import NAVGPT, SAMPLES, V

from waypost.app.commands.replay import document
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.replay.finding import replay_one
from waypost.services.replay.loading import replay_all


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_format_replays(tmp_path: Path, name: str) -> None:
    file, text = SAMPLES[name]
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    request = RunSource((path,), result_format=name)
    steps = replay_all(request)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            replayed = end.value
            break
    runs = list(RUN_FORMATS.read(path, ReadLog(), name))
    assert 0 < len(replayed.episodes) <= len(runs)
    for shown in replayed.episodes:
        replay = shown.replay
        json.dumps(document(shown), allow_nan=False)
        taken = [step.decision for step in replay.steps() if step.decision is not None]
        assert taken == list(replay.run.decisions)
        poses = {step.pose for step in replay.steps()} - {None}
        assert poses == set(range(len(replay.run.route)))


def test_navgpt_thoughts_stand_where_they_were_thought(tmp_path: Path) -> None:
    path = tmp_path / "submit.json"
    path.write_text(json.dumps(NAVGPT))
    shown = replay_one(RunSource((path,)), NAVGPT[0]["instr_id"])
    told = [(s.viewpoint_id, s.event, s.thought) for s in shown.replay.steps()]
    assert told[:5] == [
        (V[0], "start", "the sofa is ahead"),
        (V[1], "no_move", "the lamp"),
        (V[1], "no_move", "I am lost"),
        (V[1], "backtrack", "wrong way"),
        (V[0], "return", "the door"),
    ]
    assert [s.event for s in shown.replay.steps()][5:] == ["move", "stop"]
    assert {tag.kind.value: tag.step for tag in shown.tags} == {"generation_error": 1}
