"""A stated shortest way that cannot be one is found; every right one passes."""

import dataclasses

import numpy as np
import pytest
from worlds.vln_worlds import graph_episode, line_graph, space_episode

from waypost.domain.episode.distance_checks import check_stated_distance
from waypost.domain.episode.episode import Goal
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph

LINE = line_graph(2, 2, 2)


def in_space(stated_m, end=(6.0, 0.0, 0.0), **fields):
    points = [(0.0, 0.0, 0.0), end]
    return space_episode(points, start_position_m=points[0], geodesic_m=stated_m, **fields)


@pytest.mark.parametrize("stated", [6.0, 5.95, 7.5, 60.0, None])
def test_a_way_as_long_as_the_straight_line_or_longer_passes(stated):
    assert check_stated_distance(in_space(stated)) is None


@pytest.mark.parametrize("stated", [3.0, 5.8, 0.0])
def test_a_way_shorter_than_the_straight_line_is_found(stated):
    finding = check_stated_distance(in_space(stated))
    assert finding is not None
    assert (finding.kind, finding.value) == (ImportKind.WRONG_DISTANCE, f"{stated:.2f} m")
    assert "the straight line from start to goal is 6.00 m" in finding.message
    assert finding.is_problem


def test_heights_count():
    assert check_stated_distance(in_space(4.9, end=(4.0, 0.0, 3.0))) is None
    assert check_stated_distance(in_space(4.0, end=(4.0, 0.0, 3.0))) is not None


def test_the_nearest_of_several_goals_counts():
    goals = (Goal(position_m=(6.0, 0.0, 0.0)), Goal(position_m=(2.0, 0.0, 0.0)))
    assert check_stated_distance(in_space(2.0, goals=goals)) is None
    assert check_stated_distance(in_space(1.0, goals=goals)) is not None


def test_a_secret_goal_says_nothing():
    secret = dataclasses.replace(in_space(1.0), has_ground_truth=False)
    assert check_stated_distance(secret) is None


@pytest.mark.parametrize(
    ("stated", "is_right"), [(4.0, True), (4.2, True), (3.0, False), (9.0, False)]
)
def test_between_viewpoints_the_graph_knows_it(stated, is_right):
    finding = check_stated_distance(graph_episode("ABC", geodesic_m=stated), LINE)
    assert (finding is None) == is_right
    if finding is not None:
        assert "the graph of line says 4.00 m" in finding.message


def test_the_length_of_a_path_that_is_no_shortest_way_passes():
    """R2R calls that its distance."""
    assert check_stated_distance(graph_episode("ABCBC", geodesic_m=8.0), LINE) is None
    assert check_stated_distance(graph_episode("ABCBC", geodesic_m=4.0), LINE) is None
    assert check_stated_distance(graph_episode("ABCBC", geodesic_m=6.0), LINE) is not None


def test_goals_without_a_way_to_them():
    positions = [(0.0, 0.0, 1.5), (2.0, 0.0, 1.5)]
    apart = build_viewpoint_graph("line", ("A", "B"), positions, np.zeros((2, 2), dtype=bool))
    finding = check_stated_distance(graph_episode("AB", geodesic_m=2.0), apart)
    assert finding is not None
    assert "no way in line leads from start to goal" in finding.message


@pytest.mark.parametrize(("stated", "is_right"), [(6.0, True), (10.0, True), (11.0, False)])
def test_over_the_floor_the_graph_bounds_it(stated, is_right):
    finding = check_stated_distance(in_space(stated), LINE)
    assert (finding is None) == is_right
    if finding is not None:
        assert "between the nearest viewpoints of line it is 6.00 m" in finding.message


def test_positions_far_from_every_viewpoint_are_not_compared_with_the_graph():
    assert check_stated_distance(in_space(60.0, end=(6.0, 5.0, 0.0)), LINE) is None
