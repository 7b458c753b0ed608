"""A scene and an agent as the text of USD stages, for engines that read nothing else.

Written without a USD library, because those of an engine and ours must not meet in one process.
The names of the attributes are those of UsdPhysics and of the ``physx-usd-schemas`` package.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import Collider, SceneMesh
from waypost.simulators.backends.hull import (
    SKIN_M,
    HullPart,
    hull_parts,
    prism_faces,
    prism_points,
)

PRISM_SIDES = 28
"""Of the prism that stands for a cylinder, with a side to the front, the back, the left and the
right: a corner that meets a wall is pushed along one of its sides' normals, 6° off. Its width is
true to 0.3 %. More are impossible: a convex hull may have 64 points here, and already at 64 PhysX
5.12 moves corners out by 3 mm."""

SOLVER_ITERATIONS = 60
"""Position iterations per solve. With 10, round hulls squeeze through doors 1 cm too narrow, and 7
of the 157 cases of the conformance fail."""

FRICTION = 0.0
FRICTION_COMBINE_MODE = "min"
"""By default two materials are averaged, and then a hull sticks to what it should slide along: of
100 drives in small_house 86 end as on SAPIEN instead of 97."""

_POINTS_AT_ONCE = 100_000
_COLLIDER_APIS = '"PhysicsCollisionAPI", "PhysxCollisionAPI"'
_MESH_APIS = f'{_COLLIDER_APIS}, "PhysicsMeshCollisionAPI"'

_COLLISION = '    uniform token physics:approximation = "{}"\n'

_PHYSICS = """def PhysicsScene "PhysicsScene" (prepend apiSchemas = ["PhysxSceneAPI"])
{
    vector3f physics:gravityDirection = (0, 0, -1)
    float physics:gravityMagnitude = 0
    bool physxScene:enableGPUDynamics = false
    uniform token physxScene:broadphaseType = "SAP"
    bool physxScene:enableEnhancedDeterminism = true
}
"""

_MATERIAL = f"""def Material "Slippery" (
    prepend apiSchemas = ["PhysicsMaterialAPI", "PhysxMaterialAPI"]
)
{{
    float physics:staticFriction = {FRICTION!r}
    float physics:dynamicFriction = {FRICTION!r}
    float physics:restitution = 0
    uniform token physxMaterial:frictionCombineMode = "{FRICTION_COMBINE_MODE}"
    uniform token physxMaterial:restitutionCombineMode = "min"
}}
"""

_BODY = f"""    double3 xformOp:translate = (0, 0, 0)
    quatd xformOp:orient = (1, 0, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
    float physics:mass = 50
    float3 physics:diagonalInertia = (5, 5, 5)
    point3f physics:centerOfMass = (0, 0, 0)
    bool physxRigidBody:disableGravity = true
    float physxRigidBody:linearDamping = 0
    float physxRigidBody:angularDamping = 0
    float physxRigidBody:sleepThreshold = 0
    float physxRigidBody:maxDepenetrationVelocity = 1
    int physxRigidBody:lockedRotAxis = 3
    int physxRigidBody:solverPositionIterationCount = {SOLVER_ITERATIONS}
    int physxRigidBody:solverVelocityIterationCount = 1
    float physxContactReport:threshold = 0
"""


def stage_text(root: str, content: str, weaker_layer: str = "") -> str:
    """A whole stage in metres with Z up.

    Args:
        root: Name of its default prim.
        content: The prims.
        weaker_layer: A file below it; by default there is none.
    """
    header = f'defaultPrim = "{root}"\n    metersPerUnit = 1\n    upAxis = "Z"'
    if weaker_layer:
        header += f"\n    subLayers = [@@@{Path(weaker_layer).as_posix()}@@@]"
    return f"#usda 1.0\n(\n    {header}\n)\n{content}"


def scene_text(meshes: Sequence[SceneMesh], contact_offset_m: float, looks_layer: str = "") -> str:
    """The stage of a scene: settings of the physics, and one collider per mesh that collides.

    Each of them is ``/World/m`` and its index. PhysX meets triangles from the side of their normal
    only, so every triangle is there in both windings.

    Args:
        meshes: First those that collide.
        contact_offset_m: Of the colliders.
        looks_layer: File with ``looks_text``, below this layer, so that it can change nothing that
            collides; by default there is none.
    """
    shape = _offsets(contact_offset_m, 0.0)
    colliders = [
        _mesh(
            f"m{index}",
            mesh.vertices,
            np.concatenate([mesh.faces, mesh.faces[:, ::-1]]),
            _COLLISION.format("none") + shape,
            _MESH_APIS,
        )
        for index, mesh in enumerate(meshes)
        if mesh.collides
    ]
    world = 'def Xform "World"\n{\n' + "".join(colliders) + "}\n"
    return stage_text("World", _PHYSICS + world, looks_layer)


def looks_text(meshes: Sequence[SceneMesh]) -> str:
    """The layer below that of ``scene_text``: what is seen of the same meshes, without physics.

    Colours of those that collide, whose triangles are there already, and what is only seen.
    """
    prims = [
        f'over "m{index}"\n{{\n{_colour(mesh)}}}\n'
        if mesh.collides
        else _mesh(f"m{index}", mesh.vertices, mesh.faces, _colour(mesh))
        for index, mesh in enumerate(meshes)
    ]
    return stage_text("World", 'over "World"\n{\n' + "".join(prims) + "}\n")


def agent_text(collider: Collider) -> str:
    """The stage of an agent whose origin is its feet; it neither rolls nor pitches nor falls."""
    parts = [
        _part(f"Hull{index}", part, collider.contact_offset_m)
        for index, part in enumerate(hull_parts(collider))
    ]
    apis = '"PhysicsRigidBodyAPI", "PhysxRigidBodyAPI", "PhysicsMassAPI", "PhysxContactReportAPI"'
    body = f'def Xform "Agent" (prepend apiSchemas = [{apis}])\n{{\n{_BODY}'
    return stage_text("Agent", body + _MATERIAL + "".join(parts) + "}\n")


def _part(name: str, part: HullPart, contact_offset_m: float) -> str:
    shape = _offsets(contact_offset_m, SKIN_M)
    shape += "    rel material:binding:physics = </Agent/Slippery>\n"
    if part.kind == "prism":
        points = prism_points(part, PRISM_SIDES, math.pi / PRISM_SIDES)
        faces = prism_faces(PRISM_SIDES)
        shape = _COLLISION.format("convexHull") + shape
        return _mesh(name, points, faces, shape, f'{_MESH_APIS}, "MaterialBindingAPI"')
    lines = [f"double3 xformOp:translate = (0, 0, {part.middle_m!r})"]
    if part.kind == "capsule":
        straight_m = max(1e-3, part.height_m - part.width_m)
        lines += [
            'uniform token[] xformOpOrder = ["xformOp:translate"]',
            'uniform token axis = "Z"',
            f"double radius = {part.radius_m!r}",
            f"double height = {straight_m!r}",
        ]
    else:
        lines += [
            f"float3 xformOp:scale = ({part.depth_m!r}, {part.width_m!r}, {part.height_m!r})",
            'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]',
            "double size = 1",
        ]
    kind = "Capsule" if part.kind == "capsule" else "Cube"
    body = "".join(f"    {line}\n" for line in lines)
    apis = f'prepend apiSchemas = [{_COLLIDER_APIS}, "MaterialBindingAPI"]'
    return f'def {kind} "{name}" ({apis})\n{{\n{body}{shape}}}\n'


def _offsets(contact_offset_m: float, rest_offset_m: float) -> str:
    return (
        f"    float physxCollision:contactOffset = {contact_offset_m!r}\n"
        f"    float physxCollision:restOffset = {rest_offset_m!r}\n"
    )


def _colour(mesh: SceneMesh) -> str:
    red, green, blue = mesh.colour
    colour = f"    color3f[] primvars:displayColor = [({red:.6g}, {green:.6g}, {blue:.6g})]\n"
    return colour + "    uniform bool doubleSided = true\n"


def _mesh(
    name: str, points: NDArray[np.float32], faces: NDArray[np.int32], more: str, apis: str = ""
) -> str:
    applied = f" (prepend apiSchemas = [{apis}])" if apis else ""
    return (
        f'def Mesh "{name}"{applied}\n{{\n'
        f"    int[] faceVertexCounts = {[3] * len(faces)}\n"
        f"    int[] faceVertexIndices = {faces.reshape(-1).tolist()}\n"
        f"    point3f[] points = [{_points(points)}]\n"
        '    uniform token subdivisionScheme = "none"\n'
        f"{more}}}\n"
    )


def _points(points: NDArray[np.float32]) -> str:
    # Nine digits give back every float32.
    pieces = []
    for start in range(0, len(points), _POINTS_AT_ONCE):
        piece = points[start : start + _POINTS_AT_ONCE]
        form = ", ".join(["(%.9g, %.9g, %.9g)"] * len(piece))
        pieces.append(form % tuple(piece.reshape(-1).tolist()))
    return ", ".join(pieces)
