"""What questions mean on a graph, and what labels answer to them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.traverse.judged_graph import JudgedGraph
from waypost.domain.traverse.places import (
    fitting_nodes,
    node_names,
    places_of,
    unmistakable_place,
    with_place,
)
from waypost.domain.traverse.question_routes import needed_by_questions, question_routes
from waypost.domain.traverse.questions import FeasibilityShare, feasibility, feasibility_shares
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import Passage, Reason, TraversabilityLabel, Verdict

GRAPH = build_graph(
    [
        Node("node_1", "Hall", (0.0, 0.0, 0.0)),
        Node("node_2", "Kitchen", (1.0, 0.0, 0.0)),
        Node("node_3", "Bedroom", (2.0, 0.0, 0.0)),
        Node("node_4", "bedroom", (3.0, 0.0, 0.0)),
        Node("node_5", "Garden shed", (9.0, 0.0, 0.0)),
    ],
    [
        Edge("edge_1", "node_1", "node_2"),
        Edge("edge_2", "node_2", "node_3"),
        Edge("edge_3", "node_3", "node_4"),
    ],
)
NAMES = node_names(GRAPH)


def label(from_id: str, to_id: str, verdict: Verdict) -> TraversabilityLabel:
    reason = Reason.DOOR if verdict is Verdict.DOES_NOT else None
    return TraversabilityLabel(Passage(from_id, to_id, "human"), verdict, reason)


def judged(*labels: TraversabilityLabel) -> JudgedGraph:
    return JudgedGraph(GRAPH, {given.passage: given for given in labels})


@pytest.mark.parametrize(
    ("place", "nodes"),
    [
        ("node_3", ("node_3",)),
        ("node_4 — Bedroom", ("node_4",)),
        ("node_4 - whatever", ("node_4",)),
        ("KITCHEN", ("node_2",)),
        (" bedroom ", ("node_3", "node_4")),
        ("bed", ("node_3", "node_4")),
        ("shed", ("node_5",)),
        ("attic", ()),
        ("", ()),
    ],
)
def test_every_node_that_a_place_fits(place: str, nodes: tuple[str, ...]) -> None:
    assert fitting_nodes(place, NAMES) == nodes


@pytest.mark.parametrize("node_id", sorted(GRAPH.nodes))
def test_a_node_is_written_so_that_it_is_found_again(node_id: str) -> None:
    assert fitting_nodes(unmistakable_place(node_id, NAMES), NAMES) == (node_id,)


def test_an_ambiguous_place_means_nothing_until_somebody_says_which() -> None:
    task = Task("?", "Hall", "Bedroom")
    start, end = places_of(task, GRAPH)
    assert (start.node_id, start.problem) == ("node_1", "")
    assert (end.node_id, end.candidates) == ("", ("node_3", "node_4"))
    assert end.problem == "“Bedroom” fits 2 nodes: say which is meant"
    assert needed_by_questions([task], question_routes([task], GRAPH)) == set()
    chosen = with_place(task, 1, "node_4")
    assert [match.node_id for match in places_of(chosen, GRAPH)] == ["node_1", "node_4"]
    assert with_place(chosen, 1, "") == task


def test_a_chosen_node_that_was_deleted_is_left_to_the_name_again() -> None:
    task = with_place(Task("?", "Hall", "Kitchen"), 1, "node_77")
    assert places_of(task, GRAPH)[1].node_id == "node_2"


def test_places_on_the_way_are_passed_and_what_nothing_joins_is_said() -> None:
    via = Task("?", "Hall", "node_4", intermediate=("Kitchen",))
    assert question_routes([via], GRAPH)[0].moves == {
        ("node_1", "node_2"),
        ("node_2", "node_3"),
        ("node_3", "node_4"),
    }
    (apart,) = question_routes([Task("?", "Hall", "Garden shed")], GRAPH)
    assert (apart.moves, apart.problem) == (set(), "nothing joins Hall and Garden shed")


def test_a_hallucinated_question_needs_and_counts_nothing() -> None:
    task = Task("?", "Hall", "Kitchen")
    gone = replace(task, is_hallucinated=True)
    assert needed_by_questions([gone], question_routes([gone], GRAPH)) == set()
    there = judged(label("node_1", "node_2", Verdict.TRAVELS))
    assert feasibility_shares([task, gone], there, ["human"]) == {"human": FeasibilityShare(1)}


def test_feasible_infeasible_and_not_decided() -> None:
    task = Task("?", "Hall", "node_3")
    first = label("node_1", "node_2", Verdict.TRAVELS)
    assert feasibility(task, judged(), "human") is None
    assert feasibility(task, judged(first), "human") is None
    whole = judged(first, label("node_2", "node_3", Verdict.TRAVELS))
    assert feasibility(task, whole, "human") is True
    assert feasibility(task, whole, "sweeper") is None
    blocked = judged(label("node_2", "node_3", Verdict.DOES_NOT))
    assert feasibility(task, blocked, "human") is False
    assert feasibility(Task("?", "Hall", "bedroom"), whole, "human") is None


def test_the_share_is_of_what_is_decided_and_undefined_where_nothing_is() -> None:
    assert FeasibilityShare(3, 1, 4).share == 0.75
    assert FeasibilityShare(0, 0, 4).share is None
