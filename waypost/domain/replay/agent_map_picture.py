"""An agent's topological map as a small node-link picture whose places stay where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import networkx as nx
import numpy as np

from waypost.domain.replay.memory import MemoryStep, TextMap, text_maps
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.text_map_places import viewpoints_of_places
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

Point = tuple[float, float]
Points = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

_SEED: Final = 7
_MOST_SPRUNG: Final = 150
"""More nodes are put on a circle: springs would take longer than a picture may."""


@dataclass(frozen=True, slots=True)
class AgentMapNode:
    """A place of the picture."""

    key: str
    label: str
    at: Point
    """In [0, 1]², y up."""

    is_current: bool = False
    is_visited: bool = False
    is_new: bool = False
    """Not in the map of the step before."""

    is_struck_out: bool = False
    """In an earlier map and no longer in this one."""


@dataclass(frozen=True, slots=True)
class AgentMapPicture:
    """What to draw at one step."""

    nodes: tuple[AgentMapNode, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of keys, each once."""

    trail: tuple[str, ...] = ()
    """Keys of the places walked, in order."""

    is_to_scale: bool = False
    """Whether positions are those of the graph in plan; else they show connections only."""


@dataclass(frozen=True, eq=False, slots=True)
class LaidOutTextMaps:
    """The text maps of a run with one layout for all its steps."""

    maps: Mapping[int, TextMap]
    """Step → map."""

    at: Mapping[int, Point]
    is_to_scale: bool

    def step_shown(self, step: int) -> int | None:
        """The step of the last map up to a step."""
        return max((known for known in self.maps if known <= step), default=None)

    def picture(self, step: int) -> AgentMapPicture:
        """The map of a step, beside the one before it."""
        shown_at = self.step_shown(step)
        if shown_at is None:
            return AgentMapPicture()
        shown = self.maps[shown_at]
        earlier = [self.maps[known] for known in sorted(self.maps) if known < shown_at]
        before = _present(earlier[-1]) if earlier else set()
        present = _present(shown)
        gone = set(shown.places).union(*(one.places for one in earlier)) - present
        current = shown.trajectory[-1] if shown.trajectory else None
        nodes = [
            AgentMapNode(
                str(place),
                str(place),
                self.at[place],
                is_current=place == current,
                is_visited=place in shown.trajectory or place in shown.links,
                is_new=bool(earlier) and place not in before and place in present,
                is_struck_out=place in gone,
            )
            for place in sorted(present | gone)
        ]
        pairs = {
            (min(a, b), max(a, b)) for a, others in shown.links.items() for b in others if a != b
        }
        return AgentMapPicture(
            tuple(nodes),
            tuple((str(a), str(b)) for a, b in sorted(pairs)),
            tuple(str(place) for place in shown.trajectory),
            self.is_to_scale,
        )


def _present(shown: TextMap) -> set[int]:
    """Places of the map itself; the trajectory also names those that were pruned from it."""
    if not shown.links:
        return set(shown.places)
    return {*shown.links, *shown.beside}.union(*shown.links.values())


@lru_cache(maxsize=8)
def place_maps(replay: Replay) -> LaidOutTextMaps:
    """The text maps of a run and where their places lie, computed once per replay.

    Places lie as in the graph where the viewpoints of all of them are known, else springs between
    connected places spread them out, always in the same way.
    """
    maps = text_maps(replay)
    places = sorted({place for shown in maps.values() for place in shown.places})
    known = viewpoints_of_places(replay)
    if replay.graph is not None and places and all(place in known for place in places):
        points = _in_plan([known[place] for place in places], replay.graph)
        return LaidOutTextMaps(maps, dict(zip(places, points, strict=True)), is_to_scale=True)
    links = {(a, b) for shown in maps.values() for a, others in shown.links.items() for b in others}
    return LaidOutTextMaps(maps, spread_out(places, links), is_to_scale=False)


def spread_out(keys: Iterable[int], links: Iterable[tuple[int, int]]) -> dict[int, Point]:
    """Positions in [0, 1]² that put connected keys near each other; the same every time.

    They spread further from left to right than from top to bottom, the first key at the left.
    """
    drawn: nx.Graph[int] = nx.Graph()
    drawn.add_nodes_from(sorted(keys))
    drawn.add_edges_from(sorted(link for link in links if link[0] != link[1]))
    if not drawn:
        return {}
    if len(drawn) > _MOST_SPRUNG:
        points = nx.circular_layout(drawn)
    else:
        points = nx.spring_layout(drawn, seed=_SEED, iterations=80)
    names = list(drawn)
    return dict(
        zip(names, _fitted(_lying(np.array([points[name] for name in names]))), strict=True)
    )


def _lying(points: Points) -> Points:
    """Points turned so that they spread furthest along x, the first one left of the middle."""
    gaps = points - points.mean(axis=0)
    if len(points) < 2 or not gaps.any():
        return points
    axes = np.linalg.svd(gaps, full_matrices=False)[2]
    turned = gaps @ axes.T
    return np.asarray(-turned if turned[0, 0] > 0 else turned)


def pruning_picture(
    states: tuple[MemoryStep, ...],
    number: int,
    graph: ViewpointGraph,
    numbers: Mapping[str, int] | None = None,
) -> AgentMapPicture:
    """MSNav's map at one arrival in plan, with every node pruned so far.

    Args:
        states: Of the whole run, which keeps places where they are from step to step.
        number: Index into ``states``.
        graph: The scan.
        numbers: What to call the viewpoints; without, ``arrival_numbers``.
    """
    at = _walked_in_plan(tuple(state.current_id for state in states), graph)
    state = states[number]
    before = {node.viewpoint_id for node in states[number - 1].nodes} if number else set()
    present = [node.viewpoint_id for node in state.nodes]
    shown = dict.fromkeys((*present, *state.struck_out))
    numbers = arrival_numbers(states) if numbers is None else numbers
    nodes = [
        AgentMapNode(
            name,
            str(numbers[name]),
            at[name],
            is_current=name == state.current_id,
            is_visited=True,
            is_new=number > 0 and name in present and name not in before,
            is_struck_out=name in state.struck_out,
        )
        for name in shown
        if name in at
    ]
    kept = {node.key: graph.index[node.key] for node in nodes if not node.is_struck_out}
    links = [
        (a, b)
        for a, i in kept.items()
        for b, j in kept.items()
        if a < b and j in graph.neighbours[i]
    ]
    return AgentMapPicture(tuple(nodes), tuple(links), (), is_to_scale=True)


def arrival_numbers(states: tuple[MemoryStep, ...]) -> dict[str, int]:
    """Viewpoint → number from 1, in the order in which the run came to them first."""
    names = dict.fromkeys(state.current_id for state in states)
    return {name: number for number, name in enumerate(names, start=1)}


def node_numbers(replay: Replay, states: tuple[MemoryStep, ...]) -> Mapping[str, int]:
    """Viewpoint → the number of its place in the log's own map, else in the order of arrival."""
    places = {name: place for place, name in viewpoints_of_places(replay).items()}
    arrivals = arrival_numbers(states)
    return places if places.keys() >= arrivals.keys() else arrivals


@lru_cache(maxsize=8)
def _walked_in_plan(walked: tuple[str, ...], graph: ViewpointGraph) -> dict[str, Point]:
    known = [name for name in dict.fromkeys(walked) if name in graph.index]
    return dict(zip(known, _in_plan(known, graph), strict=True))


def _in_plan(names: list[str], graph: ViewpointGraph) -> list[Point]:
    return _fitted(graph.positions_m[[graph.index[name] for name in names]][:, :2])


def _fitted(points: Points) -> list[Point]:
    """Points moved and scaled alike into [0, 1]²."""
    if not len(points):
        return []
    low, high = points.min(axis=0), points.max(axis=0)
    span = float((high - low).max()) or 1.0
    moved = (points - (low + high) / 2) / span + 0.5
    return [(float(x), float(y)) for x, y in moved]
