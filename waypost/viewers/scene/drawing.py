"""What is drawn over a scene, as frozen values: annotators make them, views only show them.

Lines, markers and labels are named tuples: a graph has thousands of them, made anew with every
movement of the pointer, and tuples are made several times as fast as frozen data classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.services.appearance import channels

Color = tuple[float, float, float, float]
"""Red, green, blue, opacity in [0, 1]; sRGB as on screen, not premultiplied."""


class MarkerShape(StrEnum):
    """Outline of a marker; it always faces the viewer."""

    CIRCLE = "circle"
    RING = "ring"
    SQUARE = "square"
    DIAMOND = "diamond"
    CROSS = "cross"


class PolyLine(NamedTuple):
    """Connected segments of constant width on screen."""

    points: tuple[Vec3, ...]
    """Two or more; metres, scene frame."""

    color: Color
    width_px: float = 3.0
    dash_px: float = 0.0
    """Length of a dash and of the gap after it; 0 draws a solid line."""

    is_on_top: bool = True
    """Drawn over the scene; otherwise walls in front hide it."""

    has_arrow: bool = False
    """Whether the last point carries an arrow head."""

    end_gap_px: float = 0.0
    """How far before the last point the line stops, e.g. at the rim of a marker."""

    outline: Color | None = None
    """Colour of a 1.5 px border that keeps the line apart from what is behind it."""


class SceneMarker(NamedTuple):
    """A sign of constant size on screen at a point of the scene."""

    point: Vec3
    color: Color
    size_px: float = 14.0
    """Diameter without the outline."""

    shape: MarkerShape = MarkerShape.CIRCLE
    outline: Color = (0.07, 0.08, 0.10, 1.0)
    outline_px: float = 2.0
    is_on_top: bool = True


class Label3D(NamedTuple):
    """Upright text beside a point of the scene."""

    point: Vec3
    text: str
    color: Color | None = None
    """``None`` is the text colour of the theme."""

    background: Color | None = None
    """``None`` is the label colour of the theme."""

    offset_px: tuple[float, float] = (0.0, -20.0)
    """From the projected point to the middle of the label, x right, y down."""

    priority: int = 0
    """Where labels would overlap the higher one stays; at 100 and above it is always drawn."""

    is_bold: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class SolidMesh:
    """Triangles of one colour: a disc, a corridor, a collider."""

    vertices: NDArray[np.float64]
    """(V, 3) metres, scene frame. Read-only."""

    faces: NDArray[np.int32]
    """(F, 3) vertex indices. Read-only."""

    color: Color
    is_shaded: bool = True
    """Whether its sides are lit like the scene; flat areas are better unshaded."""

    is_on_top: bool = False
    """Drawn over the scene; otherwise walls in front hide it."""

    def __post_init__(self) -> None:
        self.vertices.flags.writeable = False
        self.faces.flags.writeable = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything one overlay layer shows; an empty drawing clears the layer."""

    lines: tuple[PolyLine, ...] = ()
    markers: tuple[SceneMarker, ...] = ()
    labels: tuple[Label3D, ...] = ()
    meshes: tuple[SolidMesh, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.markers or self.labels or self.meshes)

    def __add__(self, other: Drawing) -> Drawing:
        return Drawing(
            self.lines + other.lines,
            self.markers + other.markers,
            self.labels + other.labels,
            self.meshes + other.meshes,
        )


NOTHING = Drawing()


def rgb(text: str, alpha: float = 1.0) -> Color:
    """A colour from ``#rrggbb``."""
    return (*channels(text), alpha)


def with_alpha(color: Color, alpha: float) -> Color:
    """The same colour at another opacity."""
    return (color[0], color[1], color[2], alpha)
