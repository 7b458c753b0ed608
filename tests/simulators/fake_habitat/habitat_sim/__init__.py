"""Fake of ``habitat_sim``: what we use of it, over triangles that it draws itself."""

from habitat_sim.sensor import CameraSensorSpec, SensorType
from habitat_sim.sim import SimulatorConfiguration
from habitat_sim.simulator import Configuration, Simulator

__all__ = [
    "CameraSensorSpec",
    "Configuration",
    "SensorType",
    "Simulator",
    "SimulatorConfiguration",
]
__version__ = "0.3.3"
