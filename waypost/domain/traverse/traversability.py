"""Labels that say whether an agent can travel an edge in one direction, and why not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from waypost.domain.base.errors import EditError
from waypost.domain.base.frames import Vec3, distance_m
from waypost.domain.scene.graph import EdgeKind, Extra, NavigationGraph
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.passage_rule import PassageRule

_Said = TypeVar("_Said")

NODE_TOLERANCE_M: Final = 0.05
"""A node that moved no further than this is where it was."""


class Verdict(StrEnum):
    """The annotator's answer; an edge without a label is undecided, not blocked."""

    TRAVELS = "travels"
    DOES_NOT = "does_not"
    UNCERTAIN = "uncertain"

    @property
    def words(self) -> str:
        """As people read it within a sentence: ``does not``."""
        return self.value.replace("_", " ")


class PassageState(StrEnum):
    """What is known about a passage."""

    UNDECIDED = "undecided"
    TRAVELS = "travels"
    DOES_NOT = "does_not"
    UNCERTAIN = "uncertain"
    STALE = "stale"


class Reason(StrEnum):
    """Why a passage cannot be travelled."""

    STAIRS = "stairs"
    STEP_OR_SILL = "step_or_sill"
    TOO_NARROW = "too_narrow"
    NO_ROOM_TO_TURN = "no_room_to_turn"
    LOW_CLEARANCE = "low_clearance"
    DOOR = "door"
    ELEVATOR = "elevator"
    FLOOR_HOLE = "floor_hole"
    PHANTOM_GEOMETRY = "phantom_geometry"
    OBSTACLE = "obstacle"
    """A wall or furniture stands in the way; wherever a gap is left, it is ``TOO_NARROW``."""

    OTHER = "other"


REASON_TITLES: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.STAIRS: "stairs",
        Reason.STEP_OR_SILL: "step or sill",
        Reason.TOO_NARROW: "too narrow",
        Reason.NO_ROOM_TO_TURN: "no room to turn",
        Reason.LOW_CLEARANCE: "low clearance",
        Reason.DOOR: "door",
        Reason.ELEVATOR: "elevator",
        Reason.FLOOR_HOLE: "floor hole",
        Reason.PHANTOM_GEOMETRY: "phantom geometry",
        Reason.OBSTACLE: "obstacle",
        Reason.OTHER: "other",
    }
)


class Passage(NamedTuple):
    """One question of the queue: can this agent go from here to there?"""

    from_id: str
    to_id: str
    agent_key: str

    @property
    def reverse(self) -> Passage:
        """The same agent, the other way."""
        return Passage(self.to_id, self.from_id, self.agent_key)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a label was judged on; when it no longer matches, the label is stale."""

    scene_hash: str = ""
    profile_hash: str = ""
    engine: str = ""
    engine_version: str = ""
    mover_hash: str = ""
    """Digest of the mover settings; empty if the agent was not driven."""

    from_m: Vec3 | None = None
    """Where the node at the start stood, scene frame; ``None`` if that was not kept."""

    to_m: Vec3 | None = None
    """Where the node at the end stood."""

    scene_gaps: tuple[str, ...] = ()
    """Geometry that the scene lacked: an agent may have gone where it cannot."""

    engine_parameters: str = ""
    """What else of the engine decides where an agent gets through, ``friction=0 hull_sides=48 …``;
    empty if it was not driven or the engine does not say."""


@dataclass(frozen=True, eq=False)
class Circumstances:
    """What a label or a measure would be judged on now."""

    graph: NavigationGraph = field(default_factory=NavigationGraph)
    agents: Mapping[str, AgentProfile] = field(default_factory=lambda: MappingProxyType({}))
    """By key; a label of an agent that is gone is stale."""

    scene_hash: str = ""
    """Content hash of the scene; empty for unknown."""

    mover_hash: str = ""
    """Digest of the mover settings; empty for unknown."""

    passage_rule: PassageRule | None = None
    """What “travels” means; ``None`` for unknown. Measures are by it, labels are a person's."""

    @cached_property
    def profile_hashes(self) -> Mapping[str, str]:
        """Agent key → digest of its profile."""
        return {key: profile.profile_hash for key, profile in self.agents.items()}

    @cached_property
    def elevators(self) -> frozenset[frozenset[str]]:
        """The two nodes of every edge that is an elevator."""
        edges = (e for e in self.graph.edges.values() if e.kind is EdgeKind.ELEVATOR)
        return frozenset(frozenset((edge.from_id, edge.to_id)) for edge in edges)


def judged_on(
    passage: Passage,
    now: Circumstances,
    engine: str = "",
    engine_version: str = "",
    engine_parameters: str = "",
) -> Provenance:
    """The provenance of what is said of a passage now; the engine only where it was driven."""
    nodes = now.graph.nodes
    start, end = nodes.get(passage.from_id), nodes.get(passage.to_id)
    return Provenance(
        now.scene_hash,
        now.profile_hashes.get(passage.agent_key, ""),
        engine,
        engine_version,
        now.mover_hash if engine else "",
        start.position_m if start else None,
        end.position_m if end else None,
        engine_parameters=engine_parameters,
    )


def what_changed(known: Provenance, passage: Passage, now: Circumstances) -> Iterator[str]:
    """Why what was judged on something is stale, in words; nothing where it still holds.

    What is not known of either side tells nothing: a label without provenance (imported) is
    never stale, and one from before places were kept is not for a node that moved before; see
    ``with_known_places``. A node may move by the graph's tolerance.

    Yields:
        A clause for each difference: ``the agent has changed``.
    """
    if known.scene_hash and now.scene_hash and known.scene_hash != now.scene_hash:
        yield "the scene has changed"
    if known.profile_hash and known.profile_hash != now.profile_hashes.get(passage.agent_key):
        yield "the agent has changed"
    if known.mover_hash and now.mover_hash and known.mover_hash != now.mover_hash:
        yield "the settings of the engine have changed"
    for place_m, node_id in ((known.from_m, passage.from_id), (known.to_m, passage.to_id)):
        node = now.graph.nodes.get(node_id) if place_m is not None else None
        if node is None or place_m is None or node.position_m == place_m:
            continue
        moved_m = distance_m(node.position_m, place_m)
        if moved_m > NODE_TOLERANCE_M:
            yield f"“{node.name}” was moved by {moved_m:.2f} m"


def is_stale(known: Provenance, passage: Passage, now: Circumstances) -> bool:
    """Whether anything differs from what a passage was judged on; see ``what_changed``."""
    return next(what_changed(known, passage, now), None) is not None


@dataclass(frozen=True, slots=True)
class TraversabilityLabel:
    """What one annotator said about one passage.

    Raises:
        EditError: If ``does_not`` has no reason, or another verdict has one.
    """

    passage: Passage
    verdict: Verdict
    reason: Reason | None = None
    note: str = ""
    author: str = ""
    time_utc: str = ""
    """ISO 8601 with offset, e.g. ``2026-11-27T10:00:00+00:00``; given by the caller."""

    provenance: Provenance = Provenance()
    extra: Extra = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if self.verdict is Verdict.DOES_NOT and self.reason is None:
            raise EditError("“does not travel” needs a reason")
        if self.verdict is not Verdict.DOES_NOT and self.reason is not None:
            raise EditError("only “does not travel” has a reason")

    def is_stale(self, now: Circumstances) -> bool:
        """Whether the label would be judged on something else now; see ``what_changed``."""
        return is_stale(self.provenance, self.passage, now)


Labels = Mapping[Passage, TraversabilityLabel]
"""One label per passage."""


_STATES = {verdict: PassageState(verdict.value) for verdict in Verdict}


def state_of(verdict: Verdict | None, *, is_stale: bool = False) -> PassageState:
    """The state of a passage from its answer; ``None`` for no label."""
    if verdict is None:
        return PassageState.UNDECIDED
    return PassageState.STALE if is_stale else _STATES[verdict]


def passage_state(labels: Labels, passage: Passage, now: Circumstances) -> PassageState:
    """Where a passage stands; a stale label no longer counts as its verdict."""
    label = labels.get(passage)
    if label is None:
        return PassageState.UNDECIDED
    return PassageState.STALE if label.is_stale(now) else _STATES[label.verdict]


def passage_states(
    labels: Labels, questions: Iterable[Passage], now: Circumstances
) -> list[PassageState]:
    """Where many passages stand; see ``passage_state``."""
    return [passage_state(labels, passage, now) for passage in questions]


def clear_label(labels: Labels, passage: Passage) -> Labels:
    """Make a passage undecided again."""
    return MappingProxyType({k: v for k, v in labels.items() if k != passage})


def labels_that_hold(
    labels: Mapping[Passage, _Said],
    before: NavigationGraph,
    after: NavigationGraph,
    tolerance_m: float = NODE_TOLERANCE_M,
) -> Mapping[Passage, _Said]:
    """The labels that stay true when another graph takes the place of this one.

    What else is said of passages likewise.

    A label holds if both its nodes are, up to the tolerance, where they were, and still joined;
    the same id elsewhere is another place.
    """
    unmoved = {
        node_id
        for node_id, node in after.nodes.items()
        if node_id in before.nodes
        and distance_m(node.position_m, before.nodes[node_id].position_m) <= tolerance_m
    }
    joined = after.joined_pairs()
    kept = {
        passage: label
        for passage, label in labels.items()
        if {passage.from_id, passage.to_id} <= unmoved
        and frozenset((passage.from_id, passage.to_id)) in joined
    }
    return MappingProxyType(kept)


def with_known_places(
    labels: Labels,
    before: NavigationGraph,
    after: NavigationGraph,
    of_two: Collection[Passage] = (),
) -> Labels:
    """The labels, each of a node that moves with the places where its nodes stood.

    A label that was accepted from a measure of an older Waypost does not say where; from here on
    it is stale like others. What was imported rests on no scene, and stays without places.

    Args:
        labels: That count for who moves the nodes.
        before: The graph so far.
        after: The graph with the nodes where they are put.
        of_two: Passages that two label: theirs have their places since they were dealt or given,
            and nobody else adds to them.
    """
    moved = {
        node_id
        for node_id, node in after.nodes.items()
        if node_id in before.nodes and before.nodes[node_id].position_m != node.position_m
    }
    placed = {
        passage: with_places(label, before)
        for passage, label in labels.items()
        if (passage.from_id in moved or passage.to_id in moved) and passage not in of_two
    }
    placed = {passage: label for passage, label in placed.items() if label is not labels[passage]}
    return MappingProxyType({**labels, **placed}) if placed else labels


def with_places(label: TraversabilityLabel, graph: NavigationGraph) -> TraversabilityLabel:
    """A label that rests on a scene and says no places, with those where its nodes stand."""
    known = label.provenance
    is_placed = known.from_m is not None or known.to_m is not None
    start, end = (graph.nodes.get(node_id) for node_id in label.passage[:2])
    if not known.scene_hash or is_placed or start is None or end is None:
        return label
    known = replace(known, from_m=start.position_m, to_m=end.position_m)
    return replace(label, provenance=known)


def passages(graph: NavigationGraph, agent_key: str) -> tuple[Passage, ...]:
    """Every directed edge for one agent: each edge as drawn, then its reverse.

    Each once, where the file of a graph joins two nodes twice, or a node with itself.
    """
    queue: dict[Passage, None] = {}
    for edge in graph.edges.values():
        queue[Passage(edge.from_id, edge.to_id, agent_key)] = None
        queue[Passage(edge.to_id, edge.from_id, agent_key)] = None
    return tuple(queue)


def all_passages(graph: NavigationGraph, agents: Iterable[str]) -> tuple[Passage, ...]:
    """Every directed edge for each agent, edge by edge, so that an edge is prepared once."""
    by_agent = [passages(graph, key) for key in agents]
    return tuple(p for of_edge in zip(*by_agent, strict=True) for p in of_edge)


def prefill(labels: Labels, passage: Passage) -> tuple[Reason | None, str]:
    """Reason and note of the reverse direction, offered when the answer is “does not”."""
    other = labels.get(passage.reverse)
    if other is None or other.verdict is not Verdict.DOES_NOT:
        return None, ""
    return other.reason, other.note


def next_of(
    queue: tuple[Passage, ...], is_wanted: Callable[[Passage], bool], after: Passage | None
) -> Passage | None:
    """The first wanted passage after one in the queue, wrapping; ``None`` when there is none."""
    start = queue.index(after) + 1 if after in queue else 0
    return next((p for p in queue[start:] + queue[:start] if is_wanted(p)), None)
