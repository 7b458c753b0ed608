"""The map of a replay: what is drawn, where, and up to when."""

from __future__ import annotations

import numpy as np
import pytest
from fixtures.replay_examples import graph_episode, graph_replay, space_replay

from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, EpisodeRun
from waypost.domain.replay.map import (
    MOST_PIECES,
    LineRole,
    MarkRole,
    ReplayMap,
    replay_map,
    scale_bar_m,
    time_colour,
)
from waypost.domain.replay.replay import build_replay


def count(run_map: ReplayMap, role: MarkRole) -> int:
    return sum(mark.role is role for mark in run_map.marks)


def test_the_whole_run() -> None:
    run_map = replay_map(graph_replay("ABABC"))
    paths = [line for line in run_map.lines if line.role is LineRole.PATH]
    assert [line.step for line in paths] == [1, 2, 3, 4]
    assert paths[0].points == ((0, 0), (2, 0))
    # Walked again, a move runs beside the earlier one, to the right of its direction.
    assert paths[1].points == ((2, pytest.approx(0.14)), (0, pytest.approx(0.14)))
    assert paths[2].points[0][1] == pytest.approx(-0.14)
    reference = [line.points for line in run_map.lines if line.role is LineRole.REFERENCE]
    assert reference == [((0, 0), (2, 0), (4, 0))]
    revisits = {mark.label: mark.at for mark in run_map.marks if mark.role is MarkRole.REVISIT}
    assert revisits == {"×2": (2, 0)}
    assert count(run_map, MarkRole.REVISIT) == 2
    (deviation,) = (mark for mark in run_map.marks if mark.role is MarkRole.DEVIATION)
    assert (deviation.at, deviation.step) == ((0, 0), 2)
    (circle,) = (mark for mark in run_map.marks if mark.role is MarkRole.GOAL_CIRCLE)
    assert (circle.at, circle.radius_m) == ((4, 0), 3)
    assert run_map.low == (-2.5, pytest.approx(-3.3))


def test_an_answer_has_no_circle_of_success() -> None:
    """CapNav: naming a place near the goal is no success."""
    run_map = replay_map(graph_replay("ABC", answer=Answer(agent_key="wheelchair", says="yes")))
    assert [mark.role for mark in run_map.marks if "GOAL" in mark.role.name] == [MarkRole.GOAL]
    assert run_map.low == (-2.5, -2.5)


def test_up_to_a_step() -> None:
    run_map = replay_map(graph_replay("ABABC"), 1)
    assert [line.step for line in run_map.lines if line.role is LineRole.PATH] == [1]
    assert count(run_map, MarkRole.DEVIATION) == 0
    (end,) = (mark for mark in run_map.marks if mark.role is MarkRole.END)
    assert (end.label, end.at) == ("step 1", (2, 0))
    options = {m.label: (m.role, m.at) for m in run_map.marks if m.role in {"option", "chosen"}}
    # At B, facing +X: C ahead, then clockwise A behind and U to the left.
    assert options == {
        "1": ("option", (4, 0)),
        "2": ("chosen", (0, 0)),
        "3": ("option", (2, 0.5)),
    }
    # U is 3 m up: it is set apart while the agent is below.
    assert count(run_map, MarkRole.NODE_ELSEWHERE) == 1
    assert count(replay_map(graph_replay("ABU"), 2), MarkRole.NODE_ELSEWHERE) == 5


def test_long_runs_have_few_pieces() -> None:
    points = np.zeros((5001, 3))
    points[:, 0] = np.linspace(0, 50, 5001)
    run_map = replay_map(space_replay(points, points[::500]))
    paths = [line for line in run_map.lines if line.role is LineRole.PATH]
    assert len(paths) <= MOST_PIECES
    assert paths[-1].points[-1] == (50, 0)
    assert paths[0].points[-1] == paths[1].points[0]


def test_without_positions_there_is_a_plan_without_a_path() -> None:
    assert replay_map(graph_replay("")).lines != ()
    assert count(replay_map(graph_replay("")), MarkRole.START) == 0


def test_colours_run_from_dark_to_bright() -> None:
    assert time_colour(-1) == (68, 1, 84)
    assert time_colour(2) == (181, 222, 43)
    assert time_colour(0.5) == (38, 130, 142)


@pytest.mark.parametrize(("width", "bar"), [(10, 2), (9.9, 1), (26, 5), (0.3, 0.05), (120, 20)])
def test_scale_bars_are_round(width: float, bar: float) -> None:
    assert scale_bar_m(width) == pytest.approx(bar)


def test_standing_still_draws_no_piece() -> None:
    run_map = replay_map(space_replay([[1, 1, 0]] * 4, [[1, 1, 0]]))
    assert [line for line in run_map.lines if line.role is LineRole.PATH] == []
    assert count(run_map, MarkRole.END) == 1


def test_nothing_known_is_an_empty_plan() -> None:
    replay = build_replay(
        graph_episode("A", has_ground_truth=False, goals=()), EpisodeRun("7_0", route(("A",)))
    )
    run_map = replay_map(replay)
    assert (run_map.lines, run_map.marks, run_map.low, run_map.high) == ((), (), (-1, -1), (1, 1))
