"""NVIDIA's Omniverse PhysX without Kit, on the CPU: the plugin that Isaac Sim simulates with.

The scene is made of the same triangles as on every other engine and given as the text of a USD
stage, so that what collides does not depend on anybody's reader of USD. What is seen of it is a
layer below.
"""

from __future__ import annotations

from collections.abc import Sequence

from waypost.simulators.backends.engine import Collider, Pose, SceneMesh
from waypost.simulators.backends.omniverse_physx import PARAMETERS, OmniversePhysx, TouchPoint
from waypost.simulators.backends.ovphysx_session import VERSION, OvphysxSession
from waypost.simulators.backends.usd_text import agent_text, looks_text, scene_text
from waypost.simulators.protocol import Contact, EngineInfo, MoverSettings, Vec3

_AWAY = Pose(0.0, 0.0, -100_000.0, 0.0)
"""Making an agent anew costs 10 ms, moving it 10 µs."""


class OvphysxEngine(OmniversePhysx):
    """One world of ovphysx; see ``Engine`` for what its methods promise."""

    def __init__(self, settings: MoverSettings) -> None:
        super().__init__(settings, _AWAY)
        self.info = EngineInfo("ovphysx", VERSION, f"ovphysx {VERSION} (PhysX 5.12)", PARAMETERS)
        self._session = OvphysxSession()

    @property
    def _world(self) -> OvphysxSession:
        return self._session

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene; one static collider of exact triangles per object."""
        self._collider = None
        usable, problems = self._named(meshes)
        looks = self._session.write_layer(looks_text(usable))
        self._session.open_scene(scene_text(usable, self._settings.contact_offset_m, looks))
        return problems

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Replace the agent; its body's origin is its feet."""
        if collider != self._collider:
            self._session.put_body(agent_text(collider))
            self._collider = collider
        self._rest_at(pose)

    def contacts(self) -> list[Contact]:
        """What touched the agent in the latest step."""
        touching = self._touching_points()
        if not touching:
            return []
        x, y, z, _ = self._pose
        collider = self._collider
        middle = 0.0 if collider is None else (collider.bottom_m + collider.top_m) / 2
        centre = (x, y, z + middle)
        return [
            Contact(touch.point_m, _facing(touch, centre), self._names[touch.mesh])
            for touch in touching
        ]

    def close(self) -> None:
        """End; the folder in which ovphysx keeps what it made of the meshes goes with it."""
        self._session.close()


def build_engine(settings: MoverSettings) -> OvphysxEngine:
    """The engine behind the backend key ``ovphysx``."""
    return OvphysxEngine(settings)


def _facing(touch: TouchPoint, centre: Vec3) -> Vec3:
    """The normal towards the agent: its hull is convex, so its centre is on that side."""
    nx, ny, nz = touch.normal
    px, py, pz = touch.point_m
    inward = nx * (centre[0] - px) + ny * (centre[1] - py) + nz * (centre[2] - pz)
    return (nx, ny, nz) if inward >= 0 else (-nx, -ny, -nz)
