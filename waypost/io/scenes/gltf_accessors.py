"""The parts of glTF accessors that trimesh leaves out: bounds, sparse values, integer scales."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.io.scenes.bounds import MAX_UNBACKED_NUMBERS
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


def check_bytes(container: Container) -> None:
    """Refuse views that reach beyond their buffer, and counts that reach beyond their view.

    What lies in a missing buffer is not looked at.

    Raises:
        ReadError: Naming the view or accessor.
    """
    views = container.items("bufferViews")
    for at, view in enumerate(views):
        data = container.buffers[view["buffer"]]
        end = view.get("byteOffset", 0) + view["byteLength"]
        if data is not None and end > len(data):
            reason = f"reaches to byte {end:,} of a buffer of {len(data):,}"
            raise container.error(f"bufferViews[{at}]", reason)
    for at, accessor in enumerate(container.items("accessors")):
        place = f"accessors[{at}]"
        row = row_bytes(accessor)
        if "bufferView" in accessor:
            _check_rows(container, accessor, accessor["count"], row, f"{place}.count")
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            count = sparse["count"]
            if count > accessor["count"]:
                reason = f"{count:,} of {accessor['count']:,} values are replaced"
                raise container.error(f"{place}.sparse.count", reason)
            width = _TYPES[sparse["indices"]["componentType"]].itemsize
            _check_rows(container, sparse["indices"], count, width, f"{place}.sparse.count")
            _check_rows(container, sparse["values"], count, row, f"{place}.sparse.count")


def row_bytes(accessor: dict[str, Any]) -> int:
    """Bytes of one element."""
    return width_of(accessor) * _TYPES[accessor["componentType"]].itemsize


def width_of(accessor: dict[str, Any]) -> int:
    """Numbers in one element."""
    return _WIDTHS[accessor["type"]]


def _check_rows(
    container: Container, where: dict[str, Any], count: int, row: int, place: str
) -> None:
    view = container.items("bufferViews")[where["bufferView"]]
    if container.buffers[view["buffer"]] is None or not count:
        return
    stride = view.get("byteStride", row)
    needed = where.get("byteOffset", 0) + (count - 1) * stride + row
    if needed > view["byteLength"]:
        reason = f"{count:,} values need {needed:,} bytes, and the view has {view['byteLength']:,}"
        raise container.error(place, reason)


def expand_sparse(container: Container, header: dict[str, Any]) -> dict[str, bytes]:
    """Replace the sparse accessors of a header by plain ones in new buffers.

    Args:
        container: Where the values are.
        header: Changed in place; its bytes were checked.

    Returns:
        The new buffers by the URI under which the header names them.

    Raises:
        ReadError: If a value is to be replaced that is not there.
    """
    added: dict[str, bytes] = {}
    for index, accessor in enumerate(header["accessors"]):
        sparse = accessor.pop("sparse", None)
        if sparse is None:
            continue
        dense = _base_values(container, accessor)
        _replace_sparse(container, sparse, dense, f"accessors[{index}]")
        data = dense.tobytes()
        uri = f"sparse-{index}"
        added[uri] = data
        view = {"buffer": len(header["buffers"]), "byteOffset": 0, "byteLength": len(data)}
        header["buffers"].append({"uri": uri, "byteLength": len(data)})
        accessor.update(bufferView=len(header["bufferViews"]), byteOffset=0)
        header["bufferViews"].append(view)
    return added


def _replace_sparse(
    container: Container, sparse: dict[str, Any], dense: NDArray[Any], place: str
) -> None:
    """Put the sparse values of an accessor into the others."""
    indices, values = sparse["indices"], sparse["values"]
    rows = _read(container, indices, _TYPES[indices["componentType"]], sparse["count"])
    if rows.max(initial=0) >= len(dense):
        reason = f"names value {rows.max():,} of {len(dense):,}"
        raise container.error(f"{place}.sparse.indices", reason)
    replaced = _read(container, values, dense.dtype, sparse["count"] * dense.shape[1])
    dense[rows] = replaced.reshape(sparse["count"], -1)


def accessor_values(container: Container, index: int) -> NDArray[np.float64] | None:
    """(count, width) the numbers of an accessor, sparse ones put in, integers scaled.

    Args:
        container: Whose bytes were checked.
        index: Of the accessor.

    Returns:
        ``None`` if they lie in a missing buffer.

    Raises:
        ReadError: If a value is to be replaced that is not there, or more zeros are announced
            without bytes than a scene may have.
    """
    accessor = container.items("accessors")[index]
    numbers = accessor["count"] * width_of(accessor)
    if "bufferView" not in accessor and numbers > MAX_UNBACKED_NUMBERS:
        reason = f"more than {MAX_UNBACKED_NUMBERS:,} values are announced without bytes"
        raise container.error(f"accessors[{index}].count", reason)
    if "bufferView" in accessor and container.view(accessor["bufferView"]) is None:
        return None
    dense = _base_values(container, accessor)
    if "sparse" in accessor:
        _replace_sparse(container, accessor["sparse"], dense, f"accessors[{index}]")
    return dense.astype(np.float64) * scale_of(accessor)


def _base_values(container: Container, accessor: dict[str, Any]) -> NDArray[Any]:
    """(count, width) the values before the sparse ones are put in; zero without a view."""
    dtype = _TYPES[accessor["componentType"]]
    shape = (int(accessor["count"]), width_of(accessor))
    data = None if "bufferView" not in accessor else container.view(accessor["bufferView"])
    if data is None:
        return np.zeros(shape, dtype=dtype)
    view = container.items("bufferViews")[accessor["bufferView"]]
    strides = (view.get("byteStride", row_bytes(accessor)), dtype.itemsize)
    start = accessor.get("byteOffset", 0)
    return np.ndarray(shape, dtype, buffer=data, offset=start, strides=strides).copy()


def _read(
    container: Container, where: dict[str, Any], dtype: np.dtype[Any], amount: int
) -> NDArray[Any]:
    data = container.view(where["bufferView"])
    if data is None:
        view = container.items("bufferViews")[where["bufferView"]]
        raise container.error(f"buffers[{view['buffer']}]", "is missing, and sparse values need it")
    return np.frombuffer(data, dtype=dtype, count=amount, offset=where.get("byteOffset", 0))
