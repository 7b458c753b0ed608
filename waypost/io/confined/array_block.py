"""Memory that a child fills with arrays once and the parent then only looks at.

It has no name: nothing of it stays on a disk or in ``/dev/shm``, whoever is killed.
"""

from __future__ import annotations

import math
import mmap
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

_DTYPES: Final = frozenset({"<f4", "<f8", "<i4", "<i8", "|u1", "|b1"})
"""Plain numbers; an array of anything else is refused."""

_ALIGNMENT: Final = 64

CAN_SEAL: Final = sys.platform == "linux"
"""Whether a block can be closed to a writer that still lives."""


def new_block() -> BinaryIO:
    """An empty file without a name, in memory where the system offers that."""
    if sys.platform == "linux":
        flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
        return os.fdopen(os.memfd_create("waypost-arrays", flags), "w+b", buffering=0)
    else:  # noqa: RET505 - so that the types of each system are checked
        return tempfile.TemporaryFile("w+b", buffering=0)


def fill(block: BinaryIO, arrays: Iterable[NDArray[Any]]) -> list[dict[str, Any]]:
    """Write arrays into an empty block; each is copied once.

    Returns:
        Where each is: JSON values for ``arrays_in``.

    Raises:
        OSError: If the block may not become so large.
        TypeError: If an array holds something else than plain numbers.
    """
    places, position = [], 0
    for array in arrays:
        plain = np.ascontiguousarray(array)
        kind = plain.dtype.newbyteorder("<").str
        if kind not in _DTYPES:
            raise TypeError(f"an array of {plain.dtype} cannot be handed over")
        plain = plain.astype(kind, copy=False)
        position += -position % _ALIGNMENT
        places.append({"at": position, "type": kind, "shape": list(plain.shape)})
        block.seek(position)
        rest = plain.reshape(-1).view(np.uint8).data if plain.size else memoryview(b"")
        while rest:
            rest = rest[block.write(rest) :]
        position += plain.nbytes
    return places


def arrays_in(block: BinaryIO, places: Sequence[object]) -> tuple[NDArray[Any], ...]:
    """Look at the arrays of a block that nobody can write to any more; nothing is copied.

    The arrays are read-only and keep the memory for as long as one of them lives. Where a block
    cannot be sealed, the process that filled it must have ended.

    Raises:
        OSError: If the block cannot be mapped.
        TypeError: If a place is none.
        ValueError: If a place lies outside the block.
    """
    _seal(block)
    size = os.fstat(block.fileno()).st_size
    if size == 0:
        return tuple(_array(b"", 0, place) for place in places)
    if sys.platform == "win32":
        mapped = mmap.mmap(block.fileno(), size, access=mmap.ACCESS_READ)
    else:
        mapped = mmap.mmap(block.fileno(), size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    return tuple(_array(mapped, size, place) for place in places)


def _array(memory: bytes | mmap.mmap, size: int, place: object) -> NDArray[Any]:
    if not isinstance(place, dict):
        raise TypeError("is no place of an array")
    kind, at, shape = place.get("type"), place.get("at"), place.get("shape")
    is_shape = isinstance(shape, list) and all(type(n) is int and n >= 0 for n in shape)
    if kind not in _DTYPES or type(at) is not int or not is_shape or not isinstance(shape, list):
        raise ValueError("is no place of an array")
    dtype, count = np.dtype(kind), math.prod(shape)
    if at < 0 or at % dtype.itemsize or at + count * dtype.itemsize > size or len(shape) > 8:
        raise ValueError("lies outside the block")
    if count == 0:
        array = np.zeros(shape, dtype)
        array.flags.writeable = False
        return array
    return np.frombuffer(memory, dtype, count, at).reshape(shape)


def _seal(block: BinaryIO) -> None:
    """Nobody changes it any more, so that no array can change or vanish under its reader."""
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415 - Windows has none

    seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
    fcntl.fcntl(block.fileno(), fcntl.F_ADD_SEALS, seals)
