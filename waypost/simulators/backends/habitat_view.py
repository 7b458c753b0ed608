"""Pictures that habitat-sim draws of a scene, with its own renderer.

It loads geometry for a renderer only
(facebookresearch/habitat-sim:src_python/habitat_sim/simulator.py, ``_sanitize_config``), so a scene
is given to it once a camera is open.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import habitat_sim
import numpy as np
from habitat_sim.agent import AgentConfiguration, AgentState
from numpy.typing import NDArray

from waypost.simulators.backends.cameras import CameraPicture, CameraSettings
from waypost.simulators.backends.engine import NotOfferedError, Pose, SceneMesh
from waypost.simulators.backends.habitat_stage import write_stage

_COLOUR, _DEPTH = "colour", "depth"


class HabitatView:
    """At most one scene and one camera; habitat-sim runs while there are both."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="waypost-habitat-")
        self._stage: Path | None = None
        self._settings: CameraSettings | None = None
        self._simulator: Any = None

    def open_scene(self, meshes: Sequence[SceneMesh]) -> None:
        """Have this scene seen from now on.

        Raises:
            NotOfferedError: If there is nothing in it.
        """
        if not meshes:
            raise NotOfferedError("the scene holds no triangles that habitat-sim could load")
        self._end()
        self._stage = write_stage(Path(self._folder.name), meshes)
        self._begin()

    def open_camera(self, settings: CameraSettings) -> None:
        """Have pictures from now on, also of scenes that come later."""
        self._end()
        self._settings = settings
        self._begin()

    def close_camera(self) -> None:
        """Make no more pictures."""
        self._end()
        self._settings = None

    def picture(self, pose: Pose, tilt_rad: float) -> CameraPicture:
        """What the camera sees above these feet.

        Raises:
            NotOfferedError: If no scene is loaded or no camera is open.
        """
        settings = self._settings
        if settings is None:
            raise NotOfferedError("no camera is open")
        if self._simulator is None:
            raise NotOfferedError("no scene is loaded")
        place = np.array((pose.x_m, pose.z_m + settings.height_m, -pose.y_m))
        state = AgentState(position=place, rotation=_turned(pose.yaw_rad, tilt_rad))
        self._simulator.get_agent(0).set_state(state)
        seen = self._simulator.get_sensor_observations()
        shape = (settings.height_px, settings.width_px)
        rgb = depth_m = None
        if settings.rgb:
            rgb = _sized(seen[_COLOUR], (*shape, 4))[..., :3]
        if settings.depth:
            depth_m = _sized(seen[_DEPTH], shape).astype(np.float32)
            # Where nothing is, habitat-sim says 0.
            depth_m = np.where(depth_m > 0, depth_m, np.float32(np.inf))
        return CameraPicture(rgb, depth_m)

    def close(self) -> None:
        """End habitat-sim; nothing can be asked afterwards."""
        self._end()
        self._folder.cleanup()

    def _begin(self) -> None:
        if self._stage is None or self._settings is None:
            return
        backend = habitat_sim.SimulatorConfiguration()
        backend.scene_id = str(self._stage)
        agent = AgentConfiguration()
        agent.sensor_specifications = _sensors(self._settings)
        self._simulator = habitat_sim.Simulator(habitat_sim.Configuration(backend, [agent]))

    def _end(self) -> None:
        if self._simulator is not None:
            self._simulator.close()
            self._simulator = None


def _sensors(settings: CameraSettings) -> list[Any]:
    """At the origin of habitat-sim's agent, which is put where the lens is."""
    kinds = habitat_sim.SensorType
    wanted = ((_COLOUR, kinds.COLOR, settings.rgb), (_DEPTH, kinds.DEPTH, settings.depth))
    sensors = []
    for name, kind, is_wanted in wanted:
        if is_wanted:
            sensor = habitat_sim.CameraSensorSpec()
            sensor.uuid = name
            sensor.sensor_type = kind
            sensor.resolution = [settings.height_px, settings.width_px]
            sensor.hfov = math.degrees(settings.field_of_view_rad)
            sensor.position = [0.0, 0.0, 0.0]
            sensors.append(sensor)
    return sensors


def _turned(yaw_rad: float, tilt_rad: float) -> NDArray[np.float64]:
    """A rotation as (x, y, z, w) in Habitat's frame, where an agent looks along -Z.

    Yaw 0 looks along +X, which is a quarter turn to the right from there.
    """
    yaw, tilt = (yaw_rad - math.pi / 2) / 2, tilt_rad / 2
    cos_yaw, sin_yaw = math.cos(yaw), math.sin(yaw)
    cos_tilt, sin_tilt = math.cos(tilt), math.sin(tilt)
    return np.array(
        (cos_yaw * sin_tilt, sin_yaw * cos_tilt, -sin_yaw * sin_tilt, cos_yaw * cos_tilt)
    )


def _sized(data: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    picture: NDArray[Any] = np.asarray(data)
    if picture.shape != shape:
        raise RuntimeError(f"habitat-sim gave a picture of {picture.shape} instead of {shape}")
    return picture
