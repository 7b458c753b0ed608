"""Where two engines differ, the measured passage is uncertain, or it is said who contradicts it."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from waypost.domain.scene.graph import Edge, EdgeKind, Node, build_graph
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.conformance import disputed
from waypost.services.conformance.agreement import (
    AskedDrive,
    DriveEnd,
    DriveSeries,
    EngineAgreement,
    agreement,
)
from waypost.services.conformance.disputed import with_passages
from waypost.services.conformance.examination import Course
from waypost.services.conformance.rooms import HUMAN, floor, post_door, scene

START_M, END_M = (-1.0, 0.0, 0.0), (2.0, 0.0, 0.0)
PASSAGE = Passage("a", "b", "human")
ASKED = AskedDrive(PASSAGE, "hall", "room", START_M, END_M)


def course(door_m: float) -> Course:
    """A human, half a metre wide, and a door in the middle between two nodes."""
    nodes = [Node("a", "hall", START_M), Node("b", "room", END_M)]
    graph = build_graph(nodes, [Edge("e", "a", "b", EdgeKind.WALK)])
    room = scene(floor(), *post_door(door_m))
    return Course("room", room, MappingProxyType({"human": HUMAN}), (ASKED,), graph)


def differing(*ends: tuple[DriveEnd, DriveEnd]) -> EngineAgreement:
    reference, other = (
        DriveSeries(name, of_engine, 1.0)
        for name, of_engine in zip("ro", zip(*ends, strict=True), strict=True)
    )
    return agreement([ASKED] * len(ends), reference, other)


STOPS = DriveEnd(reached=False, reason="obstacle", stopped_at_m=(0.0, 0.0, 0.0))
ARRIVES = DriveEnd(reached=True, reason="", stopped_at_m=END_M)
SLIDES = DriveEnd(reached=True, reason="", stopped_at_m=END_M, displacement_m=0.3)


@pytest.mark.parametrize(
    ("wider_m", "straight", "contradicted"),
    [
        (0.3, Verdict.TRAVELS, [("engine",), ("reference", "engine")]),
        (-0.2, Verdict.DOES_NOT, [("engine",), ()]),
    ],
)
def test_a_certain_passage_names_the_engine_that_contradicts_it(wider_m, straight, contradicted):
    heard: list[int] = []
    drives = differing((STOPS, ARRIVES), (STOPS, SLIDES))
    if straight is Verdict.TRAVELS:
        drives = differing((ARRIVES, STOPS), (STOPS, SLIDES))
    found = with_passages(drives, course(HUMAN.width_m + wider_m), lambda: heard.append(1))
    measured = [drive.measured for drive in found.different]
    assert [(one.straight, one.contradicted_by) for one in measured] == [
        (straight, engines) for engines in contradicted
    ]
    assert not any(one.is_uncertain for one in measured)
    assert len(heard) == 1, "a passage is measured once"
    assert found.as_json()["different"][0]["passage"] == {
        "uncertain": False,
        "answer": measured[0].answer.value,
        "straight": straight.value,
        "words": measured[0].words,
        "contradicted_by": list(contradicted[0]),
    }


def test_an_uncertain_passage_is_contradicted_by_nobody(monkeypatch):
    measures = disputed.measure_passages

    def doubted(*given, **named):
        for measure in measures(*given, **named):
            yield disputed.replace(measure, straight=Verdict.UNCERTAIN)

    monkeypatch.setattr(disputed, "measure_passages", doubted)
    measured = with_passages(differing((STOPS, ARRIVES)), course(2.0)).different[0].measured
    assert measured.is_uncertain
    assert measured.contradicted_by == ()


def test_a_passage_that_cannot_be_measured_says_why():
    where = course(2.0)
    lost = disputed.replace(where, graph=build_graph([], []))
    measured = with_passages(differing((STOPS, ARRIVES)), lost).different[0].measured
    assert measured.words == "not measured: node 'a' is not in the graph"
    assert measured.as_json()["uncertain"] is None
