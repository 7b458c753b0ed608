"""The limits of every shipped agent in rooms that can be computed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from worlds.measuring_cases import CASES, OPEN, Case, expected

from waypost.domain.traverse.agent import BodyShape, DriveType
from waypost.io.agent_files import shipped_agents

pytestmark = pytest.mark.heavy

AGENTS = shipped_agents()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("key", AGENTS)
def test_an_answer_beside_the_limit_is_certain_and_right(case: Case, key: str) -> None:
    agent = AGENTS[key]
    if case.name == "L-corridor":
        # The formula is of any planar motion; what a drive makes of it is asked below.
        agent = replace(agent, drive=DriveType.HOLONOMIC)
    limit = case.limit(agent)
    assert limit is not None
    below = case.measure(agent, limit - case.below_m)
    above = case.measure(agent, limit + case.above_m)
    found = (below.any_path.verdict, above.any_path.verdict)
    assert found == (expected(case, False), expected(case, True))


@pytest.mark.parametrize("name", ["door", "sill"])
@pytest.mark.parametrize("key", AGENTS)
def test_at_the_limit_itself_nothing_is_certain(name: str, key: str) -> None:
    agent = AGENTS[key]
    if name == "door" and agent.shape is BodyShape.BOX:
        pytest.skip("takes seconds; the L-corridor asks the same of a box")
    case = next(case for case in CASES if case.name == name)
    limit = case.limit(agent)
    assert limit is not None
    assert case.measure(agent, limit).any_path.verdict is OPEN
