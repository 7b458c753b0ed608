"""The widest disc that can be moved between two places among points, exactly.

The centre of a disc that touches no point moves through the gaps between neighbours of the
Delaunay triangulation; the widest way is the path between two triangles in the maximum spanning
tree of those gaps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree
from scipy.spatial import Delaunay, cKDTree

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.decisive_points import decisive_points
from waypost.geometry.measuring.height_field import Floats, Ints
from waypost.geometry.measuring.scene_ground import Box

_RIM_M = 0.1
_JITTER_M = 1e-6
"""Points on a grid make Qhull slow; the width changes by twice this at most."""

_SAME_WIDTH_M = 0.01


@dataclass(frozen=True, slots=True)
class WidestWay:
    """How wide a disc gets from one place to another, and where it is tightest."""

    width_m: float
    """Diameter; 0 if the places are apart."""

    at_m: tuple[float, float] | None = None
    nearest: tuple[int, int] = (-1, -1)
    """The two points of the tightest gap; −1 for the rim of the window."""

    length_m: float | None = None
    """Over what length the way is within 1 cm of its width."""

    line_m: tuple[tuple[float, float], ...] = ()
    """Where the middle of the disc goes, from start to end: as far as it can from all points."""

    def reversed(self) -> WidestWay:
        """The same way from its other end."""
        return replace(self, line_m=self.line_m[::-1])


def widest_way(points: Floats, start: Vec3, end: Vec3, box: Box) -> WidestWay:
    """The widest disc from start to end inside a window, whose rim counts as a wall.

    Args:
        points: (N, 2) metres.
        start: Its plan position counts.
        end: The same.
        box: Window.
    """
    rim = _rim(box)
    cloud = np.concatenate([points, rim])
    jitter = np.random.default_rng(0).uniform(-_JITTER_M, _JITTER_M, cloud.shape)
    cloud = cloud + jitter
    decisive = decisive_points(cloud, (start, end), box)
    chosen = cloud[decisive]
    mesh = Delaunay(chosen)
    first, last = (_triangle_at(mesh, chosen, np.array(place[:2])) for place in (start, end))
    if first < 0 or last < 0:
        return WidestWay(0.0)
    if first == last:
        return WidestWay(_room(cloud, np.array(start[:2])))
    way = _tree_path(mesh, chosen, first, last)
    if way is None:
        return WidestWay(0.0)
    ends, width, middle, triangles = way
    tight = int(np.argmin(width))
    nearest = tuple(int(k) if k < len(points) else -1 for k in decisive[ends[tight]])
    return WidestWay(
        float(width[tight]),
        (float(middle[tight, 0]), float(middle[tight, 1])),
        (nearest[0], nearest[1]),
        _tight_length(width, middle, tight),
        _line(chosen[mesh.simplices[triangles[::-1]]], box),
    )


def _line(triangles: Floats, box: Box) -> tuple[tuple[float, float], ...]:
    """Middles of the circles around triangles.

    On the line between two of them no point is nearer than half of the gap that it crosses.
    """
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    u, v = b - a, c - a
    twice = 2 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    twice = np.where(np.abs(twice) < 1e-12, 1e-12, twice)
    uu, vv = (u * u).sum(axis=1), (v * v).sum(axis=1)
    x = a[:, 0] + (v[:, 1] * uu - u[:, 1] * vv) / twice
    y = a[:, 1] + (u[:, 0] * vv - v[:, 0] * uu) / twice
    inside = (x >= box[0]) & (x <= box[2]) & (y >= box[1]) & (y <= box[3])
    return tuple((float(px), float(py)) for px, py in zip(x[inside], y[inside], strict=True))


def widest_passage(
    points: Floats, start: Vec3, end: Vec3, box: Box, tolerance_m: float
) -> WidestWay:
    """The widest disc that moves from node to node and stands within a tolerance of both.

    Where it is tightest at a node, the place is there, and there is no length.
    """
    way = widest_way(points, start, end, box)
    stands = []
    for place in (start, end):
        room_m, centre = widest_disc_near(points, place, tolerance_m)
        if room_m < way.width_m:
            nearest = int(np.argmin(np.hypot(*(points - centre).T)))
            at = (float(centre[0]), float(centre[1]))
            way = replace(way, width_m=room_m, at_m=at, nearest=(nearest, -1), length_m=None)
        stands.append((float(centre[0]), float(centre[1])))
    return replace(way, line_m=(stands[0], *way.line_m, stands[1]))


def _triangle_at(mesh: Delaunay, cloud: Floats, place: Floats) -> int:
    """The triangle that covers a place, or −1; Qhull's own search takes seconds on grids."""
    a, b, c = (cloud[mesh.simplices[:, k]] - place for k in range(3))
    turns = [p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((a, b), (b, c), (c, a))]
    low = np.minimum(np.minimum(turns[0], turns[1]), turns[2])
    high = np.maximum(np.maximum(turns[0], turns[1]), turns[2])
    found = np.flatnonzero((low >= 0) | (high <= 0))
    return int(found[0]) if len(found) else -1


def _rim(box: Box) -> Floats:
    x, y = np.arange(box[0], box[2], _RIM_M), np.arange(box[1], box[3], _RIM_M)
    sides = [np.stack([x, np.full(len(x), side)], axis=1) for side in (box[1], box[3])]
    sides += [np.stack([np.full(len(y), side), y], axis=1) for side in (box[0], box[2])]
    return np.concatenate(sides)


def _tree_path(
    mesh: Delaunay, cloud: Floats, first: int, last: int
) -> tuple[Ints, Floats, Floats, Ints] | None:
    """The gaps on the widest way, from the end: ends, widths, middles; and its triangles."""
    corners, beside = mesh.simplices, mesh.neighbors
    count = len(corners)
    of = np.repeat(np.arange(count), 3)
    other = beside.ravel()
    opposite = np.tile([[1, 2], [2, 0], [0, 1]], (count, 1))
    ends = corners[of[:, None], opposite]
    gap = cloud[ends[:, 0]] - cloud[ends[:, 1]]
    width = np.hypot(gap[:, 0], gap[:, 1])
    inner = (other > of) & (other >= 0)
    widest = float(width.max()) + 1.0
    graph = csr_matrix((widest - width[inner], (of[inner], other[inner])), shape=(count, count))
    tree = minimum_spanning_tree(graph)
    _, before = breadth_first_order(tree, first, directed=False)
    if before[last] < 0:
        return None
    way = [last]
    while way[-1] != first:
        way.append(int(before[way[-1]]))
    triangle, after = np.array(way[:-1]), np.array(way[1:])
    side = 3 * triangle + (beside[triangle] == after[:, None]).argmax(axis=1)
    middle = (cloud[ends[side, 0]] + cloud[ends[side, 1]]) / 2
    return ends[side], width[side], middle, np.array(way)


def _tight_length(width: Floats, middle: Floats, tight: int) -> float:
    """Length of the way around its tightest gap that is hardly wider."""
    low = high = tight
    limit = width[tight] + _SAME_WIDTH_M
    while low > 0 and width[low - 1] <= limit:
        low -= 1
    while high < len(width) - 1 and width[high + 1] <= limit:
        high += 1
    # Gaps of a wall to several points of the other fan out; their middles do not run back.
    ends = middle[low : high + 1]
    return float(np.linalg.norm(ends - middle[tight], axis=1).max() + _behind(ends, tight - low))


def _behind(middles: Floats, tight: int) -> float:
    """How far the way goes on at the other side of the tightest gap."""
    offset = middles - middles[tight]
    far = offset[int(np.argmax(np.hypot(offset[:, 0], offset[:, 1])))]
    length = float(np.hypot(*far))
    return float(np.max(-(offset @ far) / length)) if length > 0 else 0.0


def _room(cloud: Floats, place: Floats) -> float:
    return float(2 * cKDTree(cloud).query(place)[0])


def widest_disc_near(points: Floats, place: Vec3, tolerance_m: float) -> tuple[float, Floats]:
    """Diameter of the widest empty disc whose centre is within a tolerance of a place.

    Exact to 1 mm; the place of its centre comes with it.
    """
    centre = np.array(place[:2])
    if not len(points):
        return float("inf"), centre
    tree = cKDTree(_nearest_to(points, centre, tolerance_m))
    best, span = centre, tolerance_m
    for _ in range(4):
        steps = np.linspace(-span, span, 17)
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) + best
        grid = grid[np.hypot(*(grid - centre).T) <= tolerance_m + 1e-9]
        grid = np.concatenate([grid, best[None]])
        room = tree.query(grid)[0]
        best, span = grid[int(np.argmax(room))], span / 6
    return float(2 * room.max()), best


def _nearest_to(points: Floats, centre: Floats, tolerance_m: float) -> Floats:
    """Those points that may be the nearest one of a place within a tolerance of a centre."""
    away = np.hypot(points[:, 0] - centre[0], points[:, 1] - centre[1])
    return np.asarray(points[away <= away.min() + 2 * tolerance_m + 1e-6])
