"""Whether a probe lands at a node: by rays, and by a body that an engine puts down."""

from __future__ import annotations

import pytest
from simulators.rooms import HUMAN, agent, box, joined, scene

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import Node
from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.standing import PROBE_M, PROBE_RADIUS_M, object_in_the_way
from waypost.simulators.client import SimulatorClient

pytestmark = pytest.mark.conformance

HOUSE = scene(
    joined(
        "floor",  # with a crack of 3 cm without ground, and a shaft of 3 cm with a cellar
        [
            box("", (-4, -4, -0.2), (2.0, 4, 0)),
            box("", (2.03, -4, -0.2), (6, 4, 0)),
            box("", (6.03, -4, -0.2), (10, 4, 0)),
        ],
    ),
    box("cellar", (5.5, -4, -1.1), (6.5, 4, -0.9)),
    box("cupboard", (-3, -3, 0), (-2, -2, 2)),
    box("table", (-3, 1, 0.7), (-2, 2, 0.75)),
    box("plank", (0, -3, 0.5), (0.1, 3, 0.52)),
    box("wall", (4, -4, 0), (4.05, 4, 2.6)),
)

PROBE = agent(width=2 * PROBE_RADIUS_M, height=PROBE_M)
"""Steps as high as the probe's foot."""

LANDS = ""
NO_FLOOR = None


def dropped(engine: SimulatorClient, profile: AgentProfile, place: Vec3) -> str | None:
    """What an engine says of a body that is put down."""
    try:
        told = engine.spawn(profile, place, 0.0)
    except InputError:
        return NO_FLOOR
    return told.contacts[0].object if told.blocked_by == "spawn" else LANDS


PLACES = {
    (0.05, 0.0, 0.52): LANDS,  # on a plank of 10 cm
    (0.05, 0.0, 0.0): "plank",  # under it
    (-0.02, 0.0, 0.0): "plank",  # beside it, by less than half the probe
    (-0.1, 0.0, 0.0): LANDS,  # and by more
    (2.015, 0.0, 0.0): NO_FLOOR,  # over a crack
    (6.015, 0.0, 0.0): "floor",  # over a shaft, whose sides are in the way on its ground
    (-2.5, 1.5, 0.0): "table",  # under it
    (-2.5, 1.5, 0.75): LANDS,  # on it
    (4.025, 0.0, 0.0): "wall",  # within it
    (3.97, 0.0, 0.0): "wall",  # at it
    (3.9, 0.0, 0.0): LANDS,
    (1.0, 1.0, -0.2): LANDS,  # sunk into the floor
    (1.0, 1.0, 2.0): LANDS,  # above it
    (1.0, 1.0, 2.8): NO_FLOOR,  # further above it than anything is dropped
    (20.0, 0.0, 0.0): NO_FLOOR,
}


def test_rays_and_an_engine_agree_on_where_a_probe_lands(physx: SimulatorClient) -> None:
    physx.load_scene(HOUSE)
    rays = RayIndex.build(HOUSE)
    assert {p: object_in_the_way(Node("n", "N", p), rays) for p in PLACES} == PLACES
    assert {place: dropped(physx, PROBE, place) for place in PLACES} == PLACES
    # Where the slim probe does not land, no agent does.
    wrong = [place for place, felt in PLACES.items() if felt != LANDS]
    assert LANDS not in {dropped(physx, HUMAN, place) for place in wrong}


def test_a_hollow_body_is_in_the_way_though_an_engine_sees_its_faces_alone(
    physx: SimulatorClient,
) -> None:
    physx.load_scene(HOUSE)
    place = (-2.5, -2.5, 0.0)
    assert dropped(physx, PROBE, place) == LANDS
    rays = RayIndex.build(HOUSE)
    assert object_in_the_way(Node("n", "N", place), rays) == "cupboard"
