"""Every PhysX engine builds an agent from the same parts, and USD text says exactly the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics

from waypost.services.conformance.rooms import box
from waypost.simulators.backends.engine import Collider, SceneMesh
from waypost.simulators.backends.hull import SKIN_M, hull_parts, prism_faces, prism_points
from waypost.simulators.backends.usd_text import PRISM_SIDES, agent_text, scene_text


def collider(shape, width=0.6, depth=0.6, bottom=0.3, top=1.7):
    return Collider(shape, width, depth, bottom, top, 0.01, 1)


def stage(text):
    layer = Sdf.Layer.CreateAnonymous(".usda")
    assert layer.ImportFromString(text)
    return Usd.Stage.Open(layer)


def test_a_hull_is_smaller_by_its_skin_all_around():
    (part,) = hull_parts(collider("box", 0.7, 1.0, 0.014, 1.2))
    assert part.width_m == pytest.approx(0.7 - 2 * SKIN_M)
    assert part.depth_m == pytest.approx(1.0 - 2 * SKIN_M)
    assert part.bottom_m == pytest.approx(0.014 + SKIN_M)
    assert part.top_m == pytest.approx(1.2 - SKIN_M)


def test_a_capsule_is_full_width_below_its_shoulders_and_a_flat_one_is_a_cylinder():
    cap, trunk = hull_parts(collider("capsule"))
    assert (cap.kind, trunk.kind) == ("capsule", "prism")
    assert trunk.top_m == pytest.approx(cap.top_m - cap.radius_m)
    assert [part.kind for part in hull_parts(collider("capsule", top=0.7))] == ["prism"]


@given(st.floats(0.1, 1.5), st.sampled_from([PRISM_SIDES, 48]))
def test_a_prism_is_as_wide_as_its_cylinder_and_never_meets_rays_that_start_beside_it(width, sides):
    (part,) = hull_parts(collider("cylinder", width, width))
    points = prism_points(part, sides).astype(float)
    corner_m = np.hypot(points[:, 0], points[:, 1]).max()
    flat_m = corner_m * math.cos(math.pi / sides)
    assert corner_m < width / 2 + 0.001
    assert flat_m <= part.radius_m
    assert width / 2 - flat_m < SKIN_M + 0.006 * width / 2


def test_the_faces_of_a_prism_close_it_and_look_outwards():
    (part,) = hull_parts(collider("cylinder"))
    points, faces = prism_points(part, 12).astype(float), prism_faces(12)
    corners = points[faces]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    outer = np.hypot(points[0, 0], points[0, 1])
    area = 12 / 2 * outer**2 * math.sin(math.tau / 12)
    assert volume == pytest.approx(area * part.height_m, rel=1e-5)


def test_the_text_of_a_scene_has_every_triangle_from_both_sides_to_the_last_bit():
    cube = box('a name with "quotes"', (0.1, 1 / 3, -2.0), (1e-7, 4e6, 3.3))
    told = stage(scene_text([SceneMesh(cube.name, cube.vertices, cube.faces)], 0.004))
    assert UsdGeom.GetStageMetersPerUnit(told) == 1.0
    assert UsdGeom.GetStageUpAxis(told) == UsdGeom.Tokens.z
    mesh = UsdGeom.Mesh(told.GetPrimAtPath("/World/m0"))
    np.testing.assert_array_equal(np.array(mesh.GetPointsAttr().Get()), cube.vertices)
    indices = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    np.testing.assert_array_equal(indices[:12], cube.faces)
    np.testing.assert_array_equal(indices[12:], cube.faces[:, ::-1])
    prim = mesh.GetPrim()
    assert UsdPhysics.MeshCollisionAPI(prim).GetApproximationAttr().Get() == "none"
    assert prim.GetAttribute("physxCollision:contactOffset").Get() == pytest.approx(0.004)


@pytest.mark.parametrize("shape", ["box", "cylinder", "capsule"])
def test_the_text_of_an_agent_is_as_large_as_its_hull_and_slides(shape):
    told = stage(agent_text(collider(shape, 0.6, 0.9 if shape == "box" else 0.6)))
    cache = UsdGeom.BBoxCache(Usd.TimeCode.Default(), [UsdGeom.Tokens.default_])
    size = cache.ComputeWorldBound(told.GetDefaultPrim()).ComputeAlignedRange()
    depth = 0.9 if shape == "box" else 0.6
    wanted = Gf.Vec3d(depth, 0.6, 1.4) - Gf.Vec3d(2 * SKIN_M)
    assert list(size.GetSize()) == pytest.approx(list(wanted), abs=0.002)
    assert size.GetMin()[2] == pytest.approx(0.3 + SKIN_M, abs=1e-6)
    material = told.GetPrimAtPath("/Agent/Slippery")
    assert UsdPhysics.MaterialAPI(material).GetDynamicFrictionAttr().Get() == 0.0
    assert material.GetAttribute("physxMaterial:frictionCombineMode").Get() == "min"
    for prim in told.GetDefaultPrim().GetChildren():
        if prim.HasAPI(UsdPhysics.CollisionAPI):
            assert prim.GetRelationship("material:binding:physics").GetTargets() == [
                "/Agent/Slippery"
            ]
            assert prim.GetAttribute("physxCollision:restOffset").Get() == pytest.approx(SKIN_M)
