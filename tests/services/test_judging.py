"""A moved node makes the labels at it stale, and everyone who counts says the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from annotators.small_house import wheelchair

from waypost.annotators.traverse.asking import agent_row_steps, label_question
from waypost.annotators.traverse.queue import open_queue, queue_progress, queue_row_steps
from waypost.domain.base.progress import exhaust
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import Edge, Node, build_graph, move_nodes
from waypost.domain.traverse.judged_graph import current_labels
from waypost.domain.traverse.traversability import (
    PassageState,
    Reason,
    TraversabilityLabel,
    Verdict,
    judged_on,
    passages,
)
from waypost.notebook import read_labels
from waypost.services.judging import circumstances
from waypost.services.label_report import agent_counts, select_labels
from waypost.store.project_store import ProjectStore

AGENT = wheelchair()
ROOMS = build_graph(
    [
        Node("a", "Hall", (0.0, 0.0, 0.0)),
        Node("b", "Bath", (3.0, 0.0, 0.0)),
        Node("c", "Attic", (6.0, 0.0, 0.0)),
    ],
    [Edge("e", "a", "b"), Edge("f", "b", "c")],
)


def judged_project() -> Project:
    """Every passage travels, as judged where the nodes stand."""
    project = Project(graph=ROOMS, agents={AGENT.key: AGENT})
    now = circumstances(project, "")
    labels = {
        way: TraversabilityLabel(way, Verdict.TRAVELS, provenance=judged_on(way, now))
        for way in passages(ROOMS, AGENT.key)
    }
    return replace(project, labels=labels)


def test_everyone_counts_the_same_labels_as_stale(tmp_path: Path) -> None:
    before = judged_project()
    # Through a wall of 0.6 m: the edge Hall – Bath is another one now.
    moved = set_graph(before, move_nodes(before.graph, {"a": (0.0, 0.6, 0.0)}))
    assert len(moved.labels) == 4
    now = circumstances(moved, "")
    progress = queue_progress(moved.graph, moved.labels, "", AGENT)
    assert (progress.done, progress.stale, progress.undecided) == (2, 2, 0)
    queue = open_queue(moved.labels, AGENT.key, now)
    rows = exhaust(queue_row_steps(queue, moved.labels, now))
    stale = {row.passage for row in rows if row.state is PassageState.STALE}
    assert {way[:2] for way in stale} == {("a", "b"), ("b", "a")}
    (agent,) = exhaust(agent_row_steps(moved, ""))
    assert agent.decided == 2
    selection = select_labels(moved, None)
    assert selection.stale == selection.left_out == stale
    (counts,) = agent_counts(moved, selection)
    assert (counts["labelled"], counts["stale"], counts["written"]) == (4, 2, 2)
    assert set(current_labels(moved.labels, now)) == set(moved.labels) - stale
    for way in moved.labels:
        asked = label_question(moved, way, AGENT, scene_hash="", facts=(), has_drive=False)
        assert asked is not None
        expected = ("“Hall” was moved by 0.60 m",) if way in stale else ()
        assert asked.stale_because == expected
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, moved, "ada").close()
    found = read_labels(file).to_frame()
    assert int(found["is_stale"].sum()) == 2


def test_a_node_put_back_gives_the_labels_back() -> None:
    before = judged_project()
    moved = set_graph(before, move_nodes(before.graph, {"a": (0.0, 0.6, 0.0)}))
    back = set_graph(moved, move_nodes(moved.graph, {"a": (0.0, 0.01, 0.0)}))
    assert not select_labels(back, None).stale


def test_a_stale_reason_is_not_offered_to_the_other_direction() -> None:
    before = judged_project()
    way = next(iter(before.labels))
    blocked = replace(
        before.labels[way], verdict=Verdict.DOES_NOT, reason=Reason.DOOR, note="heavy"
    )
    before = replace(before, labels={way: blocked})
    moved = set_graph(before, move_nodes(before.graph, {"a": (0.0, 0.6, 0.0)}))
    for project, offered in ((before, (Reason.DOOR, "heavy")), (moved, (None, ""))):
        asked = label_question(
            project, way.reverse, AGENT, scene_hash="", facts=(), has_drive=False
        )
        assert asked is not None
        assert (asked.offered_reason, asked.offered_note) == offered
