"""The triangles of a scene, kept for measuring, and windows cut out of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.object_kinds import ObjectKind, object_kind
from waypost.domain.scene.scene import Scene
from waypost.geometry.measuring.height_field import Bools, Floats, Grid, HeightField, build_field

CELL_M = 0.02
RAISED_M = 0.05
"""Furniture that rises higher than this above the floor is stood on by nobody who walks."""

SMALL_M2 = 2.0
"""An object that is smaller than this is no floor, whatever it is called."""

_BELOW_M = 1.5
_ABOVE_M = 3.5
"""How far below and above the nodes of an edge the window looks."""

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in metres, scene frame."""


@dataclass(frozen=True, eq=False)
class GroundWindow:
    """The part of a scene around one edge, in float64."""

    box: Box
    triangles_m: Floats
    """(N, 3, 3), scene frame."""

    object_of: NDArray[np.int32]
    names: tuple[str, ...]
    low_z_m: float
    high_z_m: float
    """Heights of the two nodes."""

    is_furniture: Bools
    """Which triangles belong to objects that are no floor, by name or size."""

    kept: dict[object, object] = field(default_factory=dict)
    """What bodies of one kind found here, so that both directions share it."""

    @cached_property
    def field(self) -> HeightField:
        """Heights in cells of 2 cm."""
        return build_field(self.triangles_m, Grid.over(self.box, CELL_M))

    @cached_property
    def spans_m(self) -> tuple[Floats, Floats]:
        """(N, 3) least and largest coordinates of each triangle."""
        return self.triangles_m.min(axis=1), self.triangles_m.max(axis=1)

    @cached_property
    def raised_spans(self) -> Bools:
        """Spans of the field that are furniture and rise above the floor of both nodes."""
        field = self.field
        high = field.high_m > self.high_z_m + RAISED_M
        return np.asarray(self.is_furniture[field.triangle] & high)

    def is_about(self, other: GroundWindow) -> bool:
        """Whether two windows, of whatever size, lie around one edge."""
        return all(
            abs(self.box[k] + self.box[k + 2] - other.box[k] - other.box[k + 2]) < 1e-6
            for k in (0, 1)
        )

    def name_of(self, triangle: int) -> str:
        """The object that a triangle of this window belongs to."""
        return self.names[int(self.object_of[triangle])] if triangle >= 0 else ""


@dataclass(frozen=True, eq=False)
class SceneGround:
    """All triangles that stop an agent, with the name of each one's object."""

    triangles: NDArray[np.float32]
    """(N, 3, 3) metres, relative to ``origin_m``."""

    object_of: NDArray[np.int32]
    names: tuple[str, ...]
    origin_m: tuple[float, float, float] = (0.0, 0.0, 0.0)

    _windows: dict[object, GroundWindow] = field(default_factory=dict)
    """Of the edge that is measured; a window keeps some 100 MB of what was found in it."""

    @classmethod
    def of(cls, scene: Scene) -> SceneGround:
        """The colliders of a scene."""
        meshes = [mesh for mesh in scene.meshes if mesh.is_collider and len(mesh.faces)]
        triangles = [mesh.vertices[mesh.faces] for mesh in meshes]
        counts = [len(mesh.faces) for mesh in meshes]
        return cls(
            np.concatenate(triangles) if meshes else np.empty((0, 3, 3), np.float32),
            np.repeat(np.arange(len(meshes), dtype=np.int32), counts),
            tuple(mesh.name for mesh in meshes),
            scene.origin_m,
        )

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return self.triangles.min(axis=1), self.triangles.max(axis=1)

    @cached_property
    def _furniture(self) -> Bools:
        """Which objects are no floor: named furniture, or small and not named a floor."""
        kinds = [object_kind(name) for name in self.names]
        x, y = self.triangles[:, :, 0], self.triangles[:, :, 1]
        turn = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        area_m2 = np.bincount(self.object_of, np.abs(turn) / 4, minlength=len(kinds))
        is_named = np.array([kind is ObjectKind.FURNITURE for kind in kinds], dtype=bool)
        is_ground = np.array([kind is ObjectKind.GROUND for kind in kinds], dtype=bool)
        return np.asarray(is_named | (~is_ground & (area_m2 < SMALL_M2)))

    @property
    def windows(self) -> Iterable[GroundWindow]:
        """Those of the edge that was asked last."""
        return self._windows.values()

    def let_go(self) -> None:
        """Keep no window any longer."""
        self._drop(list(self._windows))

    def window(self, box: Box, low_z_m: float, high_z_m: float) -> GroundWindow:
        """What lies over a box and between 1.5 m below and 3.5 m above two heights."""
        key = (box, low_z_m, high_z_m)
        if key in self._windows:
            return self._windows[key]
        chosen = np.flatnonzero(self._inside(box, low_z_m - _BELOW_M, high_z_m + _ABOVE_M))
        triangles = self.triangles[chosen].astype(np.float64) + np.asarray(self.origin_m)
        objects = self.object_of[chosen]
        window = GroundWindow(
            box, triangles, objects, self.names, low_z_m, high_z_m, self._furniture[objects]
        )
        self._drop([k for k, kept in self._windows.items() if not kept.is_about(window)])
        self._windows[key] = window
        return window

    def _drop(self, keys: Iterable[object]) -> None:
        for key in keys:
            # What is kept refers to its window: cut here, it does not wait for the collector.
            self._windows.pop(key).kept.clear()

    def _inside(self, box: Box, low_z_m: float, high_z_m: float) -> Bools:
        low, high = self._bounds
        x, y, z = self.origin_m
        return np.asarray(
            (high[:, 0] >= box[0] - x)
            & (low[:, 0] <= box[2] - x)
            & (high[:, 1] >= box[1] - y)
            & (low[:, 1] <= box[3] - y)
            & (high[:, 2] >= low_z_m - z)
            & (low[:, 2] <= high_z_m - z)
        )
