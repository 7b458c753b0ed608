"""Which meshes a glTF file shows, and where its tree of nodes puts them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.io.scenes.bounds import MAX_PLACED_MESHES
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.gltf_accessors import accessor_values, width_of
from waypost.io.scenes.gltf_container import Container

_INSTANCING: Final = "EXT_mesh_gpu_instancing"
_INSTANCE_WIDTHS: Final = {"TRANSLATION": 3, "ROTATION": 4, "SCALE": 3}


_STIFF: Final = 1e-4
"""Joints that differ by less of their largest number move everything alike."""


class PlacedMesh(NamedTuple):
    """One use of a mesh by a node."""

    name: str
    mesh: int
    """Index in the file."""

    world_from_mesh: NDArray[np.float64]
    """(4, 4)."""

    weights: tuple[float, ...] = ()
    """How much of each morph target is added; absent ones are 0."""


def placed_meshes(container: Container, source: SourceScene) -> tuple[list[PlacedMesh], str]:
    """Walk the shown scene of a file.

    Args:
        container: The file.
        source: Receives what is hidden and which instances cannot be read.

    Returns:
        Every use of a mesh in the order of the tree, and a sentence about the choice of the
        scene where the file leaves it open (else empty).

    Raises:
        ReadError: If a node has two parents or is among its own children, or a transform is not
            finite.
    """
    header = container.header
    nodes = container.items("nodes")
    roots, note = _roots(header, nodes)
    placed: list[PlacedMesh] = []
    parents: dict[int, int | None] = {}
    stack: list[tuple[int, NDArray[np.float64], int | None]]
    stack = [(root, np.eye(4), None) for root in reversed(roots)]
    while stack:
        index, parent, named_by = stack.pop()
        if index in parents:
            raise container.error(f"nodes[{index}]", _twice(index, named_by, parents))
        parents[index] = named_by
        node = nodes[index]
        extensions = node.get("extensions", {})
        if extensions.get("KHR_node_visibility", {}).get("visible") is False:
            source.leave_out_look("hidden nodes", str(node.get("name") or f"node {index}"))
            continue
        with np.errstate(all="ignore"):
            world = parent @ _local(node)
        if not np.isfinite(world).all():
            raise container.error(f"nodes[{index}]", "its transform is not a finite number")
        if "mesh" in node and "skin" in node:
            placed += _skinned(container, source, index)
        elif "mesh" in node:
            placed += _uses(container, source, index, world)
        children = reversed(node.get("children", []))
        stack += [(child, world, index) for child in children]
    return placed, note


def _uses(
    container: Container, source: SourceScene, index: int, world: NDArray[np.float64]
) -> list[PlacedMesh]:
    """The use of a mesh by a node, or one for each instance of it."""
    node = container.items("nodes")[index]
    mesh = node["mesh"]
    entry = container.items("meshes")[mesh]
    name = _name_of(container, index)
    weights = tuple(node.get("weights") or entry.get("weights", ()))
    instancing = node.get("extensions", {}).get(_INSTANCING)
    if instancing is None:
        return [PlacedMesh(name, mesh, world, weights)]
    matrices = _instances(container, source, name, instancing)
    return [
        PlacedMesh(f"{name}[{at}]", mesh, world @ matrix, weights)
        for at, matrix in enumerate(matrices)
    ]


def _skinned(container: Container, source: SourceScene, index: int) -> list[PlacedMesh]:
    """The use of a mesh that a skeleton places, not its own node, as long as nothing is bent.

    Source:
        Khronos glTF 2.0 specification, section 3.7.3.
    """
    skin = container.items("skins")[container.items("nodes")[index]["skin"]]
    matrices = _world_from_bound(container, skin)
    size = float(np.abs(matrices).max(initial=0.0))
    is_stiff = size > 0 and np.allclose(matrices, matrices[:1], rtol=0.0, atol=_STIFF * size)
    if not is_stiff:
        source.leave_out(_name_of(container, index), "it is bent by a skeleton, which is not read")
        return []
    return _uses(container, source, index, matrices[0])


def _world_from_bound(container: Container, skin: dict[str, Any]) -> NDArray[np.float64]:
    """(J, 4, 4) where each joint takes what hangs from it; none where that cannot be read."""
    nodes = container.items("nodes")
    parents = {child: at for at, node in enumerate(nodes) for child in node.get("children", ())}
    worlds = [_world_of(joint, nodes, parents) for joint in skin.get("joints", ())]
    joints = np.array(worlds).reshape(-1, 4, 4)
    if "inverseBindMatrices" not in skin:
        return joints
    bound = accessor_values(container, skin["inverseBindMatrices"])
    if bound is None or bound.shape[1] != 16 or len(bound) < len(joints):
        return joints[:0]
    with np.errstate(all="ignore"):
        placed = joints @ bound[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
    return placed if np.isfinite(placed).all() else joints[:0]


def _world_of(
    index: int, nodes: list[dict[str, Any]], parents: dict[int, int]
) -> NDArray[np.float64]:
    """(4, 4) of a node, whether it is shown or not."""
    world = np.eye(4)
    for _ in nodes:  # No way up is longer, unless it is a circle.
        with np.errstate(all="ignore"):
            world = _local(nodes[index]) @ world
        if index not in parents:
            break
        index = parents[index]
    return world


def _name_of(container: Container, index: int) -> str:
    """Of an object, by its node or else its mesh."""
    node = container.items("nodes")[index]
    entry = container.items("meshes")[node["mesh"]]
    return str(node.get("name") or entry.get("name") or f"node {index}")


def _twice(index: int, named_by: int | None, parents: dict[int, int | None]) -> str:
    """Why a node cannot be placed once more."""
    above = named_by
    while above is not None:
        if above == index:
            return "the nodes form a circle: it is among its own children"
        above = parents[above]
    first, second = (
        "the scene" if parent is None else f"nodes[{parent}]"
        for parent in (parents[index], named_by)
    )
    both = f"twice by {first}" if first == second else f"by {first} and by {second}"
    return f"is named {both}, and a node has one parent"


def _roots(header: dict[str, Any], nodes: list[dict[str, Any]]) -> tuple[list[int], str]:
    scenes = header.get("scenes", [])
    if not scenes:
        children = {child for node in nodes for child in node.get("children", [])}
        roots = [index for index in range(len(nodes)) if index not in children]
        return roots, "the file has no scenes; all of its nodes are shown"
    note = ""
    if len(scenes) > 1:
        shown = header.get("scene", 0)
        how = "the one it marks" if "scene" in header else "the first, because it marks none"
        note = f"the file has {len(scenes)} scenes; scene {shown} is shown, {how}"
    roots = [int(root) for root in scenes[header.get("scene", 0)].get("nodes", [])]
    return roots, note


def _instances(
    container: Container, source: SourceScene, name: str, extension: dict[str, Any]
) -> list[NDArray[np.float64]]:
    """(4, 4) mesh_from_instance of every instance of a node."""
    attributes = {
        key: index
        for key, index in extension.get("attributes", {}).items()
        if key in _INSTANCE_WIDTHS
    }
    items = container.items("accessors")
    counts = {int(items[index]["count"]) for index in attributes.values()}
    widths_fit = all(
        width_of(items[index]) == _INSTANCE_WIDTHS[key] for key, index in attributes.items()
    )
    if len(counts) != 1 or not widths_fit:
        source.leave_out(name, "its instances are inconsistent")
        return []
    (count,) = counts
    if count > MAX_PLACED_MESHES:
        reason = f"it places more than {MAX_PLACED_MESHES:,} instances"
        raise container.error(name, reason)
    found = {key: accessor_values(container, index) for key, index in attributes.items()}
    values = {key: rows for key, rows in found.items() if rows is not None}
    if len(values) < len(found):
        source.leave_out(name, "its instances lie in a missing buffer")
        return []
    same = (np.zeros((count, 3)), np.tile((0.0, 0.0, 0.0, 1.0), (count, 1)), np.ones((count, 3)))
    moves, turns, sizes = (
        values.get(key, default) for key, default in zip(_INSTANCE_WIDTHS, same, strict=True)
    )
    return [_composed(*parts) for parts in zip(moves, turns, sizes, strict=True)]


def _local(node: dict[str, Any]) -> NDArray[np.float64]:
    """(4, 4) parent_from_node: the matrix, or translation · rotation · scale."""
    if "matrix" in node:
        return np.asarray(node["matrix"], dtype=np.float64).reshape(4, 4).T
    return _composed(
        node.get("translation", (0, 0, 0)),
        node.get("rotation", (0, 0, 0, 1)),
        node.get("scale", (1, 1, 1)),
    )


def _composed(translation: ArrayLike, rotation: ArrayLike, scale: ArrayLike) -> NDArray[np.float64]:
    """(4, 4) translation · rotation · scale; the rotation is (x, y, z, w)."""
    local = np.eye(4)
    x, y, z, w = np.asarray(rotation, dtype=np.float64)
    norm = x * x + y * y + z * z + w * w
    s = 2.0 / norm if norm > 0 else 0.0
    local[:3, :3] = [
        [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
    ]
    local[:3, :3] *= np.asarray(scale, dtype=np.float64)
    local[:3, 3] = np.asarray(translation, dtype=np.float64)
    return local
