"""A room of 8 × 8 × 3 m around (10, 20) whose walls tell where one looks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Material, Mesh, Scene

CENTRE: Vec3 = (10.0, 20.0, 0.0)
EYE: Vec3 = (10.0, 20.0, 1.5)
NORTH, EAST, SOUTH, WEST, FLOOR, CEILING, MARKER = range(7)
COLOURS = (
    (0.9, 0.02, 0.02),
    (0.02, 0.9, 0.02),
    (0.02, 0.02, 0.9),
    (0.9, 0.9, 0.02),
    (0.02, 0.9, 0.9),
    (0.9, 0.9, 0.9),
    (0.9, 0.02, 0.9),
)
"""Linear RGB of each surface: each is told by which channels are bright."""

_HALF, _HEIGHT = 4.0, 3.0


def coloured_room(*markers: tuple[float, float]) -> Scene:
    """The room, seen from inside.

    Args:
        markers: R2R heading in degrees and elevation in degrees of magenta boxes of 0.1 m that
            stand 3 m from the eye.
    """
    x, y, _ = CENTRE
    w, e, s, n = x - _HALF, x + _HALF, y - _HALF, y + _HALF
    meshes = [
        _quad(NORTH, (w, n, 0), (e, n, 0), (e, n, _HEIGHT), (w, n, _HEIGHT)),
        _quad(EAST, (e, n, 0), (e, s, 0), (e, s, _HEIGHT), (e, n, _HEIGHT)),
        _quad(SOUTH, (e, s, 0), (w, s, 0), (w, s, _HEIGHT), (e, s, _HEIGHT)),
        _quad(WEST, (w, s, 0), (w, n, 0), (w, n, _HEIGHT), (w, s, _HEIGHT)),
        _quad(FLOOR, (w, s, 0), (e, s, 0), (e, n, 0), (w, n, 0)),
        _quad(CEILING, (w, s, _HEIGHT), (w, n, _HEIGHT), (e, n, _HEIGHT), (e, s, _HEIGHT)),
    ]
    meshes += [_box_towards(*np.radians(angles)) for angles in markers]
    materials = tuple(Material(f"m{i}", (*colour, 1.0)) for i, colour in enumerate(COLOURS))
    return Scene("room", "room.glb", "glb", tuple(meshes), materials, content_hash="0" * 64)


def surface_of(pixel: NDArray[np.uint8]) -> int:
    """Which surface a pixel shows, told by its bright channels."""
    values = pixel.astype(float)
    bright = tuple((values > 0.6 * values.max()).tolist())
    return [tuple(value > 0.5 for value in colour) for colour in COLOURS].index(bright)


def marker_centre(picture: NDArray[np.uint8]) -> tuple[float, float]:
    """Mean column and row of the magenta pixels, pixel centres at n + 0.5."""
    red, green, blue = (picture[..., channel].astype(float) for channel in range(3))
    is_magenta = (green < 0.5 * red) & (green < 0.5 * blue) & (red > 60) & (blue > 60)
    rows, columns = np.nonzero(is_magenta)
    assert len(columns) > 3, "no marker is seen"
    return float(columns.mean()) + 0.5, float(rows.mean()) + 0.5


def _quad(material: int, *corners: Vec3) -> Mesh:
    faces = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
    name = f"surface {material}"
    return Mesh(name, np.array(corners, dtype=np.float32), faces, None, material)


def _box_towards(heading_rad: float, elevation_rad: float) -> Mesh:
    level = np.cos(elevation_rad)
    direction = (np.sin(heading_rad) * level, np.cos(heading_rad) * level, np.sin(elevation_rad))
    centre = np.add(EYE, np.multiply(direction, 3.0))
    signs = np.array([[a, b, c] for c in (-1, 1) for b in (-1, 1) for a in (-1, 1)])
    points = (centre + signs * 0.05).astype(np.float32)
    faces = [
        [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
        [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
    ]  # fmt: skip
    return Mesh("marker", points, np.array(faces, dtype=np.int32), None, MARKER)
