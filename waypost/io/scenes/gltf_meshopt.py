"""Unpacks buffer views that are compressed with meshoptimizer.

Source:
    Khronos glTF extensions EXT_meshopt_compression and KHR_meshopt_compression.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from waypost.io.scenes.gltf_container import Container

MESHOPT: Final = ("EXT_meshopt_compression", "KHR_meshopt_compression")

_MOST_BYTES_PER_BYTE: Final = 2_000
"""Of compressed data; a block of equal vertices takes two bits per byte of a vertex."""


def without_meshopt(container: Container) -> Container:
    """The same file with its compressed views in buffers of their own.

    Raises:
        ReadError: If compressed data announce more than their bytes can hold, or are damaged.
    """
    views = container.items("bufferViews")
    if not any(_packing(view) for view in views):
        return container
    buffers = list(container.buffers)
    entries = list(container.items("buffers"))
    unpacked: list[dict[str, Any]] = []
    for index, view in enumerate(views):
        packing = _packing(view)
        if packing is None or _has_fallback(container, view):
            unpacked.append(view)
            continue
        data = _unpacked(container, f"bufferViews[{index}]", packing)
        plain = {"buffer": len(buffers), "byteOffset": 0, "byteLength": len(data)}
        if packing["mode"] == "ATTRIBUTES":
            plain["byteStride"] = packing["byteStride"]
        unpacked.append(plain)
        buffers.append(data)
        entries.append({"byteLength": len(data)})
    header = {**container.header, "bufferViews": unpacked, "buffers": entries}
    return replace(container, header=header, buffers=tuple(buffers))


def _has_fallback(container: Container, view: dict[str, Any]) -> bool:
    """Whether the uncompressed data of a view are there as well, so that they can be taken."""
    entry = container.items("buffers")[view["buffer"]]
    extensions = entry.get("extensions", {})
    is_empty = any(extensions.get(name, {}).get("fallback") for name in MESHOPT)
    is_there = container.buffers[view["buffer"]] is not None
    return is_there and not (is_empty and "uri" not in entry)


def _packing(view: dict[str, Any]) -> dict[str, Any] | None:
    extensions = view.get("extensions", {})
    return next((extensions[name] for name in MESHOPT if name in extensions), None)


def _unpacked(container: Container, place: str, packing: dict[str, Any]) -> bytes:
    import meshopt  # noqa: PLC0415 - few files need it

    buffers = container.buffers
    if packing["buffer"] >= len(buffers):
        reason = f"names buffers[{packing['buffer']}], and there are {len(buffers)}"
        raise container.error(f"{place}.extensions", reason)
    source = buffers[packing["buffer"]]
    if source is None:
        raise container.error(f"buffers[{packing['buffer']}]", "is missing, and all is in it")
    start = packing.get("byteOffset", 0)
    data = source[start : start + packing["byteLength"]]
    count, stride = packing["count"], packing["byteStride"]
    if len(data) < packing["byteLength"]:
        reason = f"its compressed data reach to byte {start + packing['byteLength']:,}"
        raise container.error(place, f"{reason} of a buffer of {len(source):,}")
    if count * stride > len(data) * _MOST_BYTES_PER_BYTE:
        reason = f"{len(data):,} compressed bytes announce {count:,} values of {stride} bytes"
        raise container.error(place, reason)
    try:
        rows = meshopt.decode_gltf_buffer(
            bytes(data), count, stride, packing["mode"], packing.get("filter", "NONE")
        )
    except Exception as error:  # the library has no errors of its own
        reason = f"its compressed data cannot be unpacked ({error})"
        raise container.error(place, reason) from error
    return bytes(rows.tobytes())
