"""Agents are told apart by name, initials and colour."""

from __future__ import annotations

from dataclasses import replace

import pytest
from contrast import contrast_ratio

from waypost.io.agent_files import shipped_agents
from waypost.services.agent_marks import agent_marks, free_name
from waypost.services.appearance import DARK, LIGHT


def test_shipped_agents_have_initials_of_their_own() -> None:
    marks = agent_marks(shipped_agents())
    assert [mark.initials for mark in marks.values()] == ["H", "W", "HR", "QR", "S"]
    assert len({mark.on_dark for mark in marks.values()}) == len(marks)


def test_of_two_with_one_name_the_later_has_a_number() -> None:
    chair = shipped_agents()["wheelchair"]
    agents = {f"chair{n}": replace(chair, key=f"chair{n}") for n in range(12)}
    marks = list(agent_marks(agents).values())
    assert [mark.name for mark in marks[:3]] == [
        "Wheelchair", "Wheelchair 2", "Wheelchair 3"
    ]  # fmt: skip
    assert len({mark.name for mark in marks}) == len({mark.initials for mark in marks}) == 12


def test_a_free_name_is_never_empty() -> None:
    assert free_name(" ", ()) == "Agent"
    assert free_name("Agent", {"Agent", "Agent 2"}) == "Agent 3"


def test_colours_can_be_read_on_their_panels() -> None:
    agents = {f"a{n}": replace(shipped_agents()["human"], key=f"a{n}") for n in range(7)}
    for mark in agent_marks(agents).values():
        assert contrast_ratio(mark.on_dark, DARK.raised) >= 4.5
        assert contrast_ratio(mark.on_light, LIGHT.raised) >= 4.5


@pytest.mark.parametrize(
    "colour", ["#000000", "#ffffff", "#0000ff", "#ffff00", "#808080", "#7cc4ff", "#2e2e2e"]
)
def test_a_colour_of_ones_own_is_kept_as_far_as_it_can_be_read(colour: str) -> None:
    agents = dict(shipped_agents())
    before = agent_marks(agents)
    agents["wheelchair"] = replace(agents["wheelchair"], colour=colour)
    marks = agent_marks(agents)
    assert contrast_ratio(marks["wheelchair"].on_dark, DARK.raised) >= 4.5
    assert contrast_ratio(marks["wheelchair"].on_light, LIGHT.raised) >= 4.5
    # The others keep theirs.
    assert {k: m for k, m in marks.items() if k != "wheelchair"} == {
        k: m for k, m in before.items() if k != "wheelchair"
    }
    if contrast_ratio(colour, DARK.raised) >= 4.5:
        assert marks["wheelchair"].on_dark == colour
