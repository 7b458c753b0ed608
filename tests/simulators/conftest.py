from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from simulators.engines import start_engine

from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveOutcome

DriveStraight = Callable[..., DriveOutcome]


@pytest.fixture(scope="session")
def physx() -> Iterator[SimulatorClient]:
    with SimulatorClient.start("physx") as client:
        yield client


@pytest.fixture(scope="session")
def fake() -> Iterator[SimulatorClient]:
    with start_engine("fake") as client:
        yield client


@pytest.fixture(scope="session")
def isaac() -> Iterator[SimulatorClient]:
    with start_engine("isaac") as client:
        yield client


@pytest.fixture(params=["physx", "fake"])
def either(request: pytest.FixtureRequest) -> SimulatorClient:
    return request.getfixturevalue(request.param)


def drive_straight(
    client: SimulatorClient,
    scene: Scene,
    profile: AgentProfile,
    start: Vec3 = (0.4, 0.0, 0.0),
    target: Vec3 = (3.6, 0.0, 0.0),
) -> DriveOutcome:
    client.load_scene(scene)
    client.spawn(profile, start, bearing_rad(start, target))
    return client.drive_to(target)


@pytest.fixture
def go(physx: SimulatorClient) -> DriveStraight:
    def drive(*arguments: object, **named: object) -> DriveOutcome:
        return drive_straight(physx, *arguments, **named)

    return drive


@pytest.fixture
def go_either(either: SimulatorClient) -> DriveStraight:
    def drive(*arguments: object, **named: object) -> DriveOutcome:
        return drive_straight(either, *arguments, **named)

    return drive
