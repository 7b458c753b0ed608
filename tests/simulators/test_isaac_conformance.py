"""The engine for Isaac Sim must do what every engine must; here on fakes of Isaac Sim's modules.

The quick cases are played; with ``WAYPOST_WHOLE_CONFORMANCE=1`` all are.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

import pytest
from simulators.engines import start_engine
from simulators.rooms import HUMAN, box, floor, scene
from simulators.test_conformance import parameters

from waypost.services.conformance import meeting
from waypost.services.conformance.cases import CASES
from waypost.services.conformance.trial import Case
from waypost.simulators.backends.usd_text import PRISM_SIDES
from waypost.simulators.client import SimulatorClient

pytestmark = pytest.mark.conformance

IS_WHOLE = "WAYPOST_WHOLE_CONFORMANCE" in os.environ
PLAYED = [case for case in CASES if IS_WHOLE or case.is_quick]


@pytest.fixture(scope="module")
def isaac() -> Iterator[SimulatorClient]:
    with start_engine("isaac") as client:
        yield client


@pytest.mark.parametrize("case", parameters(PLAYED))
def test_isaac_sim_conforms_on_its_fakes(isaac: SimulatorClient, case: Case) -> None:
    failures = case.failures(isaac)
    if case.play is meeting.a_contact_names_the_object_the_place_and_the_side:
        # See below: SAPIEN's normals of a round body are right to half a side of its prism.
        failures = [sentence for sentence in failures if not sentence.startswith("normal is")]
    assert failures == []


def test_the_normal_of_a_contact_is_right_to_half_a_side_of_the_prism(isaac) -> None:
    isaac.load_scene(scene(floor(), box("sofa", (2.0, -1.0, 0.0), (3.0, 1.0, 0.8))))
    isaac.spawn(HUMAN, (0.4, 0.0, 0.0), 0.0)
    (contact,) = isaac.drive_to((3.6, 0.0, 0.0)).contacts
    # A corner touches the sofa, and SAPIEN gives the normal of one of its two faces.
    half_side = 1.01 * math.sin(math.pi / PRISM_SIDES)
    assert contact.normal == pytest.approx((-1.0, 0.0, 0.0), abs=half_side)
