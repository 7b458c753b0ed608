"""How much a scene may be: stated numbers that are checked before memory is taken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import ReadError

MAX_PLACED_MESHES: Final = 250_000
"""Uses of meshes, instances counted one by one."""

MAX_TRIANGLES: Final = 50_000_000
"""Of all placed meshes together."""

MAX_POINTS: Final = 100_000_000
"""Vertices of all placed meshes together."""

MAX_PRIMS: Final = 1_000_000
"""Prims of a composed USD stage, and those that its point instancers repeat."""

MAX_LAYERS: Final = 20_000
"""Files that a USD stage is composed of."""

MAX_UNBACKED_NUMBERS: Final = 16_777_216
"""Zeros that the accessors of a glTF file announce without bytes behind them."""

MAX_DRACO_TRIANGLES_PER_BYTE: Final = 1_000
"""Of compressed data; real meshes have 1 to 10."""

MAX_PICTURE_PIXELS: Final = 134_217_728
"""Of one picture, 16384 × 8192; larger ones are left out by name."""

MAX_FILE_BYTES: Final = 16 * 1024**3
"""Of one file that a scene names."""


@dataclass(slots=True)
class PlacedCount:
    """Counts what a scene places and refuses more than the bounds."""

    path: Path
    """The scene file as the user named it."""

    meshes: int = 0
    triangles: int = 0
    points: int = 0

    def add(self, place: str, triangles: int = 0, points: int = 0) -> None:
        """Count one more mesh.

        Args:
            place: The node or prim that places it.
            triangles: That it has.
            points: Vertices that it has.

        Raises:
            ReadError: If that is too much.
        """
        self.meshes += 1
        self.triangles += triangles
        self.points += points
        for amount, limit, what in (
            (self.meshes, MAX_PLACED_MESHES, "meshes"),
            (self.triangles, MAX_TRIANGLES, "triangles"),
            (self.points, MAX_POINTS, "vertices"),
        ):
            if amount > limit:
                raise ReadError(
                    str(self.path), place, f"the scene places more than {limit:,} {what}"
                )
