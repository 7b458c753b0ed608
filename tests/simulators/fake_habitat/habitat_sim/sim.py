"""Fake of ``habitat_sim.sim``: what is to be simulated."""

from __future__ import annotations


class SimulatorConfiguration:
    def __init__(self) -> None:
        self.scene_id = ""
        self.create_renderer = True
