"""habitat-sim's shortest ways, steps and pictures, in the user's Python that has it.

It drives nobody. Its navmesh is a file, such as ``waypost navmesh`` writes for an agent from any
scene. Its scene is made of the triangles that every other engine gets. We have never seen its
pictures: this runs in our tests on fakes of its modules (docs/engines.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.cameras import CameraPicture, CameraSettings
from waypost.simulators.backends.engine import (
    Collider,
    EngineMissingError,
    NotOfferedError,
    Pose,
    RayHit,
    SceneMesh,
    clean_meshes,
)
from waypost.simulators.backends.walking import ShortestWay
from waypost.simulators.protocol import Contact, EngineInfo, MoverSettings, Vec3

try:
    import habitat_sim
    from habitat_sim.nav import PathFinder, ShortestPath

    from waypost.simulators.backends.habitat_view import HabitatView
except (ImportError, OSError) as error:
    raise EngineMissingError(
        f"habitat-sim is not installed for this Python ({error}); name the Python of a conda "
        "environment that has it"
    ) from error

_NOBODY = (
    "habitat-sim drives nobody: it answers for shortest ways over a navmesh, "
    "for steps of a point over it and for pictures of a scene"
)


class HabitatEngine:
    """One path finder and one scene of habitat-sim; see ``WalkingEngine`` and ``CameraEngine``.

    What ``Engine`` asks for besides is refused in one sentence.
    """

    def __init__(self, settings: MoverSettings) -> None:
        del settings
        version = str(getattr(habitat_sim, "__version__", "of unknown version"))
        self.info = EngineInfo("habitat", version, f"habitat-sim {version}")
        self._finder: Any = None
        self._view = HabitatView()

    def load_navmesh(self, path: str) -> None:
        """Replace the navmesh by that of a file."""
        finder = PathFinder()
        # It reads whatever it is given, and says so only on its own log.
        if not Path(path).is_file() or not finder.load_nav_mesh(path) or not finder.is_loaded:
            raise NotOfferedError(f"{path}: habitat-sim cannot read this navmesh")
        self._finder = finder

    def shortest_way(self, start_m: Vec3, end_m: Vec3) -> ShortestWay | None:
        """The geodesic between two points."""
        asked = ShortestPath()
        asked.requested_start, asked.requested_end = _into(start_m), _into(end_m)
        if not self._loaded().find_path(asked) or not math.isfinite(asked.geodesic_distance):
            return None
        points = tuple(_out(point) for point in asked.points)
        return ShortestWay(float(asked.geodesic_distance), points)

    def try_step(self, start_m: Vec3, end_m: Vec3, *, slides: bool) -> Vec3:
        """Where a point gets that wants to go straight."""
        finder = self._loaded()
        step = finder.try_step if slides else finder.try_step_no_sliding
        return _out(step(_into(start_m), _into(end_m)))

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene of which there are pictures."""
        usable, problems = clean_meshes(meshes)
        self._view.open_scene(usable)
        return problems

    def open_camera(self, settings: CameraSettings) -> None:
        """Have pictures from now on."""
        self._view.open_camera(settings)

    def close_camera(self) -> None:
        """Make no more pictures."""
        self._view.close_camera()

    def picture(self, pose: Pose, tilt_rad: float) -> CameraPicture:
        """What the camera sees above these feet."""
        return self._view.picture(pose, tilt_rad)

    def close(self) -> None:
        """End its renderer."""
        self._view.close()

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Refused: there is no body."""
        del collider, pose
        _refuse()

    def remove_agent(self) -> None:
        """Nothing is there."""

    def raycast(
        self, origins: NDArray[np.float64], direction: Vec3, length_m: float
    ) -> list[float]:
        """Refused: nothing is asked of its geometry."""
        del origins, direction, length_m
        _refuse()

    def raycast_hit(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """Refused: nothing is asked of its geometry."""
        del origin, direction, length_m
        _refuse()

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Refused: there is no body."""
        del x_mps, y_mps, z_mps, turn_radps
        _refuse()

    def step(self) -> None:
        """Refused: there is no body."""
        _refuse()

    def pose(self) -> Pose:
        """Refused: there is no body."""
        _refuse()

    def contacts(self) -> list[Contact]:
        """Nothing touches."""
        return []

    def deepest_overlap_m(self) -> float:
        """Nothing overlaps."""
        return 0.0

    def _loaded(self) -> Any:
        if self._finder is None:
            raise NotOfferedError("no navmesh is loaded")
        return self._finder


def build_engine(settings: MoverSettings) -> HabitatEngine:
    """The engine behind the backend key ``habitat``."""
    return HabitatEngine(settings)


def _refuse() -> NoReturn:
    raise NotOfferedError(_NOBODY)


def _into(point_m: Vec3) -> NDArray[np.float32]:
    """Habitat's frame: Y up, -Z ahead of +X to the right."""
    x, y, z = point_m
    return np.array((x, z, -y), np.float32)


def _out(point: Any) -> Vec3:
    x, y, z = (float(point[axis]) for axis in range(3))
    return (x, -z, y)
