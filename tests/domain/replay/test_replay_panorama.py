"""Views from the agent's side, and markers that stand where their options are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fixtures.replay_examples import graph_episode, line_graph, pose_rotation
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Option
from waypost.domain.replay.panorama import (
    agent_views,
    front_view_index,
    markers_at,
)
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.views import (
    EquirectangularView,
    PerspectiveView,
    SkyboxFace,
    angles_of_direction,
    direction_between,
    direction_of_angles,
)

ANGLES = st.floats(-10, 10)
ELEVATIONS = st.floats(-1.5, 1.5)


@pytest.mark.parametrize(
    ("degrees", "front"),
    [
        (0, 0),
        (44.999, 0),
        (45, 1),
        (134.999, 1),
        (135, 2),
        (224.999, 2),
        (225, 3),
        (314.999, 3),
        (315, 0),
        (359.9, 0),
        (-45, 0),
        (-45.001, 3),
        (405, 1),
    ],
)
def test_front_is_the_nearest_quarter(degrees: float, front: int) -> None:
    assert front_view_index(math.radians(degrees)) == front


def test_views_are_left_front_right_back() -> None:
    shown = [(v.side, round(math.degrees(v.heading_rad))) for v in agent_views(math.radians(100))]
    assert shown == [("Left", 0), ("Front", 90), ("Right", 180), ("Back", 270)]
    shown = [(v.side, round(math.degrees(v.heading_rad))) for v in agent_views(0.0)]
    assert shown == [("Left", 270), ("Front", 0), ("Right", 90), ("Back", 180)]


@given(ANGLES, ELEVATIONS)
def test_angles_and_directions_are_inverse(heading: float, elevation: float) -> None:
    back, up = angles_of_direction(direction_of_angles(heading, elevation))
    assert math.remainder(back - heading, math.tau) == pytest.approx(0, abs=1e-9)
    assert up == pytest.approx(elevation, abs=1e-9)


@given(ANGLES, st.floats(-1.0, 1.0), st.floats(0.2, 2.5), st.floats(0, 640), st.floats(0, 480))
def test_perspective_pixels_and_directions_are_inverse(
    heading: float, elevation: float, fov: float, x: float, y: float
) -> None:
    view = PerspectiveView(heading, elevation, fov, 640, 480)
    pixel = view.pixel_of(view.direction_of((x, y)))
    if pixel is None:  # rounding may push a pixel on the very edge outside
        assert min(x, y, 640 - x, 480 - y) < 1e-6
    else:
        assert pixel == pytest.approx((x, y), abs=1e-6)


@given(ANGLES, st.floats(1, 2047), st.floats(1, 1023))
def test_equirectangular_pixels_and_directions_are_inverse(
    heading: float, x: float, y: float
) -> None:
    view = EquirectangularView(heading, 2048, 1024)
    assert view.pixel_of(view.direction_of((x, y))) == pytest.approx((x, y), abs=1e-4)


@given(ANGLES, ANGLES, ELEVATIONS)
def test_each_direction_is_on_a_face_and_back(pose: float, heading: float, up: float) -> None:
    direction = direction_of_angles(heading, up)
    rotation = pose_rotation(pose)
    faces = [SkyboxFace(index, rotation, 1024) for index in range(6)]
    shown = [(face, face.pixel_of(direction)) for face in faces]
    seen = [(face, pixel) for face, pixel in shown if pixel is not None]
    assert seen
    for face, pixel in seen:
        assert face.direction_of(pixel) == pytest.approx(direction, abs=1e-9)


def test_faces_look_up_back_left_ahead_right_down() -> None:
    rotation = pose_rotation(math.radians(30))
    angles = [
        angles_of_direction(SkyboxFace(index, rotation, 512).direction_of((256, 256)))
        for index in range(6)
    ]
    assert math.degrees(angles[0][1]) == pytest.approx(90)
    assert math.degrees(angles[5][1]) == pytest.approx(-90)
    headings = [math.degrees(heading) for heading, _ in angles[1:5]]
    assert headings == pytest.approx([210, 300, 30, 120])


@pytest.mark.parametrize("face", [1, 2, 3, 4])
def test_side_faces_are_upright_and_not_mirrored(face: int) -> None:
    view = SkyboxFace(face, pose_rotation(0.7), 512)
    assert (view.width_px, view.height_px) == (512, 512)
    middle = angles_of_direction(view.direction_of((256, 256)))[0]
    right = angles_of_direction(view.direction_of((300, 256)))[0]
    assert math.remainder(right - middle, math.tau) > 0
    assert angles_of_direction(view.direction_of((256, 200)))[1] > 0


def test_markers_are_neighbours_clockwise_from_the_heading() -> None:
    run = EpisodeRun("7_0", route(tuple("BC"), yaws_rad=[math.pi / 2, 0]))
    replay = build_replay(graph_episode("BC"), run, line_graph())
    markers = markers_at(replay, 0)
    # Facing +Y: U lies ahead and above, C to the right, A to the left.
    assert [(m.number, m.viewpoint_id, m.is_chosen) for m in markers] == [
        (1, "U", False),
        (2, "C", True),
        (3, "A", False),
    ]
    assert [round(math.degrees(m.turn_from(0.0))) for m in markers] == [0, 90, -90]
    assert markers[0].elevation_rad == pytest.approx(math.atan2(3, 0.5))


def test_offered_options_come_first_and_in_their_order() -> None:
    options = (Option("A", "C"), Option("B", "U"), Option("C", "nowhere"), Option("D"))
    run = EpisodeRun("7_0", route(tuple("BU")), (Decision(1, 2, options=options),))
    markers = markers_at(build_replay(graph_episode("BC"), run, line_graph()), 0)
    assert [(m.number, m.viewpoint_id, m.label, m.is_offered, m.is_chosen) for m in markers] == [
        (1, "C", "A", True, False),
        (2, "U", "B", True, True),
        (3, "A", "", False, False),
    ]


def test_no_graph_no_markers() -> None:
    run = EpisodeRun("7_0", route(tuple("BC")))
    assert markers_at(build_replay(graph_episode("BC"), run), 0) == ()
    strange = EpisodeRun("7_0", route(("X",)))
    assert markers_at(build_replay(graph_episode("BC"), strange, line_graph()), 0) == ()


def test_coinciding_points_have_a_direction() -> None:
    assert direction_between((1, 2, 3), (1, 2, 3)) == (0, 1, 0)
    assert np.linalg.norm(direction_between((0, 0, 0), (3, 4, 12))) == pytest.approx(1)
