"""How far two series of drives agree, against numbers computed by hand."""

from __future__ import annotations

import pytest

from waypost.domain.base.errors import InputError
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.domain.traverse.traversability import Passage
from waypost.services.conformance.agreement import (
    AskedDrive,
    DriveEnd,
    DriveSeries,
    agreement,
    drives_over,
)
from waypost.services.conformance.rooms import HUMAN, WHEELCHAIR

WAY = AskedDrive(Passage("na", "nb", "human"), "a", "b", (0.0, 0.0, 0.0), (3.0, 0.0, 0.0))


def end(x_m: float | None, reason: str = "") -> DriveEnd:
    place = None if x_m is None else (x_m, 0.0, 0.0)
    return DriveEnd(not reason, reason, place, 1.0)


def series(*ends: DriveEnd, speed: float = 1000.0) -> DriveSeries:
    return DriveSeries("physx 3.0.3", ends, speed)


def test_verdicts_reasons_and_stops_are_counted():
    reference = series(
        end(3.0), end(1.0, "obstacle"), end(1.0, "step"), end(2.0, "drop"), end(None, "no floor")
    )
    other = series(
        end(3.0), end(1.004, "obstacle"), end(1.0, "obstacle"), end(3.0), end(None, "no floor"),
        speed=310.0,
    )  # fmt: skip
    found = agreement([WAY] * 5, reference, other)
    assert (found.drives, found.same_verdict, found.same_reason) == (5, 4, 3)
    # Four stops to compare: 0, 0, 4 mm and 1 m apart; numpy's linear quantiles of those.
    assert found.compared == 4
    assert found.stop_median_m == pytest.approx(0.002)
    assert found.stop_p90_m == pytest.approx(0.7 * 1.0 + 0.3 * 0.004)
    assert found.stop_worst_m == pytest.approx(1.0)
    assert [drive.reference.reason for drive in found.different] == ["step", "drop"]
    assert (found.steps_per_s, found.reference_steps_per_s) == (310.0, 1000.0)


def test_drives_that_never_began_have_no_stop():
    found = agreement([WAY], series(end(None, "x")), series(end(None, "y")))
    assert (found.compared, found.stop_median_m, found.stop_p90_m, found.stop_worst_m) == (
        0, None, None, None,
    )  # fmt: skip
    assert found.as_json()["stop_distance_m"] == {
        "compared": 0, "median": None, "p90": None, "worst": None,
    }  # fmt: skip


def graph(edges: int) -> NavigationGraph:
    nodes = [Node(f"n{i}", f"place {i}", (float(i), 0.0, 0.0)) for i in range(edges + 1)]
    return build_graph(
        nodes, [Edge(f"e{i}", f"n{i}", f"n{i + 1}", EdgeKind.WALK) for i in range(edges)]
    )


def test_drives_go_both_ways_for_every_agent_and_spread_over_the_graph():
    agents = {"human": HUMAN, "chair": WHEELCHAIR}
    every = drives_over(graph(3), agents, 1000)
    assert len(every) == 2 * 3 * 2
    assert {(d.start, d.target) for d in every} >= {
        ("place 0", "place 1"), ("place 1", "place 0"), ("place 3", "place 2"),
    }  # fmt: skip
    some = drives_over(graph(50), agents, 10)
    assert len(some) == 10
    assert some[0].passage == Passage("n0", "n1", "human")
    assert [d.start_m[0] for d in some if d.passage.agent_key == "chair"] == [
        0.0,
        10.0,
        20.0,
        30.0,
        40.0,
    ]
    assert len(drives_over(graph(3), agents, 1)) == 2


def test_a_graph_without_edges_is_refused():
    with pytest.raises(InputError, match="no edges"):
        drives_over(graph(0), {"human": HUMAN}, 10)
