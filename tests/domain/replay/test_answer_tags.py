"""What is wrong with answers to CapNav questions, and at which step it begins."""

from __future__ import annotations

import pytest
from worlds.capnav_worlds import IDS, judged

from waypost.domain.episode.answer_judgement import judge_answer
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun, Event, EventKind
from waypost.domain.replay.answer_tags import find_answer_tags
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.tags import TagKind
from waypost.domain.traverse.judged_graph import JudgedGraph, current_labels
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    Provenance,
    TraversabilityLabel,
    Verdict,
)


def tags_of(
    ends: tuple[str, str],
    said: str | None,
    path: tuple[str, ...],
    agent: str = "sweeper",
    reason: str = "because",
    graph: JudgedGraph | None = None,
) -> list[tuple[str, int | None, str]]:
    start, end = ends
    episode = Episode(
        "capnav",
        "",
        "q",
        "flat",
        Instruction("?"),
        goals=(Goal(IDS.get(end, end)),),
        start_viewpoint_id=IDS.get(start, start),
    )
    ids = [IDS.get(room, room) for room in path]
    events = () if said else (Event(EventKind.NO_MOVE, "the text cannot be used: no JSON"),)
    run = EpisodeRun(
        "q",
        route(ids) if ids else EMPTY_ROUTE,
        (Decision(0, len(ids), events=events),),
        answer=Answer(agent_key=agent, says=said, reason=reason),
    )
    found = find_answer_tags(
        build_replay(episode, run), judge_answer(episode, run, graph or judged())
    )
    return [(tag.kind.value, tag.step, tag.reason) for tag in found]


def test_a_right_answer_is_perfect() -> None:
    assert tags_of(("Hall", "Kitchen"), "yes", ("Hall", "Kitchen")) == [
        ("perfect", 1, "the right answer with a valid path")
    ]
    assert tags_of(("Hall", "Attic"), "no", ("Hall", "Bedroom", "Attic")) == [
        ("perfect", 2, "the right answer with a valid path")
    ]


def test_yes_over_a_blocked_edge() -> None:
    found = tags_of(("Hall", "Attic"), "yes", ("Hall", "Kitchen", "Bedroom", "Attic"))
    assert found == [
        ("false_yes", 2, "says yes, but the agent has no way"),
        ("blocked_edge", 2, "uses an edge the agent does not travel: stairs: three steps"),
    ]
    # The same label says so in the other direction, which has none of its own.
    back = tags_of(("Hall", "Kitchen"), "yes", ("Hall", "Bedroom", "Kitchen"))
    assert [tag[:2] for tag in back] == [("blocked_edge", 1)]
    assert back[0][2] == "uses an edge the agent does not travel: other: a rope across"


def test_wrong_yes_and_no() -> None:
    assert tags_of(("Hall", "Attic"), "yes", ("Hall", "Attic"))[0][:2] == ("false_yes", 0)
    assert tags_of(("Hall", "Kitchen"), "no", ("Hall", "Kitchen")) == [
        ("false_no", 0, "says no, but there is a way for the agent")
    ]


def test_what_is_wrong_with_a_path() -> None:
    path = ("Kitchen", "Hall", "Kitchen", "Moon", "Attic", "Hall")
    found = tags_of(("Hall", "Attic"), "no", path)
    assert found == [
        ("unresolved_node", 3, "names Moon, which the graph does not have"),
        ("wrong_start", 0, "starts at Kitchen, not at Hall"),
        ("wrong_end", 5, "ends at Hall, not at Attic"),
        ("repeated_node", 2, "comes to Kitchen again"),
        ("non_edge", 5, "no edge joins Attic and Hall"),
    ]


def test_format_errors() -> None:
    assert tags_of(("Hall", "Kitchen"), None, ()) == [
        ("format_error", 0, "the text cannot be used: no JSON")
    ]
    assert tags_of(("Hall", "Kitchen"), "perhaps", ("Hall", "Kitchen")) == [
        ("format_error", 0, "the answer is “perhaps”, neither yes nor no")
    ]
    assert tags_of(("Hall", "Kitchen"), "yes", ("Hall",))[0] == (
        "format_error",
        0,
        "says yes without a path of two nodes",
    )


def test_no_without_path_or_reason() -> None:
    assert tags_of(("Hall", "Attic"), "no", ()) == [("empty_no", 0, "says no and names no path")]
    found = tags_of(("Hall", "Attic"), "no", ("Hall", "Bedroom", "Attic"), reason=" ")
    assert found == [("wrong_reason", 0, "gives no reason")]


def test_nothing_is_said_where_nothing_is_known() -> None:
    """The wheelchair's way by the hall has no label; another graph has none of the nodes."""
    assert (
        tags_of(("Kitchen", "Bedroom"), "yes", ("Kitchen", "Hall", "Bedroom"), "wheelchair") == []
    )
    assert tags_of(("Hall", "Kitchen"), "yes", ("Hall", "Moon"), graph=JudgedGraph()) == []


@pytest.mark.parametrize(("scene", "kept"), [("new", 0), ("old", 1), ("", 1)])
def test_stale_labels_do_not_count(scene: str, kept: int) -> None:
    passage = Passage("a", "b", "human")
    label = TraversabilityLabel(passage, Verdict.TRAVELS, provenance=Provenance(scene_hash="old"))
    assert len(current_labels({passage: label}, Circumstances(scene_hash=scene))) == kept


def test_every_fault_is_a_tag() -> None:
    assert {"unresolved_node", "wrong_start", "wrong_end", "repeated_node", "non_edge"} <= {
        kind.value for kind in TagKind
    }
