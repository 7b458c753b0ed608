"""Take a .glb or .gltf file apart into its JSON header and its buffers, checking both."""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.scene import AssetKind
from waypost.io.file_reading import read_beginning
from waypost.io.foreign_errors import reading
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.bounds import MAX_FILE_BYTES
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.gltf_header import parse_header

_JSON_CHUNK: Final = 0x4E4F534A
_BINARY_CHUNK: Final = 0x004E4942

_GEOMETRY_EXTENSIONS = frozenset(
    {
        "KHR_draco_mesh_compression",
        "KHR_mesh_quantization",
        "EXT_meshopt_compression",
        "KHR_meshopt_compression",
        "EXT_mesh_gpu_instancing",
        "KHR_node_visibility",
    }
)
_TEXTURE_EXTENSIONS = frozenset({"KHR_texture_transform", "EXT_texture_webp", "KHR_texture_basisu"})
_HARMLESS_PREFIXES = ("KHR_materials_", "KHR_lights_", "KHR_xmp", "KHR_animation")
"""They change shading, lamps, notes or motion, none of which is shown."""

_ROUTES: Final = {
    "MSFT_texture_dds": "convert its textures to PNG or JPEG, e.g. with glTF-Transform",
}
_DEFAULT_ROUTE = "export it again without it, e.g. from Blender as plain glTF 2.0"


@dataclass(frozen=True, slots=True)
class Container:
    """The parts of a glTF file."""

    header: dict[str, Any]
    """The JSON document."""

    buffers: tuple[bytes | None, ...]
    """One entry per buffer of the header; ``None`` where its file is missing."""

    path: Path
    """The file itself, as the user named it."""

    access: AssetAccess
    """Where the files that it names may lie."""

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

    def is_there(self, source: SourceScene, uri: str, wanted_by: str, kind: AssetKind) -> bool:
        """Whether what a URI names may be read; what may not is listed in the source.

        Args:
            source: Receives what is missing or outside.
            uri: As the header states it; ``data:`` is always there.
            wanted_by: The mesh or material that asks for it.
            kind: What it would bring.
        """
        if uri.startswith("data:"):
            return True
        return source.permits(self.access, uri, _file_of(self.path, uri), wanted_by, kind)

    def resource(self, uri: str) -> bytes | None:
        """The bytes behind a URI; ``None`` if they are missing or may not be read."""
        return _resource(self.path, self.access, uri, MAX_FILE_BYTES)

    def error(self, place: str, reason: str) -> ReadError:
        """An error that names this file."""
        return ReadError(str(self.path), place, reason)


def open_container(path: Path, access: AssetAccess) -> tuple[Container, str, tuple[str, ...]]:
    """Read a glTF file completely.

    Args:
        path: The file.
        access: Where the files that it names may lie.

    Returns:
        Its parts, ``glb`` or ``gltf``, and sentences about oddities.

    Raises:
        ReadError: If the file is damaged, of another version, or needs an extension that is
            not supported; the message then names the extension and a way out.
    """
    with reading(path):
        data = read_beginning(path, MAX_FILE_BYTES)
    is_binary = data.startswith(b"glTF")
    chunks = _split_glb(path, data) if is_binary else _Chunks(data, None)
    header, oddities = parse_header(path, chunks.text)
    if chunks.is_odd:
        oddities = (*oddities, "a chunk of the file is not padded to a multiple of 4 bytes")
    _check_version(path, header)
    _check_required_extensions(path, header)
    buffers = tuple(_buffers(path, access, header, chunks.binary))
    container = Container(header, buffers, path, access)
    return container, "glb" if is_binary else "gltf", oddities


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


class _Chunks(NamedTuple):
    """The JSON of a file and its binary chunk."""

    text: bytes
    binary: bytes | None
    is_odd: bool = False
    """Whether a chunk is not padded as it should be."""


def _split_glb(path: Path, data: bytes) -> _Chunks:
    if len(data) < 20:
        raise ReadError(str(path), "header", "the file is truncated")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise ReadError(str(path), "header", f"only glTF 2 is supported, this is version {version}")
    if length > len(data):
        reason = f"the file is truncated: {length} bytes are announced, {len(data)} are there"
        raise ReadError(str(path), "header", reason)
    chunks: dict[int, bytes] = {}
    offset, is_odd = 12, False
    while offset + 8 <= length:
        size, kind = struct.unpack_from("<II", data, offset)
        if offset + 8 + size > length:
            raise ReadError(str(path), f"byte {offset}", "a chunk reaches beyond the file")
        chunks.setdefault(kind, data[offset + 8 : offset + 8 + size])
        is_odd = is_odd or size % 4 != 0
        offset = _next_chunk(data, offset + 8 + size, length)
    if _JSON_CHUNK not in chunks:
        raise ReadError(str(path), "header", "there is no JSON chunk")
    return _Chunks(chunks[_JSON_CHUNK], chunks.get(_BINARY_CHUNK), is_odd)


def _next_chunk(data: bytes, end: int, length: int) -> int:
    """Where the chunk after one that ends at a byte begins: there, or at the next multiple of 4.

    Some writers state the length of a chunk without its padding, others do not pad.
    """
    if end + 8 <= length:
        size, kind = struct.unpack_from("<II", data, end)
        if kind in (_JSON_CHUNK, _BINARY_CHUNK) and end + 8 + size <= length:
            return end
    return end + (-end % 4)


def _check_version(path: Path, header: dict[str, Any]) -> None:
    version = str(header["asset"].get("version", ""))
    if not version.startswith("2."):
        reason = f"only glTF 2 is supported, this is version {version or 'unknown'}"
        raise ReadError(str(path), "asset.version", reason)


def _check_required_extensions(path: Path, header: dict[str, Any]) -> None:
    for name in header.get("extensionsRequired", []):
        if not is_supported(name):
            reason = f"{name} is not supported; {_ROUTES.get(name, _DEFAULT_ROUTE)}"
            raise ReadError(str(path), "extensionsRequired", reason)


def _buffers(
    path: Path, access: AssetAccess, header: dict[str, Any], binary: bytes | None
) -> Sequence[bytes | None]:
    found: list[bytes | None] = []
    for index, buffer in enumerate(header.get("buffers", [])):
        announced = buffer.get("byteLength", 0)
        if "uri" in buffer:
            data = _resource(path, access, buffer["uri"], announced or MAX_FILE_BYTES)
        else:
            data = binary if index == 0 else None
        if data is not None and len(data) < announced:
            reason = f"{announced} bytes are announced, {len(data)} are there"
            raise ReadError(str(path), f"buffers[{index}]", f"the buffer is truncated: {reason}")
        found.append(data)
    return found


def _file_of(path: Path, uri: str) -> Path:
    return path.parent / unquote(uri)


def _resource(path: Path, access: AssetAccess, uri: str, most_bytes: int) -> bytes | None:
    """The beginning of what a URI names, at most so many bytes; ``None`` if it is not to be had."""
    if uri.startswith("data:"):
        _, _, payload = uri.partition(",")
        try:
            return base64.b64decode(payload)
        except (binascii.Error, ValueError):
            return None
    file = _file_of(path, uri)
    if access.judge(uri, file).reason:
        return None
    try:
        return read_beginning(file, most_bytes)
    except (OSError, ReadError):
        return None
