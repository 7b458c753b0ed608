"""Whatever an engine does while it is examined is a finding: it fails, dies, is not there."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import MappingProxyType

import pytest
from simulators.engines import start_engine

from waypost.domain.base.errors import EngineUnavailableError
from waypost.domain.scene.graph import build_graph
from waypost.domain.traverse.traversability import Passage
from waypost.services.conformance.agreement import AskedDrive
from waypost.services.conformance.examination import Course, examine
from waypost.services.conformance.rooms import HUMAN, floor, scene
from waypost.services.conformance.trial import Case, Trial
from waypost.simulators.client import SimulatorClient


def fine(trial: Trial) -> None:
    trial.client.load_scene(scene(floor()))


def wrong(trial: Trial) -> None:
    trial.equal("height", 1, 2)
    trial.holds("it is blue", truth=False)


def refused(trial: Trial) -> None:
    trial.client.load_scene(scene(floor()))
    trial.client.spawn(HUMAN, (99.0, 0.0, 0.0), 0.0)


def deadly(trial: Trial) -> None:
    os.kill(trial.client.process_id, signal.SIGKILL)
    trial.client.load_scene(scene(floor()))


def cases(*plays) -> tuple[Case, ...]:
    return tuple(
        Case("any", f"{number} {play.__name__}", play) for number, play in enumerate(plays)
    )


COURSE = Course(
    "room",
    scene(floor()),
    MappingProxyType({"human": HUMAN}),
    (
        AskedDrive(Passage("a", "b", "human"), "a", "b", (0.0, 0.0, 0.0), (2.0, 0.0, 0.0)),
        AskedDrive(Passage("c", "b", "human"), "nowhere", "b", (99.0, 0.0, 0.0), (2.0, 0.0, 0.0)),
    ),
    build_graph([], []),
)


@pytest.fixture
def start() -> Callable[[], SimulatorClient]:
    return lambda: start_engine("fake")


def test_failures_are_kept_and_the_engine_is_played_with_to_the_end(start):
    heard = []
    played = cases(fine, wrong, refused, deadly, fine)
    found = examine(start, played, [COURSE], {}, lambda: heard.append(1))
    assert (found.passed, found.unplayed, found.reason) == (2, 0, "")
    assert [failure.case for failure in found.failures] == ["1 wrong", "2 refused", "3 deadly"]
    assert found.failures[0].words == "height is 1, expected 2; it is not so that it is blue"
    assert "no floor within 2.5 m" in found.failures[1].words
    assert "can be restarted" in found.failures[2].words
    assert len(heard) == 5 + len(COURSE.drives)
    assert not found.conforms
    ends = found.series["room"].ends
    assert [end.reached for end in ends] == [True, False]
    assert ends[1].stopped_at_m is None
    assert found.steps_per_s > 0


def test_an_engine_agrees_with_itself(start):
    first = examine(start, cases(fine), [COURSE])
    second = examine(start, cases(fine), [COURSE], first.series)
    assert first.conforms
    assert second.conforms
    assert not first.agreements, "it is not compared with itself"
    one = second.agreements["room"]
    assert (one.drives, one.same_verdict, one.same_reason, one.stop_worst_m) == (2, 2, 2, 0.0)
    assert one.reference == "fake 1"


def test_an_engine_that_dies_again_and_again_is_left_alone(start, monkeypatch):
    monkeypatch.setattr("waypost.services.conformance.examination._MOST_RESTARTS", 1)
    found = examine(start, cases(*[deadly] * 4), [COURSE], {})
    assert len(found.failures) == 2
    assert found.unplayed == 2
    assert found.reason == "the engine died 2 times"
    assert found.as_json()["failed"] == 4
    assert not found.series


def test_an_engine_that_is_not_there_has_a_reason_and_no_numbers():
    def start():
        raise EngineUnavailableError("the engine 'x' cannot run: it is not here")

    found = examine(start, cases(fine), [COURSE])
    document = found.as_json()
    assert document["reason"] == "the engine 'x' cannot run: it is not here"
    assert document["version"] is None
    assert document["steps_per_s"] is None
    assert (document["passed"], document["failed"], document["agreement"]) == (0, 0, {})
    assert not found.conforms
