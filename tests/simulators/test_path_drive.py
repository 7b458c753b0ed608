"""Planned paths driven with each drive type."""

from __future__ import annotations

import math

import pytest
from simulators.rooms import agent, box, floor, scene

from waypost.domain.base.errors import InputError
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.simulators.client import SimulatorClient

NORTH = math.pi / 2
CORRIDOR = [
    (0.0, 0.0, 0.0, 0.0),
    (3.0, 0.0, 0.0, 0.0),
    (3.0, 0.0, 0.0, NORTH),
    (3.0, 3.0, 0.0, NORTH),
]


def bend(width: float = 1.4) -> Scene:
    """A corridor along +X that turns left at x = 3."""
    half = width / 2
    return scene(
        floor(),
        box("right wall", (-1.0, -half - 0.1, 0.0), (3.0 + half + 0.1, -half, 2.0)),
        box("left wall", (-1.0, half, 0.0), (3.0 - half, half + 0.1, 2.0)),
        box("inner wall", (3.0 - half - 0.1, half, 0.0), (3.0 - half, 4.0, 2.0)),
        box("outer wall", (3.0 + half, -half, 0.0), (3.0 + half + 0.1, 4.0, 2.0)),
    )


def cart(drive: DriveType, turning: float = 0.0) -> AgentProfile:
    return agent(BodyShape.BOX, 0.7, 1.0, 1.2, 0.013, drive=drive, turning=turning)


@pytest.mark.parametrize("drive", [DriveType.DIFFERENTIAL, DriveType.HOLONOMIC])
def test_a_path_round_a_bend_is_driven_without_a_touch(
    either: SimulatorClient, drive: DriveType
) -> None:
    either.load_scene(bend())
    either.spawn(cart(drive), (0.0, 0.0, 0.0), 0.0)
    outcome = either.drive_along(CORRIDOR)
    assert outcome.reached, outcome.blocked_by
    assert outcome.displacement_m < 0.001
    assert math.dist(outcome.stopped_at_m, (3.0, 3.0, 0.0)) < 0.021


def test_a_differential_drive_goes_backward_where_the_plan_does(either: SimulatorClient) -> None:
    either.load_scene(bend(0.8))
    # 0.8 m are too narrow to turn 0.7 m by 1.0 m, whose diagonal is 1.22 m.
    either.spawn(cart(DriveType.DIFFERENTIAL), (2.0, 0.0, 0.0), 0.0)
    outcome = either.drive_along([(2.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)])
    assert outcome.reached
    assert outcome.displacement_m < 0.001


def test_a_turn_that_does_not_fit_stops_the_drive_and_names_the_wall(
    either: SimulatorClient,
) -> None:
    either.load_scene(bend(0.8))
    either.spawn(cart(DriveType.DIFFERENTIAL), (0.0, 0.0, 0.0), 0.0)
    outcome = either.drive_along(CORRIDOR)
    assert not outcome.reached
    assert any("wall" in contact.object for contact in outcome.contacts)


def test_a_car_follows_an_arc_of_its_radius(either: SimulatorClient) -> None:
    either.load_scene(scene(floor()))
    either.spawn(cart(DriveType.CAR_LIKE, turning=1.0), (0.0, 0.0, 0.0), 0.0)
    steps = 12
    arc = [
        (1.0 + 1.2 * math.sin(a), 1.2 - 1.2 * math.cos(a), 0.0, a)
        for a in (NORTH * n / steps for n in range(steps + 1))
    ]
    outcome = either.drive_along([(0.0, 0.0, 0.0, 0.0), *arc, (2.2, 3.0, 0.0, NORTH)])
    assert outcome.reached
    for x, y, _ in outcome.path_m:
        if x > 1.0 and y < 1.2:
            assert math.hypot(x - 1.0, y - 1.2) == pytest.approx(1.2, abs=0.08)


def test_a_path_of_one_pose_is_refused(either: SimulatorClient) -> None:
    either.load_scene(bend())
    either.spawn(cart(DriveType.HOLONOMIC), (0.0, 0.0, 0.0), 0.0)
    with pytest.raises(InputError, match="two poses"):
        either.drive_along([(0.0, 0.0, 0.0, 0.0)])
