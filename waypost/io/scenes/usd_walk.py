"""Find the prims of a stage that are drawn, instances included, and where they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Usd, UsdGeom

_DRAWN_PURPOSES = frozenset({"default", "render"})
_IGNORED_SHAPES = frozenset({"BasisCurves", "NurbsCurves", "HermiteCurves", "Points"})
_MAX_NESTING = 16


class PlacedPrim(NamedTuple):
    """One drawn occurrence of a prim."""

    prim: Usd.Prim
    world_from_prim: NDArray[np.float64]
    """(4, 4), column vectors."""

    instance: str
    """Which point instance it belongs to, to tell names apart; empty if none."""


def walk(stage: Usd.Stage, warnings: list[str]) -> Iterator[PlacedPrim]:
    """Every drawn mesh or simple solid.

    Invisible prims and those of guide and proxy purpose are neither drawn nor do they collide.

    Args:
        stage: With its payloads loaded.
        warnings: Receives a sentence per kind of shape that is left out.
    """
    predicate = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    tour = _Tour(UsdGeom.XformCache(Usd.TimeCode.EarliestTime()), warnings)
    yield from tour.visit(stage.GetPseudoRoot(), predicate, None, "")
    for kind, count in sorted(tour.ignored.items()):
        warnings.append(f"{count} prims of type {kind} are not shown")


class _Tour:
    """One walk over a stage."""

    def __init__(self, transforms: UsdGeom.XformCache, warnings: list[str]) -> None:
        self._transforms = transforms
        self._warnings = warnings
        self._time = transforms.GetTime()
        self.ignored: dict[str, int] = {}

    def visit(
        self, root: Usd.Prim, predicate: object, outer: Gf.Matrix4d | None, instance: str
    ) -> Iterator[PlacedPrim]:
        """Walk a subtree; ``outer`` turns stage positions into those of a point instance."""
        prims = iter(Usd.PrimRange(root, predicate))
        for prim in prims:
            if self._is_invisible(prim):
                prims.PruneChildren()
            elif prim.IsA(UsdGeom.PointInstancer):
                prims.PruneChildren()
                if _is_drawn(prim):
                    yield from self._instances(prim, outer, instance)
            elif prim.IsA(UsdGeom.Gprim) and _is_drawn(prim):
                kind = str(prim.GetTypeName())
                if kind in _IGNORED_SHAPES:
                    self.ignored[kind] = self.ignored.get(kind, 0) + 1
                else:
                    yield PlacedPrim(prim, self._world(prim, outer), instance)

    def _is_invisible(self, prim: Usd.Prim) -> bool:
        imageable = UsdGeom.Imageable(prim)
        if not imageable:
            return False
        return bool(imageable.GetVisibilityAttr().Get(self._time) == UsdGeom.Tokens.invisible)

    def _world(self, prim: Usd.Prim, outer: Gf.Matrix4d | None) -> NDArray[np.float64]:
        matrix = self._transforms.GetLocalToWorldTransform(prim)
        if outer is not None:
            matrix = matrix * outer
        return np.array(matrix, dtype=np.float64).T

    def _instances(
        self, prim: Usd.Prim, outer: Gf.Matrix4d | None, instance: str
    ) -> Iterator[PlacedPrim]:
        if instance.count("[") >= _MAX_NESTING:
            return
        instancer = UsdGeom.PointInstancer(prim)
        prototypes = [
            prim.GetStage().GetPrimAtPath(path)
            for path in instancer.GetPrototypesRel().GetForwardedTargets()
        ]
        # the mask drops invisible and inactive ids from the matrices but not from the indices
        matrices = instancer.ComputeInstanceTransformsAtTime(
            self._time, self._time, applyMask=UsdGeom.PointInstancer.IgnoreMask
        )
        mask = instancer.ComputeMaskAtTime(self._time)
        indices = instancer.GetProtoIndicesAttr().Get(self._time) or ()
        if len(matrices) != len(indices):
            self._warnings.append(f"{prim.GetPath()} is not shown: its instances are inconsistent")
        world = self._transforms.GetLocalToWorldTransform(prim)
        if outer is not None:
            world = world * outer
        # prototypes may be "over" prims, which the default predicate would skip
        predicate = Usd.TraverseInstanceProxies(
            Usd.PrimIsActive & Usd.PrimIsLoaded & ~Usd.PrimIsAbstract
        )
        for number, (index, matrix) in enumerate(zip(indices, matrices, strict=False)):
            prototype = prototypes[index]
            if (mask and not mask[number]) or not prototype:
                continue
            placed = self._transforms.GetLocalToWorldTransform(prototype).GetInverse()
            yield from self.visit(
                prototype, predicate, placed * matrix * world, f"{instance}[{number}]"
            )


def _is_drawn(prim: Usd.Prim) -> bool:
    return str(UsdGeom.Imageable(prim).ComputePurpose()) in _DRAWN_PURPOSES
