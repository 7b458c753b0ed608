"""What a child can be asked to do: the parent names one of these, never code of its own."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from numpy.typing import NDArray

from waypost.domain.base.progress import Progress


@dataclass(frozen=True, slots=True)
class Piece:
    """One item of a stream; whoever reads decides what its parts mean."""

    parts: tuple[bytes, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Handover:
    """The result of a work, in plain parts."""

    values: dict[str, Any]
    """JSON values."""

    arrays: tuple[NDArray[Any], ...] = ()
    """Plain numbers; read-only on the side of the parent."""


Steps = Generator[Progress | Piece, None, Handover]
"""A work in steps; closing it between two of them cancels it."""


@dataclass(frozen=True, slots=True)
class Work:
    """Where the function of a work is: it takes a path and JSON arguments, and makes ``Steps``."""

    module: str
    function: str
    loads: tuple[str, ...] = ()
    """Modules that a child which waits for this work imports ahead."""

    rehearsal: str = ""
    """Function of the module by which such a child does the work once on files of ours: much of
    what libraries do, they do once in a process."""

    does_without: tuple[str, ...] = ()
    """Modules that libraries would take along though they are not needed; they take longer to
    import than everything else together."""


WORKS: Final[Mapping[str, Work]] = MappingProxyType(
    {
        "scene": Work(
            "waypost.io.scenes.decode_scene",
            "hand_over_scene",
            loads=(
                "waypost.io.scenes.gltf_reader",
                "waypost.io.scenes.usd_stage.reader",
                "PIL.JpegImagePlugin",
                "PIL.PngImagePlugin",
            ),
            rehearsal="rehearse",
            does_without=("networkx", "scipy"),
        ),
        "lmdb": Work("waypost.io.logs.lmdb_records", "hand_over_records"),
    }
)


def function_of(work: Work) -> Callable[..., Steps]:
    """Import the function of a work."""
    made: Callable[..., Steps] = getattr(importlib.import_module(work.module), work.function)
    return made


def rehearse(work: Work) -> None:
    """Import and do everything of a work that can be done before a file is named."""
    module = importlib.import_module(work.module)
    for name in work.loads:
        importlib.import_module(name)
    if work.rehearsal:
        getattr(module, work.rehearsal)()
