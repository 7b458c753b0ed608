"""Which meshes a glTF file shows, and where its tree of nodes puts them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.io.scenes.gltf_container import Container


class PlacedMesh(NamedTuple):
    """One use of a mesh by a node."""

    name: str
    mesh: int
    """Index in the file."""

    world_from_mesh: NDArray[np.float64]
    """(4, 4)."""


def placed_meshes(container: Container) -> tuple[list[PlacedMesh], str]:
    """Walk the shown scene of a file.

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
        with np.errstate(all="ignore"):
            world = parent @ _local(node)
        if not np.isfinite(world).all():
            raise container.error(f"nodes[{index}]", "its transform is not a finite number")
        if "mesh" in node:
            mesh = node["mesh"]
            fallback = header["meshes"][mesh].get("name") or f"node {index}"
            placed.append(PlacedMesh(str(node.get("name") or fallback), mesh, world))
        children = reversed(node.get("children", []))
        stack += [(child, world, index) for child in children]
    return placed, note


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


def _local(node: dict[str, Any]) -> NDArray[np.float64]:
    """(4, 4) parent_from_node: the matrix, or translation · rotation · scale."""
    if "matrix" in node:
        return np.asarray(node["matrix"], dtype=np.float64).reshape(4, 4).T
    local = np.eye(4)
    x, y, z, w = np.asarray(node.get("rotation", (0, 0, 0, 1)), dtype=np.float64)
    norm = x * x + y * y + z * z + w * w
    s = 2.0 / norm if norm > 0 else 0.0
    local[:3, :3] = [
        [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
    ]
    local[:3, :3] *= np.asarray(node.get("scale", (1, 1, 1)), dtype=np.float64)
    local[:3, 3] = np.asarray(node.get("translation", (0, 0, 0)), dtype=np.float64)
    return local
