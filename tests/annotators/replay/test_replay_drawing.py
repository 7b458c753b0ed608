"""A replay over the scene: the same facts as on the plan, on the floor."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from fixtures.replay_examples import graph_episode, graph_replay, line_graph, space_replay

from waypost.annotators.replay.replay_drawing import (
    LIFT_M,
    MOST_PIECES,
    step_drawing,
    still_drawing,
)
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.map import time_colour
from waypost.domain.replay.replay import build_replay
from waypost.viewers.scene.drawing import MarkerShape


def test_the_way_so_far_lies_on_the_floor_coloured_by_time() -> None:
    drawn = step_drawing(graph_replay("ABCDE"), 2)
    rim, first, second, arrow = drawn.lines
    # The cameras stand 1.5 m above the floor at 0.
    assert first.points == ((0, 0, pytest.approx(LIFT_M)), (2, 0, pytest.approx(LIFT_M)))
    assert second.points[-1] == (4, 0, pytest.approx(LIFT_M))
    assert [round(part * 255) for part in second.color[:3]] == list(time_colour(0.5))
    assert [point[0] for point in rim.points] == [0, 2, 2, 4]
    assert arrow.has_arrow
    assert arrow.points[1][0] == pytest.approx(4.6)


def test_options_revisits_and_deviation_of_a_loop() -> None:
    drawn = step_drawing(graph_replay("ABABC"), 3)
    told = {label.text: label.point[:2] for label in drawn.labels}
    assert told == {
        "×2": (2, 0),
        "⚑ leaves the reference (step 2)": (0, 0),
        "1": (4, 0),
        "2": (0, 0),
        "3": (2, 0.5),
    }
    twice = [label for label in drawn.labels if label.text == "×2"]
    assert sorted(label.point[0] for label in twice) == [0, 2]
    chosen = [marker for marker in drawn.markers if marker.outline_px == 4.0]
    assert [marker.point[:2] for marker in chosen] == [(4, 0)]
    deviation = [marker for marker in drawn.markers if marker.shape is MarkerShape.DIAMOND]
    assert [marker.point[:2] for marker in deviation] == [(0, 0)]
    assert not any(
        "leaves" in label.text for label in step_drawing(graph_replay("ABABC"), 1).labels
    )


def test_what_stays_is_made_once() -> None:
    replay = graph_replay("ABU")
    still = still_drawing(replay)
    assert still is still_drawing(replay)
    assert [label.text for label in still.labels] == ["goal", "start"]
    reference = next(line for line in still.lines if line.dash_px)
    assert [point[0] for point in reference.points] == [0, 2, 4]


def test_long_ways_have_few_pieces_and_end_where_the_agent_is() -> None:
    points = np.zeros((10_000, 3))
    points[:, 0] = np.linspace(0, 100, 10_000)
    replay = space_replay(points, points[::500])
    last = step_drawing(replay, 9_999)
    assert len([line for line in last.lines if not line.has_arrow]) == MOST_PIECES + 1
    for step in (17, 5_000, 9_999):
        drawn = step_drawing(replay, step)
        ways = [line for line in drawn.lines if not line.has_arrow]
        assert ways[-1].points[-1] == drawn.markers[-1].point
        assert drawn.markers[-1].point == (pytest.approx(points[step, 0]), 0, LIFT_M)


def test_runs_without_places_draw_nothing() -> None:
    replay = graph_replay("")
    assert not step_drawing(replay, 0)
    # The graph does not know X.
    assert not step_drawing(graph_replay("X"), 0)
    assert [line.has_arrow for line in step_drawing(graph_replay("XB"), 1).lines] == []


@pytest.mark.parametrize("names", [(), ("A", "B", "C")])
@pytest.mark.parametrize("knows_heights", [True, False])
def test_runs_that_state_their_floor_lie_on_it_with_the_reference(
    names: tuple[str, ...], knows_heights: bool
) -> None:
    graph = line_graph()
    if not knows_heights:
        graph = dataclasses.replace(graph, heights_m=np.full(6, np.nan))
    floor = np.array([[0.0, 0, 0], [2, 0, 0], [4, 0, 0]])
    run = EpisodeRun("7_0", route(names, positions_m=floor))
    replay = build_replay(graph_episode("ABC"), run, graph)
    assert not replay.is_at_cameras
    drawn = still_drawing(replay) + step_drawing(replay, 2)
    points = [point for line in drawn.lines for point in line.points]
    points += [marker.point for marker in drawn.markers] + [label.point for label in drawn.labels]
    assert {round(z, 6) for _, _, z in points} == {LIFT_M}


def test_runs_that_state_where_cameras_were_lie_below_them() -> None:
    # As the pose traces of RxR's guides.
    cameras = np.array([[0.0, 0, 1.52], [2, 0, 1.49], [4, 0, 1.5]])
    run = EpisodeRun("7_0", route(("A", "B", "C"), positions_m=cameras))
    replay = build_replay(graph_episode("ABC"), run, line_graph())
    assert replay.is_at_cameras
    heights = [
        point[2]
        for line in (still_drawing(replay) + step_drawing(replay, 2)).lines
        for point in line.points
    ]
    assert heights == [pytest.approx(LIFT_M, abs=0.021)] * len(heights)
