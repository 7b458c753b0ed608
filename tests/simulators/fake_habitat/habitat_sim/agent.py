"""Fake of ``habitat_sim.agent``: who carries sensors."""

from __future__ import annotations

import numpy as np


class AgentConfiguration:
    def __init__(self) -> None:
        self.sensor_specifications = []


class AgentState:
    def __init__(self, position: np.ndarray, rotation: np.ndarray) -> None:
        if not np.isfinite(position).all():
            raise ValueError(f"{position} contains non-finite values")
        if not np.isclose(np.linalg.norm(rotation), 1.0, rtol=1e-4, atol=0):
            raise ValueError(f"{rotation} is not a unit length vector")
        self.position, self.rotation = position, rotation


class Agent:
    def __init__(self, agent_config: AgentConfiguration) -> None:
        self.agent_config = agent_config
        self._state = AgentState(np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)))

    def set_state(self, state: AgentState) -> None:
        self._state = state
