"""What is fitted into walls: door frames and leaves, window frames, sills and thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from tools.sample_home.pieces import Pieces, made_of, placed
from tools.sample_home.solids import box, timber
from tools.sample_home.walls import THICKNESS_M, Hole, along

LINING_M = 0.03
"""Thickness of a door lining; the hole in the wall is wider by twice this."""

ARCHITRAVE_M = 0.06
LEAF_THICKNESS_M = 0.04
DOOR_HEIGHT_M = 2.1


@dataclass(frozen=True, slots=True)
class Door:
    """A framed doorway with an open leaf."""

    axis: str
    """Direction of its wall."""

    wall_at_m: float
    centre_m: float
    """Middle of the clear opening along the wall."""

    clear_m: float
    """Width between the linings: what an agent has to fit through."""

    floor_m: float = 0.0
    hinge: int = -1
    """−1: hung at the lower coordinate, +1: at the higher one."""

    side: int = 1
    """The side of the wall towards which it opens: +1 higher coordinates."""

    open_deg: float = 172.0
    """How far the leaf stands open; 0 is closed."""

    leaf_finish: str = "white wood"
    has_leaf: bool = True

    @property
    def hole(self) -> Hole:
        """The hole that its wall needs."""
        half = self.clear_m / 2 + LINING_M
        return Hole(self.centre_m - half, self.centre_m + half, 0.0, DOOR_HEIGHT_M + LINING_M)


@dataclass(frozen=True, slots=True)
class Window:
    """A framed opening without glass."""

    axis: str
    wall_at_m: float
    centre_m: float
    width_m: float
    low_m: float
    """Height of its lower edge above the floor."""

    high_m: float
    floor_m: float = 0.0
    lights: int = 2
    """Number of panes side by side."""

    inside: int = 1
    """Side of the window board: +1 higher coordinates."""

    @property
    def hole(self) -> Hole:
        """The hole that its wall needs."""
        half = self.width_m / 2
        return Hole(self.centre_m - half, self.centre_m + half, self.low_m, self.high_m)


def door_pieces(door: Door) -> Pieces:
    """Lining, architraves and leaf."""
    hole = door.hole
    face = THICKNESS_M / 2
    deep = (door.wall_at_m - face - 0.002, door.wall_at_m + face + 0.002)
    floor, head = door.floor_m, door.floor_m + DOOR_HEIGHT_M
    parts = [
        ((hole.start_m, hole.start_m + LINING_M), deep, (floor, head)),
        ((hole.end_m - LINING_M, hole.end_m), deep, (floor, head)),
        ((hole.start_m, hole.end_m), deep, (head, head + LINING_M)),
    ]
    for low, high in ((-face - 0.012, -face), (face, face + 0.012)):
        across = (door.wall_at_m + low, door.wall_at_m + high)
        outer = (hole.start_m - ARCHITRAVE_M, hole.end_m + ARCHITRAVE_M)
        top = head + LINING_M + ARCHITRAVE_M
        parts += [
            ((outer[0], hole.start_m), across, (floor, top)),
            ((hole.end_m, outer[1]), across, (floor, top)),
            ((hole.start_m, hole.end_m), across, (head + LINING_M, top)),
        ]
    frame = made_of("trim", *(box(*along(door.axis, *part)) for part in parts))
    return frame + (_leaf(door) if door.has_leaf else ())


def _leaf(door: Door) -> Pieces:
    """The leaf, built closed along +x from its hinge and then swung open."""
    width, half = door.clear_m - 0.006, LEAF_THICKNESS_M / 2
    pieces = made_of(
        door.leaf_finish, timber((0, -half, 0.012), (width, half, DOOR_HEIGHT_M - 0.004))
    )
    for low, high in ((0.16, 0.92), (1.06, 1.94)):
        for y in (-half - 0.006, half):
            panel = timber((0.12, y, low), (width - 0.12, y + 0.006, high))
            pieces += made_of(door.leaf_finish, panel)
    for y in (-half - 0.05, half):
        grip = box((width - 0.17, y + 0.02, 1.0), (width - 0.05, y + 0.035, 1.02))
        neck = box((width - 0.07, y, 0.995), (width - 0.05, y + 0.05, 1.025))
        pieces += made_of("brass", grip, neck)
    pin = door.centre_m + door.hinge * (door.clear_m / 2 + 0.025)
    across = door.wall_at_m + door.side * (THICKNESS_M / 2 + 0.012 + half + 0.006)
    closed_deg, turn = _leaf_direction(door)
    x, y = (pin, across) if door.axis == "x" else (across, pin)
    return placed(pieces, x, y, door.floor_m, closed_deg + turn * door.open_deg)


def _leaf_direction(door: Door) -> tuple[float, int]:
    """Direction of the closed leaf from its hinge, and the sense in which it opens."""
    if door.axis == "x":
        return (0.0 if door.hinge < 0 else 180.0), -door.hinge * door.side
    return (90.0 if door.hinge < 0 else 270.0), door.hinge * door.side


def window_pieces(window: Window) -> Pieces:
    """Frame, glazing bars and boards on both sides."""
    hole = window.hole
    low, high = window.floor_m + window.low_m, window.floor_m + window.high_m
    at = window.wall_at_m
    deep, slim = (at - 0.035, at + 0.035), (at - 0.02, at + 0.02)
    bars = [
        ((hole.start_m, hole.start_m + 0.06), deep, (low, high)),
        ((hole.end_m - 0.06, hole.end_m), deep, (low, high)),
        ((hole.start_m + 0.06, hole.end_m - 0.06), deep, (low, low + 0.06)),
        ((hole.start_m + 0.06, hole.end_m - 0.06), deep, (high - 0.06, high)),
    ]
    for light in range(1, window.lights):
        middle = hole.start_m + window.width_m * light / window.lights
        bars.append(((middle - 0.03, middle + 0.03), deep, (low + 0.06, high - 0.06)))
    rail = high - 0.42
    if high - low > 1.1:
        bars.append(((hole.start_m + 0.06, hole.end_m - 0.06), slim, (rail, rail + 0.035)))
    frame = made_of("dark frame", *(timber(*along(window.axis, *bar)) for bar in bars))
    inner = sorted((at + window.inside * 0.05, at + window.inside * 0.12))
    outer = sorted((at - window.inside * 0.05, at - window.inside * 0.11))
    width = (hole.start_m - 0.04, hole.end_m + 0.04)
    boards = (
        box(*along(window.axis, width, (inner[0], inner[1]), (low - 0.025, low))),
        box(*along(window.axis, width, (outer[0], outer[1]), (low - 0.03, low - 0.005))),
    )
    return frame + made_of("trim", *boards)


def floor_bar(
    axis: str, wall_at_m: float, span_m: tuple[float, float], height_m: float, finish: str
) -> Pieces:
    """A bar on the floor right through a doorway: a door sill or a threshold."""
    half = THICKNESS_M / 2
    low, high = along(axis, span_m, (wall_at_m - half, wall_at_m + half), (0.0, height_m))
    return made_of(finish, timber(low, high))
