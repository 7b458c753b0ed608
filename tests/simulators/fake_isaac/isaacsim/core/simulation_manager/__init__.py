"""Fake of ``isaacsim.core.simulation_manager``: which engine simulates, since 6.0."""

from __future__ import annotations

import os

from kit_world import WORLD


class SimulationManager:
    @classmethod
    def get_active_physics_engine(cls) -> str:
        return WORLD.engine

    @classmethod
    def switch_physics_engine(cls, engine_name: str, verbose: bool = False) -> bool:
        if os.environ.get("FAKE_ISAAC_FAULT") == "newton only":
            return False
        WORLD.engine = engine_name
        return True
