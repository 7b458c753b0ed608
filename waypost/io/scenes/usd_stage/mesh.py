"""Triangles and texture coordinates of one USD prim, split by material."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pxr import Sdf, Usd, UsdGeom, UsdPhysics, UsdShade

from waypost.geometry.triangulate import triangulate
from waypost.io.scenes.color_numbers import srgb_bytes
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.usd_stage.solids import solid_triangles, unusable_measure

DISPLAY_COLOR = "displayColor"
_USUAL_UV_NAMES = ("st", "UVMap", "st0", "st_0", "uv", "map1", "UVChannel_0")


_Number = TypeVar("_Number", bound=np.generic)


@dataclass(slots=True)
class MeshPart:
    """The triangles of a prim that share one material."""

    material_prim: Usd.Prim
    """The mesh or the subset that carries the binding; it also names the part."""

    points: NDArray[np.float64]
    """(V, 3) in the prim's own space."""

    faces: NDArray[np.int32]
    """(F, 3) as authored; mirrored if ``is_left_handed``."""

    rows: Mapping[str, NDArray[np.int64]]
    """Interpolation → (V,) the authored value that each vertex takes."""

    mesh: Usd.Prim
    time: Usd.TimeCode
    is_left_handed: bool
    is_collider: bool

    @property
    def display_color(self) -> tuple[float, float, float] | None:
        """The one colour of the mesh; ``None`` if it has none or many."""
        return _display_color(self.mesh, self.time)

    @property
    def display_opacity(self) -> float:
        """The mean of all."""
        return _display_opacity(self.mesh, self.time)

    def colors(self, wanted: str) -> NDArray[np.uint8] | None:
        """(V, 3) sRGB of a primvar of linear colours; ``None`` if there are none."""
        primvar = UsdGeom.PrimvarsAPI(self.mesh).FindPrimvarWithInheritance(wanted)
        if not primvar or not primvar.HasValue() or not _is_color(primvar):
            return None
        found = np.array(primvar.ComputeFlattened(self.time) or (), dtype=np.float64)
        if found.size % 3:
            return None
        spread = self._spread(found.reshape(-1, 3), str(primvar.GetInterpolation()))
        return None if spread is None else srgb_bytes(spread)

    def uvs(self, wanted: str | None) -> NDArray[np.float32] | None:
        """(V, 2) texture coordinates, v = 0 at the bottom row; ``None`` if there are none.

        Args:
            wanted: Name of the primvar the material reads; the usual ones are tried after it.
        """
        found = _find_uvs(self.mesh, wanted)
        if found is None:
            return None
        values, interpolation = _values(found, self.time)
        return self._spread(values, interpolation)

    def _spread(self, values: NDArray[_Number], interpolation: str) -> NDArray[_Number] | None:
        """The value of each vertex; ``None`` if there are too few."""
        rows = self.rows.get(interpolation)
        if rows is None:  # constant: one value for all
            rows = np.zeros(len(self.points), dtype=np.int64)
        if not len(values) or not len(rows) or rows.max() >= len(values):
            return None
        return values[rows]


def mesh_parts(prim: Usd.Prim, time: Usd.TimeCode, source: SourceScene) -> Iterator[MeshPart]:
    """The parts of a mesh or simple solid.

    Args:
        prim: A drawn Gprim.
        time: When to read it.
        source: Receives what is left out.
    """
    if not prim.IsA(UsdGeom.Mesh) and (reason := unusable_measure(prim, time)):
        source.leave_out(str(prim.GetPath()), reason)
        return
    solid = solid_triangles(prim, time)
    if solid is not None:
        points, faces = solid
        corners = faces.reshape(-1).astype(np.int64)
        triangles = np.arange(len(corners), dtype=np.int64).reshape(-1, 3)
        every = np.repeat(np.arange(len(faces), dtype=np.int64), 3).reshape(-1, 3)
        yield _part(prim, prim, time, points, corners, triangles, every[:, 0])
        return
    if not prim.IsA(UsdGeom.Mesh):
        source.leave_out(str(prim.GetPath()), f"surfaces of type {prim.GetTypeName()} are not read")
        return
    yield from _parts_of_mesh(UsdGeom.Mesh(prim), time, source)


def _parts_of_mesh(
    mesh: UsdGeom.Mesh, time: Usd.TimeCode, source: SourceScene
) -> Iterator[MeshPart]:
    prim = mesh.GetPrim()
    arrays = _arrays_of(mesh, time)
    if isinstance(arrays, str):
        source.leave_out(str(prim.GetPath()), arrays)
        return
    points, counts, indices = arrays
    if not len(points) or not len(indices):
        return
    is_sound = (
        counts.min(initial=0) >= 0
        and int(counts.sum()) == len(indices)
        and int(indices.min()) >= 0
        and int(indices.max()) < len(points)
    )
    if not is_sound:
        source.leave_out(str(prim.GetPath()), "its faces name points that are not there")
        return
    triangles, face_of = triangulate(points, counts, indices)
    is_kept = np.ones(len(counts), dtype=np.bool_)
    holes = np.array(mesh.GetHoleIndicesAttr().Get(time) or (), dtype=np.int64)
    is_kept[holes[(holes >= 0) & (holes < len(counts))]] = False
    for subset, faces in _split(mesh, len(counts), time):
        is_chosen = np.zeros(len(counts), dtype=np.bool_)
        is_chosen[faces] = True
        chosen = (is_chosen & is_kept)[face_of]
        if chosen.any():
            yield _part(prim, subset, time, points, indices, triangles[chosen], face_of[chosen])


_MeshArrays = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


def _arrays_of(mesh: UsdGeom.Mesh, time: Usd.TimeCode) -> _MeshArrays | str:
    """Points, counts and indices of a mesh; why not, where a file gives them another type."""
    points = np.asarray(mesh.GetPointsAttr().Get(time) or np.empty((0, 3)))
    if points.dtype.kind != "f" or points.ndim != 2 or points.shape[1] != 3:
        return f"its points are {_typed_as(mesh.GetPointsAttr())}, not positions"
    whole = []
    for attribute in (mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr()):
        values = np.asarray(attribute.Get(time) or np.empty(0, dtype=np.int64))
        if values.dtype.kind not in "iu" or values.ndim != 1:
            return f"its {attribute.GetName()} are {_typed_as(attribute)}, not whole numbers"
        whole.append(values.astype(np.int64))
    return points.astype(np.float64), whole[0], whole[1]


def _typed_as(attribute: Usd.Attribute) -> str:
    """The type that the file itself gives an attribute of another type."""
    specs = attribute.GetPropertyStack(Usd.TimeCode.Default())
    return str(specs[0].typeName) if specs else str(attribute.GetTypeName())


def _split(
    mesh: UsdGeom.Mesh, face_count: int, time: Usd.TimeCode
) -> Iterator[tuple[Usd.Prim, NDArray[np.int64]]]:
    """Prims that bind a material, with their faces; the mesh itself takes what is left."""
    rest = np.ones(face_count, dtype=np.bool_)
    for subset in UsdShade.MaterialBindingAPI(mesh.GetPrim()).GetMaterialBindSubsets():
        faces = np.array(subset.GetIndicesAttr().Get(time) or (), dtype=np.int64)
        faces = faces[(faces >= 0) & (faces < face_count)]
        faces = faces[rest[faces]]
        rest[faces] = False
        yield subset.GetPrim(), faces
    yield mesh.GetPrim(), np.flatnonzero(rest)


def _part(
    prim: Usd.Prim,
    subset: Usd.Prim,
    time: Usd.TimeCode,
    points: NDArray[np.float64],
    indices: NDArray[np.int64],
    triangles: NDArray[np.int64],
    face_of: NDArray[np.int64],
) -> MeshPart:
    flat = triangles.reshape(-1)
    tokens = UsdGeom.Tokens
    rows: dict[str, NDArray[np.int64]] = {}
    if _needs_corners(prim):
        used, numbers = _numbered(flat, len(indices))
        point_of = indices[used]
        face_of_corner = np.zeros(len(indices), dtype=np.int64)
        face_of_corner[flat] = np.repeat(face_of, 3)
        rows = {tokens.faceVarying: used, tokens.uniform: face_of_corner[used]}
    else:
        point_of, numbers = _numbered(indices[flat], len(points))
    rows |= {tokens.vertex: point_of, tokens.varying: point_of}
    gprim = UsdGeom.Gprim(prim)
    return MeshPart(
        material_prim=subset,
        points=points[point_of],
        faces=numbers.reshape(-1, 3).astype(np.int32),
        rows=rows,
        mesh=prim,
        time=time,
        is_left_handed=gprim.GetOrientationAttr().Get(time) == UsdGeom.Tokens.leftHanded,
        is_collider=_is_collider(prim),
    )


def _numbered(
    chosen: NDArray[np.int64], amount: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different numbers below ``amount``, ascending, and the place of each one there.

    The same as ``numpy.unique`` with its inverse, without sorting.
    """
    is_used = np.zeros(amount, dtype=np.bool_)
    is_used[chosen] = True
    return np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[chosen]


def _needs_corners(prim: Usd.Prim) -> bool:
    """Whether a texture coordinate or a colour changes between the faces at one point."""
    return any(
        primvar.GetInterpolation() in (UsdGeom.Tokens.faceVarying, UsdGeom.Tokens.uniform)
        for primvar in UsdGeom.PrimvarsAPI(prim).FindPrimvarsWithInheritance()
        if _is_uv(primvar) or (primvar.HasValue() and _is_color(primvar))
    )


def _find_uvs(prim: Usd.Prim, wanted: str | None) -> UsdGeom.Primvar | None:
    found = {
        str(primvar.GetPrimvarName()): primvar
        for primvar in UsdGeom.PrimvarsAPI(prim).FindPrimvarsWithInheritance()
        if _is_uv(primvar)
    }
    names = [wanted] if wanted else []
    return next((found[name] for name in (*names, *_USUAL_UV_NAMES, *found) if name in found), None)


def _is_uv(primvar: UsdGeom.Primvar) -> bool:
    kinds = (
        Sdf.ValueTypeNames.TexCoord2fArray,
        Sdf.ValueTypeNames.TexCoord2dArray,
        Sdf.ValueTypeNames.TexCoord2hArray,
        Sdf.ValueTypeNames.Float2Array,
    )
    return primvar.HasValue() and primvar.GetTypeName() in kinds


def _is_color(primvar: UsdGeom.Primvar) -> bool:
    names = Sdf.ValueTypeNames
    return primvar.GetTypeName() in (
        names.Color3fArray,
        names.Color3dArray,
        names.Color3hArray,
        names.Float3Array,
        names.Color3f,
        names.Color3d,
    )


def _values(primvar: UsdGeom.Primvar, time: Usd.TimeCode) -> tuple[NDArray[np.float32], str]:
    """(N, 2) values with indices resolved, and how they are spread over the mesh."""
    values = np.array(primvar.ComputeFlattened(time) or (), dtype=np.float32).reshape(-1, 2)
    return values, str(primvar.GetInterpolation())


def _is_collider(prim: Usd.Prim) -> bool:
    """False only where the stage says so; a scene without physics is solid."""
    if not prim.HasAPI(UsdPhysics.CollisionAPI):
        return True
    return UsdPhysics.CollisionAPI(prim).GetCollisionEnabledAttr().Get() is not False


def _display_color(prim: Usd.Prim, time: Usd.TimeCode) -> tuple[float, float, float] | None:
    primvar = UsdGeom.PrimvarsAPI(prim).FindPrimvarWithInheritance(DISPLAY_COLOR)
    if not primvar or not primvar.HasValue():
        return None
    values = np.array(primvar.Get(time) or (), dtype=np.float64).reshape(-1)
    if values.size != 3:
        return None
    red, green, blue = values
    return (float(red), float(green), float(blue))


def _display_opacity(prim: Usd.Prim, time: Usd.TimeCode) -> float:
    primvar = UsdGeom.PrimvarsAPI(prim).FindPrimvarWithInheritance("displayOpacity")
    if not primvar or not primvar.HasValue():
        return 1.0
    values = np.array(primvar.Get(time) or (), dtype=np.float64)
    return float(np.clip(values, 0.0, 1.0).mean()) if values.size else 1.0
