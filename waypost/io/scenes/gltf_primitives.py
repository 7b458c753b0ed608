"""Checks what the primitives of a glTF file announce, before anything is decoded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from waypost.io.scenes.bounds import PlacedCount
from waypost.io.scenes.gltf_container import Container
from waypost.io.scenes.gltf_nodes import PlacedMesh

TRIANGLES: Final = 4
STRIP: Final = 5
DRACO: Final = "KHR_draco_mesh_compression"

_INDICES: Final[tuple[int, ...]] = (5121, 5123, 5125)
_NUMBERS: Final[tuple[int, ...]] = (5120, 5121, 5122, 5123, 5126)
"""Floats, and the integers of ``KHR_mesh_quantization``."""


def check_primitives(container: Container, placed: Iterable[PlacedMesh]) -> None:
    """Refuse primitives that are none, and more of them than a scene may have.

    Args:
        container: Whose header has the right types.
        placed: Every use of a mesh.

    Raises:
        ReadError: Naming the primitive, or the node that places too much.
    """
    placing = PlacedCount(container.path)
    amounts: dict[int, list[tuple[int, int]]] = {}
    for entry in placed:
        if entry.mesh not in amounts:
            amounts[entry.mesh] = list(_amounts(container, entry.mesh))
        for triangles, points in amounts[entry.mesh]:
            placing.add(entry.name, triangles, points)


def _amounts(container: Container, mesh: int) -> Iterator[tuple[int, int]]:
    """Triangles and points that each primitive of a mesh announces."""
    for number, data in enumerate(container.items("meshes")[mesh]["primitives"]):
        mode = data.get("mode", TRIANGLES)
        if mode not in (TRIANGLES, STRIP):
            continue
        place = f"meshes[{mesh}].primitives[{number}]"
        points = _check_kinds(container, data, place)
        corners = points
        if "indices" in data:
            corners = container.items("accessors")[data["indices"]]["count"]
        if mode == TRIANGLES and corners % 3:
            reason = f"{corners:,} corners are no whole number of triangles"
            raise container.error(f"{place}.indices", reason)
        yield (corners // 3 if mode == TRIANGLES else max(0, corners - 2)), points


def _check_kinds(container: Container, data: dict[str, Any], place: str) -> int:
    """Refuse accessors of another kind than their use asks for; returns the number of points."""
    accessors = container.items("accessors")
    attributes = data["attributes"]
    if "POSITION" not in attributes:
        raise container.error(f"{place}.attributes", "there is no POSITION")
    wanted = [("attributes.POSITION", attributes["POSITION"], "VEC3", _NUMBERS)]
    wanted += [
        (f"attributes.{name}", index, "VEC2", _NUMBERS)
        for name, index in attributes.items()
        if name.startswith("TEXCOORD_")
    ]
    if "indices" in data:
        wanted.append(("indices", data["indices"], "SCALAR", _INDICES))
    for name, index, kind, components in wanted:
        accessor = accessors[index]
        if accessor["type"] != kind or accessor["componentType"] not in components:
            found = f"{accessor['type']} of component type {accessor['componentType']}"
            raise container.error(f"{place}.{name}", f"accessors[{index}] is {found}, not {kind}")
    draco = data.get("extensions", {}).get(DRACO)
    if draco is not None and "POSITION" not in draco["attributes"]:
        raise container.error(f"{place}.extensions", "its Draco data have no POSITION")
    count: int = accessors[attributes["POSITION"]]["count"]
    return count
