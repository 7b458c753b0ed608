"""Fake of ``pxr.PhysicsSchemaTools``, which Isaac Sim adds to OpenUSD."""

from __future__ import annotations

from kit_world import WORLD
from pxr import Sdf


def intToSdfPath(arg0: int) -> Sdf.Path:  # noqa: N802 - its name
    return Sdf.Path(WORLD.path_of(arg0))
