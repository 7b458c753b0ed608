"""Keeps the buffers of drawings that stay, so that a hover over a large graph packs little."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import exhaust
from waypost.viewers.scene.drawing import Drawing, PolyLine, SceneMarker
from waypost.viewers.scene.overlay_buffers import line_quads, marker_points

T = TypeVar("T", PolyLine, SceneMarker)
Parts = tuple[NDArray[np.void], ...]
"""Buffers that are drawn one after the other."""

_PAUSE_EVERY = 1000
"""Lines or markers between two moments at which the rest can wait."""


@dataclass(frozen=True, eq=False, slots=True)
class PackedDrawing:
    """The buffers of one drawing; each for what the scene hides, and for what is on top of it."""

    drawing: Drawing
    origin_m: Vec3
    """Zero of the positions."""

    quads: tuple[Parts, Parts]
    points: tuple[Parts, Parts]


class OverlayPacker:
    """Packs drawings, each one once as long as it is shown."""

    def __init__(self) -> None:
        self._kept: tuple[PackedDrawing, ...] = ()
        self._prepared: PackedDrawing | None = None

    def prepare_steps(self, drawing: Drawing, origin_m: Vec3) -> Generator[None, None, None]:
        """Pack a large drawing that ``pack`` will be given next.

        Yields:
            Often, so that the rest can wait.
        """
        self._prepared = yield from _packing_steps(drawing, origin_m)

    def pack(self, drawings: Iterable[Drawing], origin_m: Vec3) -> tuple[PackedDrawing, ...]:
        """The buffers of these drawings, in their order.

        Args:
            drawings: The last one on top.
            origin_m: Zero of the positions.
        """
        kept = self._kept if self._prepared is None else (*self._kept, self._prepared)
        known = {id(packed.drawing): packed for packed in kept if packed.origin_m == origin_m}
        self._prepared = None
        self._kept = tuple(
            known.get(id(drawing)) or exhaust(_packing_steps(drawing, origin_m))
            for drawing in drawings
        )
        return self._kept


def _packing_steps(drawing: Drawing, origin_m: Vec3) -> Generator[None, None, PackedDrawing]:
    quads = yield from _part_steps(drawing.lines, lambda lines: line_quads(lines, origin_m))
    points = yield from _part_steps(drawing.markers, lambda some: marker_points(some, origin_m))
    return PackedDrawing(drawing, origin_m, quads, points)


def _part_steps(
    items: Sequence[T], pack: Callable[[list[T]], NDArray[np.void]]
) -> Generator[None, None, tuple[Parts, Parts]]:
    """The buffers of what the scene hides, and of what is on top of it."""
    parts: tuple[list[NDArray[np.void]], list[NDArray[np.void]]] = ([], [])
    for first in range(0, len(items), _PAUSE_EVERY):
        some = items[first : first + _PAUSE_EVERY]
        for is_on_top in (False, True):
            parts[is_on_top].append(pack([one for one in some if one.is_on_top is is_on_top]))
        yield
    return tuple(parts[0]), tuple(parts[1])
