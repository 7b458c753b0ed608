"""Where wheels or feet have no ground on a straight way."""

from __future__ import annotations

import math

import pytest
from simulators.rooms import QUADRUPED, WHEELCHAIR, box, floor, ramp, scene, stairs

from waypost.domain.scene.scene import Mesh
from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.holes_underfoot import longest_hole
from waypost.geometry.ray_index import RayIndex


@pytest.mark.parametrize(
    ("slope", "profile"),
    [
        (stairs(8, riser=0.2, tread=0.25), QUADRUPED),
        (ramp(math.radians(20)), WHEELCHAIR),
        (ramp(math.radians(35)), QUADRUPED),
    ],
)
def test_slopes_whose_ends_a_body_spans_are_no_holes(slope: Mesh, profile: AgentProfile) -> None:
    """Its rear stands lower than its front by more than one step; up and down alike."""
    rays = RayIndex.build(scene(floor(), slope))
    top = rays.floor_below((3.8, 0.0, 6.0), 10.0)
    assert top is not None
    bottom = (1.0, 0.0, 0.0)
    assert longest_hole(rays, bottom, top.point_m, profile) is None
    assert longest_hole(rays, top.point_m, bottom, profile) is None


def test_a_hole_is_as_long_as_it_is() -> None:
    ground = box("", (-1, -4, -0.2), (2, 4, 0)), box("", (2.6, -4, -0.2), (6, 4, 0))
    found = longest_hole(RayIndex.build(scene(*ground)), (0, 0, 0), (5, 0, 0), WHEELCHAIR)
    assert found is not None
    assert found.length_m == pytest.approx(0.6, abs=0.011)
    assert (found.at_m[0], found.at_m[2]) == pytest.approx((2.3, 0.0), abs=0.011)
