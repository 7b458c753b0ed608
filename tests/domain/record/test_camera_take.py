from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from fixtures.recorded_takes import walk as recorded_walk
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError
from waypost.domain.record.camera_take import (
    CameraPose,
    FieldOfView,
    FovAxis,
    PictureSize,
    TourSettings,
    find_node,
    follow,
    picture_stems,
    pose_towards,
    route_through,
    walk,
)
from waypost.domain.scene.graph import Edge, Node, build_graph

SQUARE = ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0))


def graph():
    nodes = [
        Node("n1", "Hall", (0.0, 0.0, 0.0)),
        Node("n2", "Kitchen", (4.0, 0.0, 0.0)),
        Node("n3", "Porch", (2.0, 0.5, 0.0)),
        Node("n4", "Attic", (2.0, 9.0, 0.0)),
        Node("n5", "hall", (9.0, 9.0, 0.0)),
        Node("n6", "Twin", (7.0, 9.0, 0.0)),
        Node("n7", "Twin", (8.0, 9.0, 0.0)),
    ]
    ends = [("n1", "n4"), ("n2", "n4"), ("n3", "n1"), ("n3", "n2"), ("n5", "n6")]
    return build_graph(nodes, [Edge(f"e{i}", *pair) for i, pair in enumerate(ends)])


def test_a_walk_keeps_its_speed_its_height_and_its_rate() -> None:
    taken = walk(SQUARE, TourSettings(speed_mps=0.8))
    # 4 m at 0.8 m/s are 5 s: 10 steps of 0.5 s, and the picture at the start.
    assert len(taken) == 11
    assert [picture.index for picture in taken] == list(range(11))
    assert [picture.time_ns for picture in taken] == [500_000_000 * n for n in range(11)]
    places = np.array([picture.pose.position_m for picture in taken])
    assert (places[:, 2] == 1.5).all()
    along = np.abs(np.diff(places[:, :2], axis=0)).sum(axis=1)
    assert along == pytest.approx(0.4)
    assert taken[0].pose.position_m == (0.0, 0.0, 1.5)
    assert taken[-1].pose.position_m == pytest.approx((2.0, 2.0, 1.5))


def test_a_corner_is_turned_evenly_half_before_and_half_after() -> None:
    taken = walk(SQUARE, TourSettings(fps=10.0, turn_time_s=1.0))
    yaws_deg = np.degrees([picture.pose.yaw_rad for picture in taken])
    # The corner is reached after 2 s: nothing turns until 1.5 s, all is done at 2.5 s.
    assert yaws_deg[:16] == pytest.approx(0.0)
    assert yaws_deg[15:26] == pytest.approx(np.arange(11) * 9.0)
    assert yaws_deg[25:] == pytest.approx(90.0)


def test_without_turning_time_the_heading_jumps_at_the_corner() -> None:
    taken = walk(SQUARE, TourSettings(turn_time_s=0.0))
    assert np.degrees([f.pose.yaw_rad for f in taken]) == pytest.approx([0.0] * 4 + [90.0] * 5)


def test_the_shorter_way_round_is_taken_over_the_wrap() -> None:
    # From 170° to −170°: 20° to the left, through 180°.
    first = (math.cos(math.radians(170.0)) * 3, math.sin(math.radians(170.0)) * 3, 0.0)
    last = (first[0] * 2, first[1] - first[1], 0.0)
    taken = walk([(0.0, 0.0, 0.0), first, last], TourSettings(fps=20.0))
    yaws = np.degrees([picture.pose.yaw_rad for picture in taken])
    assert (np.abs(yaws) > 169.9).all()


def test_a_last_picture_stands_at_the_end_of_an_uneven_way() -> None:
    taken = walk([(0.0, 0.0, 0.0), (0.0, 1.2, 0.6)], TourSettings())
    # 1.342 m: the third step is cut short.
    assert len(taken) == 4
    assert taken[-1].pose.position_m == pytest.approx((0.0, 1.2, 2.1))


def test_straight_up_the_heading_is_kept() -> None:
    taken = walk([(0, 0, 0), (0, 2, 0), (0, 2, 3), (0, 2, 3), (2, 2, 3)], TourSettings(fps=1.0))
    assert [round(math.degrees(f.pose.yaw_rad)) for f in taken] == [90] * 5 + [45, 0, 0]


@pytest.mark.parametrize(
    "points", [[], [(0, 0, 0)], [(1, 1, 0), (1, 1, 0)], [(0, 0, 0), (0, 0, 3)]]
)
def test_no_way_no_tour(points) -> None:
    with pytest.raises(InputError, match="two nodes"):
        walk(points, TourSettings())


def test_endless_tours_are_refused() -> None:
    with pytest.raises(InputError, match="pictures, at most"):
        walk([(0, 0, 0), (1e6, 0, 0)], TourSettings(fps=240.0, speed_mps=0.01))


@given(
    st.lists(st.tuples(*[st.floats(-50, 50)] * 3), min_size=2, max_size=8),
    st.sampled_from([0.5, 2.0, 7.0]),
)
def test_no_step_is_longer_than_the_speed_allows(points, fps) -> None:
    if all(math.hypot(b[0] - a[0], b[1] - a[1]) < 1e-5 for a, b in pairwise(points)):
        return
    taken = walk(points, TourSettings(fps=fps, speed_mps=1.5))
    places = [picture.pose.position_m for picture in taken]
    assert all(math.dist(a, b) <= 1.5 / fps + 1e-6 for a, b in pairwise(places))
    assert places[-1] == pytest.approx((*points[-1][:2], points[-1][2] + 1.5), abs=1e-6)
    assert all(-math.pi <= picture.pose.yaw_rad <= math.pi for picture in taken)


def test_a_recording_is_followed_sample_by_sample() -> None:
    # 2 m at 1 m/s east, then 1 m north: 61 samples over 3 s.
    recording = recorded_walk([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)])
    samples = recording.trajectory
    taken = follow(recording, TourSettings())
    assert len(taken) == 7
    for picture in taken:
        row = picture.index * 10
        assert picture.time_ns == samples.times_ns[row]
        x, y, z = samples.positions_m[row].tolist()
        assert picture.pose.position_m == (x, y, z + 1.5)
        assert picture.pose.yaw_rad == samples.yaws_rad[row]


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [("yaws_rad", np.nan, "looked"), ("times_ns", np.iinfo(np.int64).min, "when")],
)
def test_recordings_that_say_too_little_are_refused(column, value, reason) -> None:
    recording = recorded_walk([(0.0, 0.0), (1.0, 0.0)], **{column: np.full(21, value)})
    with pytest.raises(InputError, match=reason):
        follow(recording, TourSettings())


def test_nodes_are_found_by_id_and_name() -> None:
    assert find_node(graph(), "n2") == "n2"
    assert find_node(graph(), "Hall") == "n1"
    assert find_node(graph(), "hall") == "n5"
    assert find_node(graph(), "KITCHEN") == "n2"
    for name, reason in (("Twin", "2 nodes"), ("HALL", "2 nodes"), ("Cellar", "no node")):
        with pytest.raises(InputError, match=reason):
            find_node(graph(), name)


def test_ways_follow_edges_and_are_shortest() -> None:
    assert route_through(graph(), ["n1", "n2"]) == ("n1", "n3", "n2")
    assert route_through(graph(), ["n1", "n4", "n2", "n2"]) == ("n1", "n4", "n2")
    with pytest.raises(InputError, match="no edges lead from 'Hall' to 'Twin'"):
        route_through(graph(), ["n1", "n6"])


def test_the_quaternion_turns_ahead_into_the_gaze() -> None:
    pose = CameraPose((0.0, 0.0, 0.0), math.radians(50.0), math.radians(20.0))
    w, x, y, z = pose.quaternion
    ahead = (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
    left = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
    level = math.cos(math.radians(20.0))
    assert ahead == pytest.approx(
        (level * math.cos(math.radians(50)), level * math.sin(math.radians(50)), 0.3420201433)
    )
    assert left == pytest.approx((-math.sin(math.radians(50)), math.cos(math.radians(50)), 0.0))


def test_fields_of_view_of_both_axes() -> None:
    size = PictureSize(640, 480)
    wide = FieldOfView(math.radians(75.0))
    assert math.degrees(wide.horizontal_rad(size)) == pytest.approx(75.0)
    assert math.degrees(wide.vertical_rad(size)) == pytest.approx(59.8404443)
    high = FieldOfView(math.radians(75.0), FovAxis.VERTICAL)
    assert math.degrees(high.vertical_rad(size)) == pytest.approx(75.0)
    assert math.degrees(high.horizontal_rad(size)) == pytest.approx(91.3085118)


def test_looking_at_a_point() -> None:
    pose = pose_towards((0.0, 0.0, 1.5), (1.0, 1.0, 1.5 + math.sqrt(2.0)))
    assert math.degrees(pose.yaw_rad) == pytest.approx(45.0)
    assert math.degrees(pose.pitch_rad) == pytest.approx(45.0)
    with pytest.raises(InputError, match="straight above or below"):
        pose_towards((0.0, 0.0, 1.5), (0.0, 0.0, 3.0))


@given(st.lists(st.text(min_size=0, max_size=150), unique=True, max_size=20))
def test_file_names_are_safe_and_never_the_same(ids) -> None:
    stems = picture_stems(ids)
    folded = {stem.casefold() for stem in stems.values()}
    assert len(folded) == len(stems)
    assert all(stem and len(stem) < 120 and stem[0] != "." for stem in stems.values())
    assert not set("".join(stems.values())) & set('/\\:*?"<>| ')


def test_file_names_of_plain_ids_are_the_ids() -> None:
    assert picture_stems(["node_1", "a b/c"]) == {"node_1": "node_1", "a b/c": "a%20b%2Fc"}
    assert picture_stems(["A", "a"])["A"].startswith("A~")


@pytest.mark.parametrize(
    "make",
    [
        lambda: PictureSize(8, 480),
        lambda: PictureSize(640, 10_000),
        lambda: FieldOfView(math.radians(179.0)),
        lambda: FieldOfView(math.nan),
        lambda: TourSettings(fps=0.0),
        lambda: TourSettings(speed_mps=math.nan),
        lambda: TourSettings(eye_height_m=math.inf),
        lambda: TourSettings(turn_time_s=-1.0),
    ],
)
def test_impossible_settings_are_refused(make) -> None:
    with pytest.raises(InputError):
        make()
