"""Stairs, kerbs, ramps, holes and ledges: who goes up and down, and who does not."""

from __future__ import annotations

import math

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import AgentProfile
from waypost.services.conformance.rooms import HUMAN, HUMANOID, box, floor, ramp, scene, stairs
from waypost.services.conformance.trial import START, Trial
from waypost.simulators.protocol import DriveCommand

SLOPE = math.radians(5.0)

STAIRS: dict[str, tuple[Vec3, Vec3]] = {
    "up": (START, (6.0, 0.0, 1.7)),
    "down": ((7.0, 0.0, 1.7), (1.0, 0.0, 0.0)),
}
RAMP: dict[str, tuple[Vec3, Vec3]] = {
    "up": (START, (7.0, 0.0, 0.35)),
    "down": ((7.0, 0.0, 0.35), (0.5, 0.0, 0.0)),
}


def who_climbs_stairs_goes_up_and_down_17_cm_risers(
    trial: Trial, profile: AgentProfile, way: str
) -> None:
    """Ten risers, untouched."""
    start, target = STAIRS[way]
    outcome = trial.straight(scene(floor(), stairs(10)), profile, start, target)
    trial.equal("reached", outcome.reached, True)
    trial.equal("displacement in metres", outcome.displacement_m, 0.0)
    trial.near("height of the stop in metres", outcome.stopped_at_m[2], target[2], 0.001)


def the_step_reported_on_stairs_is_one_riser(trial: Trial) -> None:
    """Not the whole flight."""
    outcome = trial.straight(scene(floor(), stairs(10)), HUMAN, *STAIRS["up"])
    trial.near("highest step in metres", outcome.highest_step_m, 0.17, 0.001)


def stairs_stop_who_does_not_climb_them(trial: Trial, profile: AgentProfile, way: str) -> None:
    """Upwards and downwards, before more than one riser is taken."""
    start, target = STAIRS[way]
    outcome = trial.straight(scene(floor(), stairs(10)), profile, start, target)
    trial.equal("reached", outcome.reached, False)
    trial.equal("what blocked it", outcome.blocked_by, "stairs")
    stop_z = outcome.stopped_at_m[2]
    trial.holds("it stays within one riser of its start", abs(stop_z - start[2]) < 0.18)


def a_stepper_takes_the_first_riser_and_stops_at_the_second(trial: Trial) -> None:
    """One riser is a step, two are stairs."""
    outcome = trial.straight(scene(floor(), stairs(10)), HUMANOID, *STAIRS["up"])
    front_m = outcome.stopped_at_m[0] + HUMANOID.width_m / 2
    trial.near("x of its front in metres", front_m, 2.28, 0.03)
    trial.near("highest step in metres", outcome.highest_step_m, 0.17, 0.001)


def a_stepper_takes_a_single_kerb_up_and_down(trial: Trial) -> None:
    """15 cm, alone."""
    kerb = box("kerb", (2.0, -4.0, 0.0), (12.0, 4.0, 0.15))
    up = trial.straight(scene(floor(), kerb), HUMANOID, target=(5.0, 0.0, 0.15))
    trial.equal("reached upwards", up.reached, True)
    trial.near("highest step in metres", up.highest_step_m, 0.15, 1e-5)
    start, target = (5.0, 0.0, 0.15), (0.0, 0.0, 0.0)
    down = trial.straight(scene(floor(), kerb), HUMANOID, start, target)
    trial.equal("reached downwards", down.reached, True)
    trial.near("height of the stop in metres", down.stopped_at_m[2], 0.0, 0.001)


def two_kerbs_far_apart_are_no_flight_and_close_together_they_are(trial: Trial) -> None:
    """0.8 m and 0.4 m apart."""

    def end(gap_m: float) -> tuple[bool, str | None]:
        first = box("first", (2.0, -4.0, 0.0), (12.0, 4.0, 0.12))
        second = box("second", (2.0 + gap_m, -4.0, 0.12), (12.0, 4.0, 0.24))
        outcome = trial.straight(scene(floor(), first, second), HUMANOID, target=(6.0, 0.0, 0.24))
        return outcome.reached, outcome.blocked_by

    trial.equal("end with 0.8 m between", end(0.8), (True, None))
    trial.equal("end with 0.4 m between", end(0.4), (False, "stairs"))


def who_was_stopped_by_stairs_can_back_off_and_leave(trial: Trial) -> None:
    """The stop is held against the stairs, and let go away from them."""
    client = trial.client
    client.load_scene(scene(floor(), stairs(10)))
    client.spawn(HUMANOID, (0.0, 0.0, 0.0), 0.0)
    stopped = client.drive(DriveCommand(1.0), 480)
    trial.equal("what blocked it", stopped.blocked_by, "stairs")
    held = client.drive(DriveCommand(1.0), 120)
    trial.near("x where it is held", held.position_m[0], stopped.position_m[0], 0.005)
    away = client.drive(DriveCommand(-1.0), 240)
    trial.equal("what blocks it after backing off", away.blocked_by, None)
    trial.holds(
        "it backed off by more than a metre", away.position_m[0] < stopped.position_m[0] - 1.0
    )
    trial.near("height after backing off", away.position_m[2], 0.0, 0.001)


def a_ramp_of_5_degrees_is_no_obstacle_and_no_stairs(
    trial: Trial, profile: AgentProfile, way: str
) -> None:
    """For everybody, up and down."""
    start, target = RAMP[way]
    outcome = trial.straight(scene(floor(), ramp(SLOPE)), profile, start, target)
    trial.equal("reached", outcome.reached, True)
    trial.equal("displacement in metres", outcome.displacement_m, 0.0)
    trial.equal("highest step in metres", outcome.highest_step_m, 0.0)
    trial.near("height of the stop in metres", outcome.stopped_at_m[2], target[2], 0.001)


def an_agent_can_be_spawned_on_a_ramp(trial: Trial, profile: AgentProfile) -> None:
    """And drives on from there."""
    outcome = trial.straight(scene(floor(), ramp(SLOPE)), profile, (4.0, 0.0, 0.175), RAMP["up"][1])
    trial.equal("reached", outcome.reached, True)
    trial.equal("displacement in metres", outcome.displacement_m, 0.0)


def a_slope_of_60_degrees_carries_nobody(trial: Trial) -> None:
    """Too steep for the mover, on every engine."""
    steep = ramp(math.radians(60.0), length=1.0)
    outcome = trial.straight(scene(floor(), steep), HUMAN, target=(5.0, 0.0, 1.73))
    trial.equal("reached", outcome.reached, False)


def a_hole_in_the_floor_is_fallen_into(trial: Trial, profile: AgentProfile) -> None:
    """With the whole body over the edge, not before."""
    near = box("near", (-4.0, -4.0, -0.2), (2.0, 4.0, 0.0))
    far = box("far", (4.0, -4.0, -0.2), (12.0, 4.0, 0.0))
    outcome = trial.straight(scene(near, far), profile, target=(5.0, 0.0, 0.0))
    trial.equal("end", (outcome.reached, outcome.blocked_by), (False, "drop"))
    trial.holds("it fell more than 5 m", outcome.stopped_at_m[2] < -5.0)
    trial.near("x of the fall", outcome.stopped_at_m[0], 2.0 + profile.depth_m / 2, 0.05)


def a_fall_onto_a_lower_floor_ends_there(trial: Trial) -> None:
    """A metre down, on the floor to 5 mm."""
    ledge = box("ledge", (-4.0, -4.0, 0.0), (2.0, 4.0, 1.0))
    outcome = trial.straight(scene(floor(), ledge), HUMAN, (0.0, 0.0, 1.0), (5.0, 0.0, 1.0))
    trial.equal("what blocked it", outcome.blocked_by, "drop")
    trial.near("height of the stop in metres", outcome.stopped_at_m[2], 0.0, 0.005)


def a_fall_takes_its_time_and_never_hangs_on_the_edge(
    trial: Trial, profile: AgentProfile, heading_deg: float
) -> None:
    """Over the edge of a ledge at any angle, and down at once."""
    heading = math.radians(heading_deg)
    ledge = box("ledge", (-4.0, -4.0, 0.0), (2.0, 4.0, 1.0))
    start = (1.0, 0.0, 1.0)
    target = (1.0 + 3.0 * math.cos(heading), 3.0 * math.sin(heading), 1.0)
    outcome = trial.straight(scene(floor(), ledge), profile, start, target)
    trial.equal("what blocked it", outcome.blocked_by, "drop")
    trial.near("height of the stop in metres", outcome.stopped_at_m[2], 0.0, 0.005)
    # 1 m of free fall takes 0.45 s; hanging for a moment costs as much again at most.
    to_the_edge_s = (1.0 / math.cos(heading) + profile.depth_m) / profile.top_speed_mps
    accelerating_s = profile.top_speed_mps / 2.0
    longest_s = to_the_edge_s + accelerating_s + 1.3
    trial.holds(
        f"it falls within {longest_s:.2f} s: {outcome.sim_time_s:.2f} s",
        outcome.sim_time_s < longest_s,
    )
