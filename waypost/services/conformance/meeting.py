"""Contacts, rays, and where an agent is put: sides, signs, units, names."""

from __future__ import annotations

import math

from waypost.domain.base.frames import Vec3
from waypost.services.conformance.rooms import (
    HUMAN,
    SWEEPER,
    WHEELCHAIR,
    box,
    floor,
    scene,
    turned,
)
from waypost.services.conformance.trial import Trial


def a_contact_names_the_object_the_place_and_the_side(trial: Trial, yaw_deg: float) -> None:
    """The normal points from the object to the agent, at any heading."""
    yaw = math.radians(yaw_deg)
    cos, sin = math.cos(yaw), math.sin(yaw)
    sofa = box("sofa", (2.0, -1.0, 0.0), (3.0, 1.0, 0.8))
    outcome = trial.straight(
        turned(scene(floor(), sofa), yaw),
        HUMAN,
        (0.4 * cos, 0.4 * sin, 0.0),
        (3.6 * cos, 3.6 * sin, 0.0),
    )
    trial.equal("objects touched", [c.object for c in outcome.contacts], ["sofa"])
    for contact in outcome.contacts[:1]:
        x, y, _ = contact.point_m
        trial.near("distance of the contact in metres", cos * x + sin * y, 2.0, 0.002)
        trial.near("normal", contact.normal, (-cos, -sin, 0.0), 0.02)


def one_ray_tells_the_distance_in_metres(trial: Trial, x_m: float, floor_z_m: float) -> None:
    """Down onto a floor, a step and a table, from beside and from below it."""
    room = scene(
        floor(),
        box("step", (1.0, -1.0, 0.0), (2.0, 1.0, 0.4)),
        box("table top", (3.0, -1.0, 0.70), (4.0, 1.0, 0.75)),
    )
    trial.client.load_scene(room)
    from_z = 0.5 if x_m > 4.0 else 1.0
    x = x_m - 2.0 if x_m > 4.0 else x_m
    seen = trial.client.floor_below((x, 0.0, from_z))
    trial.near("the place below in metres", seen, (x, 0.0, floor_z_m), 1e-5)


def one_ray_that_is_too_short_meets_nothing(trial: Trial) -> None:
    """5 m above the floor with 2 m of reach."""
    trial.client.load_scene(scene(floor()))
    below = trial.client.floor_below((0.0, 0.0, 5.0), reach_m=2.0)
    trial.equal("the place below", below, None)


def clearance_is_the_distance_to_the_nearest_wall(trial: Trial) -> None:
    """Rays aside, from the hull."""
    client = trial.client
    walls = (
        box("left", (-4.0, 1.0, 0.0), (4.0, 1.2, 2.0)),
        box("right", (-4.0, -1.7, 0.0), (4.0, -1.5, 2.0)),
    )
    client.load_scene(scene(floor(), *walls))
    telemetry = client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    trial.near("clearance in metres", telemetry.clearance_m, 0.70, 0.005)
    client.load_scene(scene(floor()))
    alone = client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    trial.equal("clearance without walls", alone.clearance_m, None)


def an_agent_that_does_not_fit_where_it_is_spawned_says_so(trial: Trial) -> None:
    """And is not driven from there."""
    client = trial.client
    client.load_scene(scene(floor(), box("sofa", (0.1, -1.0, 0.0), (1.0, 1.0, 0.8))))
    telemetry = client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    trial.equal("what blocks it", telemetry.blocked_by, "spawn")
    trial.equal("objects touched", [c.object for c in telemetry.contacts], ["sofa"])
    outcome = client.drive_to((-3.0, 0.0, 0.0))
    trial.equal("end", (outcome.reached, outcome.blocked_by), (False, "spawn"))
    trial.equal("objects of the drive", [c.object for c in outcome.contacts], ["sofa"])


def an_agent_is_spawned_under_a_table_not_on_it(trial: Trial) -> None:
    """Where it fits below."""
    table = box("table", (-0.5, -0.5, 0.70), (0.5, 0.5, 0.75))
    trial.client.load_scene(scene(floor(), table))
    telemetry = trial.client.spawn(SWEEPER, (0.0, 0.0, 0.0), 0.0)
    trial.near("height in metres", telemetry.position_m[2], 0.0, 1e-6)
    trial.equal("what blocks it", telemetry.blocked_by, None)


def a_place_a_little_below_or_well_above_its_floor_means_that_floor(
    trial: Trial, above_m: float
) -> None:
    """Graphs are drawn by hand."""
    trial.client.load_scene(scene(box("floor", (-4.0, -4.0, -3.0), (4.0, 4.0, 0.0))))
    telemetry = trial.client.spawn(WHEELCHAIR, (0.0, 0.0, above_m), 0.0)
    trial.near("height in metres", telemetry.position_m[2], 0.0, 1e-6)


def a_pose_comes_back_as_it_was_given(trial: Trial, yaw_deg: float) -> None:
    """A quaternion in another order, or degrees, would show in the heading."""
    trial.client.load_scene(scene(floor()))
    place: Vec3 = (1.25, -0.5, 0.0)
    telemetry = trial.client.spawn(WHEELCHAIR, place, math.radians(yaw_deg))
    trial.near("place in metres", telemetry.position_m, place, 1e-5)
    off = math.remainder(telemetry.yaw_rad - math.radians(yaw_deg), math.tau)
    trial.near("error of the heading in radians", off, 0.0, 1e-5)
