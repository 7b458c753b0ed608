"""What is seen in Isaac Sim: the body shown where the agent is, and pictures of a camera on it.

None of it takes part in physics. Pictures come from ``omni.replicator.core``, which Isaac Sim has
from 4.5 on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.cameras import CameraPicture, CameraSettings
from waypost.simulators.backends.engine import NotOfferedError, Pose
from waypost.simulators.backends.isaac_stage import EYE, LOOKS
from waypost.simulators.backends.isaac_start import isaac_module, optional_module

_SUBFRAMES = 4
"""Fewer leave traces of what was seen from the former place."""

_WARM_UP = 5
"""The first pictures after a stage was opened are black or blurred."""

_RGB, _DEPTH = "rgb", "distance_to_image_plane"


class IsaacDisplay:
    """Body and camera in the stage that is open; ``renew`` after another was opened."""

    def __init__(self) -> None:
        self._matrix = isaac_module("pxr.Gf").Matrix4d
        self._replicator: Any = None
        self._settings: CameraSettings | None = None
        self._product: Any = None
        self._pictures: dict[str, Any] = {}
        self._stage: Any = None
        self._is_warm = False

    def renew(self, stage: Any) -> None:
        """Another stage was opened; physics has not been made of it yet.

        What is shown of the agent may be a robot with bodies and joints of its own: they are put
        out of action, because only the hull may collide.
        """
        self._detach()
        self._stage = stage
        looks = stage.GetPrimAtPath(LOOKS)
        if looks:
            _take_physics_off(looks)
        if self._settings is not None:
            self._attach(self._settings)

    def show_agent(self, pose: Pose) -> None:
        """Put what is seen of the agent where it is."""
        looks = self._stage.GetPrimAtPath(LOOKS) if self._stage else None
        if looks:
            cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
            rows = ((cos, sin, 0.0), (-sin, cos, 0.0), (0.0, 0.0, 1.0))
            self._put(LOOKS, rows, (pose.x_m, pose.y_m, pose.z_m))

    def open_camera(self, settings: CameraSettings) -> None:
        """Have pictures made from now on.

        Raises:
            NotOfferedError: If Isaac Sim makes none.
        """
        self._replicator = self._replicator or optional_module(
            "omni.replicator.core", "omni.replicator.core"
        )
        if self._replicator is None:
            raise NotOfferedError(
                "this Isaac Sim lacks the extension omni.replicator.core, which makes pictures"
            )
        # Nothing may be drawn but what is asked for.
        self._replicator.orchestrator.set_capture_on_play(False)
        self._detach()
        self._settings = settings
        if self._stage is not None:
            self._attach(settings)

    def close_camera(self) -> None:
        """Make no more pictures."""
        self._detach()
        self._settings = None

    def picture(self, pose: Pose, tilt_rad: float) -> CameraPicture:
        """What the camera sees from an agent there, looking up so far.

        Raises:
            RuntimeError: If no camera is open or Isaac Sim gives no picture.
        """
        settings = self._settings
        if settings is None or self._product is None:
            raise RuntimeError("no camera is open")
        self._aim(pose, settings.height_m, tilt_rad)
        for _ in range(1 if self._is_warm else _WARM_UP):
            self._replicator.orchestrator.step(
                rt_subframes=_SUBFRAMES, pause_timeline=False, delta_time=0.0
            )
        self._is_warm = True
        shape = (settings.height_px, settings.width_px)
        rgb = depth = None
        if settings.rgb:
            rgb = _sized(self._pictures[_RGB].get_data(), (*shape, 4))[..., :3]
        if settings.depth:
            depth = _sized(self._pictures[_DEPTH].get_data(), shape).astype(np.float32)
        return CameraPicture(rgb, depth)

    def _attach(self, settings: CameraSettings) -> None:
        focal_mm = 18.0 / math.tan(settings.field_of_view_rad / 2)
        eye = self._stage.GetPrimAtPath(EYE)
        eye.GetAttribute("focalLength").Set(focal_mm)
        eye.GetAttribute("verticalAperture").Set(36.0 * settings.height_px / settings.width_px)
        size = (settings.width_px, settings.height_px)
        self._product = self._replicator.create.render_product(EYE, size)
        for name, is_wanted in ((_RGB, settings.rgb), (_DEPTH, settings.depth)):
            if is_wanted:
                picture = self._replicator.AnnotatorRegistry.get_annotator(name)
                picture.attach([self._product.path])
                self._pictures[name] = picture
        self._hide_looks()
        self._is_warm = False

    def _detach(self) -> None:
        for picture in self._pictures.values():
            picture.detach()
        self._pictures = {}
        if self._product is not None:
            self._product.destroy()
        self._product = None

    def _hide_looks(self) -> None:
        # The camera is inside of what is shown of the agent.
        looks = self._stage.GetPrimAtPath(LOOKS)
        if looks:
            looks.GetAttribute("visibility").Set("invisible")

    def _aim(self, pose: Pose, height_m: float, tilt_rad: float) -> None:
        cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        level, rise = math.cos(tilt_rad), math.sin(tilt_rad)
        right = (sin, -cos, 0.0)
        up = (-rise * cos, -rise * sin, level)
        back = (-level * cos, -level * sin, -rise)
        place = (pose.x_m, pose.y_m, pose.z_m + height_m)
        self._put(EYE, (right, up, back), place)

    def _put(self, path: str, rows: Any, place: tuple[float, float, float]) -> None:
        values = [value for row in rows for value in (*row, 0.0)] + [*place, 1.0]
        place_of = self._stage.GetPrimAtPath(path).GetAttribute("xformOp:transform")
        place_of.Set(self._matrix(*values))


def _sized(data: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    picture: NDArray[Any] = np.asarray(data)
    if picture.size != math.prod(shape):
        raise RuntimeError(
            f"Isaac Sim gave a picture of {picture.size} values instead of {math.prod(shape)}"
        )
    return picture.reshape(shape)


def _take_physics_off(prim: Any) -> None:
    waiting = [prim]
    while waiting:
        prim = waiting.pop()
        if prim.IsInstanceable():
            prim.SetInstanceable(False)
        if "Joint" in str(prim.GetTypeName()):
            prim.SetActive(False)
            continue
        for name in ("physics:rigidBodyEnabled", "physics:collisionEnabled"):
            attribute = prim.GetAttribute(name)
            if attribute:
                attribute.Set(False)
        for schema in ("PhysicsArticulationRootAPI", "PhysxArticulationAPI"):
            if schema in prim.GetAppliedSchemas():
                prim.RemoveAppliedSchema(schema)
        waiting += prim.GetAllChildren()
