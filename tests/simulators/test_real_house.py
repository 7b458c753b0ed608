from __future__ import annotations

import pytest

from waypost.domain.base.frames import bearing_rad
from waypost.io.agent_files import shipped_agents
from waypost.io.scenes.open_scene import read_scene
from waypost.simulators.client import SimulatorClient

pytestmark = [pytest.mark.realdata, pytest.mark.conformance]


@pytest.mark.parametrize("agent", ["human", "wheelchair", "sweeper"])
def test_two_workers_drive_identically_through_a_real_house(shared_data, agent):
    scene = read_scene(shared_data / "scenes" / "small_house" / "small_house.glb")
    profile = shipped_agents()[agent]
    start, target = (-1.0, 0.0, 0.0), (1.5, 0.0, 0.0)
    outcomes = []
    for _ in range(2):
        with SimulatorClient.start("physx") as client:
            warnings = client.load_scene(scene)
            assert any("triangles without area" in warning for warning in warnings)
            client.spawn(profile, start, bearing_rad(start, target))
            outcomes.append(client.drive_to(target))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0].reached
    assert abs(outcomes[0].stopped_at_m[2]) < 0.05
