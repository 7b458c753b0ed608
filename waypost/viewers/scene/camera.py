"""How a person moves through a scene: cameras as values, gestures as functions of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import numpy as np

from waypost.domain.base.frames import Vec3, between
from waypost.viewers.scene.lens import ViewLens, axes_of, orthographic, perspective

FIELD_OF_VIEW_RAD = math.radians(50.0)
FIRST_PERSON_FIELD_OF_VIEW_RAD = math.radians(72.0)
TURN_RAD_PER_PX = 0.006
_STEEPEST_RAD = math.radians(89.0)


class CameraMode(StrEnum):
    """The five ways of looking at a scene."""

    ORBIT = "orbit"
    FLY = "fly"
    TOP = "top"
    CHASE = "chase"
    FIRST_PERSON = "first_person"


@dataclass(frozen=True, slots=True)
class Extent:
    """The box that a camera has to cover."""

    low: Vec3
    """Lowest corner, metres, scene frame."""

    high: Vec3

    @property
    def center(self) -> Vec3:
        """Middle of the box."""
        x, y, z = ((a + b) / 2 for a, b in zip(self.low, self.high, strict=True))
        return (x, y, z)

    @property
    def radius_m(self) -> float:
        """Half the diagonal, at least 0.1 m."""
        return max(0.1, math.dist(self.low, self.high) / 2)


class Camera(Protocol):
    """What every camera can do; each gesture returns the moved camera."""

    def lens(self, width_px: float, height_px: float, extent: Extent) -> ViewLens:
        """Take the picture's size and the scene's extent, give the projection."""

    def turned(self, dx_px: float, dy_px: float) -> Camera:
        """Drag to rotate."""

    def panned(self, dx_px: float, dy_px: float, height_px: float) -> Camera:
        """Drag to shift: the point under the pointer stays under it."""

    def zoomed(self, factor: float, toward: Vec3) -> Camera:
        """Come closer for a factor below 1; the point ``toward`` keeps its pixel."""

    @property
    def focus_m(self) -> Vec3:
        """The point that the camera is about, scene frame."""


@dataclass(frozen=True, slots=True)
class OrbitCamera:
    """Circles around a point with a level horizon."""

    center_m: Vec3
    distance_m: float
    yaw_rad: float = math.radians(65.0)
    """Heading of the view."""

    pitch_rad: float = math.radians(-50.0)

    @property
    def focus_m(self) -> Vec3:
        """The centre of the circle."""
        return self.center_m

    @property
    def eye_m(self) -> Vec3:
        """Where the camera is."""
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        return _shifted(self.center_m, tuple(axes[2] * self.distance_m))

    def lens(self, width_px: float, height_px: float, extent: Extent) -> ViewLens:
        """See :class:`Camera`."""
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        near = min(0.1, self.distance_m * 0.05)
        far = math.dist(self.eye_m, extent.center) + extent.radius_m * 1.5 + 5.0
        return _perspective_lens(
            self.eye_m, axes, FIELD_OF_VIEW_RAD, (width_px, height_px), (near, far)
        )

    def turned(self, dx_px: float, dy_px: float) -> OrbitCamera:
        """See :class:`Camera`."""
        pitch = _steep(self.pitch_rad - dy_px * TURN_RAD_PER_PX)
        return replace(self, yaw_rad=self.yaw_rad - dx_px * TURN_RAD_PER_PX, pitch_rad=pitch)

    def panned(self, dx_px: float, dy_px: float, height_px: float) -> OrbitCamera:
        """See :class:`Camera`."""
        metres = _metres_per_px(self.distance_m, height_px)
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        shift = -axes[0] * dx_px * metres + axes[1] * dy_px * metres
        return replace(self, center_m=_shifted(self.center_m, tuple(shift)))

    def zoomed(self, factor: float, toward: Vec3) -> OrbitCamera:
        """See :class:`Camera`."""
        distance = min(max(self.distance_m * factor, 0.2), 5_000.0)
        center = between(toward, self.center_m, distance / self.distance_m)
        return replace(self, distance_m=distance, center_m=center)


@dataclass(frozen=True, slots=True)
class FlyCamera:
    """Looks around from where it is and steps forward."""

    eye_m: Vec3
    yaw_rad: float
    pitch_rad: float
    step_m: float = 0.6
    """How far one notch of the wheel or one arrow key goes."""

    @property
    def focus_m(self) -> Vec3:
        """A point three metres ahead."""
        return self.stepped(3.0, 0.0).eye_m

    def lens(self, width_px: float, height_px: float, extent: Extent) -> ViewLens:
        """See :class:`Camera`."""
        far = math.dist(self.eye_m, extent.center) + extent.radius_m * 1.5 + 5.0
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        size = (width_px, height_px)
        return _perspective_lens(self.eye_m, axes, FIELD_OF_VIEW_RAD, size, (0.05, far))

    def turned(self, dx_px: float, dy_px: float) -> FlyCamera:
        """See :class:`Camera`."""
        yaw = self.yaw_rad - dx_px * TURN_RAD_PER_PX
        return replace(
            self, yaw_rad=yaw, pitch_rad=_steep(self.pitch_rad - dy_px * TURN_RAD_PER_PX)
        )

    def panned(self, dx_px: float, dy_px: float, height_px: float) -> FlyCamera:
        """See :class:`Camera`."""
        metres = _metres_per_px(3.0, height_px)
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        shift = -axes[0] * dx_px * metres + axes[1] * dy_px * metres
        return replace(self, eye_m=_shifted(self.eye_m, tuple(shift)))

    def zoomed(self, factor: float, toward: Vec3) -> FlyCamera:
        """Steps towards the point, or away from it for a factor above 1."""
        away = np.asarray(toward) - np.asarray(self.eye_m)
        length = float(np.linalg.norm(away))
        if length < 1e-9:
            return self
        step = -math.log(factor) / math.log(1.15) * self.step_m
        return replace(self, eye_m=_shifted(self.eye_m, tuple(away / length * step)))

    def stepped(self, forward_m: float, right_m: float) -> FlyCamera:
        """Move along the view and across it."""
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        return replace(
            self, eye_m=_shifted(self.eye_m, tuple(axes[0] * right_m - axes[2] * forward_m))
        )


@dataclass(frozen=True, slots=True)
class TopCamera:
    """From above: straight down, without perspective, +Y up in the picture."""

    center_m: Vec3
    view_height_m: float
    """How much of the scene the picture's height covers."""

    @property
    def focus_m(self) -> Vec3:
        """The middle of the picture."""
        return self.center_m

    def lens(self, width_px: float, height_px: float, extent: Extent) -> ViewLens:
        """See :class:`Camera`."""
        top = max(extent.high[2], self.center_m[2]) + 1.0
        depth = top - min(extent.low[2], self.center_m[2]) + 1.0
        eye = np.array([self.center_m[0], self.center_m[1], top])
        aspect = width_px / height_px
        projection = orthographic(self.view_height_m, aspect, 0.0, depth)
        return ViewLens(eye, np.eye(3), projection, width_px, height_px, is_orthographic=True)

    def turned(self, dx_px: float, dy_px: float) -> TopCamera:  # noqa: ARG002 - north stays up
        """Never turned from above, so that left stays left."""
        return self

    def panned(self, dx_px: float, dy_px: float, height_px: float) -> TopCamera:
        """See :class:`Camera`."""
        metres = self.view_height_m / height_px
        shift = (-dx_px * metres, dy_px * metres, 0.0)
        return replace(self, center_m=_shifted(self.center_m, shift))

    def zoomed(self, factor: float, toward: Vec3) -> TopCamera:
        """See :class:`Camera`."""
        height = min(max(self.view_height_m * factor, 0.3), 20_000.0)
        center = between(toward, self.center_m, height / self.view_height_m)
        return replace(
            self, view_height_m=height, center_m=(center[0], center[1], self.center_m[2])
        )


@dataclass(frozen=True, slots=True)
class ChaseCamera:
    """Follows an agent from behind and above."""

    position_m: Vec3
    """Floor point under the agent's centre."""

    yaw_rad: float
    eye_height_m: float
    distance_m: float = 3.2
    swing_rad: float = 0.0
    """Added to the heading by dragging."""

    pitch_rad: float = math.radians(-35.0)

    @property
    def focus_m(self) -> Vec3:
        """The agent's middle."""
        return _shifted(self.position_m, (0.0, 0.0, self.eye_height_m * 0.6))

    def lens(self, width_px: float, height_px: float, extent: Extent) -> ViewLens:
        """See :class:`Camera`; a wall between camera and agent is left out."""
        axes = axes_of(self.yaw_rad + self.swing_rad, self.pitch_rad)
        eye = _shifted(self.focus_m, tuple(axes[2] * self.distance_m))
        near = max(0.05, self.distance_m - 1.6)
        far = math.dist(eye, extent.center) + extent.radius_m * 1.5 + 5.0
        return _perspective_lens(eye, axes, FIELD_OF_VIEW_RAD, (width_px, height_px), (near, far))

    def turned(self, dx_px: float, dy_px: float) -> ChaseCamera:
        """See :class:`Camera`."""
        swing = self.swing_rad - dx_px * TURN_RAD_PER_PX
        return replace(
            self, swing_rad=swing, pitch_rad=_steep(self.pitch_rad - dy_px * TURN_RAD_PER_PX)
        )

    def panned(self, dx_px: float, dy_px: float, height_px: float) -> ChaseCamera:  # noqa: ARG002 - stays with the agent
        """The camera stays with the agent."""
        return self

    def zoomed(self, factor: float, toward: Vec3) -> ChaseCamera:  # noqa: ARG002 - stays with the agent
        """Comes closer to the agent, whatever is under the pointer."""
        return replace(self, distance_m=min(max(self.distance_m * factor, 0.6), 40.0))

    def following(self, position_m: Vec3, yaw_rad: float, eye_height_m: float) -> ChaseCamera:
        """The agent has moved."""
        return replace(self, position_m=position_m, yaw_rad=yaw_rad, eye_height_m=eye_height_m)


@dataclass(frozen=True, slots=True)
class FirstPersonCamera:
    """Sees what the agent sees."""

    position_m: Vec3
    yaw_rad: float
    eye_height_m: float
    pitch_rad: float = math.radians(-8.0)

    @property
    def eye_m(self) -> Vec3:
        """The agent's eyes."""
        return _shifted(self.position_m, (0.0, 0.0, self.eye_height_m))

    @property
    def focus_m(self) -> Vec3:
        """A point three metres ahead."""
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        return _shifted(self.eye_m, tuple(axes[2] * -3.0))

    def lens(self, width_px: float, height_px: float, extent: Extent) -> ViewLens:
        """See :class:`Camera`."""
        axes = axes_of(self.yaw_rad, self.pitch_rad)
        far = math.dist(self.eye_m, extent.center) + extent.radius_m * 1.5 + 5.0
        size = (width_px, height_px)
        fov = FIRST_PERSON_FIELD_OF_VIEW_RAD
        return _perspective_lens(self.eye_m, axes, fov, size, (0.03, far))

    def turned(self, dx_px: float, dy_px: float) -> FirstPersonCamera:  # noqa: ARG002 - the agent turns, not the head
        """Looks up and down; the heading is the agent's."""
        return replace(self, pitch_rad=_steep(self.pitch_rad - dy_px * TURN_RAD_PER_PX))

    def panned(self, dx_px: float, dy_px: float, height_px: float) -> FirstPersonCamera:  # noqa: ARG002 - eyes stay in the head
        """The eyes stay where they are."""
        return self

    def zoomed(self, factor: float, toward: Vec3) -> FirstPersonCamera:  # noqa: ARG002 - eyes stay in the head
        """The eyes stay where they are."""
        return self

    def following(self, position_m: Vec3, yaw_rad: float, eye_height_m: float) -> FirstPersonCamera:
        """The agent has moved."""
        return replace(self, position_m=position_m, yaw_rad=yaw_rad, eye_height_m=eye_height_m)


def framing_distance_m(extent: Extent, aspect: float) -> float:
    """How far a perspective camera stands back to cover a box from any side."""
    half = FIELD_OF_VIEW_RAD / 2
    narrow = min(half, math.atan(math.tan(half) * aspect))
    return extent.radius_m / math.sin(narrow)


def framing_height_m(extent: Extent, aspect: float) -> float:
    """Height of a view from above that covers a box, with a margin of a twentieth on each side."""
    width = extent.high[0] - extent.low[0]
    depth = extent.high[1] - extent.low[1]
    return max(depth, width / aspect, 0.5) * 1.1


def _perspective_lens(
    eye: Vec3,
    axes: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    fov_rad: float,
    size_px: tuple[float, float],
    depth_m: tuple[float, float],
) -> ViewLens:
    width, height = size_px
    near, far = depth_m
    projection = perspective(fov_rad, width / height, near, max(far, near * 2.0))
    return ViewLens(np.asarray(eye, dtype=np.float64), axes, projection, width, height)


def _metres_per_px(distance_m: float, height_px: float) -> float:
    return 2.0 * distance_m * math.tan(FIELD_OF_VIEW_RAD / 2.0) / height_px


def _steep(pitch_rad: float) -> float:
    return min(max(pitch_rad, -_STEEPEST_RAD), _STEEPEST_RAD)


def _shifted(point: Vec3, shift: tuple[float, ...]) -> Vec3:
    return (point[0] + float(shift[0]), point[1] + float(shift[1]), point[2] + float(shift[2]))
