"""The engine for Isaac Sim must do what every engine must; here on fakes of Isaac Sim's modules.

The quick cases are played; with ``WAYPOST_WHOLE_CONFORMANCE=1`` all are.
"""

from __future__ import annotations

import os

import pytest
from simulators.test_conformance import parameters

from waypost.services.conformance.cases import CASES
from waypost.services.conformance.trial import Case
from waypost.simulators.client import SimulatorClient

pytestmark = pytest.mark.conformance

IS_WHOLE = "WAYPOST_WHOLE_CONFORMANCE" in os.environ
PLAYED = [case for case in CASES if IS_WHOLE or case.is_quick]


@pytest.mark.parametrize("case", parameters(PLAYED))
def test_isaac_sim_conforms_on_its_fakes(isaac: SimulatorClient, case: Case) -> None:
    assert case.failures(isaac) == []
