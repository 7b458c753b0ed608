"""The same drives on two engines, and how far their ends agree."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import MoverSettings

_PHYSICS_HZ: Final = MoverSettings().physics_hz


@dataclass(frozen=True, slots=True)
class AskedDrive:
    """One agent from one place straight to another, scene frame."""

    passage: Passage
    """Between two nodes of a graph, for one agent."""

    start: str
    """Name of the place."""

    target: str
    start_m: Vec3
    target_m: Vec3


@dataclass(frozen=True, slots=True)
class DriveEnd:
    """How a drive ended on one engine."""

    reached: bool
    reason: str
    """What blocked it, why it could not begin, or empty."""

    stopped_at_m: Vec3 | None
    """``None`` if it could not begin."""

    sim_time_s: float = 0.0
    displacement_m: float = 0.0
    """Horizontal motion that obstacles took or forced."""


@dataclass(frozen=True, slots=True)
class DisputedPassage:
    """What is measured of the passage of one drive that ends differently on two engines."""

    answer: Verdict | None
    """By any path within the usual detour; ``None`` if it was not measured."""

    straight: Verdict | None
    """Strictly along the straight edge, as the drives go."""

    words: str
    """The answer in a sentence, or why it was not measured."""

    contradicted_by: tuple[str, ...] = ()
    """Which of ``reference`` and ``engine`` end otherwise than a certain passage allows."""

    @property
    def is_uncertain(self) -> bool:
        """Whether the measure itself leaves open who can pass."""
        return Verdict.UNCERTAIN in (self.answer, self.straight)

    def as_json(self) -> dict[str, Any]:
        """``null`` is "not measured"."""
        return {
            "uncertain": None if self.answer is None else self.is_uncertain,
            "answer": self.answer,
            "straight": self.straight,
            "words": self.words,
            "contradicted_by": list(self.contradicted_by),
        }


@dataclass(frozen=True, slots=True)
class DifferentDrive:
    """A drive that ends with another verdict or reason on two engines."""

    asked: AskedDrive
    reference: DriveEnd
    other: DriveEnd
    measured: DisputedPassage | None = None
    """``None`` where nobody measured."""


@dataclass(frozen=True, slots=True)
class DriveSeries:
    """The ends of all drives on one engine, in the order in which they were asked for."""

    engine: str
    """Name and version."""

    ends: tuple[DriveEnd, ...]
    steps_per_s: float
    """Physics steps in a second of wall time, with everything around them."""


@dataclass(frozen=True, slots=True)
class EngineAgreement:
    """How far one series agrees with that of the reference engine."""

    reference: str
    drives: int
    same_verdict: int
    """Drives that arrived on both engines or on neither."""

    same_reason: int
    """Those of the same verdict that also ended for the same reason."""

    compared: int
    """Drives that began on both engines, whose stops are compared."""

    stop_median_m: float | None
    """Between the two stops of a drive; ``None`` without any."""

    stop_p90_m: float | None
    stop_worst_m: float | None
    steps_per_s: float
    reference_steps_per_s: float
    different: tuple[DifferentDrive, ...]
    """Drives of another verdict or reason."""

    def as_json(self) -> dict[str, Any]:
        """Metres and steps per second."""
        return {
            "reference": self.reference,
            "drives": self.drives,
            "same_verdict": self.same_verdict,
            "same_reason": self.same_reason,
            "stop_distance_m": {
                "compared": self.compared,
                "median": self.stop_median_m,
                "p90": self.stop_p90_m,
                "worst": self.stop_worst_m,
            },
            "steps_per_s": round(self.steps_per_s),
            "reference_steps_per_s": round(self.reference_steps_per_s),
            "different": [
                {
                    "agent": drive.asked.passage.agent_key,
                    "from": drive.asked.start,
                    "to": drive.asked.target,
                    "reference": _end_json(drive.reference),
                    "engine": _end_json(drive.other),
                    "passage": drive.measured and drive.measured.as_json(),
                }
                for drive in self.different
            ],
        }


def drives_over(
    graph: NavigationGraph, agents: Mapping[str, AgentProfile], most: int
) -> tuple[AskedDrive, ...]:
    """Drives along edges, both ways, each by every agent; spread evenly over the graph.

    Args:
        graph: On the floors of the scene.
        agents: By key.
        most: So many drives at most, in whole edges for all agents.

    Raises:
        InputError: If the graph has no edges.
    """
    ways = [
        way
        for edge in graph.edges.values()
        for way in ((edge.from_id, edge.to_id), (edge.to_id, edge.from_id))
    ]
    if not ways or not agents:
        raise InputError("the graph has no edges to drive along")
    count = min(len(ways), max(1, most // len(agents)))
    chosen = [ways[number * len(ways) // count] for number in range(count)]
    nodes = graph.nodes
    return tuple(
        AskedDrive(
            Passage(start, target, key),
            nodes[start].name or start,
            nodes[target].name or target,
            nodes[start].position_m,
            nodes[target].position_m,
        )
        for key in agents
        for start, target in chosen
    )


def driven(
    client: SimulatorClient,
    scene: Scene,
    agents: Mapping[str, AgentProfile],
    drives: Sequence[AskedDrive],
    on_drive: Callable[[], object] = lambda: None,
) -> DriveSeries:
    """Drive all of them on one engine.

    Args:
        client: Its engine gets the scene first.
        scene: Where.
        agents: By key.
        drives: What.
        on_drive: Hears of each drive that is done.

    Raises:
        SimulatorError: If the engine fails.
    """
    client.load_scene(scene)
    ends: list[DriveEnd] = []
    begun_s = time.perf_counter()
    for asked in drives:
        ends.append(_driven(client, agents[asked.passage.agent_key], asked))
        on_drive()
    wall_s = time.perf_counter() - begun_s
    steps = sum(end.sim_time_s for end in ends) * _PHYSICS_HZ
    name = f"{client.engine.name} {client.engine.version}"
    return DriveSeries(name, tuple(ends), steps / max(wall_s, 1e-9))


def agreement(
    drives: Sequence[AskedDrive], reference: DriveSeries, other: DriveSeries
) -> EngineAgreement:
    """Compare two series of the same drives."""
    pairs = list(zip(drives, reference.ends, other.ends, strict=True))
    same_verdict = [pair for pair in pairs if pair[1].reached == pair[2].reached]
    same_reason = [pair for pair in same_verdict if pair[1].reason == pair[2].reason]
    gaps_m = [
        math.dist(first.stopped_at_m, second.stopped_at_m)
        for _, first, second in pairs
        if first.stopped_at_m is not None and second.stopped_at_m is not None
    ]
    median, p90 = np.percentile(gaps_m, [50, 90]).tolist() if gaps_m else (None, None)
    return EngineAgreement(
        reference.engine,
        len(pairs),
        len(same_verdict),
        len(same_reason),
        len(gaps_m),
        median,
        p90,
        max(gaps_m, default=None),
        other.steps_per_s,
        reference.steps_per_s,
        tuple(DifferentDrive(*pair) for pair in pairs if _is_different(pair[1], pair[2])),
    )


def _driven(client: SimulatorClient, profile: AgentProfile, asked: AskedDrive) -> DriveEnd:
    try:
        client.spawn(profile, asked.start_m, bearing_rad(asked.start_m, asked.target_m))
        outcome = client.drive_to(asked.target_m)
    except InputError as error:
        return DriveEnd(reached=False, reason=str(error), stopped_at_m=None)
    return DriveEnd(
        outcome.reached,
        outcome.blocked_by or "",
        outcome.stopped_at_m,
        outcome.sim_time_s,
        outcome.displacement_m,
    )


def _is_different(first: DriveEnd, second: DriveEnd) -> bool:
    return (first.reached, first.reason) != (second.reached, second.reason)


def _end_json(end: DriveEnd) -> dict[str, Any]:
    place = end.stopped_at_m
    return {
        "reached": end.reached,
        "blocked_by": end.reason or None,
        "stopped_at_m": None if place is None else list(place),
        "displacement_m": end.displacement_m,
    }
