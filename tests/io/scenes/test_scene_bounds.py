"""What a scene announces is compared with what is there, before memory is taken for it."""

from __future__ import annotations

import json
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from worlds.scene_files import (
    CUBE_FACES,
    CUBE_POINTS,
    Gltf,
    cube_glb,
    png,
    read_failure,
    usd_cube,
    usda,
)

from waypost.io.scenes import bounds, draco_header, textures
from waypost.io.scenes.decode_scene import decode_at_once as read_scene
from waypost.io.scenes.usd_stage import size, walk

MANY = (10**9, 2**31, 2**53)


def _cube_with(**changes: Any) -> Gltf:
    """A cube whose accessor of positions says something else."""
    gltf = cube_glb()
    accessor = gltf.header["accessors"][0]
    accessor.update(changes)
    for key in [key for key, value in changes.items() if value is None]:
        del accessor[key]
    return gltf


class TestCounts:
    @pytest.mark.parametrize("count", [9, *MANY])
    def test_more_values_than_the_view_has(self, count: int, tmp_path: Path) -> None:
        error = read_failure(_cube_with(count=count).write(tmp_path / "a.glb"))
        assert error.place == "accessors[0].count"
        assert f"{count:,} values need" in error.reason
        assert "the view has 96" in error.reason

    @pytest.mark.parametrize("more", [{}, {"sparse": True}])
    @pytest.mark.parametrize("count", [6_000_000, *MANY])
    def test_values_without_bytes(self, count: int, more: dict[str, bool], tmp_path: Path) -> None:
        gltf = _cube_with(count=count, bufferView=None)
        if more:
            gltf.header["accessors"][0]["sparse"] = {
                "count": 1,
                "indices": {"bufferView": 1, "componentType": 5123},
                "values": {"bufferView": 0},
            }
        path = gltf.write(tmp_path / "a.glb")
        tracemalloc.start()
        error = read_failure(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert "announced without bytes" in error.reason or "vertices" in error.reason
        assert peak < 20e6

    def test_a_view_beyond_its_buffer(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        gltf.header["bufferViews"][1]["byteLength"] += 8
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert (error.place, error.reason) == (
            "bufferViews[1]",
            "reaches to byte 176 of a buffer of 168",
        )

    @pytest.mark.parametrize(
        ("sparse", "place", "words"),
        [
            ({"count": 9}, "sparse.count", "9 of 8 values"),
            ({"count": 8}, "sparse.count", "values need"),
            ({"count": 2, "far": True}, "sparse.indices", "names value 9 of 8"),
        ],
    )
    def test_sparse_values(
        self, sparse: dict[str, Any], place: str, words: str, tmp_path: Path
    ) -> None:
        gltf = cube_glb()
        which = gltf.view(np.array([1, 9 if "far" in sparse else 2], "<u2").tobytes())
        gltf.header["accessors"][0]["sparse"] = {
            "count": sparse["count"],
            "indices": {"bufferView": which, "componentType": 5123},
            "values": {"bufferView": 0},
        }
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert error.place == f"accessors[0].{place}"
        assert words in error.reason

    def test_what_nothing_shows_takes_no_memory(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        gltf.header["accessors"].append({"componentType": 5126, "count": 2**53, "type": "MAT4"})
        assert read_scene(gltf.write(tmp_path / "a.glb")).triangle_count == 12

    def test_draco_data_that_announce_too_much(self, tmp_path: Path) -> None:
        drawn = pytest.importorskip("DracoPy").encode(CUBE_POINTS, CUBE_FACES.astype("u4"))
        counts = draco_header.draco_counts(drawn)
        assert counts is not None
        assert (counts.triangles, counts.points) == (12, 8)
        lying = b"DRACO" + bytes([2, 2, 1, 1, 0, 0, 0]) + b"\xff\xff\xff\x7f" * 2
        gltf = Gltf()
        view = gltf.view(lying)
        gltf.mesh()
        primitive = gltf.header["meshes"][0]["primitives"][0]
        for accessor in gltf.header["accessors"]:
            del accessor["bufferView"]
        primitive["extensions"] = {
            "KHR_draco_mesh_compression": {"bufferView": view, "attributes": {"POSITION": 0}}
        }
        gltf.scene(gltf.node(mesh=0))
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert error.place == f"bufferViews[{view}]"
        assert "announce 268,435,455 triangles" in error.reason


class TestPlaced:
    def test_meshes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bounds, "MAX_PLACED_MESHES", 5)
        gltf = Gltf()
        mesh = gltf.mesh()
        roots = [gltf.node(mesh=mesh, translation=[n, 0, 0]) for n in range(6)]
        gltf.scene(*roots)
        assert "places more than 5 meshes" in read_failure(gltf.write(tmp_path / "a.glb")).reason
        gltf.header["scenes"] = []
        gltf.scene(*roots[:5])
        assert len(read_scene(gltf.write(tmp_path / "b.glb")).meshes) == 5

    @pytest.mark.parametrize(("name", "most"), [("MAX_TRIANGLES", 59), ("MAX_POINTS", 39)])
    def test_triangles_and_vertices(
        self, name: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bounds, name, most)
        gltf = Gltf()
        mesh = gltf.mesh()
        gltf.scene(*(gltf.node(mesh=mesh, translation=[n, 0, 0]) for n in range(5)))
        assert f"places more than {most}" in read_failure(gltf.write(tmp_path / "a.glb")).reason
        stage = "".join(usd_cube(f"C{n}") for n in range(5))
        if name == "MAX_TRIANGLES":
            error = read_failure(usda(tmp_path / "a.usda", stage))
            assert (error.place, error.reason) == (
                "/C4",
                f"the scene places more than {most} triangles",
            )

    def test_an_instancer_of_itself(self, tmp_path: Path) -> None:
        body = """
def PointInstancer "P" {
    rel prototypes = [</P>]
    int[] protoIndices = [0, 0, 0]
    point3f[] positions = [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
}
"""
        error = read_failure(usda(tmp_path / "a.usda", body))
        assert (error.place, error.reason) == ("/P", "the instancer places itself")

    def test_instancers_of_each_other(self, tmp_path: Path) -> None:
        body = "".join(
            f"""
def PointInstancer "{name}" {{
    rel prototypes = [</{other}>]
    int[] protoIndices = [0, 0]
    point3f[] positions = [(0, 0, 0), (1, 0, 0)]
}}
"""
            for name, other in (("P", "Q"), ("Q", "P"))
        )
        assert "places itself" in read_failure(usda(tmp_path / "a.usda", body)).reason

    def test_instancers_that_multiply(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(walk, "MAX_PRIMS", 1000)
        body = ""
        for level in range(12):
            body += f"""
def PointInstancer "P{level}" {{
    rel prototypes = [</P{level + 1}>]
    int[] protoIndices = [0, 0, 0, 0]
    point3f[] positions = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]
}}
"""
        error = read_failure(usda(tmp_path / "a.usda", body + 'def Xform "P12" {\n}\n'))
        assert "more than 1,000 prims" in error.reason

    @pytest.mark.parametrize(
        "arc", ["references = @{next}@</A>", "payload = @{next}@</A>", "inherits = </L{level}>"]
    )
    def test_arcs_that_double(self, arc: str, tmp_path: Path) -> None:
        levels = 24
        path = tmp_path / "l0.usda"
        if arc.startswith("inherits"):
            body = ""
            for level in range(levels):
                target = arc.format(level=level + 1)
                body += f'class "L{level}" {{\n' + "".join(
                    f'def Xform "{side}" ({target}) {{\n}}\n' for side in "xy"
                )
                body += "}\n"
            body += f'class "L{levels}" {{\n def Cube "C" {{\n}}\n}}\n'
            usda(path, body + 'def "A" (inherits = </L0>) {\n}\n')
        else:
            for level in range(levels):
                target = arc.format(next=f"./l{level + 1}.usda")
                sides = "".join(f'def "{side}" ({target}) {{\n}}\n' for side in "xy")
                usda(tmp_path / f"l{level}.usda", f'def Xform "A" {{\n{sides}}}\n')
            usda(tmp_path / f"l{levels}.usda", 'def Cube "A" {\n}\n')
        error = read_failure(path)
        assert error.place == ("/L0" if arc.startswith("inherits") else "/A")
        assert error.reason == f"the stage would have more than {bounds.MAX_PRIMS:,} prims"

    def test_one_choice_of_a_variant_set_counts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(size, "MAX_PRIMS", 4)
        choices = "".join(
            f'"{name}" {{\n def Cube "C" {{\n double size = 3\n}}\n def Scope "S" {{\n}}\n}}\n'
            for name in ("a", "b", "c")
        )
        body = (
            'def Xform "A" (variants = {string v = "b"}\n prepend variantSets = "v") {\n'
            f'variantSet "v" = {{\n{choices}}}\n}}\n'
        )
        assert read_scene(usda(tmp_path / "a.usda", body)).triangle_count == 12


class TestNonsense:
    @pytest.mark.parametrize("unit", [-1.0, "inf", "nan", "-inf", "0"])
    def test_units(self, unit: float | str, tmp_path: Path) -> None:
        path = usda(tmp_path / "a.usda", usd_cube("C", size=(5, 4, 3)), unit=unit)  # type: ignore[arg-type]
        error = read_failure(path)
        assert error.place == "metersPerUnit"
        assert "not above 0" in error.reason
        assert read_scene(path, metres_per_unit=1.0).size_m == (5.0, 4.0, 3.0)

    @pytest.mark.parametrize("axis", ["X", "up", ""])
    def test_axes(self, axis: str, tmp_path: Path) -> None:
        path = tmp_path / "a.usda"
        head = f'#usda 1.0\n(\n upAxis = "{axis}"\n metersPerUnit = 1\n)\n'
        path.write_text(head + usd_cube("C", size=(5, 4, 3)))
        error = read_failure(path)
        assert error.place == "upAxis"
        assert "neither Y nor Z" in error.reason
        assert read_scene(path, up_axis="Z").size_m == (5.0, 4.0, 3.0)

    @pytest.mark.parametrize(
        ("solid", "words"),
        [
            ('def Cube "S" {\n double size = -3\n}', "its size is -3"),
            ('def Sphere "S" {\n double radius = -1\n}', "its radius is -1"),
            ('def Sphere "S" {\n double radius = inf\n}', "its radius is inf"),
            ('def Cylinder "S" {\n double height = nan\n}', "its height is nan"),
            ('def Plane "S" {\n double width = -2\n}', "its width is -2"),
            ('def Cone "S" {\n uniform token axis = "W"\n}', "its axis is W"),
        ],
    )
    def test_solids_that_are_none_are_left_out_by_name(
        self, solid: str, words: str, tmp_path: Path
    ) -> None:
        scene = read_scene(usda(tmp_path / "a.usda", usd_cube("C") + solid))
        assert [mesh.name for mesh in scene.meshes] == ["/C"]
        assert [(part.name, words in part.reason) for part in scene.left_out] == [("/S", True)]

    def test_instances_of_no_prototype(self, tmp_path: Path) -> None:
        body = (
            usd_cube("C")
            + """
def PointInstancer "P" {
    rel prototypes = [</C>]
    int[] protoIndices = [0, -1]
    point3f[] positions = [(0, 0, 0), (5, 0, 0)]
}
"""
        )
        scene = read_scene(usda(tmp_path / "a.usda", body))
        assert [mesh.name for mesh in scene.meshes] == ["/C"]
        assert [part.name for part in scene.left_out] == ["/P"]

    @pytest.mark.parametrize(
        "body",
        [
            'def Cube "C" {{\n string size = "x"\n}}',
            (
                'def PointInstancer "P" {{\n string[] protoIndices = ["a"]\n'
                " rel prototypes = [</C>]\n point3f[] positions = [(0, 0, 0)]\n}}"
            ),
            'def Mesh "C" {{\n string[] points = ["a"]\n {faces}\n}}',
            (
                'def Mesh "C" {{\n point3f[] points = [(0, 0, 0)]\n string faceVertexCounts = "3"\n'
                " int[] faceVertexIndices = [0, 0, 0]\n}}"
            ),
        ],
    )
    def test_attributes_of_wrong_types(self, body: str, tmp_path: Path) -> None:
        faces = "int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 0, 0]"
        read_failure(usda(tmp_path / "a.usda", body.format(faces=faces)))

    def test_a_transform_that_is_not_finite(self, tmp_path: Path) -> None:
        move = "double3 xformOp:translate = (nan, 0, 0)\n"
        move += ' uniform token[] xformOpOrder = ["xformOp:translate"]'
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            error = read_failure(usda(tmp_path / "a.usda", usd_cube("C", more=move)))
        assert (error.place, error.reason) == ("/C", "a vertex is not a finite number")


class TestPictures:
    def _textured(self, picture: bytes) -> Gltf:
        gltf = Gltf()
        view = gltf.view(picture)
        mesh = gltf.mesh(material=0)
        attributes = gltf.header["meshes"][mesh]["primitives"][0]["attributes"]
        attributes["TEXCOORD_0"] = gltf.accessor(CUBE_POINTS[:, :2], "f4")
        gltf.header["images"] = [{"bufferView": view, "name": "poster"}]
        gltf.header["textures"] = [{"source": 0}]
        gltf.header["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
        gltf.scene(gltf.node(mesh=mesh))
        return gltf

    def test_too_many_pixels_are_left_out_by_name(self, tmp_path: Path) -> None:
        path = tmp_path / "bomb.png"
        Image.new("1", (12_000, 12_000)).save(path)
        gltf = self._textured(path.read_bytes())
        tracemalloc.start()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            scene = read_scene(gltf.write(tmp_path / "a.glb"))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert scene.textures == ()
        most = f"{bounds.MAX_PICTURE_PIXELS:,}"
        assert f"the picture poster is not shown: it has more than {most} pixels" in scene.warnings
        assert peak < 50e6

    def test_pixels_beyond_what_pillow_opens(self, tmp_path: Path) -> None:
        path = tmp_path / "bomb.png"
        Image.new("1", (20_000, 10_000)).save(path)
        scene = read_scene(self._textured(path.read_bytes()).write(tmp_path / "a.glb"))
        assert any("the picture poster is not shown" in text for text in scene.warnings)

    def test_large_pictures_within_the_bound_make_no_noise(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
        shelf = textures.TextureShelf([], [])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert shelf.add(png(np.zeros((40, 40, 3))), is_opaque=True) == 0

    def test_damaged_pictures_are_named(self, tmp_path: Path) -> None:
        scene = read_scene(self._textured(b"\x89PNG\r\n\x1a\nxx").write(tmp_path / "a.glb"))
        assert "the picture poster cannot be decoded" in scene.warnings
        assert json.dumps(scene.warnings)
