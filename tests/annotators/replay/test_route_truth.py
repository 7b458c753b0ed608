"""What labels say about a predicted route."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from waypost.annotators.replay.edge_truth import edge_marks
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.domain.traverse.route_truth import route_truth, viewpoints_of_nodes
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    PassageState,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)


def graph() -> NavigationGraph:
    nodes = [
        Node("n1", "Hall", (0.0, 0.0, 0.0)),
        Node("n2", "Bath", (3.0, 4.0, 0.0)),
        Node("n3", "Attic", (3.0, 4.0, 3.0)),
    ]
    return build_graph(nodes, [Edge("e1", "n1", "n2"), Edge("e2", "n2", "n3")])


NOW = Circumstances()


def labels() -> MappingProxyType[Passage, TraversabilityLabel]:
    made = [
        TraversabilityLabel(
            Passage("n1", "n2", "wheelchair"), Verdict.DOES_NOT, Reason.TOO_NARROW, "0.60 m"
        ),
        TraversabilityLabel(Passage("n2", "n1", "wheelchair"), Verdict.TRAVELS),
        TraversabilityLabel(
            Passage("n2", "n3", "wheelchair"),
            Verdict.UNCERTAIN,
            provenance=Provenance(scene_hash="old"),
        ),
    ]
    return MappingProxyType({label.passage: label for label in made})


def test_each_move_has_its_truth() -> None:
    route = ["n1", "n2", "n2", "n1", "n3", "n9"]
    found = route_truth(route, graph(), labels(), "wheelchair", now=NOW)
    assert [(edge.from_id, edge.to_id, edge.state) for edge in found] == [
        ("n1", "n2", PassageState.DOES_NOT),
        ("n2", "n1", PassageState.TRAVELS),
        ("n1", "n3", PassageState.DOES_NOT),
        ("n3", "n9", PassageState.DOES_NOT),
    ]
    assert [edge.text for edge in found] == [
        "Hall → Bath: does not travel, too narrow: 0.60 m",
        "Bath → Hall: travels",
        "Hall → Attic: the graph does not join them",
        "Attic → n9: the graph has no node n9",
    ]


def test_nothing_known_and_stale() -> None:
    (sweeper,) = route_truth(["n1", "n2"], graph(), labels(), "sweeper", now=NOW)
    assert (sweeper.state, sweeper.text) == (PassageState.UNDECIDED, "Hall → Bath: undecided")
    (doubt,) = route_truth(["n2", "n3"], graph(), labels(), "wheelchair", now=NOW)
    assert (doubt.state, doubt.text) == (PassageState.UNCERTAIN, "Bath → Attic: uncertain")
    (stale,) = route_truth(
        ["n2", "n3"], graph(), labels(), "wheelchair", now=Circumstances(graph(), scene_hash="new")
    )
    assert (stale.state, stale.text) == (PassageState.STALE, "Bath → Attic: stale (uncertain)")
    assert route_truth([], graph(), labels(), "wheelchair", now=NOW) == ()


def test_marks_stand_between_known_nodes() -> None:
    truth = route_truth(["n1", "n2", "n1", "n2", "n9"], graph(), labels(), "wheelchair", now=NOW)
    marks = edge_marks(truth, graph())
    assert [(mark.start_m, mark.end_m, mark.state) for mark in marks] == [
        ((0, 0, 0), (3, 4, 0), PassageState.DOES_NOT),
        ((3, 4, 0), (0, 0, 0), PassageState.TRAVELS),
    ]


def test_nodes_as_viewpoints() -> None:
    made = viewpoints_of_nodes(graph(), "house")
    assert made.viewpoint_ids == ("n1", "n2", "n3")
    assert made.geodesics_m[0].tolist() == [0, 5, 8]
    assert made.floor_positions_m.tolist() == made.positions_m.tolist()
    above = viewpoints_of_nodes(graph(), "house", 1.5)
    assert above.floor_positions_m.tolist() == made.positions_m.tolist()
    assert (above.positions_m - made.positions_m).tolist() == [[0.0, 0.0, 1.5]] * 3
    empty = viewpoints_of_nodes(NavigationGraph(), "house")
    assert (empty.viewpoint_ids, np.asarray(empty.positions_m).shape) == ((), (0, 3))
