"""How the lines and marks of a map in HTML look: light ground, sizes in pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from waypost.domain.replay.map import LineRole, MarkRole

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class LineStyle:
    """Of one role."""

    colour: Colour
    width_px: float
    dash_px: tuple[float, float] | None = None
    """Drawn, left out."""


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """Of one role."""

    shape: str
    """``dot``, ``square``, ``diamond``, ``star``, ``circle`` (to scale) or ``badge`` (a label)."""

    fill: Colour
    outline: Colour
    size_px: float
    """Radius."""


LINES: Final = MappingProxyType(
    {
        LineRole.EDGE: LineStyle((208, 215, 224), 1.4),
        LineRole.EDGE_ELSEWHERE: LineStyle((238, 241, 245), 1.2),
        LineRole.REFERENCE: LineStyle((59, 130, 246), 10.0, (10.0, 6.0)),
        LineRole.PATH: LineStyle((68, 1, 84), 3.6),
    }
)
"""The reference is wide and dashed, so that it shows on both sides of a path driven over it."""

MARKS: Final = MappingProxyType(
    {
        MarkRole.NODE: MarkStyle("dot", (170, 180, 193), (255, 255, 255), 3.0),
        MarkRole.NODE_ELSEWHERE: MarkStyle("dot", (226, 230, 236), (255, 255, 255), 2.4),
        MarkRole.GOAL_CIRCLE: MarkStyle("circle", (236, 248, 240), (21, 112, 60), 0.0),
        MarkRole.GOAL: MarkStyle("star", (21, 112, 60), (255, 255, 255), 10.0),
        MarkRole.START: MarkStyle("dot", (255, 255, 255), (29, 36, 48), 7.0),
        MarkRole.OPTION: MarkStyle("dot", (58, 170, 96), (255, 255, 255), 6.0),
        MarkRole.CHOSEN: MarkStyle("dot", (58, 170, 96), (29, 36, 48), 8.0),
        MarkRole.REVISIT: MarkStyle("badge", (255, 255, 255), (124, 58, 237), 8.0),
        MarkRole.DEVIATION: MarkStyle("diamond", (217, 83, 25), (255, 255, 255), 9.0),
        MarkRole.END: MarkStyle("square", (29, 36, 48), (255, 255, 255), 6.5),
    }
)


def hex_of(colour: Colour) -> str:
    """As in CSS."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def star_points(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Corners of a five-pointed star, y down."""
    return [
        (
            x + (radius if i % 2 == 0 else radius * 0.42) * math.sin(i * math.pi / 5),
            y - (radius if i % 2 == 0 else radius * 0.42) * math.cos(i * math.pi / 5),
        )
        for i in range(10)
    ]
