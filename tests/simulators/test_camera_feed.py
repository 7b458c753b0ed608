"""Pictures of a camera on the agent, from worker to client; drawn by the fake of Isaac Sim."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from simulators.engines import start_engine
from simulators.rooms import HUMAN, box, floor, scene

from waypost.domain.base.errors import InputError
from waypost.services.settings import Settings
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import _MEMORY_FOLDER, CameraPlace
from waypost.simulators.protocol import DriveCommand, DriverState

SMALL = CameraSettings(16, 12, math.radians(90.0), height_m=1.2)


@pytest.fixture
def in_front_of_a_wall(isaac):
    wall = box("wall", (5.0, -20.0, 0.0), (5.2, 20.0, 20.0))
    isaac.load_scene(scene(floor(), wall, origin_m=(100.0, 0.0, 0.0)))
    isaac.spawn(HUMAN, (100.0, 0.0, 0.0), 0.0)
    return isaac


def shared_files():
    return set(_MEMORY_FOLDER.glob(f"waypost-camera-{os.getpid()}-*"))


def test_depth_is_the_distance_to_the_plane_of_the_lens(in_front_of_a_wall):
    with in_front_of_a_wall.open_camera(SMALL) as camera:
        frame = camera.frame()
        assert frame.depth_m.shape == (12, 16)
        # Above the horizon the camera sees the wall only: 5 m in every pixel.
        assert frame.depth_m[:6] == pytest.approx(5.0, abs=1e-4)
        # The lowest row falls by 11/16 of its way to the floor, 1.2 m below.
        assert frame.depth_m[11, 8] == pytest.approx(1.2 / (11 / 16), abs=1e-3)
        assert frame.rgb.shape == (12, 16, 3)
        assert frame.rgb[2, 8].tolist() == [255, 0, 0]
        assert frame.rgb[11, 8].tolist() == [0, 0, 255]


def test_a_frame_has_the_simulated_time_and_place_at_which_it_was_taken(in_front_of_a_wall):
    isaac = in_front_of_a_wall
    with isaac.open_camera(SMALL) as camera:
        first = camera.frame()
        assert (first.time_ns, first.yaw_rad) == (0, 0.0)
        assert first.position_m == pytest.approx((100.0, 0.0, 0.0), abs=1e-6)
        told = isaac.drive(DriveCommand(1.0), 120)
        second = camera.frame()
        assert second.time_ns == told.time_ns == 1_000_000_000
        assert second.position_m == pytest.approx(told.position_m)
        assert second.depth_m[0, 8] == pytest.approx(105.0 - told.position_m[0], abs=1e-4)
        # The first frame is a copy of its own.
        assert first.depth_m[0, 8] == pytest.approx(5.0, abs=1e-4)
        # Drawing takes no simulated time.
        assert isaac.drive(DriveCommand(), 1).time_ns == 1_008_333_333


def test_the_gaze_of_the_driver_tilts_the_camera(in_front_of_a_wall):
    isaac = in_front_of_a_wall
    with isaac.open_camera(CameraSettings(8, 6, height_m=1.2, tilt_rad=-0.2)) as camera:
        assert camera.frame().tilt_rad == pytest.approx(-0.2)
        isaac.drive(DriveCommand(), 1, DriverState(camera_pitch_rad=-math.pi / 2))
        frame = camera.frame()
        assert frame.tilt_rad == pytest.approx(-math.pi / 2)
        assert frame.depth_m == pytest.approx(1.2, abs=1e-4)
        isaac.drive(DriveCommand(), 1, DriverState())


def test_a_place_without_an_agent_is_looked_from_with_the_camera_of_the_form(isaac):
    wall = box("wall", (5.0, -20.0, 0.0), (5.2, 20.0, 20.0))
    tilt_deg = math.degrees(-0.1)
    form = Settings(
        camera_shows="both",
        camera_width_px=9,
        camera_height_px=5,
        camera_field_of_view_deg=60.0,
        camera_lens_m=0.8,
        camera_tilt_deg=tilt_deg,
    )
    with isaac.open_camera(form.camera) as camera:
        isaac.load_scene(scene(floor(), wall, origin_m=(100.0, 0.0, 0.0)))
        frame = camera.frame_from(CameraPlace(7, (103.0, 0.0, 0.0), 0.0, 0.1, "take"))
        assert (frame.time_ns, frame.take, frame.position_m) == (7, "take", (103.0, 0.0, 0.0))
        # The gaze takes the tilt off: level, 2 m before the wall.
        assert frame.tilt_rad == pytest.approx(0.0)
        assert (frame.rgb.shape, frame.depth_m.shape) == ((5, 9, 3), (5, 9))
        assert frame.depth_m[0] == pytest.approx(2.0, abs=1e-4)
        # A camera 0.8 m up that sees 60° across sees the floor below 0.8 m / tan(angle).
        low = math.tan(math.radians(30.0)) * 4 / 9
        down = camera.frame_from(CameraPlace(8, (100.0, 0.0, 0.0), 0.0, 0.1)).depth_m[4, 4]
        assert down == pytest.approx(0.8 / low, abs=1e-3)


def test_only_what_was_asked_for_is_drawn(in_front_of_a_wall):
    with in_front_of_a_wall.open_camera(CameraSettings(5, 3, rgb=False)) as camera:
        frame = camera.frame()
        assert frame.rgb is None
        assert frame.depth_m.shape == (3, 5)
    with in_front_of_a_wall.open_camera(CameraSettings(5, 3, depth=False)) as camera:
        frame = camera.frame()
        assert frame.rgb.shape == (3, 5, 3)
        assert frame.depth_m is None


def test_the_camera_stays_open_for_other_scenes_and_agents(isaac, in_front_of_a_wall):
    with isaac.open_camera(SMALL) as camera:
        isaac.load_scene(scene(floor()))
        with pytest.raises(InputError, match="no agent"):
            camera.frame()
        isaac.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        assert np.isinf(camera.frame().depth_m[:6]).all()


def test_a_camera_leaves_no_file_behind(in_front_of_a_wall):
    before = shared_files()
    with in_front_of_a_wall.open_camera(SMALL) as camera:
        assert shared_files() == before
        camera.frame()
    with pytest.raises(InputError, match="no camera is open"):
        camera.frame()


def test_an_engine_without_a_camera_says_so(fake):
    before = shared_files()
    with pytest.raises(InputError, match="gives no pictures of a camera; Isaac Sim and"):
        fake.open_camera(SMALL)
    assert shared_files() == before
    assert fake.is_alive


def test_an_isaac_sim_without_replicator_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("FAKE_ISAAC_FAULT", "no omni.replicator.core")
    with start_engine("isaac") as client:
        with pytest.raises(InputError, match=r"lacks the extension omni\.replicator\.core"):
            client.open_camera(SMALL)
        client.load_scene(scene(floor()))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"width_px": 0}, "width_px: 0 is outside 1 to 4096"),
        ({"height_px": 5000}, "height_px: 5000 is outside 1 to 4096"),
        ({"field_of_view_rad": 3.2}, r"field_of_view_rad: 183\.346° is outside 1° to 170°"),
        ({"height_m": -1.0}, "height_m: -1 is outside 0 to 10"),
        ({"tilt_rad": 2.0}, r"tilt_rad: 114\.592° is outside -90° to 90°"),
        ({"rgb": False, "depth": False}, "gives colours, depth or both"),
    ],
)
def test_a_camera_that_cannot_be_is_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        CameraSettings(**wrong)
