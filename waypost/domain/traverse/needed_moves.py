"""Which edges of a graph a question needs: those on some simple path between its places.

An edge lies on a simple path from A to B if and only if it shares a biconnected component with an
edge that joins A and B, added if it is not there: Menger's theorem (Diestel, Graph Theory, 3.3),
found in one pass (Hopcroft and Tarjan, CACM 16(6), 1973). No path is enumerated.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import networkx as nx

from waypost.domain.scene.graph import NavigationGraph

Move = tuple[str, str]
"""An edge in one direction: from, to."""

_WALKS = 24
"""Random simple paths that show directions at little cost, before single ones are looked for."""

_LOOK_UPS = 200_000
"""Neighbours looked at in one pair of places before what is left counts as needed."""


def graph_of(graph: NavigationGraph) -> nx.Graph[str]:
    """The nodes and edges, for functions of networkx, in their order."""
    found: nx.Graph[str] = nx.Graph()
    found.add_nodes_from(graph.nodes)
    found.add_edges_from((edge.from_id, edge.to_id) for edge in graph.edges.values())
    return found


def needed_moves(graph: nx.Graph[str], places: Sequence[str]) -> frozenset[Move]:
    """Every move that some simple path between one place and the next makes.

    Each pair of places is on its own, as CapNav's annotator has it: a path through a third may
    come by a node twice. Which edges are needed is exact. A direction is left out only where it
    is proved that no simple path goes that way, which for graphs of up to some hundred edges is
    always found out.

    Args:
        graph: See ``graph_of``.
        places: Nodes, in the order in which they are passed.

    Returns:
        Empty between places that nothing joins, and from a place to itself.

    Source: makeabilitylab/CapNav:annotator/src/pathfinding.js enumerates the paths instead.
    """
    pairs = dict.fromkeys(itertools.pairwise(places))
    return frozenset(move for start, end in pairs for move in _between(graph, start, end))


def is_joined(graph: nx.Graph[str], start: str, end: str) -> bool:
    """Whether any way leads from one node to the other."""
    return start in graph and end in graph and nx.has_path(graph, start, end)


def _between(graph: nx.Graph[str], start: str, end: str) -> Iterable[Move]:
    if start == end or not is_joined(graph, start, end):
        return ()
    closed = graph.copy()
    closed.add_edge(start, end)
    edges = next(
        edges
        for edges in nx.biconnected_component_edges(closed)
        if (start, end) in edges or (end, start) in edges
    )
    moves = {move for edge in edges for move in (edge, edge[::-1])}
    moves -= {move for move in moves if move[1] == start or move[0] == end}
    if not graph.has_edge(start, end):
        moves.discard((start, end))
    return _Directions(edges, start, end).possible(moves)


class _Directions:
    """Which of the moves inside one biconnected component a simple path can make."""

    def __init__(self, edges: Collection[Move], start: str, end: str) -> None:
        self._start, self._end = start, end
        self._beside: dict[str, list[str]] = {}
        for here, there in edges:
            self._beside.setdefault(here, []).append(there)
            self._beside.setdefault(there, []).append(here)
        # Of the added edge, if it was added, no path makes use but the direct one.
        self._closed: nx.Graph[str] = nx.Graph()
        self._closed.add_edges_from(edges)
        self._looked = 0

    def possible(self, moves: set[Move]) -> set[Move]:
        """The moves without those that no simple path from start to end makes."""
        open_ = moves - self._against_the_plane()
        found = {(self._start, self._end)} & moves
        for path in self._walks():
            found.update(itertools.pairwise(path))
        found &= moves
        for move in sorted(open_ - found):
            if move in found:
                continue
            path = self._path_along(*move)
            found.update(itertools.pairwise(path))
            if self._looked > _LOOK_UPS:
                found.add(move)
        return found & moves

    def _against_the_plane(self) -> set[Move]:
        """Moves that would have to cross the way there or back in a drawing without crossings.

        Where the component has one, an edge on a face at which start and end lie side by side can
        be passed in one direction only: the two parts of any other path would cross (Jordan).
        """
        _, drawing = nx.check_planarity(self._closed)
        if not isinstance(drawing, nx.PlanarEmbedding):
            return set()
        start, end = self._start, self._end
        faces = (drawing.traverse_face(start, end), drawing.traverse_face(end, start)[::-1])
        # The first goes start, end, … back to start, so that the moves along it are the wrong ones.
        first, second = (list(face) for face in faces)
        wrong = set(itertools.pairwise((*first, first[0])))
        wrong |= set(itertools.pairwise((*second, second[0])))
        return wrong - {(start, end)}

    def _walks(self) -> Iterator[list[str]]:
        """Simple paths by chance, long ones among them; the same at every call."""
        chance = random.Random(0)
        for _ in range(_WALKS):
            yield self._walk(chance)

    def _walk(self, chance: random.Random) -> list[str]:
        path, seen = [self._start], {self._start}
        waiting = [self._shuffled(self._start, chance)]
        while path and path[-1] != self._end:
            onward = next((n for n in waiting[-1] if n not in seen), None)
            if onward is None:
                path.pop()
                waiting.pop()
                continue
            seen.add(onward)
            path.append(onward)
            waiting.append(self._shuffled(onward, chance))
        return path

    def _shuffled(self, node: str, chance: random.Random) -> Iterator[str]:
        others = [n for n in self._beside[node] if {n, node} != {self._start, self._end}]
        chance.shuffle(others)
        return iter(others)

    def _path_along(self, here: str, there: str) -> list[str]:
        """A simple path from start to end that makes one move; empty if there is none."""
        onward = self._paths(self._start, here, frozenset((there, self._end)) - {here}, there)
        for first in onward:
            second = self._shortest(there, self._end, frozenset(first))
            if second:
                return [*first, *second]
        return []

    def _paths(
        self, start: str, goal: str, closed: frozenset[str], there: str
    ) -> Iterator[list[str]]:
        """Simple paths to a goal that leave a way from ``there`` to the end, the shortest first."""
        path, seen = [start], {start, *closed}
        if start == goal:
            yield path
            return
        choices = [self._choices(start, goal, seen, there)]
        while path:
            onward = next(choices[-1], None)
            if onward is None:
                seen.discard(path.pop())
                choices.pop()
                continue
            if onward == goal:
                yield [*path, goal]
                continue
            seen.add(onward)
            path.append(onward)
            choices.append(self._choices(onward, goal, seen, there))

    def _choices(self, node: str, goal: str, seen: set[str], there: str) -> Iterator[str]:
        """Neighbours from which the goal can be reached while the other part stays open."""
        if self._looked > _LOOK_UPS:
            return iter(())
        if not self._shortest(there, self._end, frozenset(seen - {there, self._end} | {goal})):
            return iter(())
        steps = self._steps_to(goal, seen)
        near = (n for n in self._beside[node] if n in steps and n not in seen)
        return iter(sorted(near, key=lambda n: (steps[n], n)))

    def _steps_to(self, goal: str, closed: set[str]) -> Mapping[str, int]:
        steps, waiting = {goal: 0}, [goal]
        for node in waiting:
            for other in self._beside[node]:
                self._looked += 1
                if other not in steps and other not in closed:
                    steps[other] = steps[node] + 1
                    waiting.append(other)
        return steps

    def _shortest(self, start: str, end: str, closed: frozenset[str]) -> list[str]:
        if start in closed or end in closed:
            return []
        before: dict[str, str] = {start: ""}
        waiting = [start]
        for node in waiting:
            if node == end:
                break
            for other in self._beside[node]:
                self._looked += 1
                if other not in before and other not in closed:
                    before[other] = node
                    waiting.append(other)
        if end not in before:
            return []
        path = [end]
        while path[-1] != start:
            path.append(before[path[-1]])
        return path[::-1]
