"""What every engine must do with the same agents: the cases of ``waypost conformance``."""

from __future__ import annotations

import re

import pytest

from waypost.services.conformance.cases import CASES
from waypost.services.conformance.trial import Case, Trial

pytestmark = pytest.mark.conformance


def parameters(cases):
    """One parameter for each case, with an id that a terminal can write."""
    return [
        pytest.param(case, id=re.sub(r"[^0-9a-z.-]+", "-", case.title.lower()).strip("-"))
        for case in cases
    ]


@pytest.mark.parametrize("case", parameters(CASES))
def test_the_reference_engine_conforms(physx, case: Case):
    assert case.failures(physx) == []


@pytest.mark.parametrize("case", parameters(case for case in CASES if case.knows_boxes_only))
def test_an_engine_of_boxes_conforms_as_far_as_it_can(fake, case: Case):
    assert case.failures(fake) == []


def test_every_case_has_a_title_of_its_own():
    titles = [case.title for case in CASES]
    assert len(set(titles)) == len(titles) >= 129


@pytest.mark.parametrize(
    ("seen", "expected", "is_near"),
    [
        (1.0, 1.001, True),
        (1.0, 1.0021, False),
        ((0.0, 1.0), (0.0, 1.0), True),
        ((0.0, 1.0, 2.0), (0.0, 1.0), False),
        (None, 1.0, False),
        (float("nan"), 1.0, False),
        ((), (1.0,), False),
    ],
)
def test_what_is_not_near_is_said(fake, seen, expected, is_near):
    trial = Trial(fake)
    trial.near("height", seen, expected, 0.002)
    assert trial.failures == ([] if is_near else [f"height is {seen}, expected {expected} ± 0.002"])
