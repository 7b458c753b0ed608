"""Velocities: their signs, units and limits, by drive type."""

from __future__ import annotations

import math

from waypost.domain.traverse.agent import DriveType
from waypost.services.conformance.rooms import HUMAN, WHEELCHAIR, agent, floor, scene
from waypost.services.conformance.trial import Trial
from waypost.simulators.protocol import DriveCommand

_PHYSICS_HZ = 120
_ACCELERATION_MPS2 = 2.0


def a_second_of_driving_goes_where_and_as_far_as_it_should(
    trial: Trial, yaw_deg: float, forward_mps: float, left_mps: float
) -> None:
    """Metres per second in the frame of the agent: forward is its heading, left is +90°.

    At rest first, it gains 2 m/s per second along each axis; after that second it has gone
    v − v²/4 metres along it.
    """
    yaw = math.radians(yaw_deg)
    client = trial.client
    client.load_scene(scene(floor(40.0, 20.0)))
    start = client.spawn(agent(drive=DriveType.HOLONOMIC), (10.0, 0.0, 0.0), yaw)
    end = client.drive(DriveCommand(forward_mps, left_mps), _PHYSICS_HZ)
    ahead, aside = _way_m(forward_mps), _way_m(left_mps)
    expected = (
        ahead * math.cos(yaw) - aside * math.sin(yaw),
        ahead * math.sin(yaw) + aside * math.cos(yaw),
        0.0,
    )
    moved = [b - a for a, b in zip(start.position_m, end.position_m, strict=True)]
    trial.near("motion in metres", moved, expected, 0.01)
    speed = math.hypot(forward_mps, left_mps)
    trial.near("speed in m/s", end.speed_mps, speed, 0.001)
    off = math.remainder(end.yaw_rad - yaw, math.tau)
    trial.near("turn in radians", off, 0.0, 1e-4)


def _way_m(speed_mps: float) -> float:
    return speed_mps - math.copysign(speed_mps**2, speed_mps) / (2 * _ACCELERATION_MPS2)


def a_second_of_turning_is_counter_clockwise_in_radians(trial: Trial, turn_radps: float) -> None:
    """Seen from above; from the second second on, exactly the rate that was asked for."""
    client = trial.client
    client.load_scene(scene(floor()))
    client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.3)
    first = client.drive(DriveCommand(0.0, 0.0, turn_radps), _PHYSICS_HZ)
    second = client.drive(DriveCommand(0.0, 0.0, turn_radps), _PHYSICS_HZ)
    turned_rad = math.remainder(second.yaw_rad - first.yaw_rad, math.tau)
    trial.near("turn in radians", turned_rad, turn_radps, 0.002)
    trial.near("rate in rad/s", second.turn_rate_radps, turn_radps, 0.001)
    trial.near("place in metres", second.position_m, (0.0, 0.0, 0.0), 1e-4)


def sideways_and_turning_on_the_spot_depend_on_the_drive(
    trial: Trial, drive: DriveType, turning_m: float, left_mps: float, turn_radps: float
) -> None:
    """Only a holonomic drive goes sideways; a car cannot turn where it stands."""
    client = trial.client
    client.load_scene(scene(floor()))
    client.spawn(agent(drive=drive, turning=turning_m), (0.0, 0.0, 0.0), 0.0)
    telemetry = client.drive(DriveCommand(0.0, 0.5, 0.0), 240)
    trial.near("speed sideways in m/s", telemetry.speed_mps, left_mps, 0.001)
    client.drive(DriveCommand(), 240)
    rate = client.drive(DriveCommand(0.0, 0.0, 1.0), 12).turn_rate_radps
    trial.near("rate on the spot in rad/s", rate, turn_radps, 0.001)


def a_car_like_drive_keeps_its_turning_radius(trial: Trial) -> None:
    """2 m at 1 m/s are 0.5 rad/s, whatever is asked for."""
    client = trial.client
    client.load_scene(scene(floor(40.0, 20.0)))
    client.spawn(agent(drive=DriveType.CAR_LIKE, turning=2.0), (0.0, 0.0, 0.0), 0.0)
    telemetry = client.drive(DriveCommand(1.0, 0.0, 3.0), 240)
    trial.near("speed in m/s", telemetry.speed_mps, 1.0, 0.001)
    trial.near("rate in rad/s", telemetry.turn_rate_radps, 0.5, 0.001)


def top_speed_and_acceleration_are_limited(trial: Trial) -> None:
    """2 m/s² up, 4 m/s² down, and never above what the agent can do."""
    client = trial.client
    client.load_scene(scene(floor()))
    client.spawn(agent(speed=0.8), (0.0, 0.0, 0.0), 0.0)
    for command, steps, speed_mps in ((9.0, 12, 0.2), (9.0, 240, 0.8), (0.0, 24, 0.0)):
        seen = client.drive(DriveCommand(command), steps).speed_mps
        trial.near("speed in m/s", seen, speed_mps, 0.001)


def time_is_counted_in_whole_nanoseconds_of_120_hz(trial: Trial) -> None:
    """6 steps are 50 ms, 120 are a second."""
    client = trial.client
    client.load_scene(scene(floor()))
    trial.equal("time at the start", client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0).time_ns, 0)
    trial.equal("time after 6 steps", client.drive(DriveCommand(), 6).time_ns, 50_000_000)
    trial.equal("time after 120", client.drive(DriveCommand(), 114).time_ns, 1_000_000_000)


def a_target_behind_is_faced_first(trial: Trial) -> None:
    """A straight drive turns before it goes."""
    outcome = trial.straight(scene(floor()), WHEELCHAIR, (0.0, 0.0, 0.0), (-3.0, 0.0, 0.0))
    trial.equal("reached", outcome.reached, True)
    trial.near("first place in metres", outcome.path_m[0], (0.0, 0.0, 0.0), 1e-6)
    trial.near("x of the last place", outcome.path_m[-1][0], -3.0, 0.021)
    trial.near("progress in metres", outcome.progress_m, 3.0, 0.021)


def a_target_on_another_level_is_not_reached(trial: Trial) -> None:
    """The agent arrives below it."""
    outcome = trial.straight(scene(floor()), HUMAN, target=(3.0, 0.0, 2.8))
    trial.equal("end", (outcome.reached, outcome.blocked_by), (False, "level"))
