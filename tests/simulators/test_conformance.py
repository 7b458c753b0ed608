"""What every engine must do with the same agent: widths, steps, stairs, ramps, heights."""

from __future__ import annotations

import math

import pytest
from simulators.rooms import (
    HUMAN,
    HUMANOID,
    QUADRUPED,
    SWEEPER,
    WHEELCHAIR,
    agent,
    box,
    door,
    floor,
    inverted,
    joined,
    ramp,
    scene,
    sill,
    stairs,
)

from waypost.domain.traverse.agent import BodyShape, DriveType
from waypost.simulators.protocol import DriveCommand

pytestmark = pytest.mark.conformance

STAIRS_UP = {"target": (6.0, 0.0, 1.7)}
STAIRS_DOWN = {"start": (7.0, 0.0, 1.7), "target": (1.0, 0.0, 0.0)}
RAMP_UP = {"target": (7.0, 0.0, 0.35)}
RAMP_DOWN = {"start": (7.0, 0.0, 0.35), "target": (0.5, 0.0, 0.0)}
SLOPE = math.radians(5.0)


def box_door(width, x=2.0):
    """A doorway from separate boxes, which the fake engine understands too."""
    half = width / 2
    return (
        box("left post", (x, half, 0.0), (x + 0.12, 4.0, 2.6)),
        box("right post", (x, -4.0, 0.0), (x + 0.12, -half, 2.6)),
    )


@pytest.mark.parametrize("width", [0.40, 0.60, 0.70, 0.90])
@pytest.mark.parametrize("shape", list(BodyShape))
@pytest.mark.parametrize("speed", [0.3, 1.0, 3.0])
def test_a_door_one_centimetre_too_narrow_stops_and_one_wider_lets_through(go, width, shape, speed):
    profile = agent(shape, width, step=0.013, speed=speed)
    narrow = go(scene(floor(), door(width - 0.01)), profile)
    assert not narrow.reached
    assert narrow.blocked_by == "obstacle"
    assert narrow.strict_collision
    assert [c.object for c in narrow.contacts] == ["wall"]
    wide = go(scene(floor(), door(width + 0.01)), profile)
    assert wide.reached
    assert wide.displacement_m == 0.0


@pytest.mark.parametrize("yaw_deg", [0.0, 30.0, 90.0, 135.0, 210.0])
@pytest.mark.parametrize(("width", "passes"), [(0.69, False), (0.71, True)])
def test_the_width_threshold_holds_in_every_direction(go, yaw_deg, width, passes):
    yaw = math.radians(yaw_deg)
    cos, sin = math.cos(yaw), math.sin(yaw)
    room = scene(floor(), door(width))
    for mesh in room.meshes:
        mesh.vertices.flags.writeable = True
        x, y = mesh.vertices[:, 0].copy(), mesh.vertices[:, 1].copy()
        mesh.vertices[:, 0], mesh.vertices[:, 1] = cos * x - sin * y, sin * x + cos * y
    outcome = go(
        room, WHEELCHAIR, start=(0.4 * cos, 0.4 * sin, 0.0), target=(3.6 * cos, 3.6 * sin, 0.0)
    )
    assert outcome.reached is passes


@pytest.mark.parametrize(
    ("profile", "limit"),
    [(WHEELCHAIR, 0.013), (SWEEPER, 0.020), (HUMAN, 0.30), (QUADRUPED, 0.30), (HUMANOID, 0.40)],
)
@pytest.mark.parametrize("depth", [0.10, 0.40])
def test_a_sill_2_mm_above_the_limit_stops_and_one_at_the_limit_does_not(
    go_either, profile, limit, depth
):
    low = go_either(scene(floor(), sill(limit, depth=depth)), profile)
    assert low.reached
    assert low.highest_step_m == pytest.approx(limit, abs=1e-5)
    assert low.displacement_m == 0.0
    assert low.contacts == ()
    high = go_either(scene(floor(), sill(limit + 0.002, depth=depth)), profile)
    assert not high.reached
    assert high.blocked_by == ("step" if limit < 0.3 else "obstacle")
    assert high.stopped_at_m[0] == pytest.approx(2.0 - profile.depth_m / 2, abs=0.002)


@pytest.mark.parametrize("speed", [0.3, 3.0])
@pytest.mark.parametrize(("height", "passes"), [(0.013, True), (0.015, False)])
def test_the_step_threshold_does_not_depend_on_speed(go, speed, height, passes):
    profile = agent(BodyShape.BOX, 0.7, 1.0, 1.2, 0.013, climbs=False, speed=speed)
    assert go(scene(floor(), sill(height)), profile).reached is passes


@pytest.mark.parametrize("profile", [HUMAN, QUADRUPED])
@pytest.mark.parametrize("way", [STAIRS_UP, STAIRS_DOWN])
def test_who_climbs_stairs_goes_up_and_down_17_cm_risers(go, profile, way):
    outcome = go(scene(floor(), stairs(10)), profile, **way)
    assert outcome.reached
    assert outcome.displacement_m == 0.0
    assert outcome.stopped_at_m[2] == pytest.approx(way["target"][2], abs=0.001)


def test_the_step_reported_on_stairs_is_one_riser(go):
    outcome = go(scene(floor(), stairs(10)), HUMAN, **STAIRS_UP)
    assert outcome.highest_step_m == pytest.approx(0.17, abs=0.001)


@pytest.mark.parametrize("profile", [WHEELCHAIR, SWEEPER, HUMANOID])
@pytest.mark.parametrize("way", [STAIRS_UP, STAIRS_DOWN])
def test_stairs_stop_who_does_not_climb_them(go, profile, way):
    outcome = go(scene(floor(), stairs(10)), profile, **way)
    assert not outcome.reached
    assert outcome.blocked_by == "stairs"
    assert abs(outcome.stopped_at_m[2] - way.get("start", (0, 0, 0))[2]) < 0.18


def test_a_stepper_takes_the_first_riser_and_stops_at_the_second(go):
    outcome = go(scene(floor(), stairs(10)), HUMANOID, **STAIRS_UP)
    front_m = outcome.stopped_at_m[0] + HUMANOID.width_m / 2
    assert front_m == pytest.approx(2.28, abs=0.03)
    assert outcome.highest_step_m == pytest.approx(0.17, abs=0.001)


def test_a_stepper_takes_a_single_kerb_up_and_down(go_either):
    kerb = box("kerb", (2.0, -4.0, 0.0), (12.0, 4.0, 0.15))
    up = go_either(scene(floor(), kerb), HUMANOID, target=(5.0, 0.0, 0.15))
    assert up.reached
    assert up.highest_step_m == pytest.approx(0.15, abs=1e-5)
    down = go_either(scene(floor(), kerb), HUMANOID, start=(5.0, 0.0, 0.15), target=(0.0, 0.0, 0.0))
    assert down.reached
    assert down.stopped_at_m[2] == pytest.approx(0.0, abs=0.001)


def test_two_kerbs_far_apart_are_no_flight_and_close_together_they_are(go_either):
    def terraces(gap):
        first = box("first", (2.0, -4.0, 0.0), (12.0, 4.0, 0.12))
        return scene(floor(), first, box("second", (2.0 + gap, -4.0, 0.12), (12.0, 4.0, 0.24)))

    assert go_either(terraces(0.8), HUMANOID, target=(6.0, 0.0, 0.24)).reached
    near = go_either(terraces(0.4), HUMANOID, target=(6.0, 0.0, 0.24))
    assert near.blocked_by == "stairs"


def test_who_was_stopped_by_stairs_can_back_off_and_leave(physx):
    physx.load_scene(scene(floor(), stairs(10)))
    physx.spawn(HUMANOID, (0.0, 0.0, 0.0), 0.0)
    stopped = physx.drive(DriveCommand(1.0), 480)
    assert stopped.blocked_by == "stairs"
    assert physx.drive(DriveCommand(1.0), 120).position_m[0] == pytest.approx(
        stopped.position_m[0], abs=0.005
    )
    away = physx.drive(DriveCommand(-1.0), 240)
    assert away.blocked_by is None
    assert away.position_m[0] < stopped.position_m[0] - 1.0
    assert away.position_m[2] == pytest.approx(0.0, abs=0.001)


@pytest.mark.parametrize("profile", [HUMAN, WHEELCHAIR, HUMANOID, SWEEPER, QUADRUPED])
@pytest.mark.parametrize("way", [RAMP_UP, RAMP_DOWN])
def test_a_ramp_of_5_degrees_is_no_obstacle_and_no_stairs(go, profile, way):
    outcome = go(scene(floor(), ramp(SLOPE)), profile, **way)
    assert outcome.reached
    assert outcome.displacement_m == 0.0
    assert outcome.highest_step_m == 0.0
    assert outcome.stopped_at_m[2] == pytest.approx(way["target"][2], abs=0.001)


@pytest.mark.parametrize("profile", [HUMAN, WHEELCHAIR, HUMANOID, SWEEPER, QUADRUPED])
def test_an_agent_can_be_spawned_on_a_ramp(go, profile):
    outcome = go(scene(floor(), ramp(SLOPE)), profile, start=(4.0, 0.0, 0.175), **RAMP_UP)
    assert outcome.reached
    assert outcome.displacement_m == 0.0


def test_a_slope_of_60_degrees_carries_nobody(go):
    steep = ramp(math.radians(60.0), length=1.0)
    assert not go(scene(floor(), steep), HUMAN, target=(5.0, 0.0, 1.73)).reached


@pytest.mark.parametrize("profile", [WHEELCHAIR, SWEEPER, HUMAN])
def test_a_threshold_of_12_mm_lets_everybody_pass(go_either, profile):
    assert go_either(scene(floor(), sill(0.012)), profile).reached


def test_a_sill_of_2_cm_stops_the_wheelchair_only(go_either):
    room = scene(floor(), sill(0.020))
    stopped = go_either(room, WHEELCHAIR)
    assert (stopped.reached, stopped.blocked_by) == (False, "step")
    assert go_either(room, SWEEPER).reached
    assert go_either(room, HUMAN).reached


@pytest.mark.parametrize(
    ("profile", "passes"), [(HUMAN, False), (WHEELCHAIR, True), (SWEEPER, True)]
)
def test_a_lamp_at_1_5_m_stops_who_is_taller(go_either, profile, passes):
    lamp = box("lamp", (2.0, -0.2, 1.5), (2.4, 0.2, 1.9))
    outcome = go_either(scene(floor(), lamp), profile)
    assert outcome.reached is passes
    assert [c.object for c in outcome.contacts] == ([] if passes else ["lamp"])
    assert outcome.blocked_by == (None if passes else "overhead")


@pytest.mark.parametrize("back", [True, False])
def test_a_bookcase_is_an_obstacle_and_not_overhead(go, back):
    boards = [box("", (2.0, -1.0, z), (2.3, 1.0, z + 0.02)) for z in (0.0, 0.35, 0.7, 1.05, 1.4)]
    if back:
        boards.append(box("", (2.28, -1.0, 0.0), (2.3, 1.0, 1.6)))
    outcome = go(scene(floor(), joined("bookcase", boards)), HUMAN)
    assert outcome.blocked_by == "obstacle"


@pytest.mark.parametrize(("height", "passes"), [(1.69, False), (1.71, True)])
def test_the_height_threshold_is_right_to_1_cm(go, height, passes):
    outcome = go(scene(floor(), door(1.2, height=height)), HUMAN)
    assert outcome.reached is passes


@pytest.mark.parametrize("profile", [HUMAN, WHEELCHAIR])
def test_a_hole_in_the_floor_is_fallen_into(go_either, profile):
    near = box("near", (-4.0, -4.0, -0.2), (2.0, 4.0, 0.0))
    far = box("far", (4.0, -4.0, -0.2), (12.0, 4.0, 0.0))
    outcome = go_either(scene(near, far), profile, target=(5.0, 0.0, 0.0))
    assert (outcome.reached, outcome.blocked_by) == (False, "drop")
    assert outcome.stopped_at_m[2] < -5.0
    assert outcome.stopped_at_m[0] == pytest.approx(2.0 + profile.depth_m / 2, abs=0.05)


def test_a_fall_onto_a_lower_floor_ends_there(go_either):
    ledge = box("ledge", (-4.0, -4.0, 0.0), (2.0, 4.0, 1.0))
    outcome = go_either(scene(floor(), ledge), HUMAN, start=(0.0, 0.0, 1.0), target=(5.0, 0.0, 1.0))
    assert outcome.blocked_by == "drop"
    assert outcome.stopped_at_m[2] == pytest.approx(0.0, abs=0.005)


@pytest.mark.parametrize(
    "profile",
    [HUMAN, WHEELCHAIR, QUADRUPED, SWEEPER, agent(speed=0.3), agent(speed=3.0)],
    ids=["human", "wheelchair", "quadruped", "sweeper", "slow", "fast"],
)
@pytest.mark.parametrize("heading_deg", [0.0, 40.0])
def test_a_fall_takes_its_time_and_never_hangs_on_the_edge(go, profile, heading_deg):
    heading = math.radians(heading_deg)
    ledge = box("ledge", (-4.0, -4.0, 0.0), (2.0, 4.0, 1.0))
    start = (1.0, 0.0, 1.0)
    target = (1.0 + 3.0 * math.cos(heading), 3.0 * math.sin(heading), 1.0)
    outcome = go(scene(floor(), ledge), profile, start=start, target=target)
    assert outcome.blocked_by == "drop"
    assert outcome.stopped_at_m[2] == pytest.approx(0.0, abs=0.005)
    # 1 m of free fall takes 0.45 s; hanging for a moment costs as much again at most.
    to_the_edge_s = (1.0 / math.cos(heading) + profile.depth_m) / profile.top_speed_mps
    accelerating_s = profile.top_speed_mps / 2.0
    assert outcome.sim_time_s < to_the_edge_s + accelerating_s + 1.3


def corridor():
    """L-shaped, 0.80 m wide: along +X to x = 4, then along +Y."""
    walls = [
        box("", (0.0, -0.6, 0.0), (4.6, -0.4, 2.6)),
        box("", (4.4, -0.4, 0.0), (4.6, 5.0, 2.6)),
        box("", (0.0, 0.4, 0.0), (3.6, 0.6, 2.6)),
        box("", (3.4, 0.4, 0.0), (3.6, 5.0, 2.6)),
    ]
    return scene(floor(half_width=6.0), joined("corridor", walls))


@pytest.mark.parametrize(("profile", "passes"), [(HUMAN, True), (WHEELCHAIR, False)])
def test_a_corner_of_a_corridor_needs_room_to_turn(physx, profile, passes):
    physx.load_scene(corridor())
    physx.spawn(profile, (0.8, 0.0, 0.0), 0.0)
    assert physx.drive_to((3.85, 0.0, 0.0)).reached
    outcome = physx.drive_to((4.0, 4.0, 0.0))
    assert outcome.reached is passes
    if not passes:
        assert outcome.strict_collision
        assert outcome.contacts[0].object == "corridor"


@pytest.mark.parametrize("is_inverted", [False, True])
@pytest.mark.parametrize("profile", [HUMAN, WHEELCHAIR])
def test_walls_and_floors_work_whatever_their_winding(go, is_inverted, profile):
    turn = inverted if is_inverted else (lambda mesh: mesh)
    stopped = go(scene(turn(floor()), turn(door(0.5))), profile)
    assert stopped.blocked_by == "obstacle"
    assert go(scene(turn(floor()), turn(door(0.9))), profile).reached


def test_a_contact_names_the_object_the_place_and_the_side(go):
    block = box("sofa", (2.0, -1.0, 0.0), (3.0, 1.0, 0.8))
    outcome = go(scene(floor(), block), HUMAN)
    (contact,) = outcome.contacts
    assert contact.object == "sofa"
    assert contact.point_m[0] == pytest.approx(2.0, abs=0.002)
    assert contact.normal == pytest.approx((-1.0, 0.0, 0.0), abs=0.02)


def test_the_same_drive_twice_gives_identical_numbers(go_either):
    room = scene(floor(), *box_door(0.58), sill(0.02, x=1.0))
    assert go_either(room, HUMAN) == go_either(room, HUMAN)


def test_a_scene_far_from_its_zero_behaves_the_same(physx, go):
    here = go(scene(floor(), door(0.5)), HUMAN, start=(0.0, 0.0, 0.0), target=(5.0, 0.0, 0.0))
    origin = (2_600_000.0, -1_200_000.0, 400.0)
    physx.load_scene(scene(floor(), door(0.5), origin_m=origin))
    physx.spawn(HUMAN, origin, 0.0)
    there = physx.drive_to((origin[0] + 5.0, origin[1], origin[2]))
    assert there.displacement_m == here.displacement_m
    assert [a - o for a, o in zip(there.stopped_at_m, origin, strict=True)] == pytest.approx(
        here.stopped_at_m, abs=1e-8
    )


def test_an_agent_that_does_not_fit_where_it_is_spawned_says_so(either):
    either.load_scene(scene(floor(), box("sofa", (0.1, -1.0, 0.0), (1.0, 1.0, 0.8))))
    telemetry = either.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    assert telemetry.blocked_by == "spawn"
    assert [c.object for c in telemetry.contacts] == ["sofa"]
    outcome = either.drive_to((-3.0, 0.0, 0.0))
    assert (outcome.reached, outcome.blocked_by) == (False, "spawn")
    assert [c.object for c in outcome.contacts] == ["sofa"]


def test_an_agent_is_spawned_under_a_table_not_on_it(either):
    table = box("table", (-0.5, -0.5, 0.70), (0.5, 0.5, 0.75))
    either.load_scene(scene(floor(), table))
    telemetry = either.spawn(SWEEPER, (0.0, 0.0, 0.0), 0.0)
    assert telemetry.position_m[2] == pytest.approx(0.0, abs=1e-6)
    assert telemetry.blocked_by is None


@pytest.mark.parametrize("below", [-0.2, 0.0, 0.2, 2.0])
def test_a_place_a_little_below_or_well_above_its_floor_means_that_floor(either, below):
    either.load_scene(scene(box("floor", (-4.0, -4.0, -3.0), (4.0, 4.0, 0.0))))
    telemetry = either.spawn(WHEELCHAIR, (0.0, 0.0, below), 0.0)
    assert telemetry.position_m[2] == pytest.approx(0.0, abs=1e-6)


def test_clearance_is_the_distance_to_the_nearest_wall(either):
    walls = (
        box("left", (-4.0, 1.0, 0.0), (4.0, 1.2, 2.0)),
        box("right", (-4.0, -1.7, 0.0), (4.0, -1.5, 2.0)),
    )
    either.load_scene(scene(floor(), *walls))
    telemetry = either.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    assert telemetry.clearance_m == pytest.approx(0.70, abs=0.005)
    either.load_scene(scene(floor()))
    assert either.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0).clearance_m is None


@pytest.mark.parametrize(
    ("drive", "turning", "expected"),
    [
        (DriveType.DIFFERENTIAL, 0.0, (0.0, 0.0, 1.0)),
        (DriveType.HOLONOMIC, 0.0, (0.0, 0.5, 1.0)),
        (DriveType.CAR_LIKE, 1.0, (0.0, 0.0, 0.0)),
    ],
)
def test_sideways_and_turning_on_the_spot_depend_on_the_drive(either, drive, turning, expected):
    either.load_scene(scene(floor()))
    either.spawn(agent(drive=drive, turning=turning), (0.0, 0.0, 0.0), 0.0)
    telemetry = either.drive(DriveCommand(0.0, 0.5, 0.0), 240)
    x_mps, y_mps, turn = expected
    assert telemetry.speed_mps == pytest.approx(math.hypot(x_mps, y_mps), abs=0.001)
    either.drive(DriveCommand(), 240)
    assert either.drive(DriveCommand(0.0, 0.0, 1.0), 12).turn_rate_radps == pytest.approx(
        turn, abs=0.001
    )


def test_a_car_like_drive_keeps_its_turning_radius(either):
    either.load_scene(scene(floor(40.0, 20.0)))
    either.spawn(agent(drive=DriveType.CAR_LIKE, turning=2.0), (0.0, 0.0, 0.0), 0.0)
    telemetry = either.drive(DriveCommand(1.0, 0.0, 3.0), 240)
    assert telemetry.speed_mps == pytest.approx(1.0, abs=0.001)
    assert telemetry.turn_rate_radps == pytest.approx(0.5, abs=0.001)


def test_top_speed_and_acceleration_are_limited(either):
    either.load_scene(scene(floor()))
    either.spawn(agent(speed=0.8), (0.0, 0.0, 0.0), 0.0)
    assert either.drive(DriveCommand(9.0), 12).speed_mps == pytest.approx(0.2, abs=0.001)
    assert either.drive(DriveCommand(9.0), 240).speed_mps == pytest.approx(0.8, abs=0.001)
    assert either.drive(DriveCommand(), 24).speed_mps == pytest.approx(0.0, abs=0.001)


def test_time_is_counted_in_whole_nanoseconds_of_120_hz(either):
    either.load_scene(scene(floor()))
    assert either.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0).time_ns == 0
    assert either.drive(DriveCommand(), 6).time_ns == 50_000_000
    assert either.drive(DriveCommand(), 114).time_ns == 1_000_000_000


def test_a_target_behind_is_faced_first(go_either):
    outcome = go_either(scene(floor()), WHEELCHAIR, start=(0.0, 0.0, 0.0), target=(-3.0, 0.0, 0.0))
    assert outcome.reached
    assert outcome.path_m[0] == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert outcome.path_m[-1][0] == pytest.approx(-3.0, abs=0.021)
    assert outcome.progress_m == pytest.approx(3.0, abs=0.021)


def test_a_target_on_another_level_is_not_reached(go_either):
    outcome = go_either(scene(floor()), HUMAN, target=(3.0, 0.0, 2.8))
    assert (outcome.reached, outcome.blocked_by) == (False, "level")
