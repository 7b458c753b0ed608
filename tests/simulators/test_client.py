from __future__ import annotations

import math

import psutil
import pytest
from simulators.engines import start_engine
from simulators.rooms import HUMAN, SWEEPER, box, floor, scene

from waypost.domain.base.errors import InputError, SimulatorError
from waypost.domain.scene.scene import Mesh
from waypost.simulators.protocol import DriveCommand, MoverSettings


def test_the_engine_and_its_settings_are_named(fake):
    assert (fake.engine.name, fake.engine.version) == ("fake", "1")
    assert fake.settings_hash == MoverSettings().settings_hash
    assert fake.is_alive


def test_driving_without_scene_or_agent_is_refused_and_the_worker_lives_on():
    with start_engine("fake") as client:
        with pytest.raises(InputError, match="no scene is loaded"):
            client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        client.load_scene(scene(floor()))
        with pytest.raises(InputError, match="no agent has been spawned"):
            client.drive(DriveCommand(1.0), 1)
        client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        assert client.drive(DriveCommand(1.0), 120).position_m[0] > 0.5


def test_a_place_without_floor_is_refused(fake):
    fake.load_scene(scene(floor()))
    with pytest.raises(InputError, match=r"no floor within 2\.5 m"):
        fake.spawn(HUMAN, (50.0, 0.0, 0.0), 0.0)
    with pytest.raises(InputError, match="no agent"):
        fake.drive(DriveCommand(), 1)


@pytest.mark.parametrize("steps", [0, -1, 12_001])
def test_a_foolish_number_of_steps_is_refused(fake, steps):
    fake.load_scene(scene(floor()))
    fake.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    with pytest.raises(InputError, match=f"steps: {steps} is outside"):
        fake.drive(DriveCommand(), steps)


def test_not_a_number_never_reaches_the_worker(fake):
    fake.load_scene(scene(floor()))
    with pytest.raises(InputError, match="spawn"):
        fake.spawn(HUMAN, (math.nan, 0.0, 0.0), 0.0)
    assert fake.is_alive


def test_floor_below_finds_the_surface(fake):
    fake.load_scene(scene(floor(), box("step", (1.0, -1.0, 0.0), (2.0, 1.0, 0.4))))
    assert fake.floor_below((1.5, 0.0, 1.0)) == pytest.approx((1.5, 0.0, 0.4))
    assert fake.floor_below((0.0, 0.0, 1.0)) == pytest.approx((0.0, 0.0, 0.0))
    assert fake.floor_below((0.0, 0.0, 5.0), reach_m=2.0) is None


def test_what_is_no_collider_stops_nobody(fake):
    ghost = box("curtain", (1.0, -1.0, 0.0), (1.2, 1.0, 2.0))
    ghost = Mesh(ghost.name, ghost.vertices, ghost.faces, is_collider=False)
    fake.load_scene(scene(floor(), ghost))
    fake.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    assert fake.drive_to((3.0, 0.0, 0.0)).reached


def test_a_drive_reports_on_its_way_and_can_be_called_off(fake):
    fake.load_scene(scene(floor()))
    fake.spawn(SWEEPER, (0.0, 0.0, 0.0), 0.0)
    seen = []

    def watch(telemetry):
        seen.append(telemetry.position_m[0])
        return len(seen) < 3

    outcome = fake.drive_to((9.0, 0.0, 0.0), on_telemetry=watch, batch_steps=60)
    assert (outcome.reached, outcome.blocked_by) == (False, "stopped")
    assert seen == sorted(seen)
    assert outcome.stopped_at_m[0] == pytest.approx(seen[-1], abs=1e-9)
    assert outcome.sim_time_s == pytest.approx(1.5)
    assert fake.drive(DriveCommand(), 1).time_ns > 1_500_000_000


def test_a_time_limit_ends_a_drive(fake):
    fake.load_scene(scene(floor()))
    fake.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    outcome = fake.drive_to((9.0, 0.0, 0.0), time_limit_s=1.0)
    assert (outcome.reached, outcome.blocked_by) == (False, "time")
    assert outcome.sim_time_s == pytest.approx(1.0, abs=0.06)


def test_closing_leaves_no_process_and_no_use():
    client = start_engine("fake")
    process = psutil.Process(client.process_id)
    client.close()
    assert not process.is_running()
    assert not client.is_alive
    with pytest.raises(SimulatorError, match="closed"):
        client.load_scene(scene(floor()))
    client.close()
