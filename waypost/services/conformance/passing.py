"""Doorways, sills, heights and windings: what an agent of a given size gets past."""

from __future__ import annotations

import math

from waypost.domain.scene.scene import Mesh
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.services.conformance.rooms import (
    HUMAN,
    SWEEPER,
    WHEELCHAIR,
    agent,
    box,
    corridor,
    door,
    floor,
    inverted,
    joined,
    post_door,
    scene,
    sill,
    turned,
)
from waypost.services.conformance.trial import Trial


def a_door_one_centimetre_too_narrow_stops_and_one_wider_lets_through(
    trial: Trial, width_m: float, shape: BodyShape, speed_mps: float
) -> None:
    """Widths are right to a centimetre, whatever the shape and the speed."""
    profile = agent(shape, width_m, step=0.013, speed=speed_mps)
    narrow = trial.straight(scene(floor(), door(width_m - 0.01)), profile)
    trial.equal("reached through the narrow door", narrow.reached, False)
    trial.equal("what blocked it", narrow.blocked_by, "obstacle")
    trial.equal("strict collision", narrow.strict_collision, True)
    trial.equal("objects touched", [c.object for c in narrow.contacts], ["wall"])
    wide = trial.straight(scene(floor(), door(width_m + 0.01)), profile)
    trial.equal("reached through the wide door", wide.reached, True)
    trial.equal("displacement in metres", wide.displacement_m, 0.0)


def the_width_threshold_holds_in_every_direction(
    trial: Trial, yaw_deg: float, width_m: float, passes: bool
) -> None:
    """A door that stands at any angle."""
    yaw = math.radians(yaw_deg)
    cos, sin = math.cos(yaw), math.sin(yaw)
    outcome = trial.straight(
        turned(scene(floor(), door(width_m)), yaw),
        WHEELCHAIR,
        (0.4 * cos, 0.4 * sin, 0.0),
        (3.6 * cos, 3.6 * sin, 0.0),
    )
    trial.equal("reached", outcome.reached, passes)


def a_sill_2_mm_above_the_limit_stops_and_one_at_the_limit_does_not(
    trial: Trial, profile: AgentProfile, limit_m: float, depth_m: float
) -> None:
    """Step limits are right to 2 mm, on narrow bars and on broad ones."""
    low = trial.straight(scene(floor(), sill(limit_m, depth=depth_m)), profile)
    trial.equal("reached over the low sill", low.reached, True)
    trial.near("highest step in metres", low.highest_step_m, limit_m, 1e-5)
    trial.equal("displacement in metres", low.displacement_m, 0.0)
    trial.equal("contacts", low.contacts, ())
    high = trial.straight(scene(floor(), sill(limit_m + 0.002, depth=depth_m)), profile)
    trial.equal("reached over the high sill", high.reached, False)
    trial.equal("what blocked it", high.blocked_by, "step" if limit_m < 0.3 else "obstacle")
    trial.near("x of the stop in metres", high.stopped_at_m[0], 2.0 - profile.depth_m / 2, 0.002)


def the_step_threshold_does_not_depend_on_speed(
    trial: Trial, speed_mps: float, height_m: float, passes: bool
) -> None:
    """Nobody jumps a sill by being fast."""
    profile = agent(BodyShape.BOX, 0.7, 1.0, 1.2, 0.013, climbs=False, speed=speed_mps)
    outcome = trial.straight(scene(floor(), sill(height_m)), profile)
    trial.equal("reached", outcome.reached, passes)


def a_threshold_of_12_mm_lets_everybody_pass(trial: Trial, profile: AgentProfile) -> None:
    """As high as accessible doors may have it."""
    outcome = trial.straight(scene(floor(), sill(0.012)), profile)
    trial.equal("reached", outcome.reached, True)


def a_sill_of_2_cm_stops_the_wheelchair_only(trial: Trial) -> None:
    """The same sill for three step limits."""
    room = scene(floor(), sill(0.020))
    stopped = trial.straight(room, WHEELCHAIR)
    trial.equal("end of the wheelchair", (stopped.reached, stopped.blocked_by), (False, "step"))
    trial.equal("reached by the sweeper", trial.straight(room, SWEEPER).reached, True)
    trial.equal("reached by the human", trial.straight(room, HUMAN).reached, True)


def a_lamp_at_1_5_m_stops_who_is_taller(trial: Trial, profile: AgentProfile, passes: bool) -> None:
    """Something above the way is named as such."""
    lamp = box("lamp", (2.0, -0.2, 1.5), (2.4, 0.2, 1.9))
    outcome = trial.straight(scene(floor(), lamp), profile)
    trial.equal("reached", outcome.reached, passes)
    trial.equal("touched", [c.object for c in outcome.contacts], [] if passes else ["lamp"])
    trial.equal("what blocked it", outcome.blocked_by, None if passes else "overhead")


def a_bookcase_is_an_obstacle_and_not_overhead(trial: Trial, has_back: bool) -> None:
    """Boards at every height, with and without a back."""
    boards = [box("", (2.0, -1.0, z), (2.3, 1.0, z + 0.02)) for z in (0.0, 0.35, 0.7, 1.05, 1.4)]
    if has_back:
        boards.append(box("", (2.28, -1.0, 0.0), (2.3, 1.0, 1.6)))
    outcome = trial.straight(scene(floor(), joined("bookcase", boards)), HUMAN)
    trial.equal("what blocked it", outcome.blocked_by, "obstacle")


def the_height_threshold_is_right_to_1_cm(trial: Trial, height_m: float, passes: bool) -> None:
    """A lintel a centimetre below and above the head."""
    outcome = trial.straight(scene(floor(), door(1.2, height=height_m)), HUMAN)
    trial.equal("reached", outcome.reached, passes)


def a_corner_of_a_corridor_needs_room_to_turn(
    trial: Trial, profile: AgentProfile, passes: bool
) -> None:
    """A box of 0.7 × 1.0 m cannot turn in 0.8 m; a disc can."""
    client = trial.client
    client.load_scene(corridor())
    client.spawn(profile, (0.8, 0.0, 0.0), 0.0)
    trial.equal("reached the corner", client.drive_to((3.85, 0.0, 0.0)).reached, True)
    outcome = client.drive_to((4.0, 4.0, 0.0))
    trial.equal("reached round the corner", outcome.reached, passes)
    if not passes:
        trial.equal("strict collision", outcome.strict_collision, True)
        touched = [c.object for c in outcome.contacts][:1]
        trial.equal("first object touched", touched, ["corridor"])


def walls_and_floors_work_whatever_their_winding(
    trial: Trial, is_inverted: bool, profile: AgentProfile
) -> None:
    """Files wind triangles either way."""

    def wound(mesh: Mesh) -> Mesh:
        return inverted(mesh) if is_inverted else mesh

    stopped = trial.straight(scene(wound(floor()), wound(door(0.5))), profile)
    trial.equal("what blocked it", stopped.blocked_by, "obstacle")
    passed = trial.straight(scene(wound(floor()), wound(door(0.9))), profile)
    trial.equal("reached", passed.reached, True)


def the_same_drive_twice_gives_identical_numbers(trial: Trial) -> None:
    """Nothing depends on what was driven before."""
    room = scene(floor(), *post_door(0.58), sill(0.02, x=1.0))
    first, second = trial.straight(room, HUMAN), trial.straight(room, HUMAN)
    trial.equal("the second drive", second, first)


def a_scene_far_from_its_zero_behaves_the_same(trial: Trial) -> None:
    """Surveyed buildings lie millions of metres from their zero."""
    start, target = (0.0, 0.0, 0.0), (5.0, 0.0, 0.0)
    here = trial.straight(scene(floor(), door(0.5)), HUMAN, start, target)
    x, y, z = origin = (2_600_000.0, -1_200_000.0, 400.0)
    trial.client.load_scene(scene(floor(), door(0.5), origin_m=origin))
    trial.client.spawn(HUMAN, origin, 0.0)
    there = trial.client.drive_to((x + 5.0, y, z))
    trial.equal("displacement in metres", there.displacement_m, here.displacement_m)
    from_origin = [a - o for a, o in zip(there.stopped_at_m, origin, strict=True)]
    trial.near("place of the stop in metres", from_origin, here.stopped_at_m, 1e-8)
