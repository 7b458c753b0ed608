"""Turns overlay drawings into the arrays that the graphics card draws, one set per kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.viewers.scene.drawing import MarkerShape, PolyLine, SceneMarker, SolidMesh

LINE_DTYPE = np.dtype(
    [
        ("a_start", np.float32, 3),
        ("a_end", np.float32, 3),
        ("a_corner", np.float32, 4),
        ("a_style", np.float32, 4),
        ("a_color", np.float32, 4),
        ("a_outline", np.float32, 4),
    ]
)
"""Corner: −1 start or +1 end, −1 or +1 side, 1 for an arrow head. Style: width, dash,
1 if the end carries an arrow, gap before the end; all px."""

MARKER_DTYPE = np.dtype(
    [
        ("a_position", np.float32, 3),
        ("a_style", np.float32, 4),
        ("a_color", np.float32, 4),
        ("a_outline", np.float32, 4),
    ]
)
"""Style: diameter px, outline px, number of the shape."""

SOLID_DTYPE = np.dtype(
    [("a_position", np.float32, 3), ("a_color", np.float32, 4), ("a_is_shaded", np.float32)]
)

_SHAPE_NUMBERS = {shape: float(number) for number, shape in enumerate(MarkerShape)}
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float32)
_QUAD = np.array([0, 1, 2, 0, 2, 3], dtype=np.uint32)


def line_quads(lines: Sequence[PolyLine], origin_m: Vec3) -> NDArray[np.void]:
    """(4 S,) corners of S segments and arrow heads, in the order they are drawn.

    Args:
        lines: Each of two or more points.
        origin_m: Zero of the positions, taken off in float64.
    """
    lines = [line for line in lines if len(line.points) >= 2]
    if not lines:
        return np.empty(0, dtype=LINE_DTYPE)
    counts = np.array([len(line.points) for line in lines])
    points = np.array([point for line in lines for point in line.points], dtype=np.float64)
    points -= np.asarray(origin_m, dtype=np.float64)
    last = np.cumsum(counts) - 1
    starts = np.delete(np.arange(len(points)), last)
    line_of = np.repeat(np.arange(len(lines)), counts - 1)
    is_end = starts + 1 == last[line_of]
    has_arrow = np.array([line.has_arrow for line in lines])[line_of] & is_end
    # A head is one more quad over the last segment.
    segments = np.concatenate([np.arange(len(starts)), np.flatnonzero(has_arrow)])
    is_head = np.arange(len(segments)) >= len(starts)
    order = np.argsort(line_of[segments] * 2 + is_head, kind="stable")
    segments, is_head = segments[order], is_head[order]
    style = _line_styles(lines)[line_of]
    style[:, 2] = has_arrow
    style[:, 3] *= is_end
    quads = np.empty((len(segments), 4), dtype=LINE_DTYPE)
    quads["a_start"] = points[starts[segments], None]
    quads["a_end"] = points[starts[segments] + 1, None]
    quads["a_corner"][..., :2] = _CORNERS
    quads["a_corner"][..., 2] = is_head[:, None]
    quads["a_corner"][..., 3] = 0.0
    quads["a_style"] = style[segments, None]
    quads["a_color"] = _colors(line.color for line in lines)[line_of[segments], None]
    outlines = _colors(line.outline or (*line.color[:3], 0.0) for line in lines)
    quads["a_outline"] = outlines[line_of[segments], None]
    return quads.reshape(-1)


def quad_indices(vertex_count: int) -> NDArray[np.uint32]:
    """(6 Q,) indices of two triangles for every four corners."""
    starts = np.arange(0, vertex_count, 4, dtype=np.uint32)
    return (starts[:, None] + _QUAD).ravel()


def marker_points(markers: Sequence[SceneMarker], origin_m: Vec3) -> NDArray[np.void]:
    """(M,) points, in the order they are drawn."""
    packed = np.zeros(len(markers), dtype=MARKER_DTYPE)
    if not markers:
        return packed
    positions = np.array([marker.point for marker in markers], dtype=np.float64)
    packed["a_position"] = positions - np.asarray(origin_m, dtype=np.float64)
    packed["a_style"][:, :3] = [
        (marker.size_px, marker.outline_px, _SHAPE_NUMBERS[marker.shape]) for marker in markers
    ]
    packed["a_color"] = _colors(marker.color for marker in markers)
    packed["a_outline"] = _colors(marker.outline for marker in markers)
    return packed


def solid_triangles(
    meshes: Sequence[SolidMesh], origin_m: Vec3
) -> tuple[NDArray[np.void], NDArray[np.uint32]]:
    """Vertices and (3 F,) indices of all meshes together."""
    vertices = np.empty(sum(len(mesh.vertices) for mesh in meshes), dtype=SOLID_DTYPE)
    indices: list[NDArray[np.uint32]] = []
    start = 0
    for mesh in meshes:
        part = vertices[start : start + len(mesh.vertices)]
        part["a_position"] = mesh.vertices - np.asarray(origin_m, dtype=np.float64)
        part["a_color"] = mesh.color
        part["a_is_shaded"] = mesh.is_shaded
        indices.append(mesh.faces.astype(np.uint32).ravel() + np.uint32(start))
        start += len(mesh.vertices)
    return vertices, np.concatenate(indices) if indices else np.empty(0, dtype=np.uint32)


def _line_styles(lines: Sequence[PolyLine]) -> NDArray[np.float32]:
    rows = [(line.width_px, line.dash_px, 0.0, line.end_gap_px) for line in lines]
    return np.array(rows, dtype=np.float32)


def _colors(colors: Iterable[tuple[float, float, float, float]]) -> NDArray[np.float32]:
    return np.array(list(colors), dtype=np.float32)
