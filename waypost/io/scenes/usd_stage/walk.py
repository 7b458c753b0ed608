"""Find the prims of a stage that are drawn, instances included, and where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom

from waypost.domain.base.errors import ReadError
from waypost.io.scenes.bounds import MAX_PLACED_MESHES, MAX_PRIMS
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.usd_stage.missing import list_wrong_variants

_DRAWN_PURPOSES = frozenset({"default", "render"})
_IGNORED_SHAPES = frozenset({"BasisCurves", "NurbsCurves", "HermiteCurves", "Points"})


class PlacedPrim(NamedTuple):
    """One drawn occurrence of a prim."""

    prim: Usd.Prim
    world_from_prim: NDArray[np.float64]
    """(4, 4), column vectors."""

    instance: str
    """Which point instance it belongs to, to tell names apart; empty if none."""


def walk(path: Path, stage: Usd.Stage, source: SourceScene) -> Iterator[PlacedPrim]:
    """Every drawn mesh or simple solid.

    Invisible prims and those of guide and proxy purpose are neither drawn nor do they collide.

    Args:
        path: The scene file as the user named it.
        stage: With its payloads loaded.
        source: Receives what is not shown, and variants that do not exist.

    Raises:
        ReadError: If an instancer places itself, or there are more prims or meshes than a scene
            may have.
    """
    predicate = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    tour = _Tour(path, UsdGeom.XformCache(Usd.TimeCode.EarliestTime()), source)
    yield from tour.visit(stage.GetPseudoRoot(), predicate, None, "")
    for kind, count in sorted(tour.ignored.items()):
        source.warnings.append(f"{count} prims of type {kind} are not shown")


class _Tour:
    """One walk over a stage."""

    def __init__(self, path: Path, transforms: UsdGeom.XformCache, source: SourceScene) -> None:
        self._path = path
        self._visited = 0
        self._placed = 0
        self._open_instancers: list[Sdf.Path] = []
        self._transforms = transforms
        self._source = source
        self._time = transforms.GetTime()
        self.ignored: dict[str, int] = {}

    def visit(
        self, root: Usd.Prim, predicate: object, outer: Gf.Matrix4d | None, instance: str
    ) -> Iterator[PlacedPrim]:
        """Walk a subtree; ``outer`` turns stage positions into those of a point instance."""
        prims = iter(Usd.PrimRange(root, predicate))
        for prim in prims:
            self._count_visit(prim)
            if prim.HasVariantSets():
                list_wrong_variants(prim, self._source)
            if self._is_invisible(prim):
                prims.PruneChildren()
            elif prim.IsA(UsdGeom.PointInstancer):
                prims.PruneChildren()
                if _is_drawn(prim):
                    yield from self._instances(prim, outer, instance)
            elif prim.IsA(UsdGeom.Gprim) and not _is_drawn(prim):
                self._note_purpose(prim)
            elif prim.IsA(UsdGeom.Gprim):
                kind = str(prim.GetTypeName())
                if kind in _IGNORED_SHAPES:
                    self.ignored[kind] = self.ignored.get(kind, 0) + 1
                else:
                    self._count_placed(prim)
                    yield PlacedPrim(prim, self._world(prim, outer), instance)

    def _note_purpose(self, prim: Usd.Prim) -> None:
        """List what is only there for another purpose; a proxy of something drawn is no loss."""
        top, purpose = prim, str(UsdGeom.Imageable(prim).ComputePurpose())
        while not UsdGeom.Imageable(top).GetPurposeAttr().HasAuthoredValue() and top.GetParent():
            top = top.GetParent()
        parent = top.GetParent()
        beside = parent.GetChildren() if parent else ()
        if purpose != "proxy" or not any(_renders(other) for other in beside):
            self._source.leave_out_look(f"prims of purpose {purpose}", str(prim.GetPath()))

    def _count_visit(self, prim: Usd.Prim) -> None:
        self._visited += 1
        if self._visited > MAX_PRIMS:
            raise self._error(prim, f"the scene would show more than {MAX_PRIMS:,} prims")

    def _count_placed(self, prim: Usd.Prim) -> None:
        self._placed += 1
        if self._placed > MAX_PLACED_MESHES:
            raise self._error(prim, f"the scene places more than {MAX_PLACED_MESHES:,} meshes")

    def _error(self, prim: Usd.Prim, reason: str) -> ReadError:
        return ReadError(str(self._path), str(prim.GetPath()), reason)

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
        if prim.GetPath() in self._open_instancers:
            raise self._error(prim, "the instancer places itself")
        self._open_instancers.append(prim.GetPath())
        try:
            yield from self._each_instance(prim, outer, instance)
        finally:
            self._open_instancers.pop()

    def _each_instance(
        self, prim: Usd.Prim, outer: Gf.Matrix4d | None, instance: str
    ) -> Iterator[PlacedPrim]:
        instancer = UsdGeom.PointInstancer(prim)
        targets = instancer.GetPrototypesRel().GetForwardedTargets()
        prototypes = [prim.GetStage().GetPrimAtPath(path) for path in targets]
        indices = instancer.GetProtoIndicesAttr().Get(self._time) or ()
        if len(indices) > MAX_PLACED_MESHES:
            raise self._error(prim, f"it places more than {MAX_PLACED_MESHES:,} instances")
        # the mask drops invisible and inactive ids from the matrices but not from the indices
        matrices = instancer.ComputeInstanceTransformsAtTime(
            self._time, self._time, applyMask=UsdGeom.PointInstancer.IgnoreMask
        )
        mask = instancer.ComputeMaskAtTime(self._time)
        is_sound = all(0 <= index < len(prototypes) for index in indices)
        if len(matrices) != len(indices) or not is_sound:
            self._source.leave_out(str(prim.GetPath()), "its instances are inconsistent")
            return
        world = self._transforms.GetLocalToWorldTransform(prim)
        if outer is not None:
            world = world * outer
        # prototypes may be "over" prims, which the default predicate would skip
        predicate = Usd.TraverseInstanceProxies(
            Usd.PrimIsActive & Usd.PrimIsLoaded & ~Usd.PrimIsAbstract
        )
        for number, (index, matrix) in enumerate(zip(indices, matrices, strict=False)):
            prototype = prototypes[index]
            self._count_visit(prim)
            if mask and not mask[number]:
                continue
            if not prototype:
                name = str(prim.GetPath())
                self._source.leave_out(name, f"its prototype {targets[index]} is not there")
                continue
            placed = self._transforms.GetLocalToWorldTransform(prototype).GetInverse()
            yield from self.visit(
                prototype, predicate, placed * matrix * world, f"{instance}[{number}]"
            )


def _renders(prim: Usd.Prim) -> bool:
    if not prim.IsA(UsdGeom.Imageable):
        return False
    return bool(UsdGeom.Imageable(prim).GetPurposeAttr().Get() == UsdGeom.Tokens.render)


def _is_drawn(prim: Usd.Prim) -> bool:
    return str(UsdGeom.Imageable(prim).ComputePurpose()) in _DRAWN_PURPOSES
