"""Steps in words, their actions as turns and distances, and their options."""

from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np
import pytest
from fixtures.card_examples import loop_replay, navgpt_replay, no_move_replay
from fixtures.replay_examples import graph_replay, space_replay

from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Option
from waypost.domain.replay.offered_options import offered_options
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.step_action import step_action, turn_words
from waypost.domain.replay.step_words import (
    card_parts,
    distance_words,
    event_words,
    reference_words,
    step_title,
)


def test_there_and_back_again() -> None:
    replay = loop_replay()
    assert step_title(replay, 2) == "Step 2 of 4"
    assert [event_words(step) for step in replay.steps()] == [
        "Start",
        "Arrived at a place for the first time",
        "Back at a place it had been to (visit 2)",
        "Back at a place it had been to (visit 2)",
        "Stops here · the model's last word",
    ]
    signs = [reference_words(replay, index).sign for index in range(5)]
    assert signs == ["✓", "✓", "✕", "✓", "✓"]
    assert distance_words(replay.step(1)) == "2.00 m to the goal"


def test_how_long_it_is_off() -> None:
    replay = graph_replay("ABUBA", reference="ABC")
    assert reference_words(replay, 4).text == "Off the reference"
    assert reference_words(graph_replay("ABABAB"), 4).text == "Off the reference"
    assert reference_words(graph_replay("ABCDE"), 4).text == "Off the reference since step 3"


def test_without_ground_truth_nothing_is_claimed() -> None:
    replay = loop_replay()
    secret = build_replay(
        space_replay([[0, 0, 0]], [[0, 0, 0]]).episode,
        EpisodeRun("k", route(), decisions=(Decision(0, 0),)),
        None,
    )
    assert reference_words(secret, 0).sign == "○"
    assert distance_words(secret.step(0)) == "distance to the goal unknown"
    assert reference_words(replay, 0).tone == "travels"


@pytest.mark.parametrize(
    ("degrees", "words"),
    [
        (45, "turns 45° left"),
        (-90, "turns 90° right"),
        (0.2, "straight ahead"),
        (180, "turns around"),
    ],
)
def test_turns_in_words(degrees: float, words: str) -> None:
    assert turn_words(math.radians(degrees)) == words


def test_actions_on_a_graph() -> None:
    replay = loop_replay()
    words = [action.words if (action := step_action(replay, i)) else "" for i in range(5)]
    assert words == [
        "straight ahead, 2.00 m",
        "turns around, 2.00 m",
        "turns around, 2.00 m",
        "straight ahead, 2.00 m",
        "stops",
    ]


def test_an_action_up_the_stairs_has_its_whole_length() -> None:
    done = step_action(graph_replay("ABU"), 1)
    assert done is not None
    assert done.turn_rad == pytest.approx(math.pi / 2)
    assert done.distance_m == pytest.approx(math.sqrt(0.25 + 9))


def test_an_answer_without_a_move_stays() -> None:
    replay = no_move_replay()
    done = step_action(replay, 1)
    assert done is not None
    assert (done.words, done.stated) == ("stays", "Z")


def test_actions_in_space_are_changes_of_heading() -> None:
    episode = space_replay([[0, 0, 0]], [[0, 0, 0], [1, 0, 0]]).episode
    walked = route(positions_m=[[0, 0, 0], [0, 0, 0], [0.25, 0, 0]], yaws_rad=[0.0, 0.5, 0.5])
    replay = build_replay(episode, EpisodeRun("k", walked))
    turned, moved = step_action(replay, 0), step_action(replay, 1)
    assert turned is not None
    assert moved is not None
    assert (turned.turn_rad, turned.distance_m) == (0.5, 0.0)
    assert turned.words == "turns 29° left"
    assert (moved.turn_rad, moved.distance_m) == (0.0, 0.25)
    assert moved.words == "straight ahead, 0.25 m"
    assert step_action(replay, 2) is None


def test_without_headings_it_faces_the_way_it_came() -> None:
    replay = space_replay([[0, 0, 0], [2, 0, 0], [2, 3, 0]], [[0, 0, 0], [2, 3, 0]])
    first, second = step_action(replay, 0), step_action(replay, 1)
    assert first is not None
    assert second is not None
    assert first.words == "2.00 m"
    assert second.words == "turns 90° left, 3.00 m"


def test_turns_in_place_on_a_graph() -> None:
    walked = route(("A", "A", "B"), yaws_rad=[0.0, -0.5, -0.5])
    replay = build_replay(loop_replay().episode, EpisodeRun("7_0", walked), loop_replay().graph)
    words = [action.words if (action := step_action(replay, step)) else "" for step in range(3)]
    assert words == ["turns 29° right", "turns 29° left, 2.00 m", ""]


def test_numbers_of_the_log_are_named_as_such() -> None:
    extra = MappingProxyType({"angle_rad": 3 * math.pi / 2, "distance_m": 0.75})
    done = step_action(graph_replay("", decisions=(Decision(0, 0, action="9", extra=extra),)), 0)
    assert done is not None
    assert done.words == "turns 90° right, 0.75 m (as logged)"


def test_options_of_the_log_with_their_direction() -> None:
    options, is_listed = offered_options(navgpt_replay(), 1)
    assert is_listed
    assert [(one.label, one.is_chosen) for one in options] == [("A", True), ("B", False)]
    # From (2, 1), facing along the way from (0, 0), to (4, 0): −2·atan(1/2).
    assert options[0].turn_rad == pytest.approx(-2 * math.atan(0.5))
    assert options[0].distance_m == pytest.approx(math.sqrt(5))
    assert options[1].turn_rad == pytest.approx(math.pi)


def test_the_label_that_is_named_counts() -> None:
    stop = Decision(
        3, 3, action="A", options=(Option("A", text="stop"), Option("B", "B", text="back"))
    )
    options, _ = offered_options(graph_replay("ABC", decisions=(stop,)), 2)
    assert [one.is_chosen for one in options] == [True, False]


def test_no_option_counts_as_chosen_while_the_agent_stays() -> None:
    """The way it went later was not chosen by text that named no valid move."""
    options = (Option("", "B", text="ahead"), Option("", "C"))
    decisions = (Decision(1, 1, options=options, action="Z"), Decision(1, 2, options=options))
    replay = graph_replay("ABC", decisions=decisions)
    chosen = [[one.is_chosen for one in offered_options(replay, step)[0]] for step in (0, 1)]
    assert chosen == [[False, False], [True, False]]


def test_neighbours_stand_in_where_the_log_lists_none() -> None:
    options, is_listed = offered_options(loop_replay(), 1)
    assert not is_listed
    assert {one.viewpoint_id: one.is_chosen for one in options} == {
        "A": True,
        "C": False,
        "U": False,
    }


def test_no_geometry_no_numbers() -> None:
    decision = Decision(0, 0, options=(Option("A", text="left"),))
    options, _ = offered_options(graph_replay("", decisions=(decision,)), 0)
    assert (options[0].turn_rad, options[0].distance_m, options[0].number) == (None, None, None)


def test_every_text_of_a_decision_once() -> None:
    decision = navgpt_replay().step(0).decision
    assert decision is not None
    assert [part.name for part in card_parts(decision)] == [
        "Plan",
        "Thought",
        "Action",
        "Action Input",
        "Observation",
        "Raw output",
    ]
    plain = Decision(1, 2, raw_text="just go", thought="just go")
    assert [(part.name, part.text) for part in card_parts(plain)] == [("Thought", "just go")]
    other = Decision(1, 2, raw_text="just go", thought="")
    assert [(part.name, part.text) for part in card_parts(other)] == [("Output", "just go")]


def test_text_before_the_first_name_is_the_thought_where_the_reader_says_so() -> None:
    """NavGPT's prompt ends in ``Thought:``, so that its answers do not begin with the word."""
    raw = "I see a sofa.\nAction: action_maker\nAction Input: B"
    parts = card_parts(Decision(1, 2, raw_text=raw, thought="I see a sofa."))
    assert [part.name for part in parts] == ["Thought", "Action", "Action Input", "Raw output"]
    assert parts[0].text == "I see a sofa."


def test_the_history_beside_the_prompt() -> None:
    told = Decision(1, 2, thought="on", extra=MappingProxyType({"history": "step 0: left"}))
    parts = card_parts(told)
    assert [(part.name, part.is_open_first) for part in parts] == [
        ("Thought", True),
        ("History", False),
    ]


def test_parts_of_a_kind_open_alike() -> None:
    first, second = card_parts(Decision(1, 2, raw_text="Action 1: a\nAction 2: b"))[:2]
    assert first.kind == second.kind == "action"
    assert np.all([first.is_open_first, second.is_open_first])
