"""Wrong glTF headers that are still glTF: indices, counts, strides, cycles, shared children."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from faults.fuzz.value_mutation import NUMBERS, junk, mutate_value

_INDEXED = (
    "bufferView", "indices", "POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0", "mesh", "material",
    "source", "sampler", "index", "buffer", "scene", "skin", "camera",
)  # fmt: skip
_SIZED = ("count", "byteOffset", "byteLength", "byteStride", "componentType", "mode")
_COMPONENTS = (5120, 5121, 5122, 5123, 5125, 5126, 5130, 0)
_TYPES = ("SCALAR", "VEC2", "VEC3", "VEC4", "MAT4", "MAT2", "vec3", "", "VEC9")
_URIS = (
    "data:application/octet-stream;base64,AAAA", "data:,", "data:image/png;base64,####",
    "../outside.bin", "/etc/passwd", "/dev/zero", "file:///etc/passwd", "http://127.0.0.1:9/a.bin",
    ".", "", "missing.bin", "a\nb", "%00", "%2e%2e/outside.bin",
)  # fmt: skip


def mutate_gltf(rng: random.Random, header: Any) -> Any:
    """A header with one to three faults; half of them any wrong value, half glTF's own."""
    if rng.random() < 0.4:
        return mutate_value(rng, header)
    header = copy.deepcopy(header)
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(_CHANGES)(rng, header)
    return header


def _members(value: Any, names: tuple[str, ...], found: list[tuple[Any, str]]) -> None:
    if isinstance(value, dict):
        found.extend((value, name) for name in names if name in value)
        for item in value.values():
            _members(item, names, found)
    elif isinstance(value, list):
        for item in value:
            _members(item, names, found)


def _change_member(
    rng: random.Random, header: Any, names: tuple[str, ...], values: tuple[Any, ...]
) -> None:
    found: list[tuple[Any, str]] = []
    _members(header, names, found)
    if found:
        holder, name = rng.choice(found)
        old = holder[name] if isinstance(holder[name], int) else 0
        holder[name] = rng.choice((*values, old + 1, old - 1, old * 2))


def _index(rng: random.Random, header: Any) -> None:
    _change_member(rng, header, _INDEXED, (0, 1, 2, 3, 4, -1, 1000, 2**31, 1.0, "0", True, None))


def _size(rng: random.Random, header: Any) -> None:
    _change_member(rng, header, _SIZED, (*NUMBERS, *_COMPONENTS))


def _kind(rng: random.Random, header: Any) -> None:
    _change_member(rng, header, ("type",), _TYPES)


def _uri(rng: random.Random, header: Any) -> None:
    entries = [
        entry
        for key in ("buffers", "images")
        for entry in header.get(key) or ()
        if isinstance(entry, dict)
    ]
    if entries:
        rng.choice(entries)["uri"] = rng.choice(_URIS)


def _nodes(header: Any) -> list[Any]:
    nodes = header.get("nodes")
    return [node for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []


def _children(rng: random.Random, header: Any) -> None:
    """Cycles, children of two parents, doubled children, children that are not there."""
    nodes = _nodes(header)
    if nodes:
        highest = len(nodes) + 1
        rng.choice(nodes)["children"] = [rng.randrange(highest) for _ in range(rng.randint(1, 4))]


def _tower(rng: random.Random, header: Any) -> None:
    """Nodes that name the next one twice, or once, far down."""
    nodes = header.get("nodes")
    if isinstance(nodes, list):
        first, height = len(nodes), rng.choice((5, 40, 3000))
        each = rng.choice((1, 2))
        nodes += [{"children": [first + n + 1] * each} for n in range(height)]
        nodes.append({"mesh": 0})
        scenes = header.get("scenes")
        if isinstance(scenes, list) and scenes and isinstance(scenes[0], dict):
            scenes[0]["nodes"] = [first]


def _transform(rng: random.Random, header: Any) -> None:
    nodes = _nodes(header)
    if nodes:
        name, length = rng.choice(
            (("matrix", 16), ("translation", 3), ("rotation", 4), ("scale", 3), ("matrix", 15))
        )
        values = [rng.choice((0, 1, -1, 2, *NUMBERS)) for _ in range(length)]
        rng.choice(nodes)[name] = values if rng.random() < 0.9 else junk(rng)


def _sparse(rng: random.Random, header: Any) -> None:
    accessors = header.get("accessors")
    if isinstance(accessors, list) and accessors and isinstance(accessors[0], dict):
        entry = rng.choice(accessors)
        entry["sparse"] = {
            "count": rng.choice((1, 2, 10**6, -1, 2**40)),
            "indices": {"bufferView": rng.randrange(3), "componentType": rng.choice(_COMPONENTS)},
            "values": {"bufferView": rng.randrange(3)},
        }
        if rng.random() < 0.5:
            entry.pop("bufferView", None)


def _extension(rng: random.Random, header: Any) -> None:
    name = rng.choice(
        (
            "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_transform",
            "EXT_mesh_gpu_instancing", "KHR_node_visibility", "KHR_materials_emissive_strength",
            "KHR_mesh_quantization", "EXT_texture_webp", "KHR_texture_basisu", "NONE_such",
        )
    )  # fmt: skip
    places: list[Any] = [header, *_nodes(header)]
    for key in ("meshes", "materials", "textures", "bufferViews"):
        found = header.get(key)
        places += [p for p in found if isinstance(p, dict)] if isinstance(found, list) else []
    value = rng.choice(({}, {"bufferView": 0, "attributes": {"POSITION": 0}}, {"visible": 0}, None))
    rng.choice(places)["extensions"] = {name: value if rng.random() < 0.7 else junk(rng)}
    if rng.random() < 0.3:
        header[rng.choice(("extensionsRequired", "extensionsUsed"))] = [name]


_CHANGES: tuple[Callable[[random.Random, Any], None], ...] = (
    _index,
    _index,
    _index,
    _size,
    _size,
    _size,
    _kind,
    _uri,
    _children,
    _children,
    _tower,
    _transform,
    _sparse,
    _extension,
)
