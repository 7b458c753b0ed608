"""What a drive says of walls, with the real engine: pushed, held back, and what is no step."""

from __future__ import annotations

import math

import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.agent_files import shipped_agents
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveCommand, Telemetry

AGENTS = shipped_agents()
WHEELCHAIR, HUMAN = AGENTS["wheelchair"], AGENTS["human"]
FLOOR = plate("floor", (-8.0, -8.0), (8.0, 8.0), 0.0)
WALL = box("wall", (2.0, -6.0, 0.0), (2.1, 6.0, 2.6))


def driven(
    physx: SimulatorClient,
    place: Scene,
    yaw_deg: float,
    steps: int = 360,
    turn: float = 0.0,
    profile: AgentProfile = WHEELCHAIR,
) -> list[Telemetry]:
    """The telemetry of a drive from the origin, every six steps of physics."""
    physx.load_scene(place)
    physx.spawn(profile, (0.0, 0.0, 0.0), math.radians(yaw_deg))
    command = DriveCommand(1.0, 0.0, turn)
    return [physx.drive(command, 6) for _ in range(steps // 6)]


def test_pushing_against_a_wall_is_not_being_pushed(physx: SimulatorClient) -> None:
    last = driven(physx, scene(FLOOR, WALL), 0.0)[-1]
    assert last.blocked_by == "obstacle"
    assert last.displacement_m > 1.0
    assert last.pushed_m < 0.01


@pytest.mark.parametrize("yaw_deg", [30.0, 45.0, 60.0])
def test_sliding_along_a_wall_is_being_pushed(physx: SimulatorClient, yaw_deg: float) -> None:
    """The agent goes along the wall, y, and leaves its line by cos(yaw) of that."""
    seen = driven(physx, scene(FLOOR, WALL), yaw_deg, steps=720, profile=HUMAN)
    one, two = seen[-21], seen[-1]
    along_m = two.position_m[1] - one.position_m[1]
    assert along_m > 0.1
    assert two.position_m[0] == pytest.approx(one.position_m[0], abs=0.005)
    expected_m = along_m * math.cos(math.radians(yaw_deg))
    assert two.pushed_m - one.pushed_m == pytest.approx(expected_m, rel=0.05)


def test_a_free_drive_is_not_pushed(physx: SimulatorClient) -> None:
    last = driven(physx, scene(FLOOR), 20.0, turn=0.5)[-1]
    assert (last.pushed_m, last.displacement_m) == (0.0, 0.0)


BEHIND = {
    "nothing": (),
    "a ledge": (box("ledge", (2.02, -6.0, 0.0), (2.6, 6.0, 0.15)),),
    "a bed": (box("bed", (2.02, -6.0, 0.0), (4.0, 6.0, 0.28)),),
    "two ledges": (
        box("ledge", (2.02, -6.0, 0.0), (2.3, 6.0, 0.12)),
        box("upper ledge", (2.3, -6.0, 0.0), (4.0, 6.0, 0.28)),
    ),
}


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("yaw_deg", [0.0, 10.0, 20.0, 35.0])
@pytest.mark.parametrize("end_m", [-6.0, -0.3])
@pytest.mark.parametrize("thickness_m", [0.005, 0.02])
def test_a_wall_is_no_step_whatever_stands_behind_it(
    physx: SimulatorClient, behind: str, yaw_deg: float, end_m: float, thickness_m: float
) -> None:
    """Hit flat or with a corner, in its middle or near its end."""
    thin = box("wall", (2.02 - thickness_m, end_m, 0.0), (2.02, 6.0, 2.6))
    seen = driven(physx, scene(FLOOR, thin, *BEHIND[behind]), yaw_deg, steps=480)
    at_wall = [one for one in seen if _names(one) == {"wall"}]
    assert at_wall
    assert {one.blocked_by for one in at_wall} <= {"obstacle", None}


@pytest.mark.parametrize("yaw_deg", [0.0, 20.0])
@pytest.mark.parametrize("depth_m", [0.05, 0.12, 3.0])
def test_a_sill_before_a_wall_is_a_step(
    physx: SimulatorClient, yaw_deg: float, depth_m: float
) -> None:
    sill = box("sill", (2.0, -6.0, 0.0), (2.0 + depth_m, 6.0, 0.15))
    wall = box("wall", (2.0 + depth_m, -6.0, 0.0), (2.1 + depth_m, 6.0, 2.6))
    seen = driven(physx, scene(FLOOR, sill, wall), yaw_deg)
    assert "step" in {one.blocked_by for one in seen}
    assert max(one.step_met_m for one in seen) == pytest.approx(0.15, abs=0.002)


def _names(telemetry: Telemetry) -> set[str]:
    return {contact.object for contact in telemetry.contacts}
