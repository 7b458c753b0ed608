"""Passages of a real house: what anyone sees, and the same from both of its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from waypost.domain.base.frames import FRAMES
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, Verdict, all_passages
from waypost.io.agent_files import shipped_agents
from waypost.io.graphs.graph_files import read_graph_file
from waypost.io.scenes.open_scene import read_scene
from waypost.services.measuring.measure_passages import measure_passages
from waypost.services.measuring.site import SiteSettings

pytestmark = [pytest.mark.realdata, pytest.mark.no_cover]

GRAPH = Path(__file__).with_name("small_house_graph.json")
ALONG_THE_COUNTER = ("node_15", "node_16")
"""2 m of open floor."""

OVER_THE_TABLE = ("node_17", "node_18")
"""A coffee table stands on the straight line, with a way round it."""

Measures = dict[Passage, PassageMeasure]


EVERYONE = [Passage(*ALONG_THE_COUNTER, agent) for agent in shipped_agents()]
AROUND = [Passage(*OVER_THE_TABLE, agent) for agent in ("human", "wheelchair", "quadruped")]
BOTH_FILES = [EVERYONE[-1], AROUND[0]]

BY_GEOMETRY = SiteSettings(uses_sweep=False, uses_engine=False)
EVERY = 41
"""One in so many passages is asked of both files: all kinds of edges and all agents."""


def measured(file: Path, asked: list[Passage]) -> Measures:
    graph = read_graph_file(GRAPH).build(FRAMES["scene"])
    found = measure_passages(read_scene(file), graph, shipped_agents(), asked, workers=2)
    return {measure.passage: measure for measure in found}


@pytest.fixture(scope="module")
def of_glb(shared_data: Path) -> Measures:
    return measured(shared_data / "scenes/small_house/small_house.glb", [*EVERYONE, *AROUND])


def by_geometry(file: Path) -> list[PassageMeasure]:
    graph = read_graph_file(GRAPH).build(FRAMES["scene"])
    agents = shipped_agents()
    asked = all_passages(graph, agents)[::EVERY]
    found = measure_passages(
        read_scene(file), graph, agents, asked, workers=0, settings=BY_GEOMETRY
    )
    return list(found)


def test_the_graph_has_the_places_of_a_house() -> None:
    graph = read_graph_file(GRAPH).build(FRAMES["scene"])
    assert (len(graph.nodes), len(graph.edges)) == (24, 33)


@pytest.mark.parametrize("agent", list(shipped_agents()))
def test_everyone_crosses_open_floor_by_every_opinion(of_glb: Measures, agent: str) -> None:
    measure = of_glb[Passage(*ALONG_THE_COUNTER, agent)]
    assert (measure.answer, measure.straight) == (Verdict.TRAVELS, Verdict.TRAVELS)
    assert {opinion.answer for opinion in measure.opinions} == {Verdict.TRAVELS}


@pytest.mark.parametrize("agent", ["human", "wheelchair", "quadruped"])
def test_nobody_goes_straight_through_the_coffee_table(of_glb: Measures, agent: str) -> None:
    measure = of_glb[Passage(*OVER_THE_TABLE, agent)]
    assert measure.straight is Verdict.DOES_NOT
    assert any("CoffeeTable" in name for name in measure.contacts)


def test_a_person_goes_round_the_coffee_table_and_the_detour_is_said(of_glb: Measures) -> None:
    measure = of_glb[Passage(*OVER_THE_TABLE, "human")]
    assert measure.answer is Verdict.TRAVELS
    # The edge is 4.11 m long: at least round the table, at most half the edge and 1 m more.
    assert measure.detour_m is not None
    assert 0.5 < measure.detour_m < 3.06
    assert "m longer than the straight edge" in measure.words


def test_both_files_of_the_house_get_the_same_answers(of_glb: Measures, shared_data: Path) -> None:
    of_usd = measured(shared_data / "scenes/small_house/usd/small_house.usda", BOTH_FILES)
    for passage in BOTH_FILES:
        measure, other = of_glb[passage], of_usd[passage]
        assert (other.answer, other.straight, other.reason) == (
            measure.answer,
            measure.straight,
            measure.reason,
        ), passage
        assert other.margin_m == pytest.approx(measure.margin_m, abs=0.001), passage


def test_geometry_finds_the_same_in_both_files(shared_data: Path) -> None:
    folder = shared_data / "scenes/small_house"
    of_glb = by_geometry(folder / "small_house.glb")
    of_usd = by_geometry(folder / "usd/small_house.usda")
    assert len({measure.passage.agent_key for measure in of_glb}) == 5
    assert all(measure.clear_width_m is not None for measure in of_glb)
    for measure, other in zip(of_glb, of_usd, strict=True):
        assert (other.passage, other.answer, other.straight) == (
            measure.passage,
            measure.answer,
            measure.straight,
        )
        assert other.clear_width_m == pytest.approx(measure.clear_width_m, abs=0.001)
