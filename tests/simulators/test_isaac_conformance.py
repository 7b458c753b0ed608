"""The engine for Isaac Sim must do what every engine must; here on fakes of Isaac Sim's modules.

Of the 36 doors four are tried; with ``WAYPOST_WHOLE_CONFORMANCE=1`` all are.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

import pytest
from simulators import test_conformance
from simulators.engines import start_engine
from simulators.rooms import HUMAN, box, floor, scene
from simulators.test_conformance import *  # noqa: F403 - the same tests, on another engine

from waypost.domain.traverse.agent import BodyShape
from waypost.simulators.client import SimulatorClient

pytestmark = pytest.mark.conformance


@pytest.fixture(scope="module")
def physx() -> Iterator[SimulatorClient]:
    with start_engine("isaac") as client:
        yield client


@pytest.fixture
def either(physx: SimulatorClient) -> SimulatorClient:
    return physx


def test_a_contact_names_the_object_the_place_and_the_side(go):
    block = box("sofa", (2.0, -1.0, 0.0), (3.0, 1.0, 0.8))
    (contact,) = go(scene(floor(), block), HUMAN).contacts
    assert contact.object == "sofa"
    assert contact.point_m[0] == pytest.approx(2.0, abs=0.002)
    # A corner of the prism touches the sofa, and SAPIEN takes the normal of one of its two faces.
    assert contact.normal == pytest.approx((-1.0, 0.0, 0.0), abs=1.01 * math.sin(math.pi / 30))


if "WAYPOST_WHOLE_CONFORMANCE" not in os.environ:

    @pytest.mark.parametrize(
        ("width", "shape", "speed"),
        [
            (0.40, BodyShape.CYLINDER, 3.0),
            (0.60, BodyShape.CAPSULE, 1.0),
            (0.70, BodyShape.BOX, 1.0),
            (0.90, BodyShape.BOX, 3.0),
        ],
    )
    def test_a_door_one_centimetre_too_narrow_stops_and_one_wider_lets_through(
        go, width, shape, speed
    ):
        test_conformance.test_a_door_one_centimetre_too_narrow_stops_and_one_wider_lets_through(
            go, width, shape, speed
        )
