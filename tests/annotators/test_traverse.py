from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from annotators.small_house import wheelchair

from waypost.annotators.traverse import queue as queue_module
from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.annotators.traverse.labelling import accept, accept_all, retract, retract_all
from waypost.annotators.traverse.queue import (
    PassageQueue,
    QueueProgress,
    open_queue,
    openness,
    queue_progress,
    queue_row_steps,
)
from waypost.annotators.traverse.spawn import spawn_pose
from waypost.domain.base.errors import EditError
from waypost.domain.base.progress import exhaust
from waypost.domain.scene.graph import Edge, EdgeKind, Node, build_graph, delete_items
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    PassageState,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
    judged_on,
    passage_states,
)

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


def now(graph):
    return Circumstances(graph, {"wheelchair": wheelchair()}, "scene")


def label(graph, labels, passage, verdict, reason=None, note=""):
    answer = LabelAnswer(passage, verdict, reason, note)
    provenance = judged_on(passage, now(graph))
    return accept(answer, labels, graph, author="ada", provenance=provenance, now=at_ten).labels


def test_the_queue_asks_each_edge_both_ways(graph):
    queue = open_queue({}, "wheelchair", now(graph))
    assert queue.passages == (AB, BA, BC, CB)
    assert queue.current == AB
    assert queue.next().current == BA
    assert queue.previous().current == AB
    assert queue.at(CB).next().current == CB


def test_the_next_to_answer_skips_answers_and_wraps(graph):
    labels = label(graph, {}, BA, Verdict.TRAVELS)
    labels = label(graph, labels, CB, Verdict.UNCERTAIN)
    queue = open_queue(labels, "wheelchair", now(graph))
    is_open = openness(labels, now(graph))
    assert queue.next_of(is_open).current == BC
    assert queue.at(BC).next_of(is_open).current == AB
    for passage in (AB, BC):
        labels = label(graph, labels, passage, Verdict.TRAVELS)
    assert queue.at(BA).next_of(openness(labels, now(graph))).current == BA


def test_the_queue_keeps_its_place_when_agent_or_graph_change(graph):
    queue = open_queue({}, "wheelchair", now(graph)).at(BC)
    assert queue.follow(graph, "human").current == Passage("b", "c", "human")
    smaller = delete_items(graph, edge_ids=["f"])
    assert queue.follow(smaller, "wheelchair").current == BA
    assert queue.follow(delete_items(graph, ["b"]), "wheelchair") == PassageQueue()


def test_an_empty_queue_goes_nowhere():
    queue = PassageQueue()
    assert queue.next() == queue.previous() == queue.next_of(lambda _: True) == queue
    assert queue.position is None


def test_rows_name_places_and_states(graph):
    labels = label(graph, {}, AB, Verdict.DOES_NOT, Reason.STEP_OR_SILL)
    queue = open_queue(labels, "wheelchair", now(graph))
    rows = exhaust(queue_row_steps(queue, labels, now(graph)))
    assert [(r.title, r.note, r.state) for r in rows[:3]] == [
        ("Hall → Bath", "step or sill", PassageState.DOES_NOT),
        ("Bath → Hall", "", PassageState.UNDECIDED),
        ("Bath → Attic", "stairs", PassageState.UNDECIDED),
    ]
    smaller = delete_items(graph, edge_ids=["f"])
    left = exhaust(queue_row_steps(queue, labels, now(smaller)))
    assert len(left) == 2


def test_the_rows_of_a_long_queue_are_made_in_steps(monkeypatch):
    nodes = [Node(f"n{i}", f"Place {i}", (float(i), 0.0, 0.0)) for i in range(2002)]
    row = build_graph(nodes, (Edge(f"e{i}", f"n{i}", f"n{i + 1}") for i in range(2001)))
    asked = []

    def counted(labels, questions, *rest):
        asked.append(len(questions))
        return passage_states(labels, questions, *rest)

    monkeypatch.setattr(queue_module, "passage_states", counted)
    queue = open_queue({}, "wheelchair", now(row))
    rows = exhaust(queue_row_steps(queue, {}, now(row)))
    assert [r.passage for r in rows] == list(queue.passages)
    assert asked == [1000] * 4 + [2]


def test_progress_counts_stale_apart(graph):
    labels = label(graph, {}, AB, Verdict.TRAVELS)
    labels = label(graph, labels, BA, Verdict.DOES_NOT, Reason.TOO_NARROW)
    now = queue_progress(graph, labels, "scene", wheelchair())
    assert now == QueueProgress(4, travels=1, does_not=1)
    assert (now.done, now.undecided) == (2, 2)
    later = queue_progress(graph, labels, "another scene", wheelchair())
    assert (later.done, later.stale, later.undecided) == (0, 2, 2)
    twice = {**graph.edges, "again": replace(next(iter(graph.edges.values())), edge_id="again")}
    assert queue_progress(replace(graph, edges=twice), labels, "scene", wheelchair()) == now


def test_nothing_is_decided_without_an_answer(graph):
    assert queue_progress(graph, {}, "scene", wheelchair()).done == 0


def test_a_label_says_who_when_and_on_what(graph):
    labels = label(graph, {}, AB, Verdict.TRAVELS, note="  easy ")
    one = labels[AB]
    assert (one.author, one.time_utc, one.note) == ("ada", "2026-11-27T10:00:00+00:00", "easy")
    assert one.provenance == Provenance(
        "scene",
        wheelchair().profile_hash,
        from_m=graph.nodes[AB.from_id].position_m,
        to_m=graph.nodes[AB.to_id].position_m,
    )


def test_does_not_needs_a_reason_and_only_it_has_one(graph):
    with pytest.raises(EditError, match="needs a reason"):
        label(graph, {}, AB, Verdict.DOES_NOT)
    with pytest.raises(EditError, match="only “does not travel”"):
        label(graph, {}, AB, Verdict.UNCERTAIN, Reason.STAIRS)


def test_the_undo_text_says_what_was_answered(graph):
    answer = LabelAnswer(AB, Verdict.DOES_NOT, Reason.STAIRS, "")
    edit = accept(answer, {}, graph, author="ada", provenance=Provenance(), now=at_ten)
    assert edit.text == "Label Hall → Bath for wheelchair: does not travel (stairs)"


def test_the_undo_text_calls_an_agent_as_the_window_does(graph):
    """Two agents of one name have names that no other has; one that was removed has its key."""
    names, back = {"wheelchair": "Wheelchair 2"}, AB.reverse
    answers = [LabelAnswer(passage, Verdict.TRAVELS, None, "") for passage in (AB, back)]

    def give(some):
        return accept_all(
            some, {}, graph, author="ada", judged=lambda _: Provenance(), now=at_ten, names=names
        )

    assert give(answers[:1]).text == "Label Hall → Bath for Wheelchair 2: travels"
    both = give(answers)
    assert both.text == "Label 2 passages for Wheelchair 2: travels"
    cleared = retract_all(both.labels, graph, [AB], names)
    assert cleared.text == "Clear label Hall → Bath for Wheelchair 2"


@pytest.mark.parametrize("author", ["grace", ""])
def test_another_note_is_no_other_judgement(graph, author):
    """Who decided, when and on what stays, of an imported label nobody; the note alone is new."""
    judged = Provenance("scene", "wheelchair as it was")
    known = TraversabilityLabel(
        AB, Verdict.DOES_NOT, Reason.STAIRS, "two", author, "2026-01-02T03:04:05+00:00", judged
    )
    given = LabelAnswer(AB, Verdict.DOES_NOT, Reason.STAIRS, " two steps ", is_note_only=True)
    edit = accept(given, {AB: known}, graph, author="ada", provenance=Provenance(), now=at_ten)
    assert edit.labels[AB] == replace(known, note="two steps")
    assert edit.text == "Note on Hall → Bath for wheelchair"


def test_what_a_file_said_beside_a_label_survives_another_answer(graph):
    known = TraversabilityLabel(AB, Verdict.TRAVELS, extra={"vendor": 7})
    assert label(graph, {AB: known}, AB, Verdict.UNCERTAIN)[AB].extra == {"vendor": 7}


def test_retract_makes_undecided(graph):
    labels = label(graph, {}, AB, Verdict.TRAVELS)
    edit = retract(labels, graph, AB)
    assert edit.text == "Clear label Hall → Bath for wheelchair"
    assert AB not in edit.labels
    assert retract(edit.labels, graph, AB) is None


def test_a_passage_without_an_edge_cannot_be_labelled(graph):
    with pytest.raises(EditError, match="no edge joins 'a' and 'c'"):
        label(graph, {}, Passage("a", "c", "wheelchair"), Verdict.TRAVELS)


def test_the_agent_starts_on_the_node_and_faces_the_next(graph):
    pose = spawn_pose(graph, AB)
    assert pose.floor_m == (0.0, 0.0, 0.0)
    assert pose.yaw_rad == pytest.approx(math.pi / 2)
    assert spawn_pose(graph, BA).yaw_rad == pytest.approx(-math.pi / 2)
    assert spawn_pose(graph, BC).yaw_rad == 0.0
    with pytest.raises(EditError, match="no node 'x'"):
        spawn_pose(graph, Passage("a", "x", "wheelchair"))
