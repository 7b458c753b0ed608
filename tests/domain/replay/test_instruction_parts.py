"""The words of a step: only where the data says which they are."""

from __future__ import annotations

from dataclasses import replace

from fixtures.card_examples import loop_replay, segmented_replay
from fixtures.replay_examples import graph_episode, graph_replay, line_graph, space_replay

from waypost.domain.episode.episode import Instruction, TimedWord
from waypost.domain.episode.guide_trace import GuideStay, GuideTrace
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.instruction_parts import find_in_order, instruction_of_step
from waypost.domain.replay.replay import Replay, build_replay

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


WORDS = (
    TimedWord("Leave", 0.0, 0.5),
    TimedWord("the", 0.6, 0.7),
    TimedWord("room", None, None),
    TimedWord("walk", 2.0, 2.5),
)


def trace(*stays: tuple[str, float]) -> GuideTrace:
    """Stays at viewpoints of ``line_graph``, by when they begin."""
    places = line_graph()
    points = dict(zip(places.viewpoint_ids, places.positions_m.tolist(), strict=True))
    return GuideTrace(
        tuple(GuideStay(name, tuple(points.get(name, (99.0, 0.0, 0.0))), s) for name, s in stays)
    )


def timed(guide: GuideTrace | None, walked: str = "AB", reference: str = "AB") -> Replay:
    told = Instruction("Leave the room, walk", words=WORDS)
    episode = graph_episode(reference, instruction=told, guide=guide)
    return build_replay(episode, EpisodeRun("7", route(tuple(walked))), line_graph())


def test_words_belong_to_where_the_guide_said_them() -> None:
    replay = timed(trace(("A", 0.0), ("B", 1.5)), "AABUB")
    assert [marked(replay, step) for step in range(5)] == [
        ["Leave the"],
        ["Leave the"],
        ["walk"],
        [],
        ["walk"],
    ]
    first, last = instruction_of_step(replay, 0), instruction_of_step(replay, 2)
    assert (first.part, first.source) == ("Leave the", "said by the guide at 0.0–1.5 s")
    assert (last.part, last.source) == ("walk", "said by the guide from 1.5 s on")
    assert (
        instruction_of_step(replay, 3).note == "Off the reference: no part belongs to this place."
    )


def test_a_guide_who_came_back_said_words_at_both_visits() -> None:
    replay = timed(trace(("A", 0.0), ("B", 0.55), ("A", 1.0), ("B", 2.0), ("C", 9.0)), "ABC", "ABC")
    assert [marked(replay, step) for step in range(3)] == [["Leave"], ["the", "walk"], []]
    shown = instruction_of_step(replay, 1)
    assert shown.source == "said by the guide at 0.6–1.0 s and at 2.0–9.0 s"
    assert instruction_of_step(replay, 2).note == "The guide said nothing at this place."


def test_many_visits_are_counted() -> None:
    stays = [(name, float(second)) for second, name in enumerate("ABABABABAB")]
    shown = instruction_of_step(timed(trace(*stays)), 0)
    assert shown.source.endswith("at 0.0–1.0 s and at 2.0–3.0 s and at 4.0–5.0 s and 2 times more")


def test_runs_through_space_stand_at_the_nearest_point_of_the_reference() -> None:
    told = Instruction("Leave the room, walk", words=WORDS)
    guide = trace(("A", 0.0), ("B", 1.5))  # cameras 1.5 m above the floor, at x = 0 and x = 2
    replay = space_replay(
        [(0, 0, 0), (0.9, 0, 0), (1.1, 0, 0), (1.1, 8, 0)], [(0, 0, 0), (2, 0, 0)]
    )
    episode = replace(replay.episode, instruction=told, guide=guide)
    replay = build_replay(episode, replay.run)
    assert [marked(replay, step) for step in range(4)] == [["Leave the"]] * 2 + [["walk"], []]


def test_runs_through_space_use_the_graph_where_the_reference_names_viewpoints() -> None:
    episode = timed(trace(("A", 0.0), ("B", 1.5))).episode
    run = EpisodeRun("7", route(positions_m=[(0, 0, 0), (0.9, 0, 0), (1.1, 0, 0)]))
    replay = build_replay(episode, run, line_graph())
    assert [marked(replay, step) for step in range(3)] == [["Leave the"]] * 2 + [["walk"]]
    unknown = build_replay(replace(episode, reference=route(("A", "?"))), run, line_graph())
    assert "cannot be laid" in instruction_of_step(unknown, 0).note


def test_why_no_word_has_a_place() -> None:
    def note(replay: Replay) -> str:
        shown = instruction_of_step(replay, 0)
        assert (shown.spans, shown.part) == ((), "")
        return shown.note

    assert "no pose trace says where the guide stood" in note(timed(None))
    assert "were said: a.npz: time[2]: goes back." in note(
        timed(GuideTrace(problem="a.npz: time[2]: goes back"))
    )
    assert "nowhere meets the reference" in note(timed(trace(("X", 0.0))))
    assert "cannot be laid" in note(
        build_replay(
            timed(trace(("A", 0.0))).episode, EpisodeRun("7", route(positions_m=[(0, 0, 0)]))
        )
    )


def test_vowel_signs_belong_to_their_word() -> None:
    text = "ठीक है, आगे"
    assert [text[a:b] for a, b in filter(None, find_in_order(text, ("ठीक है", "आगे")))] == [
        "ठीक है",
        "आगे",
    ]
    assert find_in_order("की", ("कि",)) == (None,)


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
