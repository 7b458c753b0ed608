"""The stage that Isaac Sim and ovphysx are given, as OpenUSD reads it."""

from __future__ import annotations

import numpy as np
import pytest
from pxr import Sdf, Usd, UsdGeom, UsdPhysics

from waypost.simulators.backends.engine import Collider, Pose, SceneMesh
from waypost.simulators.backends.isaac_display import _take_physics_off
from waypost.simulators.backends.isaac_stage import EYE, LOOKS, session_text
from waypost.simulators.backends.usd_text import agent_text, looks_text, scene_text

AWAY = Pose(0.0, 0.0, -5000.0, 0.0)


def hull(shape="cylinder"):
    return Collider(shape, 0.6, 0.8, 0.3, 1.7, 0.004, 2)


def opened(folder, collider, robot_usd=""):
    layers = []
    for number, text in enumerate((agent_text(collider), scene_text((), 0.004))):
        path = folder / f"{number}.usda"
        path.write_text(text, encoding="utf-8")
        layers.append(str(path))
    path = folder / "session.usda"
    path.write_text(session_text(layers, 240, AWAY, collider, robot_usd), encoding="utf-8")
    return Usd.Stage.Open(str(path))


@pytest.mark.parametrize("shape", ["cylinder", "box", "capsule"])
def test_agent_scene_camera_and_lights_are_one_stage_in_metres_with_z_up(tmp_path, shape):
    stage = opened(tmp_path, hull(shape))
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    agent = stage.GetPrimAtPath("/Agent")
    assert agent.GetAttribute("xformOp:translate").Get() == (0.0, 0.0, -5000.0)
    # What collides is not drawn; a body of the same height is.
    assert UsdGeom.Imageable(agent).ComputePurpose() == "guide"
    body = UsdGeom.Boundable(stage.GetPrimAtPath(f"{LOOKS}/Body"))
    box = UsdGeom.BBoxCache(0, ["default"]).ComputeWorldBound(body.GetPrim()).ComputeAlignedRange()
    assert (box.GetMin()[2], box.GetMax()[2]) == pytest.approx((0.0, 1.7), abs=1e-6)
    scene = stage.GetPrimAtPath("/PhysicsScene")
    assert scene.GetAttribute("physxScene:timeStepsPerSecond").Get() == 240
    assert stage.GetPrimAtPath(EYE).GetTypeName() == "Camera"


def test_a_robot_is_shown_and_takes_no_part_in_physics(tmp_path):
    robot = Usd.Stage.CreateNew(str(tmp_path / "robot @ home.usda"))
    root = UsdGeom.Xform.Define(robot, "/Robot").GetPrim()
    robot.SetDefaultPrim(root)
    UsdPhysics.ArticulationRootAPI.Apply(root)
    leg = UsdGeom.Cube.Define(robot, "/Robot/leg").GetPrim()
    UsdPhysics.RigidBodyAPI.Apply(leg)
    UsdPhysics.CollisionAPI.Apply(leg)
    UsdPhysics.RevoluteJoint.Define(robot, "/Robot/knee")
    robot.Save()
    stage = opened(tmp_path, hull(), str(tmp_path / "robot @ home.usda"))
    looks = stage.GetPrimAtPath(LOOKS)
    _take_physics_off(looks)
    leg = stage.GetPrimAtPath(f"{LOOKS}/leg")
    assert leg.GetTypeName() == "Cube"
    assert not UsdPhysics.RigidBodyAPI(leg).GetRigidBodyEnabledAttr().Get()
    assert not UsdPhysics.CollisionAPI(leg).GetCollisionEnabledAttr().Get()
    assert not stage.GetPrimAtPath(f"{LOOKS}/knee").IsActive()
    assert "PhysicsArticulationRootAPI" not in looks.GetAppliedSchemas()


def solid(stage: Usd.Stage) -> list[str]:
    return [str(p.GetPath()) for p in stage.Traverse() if p.HasAPI(UsdPhysics.CollisionAPI)]


def test_what_is_seen_is_a_layer_below_that_changes_nothing_that_collides(tmp_path):
    triangle = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32), np.array([[0, 1, 2]])
    meshes = [
        SceneMesh("wall", *triangle, colour=(0.5, 0.25, 0.125)),
        SceneMesh("curtain", *triangle, colour=(1.0, 0.0, 0.0), collides=False),
    ]
    looks = tmp_path / "looks @ home.usda"
    looks.write_text(looks_text(meshes), encoding="utf-8")
    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.ImportFromString(scene_text(meshes, 0.004, str(looks)))
    stage = Usd.Stage.Open(layer)
    wall, curtain = (stage.GetPrimAtPath(f"/World/m{index}") for index in range(2))
    colours = [UsdGeom.Gprim(prim).GetDisplayColorAttr().Get() for prim in (wall, curtain)]
    assert [tuple(colour[0]) for colour in colours] == [(0.5, 0.25, 0.125), (1.0, 0.0, 0.0)]
    assert "PhysicsCollisionAPI" in wall.GetAppliedSchemas()
    assert len(UsdGeom.Mesh(wall).GetFaceVertexCountsAttr().Get()) == 2, "both windings"
    assert curtain.GetTypeName() == "Mesh"
    assert curtain.GetAppliedSchemas() == []
    # Without the layer the same collides.
    layer_alone = Sdf.Layer.CreateAnonymous(".usda")
    layer_alone.ImportFromString(scene_text(meshes, 0.004))
    assert solid(Usd.Stage.Open(layer_alone)) == solid(stage) == ["/World/m0"]
