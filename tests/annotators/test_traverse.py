from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from types import MappingProxyType

import pytest
from annotators.small_house import wheelchair

from waypost.annotators.palette import PassageState
from waypost.annotators.traverse.labelling import (
    REASON_DIGITS,
    VERDICT_KEYS,
    accept,
    judged_on,
    question,
    retract,
    start_draft,
)
from waypost.annotators.traverse.queue import (
    PassageQueue,
    QueueProgress,
    open_queue,
    queue_progress,
    queue_rows,
)
from waypost.annotators.traverse.spawn import spawn_pose
from waypost.domain.errors import EditError
from waypost.domain.graph import Edge, EdgeKind, Node, build_graph, delete_items
from waypost.domain.traversability import Passage, Provenance, Reason, Verdict

AB, BA = Passage("a", "b", "wheelchair"), Passage("b", "a", "wheelchair")
BC, CB = Passage("b", "c", "wheelchair"), Passage("c", "b", "wheelchair")


@pytest.fixture
def graph():
    nodes = (
        Node("a", "Hall", (0.0, 0.0, 0.0)),
        Node("b", "Bath", (0.0, 2.0, 0.0)),
        Node("c", "Attic", (0.0, 2.0, 2.7)),
    )
    return build_graph(nodes, (Edge("e", "a", "b"), Edge("f", "b", "c", EdgeKind.STAIRS)))


def at_ten():
    return datetime(2026, 11, 27, 11, 0, 0, tzinfo=timezone(timedelta(hours=1)))


def label(graph, labels, passage, verdict, reason=None, note=""):
    draft = start_draft(labels, passage, verdict).with_note(note)
    if reason is not None:
        draft = draft.with_reason(reason)
    provenance = judged_on("scene", wheelchair())
    return accept(draft, labels, graph, author="ada", provenance=provenance, now=at_ten).labels


def test_the_queue_asks_each_edge_both_ways(graph):
    queue = open_queue(graph, {}, "wheelchair")
    assert queue.passages == (AB, BA, BC, CB)
    assert queue.current == AB
    assert queue.next().current == BA
    assert queue.previous().current == AB
    assert queue.at(CB).next().current == CB


def test_next_undecided_skips_answers_and_wraps(graph):
    labels = label(graph, {}, BA, Verdict.TRAVELS)
    labels = label(graph, labels, CB, Verdict.UNCERTAIN)
    queue = open_queue(graph, labels, "wheelchair")
    assert queue.next_undecided(labels).current == BC
    assert queue.at(BC).next_undecided(labels).current == AB
    for passage in (AB, BC):
        labels = label(graph, labels, passage, Verdict.TRAVELS)
    assert queue.at(BA).next_undecided(labels).current == BA


def test_the_queue_keeps_its_place_when_agent_or_graph_change(graph):
    queue = open_queue(graph, {}, "wheelchair").at(BC)
    assert queue.follow(graph, "human").current == Passage("b", "c", "human")
    smaller = delete_items(graph, edge_ids=["f"])
    assert queue.follow(smaller, "wheelchair").current == BA
    assert queue.follow(delete_items(graph, ["b"]), "wheelchair") == PassageQueue()


def test_an_empty_queue_goes_nowhere():
    queue = PassageQueue()
    assert queue.next() == queue.previous() == queue.next_undecided({}) == queue
    assert queue.position is None


def test_rows_name_places_and_states(graph):
    labels = label(graph, {}, AB, Verdict.DOES_NOT, Reason.STEP_OR_SILL)
    queue = open_queue(graph, labels, "wheelchair")
    rows = queue_rows(queue, graph, labels, "scene", wheelchair())
    assert [(r.title, r.kind, r.state) for r in rows[:3]] == [
        ("Hall → Bath", EdgeKind.WALK, PassageState.DOES_NOT),
        ("Bath → Hall", EdgeKind.WALK, PassageState.UNDECIDED),
        ("Bath → Attic", EdgeKind.STAIRS, PassageState.UNDECIDED),
    ]
    smaller = delete_items(graph, edge_ids=["f"])
    assert len(queue_rows(queue, smaller, labels, "scene", wheelchair())) == 2


def test_progress_counts_stale_apart(graph):
    labels = label(graph, {}, AB, Verdict.TRAVELS)
    labels = label(graph, labels, BA, Verdict.DOES_NOT, Reason.TOO_NARROW)
    now = queue_progress(graph, labels, "scene", wheelchair())
    assert now == QueueProgress(4, travels=1, does_not=1)
    assert (now.done, now.undecided) == (2, 2)
    later = queue_progress(graph, labels, "another scene", wheelchair())
    assert (later.done, later.stale, later.undecided) == (0, 2, 2)


def test_nothing_is_decided_without_an_answer(graph):
    assert queue_progress(graph, {}, "scene", wheelchair()).done == 0


def test_a_label_says_who_when_and_on_what(graph):
    labels = label(graph, {}, AB, Verdict.TRAVELS, note="  easy ")
    one = labels[AB]
    assert (one.author, one.time_utc, one.note) == ("ada", "2026-11-27T10:00:00+00:00", "easy")
    assert one.provenance == Provenance("scene", wheelchair().profile_hash)


def test_does_not_needs_a_reason(graph):
    draft = start_draft({}, AB, Verdict.DOES_NOT)
    assert "reason" in draft.missing
    with pytest.raises(EditError, match="reason"):
        accept(draft, {}, graph, author="ada", provenance=Provenance(), now=at_ten)
    edit = accept(
        draft.with_reason(Reason.STAIRS),
        MappingProxyType({}),
        graph,
        author="ada",
        provenance=Provenance(),
        now=at_ten,
    )
    assert edit.text == "Label Hall → Bath for wheelchair: does not travel (stairs)"


def test_a_reason_only_belongs_to_does_not():
    draft = start_draft({}, AB, Verdict.UNCERTAIN).with_reason(Reason.STAIRS)
    assert draft.reason is None
    assert not draft.missing


def test_the_reverse_direction_prefills_but_does_not_decide(graph):
    labels = label(graph, {}, BA, Verdict.DOES_NOT, Reason.TOO_NARROW, "0.68 m door")
    draft = start_draft(labels, AB, Verdict.DOES_NOT)
    assert (draft.reason, draft.note, draft.is_prefilled) == (
        Reason.TOO_NARROW,
        "0.68 m door",
        True,
    )
    assert AB not in labels
    assert start_draft(labels, AB, Verdict.TRAVELS).note == ""
    assert not draft.with_reason(Reason.DOOR).is_prefilled


def test_an_answer_given_again_starts_from_itself(graph):
    labels = label(graph, {}, BA, Verdict.DOES_NOT, Reason.TOO_NARROW, "door")
    labels = label(graph, labels, AB, Verdict.DOES_NOT, Reason.STAIRS, "own")
    draft = start_draft(labels, AB, Verdict.DOES_NOT)
    assert (draft.reason, draft.note, draft.is_prefilled) == (Reason.STAIRS, "own", False)


def test_retract_makes_undecided(graph):
    labels = label(graph, {}, AB, Verdict.TRAVELS)
    edit = retract(labels, graph, AB)
    assert edit.text == "Clear label Hall → Bath for wheelchair"
    assert AB not in edit.labels
    assert retract(edit.labels, graph, AB) is None


def test_a_passage_without_an_edge_cannot_be_labelled(graph):
    draft = start_draft({}, Passage("a", "c", "wheelchair"), Verdict.TRAVELS)
    with pytest.raises(EditError, match="no edge joins 'a' and 'c'"):
        accept(draft, {}, graph, author="ada", provenance=Provenance(), now=at_ten)


def test_keys_and_words(graph):
    assert list(VERDICT_KEYS.values()) == ["Y", "N", "U"]
    assert list(REASON_DIGITS) == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"]
    assert REASON_DIGITS["1"] is Reason.STAIRS
    assert REASON_DIGITS["0"] is Reason.OTHER
    assert question(graph, AB, wheelchair()) == "Can a wheelchair go from Hall to Bath?"


def test_the_agent_starts_on_the_node_and_faces_the_next(graph):
    pose = spawn_pose(graph, AB)
    assert pose.floor_m == (0.0, 0.0, 0.0)
    assert pose.yaw_rad == pytest.approx(math.pi / 2)
    assert spawn_pose(graph, BA).yaw_rad == pytest.approx(-math.pi / 2)
    assert spawn_pose(graph, BC).yaw_rad == 0.0
    with pytest.raises(EditError, match="no node 'x'"):
        spawn_pose(graph, Passage("a", "x", "wheelchair"))
