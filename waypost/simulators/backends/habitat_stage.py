"""A scene as the files of a stage for habitat-sim: binary glTF, and which way is up in it."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import SceneMesh

_FLOAT, _UINT = 5126, 5125
_VERTICES, _INDICES = 34962, 34963


def write_stage(folder: Path, meshes: Sequence[SceneMesh]) -> Path:
    """Write a stage in Habitat's own frame, Y up, instead of an earlier one in this folder.

    Each object has one colour and is seen from both sides. Without its configuration habitat-sim
    takes every file of this kind for Z up
    (facebookresearch/habitat-sim:src/esp/metadata/managers/StageAttributesManager.cpp).

    Returns:
        The configuration, which names the other file.
    """
    (folder / "scene.glb").write_bytes(_glb(meshes))
    config = folder / "scene.stage_config.json"
    frame = {"render_asset": "scene.glb", "up": [0, 1, 0], "front": [0, 0, -1]}
    config.write_text(json.dumps(frame), encoding="utf-8")
    return config


def _glb(meshes: Sequence[SceneMesh]) -> bytes:
    arrays = _Arrays()
    primitives = [
        {**arrays.primitive(mesh), "material": index} for index, mesh in enumerate(meshes)
    ]
    document = {
        "asset": {"version": "2.0", "generator": "Waypost"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(meshes)))}],
        "nodes": [{"name": mesh.name, "mesh": index} for index, mesh in enumerate(meshes)],
        "meshes": [{"primitives": [primitive]} for primitive in primitives],
        "materials": [
            {
                "pbrMetallicRoughness": {"baseColorFactor": [*mesh.colour, 1.0]},
                "doubleSided": True,
            }
            for mesh in meshes
        ],
        "accessors": arrays.accessors,
        "bufferViews": arrays.views,
        "buffers": [{"byteLength": arrays.length}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + arrays.length)
    chunks = (struct.pack("<I4s", len(text), b"JSON"), text)
    return b"".join((head, *chunks, struct.pack("<I4s", arrays.length, b"BIN\0"), *arrays.pieces))


class _Arrays:
    """The arrays of a file one after the other, as glTF describes them."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.length = 0
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def primitive(self, mesh: SceneMesh) -> dict[str, Any]:
        """Add the triangles of an object, in Habitat's frame."""
        x, y, z = mesh.vertices.T
        points = np.ascontiguousarray(np.stack([x, z, -y], axis=1), "<f4")
        corners = np.ascontiguousarray(mesh.faces.reshape(-1), "<u4")
        bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        place = self._add(points, _VERTICES, componentType=_FLOAT, type="VEC3", **bounds)
        indices = self._add(corners, _INDICES, componentType=_UINT, type="SCALAR")
        return {"attributes": {"POSITION": place}, "indices": indices}

    def _add(self, array: NDArray[Any], target: int, **more: Any) -> int:
        data = array.tobytes()
        view = {"buffer": 0, "byteOffset": self.length, "byteLength": len(data), "target": target}
        self.accessors.append({"bufferView": len(self.views), "count": len(array), **more})
        self.views.append(view)
        self.pieces.append(data)
        self.length += len(data)
        return len(self.accessors) - 1
