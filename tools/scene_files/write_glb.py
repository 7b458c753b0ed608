"""Write a scene as one binary glTF file that holds its textures.

trimesh would store a shared texture once per material that uses it; here each is stored once.

Source:
    Khronos glTF 2.0 specification, sections 3.6 (accessors), 3.9 (materials), 4.4 (GLB).
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tools.scene_files.png import encode_png
from waypost.domain.base.frames import GLTF
from waypost.domain.scene.scene import Material, Mesh, Scene
from waypost.io.atomic import write_bytes_atomic

_MAGIC: Final = 0x46546C67
_JSON_CHUNK: Final = 0x4E4F534A
_BINARY_CHUNK: Final = 0x004E4942
_FLOAT, _UINT16, _UINT32 = 5126, 5123, 5125
_VERTEX_TARGET, _INDEX_TARGET = 34962, 34963
_REPEAT, _LINEAR, _LINEAR_MIPMAP = 10497, 9729, 9987


def write_glb(scene: Scene, path: Path) -> None:
    """Write a scene: Y up, metres, one node per mesh, textures as PNG inside.

    The same scene gives the same bytes. Meshes without triangles are left out, as glTF has no
    empty ones. Whether a mesh is a collider is not stored.

    Raises:
        WriteError: If the file cannot be written; an old one stays as it was.
    """
    write_bytes_atomic(path, glb_bytes(scene))


def glb_bytes(scene: Scene) -> bytes:
    """The content of the file that ``write_glb`` writes."""
    blob = _Blob()
    materials = [_material(material, scene) for material in scene.materials]
    meshes = [mesh for mesh in scene.meshes if len(mesh.faces)]
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "Waypost"},
        "scene": 0,
        "scenes": [{"name": scene.name, "nodes": list(range(len(meshes)))}],
        "nodes": [_node(mesh, index, scene) for index, mesh in enumerate(meshes)],
        "meshes": [_mesh(mesh, blob) for mesh in meshes],
    }
    if materials:
        document["materials"] = materials
    if scene.textures:
        document["samplers"] = [
            {
                "magFilter": _LINEAR,
                "minFilter": _LINEAR_MIPMAP,
                "wrapS": _REPEAT,
                "wrapT": _REPEAT,
            }
        ]
        document["images"] = [
            {"bufferView": blob.add(encode_png(texture)), "mimeType": "image/png"}
            for texture in scene.textures
        ]
        document["textures"] = [{"sampler": 0, "source": k} for k in range(len(scene.textures))]
    data = blob.finish(document)
    return _container(document, data)


class _Blob:
    """The binary part, with the views and accessors that point into it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []

    def add(self, data: bytes, target: int | None = None) -> int:
        """Append bytes on a four-byte border; returns the index of their view."""
        view: dict[str, Any] = {
            "buffer": 0,
            "byteOffset": self._length,
            "byteLength": len(data),
        }
        if target is not None:
            view["target"] = target
        padded = data + b"\0" * (-len(data) % 4)
        self._parts.append(padded)
        self._length += len(padded)
        self._views.append(view)
        return len(self._views) - 1

    def add_vectors(self, values: NDArray[np.float32], *, is_bounded: bool = False) -> int:
        """Append (N, 2) or (N, 3) floats; returns the index of their accessor."""
        accessor: dict[str, Any] = {
            "bufferView": self.add(values.astype("<f4").tobytes(), _VERTEX_TARGET),
            "componentType": _FLOAT,
            "count": len(values),
            "type": f"VEC{values.shape[1]}",
        }
        if is_bounded:
            accessor["min"] = [float(v) for v in values.min(axis=0)]
            accessor["max"] = [float(v) for v in values.max(axis=0)]
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def add_indices(self, faces: NDArray[np.int32], vertex_count: int) -> int:
        """Append (F, 3) indices in the smallest type that holds them."""
        # 65535 is reserved to restart a primitive
        is_short = vertex_count < 65535
        data = faces.astype("<u2" if is_short else "<u4").tobytes()
        self._accessors.append(
            {
                "bufferView": self.add(data, _INDEX_TARGET),
                "componentType": _UINT16 if is_short else _UINT32,
                "count": int(faces.size),
                "type": "SCALAR",
            }
        )
        return len(self._accessors) - 1

    def finish(self, document: dict[str, Any]) -> bytes:
        """Describe everything added in the document; returns the bytes."""
        if self._parts:
            document["accessors"] = self._accessors
            document["bufferViews"] = self._views
            document["buffers"] = [{"byteLength": self._length}]
        return b"".join(self._parts)


def _node(mesh: Mesh, index: int, scene: Scene) -> dict[str, Any]:
    node: dict[str, Any] = {"name": mesh.name, "mesh": index}
    if any(scene.origin_m):
        node["translation"] = GLTF.from_scene(np.asarray(scene.origin_m)).tolist()
    return node


def _mesh(mesh: Mesh, blob: _Blob) -> dict[str, Any]:
    positions = GLTF.from_scene(mesh.vertices.astype(np.float64)).astype(np.float32)
    attributes = {"POSITION": blob.add_vectors(positions, is_bounded=True)}
    if mesh.uvs is not None:
        flipped = np.column_stack([mesh.uvs[:, 0], 1 - mesh.uvs[:, 1]]).astype(np.float32)
        attributes["TEXCOORD_0"] = blob.add_vectors(flipped)
    primitive: dict[str, Any] = {
        "attributes": attributes,
        "indices": blob.add_indices(mesh.faces, len(mesh.vertices)),
    }
    if mesh.material_index is not None:
        primitive["material"] = mesh.material_index
    return {"name": mesh.name, "primitives": [primitive]}


def _material(material: Material, scene: Scene) -> dict[str, Any]:
    surface: dict[str, Any] = {
        "baseColorFactor": list(material.base_color),
        "metallicFactor": 0.0,
        "roughnessFactor": 0.9,
    }
    is_clear = material.base_color[3] < 1
    if material.texture_index is not None:
        surface["baseColorTexture"] = {"index": material.texture_index}
        is_clear = is_clear or bool((scene.textures[material.texture_index][..., 3] < 255).any())
    described: dict[str, Any] = {"name": material.name, "pbrMetallicRoughness": surface}
    if is_clear:
        described["alphaMode"] = "BLEND"
    return described


def _container(document: dict[str, Any], data: bytes) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), _JSON_CHUNK) + text
    if data:
        chunks += struct.pack("<II", len(data), _BINARY_CHUNK) + data
    return struct.pack("<III", _MAGIC, 2, 12 + len(chunks)) + chunks
