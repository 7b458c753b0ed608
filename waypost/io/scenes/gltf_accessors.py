"""The parts of glTF accessors that trimesh leaves out: sparse values and integer scales."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.io.scenes.gltf_container import Container

_TYPES: Final[dict[int, np.dtype[Any]]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
_WIDTHS: Final = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


def scale_of(accessor: dict[str, Any]) -> float:
    """Factor from stored integers to the numbers they stand for."""
    dtype = _TYPES[accessor["componentType"]]
    if not accessor.get("normalized") or dtype.kind == "f":
        return 1.0
    return 1.0 / float(np.iinfo(dtype).max)


def expand_sparse(container: Container, header: dict[str, Any]) -> dict[str, bytes]:
    """Replace the sparse accessors of a header by plain ones in new buffers.

    Args:
        container: Where the values are.
        header: Changed in place.

    Returns:
        The new buffers by the URI under which the header names them.
    """
    added: dict[str, bytes] = {}
    for index, accessor in enumerate(header["accessors"]):
        sparse = accessor.pop("sparse", None)
        if sparse is None:
            continue
        dense = _base_values(container, accessor)
        indices, values = sparse["indices"], sparse["values"]
        rows = _read(container, indices, _TYPES[indices["componentType"]], sparse["count"])
        dtype = _TYPES[accessor["componentType"]]
        dense[rows] = _read(container, values, dtype, sparse["count"] * dense.shape[1]).reshape(
            sparse["count"], -1
        )
        data = dense.tobytes()
        uri = f"sparse-{index}"
        added[uri] = data
        view = {"buffer": len(header["buffers"]), "byteOffset": 0, "byteLength": len(data)}
        header["buffers"].append({"uri": uri, "byteLength": len(data)})
        accessor.update(bufferView=len(header["bufferViews"]), byteOffset=0)
        header["bufferViews"].append(view)
    return added


def _base_values(container: Container, accessor: dict[str, Any]) -> NDArray[Any]:
    """(count, width) the values before the sparse ones are put in; zero without a view."""
    dtype = _TYPES[accessor["componentType"]]
    width = _WIDTHS[accessor["type"]]
    count = int(accessor["count"])
    if "bufferView" not in accessor:
        return np.zeros((count, width), dtype=dtype)
    data = container.view(accessor["bufferView"]) or b""
    view = container.items("bufferViews")[accessor["bufferView"]]
    row = width * dtype.itemsize
    stride = int(view.get("byteStride", row))
    start = int(accessor.get("byteOffset", 0))
    rows = [data[start + i * stride : start + i * stride + row] for i in range(count)]
    return np.frombuffer(b"".join(rows), dtype=dtype).reshape(count, width).copy()


def _read(
    container: Container, where: dict[str, Any], dtype: np.dtype[Any], amount: int
) -> NDArray[Any]:
    data = container.view(where["bufferView"]) or b""
    return np.frombuffer(data, dtype=dtype, count=amount, offset=int(where.get("byteOffset", 0)))
