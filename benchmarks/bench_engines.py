"""Physics steps per second of every engine that is here, in the same scenes and the same run.

By the clock, and by the processor time of its worker, which a busy machine hardly changes.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import psutil

from benchmarks.scenes import SMALL_HOUSE, bumpy_room
from waypost.domain.scene.scene import Scene
from waypost.io.agent_files import shipped_agents
from waypost.io.scenes.open_scene import read_scene
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import FoundEngine, find_engine
from waypost.simulators.engines import ENGINE_KINDS, REFERENCE_ENGINE
from waypost.simulators.protocol import DriveCommand

BATCH = 120
BATCHES = 25
ROUNDS = 3
"""The engines take turns, so that a busy machine is busy for all of them; the best round counts."""

AGENT = "wheelchair"


def run() -> list[dict[str, Any]]:
    """One row per scene and engine that is here, each as a ratio to the reference engine."""
    scenes: list[tuple[str, Scene, tuple[float, float, float]]] = [
        ("1M triangles", bumpy_room(1_000_000), (0.0, 0.0, 0.0))
    ]
    if SMALL_HOUSE.exists():
        scenes.insert(0, ("small_house", read_scene(SMALL_HOUSE), (-1.0, 0.0, 0.0)))
    found = [find_engine(kind) for kind in ENGINE_KINDS.values() if kind.drives]
    here = [engine for engine in found if engine.is_there]
    return [row for name, scene, start in scenes for row in _rows(name, scene, start, here)]


def _rows(
    name: str, scene: Scene, start: tuple[float, float, float], engines: list[FoundEngine]
) -> list[dict[str, Any]]:
    clients: dict[str, SimulatorClient] = {}
    load_s: dict[str, float] = {}
    best: dict[str, _Speed] = {}
    try:
        for engine in engines:
            key = engine.kind.name
            clients[key] = SimulatorClient.start(key, engine.python)
            began = time.perf_counter()
            clients[key].load_scene(scene)
            load_s[key] = time.perf_counter() - began
        for _ in range(ROUNDS):
            for key, client in clients.items():
                speed = _measured(client, start)
                best[key] = speed.better(best.get(key, speed))
    finally:
        for client in clients.values():
            client.close()
    reference = best.get(REFERENCE_ENGINE)
    rows = []
    for key, speed in best.items():
        note = f"{AGENT} in a circle; loaded in {load_s[key]:.1f} s"
        for what, steps, of_reference in (
            ("steps", speed.by_clock, reference and reference.by_clock),
            ("steps by processor time", speed.by_processor, reference and reference.by_processor),
        ):
            ratio = f"{steps / of_reference:.2f} × {REFERENCE_ENGINE}" if of_reference else ""
            rows.append(
                {
                    "name": f"{what} of {key} in {name}",
                    "value": steps,
                    "unit": "steps per s",
                    "ratio_to": ratio,
                    "note": note,
                }
            )
    return rows


class _Speed(NamedTuple):
    """Steps per second of wall time, and of processor time of the worker."""

    by_clock: float
    by_processor: float

    def better(self, other: _Speed) -> _Speed:
        """The best of either."""
        return _Speed(*map(max, self, other))


def _measured(client: SimulatorClient, start: tuple[float, float, float]) -> _Speed:
    client.spawn(shipped_agents()[AGENT], start, 0.0)
    client.drive(DriveCommand(0.5, 0.0, 0.6), BATCH)
    worker = psutil.Process(client.process_id)
    began, busy_s = time.perf_counter(), _busy_s(worker)
    for _ in range(BATCHES):
        client.drive(DriveCommand(0.5, 0.0, 0.6), BATCH)
    steps = BATCHES * BATCH
    return _Speed(
        steps / (time.perf_counter() - began), steps / max(_busy_s(worker) - busy_s, 0.01)
    )


def _busy_s(worker: psutil.Process) -> float:
    """Processor time of a worker, counted in hundredths of a second."""
    times = worker.cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    for row in run():
        print(row)
