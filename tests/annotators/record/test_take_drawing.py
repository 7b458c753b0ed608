from __future__ import annotations

import pytest

from waypost.annotators.record.take_drawing import seen_bounds, take_drawing, touches_drawing
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.viewers.scene.drawing import MarkerShape

PATH = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 2.0, 0.0))


def episode(**more):
    return Episode("vlnverse-fine", "", "e1", "house", Instruction("Go."), **more)


def test_the_reference_is_dashed_below_the_driven_way_and_early_is_not_late():
    reference = route(positions_m=[[0.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
    drawing = take_drawing(PATH, episode(reference=reference, goals=(Goal(position_m=PATH[2]),)))
    dashed, *driven = drawing.lines
    assert dashed.dash_px > 0
    assert dashed.points == ((0.0, 0.0, 0.05), (0.0, 3.0, 0.05))
    assert [line.points[-1][:2] for line in driven] == [(1.0, 0.0), (1.0, 2.0)]
    assert driven[-1].color == pytest.approx((0.993, 0.906, 0.144, 1.0))
    assert {label.text for label in drawing.labels} == {"start", "you", "goal"}


def test_a_take_without_motion_or_reference_is_one_place():
    drawing = take_drawing(PATH[:1], episode())
    assert drawing.lines == ()
    assert [marker.point for marker in drawing.markers] == [(0.0, 0.0, 0.05)] * 2


def test_what_is_seen_has_a_metre_around_path_reference_and_goals():
    goal = Goal(position_m=(5.0, 0.0, 0.0))
    assert seen_bounds(PATH, episode(goals=(goal,))) == ((-1.0, -1.0, -1.0), (6.0, 3.0, 1.0))


def test_what_a_card_covers_at_the_right_is_added_there():
    low, high = seen_bounds(PATH, episode(), covered_share=0.25)
    # 3 m wide with both margins; a quarter of 4 m is covered.
    assert (low, high) == ((-1.0, -1.0, -1.0), (3.0, 3.0, 1.0))


def test_without_its_episode_a_take_is_its_path_alone():
    drawing = take_drawing(PATH, None, "end")
    assert {label.text for label in drawing.labels} == {"start", "end"}
    assert all(not line.dash_px for line in drawing.lines)
    low, high = seen_bounds(PATH, None)
    assert low[0] == min(x for x, _, _ in PATH) - 1.0
    assert high[1] == max(y for _, y, _ in PATH) + 1.0


def test_touches_are_crosses_just_above_the_floor():
    (cross,) = touches_drawing(((1.0, 2.0, 0.0),)).markers
    assert cross.shape is MarkerShape.CROSS
    assert cross.point == (1.0, 2.0, 0.05)
