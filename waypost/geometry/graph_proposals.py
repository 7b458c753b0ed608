"""Proposes a graph from free space: room centres, doorways, junctions, and free straight edges.

Rooms are what walls part above doors and windows; a doorway is where two of them meet below. As
in Bormann et al., Room segmentation: survey, implementation, and analysis, ICRA 2016, but from the
triangles instead of an occupancy map, so that furniture parts no room.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.sparse import csgraph

from waypost.domain.base.frames import distance_m
from waypost.domain.base.progress import Progress, Work
from waypost.domain.base.visible_text import one_line
from waypost.domain.scene.graph import Edge as GraphEdge
from waypost.domain.scene.graph import EdgeKind, build_graph
from waypost.domain.scene.graph import Node as GraphNode
from waypost.domain.scene.graph_proposal import (
    GraphProposal,
    PlaceKind,
    ProposedEdge,
    ProposedNode,
)
from waypost.domain.scene.scene import Scene
from waypost.geometry.free_space import FreeSpace, free_space_steps
from waypost.geometry.graph_checks import blocked_edges
from waypost.geometry.ray_index import RayIndex

WAY_M: Final = 0.2
"""Edges keep at least this distance to what stands around."""

ROOM_M: Final = 0.35
"""The widest spot of a room is at least this far from everything."""

_ROOMY_M: Final = 0.8
"""More room than this makes no better place."""

ROOM_AREA_M2: Final = 1.0
REACH_M: Final = 4.0
"""No place of a room is further from its nodes than this, along the floor."""

APART_M: Final = 1.0
"""Several nodes of a room are at least this far apart, and from its doorways."""

BEND_M: Final = 0.6
"""A node this near to a bend can take its place."""

OUTSIDE_M: Final = 2.0
"""Outside a building there is a node within this distance of its door."""

_FLOOR: Final = " floor"
_NAMED_M: Final = 1.2
"""Floor this near to a place says what it is."""

_ASKED: Final = 60
"""Cells that are asked for it."""

_MOST_NAME: Final = 40

Cell = tuple[int, int]
T = TypeVar("T")


def propose_graph(scene: Scene, rays: RayIndex) -> Work[GraphProposal]:
    """Propose nodes and edges for every storey of a scene; stairs are left to a person.

    Yields:
        Progress in storeys.

    Returns:
        Nodes whose keys are unique, and edges along whose straight line nothing stands.
    """
    nodes: list[ProposedNode] = []
    edges: list[ProposedEdge] = []
    low, high = scene.bounds_m
    floors = sorted(storey.floor_z_m for storey in scene.storeys) or [low[2]]
    for number, floor_z_m in enumerate(floors):
        says = f"Looking for rooms, storey {number + 1} of {len(floors)}"
        yield Progress(number, len(floors), says)
        looking = free_space_steps(rays, low, high, floor_z_m)
        space = yield from _reporting(looking, Progress(number, len(floors), says))
        taken = frozenset(node.name for node in nodes)
        sketch = _Sketch(space, rays, f"s{number}", _count_by_kind(nodes), taken)
        yield from _reporting(sketch.fill(), Progress(number + 0.5, len(floors), says))
        nodes += sketch.nodes
        edges += sketch.edges
    return _without_walls(GraphProposal(tuple(nodes), tuple(edges)), rays)


def _reporting(steps: Generator[None, None, T], progress: Progress) -> Generator[Progress, None, T]:
    """Steps that report where the whole work stands."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        yield progress


def _count_by_kind(nodes: Sequence[ProposedNode]) -> dict[PlaceKind, int]:
    return {kind: sum(node.kind is kind for node in nodes) for kind in PlaceKind}


def _without_walls(proposal: GraphProposal, rays: RayIndex) -> GraphProposal:
    """The proposal without edges that exact rays find blocked, whatever the raster says."""
    graph = build_graph(
        [GraphNode(node.key, node.name, node.position_m) for node in proposal.nodes],
        [GraphEdge(edge.key, edge.from_key, edge.to_key) for edge in proposal.edges],
    )
    found = blocked_edges(graph, rays, graph.edges.values())
    wrong = {edge_id for finding in found for edge_id in finding.edge_ids}
    kept = tuple(edge for edge in proposal.edges if edge.key not in wrong)
    return GraphProposal(proposal.nodes, kept)


@dataclass
class _Sketch:
    """Collects what one storey speaks for."""

    space: FreeSpace
    rays: RayIndex
    prefix: str
    counts: dict[PlaceKind, int]
    taken: frozenset[str] = frozenset()
    """Names of the storeys before."""

    nodes: list[ProposedNode] = field(default_factory=list)
    edges: list[ProposedEdge] = field(default_factory=list)
    _cells: dict[str, Cell] = field(default_factory=dict)
    _rooms: dict[str, int] = field(default_factory=dict)
    """Room of each node that is in one."""

    def fill(self) -> Generator[None, None, None]:
        """Find doorways, rooms and the ways between them."""
        doorways = list(self._doorways())
        yield
        sizes = np.bincount(self.space.rooms.ravel()) * self.space.cell_m**2
        for room in range(1, len(sizes)):
            if sizes[room] >= ROOM_AREA_M2:
                own = [(key, cell) for key, cell, rooms in doorways if room in rooms]
                self._fill_room(room, own)
                yield
        self._name_doorways(doorways)

    def _add(self, kind: PlaceKind, cell: Cell, name: str = "") -> str:
        self.counts[kind] += 1
        key = f"{self.prefix}{kind[0]}{self.counts[kind]}"
        name = name or f"{kind.value.capitalize()} {self.counts[kind]}"
        point = self.space.point(cell)
        floor = self.rays.floor_below((point[0], point[1], point[2] + 0.1))
        position = point if floor is None else floor.point_m
        self.nodes.append(ProposedNode(key, kind, name, position))
        self._cells[key] = cell
        return key

    def _doorways(self) -> Iterator[tuple[str, Cell, frozenset[int]]]:
        """A node in each opening that two rooms meet at: key, cell, rooms."""
        space = self.space
        is_way = space.clearance_m >= WAY_M
        # Hollow walls are no way; they would join every opening with the next.
        labels, count = ndimage.label(space.openings & is_way, np.ones((3, 3)))
        for number, window in enumerate(ndimage.find_objects(labels, count), start=1):
            wide = tuple(slice(max(part.start - 3, 0), part.stop + 3) for part in window)
            mine = labels[wide] == number
            around = ndimage.binary_dilation(mine, np.ones((3, 3)), iterations=2) & is_way[wide]
            rooms = frozenset(int(n) for n in np.unique(space.rooms[wide][around]) if n)
            if len(rooms) >= 2:
                cell = _middle_of(mine, wide, space)
                yield self._add(PlaceKind.DOORWAY, cell), cell, rooms

    def _fill_room(self, room: int, doorways: Sequence[tuple[str, Cell]]) -> None:
        """Its nodes, and the ways from each doorway to them."""
        space = self.space
        is_here = (space.rooms == room) | (space.openings & self._near(room))
        is_way = is_here & (space.clearance_m >= WAY_M)
        ways = _Ways(space, is_way)
        inside = np.where((space.rooms == room) & is_way, space.clearance_m, 0.0)
        if room in space.outside:
            self._fill_outside(inside, ways, doorways)
            return
        centre = _cell_of(inside)
        if inside[centre] < ROOM_M:
            return
        places = [(self._add(PlaceKind.ROOM, centre, self._name_of(centre)), centre)]
        self._rooms[places[0][0]] = room
        while True:
            reach = ways.distances([cell for _, cell in places])
            is_far = np.isfinite(reach) & (reach > REACH_M) & self._is_apart()
            is_far &= inside >= ROOM_M
            if not is_far.any():
                break
            # Far from the others, and not in a corner.
            best = _cell_of(np.where(is_far, reach, 0.0) * np.minimum(inside, _ROOMY_M))
            key = self._add(PlaceKind.ROOM, best, self._name_of(best))
            self._join(key, best, places, ways)
            places.append((key, best))
        for key, cell in doorways:
            self._join(key, cell, places, ways)

    def _is_apart(self) -> NDArray[np.bool_]:
        """Cells that are not close to a node that is there."""
        rows, columns = np.indices(self.space.rooms.shape)
        found = np.ones(self.space.rooms.shape, dtype=bool)
        for row, column in self._cells.values():
            away = np.hypot(rows - row, columns - column) * self.space.cell_m
            found &= away >= APART_M
        return found

    def _fill_outside(
        self, inside: NDArray[np.float64], ways: _Ways, doorways: Sequence[tuple[str, Cell]]
    ) -> None:
        for key, cell in doorways:
            reach = ways.distances([cell])
            near = np.where(reach <= OUTSIDE_M, inside, 0.0)
            best = _cell_of(near)
            if near[best] >= ROOM_M:
                outside = self._add(PlaceKind.ROOM, best, self._name_of(best))
                self._join(key, cell, [(outside, best)], ways)

    def _near(self, room: int) -> NDArray[np.bool_]:
        """Cells of openings that the room reaches into."""
        labels, _ = ndimage.label(self.space.openings, np.ones((3, 3)))
        grown = ndimage.binary_dilation(self.space.rooms == room, np.ones((3, 3)), iterations=2)
        touched = np.unique(labels[grown])
        return np.isin(labels, touched[touched > 0])

    def _join(self, key: str, cell: Cell, places: list[tuple[str, Cell]], ways: _Ways) -> None:
        """Join a node with the nearest place, straight, or with junctions where the way bends."""
        path = ways.path(cell, [place for _, place in places])
        if not path:
            return
        keys = {place: name for name, place in places}
        bends = ways.bends(path)
        chain, before = [key], cell
        for bend, after in itertools.pairwise(bends[1:]):
            near = self._node_near(bend, before, after, ways)
            chain.append(near or self._add(PlaceKind.JUNCTION, bend))
            before = self._cells[chain[-1]]
        chain.append(keys[path[-1]])
        is_door = key.startswith(f"{self.prefix}{PlaceKind.DOORWAY[0]}")
        for start, stop in itertools.pairwise(dict.fromkeys(chain)):
            kind = EdgeKind.DOOR if is_door and start == key else EdgeKind.WALK
            self._add_edge(start, stop, kind)

    def _node_near(self, bend: Cell, before: Cell, after: Cell, ways: _Ways) -> str | None:
        """A node so near to a bend of a way that the way can as well bend there."""
        point = self.space.point(bend)
        for key, cell in self._cells.items():
            if distance_m(self.space.point(cell), point) > BEND_M:
                continue
            if ways.sees(before, cell) and ways.sees(cell, after):
                return key
        return None

    def _add_edge(self, start: str, end: str, kind: EdgeKind) -> None:
        there = {frozenset((edge.from_key, edge.to_key)) for edge in self.edges}
        if start != end and frozenset((start, end)) not in there:
            self.edges.append(ProposedEdge(start, end, kind))

    def _name_of(self, centre: Cell) -> str:
        """What most floor around a place says, e.g. ``Hall`` of ``Hall floor``; or nothing."""
        reach = round(_NAMED_M / self.space.cell_m)
        window = tuple(slice(max(at - reach, 0), at + reach) for at in centre)
        rooms = self.space.rooms[window]
        corner = (window[0].start, window[1].start)
        cells = np.argwhere(rooms == self.space.rooms[centre]) + corner
        told = Counter(self._floor_name(cell) for cell in cells[:: max(len(cells) // _ASKED, 1)])
        told.pop("", None)
        if not told:
            return ""
        taken = {node.name for node in self.nodes} | self.taken
        return _untaken(told.most_common(1)[0][0], taken)

    def _floor_name(self, cell: NDArray[np.int64]) -> str:
        x, y, z = self.space.point((int(cell[0]), int(cell[1])))
        floor = self.rays.floor_below((x, y, z + 0.1))
        name = "" if floor is None else one_line(floor.mesh_name.strip(), _MOST_NAME)
        return name[: -len(_FLOOR)].strip() if name.lower().endswith(_FLOOR) else ""

    def _name_doorways(self, doorways: Sequence[tuple[str, Cell, frozenset[int]]]) -> None:
        names = {room: node.name for node in self.nodes for room in _maybe(self._rooms, node.key)}
        told: dict[str, str] = {}
        for key, _, rooms in doorways:
            ends = sorted(names[room] for room in rooms if room in names)
            if len(ends) == 2:
                told[key] = _untaken(f"Doorway {ends[0]} – {ends[1]}", told.values())
        self.nodes = [
            ProposedNode(n.key, n.kind, told.get(n.key, n.name), n.position_m) for n in self.nodes
        ]


def _untaken(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it if others have it."""
    numbered = (f"{name} {number}" for number in itertools.count(2))
    return name if name not in taken else next(n for n in numbered if n not in taken)


def _maybe(rooms: dict[str, int], key: str) -> tuple[int, ...]:
    return (rooms[key],) if key in rooms else ()


def _middle_of(mine: NDArray[np.bool_], window: tuple[slice, ...], space: FreeSpace) -> Cell:
    """The cell of an opening nearest to its middle that has, nearly, as much room as any."""
    clearance = np.where(mine, space.clearance_m[window], 0.0)
    rows, columns = np.nonzero(clearance >= 0.9 * clearance.max())
    all_rows, all_columns = np.nonzero(mine)
    away = (rows - all_rows.mean()) ** 2 + (columns - all_columns.mean()) ** 2
    nearest = int(away.argmin())
    return (int(rows[nearest]) + window[0].start, int(columns[nearest]) + window[1].start)


def _cell_of(values: NDArray[np.float64]) -> Cell:
    row, column = divmod(int(values.argmax()), values.shape[1])
    return (row, column)


class _Ways:
    """Shortest ways over the cells of one room that keep away from what stands there."""

    def __init__(self, space: FreeSpace, is_way: NDArray[np.bool_]) -> None:
        self._space, self._is_way = space, is_way
        self._number = np.full(is_way.shape, -1, dtype=np.int64)
        self._cells = np.argwhere(is_way)
        self._number[is_way] = np.arange(len(self._cells))
        self._graph = self._links()

    def _links(self) -> sparse.csr_matrix:
        """Cells beside each other, further apart the less room there is."""
        starts, ends, costs = [], [], []
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            here = self._number[: len(self._number) - down]
            there = self._number[down:]
            if right > 0:
                here, there = here[:, :-1], there[:, 1:]
            elif right < 0:
                here, there = here[:, 1:], there[:, :-1]
            both = (here >= 0) & (there >= 0)
            a, b = here[both], there[both]
            room = self._space.clearance_m[self._cells[a, 0], self._cells[a, 1]]
            length = np.hypot(down, right) * self._space.cell_m
            starts.append(a)
            ends.append(b)
            costs.append(length * (1.0 + 0.3 / np.maximum(room, 0.05)))
        count = len(self._cells)
        joined = (np.concatenate(starts), np.concatenate(ends))
        return sparse.csr_matrix((np.concatenate(costs), joined), shape=(count, count))

    def distances(self, cells: Sequence[Cell]) -> NDArray[np.float64]:
        """(ny, nx) metres along the floor to the nearest of some cells; infinite elsewhere."""
        found = np.full(self._is_way.shape, np.inf)
        sources = [n for n in (self._near(cell) for cell in cells) if n is not None]
        if sources:
            unit = self._graph.copy()
            unit.data = np.full(len(unit.data), self._space.cell_m * 1.1)
            found[self._is_way] = csgraph.dijkstra(
                unit, directed=False, indices=sources, min_only=True
            )
        return found

    def path(self, start: Cell, ends: Sequence[Cell]) -> list[Cell]:
        """Cells from a start to the nearest of some ends; empty where no way leads there."""
        source = self._near(start)
        goals = [(self._near(end), end) for end in ends]
        known = [(number, end) for number, end in goals if number is not None]
        if source is None or not known:
            return []
        far, before = csgraph.dijkstra(
            self._graph, directed=False, indices=source, return_predecessors=True
        )
        number, end = min(known, key=lambda goal: far[goal[0]])
        if not np.isfinite(far[number]):
            return []
        numbers = [number]
        while numbers[-1] != source:
            numbers.append(int(before[numbers[-1]]))
        cells = [(int(row), int(column)) for row, column in self._cells[numbers[::-1]]]
        return [start, *cells[1:-1], end]

    def bends(self, path: Sequence[Cell]) -> list[Cell]:
        """The fewest cells of a path, from first to last, that see one another in order."""
        kept = [path[0]]
        at = 0
        while at < len(path) - 1:
            seen = (n for n in range(len(path) - 1, at, -1) if self.sees(path[at], path[n]))
            at = next(seen, at + 1)
            kept.append(path[at])
        return kept

    def sees(self, start: Cell, end: Cell) -> bool:
        """Whether the straight line between two cells keeps away from everything."""
        steps = 2 * max(abs(end[0] - start[0]), abs(end[1] - start[1])) + 1
        rows = np.rint(np.linspace(start[0], end[0], steps)).astype(int)
        columns = np.rint(np.linspace(start[1], end[1], steps)).astype(int)
        return bool((self._space.clearance_m[rows, columns] >= WAY_M).all())

    def _near(self, cell: Cell) -> int | None:
        number = int(self._number[cell])
        return None if number < 0 else number
