"""Where a dialogue was said, as far as file and run tell."""

from __future__ import annotations

from fixtures.replay_examples import graph_episode, line_graph

from waypost.domain.episode.episode import Instruction, Turn
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.turn_places import is_said_here, turn_place_words, turn_steps

TURNS = (Turn("oracle", "On.", 4, "B"), Turn("oracle", "Stop."), Turn("oracle", "Wait.", 2))


def replay(run: EpisodeRun) -> Replay:
    return build_replay(
        graph_episode("ABC", instruction=Instruction("sink", dialogue=TURNS)), run, line_graph()
    )


def test_the_first_visit_is_told_and_every_visit_is_here() -> None:
    shown = replay(EpisodeRun("7_0", route(tuple("ABAB"))))
    assert turn_steps(shown) == (1, None, None)
    assert [is_said_here(shown, 0, step) for step in range(4)] == [False, True, False, True]
    assert turn_place_words(shown, 0, 3).endswith("data set, B: here")
    assert turn_place_words(shown, 0, 2).endswith("data set, B: the run is there first at step 1")


def test_nothing_is_said_beyond_the_data() -> None:
    shown = replay(EpisodeRun("7_0", route(positions_m=[(0, 0, 0)])))
    assert turn_steps(shown) == (None, None, None)
    assert not is_said_here(shown, 0, 0)
    assert [turn_place_words(shown, number, 0) for number in range(3)] == [
        "said at place 4 of the walk in the data set, B",
        "",
        "said at place 2 of the walk in the data set",
    ]


def test_a_run_without_poses_is_nowhere() -> None:
    shown = replay(EpisodeRun("7_0"))
    assert turn_steps(shown) == (None, None, None)
    assert not is_said_here(shown, 0, 0)
