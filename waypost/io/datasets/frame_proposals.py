"""Guess the convention of positions whose file does not name it, by what fits the scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import CAPNAV, CAPNAV_SWAPPED, GLTF, SCENE, Frame, Vec3

CANDIDATES = (CAPNAV, CAPNAV_SWAPPED, GLTF, SCENE)
"""Frames that are tried, the most likely for a CapNav file first."""

MAX_HEIGHT_M = 2.5
"""Nodes stand or float at most this far above a floor: CapNav keeps its slice height."""

BOUNDS_TOLERANCE_M = 0.1
"""How far outside the scene's bounds a node still counts as inside."""

CLEAR_FIT = 0.9
"""A frame is only taken unasked when at least this share of the nodes fits …"""

CLEAR_LEAD = 0.1
"""… and its score leads that of every other frame by at least this much."""

FloorProbe = Callable[[Vec3], float | None]
"""Height of a point above the floor below it, metres; ``None`` where there is no floor."""

ClearProbe = Callable[[Vec3, Vec3], bool]
"""Whether nothing stands between two points of the scene frame."""


@dataclass(frozen=True, slots=True)
class FrameProposal:
    """How well one frame fits."""

    frame: Frame
    share_inside: float
    """Share of nodes inside the bounds of the scene, 0 to 1."""

    share_above_floor: float
    """Share of nodes with a floor 0 to 2.5 m below them, 0 to 1."""

    share_clear: float
    """Share of edges with nothing in their way, 0 to 1; 1 if that was not tried."""

    explanation: str
    """One sentence for the user."""

    @property
    def score(self) -> float:
        """0 to 1: the floor decides, free edges tell mirrored frames apart."""
        return min(self.share_inside, self.share_above_floor) * (0.5 + 0.5 * self.share_clear)


def propose_frame(
    positions: NDArray[np.float64],
    scene_bounds: tuple[Vec3, Vec3],
    floor_probe: FloorProbe,
    *,
    edge_ends: Sequence[tuple[int, int]] = (),
    clear_probe: ClearProbe | None = None,
) -> tuple[FrameProposal, ...]:
    """Rank the candidate frames of positions by how well they fit a scene.

    Args:
        positions: (N, 3) in the unknown frame of the file.
        scene_bounds: Lowest and highest corner, scene frame.
        floor_probe: Asks the scene for the floor below a point.
        edge_ends: Pairs of indices into ``positions`` that people can walk between.
        clear_probe: Asks the scene whether a straight line is free.

    Returns:
        Every candidate, best first; equal ones in the order of ``CANDIDATES``.

    Raises:
        ValueError: If there are no positions.
    """
    if len(positions) == 0:
        raise ValueError("a graph without nodes fits every frame")
    proposals = []
    for frame in CANDIDATES:
        points = [
            (float(x), float(y), float(z)) for x, y, z in frame.to_scene(np.asarray(positions))
        ]
        inside = sum(_is_inside(point, scene_bounds) for point in points)
        above = sum(_is_above_floor(floor_probe(point)) for point in points)
        clear = len(edge_ends)
        if clear_probe is not None:
            clear = sum(clear_probe(points[a], points[b]) for a, b in edge_ends)
        text = f"{frame.title}: {inside} of {len(points)} nodes inside the scene, {above} above a"
        text += f" floor, {clear} of {len(edge_ends)} edges free"
        shares = (inside / len(points), above / len(points), clear / max(1, len(edge_ends)))
        if not edge_ends:
            shares = (shares[0], shares[1], 1.0)
        proposals.append(FrameProposal(frame, *shares, text))
    return tuple(sorted(proposals, key=lambda proposal: -proposal.score))


def clear_winner(proposals: Sequence[FrameProposal]) -> FrameProposal | None:
    """The best frame if it fits and no other comes near; ``None`` if a person must choose."""
    best, *others = proposals
    if min(best.share_inside, best.share_above_floor) < CLEAR_FIT:
        return None
    if any(best.score - other.score < CLEAR_LEAD for other in others):
        return None
    return best


def _is_inside(point: Vec3, bounds: tuple[Vec3, Vec3]) -> bool:
    low, high = bounds
    return all(
        a - BOUNDS_TOLERANCE_M <= value <= b + BOUNDS_TOLERANCE_M
        for a, value, b in zip(low, point, high, strict=True)
    )


def _is_above_floor(height_m: float | None) -> bool:
    return height_m is not None and -BOUNDS_TOLERANCE_M <= height_m <= MAX_HEIGHT_M
