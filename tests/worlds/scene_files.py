"""Hand-made scene files for tests, packed byte by byte so that no library checks itself."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from waypost.domain.base.errors import ReadError
from waypost.io.scenes.decode_scene import decode_at_once as read_scene

COMPONENTS = {"f4": 5126, "u1": 5121, "u2": 5123, "u4": 5125, "i2": 5122, "i1": 5120}

CUBE_POINTS = np.array(
    [[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)], dtype="f4"
)
CUBE_FACES = np.array(
    [
        [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
        [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
    ],
    dtype="u2",
)  # fmt: skip


class Gltf:
    """Collects buffers and header of one glTF file."""

    def __init__(self) -> None:
        self.binary = bytearray()
        self.header: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "buffers": [],
            "bufferViews": [],
            "accessors": [],
            "meshes": [],
            "nodes": [],
        }

    def view(self, data: bytes, **more: Any) -> int:
        start = len(self.binary)
        self.binary += data + b"\0" * (-len(data) % 4)
        view = {"buffer": 0, "byteOffset": start, "byteLength": len(data), **more}
        self.header["bufferViews"].append(view)
        return len(self.header["bufferViews"]) - 1

    def accessor(self, values: Any, dtype: str, **more: Any) -> int:
        array = np.asarray(values, dtype="<" + dtype)
        kind = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}[
            1 if array.ndim == 1 else array.shape[1]
        ]
        entry = {
            "bufferView": self.view(array.tobytes()),
            "componentType": COMPONENTS[dtype],
            "count": len(array),
            "type": kind,
            **more,
        }
        self.header["accessors"].append(entry)
        return len(self.header["accessors"]) - 1

    def mesh(self, points: Any = CUBE_POINTS, faces: Any = CUBE_FACES, **more: Any) -> int:
        primitive = {
            "attributes": {"POSITION": self.accessor(points, "f4")},
            "indices": self.accessor(np.asarray(faces).reshape(-1), "u2"),
            **more,
        }
        return self.primitives([primitive])

    def primitives(self, primitives: list[dict[str, Any]], **more: Any) -> int:
        self.header["meshes"].append({"primitives": primitives, **more})
        return len(self.header["meshes"]) - 1

    def node(self, **values: Any) -> int:
        self.header["nodes"].append(values)
        return len(self.header["nodes"]) - 1

    def scene(self, *roots: int) -> None:
        self.header.setdefault("scenes", []).append({"nodes": list(roots)})

    def glb(self) -> bytes:
        header = {k: v for k, v in self.header.items() if v or k == "asset"}
        if self.binary:
            header["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if self.binary:
            chunks += struct.pack("<II", len(self.binary), 0x004E4942) + bytes(self.binary)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def write(self, path: Path) -> Path:
        path.write_bytes(self.glb())
        return path

    def write_gltf(self, path: Path, buffer_name: str = "data.bin") -> Path:
        """The same as text with one external buffer."""
        header = {k: v for k, v in self.header.items() if v or k == "asset"}
        header["buffers"] = [{"byteLength": len(self.binary), "uri": buffer_name}]
        path.write_text(json.dumps(header))
        (path.parent / buffer_name).write_bytes(bytes(self.binary))
        return path


def cube_glb() -> Gltf:
    """One cube of 1 m at the origin; height is along the file's Y."""
    gltf = Gltf()
    gltf.scene(gltf.node(mesh=gltf.mesh(), name="cube"))
    return gltf


def room_points(width: float, depth: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    """A box seen as floor, ceiling and walls; Z up."""
    return CUBE_POINTS * np.array([width, depth, height], "f4"), CUBE_FACES


def png(pixels: Any) -> bytes:
    """Encode (H, W, 3 or 4) bytes, first row at the top."""
    stream = io.BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).save(stream, "PNG")
    return stream.getvalue()


def texel(texture: np.ndarray, u: float, v: float) -> tuple[int, ...]:
    """The texture's colour at u, v with v = 0 at the bottom row, nearest pixel."""
    rows, columns = texture.shape[:2]
    row = rows - 1 - min(rows - 1, int(v * rows))
    return tuple(int(value) for value in texture[row, min(columns - 1, int(u * columns))])


def signed_volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Volume of a closed surface; negative if it is inside out."""
    a, b, c = (vertices[faces[:, i]].astype(np.float64) for i in range(3))
    return float(np.einsum("ni,ni->n", a, np.cross(b, c)).sum() / 6)


def area(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Sum of the areas of triangles."""
    a, b, c = (vertices[faces[:, i]].astype(np.float64) for i in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def usda(path: Path, body: str, *, up: str | None = "Z", unit: float | None = 1.0) -> Path:
    """Write a stage as text."""
    lines = ["#usda 1.0", "("]
    lines += [f'    upAxis = "{up}"'] if up else []
    lines += [f"    metersPerUnit = {unit}"] if unit else []
    path.write_text("\n".join([*lines, ")", body]), encoding="utf-8")
    return path


def usd_cube(name: str, *, size: tuple[float, float, float] = (1, 1, 1), more: str = "") -> str:
    """A mesh prim of six outward quads with its low corner at zero."""
    x, y, z = size
    return f"""
def Mesh "{name}"
{{
    int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]
    int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
        2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]
    point3f[] points = [(0, 0, 0), ({x}, 0, 0), (0, {y}, 0), ({x}, {y}, 0),
        (0, 0, {z}), ({x}, 0, {z}), (0, {y}, {z}), ({x}, {y}, {z})]
    {more}
}}
"""


def read_failure(path: Path) -> ReadError:
    """What reading a file fails with, once it is known to name the file on one line."""
    with pytest.raises(ReadError) as caught:
        read_scene(path)
    assert caught.value.file == str(path)
    assert "\n" not in str(caught.value)
    return caught.value
