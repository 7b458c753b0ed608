"""Fake of ``habitat_sim.simulator``: one stage, drawn from where the agent is."""

from __future__ import annotations

import os
import sys

from habitat_sim.agent import Agent, AgentConfiguration
from habitat_sim.drawing import Stage
from habitat_sim.sim import SimulatorConfiguration

NO_EGL = (
    "Platform::WindowlessEglApplication::tryCreateContext(): unable to find CUDA device 0"
    " among 0 EGL devices in total\n"
    "WindowlessContext: Unable to create windowless context\n"
)


class Configuration:
    def __init__(self, sim_cfg: SimulatorConfiguration, agents: list[AgentConfiguration]) -> None:
        self.sim_cfg, self.agents = sim_cfg, agents


class Simulator:
    def __init__(self, config: Configuration) -> None:
        if not config.agents:
            raise RuntimeError("Config has not agents specified.  Must specify at least 1 agent")
        if os.environ.get("FAKE_HABITAT_FAULT") == "no EGL":
            # Its renderer says so and ends the process.
            sys.stderr.write(NO_EGL)
            sys.stderr.flush()
            os._exit(1)
        self._sensors = config.agents[0].sensor_specifications
        config.sim_cfg.create_renderer = bool(self._sensors)
        # Without a renderer no geometry is loaded.
        self._stage = Stage(config.sim_cfg.scene_id) if self._sensors else None
        self._agent = Agent(config.agents[0])

    def get_agent(self, agent_id: int) -> Agent:
        assert agent_id == 0
        return self._agent

    def get_sensor_observations(self) -> dict:
        state = self._agent._state
        return {s.uuid: self._stage.seen(s, state.position, state.rotation) for s in self._sensors}

    def close(self) -> None:
        self._stage = None
