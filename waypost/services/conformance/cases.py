"""Every case of the conformance of an engine: the scenarios with their values."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, Final

from waypost.domain.traverse.agent import BodyShape, DriveType
from waypost.services.conformance import climbing, meeting, motion, passing
from waypost.services.conformance.rooms import (
    EVERYBODY,
    HUMAN,
    HUMANOID,
    QUADRUPED,
    SWEEPER,
    WHEELCHAIR,
    agent,
)
from waypost.services.conformance.trial import Play, cases_of

_LIMITS: Final = (
    (WHEELCHAIR, 0.013), (SWEEPER, 0.020), (HUMAN, 0.30), (QUADRUPED, 0.30), (HUMANOID, 0.40),
)  # fmt: skip
_WAYS: Final = ("up", "down")


_TABLE: Final[tuple[tuple[str, Play, Iterable[tuple[Any, ...]], bool], ...]] = (
    (
        "widths",
        passing.a_door_one_centimetre_too_narrow_stops_and_one_wider_lets_through,
        product((0.40, 0.60, 0.70, 0.90), BodyShape, (0.3, 1.0, 3.0)),
        False,
    ),
    (
        "widths",
        passing.the_width_threshold_holds_in_every_direction,
        (
            (yaw, *rest)
            for yaw in (0.0, 30.0, 90.0, 135.0, 210.0)
            for rest in ((0.69, False), (0.71, True))
        ),
        False,
    ),
    (
        "steps",
        passing.a_sill_2_mm_above_the_limit_stops_and_one_at_the_limit_does_not,
        ((*one, depth) for one in _LIMITS for depth in (0.10, 0.40)),
        True,
    ),
    (
        "steps",
        passing.the_step_threshold_does_not_depend_on_speed,
        ((s, *rest) for s in (0.3, 3.0) for rest in ((0.013, True), (0.015, False))),
        False,
    ),
    (
        "steps",
        passing.a_threshold_of_12_mm_lets_everybody_pass,
        ((WHEELCHAIR,), (SWEEPER,), (HUMAN,)),
        True,
    ),
    ("steps", passing.a_sill_of_2_cm_stops_the_wheelchair_only, ((),), True),
    (
        "heights",
        passing.a_lamp_at_1_5_m_stops_who_is_taller,
        ((HUMAN, False), (WHEELCHAIR, True), (SWEEPER, True)),
        True,
    ),
    ("heights", passing.a_bookcase_is_an_obstacle_and_not_overhead, ((True,), (False,)), False),
    (
        "heights",
        passing.the_height_threshold_is_right_to_1_cm,
        ((1.69, False), (1.71, True)),
        False,
    ),
    (
        "widths",
        passing.a_corner_of_a_corridor_needs_room_to_turn,
        ((HUMAN, True), (WHEELCHAIR, False)),
        False,
    ),
    (
        "scenes",
        passing.walls_and_floors_work_whatever_their_winding,
        product((False, True), (HUMAN, WHEELCHAIR)),
        False,
    ),
    ("scenes", passing.the_same_drive_twice_gives_identical_numbers, ((),), True),
    ("scenes", passing.a_scene_far_from_its_zero_behaves_the_same, ((),), False),
    (
        "stairs",
        climbing.who_climbs_stairs_goes_up_and_down_17_cm_risers,
        product((HUMAN, QUADRUPED), _WAYS),
        False,
    ),
    ("stairs", climbing.the_step_reported_on_stairs_is_one_riser, ((),), False),
    (
        "stairs",
        climbing.stairs_stop_who_does_not_climb_them,
        product((WHEELCHAIR, SWEEPER, HUMANOID), _WAYS),
        False,
    ),
    ("stairs", climbing.a_stepper_takes_the_first_riser_and_stops_at_the_second, ((),), False),
    ("stairs", climbing.a_stepper_takes_a_single_kerb_up_and_down, ((),), True),
    ("stairs", climbing.two_kerbs_far_apart_are_no_flight_and_close_together_they_are, ((),), True),
    ("stairs", climbing.who_was_stopped_by_stairs_can_back_off_and_leave, ((),), False),
    (
        "ramps",
        climbing.a_ramp_of_5_degrees_is_no_obstacle_and_no_stairs,
        product(EVERYBODY, _WAYS),
        False,
    ),
    (
        "ramps",
        climbing.an_agent_can_be_spawned_on_a_ramp,
        ((profile,) for profile in EVERYBODY),
        False,
    ),
    ("ramps", climbing.a_slope_of_60_degrees_carries_nobody, ((),), False),
    ("holes", climbing.a_hole_in_the_floor_is_fallen_into, ((HUMAN,), (WHEELCHAIR,)), True),
    ("holes", climbing.a_fall_onto_a_lower_floor_ends_there, ((),), True),
    (
        "holes",
        climbing.a_fall_takes_its_time_and_never_hangs_on_the_edge,
        product(
            (HUMAN, WHEELCHAIR, QUADRUPED, SWEEPER, agent(speed=0.3), agent(speed=3.0)),
            (0.0, 40.0),
        ),
        False,
    ),
    (
        "contacts",
        meeting.a_contact_names_the_object_the_place_and_the_side,
        ((0.0,), (90.0,), (215.0,)),
        False,
    ),
    (
        "rays",
        meeting.one_ray_tells_the_distance_in_metres,
        ((0.0, 0.0), (1.5, 0.4), (3.5, 0.75), (5.5, 0.0)),
        True,
    ),
    ("rays", meeting.one_ray_that_is_too_short_meets_nothing, ((),), True),
    ("rays", meeting.clearance_is_the_distance_to_the_nearest_wall, ((),), True),
    ("spawns", meeting.an_agent_that_does_not_fit_where_it_is_spawned_says_so, ((),), True),
    ("spawns", meeting.an_agent_is_spawned_under_a_table_not_on_it, ((),), True),
    (
        "spawns",
        meeting.a_place_a_little_below_or_well_above_its_floor_means_that_floor,
        ((-0.2,), (0.0,), (0.2,), (2.0,)),
        True,
    ),
    ("spawns", meeting.a_pose_comes_back_as_it_was_given, ((30.0,), (-120.0,), (180.0,)), True),
    (
        "velocities",
        motion.a_second_of_driving_goes_where_and_as_far_as_it_should,
        ((30.0, 0.8, 0.0), (-120.0, -0.5, 0.0), (30.0, 0.0, 0.6), (200.0, 0.3, -0.4)),
        True,
    ),
    (
        "velocities",
        motion.a_second_of_turning_is_counter_clockwise_in_radians,
        ((1.0,), (-0.7,)),
        True,
    ),
    (
        "velocities",
        motion.sideways_and_turning_on_the_spot_depend_on_the_drive,
        (
            (DriveType.DIFFERENTIAL, 0.0, 0.0, 1.0),
            (DriveType.HOLONOMIC, 0.0, 0.5, 1.0),
            (DriveType.CAR_LIKE, 1.0, 0.0, 0.0),
        ),
        True,
    ),
    ("velocities", motion.a_car_like_drive_keeps_its_turning_radius, ((),), True),
    ("velocities", motion.top_speed_and_acceleration_are_limited, ((),), True),
    ("velocities", motion.time_is_counted_in_whole_nanoseconds_of_120_hz, ((),), True),
    ("velocities", motion.a_target_behind_is_faced_first, ((),), True),
    ("velocities", motion.a_target_on_another_level_is_not_reached, ((),), True),
)
"""Topic, scenario, its values, and whether boxes are enough for it."""

CASES: Final = tuple(
    case
    for topic, play, rows, knows_boxes_only in _TABLE
    for case in cases_of(topic, play, rows, knows_boxes_only=knows_boxes_only)
)
"""In the order in which they are played."""
