"""The handful of primitives that every physics engine offers; all else is shared code above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Callable, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.protocol import Contact, EngineInfo, Vec3

GREY: Vec3 = (0.8, 0.8, 0.8)
"""Linear RGB of what has no colour of its own."""


class EngineMissingError(Exception):
    """The engine is not installed for this Python; the text says what is missing."""


class NotOfferedError(Exception):
    """The engine does not offer what was asked; the text is one sentence for people."""


class RayHit(NamedTuple):
    """Where a ray meets a surface."""

    distance_m: float
    normal: Vec3
    """Unit normal of the surface, facing the ray's origin."""


class Pose(NamedTuple):
    """The agent's feet: the point its profile stands on, engine coordinates."""

    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float


@dataclass(frozen=True, eq=False)
class SceneMesh:
    """The triangles of one object, engine coordinates (scene minus origin)."""

    name: str
    vertices: NDArray[np.float32]
    """(V, 3) metres."""

    faces: NDArray[np.int32]
    """(F, 3)."""

    colour: tuple[float, float, float] = GREY
    """Of the object as a whole, linear RGB in [0, 1]; physics knows nothing of it."""

    collides: bool = True
    """False for what is only seen; engines that show nothing are not given it."""


@dataclass(frozen=True)
class Collider:
    """The solid part of an agent, standing on its feet with a vertical axis."""

    shape: str
    """``box``, ``cylinder`` or ``capsule``."""

    width_m: float
    depth_m: float
    bottom_m: float
    """Height of its lower end above the feet."""

    top_m: float
    """Height of its upper end above the feet."""

    contact_offset_m: float
    """Distance at which a touch is considered; as far as the agent moves in one step."""

    solves_per_step: int
    """Into how many equal parts a step is divided, so that a fast agent enters nothing."""

    agent: str = ""
    """Key of the agent's profile, for what is shown of it; nothing collides otherwise by it."""


@dataclass(frozen=True)
class EngineStart:
    """What an engine that takes long to start is given for it."""

    tell: Callable[[str], None]
    """Says how far it is, one short sentence for people; may be called at any time before hello."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """JSON values of ``SimulatorClient.start``; an engine ignores those that it does not know."""


@runtime_checkable
class OpeningEngine(Protocol):
    """An engine whose start is slow, or takes options; asked once, before hello."""

    def open(self, start: EngineStart) -> None:
        """Be ready to load scenes; ``info`` is complete afterwards.

        Raises:
            EngineMissingError: If it turns out that it cannot run here.
        """


@runtime_checkable
class IdlingEngine(Protocol):
    """An engine whose main thread must not rest, such as one with a window of its own."""

    idle_every_s: float
    """Longest time between two calls of ``idle`` while nothing is asked."""

    def idle(self) -> None:
        """Keep what must go on going; the simulated world stands still."""


@runtime_checkable
class ClosingEngine(Protocol):
    """An engine that must be told before the process ends."""

    def close(self) -> None:
        """End; the process may end within. Recordings are on the disk before."""


class Engine(Protocol):
    """A physics engine with at most one scene and one agent.

    Surfaces stop the agent and rays from both sides, whatever their winding.
    """

    info: EngineInfo

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene and remove the agent.

        Returns:
            Warnings, such as dropped triangles.
        """

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Replace the agent; it neither rolls nor pitches and feels no gravity."""

    def remove_agent(self) -> None:
        """Take the agent away, so that rays no longer meet it."""

    def raycast(
        self, origins: NDArray[np.float64], direction: Vec3, length_m: float
    ) -> list[float]:
        """Distances along one unit direction to the first surface; infinite if none.

        Args:
            origins: (N, 3); rays that start inside the agent may meet it.
            direction: Unit vector.
            length_m: How far to look.
        """

    def raycast_hit(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along one ray, with its normal."""

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Give the agent this velocity for the next step; contacts may change it."""

    def step(self) -> None:
        """Advance by one physics step."""

    def pose(self) -> Pose:
        """Where the agent is."""

    def contacts(self) -> list[Contact]:
        """What touched the agent in the latest step, engine coordinates."""

    def deepest_overlap_m(self) -> float:
        """How far the agent and its surroundings overlapped in the latest step, ≥ 0."""


def clean_meshes(meshes: Sequence[SceneMesh]) -> tuple[list[SceneMesh], list[str]]:
    """Drop triangles that no engine can use, and meshes of which nothing is left.

    Returns:
        The other meshes, and a warning for each of which something was dropped.
    """
    cleaned = [clean_mesh(mesh) for mesh in meshes]
    usable = [mesh for mesh, _ in cleaned if len(mesh.faces)]
    return usable, [problem for _, problem in cleaned if problem]


def clean_mesh(mesh: SceneMesh) -> tuple[SceneMesh, str | None]:
    """Drop triangles that no engine can use.

    Returns:
        The mesh without triangles that name missing vertices, hold NaN or infinities or
        have no area, and a warning if any were dropped.
    """
    faces = np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3)
    vertices = np.asarray(mesh.vertices, dtype=np.float32).reshape(-1, 3)
    inside = np.logical_and(faces >= 0, faces < len(vertices))
    known = inside[:, 0] & inside[:, 1] & inside[:, 2]
    if not len(vertices):
        vertices = np.full((1, 3), np.nan, dtype=np.float32)
    corners = vertices[np.where(known[:, None], faces, 0)]
    with np.errstate(invalid="ignore", over="ignore"):
        edges = np.asarray(corners[:, 1:] - corners[:, :1], dtype=np.float64)
        area = np.sqrt((np.cross(edges[:, 0], edges[:, 1]) ** 2).sum(axis=1))
        usable = np.logical_and(known, np.logical_and(area > 1e-12, area < np.inf))
    dropped = int(len(faces) - usable.sum())
    if not dropped:
        return replace(mesh, vertices=vertices, faces=faces.astype(np.int32)), None
    used, inverse = np.unique(faces[usable], return_inverse=True)
    left = inverse.reshape(-1, 3).astype(np.int32)
    cleaned = replace(mesh, vertices=vertices[used], faces=left)
    return cleaned, f"{mesh.name}: dropped {dropped} of {len(faces)} triangles without area"
