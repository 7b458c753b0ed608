"""Fake of ``omni.physx``: simulation, scene queries and contact reports over SAPIEN."""

from __future__ import annotations

import os

import carb
from kit_world import WORLD

if os.environ.get("FAKE_ISAAC_FAULT") == "no omni.physx":
    raise ImportError("No module named 'omni.physx'")


class PhysX:
    def force_load_physics_from_usd(self) -> None:
        WORLD.load()

    def overwrite_gpu_setting(self, gpuSetting: int) -> None:  # noqa: N803 - its name
        WORLD.is_on_cpu = gpuSetting == 0

    def start_simulation(self) -> None:
        WORLD.is_started = True

    def release_physics_objects(self) -> None:
        WORLD.release()


class PhysXSceneQuery:
    def raycast_closest(
        self,
        origin: carb.Float3,
        dir: carb.Float3,  # noqa: A002 - its name
        distance: float,
        bothSides: bool = False,  # noqa: N803 - its name
    ) -> dict:
        if not (isinstance(origin, carb.Float3) and isinstance(dir, carb.Float3)):
            raise TypeError("raycast_closest takes carb.Float3")
        hit = WORLD.raycast(list(origin), list(dir), distance)
        if hit is None:
            return {"hit": False}
        return {
            "hit": True,
            "position": carb.Float3(*(float(value) for value in hit.position)),
            "normal": carb.Float3(*(float(value) for value in hit.normal)),
            "distance": float(hit.distance),
            "faceIndex": 0,
            "collision": hit.component.entity.name,
            "rigidBody": hit.component.entity.name,
            "protoIndex": 0xFFFFFFFF,
            "material": "",
        }


class ContactEventHeader:
    def __init__(self, actor0: int, actor1: int, offset: int, count: int) -> None:
        self.actor0, self.actor1 = actor0, actor1
        self.collider0, self.collider1 = (WORLD.collider_id(actor) for actor in (actor0, actor1))
        self.contact_data_offset = offset
        self.num_contact_data = count


class ContactData:
    def __init__(self, point: object) -> None:
        self.position = carb.Float3(*(float(value) for value in point.position))
        self.normal = carb.Float3(*(float(value) for value in point.normal))
        self.impulse = carb.Float3(*(float(value) for value in point.impulse))
        self.separation = float(point.separation)


class IPhysxSimulation:
    def simulate(self, elapsed_time: float, current_time: float) -> None:
        if not WORLD.is_started:
            raise RuntimeError("the simulation was not started")
        WORLD.step(elapsed_time)

    def fetch_results(self) -> None: ...

    def get_contact_report(self) -> tuple:
        headers, data = [], []
        for first, second, points in WORLD.contacts():
            ids = WORLD.path_id(first), WORLD.path_id(second)
            headers.append(ContactEventHeader(*ids, len(data), len(points)))
            data += [ContactData(point) for point in points]
        # Before 6.0 there was no third part.
        parts = (headers, data, [])
        return parts[:2] if os.environ.get("FAKE_ISAAC_VERSION", "6").startswith("4") else parts


_PHYSX, _QUERY, _SIMULATION = PhysX(), PhysXSceneQuery(), IPhysxSimulation()


def get_physx_interface() -> PhysX:
    return _PHYSX


def get_physx_scene_query_interface() -> PhysXSceneQuery:
    return _QUERY


def get_physx_simulation_interface() -> IPhysxSimulation:
    return _SIMULATION
