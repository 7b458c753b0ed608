"""Simulated seconds per wall second when driving, against the bare engine in the same run."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from benchmarks.scenes import SMALL_HOUSE, bumpy_room
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.agent_files import shipped_agents
from waypost.io.scenes.open_scene import read_scene
from waypost.simulators.backends.engine import Collider, Pose, SceneMesh
from waypost.simulators.backends.physx import PhysxEngine
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveCommand, MoverSettings

HZ = MoverSettings().physics_hz
STEPS = 1_200
"""Ten simulated seconds per measurement, in batches as the window asks for them."""

BATCH = 120
AGENTS = ("human", "wheelchair")
AIM = 50.0


def run() -> list[dict[str, Any]]:
    """One row per scene, for the slower of two agents that drive in a circle."""
    rows = []
    if SMALL_HOUSE.exists():
        rows.append(_row("small_house", read_scene(SMALL_HOUSE), (-1.0, 0.0, 0.0)))
    else:
        rows.append({"name": "driving in small_house", "value": None, "note": "scene absent"})
    rows.append(_row("1M triangles", bumpy_room(1_000_000), (0.0, 0.0, 0.0)))
    return rows


def _row(name: str, scene: Scene, start: tuple[float, float, float]) -> dict[str, Any]:
    engine = PhysxEngine(MoverSettings())
    zero = np.asarray(scene.origin_m, dtype=np.float64)
    engine.load_scene([SceneMesh(m.name, m.vertices, m.faces) for m in scene.meshes])
    profiles = shipped_agents()
    speeds: list[tuple[float, float, str]] = []
    with SimulatorClient.start() as client:
        client.load_scene(scene)
        for key in AGENTS:
            profile = profiles[key]
            floor = client.spawn(profile, start, 0.0).position_m
            begin = time.perf_counter()
            for _ in range(STEPS // BATCH):
                client.drive(DriveCommand(0.5, 0.0, 0.6), BATCH)
            driven_s = time.perf_counter() - begin
            inside = np.asarray(floor) - zero
            bare_s = _bare_seconds(engine, profile, inside.tolist())
            speeds.append((STEPS / HZ / driven_s, driven_s / bare_s, key))
    value, ratio, key = min(speeds)
    return {
        "name": f"driving in {name}",
        "value": value,
        "unit": "simulated s per s",
        "limit": f"≥ {AIM:g}",
        "ratio_to": f"{ratio:.1f} × the time of bare engine steps",
        "note": f"slowest agent: {key}",
    }


def _bare_seconds(engine: PhysxEngine, profile: AgentProfile, floor: list[float]) -> float:
    """The same circle with nothing but velocity, step and pose."""
    lift = profile.step_limit_m + 0.05
    collider = Collider(
        profile.shape, profile.width_m, profile.depth_m, lift, profile.height_m, 0.006, 1
    )
    engine.spawn_agent(collider, Pose(floor[0], floor[1], floor[2], 0.0))
    begin = time.perf_counter()
    for _ in range(STEPS):
        yaw = engine.pose().yaw_rad
        engine.set_velocity(0.5 * math.cos(yaw), 0.5 * math.sin(yaw), 0.0, 0.6)
        engine.step()
    return time.perf_counter() - begin


if __name__ == "__main__":
    for row in run():
        print(row)
