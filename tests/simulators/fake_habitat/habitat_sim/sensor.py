"""Fake of ``habitat_sim.sensor``: cameras, by default a man's height above the agent's feet."""

from __future__ import annotations

from enum import Enum


class SensorType(Enum):
    COLOR = 1
    DEPTH = 2


class CameraSensorSpec:
    def __init__(self) -> None:
        self.uuid = ""
        self.sensor_type = SensorType.COLOR
        self.resolution = [128, 128]
        self.position = [0.0, 1.5, 0.0]
        self.hfov = 90.0
