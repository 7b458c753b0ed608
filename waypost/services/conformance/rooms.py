"""Small scenes built from boxes and wedges, and the agents driven through them."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from waypost.domain.scene.scene import Mesh, Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType

Corner = tuple[float, float, float]

_BOX_FACES = np.array(
    [
        [0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
        [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7],
    ],
    dtype=np.int32,
)  # fmt: skip


def box(name: str, low: Corner, high: Corner) -> Mesh:
    """A closed box between two corners."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    vertices = np.array(
        [
            [x0, y0, z0], [x1, y0, z0], [x1, y1, z0], [x0, y1, z0],
            [x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1],
        ],
        dtype=np.float32,
    )  # fmt: skip
    return Mesh(name, vertices, _BOX_FACES.copy())


def joined(name: str, meshes: Iterable[Mesh]) -> Mesh:
    """Several meshes as one object."""
    vertices, faces, count = [], [], 0
    for mesh in meshes:
        vertices.append(mesh.vertices)
        faces.append(mesh.faces + count)
        count += len(mesh.vertices)
    return Mesh(name, np.concatenate(vertices), np.concatenate(faces).astype(np.int32))


def inverted(mesh: Mesh) -> Mesh:
    """The same object with every triangle wound the other way."""
    return Mesh(mesh.name, mesh.vertices.copy(), mesh.faces[:, ::-1].copy())


def scene(*meshes: Mesh, origin_m: Corner = (0.0, 0.0, 0.0)) -> Scene:
    """A scene of these objects."""
    return Scene("room", "room.glb", "glb", tuple(meshes), origin_m=origin_m)


def floor(length: float = 12.0, half_width: float = 4.0) -> Mesh:
    """A floor with its top at z = 0, from x = −4 to ``length``."""
    return box("floor", (-4.0, -half_width, -0.2), (length, half_width, 0.0))


def door(width: float, *, x: float = 2.0, thickness: float = 0.12, height: float = 2.0) -> Mesh:
    """A wall across the way with a doorway of this width in its middle, as one mesh."""
    half = width / 2
    return joined(
        "wall",
        [
            box("", (x, -4.0, 0.0), (x + thickness, -half, 2.6)),
            box("", (x, half, 0.0), (x + thickness, 4.0, 2.6)),
            box("", (x, -half, height), (x + thickness, half, 2.6)),
        ],
    )


def sill(height: float, *, x: float = 2.0, depth: float = 0.10) -> Mesh:
    """A low bar across the way."""
    return box("sill", (x, -4.0, 0.0), (x + depth, 4.0, height))


def stairs(count: int, *, riser: float = 0.17, tread: float = 0.28, x: float = 2.0) -> Mesh:
    """A straight flight up along +X, ending in a landing of 4 m."""
    steps = [
        box(
            "",
            (x + index * tread, -1.0, 0.0),
            (x + count * tread + (4.0 if index == count - 1 else 0.0), 1.0, (index + 1) * riser),
        )
        for index in range(count)
    ]
    return joined("stairs", steps)


def ramp(angle_rad: float, *, x: float = 2.0, length: float = 4.0) -> Mesh:
    """A wedge up along +X that ends in a level platform of 4 m."""
    rise = length * math.tan(angle_rad)
    vertices = np.array(
        [
            [x, -2.0, 0.0], [x, 2.0, 0.0],
            [x + length, -2.0, rise], [x + length, 2.0, rise],
            [x + length + 4.0, -2.0, rise], [x + length + 4.0, 2.0, rise],
        ],
        dtype=np.float32,
    )  # fmt: skip
    faces = np.array([[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]], dtype=np.int32)
    return Mesh("ramp", vertices, faces)


def agent(  # noqa: PLR0913 - a body, its abilities and its drive
    shape: BodyShape = BodyShape.CYLINDER,
    width: float = 0.6,
    depth: float | None = None,
    height: float = 1.7,
    step: float = 0.30,
    *,
    climbs: bool = True,
    drive: DriveType = DriveType.DIFFERENTIAL,
    turning: float = 0.0,
    speed: float = 1.0,
) -> AgentProfile:
    """A profile that is named after its body."""
    deep = width if depth is None else depth
    name = (
        f"{shape.value} {width:g} × {deep:g} × {height:g} m at {speed:g} m/s, steps of {step:g} m"
    )
    abilities = (climbs, True, True, drive, turning, speed)
    return AgentProfile("agent", name, shape, width, deep, height, step, *abilities)


HUMAN = agent()
WHEELCHAIR = agent(BodyShape.BOX, 0.7, 1.0, 1.2, 0.013, climbs=False)
HUMANOID = agent(width=0.9, height=1.5, step=0.40, climbs=False)
SWEEPER = agent(width=0.4, height=0.15, step=0.02, climbs=False)
QUADRUPED = agent(BodyShape.BOX, 0.5, 1.1, 0.7, 0.30)
EVERYBODY = (HUMAN, WHEELCHAIR, HUMANOID, SWEEPER, QUADRUPED)


def post_door(width: float, x: float = 2.0) -> tuple[Mesh, Mesh]:
    """A doorway between two boxes, for engines that know boxes only."""
    half = width / 2
    return (
        box("left post", (x, half, 0.0), (x + 0.12, 4.0, 2.6)),
        box("right post", (x, -4.0, 0.0), (x + 0.12, -half, 2.6)),
    )


def corridor() -> Scene:
    """L-shaped, 0.80 m wide: along +X to x = 4, then along +Y."""
    walls = [
        box("", (0.0, -0.6, 0.0), (4.6, -0.4, 2.6)),
        box("", (4.4, -0.4, 0.0), (4.6, 5.0, 2.6)),
        box("", (0.0, 0.4, 0.0), (3.6, 0.6, 2.6)),
        box("", (3.4, 0.4, 0.0), (3.6, 5.0, 2.6)),
    ]
    return scene(floor(half_width=6.0), joined("corridor", walls))


def turned(room: Scene, yaw_rad: float) -> Scene:
    """A room turned about its zero, counter-clockwise."""
    cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
    turn = np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    meshes = [
        Mesh(mesh.name, (mesh.vertices @ turn).astype(np.float32), mesh.faces.copy())
        for mesh in room.meshes
    ]
    return scene(*meshes)
