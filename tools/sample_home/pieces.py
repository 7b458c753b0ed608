"""What a piece of furniture is made of: solids, each with the name of its finish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tools.sample_home.solids import Solid


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A solid with one finish."""

    finish: str
    """Key of ``finishes.FINISHES``."""

    solid: Solid


Pieces = tuple[Piece, ...]
"""One object. Furniture stands around its own origin: centre of the footprint, on the floor,
front towards −y, back towards +y."""


def made_of(finish: str, *solids: Solid) -> Pieces:
    """Solids that share a finish."""
    return tuple(Piece(finish, solid) for solid in solids)


def placed(
    pieces: Iterable[Piece], x: float, y: float, z: float = 0.0, yaw_deg: float = 0.0
) -> Pieces:
    """An object turned about its own vertical axis, then moved to its place in the scene."""
    return tuple(replace(p, solid=p.solid.turned(yaw_deg).moved(x, y, z)) for p in pieces)
