"""What stands behind the fake of habitat-sim's renderer: rays against every triangle of a stage.

It reads the binary glTF and its configuration by itself, and turns the stage as habitat-sim does.
"""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import numpy as np

from habitat_sim.sensor import CameraSensorSpec, SensorType


class Stage:
    def __init__(self, scene_id: str) -> None:
        config = json.loads(Path(scene_id).read_text())
        up, front = np.array(config["up"], float), np.array(config["front"], float)
        # Rows: what becomes +X, +Y and +Z in Habitat's frame.
        turn = np.array([np.cross(front, up), up, -front])
        data = (Path(scene_id).parent / config["render_asset"]).read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        text_length, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        document = json.loads(data[20 : 20 + text_length])
        binary = data[28 + text_length :]
        triangles, colours = [], []
        for mesh in document["meshes"]:
            (primitive,) = mesh["primitives"]
            points = _array(document, binary, primitive["attributes"]["POSITION"]).reshape(-1, 3)
            corners = _array(document, binary, primitive["indices"])
            triangles.append((points @ turn.T)[corners].reshape(-1, 3, 3))
            material = document["materials"][primitive["material"]]
            colour = material["pbrMetallicRoughness"]["baseColorFactor"]
            colours.append(np.tile(np.round(np.array(colour) * 255), (len(triangles[-1]), 1)))
        self._triangles = np.concatenate(triangles).astype(float)
        self._colours = np.concatenate(colours).astype(np.uint8)

    def seen(self, sensor: CameraSensorSpec, position: np.ndarray, rotation: np.ndarray):
        height, width = sensor.resolution
        half = math.tan(math.radians(sensor.hfov) / 2)
        x = (np.arange(width) + 0.5) / width * 2 - 1
        y = 1 - (np.arange(height) + 0.5) / height * 2
        rays = np.stack(np.broadcast_arrays(x * half, y[:, None] * half * height / width, -1), -1)
        eye = position + _turned(np.array(sensor.position, float), rotation)
        depth, hit = self._nearest(eye, _turned(rays.reshape(-1, 3), rotation))
        if sensor.sensor_type is SensorType.DEPTH:
            return (
                np.where(np.isfinite(depth), depth, 0.0).astype(np.float32).reshape(height, width)
            )
        black = np.array((0, 0, 0, 255), np.uint8)
        picture = np.where(np.isfinite(depth)[:, None], self._colours[hit], black)
        return picture.reshape(height, width, 4)

    def _nearest(self, eye: np.ndarray, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Depths of rays whose part along the gaze is 1, and the triangles that are met."""
        corner = self._triangles[:, 0]
        first, second = self._triangles[:, 1] - corner, self._triangles[:, 2] - corner
        across = np.cross(rays[:, None], second)
        area = (first * across).sum(-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = ((eye - corner) * across).sum(-1) / area
            other = np.cross(eye - corner, first)
            v = (rays[:, None] * other).sum(-1) / area
            depth = (second * other).sum(-1) / area
        is_met = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth > 0.01)
        depth = np.where(is_met, depth, np.inf)
        hit = depth.argmin(axis=1)
        return depth[np.arange(len(rays)), hit], hit


def _array(document: dict, binary: bytes, index: int) -> np.ndarray:
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
    count = accessor["count"] * {"VEC3": 3, "SCALAR": 1}[accessor["type"]]
    return np.frombuffer(binary, kind, count, view["byteOffset"])


def _turned(points: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """Points turned by a quaternion (x, y, z, w)."""
    axis, w = rotation[:3], rotation[3]
    return points + 2 * np.cross(axis, np.cross(axis, points) + w * points)
