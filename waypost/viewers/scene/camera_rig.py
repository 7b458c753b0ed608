"""Holds the camera at hand and changes between ways of looking without losing the place."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3, vec3
from waypost.viewers.scene.camera import (
    FIELD_OF_VIEW_RAD,
    Camera,
    CameraMode,
    ChaseCamera,
    Extent,
    FirstPersonCamera,
    FlyCamera,
    OrbitCamera,
    TopCamera,
    framing_distance_m,
    framing_height_m,
)
from waypost.viewers.scene.free_area import Area, free_areas, is_clear_of, largest_place
from waypost.viewers.scene.lens import ViewLens, axes_of

NO_SCENE = Extent((-5.0, -5.0, 0.0), (5.0, 5.0, 3.0))
_FRAMED_SHARE = 0.94
_HALVINGS = 12
_TRIES = 4
_SHRINKING = 0.97


class CameraRig:
    """The camera of one view; knows the view's size and the scene's extent, but no Qt."""

    def __init__(self) -> None:
        self.extent = NO_SCENE
        self.width_px = 640.0
        self.height_px = 420.0
        self.taken: tuple[Area, ...] = ()
        """Where controls lie over the view; what is framed is shown beside them."""
        self._chase = ChaseCamera((0.0, 0.0, 0.0), 0.0, 1.2)
        self._first_person = FirstPersonCamera((0.0, 0.0, 0.0), 0.0, 1.2)
        self._orbit = OrbitCamera((0.0, 0.0, 0.0), 12.0)
        self.mode = CameraMode.ORBIT
        self.camera: Camera = self._orbit

    def lens(self) -> ViewLens:
        """The projection of the camera at hand."""
        return self.camera.lens(self.width_px, self.height_px, self.extent)

    def set_mode(self, mode: CameraMode) -> None:
        """Look in another way at the same place and about the same width of it."""
        if mode is self.mode:
            return
        focus, reach_m = self.camera.focus_m, self._reach_m()
        if isinstance(self.camera, OrbitCamera):
            self._orbit = self.camera
        self.mode = mode
        if mode is CameraMode.ORBIT:
            self.camera = replace(self._orbit, center_m=focus, distance_m=reach_m)
        elif mode is CameraMode.TOP:
            self.camera = TopCamera(focus, 2.0 * reach_m * math.tan(FIELD_OF_VIEW_RAD / 2.0))
        elif mode is CameraMode.FLY:
            orbit = replace(self._orbit, center_m=focus, distance_m=reach_m)
            self.camera = FlyCamera(orbit.eye_m, orbit.yaw_rad, orbit.pitch_rad)
        else:
            self.camera = self._chase if mode is CameraMode.CHASE else self._first_person

    def set_scene_extent(self, extent: Extent) -> None:
        """Another scene: near and far follow its size."""
        self.extent = extent

    def frame(self, extent: Extent) -> None:
        """Cover a box, from the present direction."""
        if self.mode is CameraMode.TOP:
            self.camera = self._framed_from_above(extent)
        elif isinstance(self.camera, FlyCamera):
            orbit = self._framed(extent, self.camera.yaw_rad, self.camera.pitch_rad)
            self.camera = replace(self.camera, eye_m=orbit.eye_m)
        elif isinstance(self.camera, OrbitCamera):
            self.camera = self._framed(extent, self.camera.yaw_rad, self.camera.pitch_rad)
        else:
            self._orbit = self._framed(extent, self._orbit.yaw_rad, self._orbit.pitch_rad)

    def look_at(self, point_m: Vec3) -> None:
        """Bring a point to the middle without turning or zooming."""
        if isinstance(self.camera, OrbitCamera | TopCamera):
            self.camera = replace(self.camera, center_m=point_m)
        elif isinstance(self.camera, FlyCamera):
            orbit = OrbitCamera(point_m, 3.0, self.camera.yaw_rad, self.camera.pitch_rad)
            self.camera = replace(self.camera, eye_m=orbit.eye_m)

    def follow(self, position_m: Vec3, yaw_rad: float, eye_height_m: float) -> None:
        """The agent has moved; chase and first person go with it."""
        self._chase = self._chase.following(position_m, yaw_rad, eye_height_m)
        self._first_person = self._first_person.following(position_m, yaw_rad, eye_height_m)
        if isinstance(self.camera, ChaseCamera | FirstPersonCamera):
            self.camera = self.camera.following(position_m, yaw_rad, eye_height_m)

    def turn(self, dx_px: float, dy_px: float) -> None:
        """Rotate by a drag; from above the view is shifted instead."""
        if self.mode is CameraMode.TOP:
            self.pan(dx_px, dy_px)
            return
        self.camera = self.camera.turned(dx_px, dy_px)
        self._remember()

    def pan(self, dx_px: float, dy_px: float) -> None:
        """Shift by a drag."""
        self.camera = self.camera.panned(dx_px, dy_px, self.height_px)

    def zoom(self, factor: float, x_px: float, y_px: float) -> None:
        """Come closer to what is under a pixel, or go away from it."""
        self.camera = self.camera.zoomed(factor, self.point_under(x_px, y_px))
        self._remember()

    def step(self, forward_m: float, right_m: float) -> bool:
        """Fly a step; False where the camera does not fly."""
        if not isinstance(self.camera, FlyCamera):
            return False
        self.camera = self.camera.stepped(forward_m, right_m)
        return True

    def point_under(self, x_px: float, y_px: float) -> Vec3:
        """The point under a pixel at the height, or else at the depth, of the focus."""
        lens = self.lens()
        origin, direction = (np.asarray(part) for part in lens.ray_at(x_px, y_px))
        focus = np.asarray(self.camera.focus_m)
        depth = float((focus - lens.eye_m) @ lens.forward)
        across = float(direction @ lens.forward)
        if lens.is_orthographic:
            reach = depth
        elif direction[2] < -0.05 and origin[2] > focus[2]:
            reach = min(float((focus[2] - origin[2]) / direction[2]), 3.0 * depth / across)
        else:
            reach = max(depth, 0.5) / across
        return vec3(origin + direction * reach)

    def _remember(self) -> None:
        """Keep how the agent is followed over the next pose."""
        if isinstance(self.camera, ChaseCamera):
            self._chase = self.camera
        elif isinstance(self.camera, FirstPersonCamera):
            self._first_person = self.camera

    def _reach_m(self) -> float:
        if isinstance(self.camera, OrbitCamera):
            return self.camera.distance_m
        if isinstance(self.camera, TopCamera):
            return self.camera.view_height_m / (2.0 * math.tan(FIELD_OF_VIEW_RAD / 2.0))
        if isinstance(self.camera, FlyCamera):
            return 3.0
        return max(self._chase.distance_m, 6.0)

    def _framed(self, extent: Extent, yaw_rad: float, pitch_rad: float) -> OrbitCamera:
        """The closest orbit whose picture holds every corner of the box beside the controls."""
        far_m = framing_distance_m(extent, self.width_px / self.height_px)
        start = OrbitCamera(extent.center, far_m, yaw_rad, pitch_rad)
        corners = _corners(extent)
        whole = Area(0.0, 0.0, self.width_px, self.height_px)
        seen = _SeenBox(start, corners, (self.width_px, self.height_px))
        camera = seen.fitted(whole)
        if not self.taken:
            return camera
        clear: list[OrbitCamera] = []
        share = 1.0
        for _ in range(_TRIES):
            place = largest_place(self._pixels(camera, corners), whole, self.taken)
            if place is None:
                break
            # From elsewhere the picture has another shape, which may leave more room or less.
            camera = seen.fitted(place.shrunk(share))
            pixels = self._pixels(camera, corners)
            if all(is_clear_of(pixels, taken) for taken in self.taken):
                clear.append(camera)
            else:
                share *= _SHRINKING
        return min(clear, key=lambda found: found.distance_m, default=camera)

    def _framed_from_above(self, extent: Extent) -> TopCamera:
        """The plan that holds the box beside the controls."""
        whole = Area(0.0, 0.0, self.width_px, self.height_px)
        areas = free_areas(whole, self.taken) or [whole]
        heights = [
            framing_height_m(extent, float(a.size[0] / a.size[1])) * self.height_px / a.size[1]
            for a in areas
        ]
        height_m, area = min(zip(heights, areas, strict=True))
        off_center = area.middle - whole.middle
        camera = TopCamera(extent.center, float(height_m))
        return camera.panned(float(off_center[0]), float(off_center[1]), self.height_px)

    def _pixels(self, camera: OrbitCamera, points: list[Vec3]) -> NDArray[np.float64]:
        return camera.lens(self.width_px, self.height_px, self.extent).project(points)


class _SeenBox:
    """A box in the pictures of the orbits of one heading, which differ in distance and centre.

    A search looks at hundreds of them, and a lens with its arrays for each would take most of
    its time.

    Args:
        start: An orbit with the heading.
        corners: Of the box, in metres, scene frame.
        size_px: Width and height of the picture.
    """

    def __init__(
        self, start: OrbitCamera, corners: list[Vec3], size_px: tuple[float, float]
    ) -> None:
        self._start, self._size_px = start, size_px
        self._axes = axes_of(start.yaw_rad, start.pitch_rad)
        from_center = np.asarray(corners) - start.center_m
        self._corners: list[list[float]] = (from_center @ self._axes.T).tolist()
        self._nearest_m = max(back for _, _, back in self._corners)
        self._focal_px = size_px[1] / 2.0 / math.tan(FIELD_OF_VIEW_RAD / 2.0)

    def fitted(self, area: Area) -> OrbitCamera:
        """The closest orbit whose picture holds the corners in a rectangle, in its middle."""
        share = float((area.size / self._size_px).min())
        near_m, far_m = 0.2 * self._start.distance_m, 2.0 * self._start.distance_m / share
        for _ in range(_HALVINGS):
            middle_m = (near_m + far_m) / 2.0
            if self._fits(middle_m, area):
                far_m = middle_m
            else:
                near_m = middle_m
        distance_m = max(far_m, 0.8)
        shift = np.array(self._shift_m(distance_m, area)) @ self._axes[:2]
        x, y, z = (np.asarray(self._start.center_m) + shift).tolist()
        return replace(self._start, center_m=(x, y, z), distance_m=distance_m)

    def _fits(self, distance_m: float, area: Area) -> bool:
        if distance_m - self._nearest_m <= 1e-9:
            return False  # A corner is behind the camera.
        left, top, right, bottom = self._bounds_px(distance_m, *self._shift_m(distance_m, area))
        (middle_x, middle_y), (width, height) = area.middle.tolist(), area.size.tolist()
        across, down = (
            max(middle_x - left, right - middle_x),
            max(middle_y - top, bottom - middle_y),
        )
        return bool(max(across / width, down / height) <= _FRAMED_SHARE / 2.0)

    def _shift_m(self, distance_m: float, area: Area) -> tuple[float, float]:
        """How far right and up the centre lies with the corners in the middle of an area."""
        middle_x, middle_y = area.middle.tolist()
        metres_per_px = distance_m / self._focal_px
        right_m = up_m = 0.0
        for _ in range(3):
            left, top, right, bottom = self._bounds_px(distance_m, right_m, up_m)
            right_m += ((left + right) / 2.0 - middle_x) * metres_per_px
            up_m -= ((top + bottom) / 2.0 - middle_y) * metres_per_px
        return right_m, up_m

    def _bounds_px(
        self, distance_m: float, right_m: float, up_m: float
    ) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the corners in the picture."""
        xs = [(x - right_m) / (distance_m - back) for x, _, back in self._corners]
        ys = [(up_m - y) / (distance_m - back) for _, y, back in self._corners]
        (width_px, height_px), focal_px = self._size_px, self._focal_px
        return (
            width_px / 2.0 + focal_px * min(xs), height_px / 2.0 + focal_px * min(ys),
            width_px / 2.0 + focal_px * max(xs), height_px / 2.0 + focal_px * max(ys),
        )  # fmt: skip


def _corners(extent: Extent) -> list[Vec3]:
    (x0, y0, z0), (x1, y1, z1) = extent.low, extent.high
    return [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]
