"""The words of a step: only where the data says which they are."""

from __future__ import annotations

from types import MappingProxyType

from card_examples import loop_replay, segmented_replay
from replay_examples import graph_episode, graph_replay, line_graph

from waypost.domain.episode import Instruction, TimedWord
from waypost.domain.instruction_parts import find_in_order, instruction_of_step
from waypost.domain.replay import Replay, build_replay
from waypost.domain.route import route
from waypost.domain.run import EpisodeRun

TEXT = "Leave the room, and then walk past the sofa. Stop."


def marked(replay: Replay, step: int) -> list[str]:
    told = instruction_of_step(replay, step)
    return [told.text[start:end] for start, end in told.spans]


def test_sub_instructions_follow_the_reference() -> None:
    replay = segmented_replay("ABUBC")
    assert [marked(replay, step) for step in range(5)] == [
        ["Leave the room"],
        ["walk past the sofa"],
        [],
        ["walk past the sofa"],
        ["Stop"],
    ]
    assert instruction_of_step(replay, 0).source == "sub-instruction 1 of 3"
    assert instruction_of_step(replay, 2).note.startswith("Off the reference")


def test_a_plain_instruction_is_whole() -> None:
    told = instruction_of_step(loop_replay(), 1)
    assert (told.text, told.spans, told.part) == ("Walk on.", (), "")
    assert told.note


def test_the_logged_instruction_stands_in() -> None:
    replay = graph_replay("AB", instruction="Go.")
    assert instruction_of_step(replay, 0).text == "Walk on."
    bare = build_replay(
        graph_episode("AB", instruction=Instruction("")), EpisodeRun("7", instruction="Go.")
    )
    assert instruction_of_step(bare, 0).text == "Go."


def timed(**extra: object) -> Replay:
    words = (
        TimedWord("Leave", 0.0, 0.5),
        TimedWord("the", 0.6, 0.7),
        TimedWord("room", None, None),
        TimedWord("walk", 2.0, 2.5),
    )
    episode = graph_episode(
        "AB",
        instruction=Instruction("Leave the room, walk", words=words),
        dense_reference_m=route(("A", "A", "B")),
        extra=MappingProxyType(extra),
    )
    return build_replay(episode, EpisodeRun("7", route(("A", "B"))), line_graph())


def test_words_belong_to_where_the_guide_said_them() -> None:
    replay = timed(times_s=[0.0, 1.0, 1.5])
    assert [marked(replay, step) for step in (0, 1)] == [["Leave the"], ["walk"]]
    assert instruction_of_step(replay, 0).part == "Leave the"


def test_words_without_a_pose_trace_are_not_placed() -> None:
    told = instruction_of_step(timed(), 0)
    assert (told.spans, told.part) == ((), "")
    assert "no pose trace" in told.note


def test_parts_in_order() -> None:
    spans = find_in_order(TEXT, ("leave the room", "walk past the sofa", "stop"))
    assert [TEXT[a:b] for a, b in filter(None, spans)] == [
        "Leave the room",
        "walk past the sofa",
        "Stop",
    ]
    assert find_in_order("stop. go on and on and on. stop", ("go", "stop")) == ((6, 8), None)
    assert find_in_order("a b c", ("x y", "c")) == (None, (4, 5))
    assert find_in_order("word " * 6_000, ("word",)) == (None,)
    assert find_in_order("a", ("",)) == (None,)
