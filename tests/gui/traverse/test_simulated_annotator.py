"""How many keys a house of 28 nodes and five agents costs, in the real window."""

from __future__ import annotations

import random

import pytest
from fixtures.measured_passages import measure_by
from gui.user import User
from simulated_annotator import SimulatedAnnotator, Truth

from waypost.domain.project import set_graph
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.domain.traverse.traversability import Passage, Reason, Verdict, passages

pytestmark = pytest.mark.gui

NODES, EDGES = 28, 36
UNCERTAIN_SHARE = 0.12
BY_HAND = 1.25
"""Keys for a label without measures: one in four needs the key of a reason as well."""


def house_graph() -> NavigationGraph:
    """Four rows of seven nodes on the ground floor, joined to 36 edges."""
    nodes = [
        Node(f"n{i}", f"Place {i}", (-3.0 + 0.9 * (i % 7), -2.0 + i // 7, 0.0))
        for i in range(NODES)
    ]
    pairs = [(i, i + 1) for i in range(NODES - 1) if (i + 1) % 7]
    pairs += [(i, i + 7) for i in range(NODES - 7)]
    edges = (Edge(f"e{n}", f"n{a}", f"n{b}") for n, (a, b) in enumerate(pairs[:EDGES]))
    return build_graph(nodes, edges)


def truth_of(user: User) -> dict[Passage, Truth]:
    """One passage in four cannot be travelled, for one of three reasons."""
    chance = random.Random(15)
    reasons = (Reason.TOO_NARROW, Reason.STEP_OR_SILL, Reason.OBSTACLE)
    asked = [p for key in user.project.agents for p in passages(user.graph, key)]
    return {
        passage: Truth(Verdict.DOES_NOT, chance.choice(reasons))
        if chance.random() < 0.25
        else Truth(Verdict.TRAVELS)
        for passage in asked
    }


@pytest.fixture
def large_house(at_house: User) -> User:
    """Before the queue of a house of 28 nodes."""
    document = at_house.document
    document.edit("Draw", set_graph(document.project, house_graph()))
    at_house.press("Ctrl+2")
    return at_house


def annotator(user: User, truth: dict[Passage, Truth]) -> SimulatedAnnotator:
    traverse = user.window.traverse

    def press(key: str) -> None:
        user.press(key)
        user.wait(lambda: not traverse._filling.is_busy)

    return SimulatedAnnotator(user.window, press, truth)


def is_right(user: User, truth: dict[Passage, Truth], agents: tuple[str, ...]) -> bool:
    labels = user.project.labels
    asked = [passage for passage in truth if passage.agent_key in agents]
    return all((labels[p].verdict, labels[p].reason) == truth[p] for p in asked)


def test_by_hand_every_label_costs_more_than_a_key(large_house: User) -> None:
    truth, agent = truth_of(large_house), large_house.window.bench.agent
    assert agent is not None
    hand = annotator(large_house, truth)
    hand.label_by_hand()
    assert is_right(large_house, truth, (agent.key,))
    assert hand.keys / (2 * EDGES) == pytest.approx(BY_HAND, abs=0.15)


def test_a_measured_house_costs_fewer_than_150_keys(large_house: User) -> None:
    truth, chance = truth_of(large_house), random.Random(7)
    uncertain = {p for p in truth if chance.random() < UNCERTAIN_SHARE}

    def measured(_number: int, passage: Passage) -> tuple[Verdict, float]:
        if passage in uncertain:
            return Verdict.UNCERTAIN, 0.005
        return truth[passage].verdict, 0.05

    measure_by(large_house.window.bench, measured, lambda passage: truth[passage].reason)
    large_house.settle()
    hand = annotator(large_house, truth)
    agents = tuple(large_house.project.agents)
    for _ in agents:
        hand.label_measured()
    assert is_right(large_house, truth, agents)
    assert len(large_house.project.labels) == 2 * EDGES * len(agents) == 360
    assert hand.keys == len(uncertain) + 3 * len(agents)
    assert hand.keys < 150
