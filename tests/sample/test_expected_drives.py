"""Drive the agents over every feature of the sample home, in both directions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sample.features import FEATURES, Feature

from tools.sample_home.home import build_home
from waypost.domain.base.frames import bearing_rad
from waypost.domain.scene.graph import EdgeKind
from waypost.io.agent_files import shipped_agents
from waypost.sample.navigation import build_navigation
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveOutcome

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(1800)]

AGENTS = shipped_agents()
PLACES = {node.name: node.position_m for node in build_navigation().nodes.values()}


@pytest.fixture(scope="module")
def engine() -> Iterator[SimulatorClient]:
    with SimulatorClient.start() as client:
        assert client.load_scene(build_home()) == ()
        yield client


def drive(engine: SimulatorClient, agent: str, start: str, end: str) -> DriveOutcome:
    engine.spawn(AGENTS[agent], PLACES[start], bearing_rad(PLACES[start], PLACES[end]))
    return engine.drive_to(PLACES[end])


def both_ways(feature: Feature) -> list[tuple[str, str]]:
    return [way for start, end in feature.edges for way in ((start, end), (end, start))]


PASSING = [
    pytest.param(agent, *way, id=f"{f.key}-{agent}-{way[0]}-{way[1]}".replace(" ", "_"))
    for f in FEATURES
    for agent in f.passes
    for way in both_ways(f)
]
STOPPED = [
    pytest.param(agent, *way, id=f"{f.key}-{agent}-{way[0]}-{way[1]}".replace(" ", "_"))
    for f in FEATURES
    for agent in f.stopped
    for way in both_ways(f)
]


@pytest.mark.parametrize(("agent", "start", "end"), PASSING)
def test_agents_that_should_pass_do(
    engine: SimulatorClient, agent: str, start: str, end: str
) -> None:
    outcome = drive(engine, agent, start, end)
    assert outcome.reached, outcome
    assert not outcome.strict_collision, outcome


@pytest.mark.parametrize(("agent", "start", "end"), STOPPED)
def test_agents_that_should_be_stopped_are(
    engine: SimulatorClient, agent: str, start: str, end: str
) -> None:
    assert not drive(engine, agent, start, end).reached


def plain_ways() -> list[tuple[str, str]]:
    graph = build_navigation()
    crossed = {frozenset(edge) for feature in FEATURES for edge in feature.edges}
    ends = [
        (graph.nodes[edge.from_id].name, graph.nodes[edge.to_id].name)
        for edge in graph.edges.values()
        if edge.kind is not EdgeKind.STAIRS
    ]
    return [way for way in ends if frozenset(way) not in crossed]


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_nothing_stands_in_the_way_elsewhere(engine: SimulatorClient, agent: str) -> None:
    for start, end in plain_ways():
        for a, b in ((start, end), (end, start)):
            outcome = drive(engine, agent, a, b)
            assert outcome.reached, (a, b, outcome)
            assert outcome.displacement_m < 0.01, (a, b, outcome)
