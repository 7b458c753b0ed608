"""Triangles of the simple solids of USD: cubes, planes and everything round."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom

_SIDES = 32
_RINGS = 16

Triangles = tuple[NDArray[np.float64], NDArray[np.int32]]
"""(V, 3) points and (F, 3) faces, counter-clockwise seen from outside."""


def solid_triangles(prim: Usd.Prim, time: Usd.TimeCode) -> Triangles | None:
    """The surface of a simple solid, or ``None`` if the prim is none; round ones get 32 sides."""
    if prim.IsA(UsdGeom.Cube):
        half = float(UsdGeom.Cube(prim).GetSizeAttr().Get(time)) / 2
        square = [(-half, -half), (half, -half), (half, half), (-half, half)]
        return _prism(np.array(square), -half, half)
    if prim.IsA(UsdGeom.Plane):
        return _plane(UsdGeom.Plane(prim), time)
    if prim.IsA(UsdGeom.Sphere):
        return _lathe(_dome(float(UsdGeom.Sphere(prim).GetRadiusAttr().Get(time)), 0.0), "Z")
    for kind in (UsdGeom.Cylinder, UsdGeom.Cone, UsdGeom.Capsule):
        if prim.IsA(kind):
            return _round(kind(prim), time)
    return None


def unusable_measure(prim: Usd.Prim, time: Usd.TimeCode) -> str:
    """What makes a solid no solid, e.g. ``its radius is -1``; empty if nothing does."""
    for name in ("size", "radius", "height", "width", "length"):
        value = prim.GetAttribute(name).Get(time) if prim.HasAttribute(name) else None
        if value is not None and not 0 <= float(value) < math.inf:
            return f"its {name} is {value:g}"
    axis = prim.GetAttribute("axis").Get(time) if prim.HasAttribute("axis") else None
    return "" if axis in (None, "X", "Y", "Z") else f"its axis is {axis}, none of X, Y and Z"


def _round(solid: UsdGeom.Gprim, time: Usd.TimeCode) -> Triangles:
    radius = float(solid.GetRadiusAttr().Get(time))
    half = float(solid.GetHeightAttr().Get(time)) / 2
    if isinstance(solid, UsdGeom.Capsule):
        profile = _dome(radius, half)
    else:
        top = 0.0 if isinstance(solid, UsdGeom.Cone) else radius
        profile = np.array([(0.0, -half), (radius, -half), (top, half), (0.0, half)])
    return _lathe(profile, str(solid.GetAxisAttr().Get(time)))


def _dome(radius: float, half: float) -> NDArray[np.float64]:
    """(N, 2) radius and height from pole to pole, the halves ``2 · half`` apart."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, _RINGS + 2)
    lower, upper = np.split(angles, 2)
    heights = np.concatenate([radius * np.sin(lower) - half, radius * np.sin(upper) + half])
    return np.column_stack([radius * np.cos(angles), heights])


def _lathe(profile: NDArray[np.float64], axis: str) -> Triangles:
    """Turn (N, 2) radius and height, from the bottom up, about an axis."""
    turn = np.linspace(0, 2 * np.pi, _SIDES, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    points = np.concatenate(
        [np.column_stack([circle * radius, np.full(_SIDES, height)]) for radius, height in profile]
    )
    ring = np.arange(_SIDES)
    after = (ring + 1) % _SIDES
    faces = []
    for low in range(0, (len(profile) - 1) * _SIDES, _SIDES):
        high = low + _SIDES
        faces.append(np.column_stack([low + ring, low + after, high + after]))
        faces.append(np.column_stack([low + ring, high + after, high + ring]))
    return _along(points, axis), np.concatenate(faces).astype(np.int32)


def _prism(outline: NDArray[np.float64], low: float, high: float) -> Triangles:
    """Raise a convex counter-clockwise (N, 2) outline between two heights."""
    amount = len(outline)
    points = np.concatenate([np.column_stack([outline, np.full(amount, z)]) for z in (low, high)])
    ring = np.arange(amount)
    after = (ring + 1) % amount
    fan = np.arange(1, amount - 1)
    zero = np.zeros_like(fan)
    faces = [
        np.column_stack([ring, after, amount + after]),
        np.column_stack([ring, amount + after, amount + ring]),
        np.column_stack([zero, fan + 1, fan]),
        np.column_stack([zero, fan, fan + 1]) + amount,
    ]
    return points, np.concatenate(faces).astype(np.int32)


def _plane(plane: UsdGeom.Plane, time: Usd.TimeCode) -> Triangles:
    axis = str(plane.GetAxisAttr().Get(time))
    a = float(plane.GetWidthAttr().Get(time)) / 2
    b = float(plane.GetLengthAttr().Get(time)) / 2
    if axis != "Z":
        # The length lies along y about X and along z about Y: what `_along` makes of the first.
        a, b = b, a
    points = np.array([(-a, -b, 0), (a, -b, 0), (a, b, 0), (-a, b, 0)], dtype=np.float64)
    return _along(points, axis), np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)


def _along(points: NDArray[np.float64], axis: str) -> NDArray[np.float64]:
    """Turn points made about Z so that they lie about another axis."""
    order = {"X": [2, 0, 1], "Y": [1, 2, 0], "Z": [0, 1, 2]}[axis]
    return points[:, order]
