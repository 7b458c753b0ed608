"""Walls as plain faces left out where an opening is, with skirting boards and reveals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tools.sample_home.pieces import Piece, Pieces
from tools.sample_home.solids import Solid, box

THICKNESS_M = 0.12
SKIRTING_HEIGHT_M = 0.08
SKIRTING_DEPTH_M = 0.012
PLASTER_M = 0.01
"""What the faces stand out from the masonry behind them."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A rectangular hole right through a wall."""

    start_m: float
    """Lowest coordinate along the wall."""

    end_m: float
    low_m: float
    """Height of its lower edge above the wall's floor; 0 for a passage."""

    high_m: float


@dataclass(frozen=True, slots=True)
class Wall:
    """A straight wall along x or y."""

    axis: str
    """``x`` or ``y``: the direction it runs in."""

    at_m: float
    """Coordinate of its centre plane across that direction."""

    start_m: float
    end_m: float
    floor_m: float
    """Height of the floor that its openings and skirting refer to."""

    top_m: float
    finishes: tuple[str, str]
    """Towards lower and towards higher coordinates across the wall."""

    holes: tuple[Hole, ...] = ()
    skirted: tuple[bool, bool] = (True, True)
    has_free_end: bool = False
    """Whether the far end stands free and needs a face."""

    base_m: float | None = None
    """Lower edge where the wall reaches below the floor."""

    @property
    def faces_m(self) -> tuple[float, float]:
        """Coordinates of its two surfaces across the wall."""
        return (self.at_m - THICKNESS_M / 2, self.at_m + THICKNESS_M / 2)


def wall_pieces(wall: Wall) -> Pieces:
    """All faces of one wall."""
    base = wall.floor_m if wall.base_m is None else wall.base_m
    names = ("-y", "+y") if wall.axis == "x" else ("-x", "+x")
    pieces = []
    for start, end, low, high in _solid_parts(wall, base):
        for finish, name in zip(wall.finishes, names, strict=True):
            pieces.append(Piece(finish, _slab(wall, (start, end), (low, high), (name,))))
        is_column = low == base and high == wall.top_m
        pieces.append(Piece("masonry", _core(wall, (start, end), (low, high), is_column=is_column)))
    pieces += [Piece("trim", solid) for solid in _reveals(wall)]
    pieces += [Piece("trim", solid) for solid in _skirting(wall)]
    if wall.has_free_end:
        end_name = "+x" if wall.axis == "x" else "+y"
        span = (wall.start_m, wall.end_m)
        pieces.append(Piece(wall.finishes[1], _slab(wall, span, (base, wall.top_m), (end_name,))))
    return tuple(pieces)


def along(
    axis: str,
    lengths: tuple[float, float],
    across: tuple[float, float],
    heights: tuple[float, float],
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Corners of a box given along and across a wall."""
    if axis == "x":
        return (lengths[0], across[0], heights[0]), (lengths[1], across[1], heights[1])
    return (across[0], lengths[0], heights[0]), (across[1], lengths[1], heights[1])


def _slab(
    wall: Wall,
    lengths: tuple[float, float],
    heights: tuple[float, float],
    only: tuple[str, ...],
) -> Solid:
    low, high = along(wall.axis, lengths, wall.faces_m, heights)
    return box(low, high, only)


def _core(
    wall: Wall, lengths: tuple[float, float], heights: tuple[float, float], *, is_column: bool
) -> Solid:
    """The closed body behind the faces, which makes the wall solid where it is cut.

    Above and below openings it reaches into its neighbours, so that no gap is left.
    """
    inset = PLASTER_M if is_column else -PLASTER_M
    low, high = along(
        wall.axis,
        (lengths[0] + inset, lengths[1] - inset),
        (wall.faces_m[0] + PLASTER_M, wall.faces_m[1] - PLASTER_M),
        (heights[0] + PLASTER_M, heights[1] - PLASTER_M),
    )
    return box(low, high)


def _solid_parts(wall: Wall, base: float) -> Iterator[tuple[float, float, float, float]]:
    cuts = {wall.start_m, wall.end_m}
    for hole in wall.holes:
        cuts |= {hole.start_m, hole.end_m}
    columns = sorted(cuts)
    for start, end in itertools.pairwise(columns):
        holes = sorted(
            (o.low_m + wall.floor_m, o.high_m + wall.floor_m)
            for o in wall.holes
            if o.start_m <= start and end <= o.end_m
        )
        low = base
        for hole_low, hole_high in holes:
            if hole_low > low:
                yield start, end, low, hole_low
            low = hole_high
        if low < wall.top_m:
            yield start, end, low, wall.top_m


def _reveals(wall: Wall) -> Iterator[Solid]:
    near, far = ("-x", "+x") if wall.axis == "x" else ("-y", "+y")
    for o in wall.holes:
        heights = (wall.floor_m + o.low_m, wall.floor_m + o.high_m)
        yield _slab(wall, (o.start_m - 0.1, o.start_m), heights, (far,))
        yield _slab(wall, (o.end_m, o.end_m + 0.1), heights, (near,))
        width = (o.start_m, o.end_m)
        yield _slab(wall, width, (heights[1], heights[1] + 0.1), ("-z",))
        if o.low_m > 0 or wall.base_m is not None:
            yield _slab(wall, width, (heights[0] - 0.1, heights[0]), ("+z",))


def _skirting(wall: Wall) -> Iterator[Solid]:
    doors = sorted((o.start_m, o.end_m) for o in wall.holes if o.low_m == 0)
    edges = [wall.start_m, *(value for door in doors for value in door), wall.end_m]
    heights = (wall.floor_m, wall.floor_m + SKIRTING_HEIGHT_M)
    low_face, high_face = wall.faces_m
    depths = (
        (low_face - SKIRTING_DEPTH_M, low_face),
        (high_face, high_face + SKIRTING_DEPTH_M),
    )
    for is_wanted, depth in zip(wall.skirted, depths, strict=True):
        if not is_wanted:
            continue
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if end > start:
                low, high = along(wall.axis, (start, end), depth, heights)
                yield box(low, high, ("-x", "+x", "-y", "+y", "+z"))
