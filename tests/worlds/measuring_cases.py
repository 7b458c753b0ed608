"""Rooms with a limit that can be computed by hand, for every shipped agent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from worlds import measuring_rooms as rooms
from worlds.measuring_rooms import Triangles

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import Edge, EdgeKind, Node, build_graph
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.passage_rule import PassageRule
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.geometry.measuring.geometric_measure import GeometricMeasure
from waypost.geometry.measuring.passage_geometry import measure_geometry
from waypost.geometry.measuring.rule import MeasuringRule

START: Vec3 = (1.0, 0.0, 0.0)
END: Vec3 = (3.2, 0.0, 0.0)
NO, YES, OPEN = Verdict.DOES_NOT, Verdict.TRAVELS, Verdict.UNCERTAIN
FURNITURE = MeasuringRule(PassageRule(allows_furniture=True))


def ask(
    room: Triangles,
    agent: AgentProfile,
    start: Vec3 = START,
    end: Vec3 = END,
    rule: MeasuringRule = FURNITURE,
) -> GeometricMeasure:
    """Measure from start to end in a room of one object."""
    return measure_geometry(
        rooms.ground(("room", room)),
        build_graph(
            [Node("a", "a", start), Node("b", "b", end)], [Edge("e", "a", "b", EdgeKind.WALK)]
        ),
        Passage("a", "b", agent.key),
        agent,
        rule,
    )


@dataclass(frozen=True)
class Case:
    """A room whose one size decides, and the size at which it does."""

    name: str
    unit_cm: bool
    limit: Callable[[AgentProfile], float | None]
    """``None`` where the room says nothing about an agent."""

    room: Callable[[float], Triangles]
    passes_above: bool
    below_m: float
    above_m: float
    """How far from the limit the answer must be certain."""

    ends: Callable[[float], tuple[Vec3, Vec3]] = lambda _: (START, END)

    def measure(self, agent: AgentProfile, size: float) -> GeometricMeasure:
        """Ask in the room of some size."""
        return ask(self.room(size), agent, *self.ends(size))


def corner_width(agent: AgentProfile) -> float | None:
    """a × b passes a right-angled bend only if a ≤ 2 (√2 w − b); a disc needs its diameter."""
    if agent.shape is not BodyShape.BOX:
        return agent.width_m
    return (agent.depth_m / 2 + agent.width_m) / math.sqrt(2)


def deepest_drop(agent: AgentProfile) -> float:
    """The mover lets every agent down by 5 cm."""
    return max(agent.step_limit_m, 0.05)


CASES = (
    Case("door", False, lambda a: min(a.width_m, a.depth_m), rooms.door, True, 0.011, 0.011),
    Case("sill", True, lambda a: a.step_limit_m, rooms.sill, False, 0.0025, 0.0035),
    Case(
        "drop",
        True,
        deepest_drop,
        rooms.drop,
        False,
        0.0025,
        0.0035,
        lambda depth: (START, (3.2, 0.0, -depth)),
    ),
    Case("beam", False, lambda a: a.height_m, rooms.overhang, True, 0.003, 0.003),
    Case(
        "L-corridor",
        False,
        corner_width,
        rooms.corner,
        True,
        0.02,
        0.022,
        lambda w: ((1.9, w / 2, 0.0), (w / 2, 1.9, 0.0)),
    ),
    Case(
        "slot across the way",
        False,
        lambda a: a.largest_gap_m,
        rooms.slot,
        False,
        0.012,
        0.012,
    ),
)


def expected(case: Case, is_above: bool) -> Verdict:
    """The answer by hand."""
    return YES if case.passes_above is is_above else NO
