"""Bodies swept with coal through rooms whose answers are known."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from simulators.rooms import agent, box, door, floor, scene, sill, stairs

from waypost.domain.scene.scene import Mesh, Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.geometry.ray_index import RayIndex
from waypost.services.measuring.body_sweep import BodySweep, SweepFinding

coal = pytest.importorskip("coal")
WAY = [(0.4, 0.0, 0.0, 0.0), (3.6, 0.0, 0.0, 0.0)]
CHAIR = agent(BodyShape.BOX, 0.7, 1.0, 1.2, 0.013)
HUMAN = agent(BodyShape.CYLINDER, 0.6, height=1.7, step=0.30)
Sweep = Callable[..., SweepFinding]


def swept(profile: AgentProfile, *meshes: Mesh, way: list[tuple[float, ...]] = WAY) -> SweepFinding:
    room: Scene = scene(*meshes)
    return BodySweep(room, RayIndex.build(room), coal).along(profile, way)  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", [CHAIR, HUMAN])
def test_a_door_lets_through_what_is_a_millimetre_narrower(profile: AgentProfile) -> None:
    width = profile.width_m
    wide, narrow = (swept(profile, floor(), door(width + d)) for d in (0.002, -0.002))
    assert wide.passes
    assert (narrow.passes, narrow.object, narrow.stopped_by) == (False, "wall", "touch")


def test_the_distance_to_the_nearest_wall_is_exact() -> None:
    # What is nearest is the wall, because the body hangs 0.3 m above the floor.
    found = swept(HUMAN, floor(), door(1.0))
    assert found.passes
    assert found.distance_m == pytest.approx(0.2, abs=1e-6)
    assert found.object == "wall"


def test_a_wire_of_a_millimetre_is_not_jumped_over() -> None:
    wire = box("wire", (2.0, -4.0, 1.0), (2.001, 4.0, 1.001))
    assert swept(HUMAN, floor(), wire).object == "wire"


def test_sills_stop_above_the_step_limit_and_not_below() -> None:
    assert swept(CHAIR, floor(), sill(0.013)).passes
    assert not swept(CHAIR, floor(), sill(0.016)).passes


def test_a_drop_and_a_void_stop() -> None:
    edge = box("platform", (-1.0, -2.0, -0.2), (2.0, 2.0, 0.0))
    below = box("floor", (-4.0, -4.0, -1.2), (12.0, 4.0, -1.0))
    assert swept(CHAIR, edge, below).stopped_by == "drop"
    assert swept(CHAIR, edge).stopped_by == "no floor"


def test_stairs_are_climbed_by_their_risers() -> None:
    way = [(0.4, 0.0, 0.0, 0.0), (5.0, 0.0, 0.85, 0.0)]
    assert swept(HUMAN, floor(), stairs(5), way=way).passes
    assert not swept(CHAIR, floor(), stairs(5), way=way).passes


def test_a_turn_on_the_spot_needs_the_diagonal() -> None:
    need = math.hypot(0.7, 1.0)
    turn = [(0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, math.pi)]

    def between(width: float) -> SweepFinding:
        left = box("left", (-2.0, width / 2, 0.0), (2.0, width / 2 + 0.1, 2.0))
        right = box("right", (-2.0, -width / 2 - 0.1, 0.0), (2.0, -width / 2, 2.0))
        return swept(CHAIR, floor(), left, right, way=turn)

    assert between(need + 0.004).passes
    assert not between(need - 0.004).passes


def test_far_from_the_origin_it_is_as_exact() -> None:
    room = scene(floor(), door(0.702), origin_m=(4.0e5, 5.6e6, 100.0))
    way = [(4.0e5 + x, 5.6e6, 100.0, 0.0) for x in (0.4, 3.6)]
    assert BodySweep(room, RayIndex.build(room), coal).along(CHAIR, way).passes
