"""Keeps the buffers of drawings that stay, so that a hover over a large graph packs little."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.frames import Vec3
from waypost.viewers.drawing import Drawing
from waypost.viewers.overlay_buffers import line_quads, marker_points


@dataclass(frozen=True, eq=False, slots=True)
class PackedDrawing:
    """The buffers of one drawing; each for what the scene hides, and for what is on top of it."""

    drawing: Drawing
    origin_m: Vec3
    """Zero of the positions."""

    quads: tuple[NDArray[np.void], NDArray[np.void]]
    points: tuple[NDArray[np.void], NDArray[np.void]]


class OverlayPacker:
    """Packs drawings, each one once as long as it is shown."""

    def __init__(self) -> None:
        self._kept: tuple[PackedDrawing, ...] = ()

    def pack(self, drawings: Iterable[Drawing], origin_m: Vec3) -> tuple[PackedDrawing, ...]:
        """The buffers of these drawings, in their order.

        Args:
            drawings: The last one on top.
            origin_m: Zero of the positions.
        """
        known = {id(packed.drawing): packed for packed in self._kept if packed.origin_m == origin_m}
        self._kept = tuple(known.get(id(d)) or _packed(d, origin_m) for d in drawings)
        return self._kept


def _packed(drawing: Drawing, origin_m: Vec3) -> PackedDrawing:
    quads, points = [], []
    for is_on_top in (False, True):
        lines = [line for line in drawing.lines if line.is_on_top is is_on_top]
        quads.append(line_quads(lines, origin_m))
        markers = [marker for marker in drawing.markers if marker.is_on_top is is_on_top]
        points.append(marker_points(markers, origin_m))
    return PackedDrawing(drawing, origin_m, (quads[0], quads[1]), (points[0], points[1]))
