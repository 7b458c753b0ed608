"""Every tag on a run where it must be found, and where it must not."""

from __future__ import annotations

from typing import Any

import pytest
from fixtures.replay_examples import (
    ends_near,
    graph_episode,
    graph_replay,
    line_graph,
    space_replay,
)

from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, RunEnd
from waypost.domain.replay.loops import find_loop
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.tags import TAG_RULES, TAG_TITLES, TagKind, find_tags, tag_counts

STOPPED = RunEnd(called_stop=True)


def found(replay: Replay, **options: Any) -> dict[str, int | None]:
    is_success = options.get("is_success", ends_near(replay))
    return {tag.kind.value: tag.step for tag in find_tags(replay, is_success)}


@pytest.mark.parametrize(
    ("walked", "reference", "tags"),
    [
        ("ABC", "ABC", {"perfect": 2}),
        # On a line of 2 m steps, B is within 3 m of C.
        ("AB", "ABC", {"perfect": None}),
        ("ABABC", "ABC", {"success_with_looping": 2, "looping": 2}),
        ("AB", "ABCD", {"early_stop": 1}),
        ("A", "ABCD", {"early_stop": 0}),
        ("ABCDE", "ABC", {"late_stop": 4, "oracle_success": 1}),
        ("ABABA", "ABCDE", {"looping": 2}),
        ("BABAB", "BCD", {"looping": 2, "wrong_first_turn": 1, "early_stop": 4}),
        ("BU", "BCDE", {"wrong_first_turn": 1, "wrong_storey": 1}),
        ("UBU", "UBCD", {"wrong_storey": 2}),
        ("UBABU", "UBCD", {"looping": None, "wrong_storey": 4}),
    ],
)
def test_tags_of_runs_on_a_graph(walked: str, reference: str, tags: dict[str, int | None]) -> None:
    expected = {key: step for key, step in tags.items() if step is not None}
    assert found(graph_replay(walked, reference)) == expected


def test_a_round_walked_again_is_a_loop() -> None:
    moves = [(place, step) for step, place in enumerate([0, 1, 2, 3, 0, 1, 2])]
    loop = find_loop(moves, 3)
    assert loop is not None
    assert loop.step == 4
    assert "step 0" in loop.reason


def test_going_back_once_is_no_loop() -> None:
    moves = [(place, step) for step, place in enumerate([0, 1, 2, 1, 0, 3])]
    assert find_loop(moves, 3) is None


def test_a_third_visit_is_a_loop_from_the_second_on() -> None:
    moves = [(place, 10 * step) for step, place in enumerate([0, 1, 0, 2, 0])]
    loop = find_loop(moves, 3)
    assert loop is not None
    assert loop.step == 20


@pytest.mark.parametrize(
    ("end", "tags"),
    [
        (STOPPED, {"early_stop": 1}),
        (RunEnd(called_stop=False), {"never_stopped": 1}),
        (RunEnd(called_stop=True, reason="exceed_total_max_step"), {"never_stopped": 1}),
        (RunEnd(reason="Agent stopped due to iteration limit."), {"never_stopped": 1}),
        (RunEnd(called_stop=False, reason="stuck"), {"stuck": 1}),
        (RunEnd(is_stuck=True), {"stuck": 1}),
        (RunEnd(has_fallen=True), {"fall": 1}),
        (RunEnd(reason="fall"), {"fall": 1}),
        (RunEnd(called_stop=True, collision_count=2), {"early_stop": 1, "collision": None}),
    ],
)
def test_how_it_ended(end: RunEnd, tags: dict[str, int | None]) -> None:
    assert found(graph_replay("AB", "ABCDE", end=end)) == tags


def test_a_limit_within_the_radius_is_no_failure_but_said() -> None:
    assert found(graph_replay("ABC", end=RunEnd(called_stop=False))) == {
        "never_stopped": 2,
    }


def test_oracle_success_by_a_limit_is_no_late_stop() -> None:
    tags = found(graph_replay("ABCDE", "ABC", end=RunEnd(called_stop=False)))
    assert tags == {"oracle_success": 1, "never_stopped": 4}


def test_text_without_a_move_is_a_generation_error() -> None:
    event = Event(EventKind.NO_MOVE, "no option named")
    decisions = (Decision(1, 2), Decision(2, 2, events=(event,)), Decision(2, 3))
    tags = find_tags(graph_replay("ABC", decisions=decisions), True)
    assert [(tag.kind, tag.step, tag.reason) for tag in tags] == [
        (TagKind.GENERATION_ERROR, 1, "no option named")
    ]


@pytest.mark.parametrize(("walked", "step"), [("ABD", 2), ("ABXC", 2), ("XB", 0)])
def test_leaving_the_graph_is_a_generation_error(walked: str, step: int) -> None:
    assert found(graph_replay(walked, "ABD"))["generation_error"] == step


@pytest.mark.parametrize("walked", ["AXC", "AX", "AAXAU", "AXXU"])
def test_a_first_move_off_the_graph_is_no_wrong_turn(walked: str) -> None:
    tags = found(graph_replay(walked, "ABC"))
    assert tags["generation_error"] == walked.index("X")
    assert "wrong_first_turn" not in tags


def test_without_a_graph_no_turn_is_wrong() -> None:
    # U may be nearer to the goal than A: nothing tells.
    replay = graph_replay("AUC", "ABC")
    tags = found(build_replay(replay.episode, replay.run))
    assert "wrong_first_turn" not in tags


def test_a_marked_collision_has_its_step() -> None:
    event = Event(EventKind.COLLISION, "touched a chair")
    replay = graph_replay("ABC", decisions=(Decision(1, 2), Decision(2, 3, events=(event,))))
    assert found(replay) == {"collision": 1}


def test_the_profile_may_judge_success_otherwise() -> None:
    replay = graph_replay("ABC", "ABC")
    assert found(replay, is_success=False) == {}
    assert "perfect" in found(replay, is_success=True)


def test_without_ground_truth_only_the_log_speaks() -> None:
    episode = graph_episode("A", has_ground_truth=False, goals=())
    run = EpisodeRun("7_0", route(tuple("ABAB")), end=RunEnd(called_stop=False))
    assert found(build_replay(episode, run, line_graph())) == {"looping": 2}


def test_nothing_is_said_of_an_empty_run() -> None:
    assert find_tags(graph_replay(""), None) == ()


def test_a_wrong_first_direction_in_space() -> None:
    reference = [[0, 0, 0], [5, 0, 0]]
    away = [[0, 0, 0], [-0.5, 0.2, 0], [-2, 0.2, 0]]
    assert found(space_replay(away, reference)) == {"wrong_first_turn": 2}
    aside = [[0, 0, 0], [0.4, 0.9, 0], [0.8, 1.8, 0]]
    assert "wrong_first_turn" not in found(space_replay(aside, reference))


def test_wrong_storey_in_space() -> None:
    reference = [[0, 0, 0], [3, 0, 0], [8, 0, 0]]
    up = [[0, 0, 1], [2, 0, 1], [2, 3, 2.4], [2, 6, 2.6], [2, 7, 2.5]]
    assert found(space_replay(up, reference))["wrong_storey"] == 3


def test_every_tag_has_a_title_and_a_rule() -> None:
    assert set(TAG_TITLES) == set(TAG_RULES) == set(TagKind)


def test_counts_carry_episodes() -> None:
    loops, early = (
        find_tags(graph_replay("ABABC"), True),
        find_tags(graph_replay("AB", "ABCD"), False),
    )
    counts = tag_counts({"1": loops, "2": early, "3": loops})
    assert counts == {
        TagKind.SUCCESS_WITH_LOOPING: ("1", "3"),
        TagKind.LOOPING: ("1", "3"),
        TagKind.EARLY_STOP: ("2",),
    }


def test_first_turns_need_a_way_to_compare() -> None:
    assert "wrong_first_turn" not in found(
        space_replay([[0, 0, 0], [0.5, 0, 0]], [[0, 0, 0], [5, 0, 0]])
    )
    assert "wrong_first_turn" not in found(space_replay([[0, 0, 0], [0, 5, 0]], [[0, 0, 0]]))
    assert "wrong_first_turn" not in found(graph_replay("BU", "B"))
