"""A body swept along a way with a collision library that shares nothing with our geometry."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.geometry.ray_index import RayIndex
from waypost.simulators.client import body_of
from waypost.simulators.footprint import Footprint

SweepPose = tuple[float, float, float, float]
"""x, y, z of the ground in metres, heading in radians; scene frame."""

TOUCH_M: Final = 0.0005
"""Nearer than this is a touch."""

_BAND_M: Final = 0.001
"""The body's band of heights is shrunk by this at both ends: touching a limit is allowed."""

_LONGEST_ADVANCE_M: Final = 0.05
"""The ground is looked at this often, however much room there is."""

_SLACK_M: Final = 0.001
"""Of the length within which the next triangle is looked for; rounding stays far below it."""

_LEAST_DROP_M: Final = 0.05
_RAY_SPACING_M: Final = 0.08
_AROUND_M: Final = 2.5
"""Triangles this far around an edge are kept for the ways along it, or twice as far if need be."""


@dataclass(frozen=True, slots=True)
class SweepFinding:
    """How far a body came and what was nearest to it."""

    passes: bool
    distance_m: float
    """Smallest distance from the body to a triangle; 0 or below where it touches."""

    at_m: Vec3 | None = None
    """The point of the scene that was nearest."""

    object: str = ""
    """What that point belongs to; empty for the ground below the body."""

    stopped_by: str = ""
    """``touch``, ``drop``, ``no floor``, or empty if it passes."""


def sweep_library() -> Any | None:
    """The collision library coal, or ``None`` where it is not installed (the extra ``sweep``).

    Source:
        github.com/coal-library/coal, the successor of hpp-fcl.
    """
    try:
        return importlib.import_module("coal")
    except ImportError:
        return None


class BodySweep:
    """Sweeps bodies through one scene by conservative advancement.

    A body may move on by its distance to the nearest triangle without meeting one, so that nothing
    is missed however thin it is. The body hangs above the highest ground under it, found by rays,
    by its step limit, as an agent of the engine does.

    Source:
        B. Mirtich, Timewarp rigid body simulation, SIGGRAPH 2000: conservative advancement.
    """

    def __init__(self, scene: Scene, rays: RayIndex, library: Any) -> None:
        self._meshes = [mesh for mesh in scene.meshes if mesh.is_collider and len(mesh.faces)]
        self._spans = [(m.vertices.min(axis=0), m.vertices.max(axis=0)) for m in self._meshes]
        self._origin = np.asarray(scene.origin_m, dtype=np.float64)
        self._rays = rays
        self._coal = library
        self._ends: tuple[Vec3, Vec3] | None = None
        self._models: dict[float, _Model] = {}

    def along(
        self,
        profile: AgentProfile,
        way: Sequence[SweepPose],
        edge: tuple[Vec3, Vec3] | None = None,
    ) -> SweepFinding:
        """Sweep a body from pose to pose; it ends at the first touch, drop or void.

        Args:
            profile: The body.
            way: Two poses or more; the height of the first one tells on which ground it begins.
            edge: The places that the way lies about, by default its ends. Ways of one edge share
                their triangles, and which these are hangs on nothing that was asked before.
        """
        body = _Body(profile, self._coal)
        model = self._model_around(way, profile, edge or (way[0][:3], way[-1][:3]))
        ground_z = way[0][2]
        nearest = SweepFinding(passes=True, distance_m=math.inf)
        within_m = math.inf
        for a, b in pairwise(way):
            turn = math.remainder(b[3] - a[3], math.tau)
            length = math.hypot(b[0] - a[0], b[1] - a[1]) + body.reach_m * abs(turn)
            share = 0.0
            while True:
                x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
                yaw = a[3] + share * turn
                found = self._ground_under(body, x, y, yaw, ground_z)
                if found is None or ground_z - found > body.drop_m:
                    why = "no floor" if found is None else "drop"
                    return SweepFinding(False, 0.0, (x, y, ground_z), "", why)
                within_m += abs(found - ground_z)
                ground_z = found
                # What is farther neither slows the body down nor is the nearest on its way.
                within_m = min(within_m, max(nearest.distance_m, _LONGEST_ADVANCE_M) + _SLACK_M)
                here = self._nearest(model, body, (x, y, ground_z, yaw), within_m)
                if here.distance_m < nearest.distance_m:
                    nearest = here
                if here.distance_m < TOUCH_M:
                    return replace(here, passes=False, stopped_by="touch")
                within_m = here.distance_m + _SLACK_M
                if share >= 1.0 or length <= 1e-9:
                    break
                advance_m = max(min(here.distance_m, _LONGEST_ADVANCE_M), TOUCH_M)
                share = min(1.0, share + advance_m / length)
                within_m += advance_m
        return nearest

    def _nearest(
        self, model: _Model, body: _Body, pose: SweepPose, within_m: float
    ) -> SweepFinding:
        """The distance of a body, which is known to be less than some length."""
        if model.shape is None:
            return SweepFinding(passes=True, distance_m=math.inf)
        coal = self._coal
        x, y, z = np.asarray(pose[:3]) - self._origin
        cosine, sine = math.cos(pose[3]), math.sin(pose[3])
        turned = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        centre = np.array([x, y, z + body.bottom_m + body.height_m / 2])
        result = coal.DistanceResult()
        if math.isfinite(within_m):
            result.min_distance = within_m
        distance = coal.distance(
            model.shape, coal.Transform3s(), body.shape, coal.Transform3s(turned, centre),
            coal.DistanceRequest(), result,
        )  # fmt: skip
        px, py, pz = np.asarray(result.getNearestPoint1()) + self._origin
        at = (float(px), float(py), float(pz))
        # What lies below the body is what it stands on.
        is_ground = distance > 0 and pz <= pose[2] + body.bottom_m
        name = "" if is_ground else model.name_of(int(result.b1))
        return SweepFinding(True, float(distance), at, name)

    def _ground_under(
        self, body: _Body, x: float, y: float, yaw: float, before_z: float
    ) -> float | None:
        """The highest ground under the body that it can step on; ``None`` over nothing."""
        cosine, sine = math.cos(yaw), math.sin(yaw)
        points = body.footprint
        origins = np.empty((len(points), 3))
        origins[:, 0] = x + cosine * points[:, 0] - sine * points[:, 1]
        origins[:, 1] = y + sine * points[:, 0] + cosine * points[:, 1]
        top = before_z + body.step_m + _BAND_M
        origins[:, 2] = top
        least = float(self._rays.distances_below(origins).min())
        return top - least if math.isfinite(least) else None

    def _model_around(
        self, way: Sequence[SweepPose], profile: AgentProfile, edge: tuple[Vec3, Vec3]
    ) -> _Model:
        places = np.asarray(way)[:, :3] - self._origin
        reach = math.hypot(profile.width_m, profile.depth_m) / 2 + 0.2
        low = places.min(axis=0) - np.array([reach, reach, 0.6])
        high = places.max(axis=0) + np.array([reach, reach, profile.height_m + 0.6])
        ends = (min(edge), max(edge))
        least, most = np.sort(np.asarray(ends), axis=0) - self._origin
        around_m = _AROUND_M
        while (low < least - around_m).any() or (high > most + around_m).any():
            around_m *= 2
        if ends != self._ends:
            self._ends, self._models = ends, {}
        if around_m not in self._models:
            self._models[around_m] = self._made(least - around_m, most + around_m)
        return self._models[around_m]

    def _made(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> _Model:
        corners, names, counts = [], [], []
        for mesh, (least, most) in zip(self._meshes, self._spans, strict=True):
            if (most < low).any() or (least > high).any():
                continue
            triangles = mesh.vertices[mesh.faces]
            inside = (triangles.max(axis=1) >= low) & (triangles.min(axis=1) <= high)
            kept = triangles[inside.all(axis=1)]
            if len(kept):
                corners.append(kept.reshape(-1, 3).astype(np.float64))
                names.append(mesh.name)
                counts.append(len(kept))
        return _Model.of(self._coal, corners, names, counts)


class _Body:
    """The part of a body that may touch nothing, as a shape of the library."""

    def __init__(self, profile: AgentProfile, coal: Any) -> None:
        self.step_m = profile.step_limit_m
        self.drop_m = max(profile.step_limit_m, _LEAST_DROP_M) + _BAND_M
        self.bottom_m = profile.step_limit_m + _BAND_M
        self.height_m = max(profile.height_m - self.bottom_m - _BAND_M, 0.001)
        self.footprint = Footprint(body_of(profile)).points(_RAY_SPACING_M)
        if profile.shape is BodyShape.BOX:
            self.shape = coal.Box(profile.depth_m, profile.width_m, self.height_m)
            self.reach_m = math.hypot(profile.depth_m, profile.width_m) / 2
        else:
            # A capsule counts as its cylinder: what it has more room for, geometry finds.
            self.shape = coal.Cylinder(profile.width_m / 2, self.height_m)
            self.reach_m = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class _Model:
    """The triangles around a way as a tree of boxes; local coordinates."""

    shape: Any | None
    names: tuple[str, ...]
    ends: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        coal: Any,
        corners: list[NDArray[np.float64]],
        names: list[str],
        counts: list[int],
    ) -> _Model:
        ends = np.cumsum(np.asarray(counts, dtype=np.int64))
        if not corners:
            return cls(None, (), ends)
        vertices = np.concatenate(corners)
        shape = coal.BVHModelOBBRSS()
        shape.beginModel(len(vertices) // 3, len(vertices))
        shape.addVertices(vertices)
        shape.addTriangles(np.arange(len(vertices), dtype=np.int64).reshape(-1, 3))
        shape.endModel()
        return cls(shape, tuple(names), ends)

    def name_of(self, triangle: int) -> str:
        if not 0 <= triangle < int(self.ends[-1]):
            return ""
        return self.names[int(np.searchsorted(self.ends, triangle, side="right"))]
