"""Take a .glb or .gltf file apart into its JSON header and its buffers, checking both."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from waypost.domain.errors import ReadError

_JSON_CHUNK: Final = 0x4E4F534A
_BINARY_CHUNK: Final = 0x004E4942

_GEOMETRY_EXTENSIONS = frozenset({"KHR_draco_mesh_compression", "KHR_mesh_quantization"})
_TEXTURE_EXTENSIONS = frozenset({"KHR_texture_transform", "EXT_texture_webp"})
_HARMLESS_PREFIXES = ("KHR_materials_", "KHR_lights_", "KHR_xmp", "KHR_animation")
"""They change shading, lamps, notes or motion, none of which is shown."""

_ROUTES: Final = {
    "KHR_texture_basisu": "convert its textures to PNG or JPEG, e.g. with glTF-Transform",
    "EXT_meshopt_compression": "export it again without mesh compression, or with Draco",
    "EXT_mesh_gpu_instancing": "export it again with the instances made real",
}
_DEFAULT_ROUTE = "export it again without it, e.g. from Blender as plain glTF 2.0"


@dataclass(frozen=True, slots=True)
class Container:
    """The parts of a glTF file."""

    header: dict[str, Any]
    """The JSON document."""

    buffers: tuple[bytes | None, ...]
    """One entry per buffer of the header; ``None`` where its file is missing."""

    folder: Path
    """Where relative names are looked up."""

    def items(self, key: str) -> list[dict[str, Any]]:
        """A list of the header, empty if it is absent."""
        found: list[dict[str, Any]] = self.header.get(key, [])
        return found

    def view(self, index: int) -> bytes | None:
        """The bytes of a buffer view; ``None`` if its buffer is missing."""
        view = self.header["bufferViews"][index]
        data = self.buffers[view["buffer"]]
        start = view.get("byteOffset", 0)
        return None if data is None else data[start : start + view["byteLength"]]

    def resource(self, uri: str) -> bytes | None:
        """The bytes behind a URI; ``None`` if the file is missing."""
        return _resource(self.folder, uri)


def open_container(path: Path) -> tuple[Container, str]:
    """Read a glTF file completely.

    Returns:
        Its parts, and ``glb`` or ``gltf``.

    Raises:
        ReadError: If the file is damaged, of another version, or needs an extension that is
            not supported; the message then names the extension and a way out.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise ReadError(str(path), "file", reason) from error
    is_binary = data.startswith(b"glTF")
    text, binary = _split_glb(path, data) if is_binary else (data, None)
    header = _parse_header(path, text)
    _check_version(path, header)
    _check_required_extensions(path, header)
    buffers = tuple(_buffers(path, header, binary))
    return Container(header, buffers, path.parent), "glb" if is_binary else "gltf"


def optional_extension_warnings(header: dict[str, Any]) -> list[str]:
    """One sentence per extension in use that is not supported but may be left out."""
    return [
        f"the extension {name} is not supported; what it adds is not shown"
        for name in header.get("extensionsUsed", [])
        if not is_supported(name)
    ]


def is_supported(extension: str) -> bool:
    """Whether a glTF extension is read, or does not change what Waypost shows."""
    known = _GEOMETRY_EXTENSIONS | _TEXTURE_EXTENSIONS
    return extension in known or extension.startswith(_HARMLESS_PREFIXES)


def _split_glb(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    if len(data) < 20:
        raise ReadError(str(path), "header", "the file is truncated")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise ReadError(str(path), "header", f"only glTF 2 is supported, this is version {version}")
    if length > len(data):
        reason = f"the file is truncated: {length} bytes are announced, {len(data)} are there"
        raise ReadError(str(path), "header", reason)
    chunks: dict[int, bytes] = {}
    offset = 12
    while offset + 8 <= length:
        size, kind = struct.unpack_from("<II", data, offset)
        if offset + 8 + size > length:
            raise ReadError(str(path), f"byte {offset}", "a chunk reaches beyond the file")
        chunks.setdefault(kind, data[offset + 8 : offset + 8 + size])
        offset += 8 + size + (-size % 4)
    if _JSON_CHUNK not in chunks:
        raise ReadError(str(path), "header", "there is no JSON chunk")
    return chunks[_JSON_CHUNK], chunks.get(_BINARY_CHUNK)


def _parse_header(path: Path, text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        reason = f"not valid JSON ({error.msg}); the file may be truncated"
        raise ReadError(str(path), f"line {error.lineno}", reason) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise ReadError(str(path), "header", "the JSON text cannot be decoded") from error
    if not isinstance(header, dict) or not isinstance(header.get("asset"), dict):
        raise ReadError(str(path), "header", "this is JSON but not glTF: it has no “asset”")
    return header


def _check_version(path: Path, header: dict[str, Any]) -> None:
    version = str(header["asset"].get("version", ""))
    if not version.startswith("2."):
        reason = f"only glTF 2 is supported, this is version {version or 'unknown'}"
        raise ReadError(str(path), "asset.version", reason)


def _check_required_extensions(path: Path, header: dict[str, Any]) -> None:
    for name in header.get("extensionsRequired", []):
        if not is_supported(str(name)):
            reason = f"{name} is not supported; {_ROUTES.get(name, _DEFAULT_ROUTE)}"
            raise ReadError(str(path), "extensionsRequired", reason)


def _buffers(path: Path, header: dict[str, Any], binary: bytes | None) -> Sequence[bytes | None]:
    found: list[bytes | None] = []
    for index, buffer in enumerate(header.get("buffers", [])):
        if "uri" in buffer:
            data = _resource(path.parent, buffer["uri"])
        else:
            data = binary if index == 0 else None
        if data is not None and len(data) < buffer.get("byteLength", 0):
            reason = f"{buffer['byteLength']} bytes are announced, {len(data)} are there"
            raise ReadError(str(path), f"buffers[{index}]", f"the buffer is truncated: {reason}")
        found.append(data)
    return found


def _resource(folder: Path, uri: str) -> bytes | None:
    if uri.startswith("data:"):
        _, _, payload = uri.partition(",")
        try:
            return base64.b64decode(payload)
        except (binascii.Error, ValueError):
            return None
    try:
        return (folder / unquote(uri)).read_bytes()
    except (OSError, ValueError):
        return None
