"""Read glTF: the header is interpreted here, trimesh decodes the buffers."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import trimesh.exchange.gltf
from numpy.typing import NDArray

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress
from waypost.domain.scene.scene import AssetKind, MissingAsset
from waypost.geometry.transform import SQUASHED, is_squashed, transform_points
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.bounds import (
    MAX_DRACO_TRIANGLES_PER_BYTE,
    MAX_UNBACKED_NUMBERS,
)
from waypost.io.scenes.color_numbers import srgb_bytes
from waypost.io.scenes.draco_header import draco_counts
from waypost.io.scenes.format import SourceMesh, SourceScene
from waypost.io.scenes.gltf_accessors import (
    accessor_values,
    check_bytes,
    expand_sparse,
    scale_of,
    width_of,
)
from waypost.io.scenes.gltf_container import (
    Container,
    open_container,
    optional_extension_warnings,
)
from waypost.io.scenes.gltf_materials import GltfMaterials, MaterialUvs
from waypost.io.scenes.gltf_meshopt import without_meshopt
from waypost.io.scenes.gltf_nodes import PlacedMesh, placed_meshes
from waypost.io.scenes.gltf_primitives import DRACO, STRIP, TRIANGLES, check_primitives
from waypost.io.scenes.gltf_texture_uvs import UvSource

_UV_ATTRIBUTE = "_WAYPOST_UV"
_LIGHT_UV_ATTRIBUTE = "_WAYPOST_LIGHT_UV"
_COLOR_ATTRIBUTE = "_WAYPOST_COLOR"
_COLOR_KINDS = (5121, 5123, 5126)
_SHAPELESS = {0: "points", 1: "lines", 2: "lines", 3: "lines"}


class _Primitive(NamedTuple):
    """A decoded primitive in the coordinates of its mesh."""

    points: NDArray[np.float64]
    faces: NDArray[np.int32]
    uvs: NDArray[np.float32] | None
    material_index: int | None
    material_name: str
    colors: NDArray[np.uint8] | None
    light_uvs: NDArray[np.float32] | None
    is_flat: bool
    morph_targets: tuple[NDArray[np.float64] | None, ...]
    """(V, 3) what each adds to the points; ``None`` where it does not move them."""

    def morphed(self, weights: tuple[float, ...]) -> NDArray[np.float64]:
        """(V, 3) the points with that much of each morph target added."""
        points = self.points
        for weight, target in zip(weights, self.morph_targets, strict=False):
            if weight and target is not None and len(target) == len(points):
                points = points + weight * target
        return points


def read_gltf(path: Path, access: AssetAccess) -> Generator[Progress, None, SourceScene]:
    """Read a ``.glb`` or ``.gltf`` file.

    Raises:
        ReadError: If it cannot be used; see ``open_scene``.
    """
    yield Progress(0, 0, f"Reading {path.name}")
    packed, kind, oddities = open_container(path, access)
    container = without_meshopt(packed)
    check_bytes(container)
    source = SourceScene(kind, "Y", 1.0)
    source.warnings += [*oddities, *optional_extension_warnings(container.header)]
    yield from _read_parts(path, container, source)
    return source


def _read_parts(
    path: Path, container: Container, source: SourceScene
) -> Generator[Progress, None, None]:
    placed, scene_note = placed_meshes(container, source)
    if scene_note:
        source.warnings.append(scene_note)
    if not placed:
        hidden = "; all of them are hidden" if source.not_shown else ""
        raise ReadError(str(path), "nodes", f"there is no mesh to show{hidden}")
    check_primitives(container, placed)
    materials = GltfMaterials(container, source)
    wanted = {entry.mesh for entry in placed}
    primitives = _decode(container, source, materials, wanted)
    decoded: dict[int, list[_Primitive]] = {}
    for mesh, primitive in primitives:
        decoded.setdefault(mesh, []).append(primitive)
        done = f"mesh {len(decoded):,} of {len(wanted):,}"
        yield Progress(len(decoded), len(wanted), f"Unpacking {path.name}: {done}")
    for number, entry in enumerate(placed, start=1):
        source.meshes += _place(entry, decoded.get(entry.mesh, []), source)
        done = f"object {number:,} of {len(placed):,}"
        yield Progress(number, len(placed), f"Reading {path.name}: {done}")
    if materials.reduced_count:
        source.warnings.append(f"{materials.reduced_count} large textures are shown reduced")


def _decode(
    container: Container,
    source: SourceScene,
    materials: GltfMaterials,
    wanted: set[int],
) -> Iterator[tuple[int, _Primitive]]:
    """Every triangle primitive of the wanted meshes, with the index of its mesh."""
    header, order = _decodable(container, source, materials, wanted)
    if not order:
        return
    buffers = _Buffers(container, header)
    loaded = trimesh.exchange.gltf.load_gltf(
        io.BytesIO(json.dumps(header).encode()), resolver=buffers, skip_materials=True
    )
    geometries = list(loaded["geometry"].values())
    for (mesh, data), geometry in zip(order, geometries, strict=True):
        yield mesh, _primitive(container, materials, data, geometry)


class _Buffers:
    """Hands the buffers of a container to trimesh by the names given in ``_decodable``.

    Making one adds buffers to the header in place of sparse accessors.
    """

    def __init__(self, container: Container, header: dict[str, Any]) -> None:
        self._data = {f"buffer-{i}": data or b"" for i, data in enumerate(container.buffers)}
        self._data |= expand_sparse(container, header)

    def __getitem__(self, name: str) -> bytes:
        return self._data[name]


def _decodable(
    container: Container,
    source: SourceScene,
    materials: GltfMaterials,
    wanted: set[int],
) -> tuple[dict[str, Any], list[tuple[int, dict[str, Any]]]]:
    """A header with only what trimesh has to decode, and its primitives in order."""
    header: dict[str, Any] = {
        key: copy.deepcopy(container.header.get(key, []))
        for key in ("buffers", "bufferViews", "accessors")
    }
    header["asset"] = {"version": "2.0"}
    header["meshes"] = []
    for index, buffer in enumerate(header["buffers"]):
        buffer["uri"] = f"buffer-{index}"
    order: list[tuple[int, dict[str, Any]]] = []
    for index in sorted(wanted):
        mesh = container.items("meshes")[index]
        for data in mesh["primitives"]:
            name = str(mesh.get("name") or f"mesh {index}")
            slim = _slim(container, source, materials, data, name)
            if slim is not None:
                header["meshes"].append({"primitives": [slim]})
                order.append((index, data))
    _drop_missing_views(container, header)
    _drop_unbacked(container, header)
    return header, order


def _slim(
    container: Container,
    source: SourceScene,
    materials: GltfMaterials,
    data: dict[str, Any],
    name: str,
) -> dict[str, Any] | None:
    """A primitive reduced to positions, colours, coordinates of its textures, and triangles."""
    mode = data.get("mode", TRIANGLES)
    if mode in _SHAPELESS:
        source.warnings.append(f"{name} has {_SHAPELESS[mode]}, which are not shown")
        return None
    if mode not in (TRIANGLES, STRIP):
        source.leave_out(name, "its triangle fans are not read")
        return None
    if _is_buffer_missing(container, source, data, name):
        return None
    # trimesh drops plain coordinates and colours where it skips the material
    wanted = {_UV_ATTRIBUTE: "TEXCOORD_0", _COLOR_ATTRIBUTE: "COLOR_0"}
    if "material" in data:
        uvs = materials.uvs(data["material"])
        wanted[_UV_ATTRIBUTE] = f"TEXCOORD_{uvs.main.uv_set}"
        if uvs.light is not None:
            wanted[_LIGHT_UV_ATTRIBUTE] = f"TEXCOORD_{uvs.light.uv_set}"
    if not _has_usable_colors(container, source, data, name):
        del wanted[_COLOR_ATTRIBUTE]
    given = {ours: theirs for ours, theirs in wanted.items() if theirs in data["attributes"]}
    slim: dict[str, Any] = {"mode": mode, "attributes": {}}
    for ours, theirs in {"POSITION": "POSITION", **given}.items():
        slim["attributes"][ours] = data["attributes"][theirs]
    if "indices" in data:
        slim["indices"] = data["indices"]
    draco = data.get("extensions", {}).get(DRACO)
    if draco is not None:
        packed = draco["attributes"]
        kept = {"POSITION": packed["POSITION"]}
        kept |= {ours: packed[theirs] for ours, theirs in given.items() if theirs in packed}
        slim["extensions"] = {DRACO: {"bufferView": draco["bufferView"], "attributes": kept}}
    return slim


def _has_usable_colors(
    container: Container, source: SourceScene, data: dict[str, Any], name: str
) -> bool:
    """Whether a primitive has vertex colours that can be shown; else it is said if it has any."""
    if "COLOR_0" not in data["attributes"]:
        return False
    accessor = container.items("accessors")[data["attributes"]["COLOR_0"]]
    is_usable = accessor["type"] in ("VEC3", "VEC4") and accessor["componentType"] in _COLOR_KINDS
    if not is_usable:
        found = f"{accessor['type']} of component type {accessor['componentType']}"
        source.warnings.append(f"{name} is shown without its vertex colours, which are {found}")
    if "COLOR_1" in data["attributes"]:
        source.leave_out_look("second sets of vertex colours", name)
    return is_usable


def _is_buffer_missing(
    container: Container, source: SourceScene, data: dict[str, Any], name: str
) -> bool:
    """Whether a buffer that a primitive needs is not to be had; it is listed then."""
    draco = data.get("extensions", {}).get(DRACO)
    if draco is not None:
        views = [draco["bufferView"]]
    else:
        accessors = [data["attributes"]["POSITION"]]
        accessors += [data["indices"]] if "indices" in data else []
        items = [container.items("accessors")[index] for index in accessors]
        views = [item["bufferView"] for item in items if "bufferView" in item]
    is_missing = False
    for index in {container.items("bufferViews")[view]["buffer"]: None for view in views}:
        uri = container.items("buffers")[index].get("uri")
        is_there = uri is None or container.is_there(source, uri, name, AssetKind.GEOMETRY)
        if container.buffers[index] is None:
            is_missing = True
            if is_there:
                what = f"buffer {index}" if uri is None else uri
                reason = "is not in the file" if uri is None else "cannot be read"
                source.add_missing(MissingAsset(what, name, AssetKind.GEOMETRY, reason))
    return is_missing


def _drop_missing_views(container: Container, header: dict[str, Any]) -> None:
    """Empty what lies in missing buffers, so that the rest can be decoded."""
    for view in header["bufferViews"]:
        if container.buffers[view["buffer"]] is None:
            view.update(byteOffset=0, byteLength=0)
            view.pop("byteStride", None)
    for accessor in header["accessors"]:
        view_index = accessor.get("bufferView")
        if view_index is not None and not header["bufferViews"][view_index]["byteLength"]:
            accessor.pop("bufferView")
            accessor["count"] = 0


def _drop_unbacked(container: Container, header: dict[str, Any]) -> None:
    """Empty the accessors that nothing reads or that Draco data fill; bound what is left as zeros.

    Raises:
        ReadError: If the accessors announce more zeros than a scene may have, or Draco data more
            than their bytes can hold.
    """
    read: set[int] = set()
    for mesh in header["meshes"]:
        for data in mesh["primitives"]:
            named = {
                *data["attributes"].values(),
                *([data["indices"]] if "indices" in data else []),
            }
            draco = data.get("extensions", {}).get(DRACO)
            if draco is None:
                read |= named
            else:
                filled = {data["attributes"][name] for name in draco["attributes"]}
                read |= named - filled - {data.get("indices")}
                _check_draco(container, draco["bufferView"])
    zeros = 0
    for index, accessor in enumerate(header["accessors"]):
        if index not in read:
            accessor.pop("bufferView", None)
            accessor.pop("sparse", None)
            accessor["count"] = 0
        elif "bufferView" not in accessor:
            zeros += accessor["count"] * width_of(accessor)
            if zeros > MAX_UNBACKED_NUMBERS:
                reason = f"more than {MAX_UNBACKED_NUMBERS:,} values are announced without bytes"
                raise container.error(f"accessors[{index}].count", reason)


def _check_draco(container: Container, view: int) -> None:
    data = container.view(view) or b""
    try:
        counts = draco_counts(data)
    except IndexError:
        raise container.error(f"bufferViews[{view}]", "the Draco data are cut off") from None
    if counts is None:
        return
    most = len(data) * MAX_DRACO_TRIANGLES_PER_BYTE
    if max(counts) > most:
        most_said = f"{max(counts):,} triangles or points"
        reason = f"{len(data):,} bytes of Draco data announce {most_said}"
        raise container.error(f"bufferViews[{view}]", reason)


def _primitive(
    container: Container,
    materials: GltfMaterials,
    data: dict[str, Any],
    geometry: dict[str, Any],
) -> _Primitive:
    accessors = container.items("accessors")
    position = accessors[data["attributes"]["POSITION"]]
    points = np.asarray(geometry["vertices"], dtype=np.float64) * scale_of(position)
    draco = data.get("extensions", {}).get(DRACO)
    if draco is not None and not len(points):
        # trimesh goes on where its decoder fails
        raise container.error(
            f"bufferViews[{draco['bufferView']}]", "the Draco data of a mesh cannot be decoded"
        )
    faces = np.asarray(geometry["faces"], dtype=np.int64).astype(np.int32).reshape(-1, 3)
    material = data.get("material")
    attributes = geometry.get("vertex_attributes", {})

    def values(ours: str, theirs: str) -> NDArray[np.float64] | None:
        raw = attributes.get(ours)
        if raw is None or len(raw) != len(points):
            return None
        return np.asarray(raw, dtype=np.float64) * scale_of(accessors[data["attributes"][theirs]])

    main, light = MaterialUvs(UvSource(), None) if material is None else materials.uvs(material)
    stored = values(_UV_ATTRIBUTE, f"TEXCOORD_{main.uv_set}")
    lit = None if light is None else values(_LIGHT_UV_ATTRIBUTE, f"TEXCOORD_{light.uv_set}")
    colors = values(_COLOR_ATTRIBUTE, "COLOR_0")
    if colors is not None:
        materials.note_vertex_alpha(material, colors)
    name = ""
    index = None
    if material is not None:
        index = materials.index_of(material)
        name = str(container.items("materials")[material].get("name") or material)
    return _Primitive(
        points,
        faces,
        None if stored is None else main.placed(stored),
        index,
        name,
        None if colors is None else srgb_bytes(colors[:, :3]),
        None if light is None or lit is None else light.placed(lit),
        "NORMAL" not in data["attributes"],
        tuple(
            accessor_values(container, target["POSITION"]) if "POSITION" in target else None
            for target in data.get("targets", ())
        ),
    )


def _place(
    entry: PlacedMesh, primitives: list[_Primitive], source: SourceScene
) -> list[SourceMesh]:
    matrix = entry.world_from_mesh
    if not matrix[:3, :3].any():  # section 3.6.3.2 of glTF 2.0: how files hide an object
        source.leave_out_look("objects scaled to nothing", entry.name)
        return []
    with np.errstate(all="ignore"):
        is_mirrored = bool(np.linalg.det(matrix[:3, :3]) < 0)
    meshes = []
    for number, primitive in enumerate(primitives):
        with np.errstate(all="ignore"):  # what is not finite is refused when all is put together
            shape = primitive.morphed(entry.weights)
            points = transform_points(shape, matrix[:3, :3], matrix[:3, 3])
        faces = primitive.faces[:, ::-1] if is_mirrored else primitive.faces
        name = entry.name
        if len(primitives) > 1:
            name += f"/{primitive.material_name or number}"
        if is_squashed(matrix[:3, :3], primitive.points):
            source.leave_out(name, SQUASHED)
            continue
        meshes.append(
            SourceMesh(
                name,
                points,
                faces,
                primitive.uvs,
                primitive.material_index,
                colors=primitive.colors,
                light_uvs=primitive.light_uvs,
                is_flat=primitive.is_flat,
            )
        )
    return meshes
