from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pxr import Usd, UsdGeom
from worlds.scene_files import area, read_failure, signed_volume, usd_cube, usda

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.gaps import geometry_gaps
from waypost.domain.scene.scene import AssetKind, Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def _names(scene: Scene) -> list[str]:
    return [mesh.name for mesh in scene.meshes]


class TestUnitsAndAxes:
    def test_centimetre_room(self, tmp_path: Path) -> None:
        body = usd_cube("Room", size=(500, 400, 270)) + usd_cube("Door", size=(90, 5, 200))
        scene = read_scene(usda(tmp_path / "room.usda", body, unit=0.01))
        assert scene.size_m == pytest.approx((5.0, 4.0, 2.7))
        door = scene.meshes[1].vertices
        assert np.ptp(door, axis=0) == pytest.approx([0.9, 0.05, 2.0])
        assert (scene.format, scene.source_up_axis, scene.metres_per_unit) == ("usda", "Z", 0.01)
        assert scene.warnings == ()

    def test_y_up_stage_is_stood_up(self, tmp_path: Path) -> None:
        scene = read_scene(usda(tmp_path / "a.usda", usd_cube("C", size=(1, 3, 2)), up="Y"))
        assert scene.bounds_m == ((0.0, -2.0, 0.0), (1.0, 0.0, 3.0))

    def test_fallbacks_are_stated(self, tmp_path: Path) -> None:
        body = usd_cube("C", size=(500, 270, 400))
        scene = read_scene(usda(tmp_path / "a.usda", body, up=None, unit=None))
        assert scene.size_m == pytest.approx((5.0, 4.0, 2.7))
        assert scene.warnings == (
            (
                "the file does not state metersPerUnit; with the fallback of 0.01 the size is "
                "5 × 4 × 2.7 m, with 1 it would be 500 × 400 × 270 m"
            ),
            "the file does not state which axis is up; Y is assumed",
        )
        corrected = read_scene(tmp_path / "a.usda", up_axis="Y", metres_per_unit=0.01)
        assert corrected.warnings == ()

    def test_overrides_win(self, tmp_path: Path) -> None:
        path = usda(tmp_path / "a.usda", usd_cube("C", size=(5, 4, 2.7)), up="Y", unit=0.01)
        scene = read_scene(path, up_axis="Z", metres_per_unit=1.0)
        assert scene.size_m == pytest.approx((5.0, 4.0, 2.7))


class TestMissing:
    def test_payload_texture_and_mdl_are_listed_with_their_prims(self, tmp_path: Path) -> None:
        body = (
            usd_cube("Wall", more="rel material:binding = </Looks/Paint>")
            + usd_cube("Lamp", more="rel material:binding = </Looks/Glow>")
            + """
def Xform "Floor" (payload = @./floor.usdc@)
{
}
def Scope "Looks"
{
    def Material "Paint"
    {
        token outputs:surface.connect = </Looks/Paint/S.outputs:surface>
        def Shader "S"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Looks/Paint/T.outputs:rgb>
            token outputs:surface
        }
        def Shader "T"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @./textures/gone.png@
            float3 outputs:rgb
        }
    }
    def Material "Glow"
    {
        token outputs:mdl:surface.connect = </Looks/Glow/S.outputs:out>
        def Shader "S"
        {
            uniform token info:implementationSource = "sourceAsset"
            uniform asset info:mdl:sourceAsset = @./glow.mdl@
            uniform token info:mdl:sourceAsset:subIdentifier = "glow"
            token outputs:out
        }
    }
}
"""
        )
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert {(m.asset, m.wanted_by, m.kind) for m in scene.missing_assets} == {
            ("floor.usdc", "/Floor", AssetKind.GEOMETRY),
            ("./textures/gone.png", "/Looks/Paint", AssetKind.TEXTURE),
            ("./glow.mdl", "/Looks/Glow", AssetKind.TEXTURE),
        }
        assert scene.triangle_count == 24

    def test_shipped_mdl_is_not_missing(self, tmp_path: Path) -> None:
        body = (
            usd_cube("Wall", more="rel material:binding = </M>")
            + """
def Material "M"
{
    token outputs:mdl:surface.connect = </M/S.outputs:out>
    def Shader "S"
    {
        uniform token info:implementationSource = "sourceAsset"
        uniform asset info:mdl:sourceAsset = @OmniPBR.mdl@
        color3f inputs:diffuse_color_constant = (0.1, 0.2, 0.3)
        token outputs:out
    }
}
"""
        )
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert scene.missing_assets == ()
        assert scene.materials[0].base_color == pytest.approx((0.1, 0.2, 0.3, 1.0))

    def test_no_default_prim_opens_fully(self, tmp_path: Path) -> None:
        path = usda(tmp_path / "a.usda", f'def Xform "Root"\n{{\n{usd_cube("C")}\n}}')
        assert _names(read_scene(path)) == ["/Root/C"]

    def test_reference_without_default_prim_is_explained(self, tmp_path: Path) -> None:
        usda(tmp_path / "a.usda", f'def Xform "Root"\n{{\n{usd_cube("C")}\n}}')
        path = usda(tmp_path / "b.usda", 'def Xform "House" (references = @./a.usda@)\n{\n}')
        reason = read_failure(path).reason
        assert "default prim of a.usda, which is not stated there" in reason
        assert "/House" in reason
        assert "a.usda" in reason
        assert "missing" not in reason

    def test_stage_without_meshes_is_an_error(self, tmp_path: Path) -> None:
        assert "no mesh" in read_failure(usda(tmp_path / "a.usda", 'def Xform "Root"\n{\n}')).reason


class TestWhatIsDrawn:
    def test_invisible_guide_and_proxy_are_left_out(self, tmp_path: Path) -> None:
        body = f"""
def Xform "Hidden"
{{
    token visibility = "invisible"
    {usd_cube("C")}
}}
def Xform "Guides"
{{
    uniform token purpose = "guide"
    {usd_cube("C")}
    {usd_cube("Shown", more='uniform token purpose = "render"')}
}}
{usd_cube("Proxy", more='uniform token purpose = "proxy"')}
{usd_cube("Plain")}
"""
        assert _names(read_scene(usda(tmp_path / "a.usda", body))) == ["/Guides/Shown", "/Plain"]

    def test_instances_share_a_prototype_and_stand_apart(self, tmp_path: Path) -> None:
        usda(tmp_path / "chair.usda", f'def Xform "Chair"\n{{\n{usd_cube("C")}\n}}')
        body = "".join(
            f"""
def "Chair{i}" (
    instanceable = true
    references = @./chair.usda@</Chair>
)
{{
    double3 xformOp:translate = ({i * 2}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}}
"""
            for i in range(3)
        )
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert _names(scene) == ["/Chair0/C", "/Chair1/C", "/Chair2/C"]
        assert scene.bounds_m == ((0.0, 0.0, 0.0), (5.0, 1.0, 1.0))

    def test_point_instances_respect_invisible_ids(self, tmp_path: Path) -> None:
        body = f"""
def Xform "World"
{{
    double3 xformOp:translate = (0, 0, 10)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def PointInstancer "Trees"
    {{
        int64[] ids = [7, 8, 9]
        int64[] invisibleIds = [8]
        int[] protoIndices = [0, 0, 1]
        point3f[] positions = [(0, 0, 0), (100, 0, 0), (0, 5, 0)]
        float3[] scales = [(1, 1, 1), (1, 1, 1), (1, 1, 2)]
        rel prototypes = [</World/Trees/Protos/A>, </World/Trees/Protos/B>]
        over "Protos"
        {{
            {usd_cube("A")}
            def Xform "B"
            {{
                double3 xformOp:translate = (1, 0, 0)
                uniform token[] xformOpOrder = ["xformOp:translate"]
                {usd_cube("Top")}
            }}
        }}
    }}
}}
"""
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert _names(scene) == ["/World/Trees/Protos/A[0]", "/World/Trees/Protos/B/Top[2]"]
        low, high = scene.meshes[0].vertices.min(axis=0), scene.meshes[0].vertices.max(axis=0)
        assert (low.tolist(), high.tolist()) == ([0, 0, 10], [1, 1, 11])
        low, high = scene.meshes[1].vertices.min(axis=0), scene.meshes[1].vertices.max(axis=0)
        # prototype moved by 1 in x, then scaled by 2 in z, then placed
        assert (low.tolist(), high.tolist()) == ([1, 5, 10], [2, 6, 12])

    def test_left_handed_and_mirrored_meshes_are_not_inside_out(self, tmp_path: Path) -> None:
        flipped = usd_cube("Left", more='uniform token orientation = "leftHanded"')
        body = f"""
{usd_cube("Plain")}
def Xform "Mirror"
{{
    float3 xformOp:scale = (-1, 1, 1)
    uniform token[] xformOpOrder = ["xformOp:scale"]
    {usd_cube("C")}
    {flipped}
}}
{flipped}
"""
        scene = read_scene(usda(tmp_path / "a.usda", body))
        volumes = {mesh.name: signed_volume(mesh.vertices, mesh.faces) for mesh in scene.meshes}
        # a left-handed mesh winds the other way: the cube's outward quads become inward
        assert volumes["/Plain"] == pytest.approx(1.0)
        assert volumes["/Mirror/C"] == pytest.approx(1.0)
        assert volumes["/Left"] == pytest.approx(-1.0)
        assert volumes["/Mirror/Left"] == pytest.approx(-1.0)

    def test_collision_can_be_switched_off(self, tmp_path: Path) -> None:
        ghost = usd_cube("Ghost", more="bool physics:collisionEnabled = 0").replace(
            'def Mesh "Ghost"', 'def Mesh "Ghost" (prepend apiSchemas = ["PhysicsCollisionAPI"])'
        )
        scene = read_scene(usda(tmp_path / "a.usda", ghost + usd_cube("Solid")))
        assert [mesh.is_collider for mesh in scene.meshes] == [False, True]

    def test_concave_polygons_keep_their_area(self, tmp_path: Path) -> None:
        body = """
def Mesh "L"
{
    int[] faceVertexCounts = [6, 4]
    int[] faceVertexIndices = [0, 1, 2, 3, 4, 5, 0, 1, 7, 6]
    point3f[] points = [(0, 0, 0), (4, 0, 0), (4, 1, 0), (1, 1, 0), (1, 3, 0), (0, 3, 0),
        (0, 0, 2), (4, 0, 2)]
}
"""
        mesh = read_scene(usda(tmp_path / "a.usda", body)).meshes[0]
        assert len(mesh.faces) == 4 + 2
        # the L is 4·1 + 1·2 = 6 and not its hull of 8.5 or more; the wall is 4·2
        assert area(mesh.vertices, mesh.faces) == pytest.approx(6 + 8)

    def test_holes_are_left_open(self, tmp_path: Path) -> None:
        scene = read_scene(usda(tmp_path / "a.usda", usd_cube("C", more="int[] holeIndices = [1]")))
        assert scene.triangle_count == 10

    @pytest.mark.parametrize(
        ("prim", "volume"),
        [
            ('def Cube "S"\n{\n    double size = 2\n}', 8.0),
            ('def Sphere "S"\n{\n    double radius = 1\n}', 4 / 3 * np.pi),
            ('def Cylinder "S"\n{\n    double radius = 1\n    double height = 2\n}', 2 * np.pi),
            ('def Cone "S"\n{\n    double radius = 1\n    double height = 3\n}', np.pi),
            ('def Capsule "S"\n{\n    double radius = 1\n    double height = 2\n}', 10 / 3 * np.pi),
        ],
    )
    def test_simple_solids(self, prim: str, volume: float, tmp_path: Path) -> None:
        mesh = read_scene(usda(tmp_path / "a.usda", prim)).meshes[0]
        assert signed_volume(mesh.vertices, mesh.faces) == pytest.approx(volume, rel=0.03)

    def test_cylinder_lies_about_its_axis(self, tmp_path: Path) -> None:
        prim = 'def Cylinder "S"\n{\n    double radius = 1\n    double height = 6\n    %s\n}'
        for axis, size in (("X", (6, 2, 2)), ("Y", (2, 6, 2)), ("Z", (2, 2, 6))):
            body = prim % f'uniform token axis = "{axis}"'
            scene = read_scene(usda(tmp_path / f"{axis}.usda", body))
            assert scene.size_m == pytest.approx(size)

    def test_plane_faces_up(self, tmp_path: Path) -> None:
        prim = 'def Plane "S"\n{\n    double width = 3\n    double length = 2\n}'
        scene = read_scene(usda(tmp_path / "a.usda", prim))
        assert scene.size_m == (3.0, 2.0, 0.0)
        corners = scene.meshes[0].vertices[scene.meshes[0].faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert (normals[:, 2] > 0).all()

    @pytest.mark.parametrize(
        ("axis", "size", "normal"),
        [
            # "The width aligns to the x-axis when axis is Z or Y, or to the z-axis when axis is X;
            # the length to the y-axis when axis is Z or X, or to the z-axis when axis is Y"
            # (OpenUSD, schema of Plane).
            ("X", (0.0, 2.0, 3.0), (1.0, 0.0, 0.0)),
            ("Y", (3.0, 0.0, 2.0), (0.0, 1.0, 0.0)),
            ("Z", (3.0, 2.0, 0.0), (0.0, 0.0, 1.0)),
        ],
    )
    def test_a_plane_is_as_wide_and_as_long_as_its_axis_says(
        self, axis: str, size: Vec3, normal: Vec3, tmp_path: Path
    ) -> None:
        prim = 'def Plane "S"\n{\n    double width = 3\n    double length = 2\n    %s\n}'
        body = prim % f'uniform token axis = "{axis}"'
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert scene.size_m == pytest.approx(size)
        corners = scene.meshes[0].vertices[scene.meshes[0].faces]
        crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert crosses.sum(axis=0) / 2 == pytest.approx(6.0 * np.array(normal))

    @pytest.mark.parametrize("axis", ["X", "Y", "Z"])
    @pytest.mark.parametrize("kind", ["Plane", "Cylinder", "Cone", "Capsule"])
    def test_solids_reach_as_far_as_openusd_says(
        self, kind: str, axis: str, tmp_path: Path
    ) -> None:
        measures = (
            "double width = 3\ndouble length = 2"
            if kind == "Plane"
            else "double radius = 1\ndouble height = 5"
        )
        body = f'def {kind} "S"\n{{\n{measures}\nuniform token axis = "{axis}"\n}}'
        path = usda(tmp_path / "a.usda", body)
        stage = Usd.Stage.Open(str(path))
        solid = UsdGeom.Boundable(stage.GetPrimAtPath("/S"))
        extent = UsdGeom.Boundable.ComputeExtentFromPlugins(solid, 0.0)
        low, high = read_scene(path).bounds_m
        # Round solids have 32 sides.
        assert np.array([low, high]) == pytest.approx(np.array(extent), abs=0.01)

    def test_point_instances_inside_point_instances(self, tmp_path: Path) -> None:
        body = f"""
def PointInstancer "Rows"
{{
    int[] protoIndices = [0, 0, 1]
    point3f[] positions = [(0, 0, 0), (0, 10, 0), (0, 20, 0)]
    rel prototypes = [</Rows/Row>, </Gone>]
    def PointInstancer "Row"
    {{
        int[] protoIndices = [0, 0]
        point3f[] positions = [(0, 0, 0), (3, 0, 0)]
        rel prototypes = [</Rows/Row/Seat>]
        {usd_cube("Seat")}
    }}
}}
"""
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert len(scene.meshes) == 4
        assert len(set(_names(scene))) == 4
        assert scene.bounds_m == ((0.0, 0.0, 0.0), (4.0, 11.0, 1.0))
        # What is not there could be in an agent's way.
        assert geometry_gaps(scene) == ("/Rows",)
        assert scene.left_out[0].reason == "its prototype /Gone is not there"

    def test_what_is_masked_needs_no_prototype(self, tmp_path: Path) -> None:
        body = f"""
def PointInstancer "Rows"
{{
    int[] protoIndices = [0, 1]
    int64[] invisibleIds = [1]
    point3f[] positions = [(0, 0, 0), (0, 10, 0)]
    rel prototypes = [</Rows/Seat>, </Gone>]
    {usd_cube("Seat")}
}}
"""
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert _names(scene) == ["/Rows/Seat[0]"]
        assert not geometry_gaps(scene)

    def test_unknown_surfaces_and_empty_meshes_are_left_out(self, tmp_path: Path) -> None:
        body = usd_cube("C") + 'def NurbsPatch "N"\n{\n}\ndef Mesh "E"\n{\n}'
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert _names(scene) == ["/C"]
        # An agent could go through it.
        assert geometry_gaps(scene) == ("/N",)
        assert scene.left_out[0].reason == "surfaces of type NurbsPatch are not read"

    def test_inconsistent_point_instances_are_said(self, tmp_path: Path) -> None:
        body = (
            usd_cube("C")
            + """
def PointInstancer "P"
{
    int[] protoIndices = [7]
    point3f[] positions = [(0, 0, 0)]
    rel prototypes = [</C>]
}
"""
        )
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert scene.triangle_count == 12
        assert [(p.name, p.reason) for p in scene.left_out] == [
            ("/P", "its instances are inconsistent")
        ]

    def test_curves_are_left_out_and_counted(self, tmp_path: Path) -> None:
        body = usd_cube("C") + 'def BasisCurves "A"\n{\n}\ndef BasisCurves "B"\n{\n}'
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert "2 prims of type BasisCurves are not shown" in scene.warnings


class TestDamage:
    def test_non_latin_names(self, tmp_path: Path) -> None:
        folder = tmp_path / "场景 №1"
        folder.mkdir()
        assert read_scene(usda(folder / "комната é.usda", usd_cube("C"))).triangle_count == 12

    def test_text_error_names_the_line(self, tmp_path: Path) -> None:
        path = usda(tmp_path / "a.usda", usd_cube("C")[:-20])
        error = read_failure(path)
        assert error.place.startswith("line ")
        assert int(error.place.removeprefix("line ")) > 5

    def test_truncated_binary(self, tmp_path: Path) -> None:
        path = tmp_path / "a.usdc"
        path.write_bytes(b"PXR-USDC" + bytes(40))
        assert "truncated" in read_failure(path).reason

    def test_faces_without_points_are_left_out_and_said(self, tmp_path: Path) -> None:
        bad = """
def Mesh "Bad"
{
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 9]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
}
"""
        scene = read_scene(usda(tmp_path / "a.usda", bad + usd_cube("C")))
        assert _names(scene) == ["/C"]
        assert [part.name for part in scene.left_out] == ["/Bad"]

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "a.usda"
        path.write_bytes(b'#usda 1.0\ndef "\xff\xfe"')
        assert "cannot be opened" in read_failure(path).reason

    @given(share=st.floats(0, 0.99))
    @settings(max_examples=30, deadline=None)
    def test_any_truncation_is_a_scene_or_one_sentence(
        self, share: float, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        path = usda(tmp_path_factory.mktemp("cut") / "a.usda", usd_cube("C") + usd_cube("D"))
        text = path.read_text()
        path.write_text(text[: int(share * len(text))])
        with contextlib.suppress(ReadError):
            assert read_scene(path).triangle_count > 0

    def test_nothing_is_written_to_standard_error(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        body = usd_cube("C") + 'def Xform "F" (payload = @./gone.usd@)\n{\n}'
        assert len(read_scene(usda(tmp_path / "a.usda", body)).missing_assets) == 1
        assert capfd.readouterr().err == ""
