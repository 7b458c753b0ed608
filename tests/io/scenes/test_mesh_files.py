"""OBJ, PLY, STL and OFF: the same triangles, colours, names; what is no scene says what it is."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from worlds.scene_files import CUBE_FACES, CUBE_POINTS, area, png, read_failure, signed_volume

from waypost.app.window.files import SCENE_FILTER
from waypost.domain.scene.scene import Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene
from waypost.io.scenes.open_scene import read_scene as read_confined
from waypost.io.scenes.registry import known_suffixes

POINTS = CUBE_POINTS * np.array([6.0, 4.0, 2.5], dtype="f4")


def ply(folder: Path, *, vertices: str, faces: str = "", columns: str = "") -> Path:
    count = len(vertices.strip().splitlines())
    head = ["ply", "format ascii 1.0", f"element vertex {count}"]
    head += [f"property float {axis}" for axis in "xyz"] + columns.splitlines()
    if faces:
        head += [f"element face {len(faces.strip().splitlines())}"]
        head += ["property list uchar int vertex_indices"]
    path = folder / "a.ply"
    path.write_text("\n".join([*head, "end_header", vertices.strip(), faces.strip(), ""]))
    return path


def lines(rows: object) -> str:
    return "\n".join(" ".join(f"{value:g}" for value in row) for row in np.asarray(rows))


def write(folder: Path, suffix: str) -> Path:
    path = folder / f"room{suffix}"
    corners = POINTS[CUBE_FACES]
    if suffix == ".off":
        faces = "\n".join(f"3 {a} {b} {c}" for a, b, c in CUBE_FACES)
        path.write_text(f"OFF\n8 12 0\n{lines(POINTS)}\n{faces}\n")
    elif suffix == ".ply":
        faces = "\n".join(f"3 {a} {b} {c}" for a, b, c in CUBE_FACES)
        ply(folder, vertices=lines(POINTS), faces=faces).rename(path)
    elif suffix == ".obj":
        turned = POINTS[:, [0, 2, 1]] * np.array([1, 1, -1])
        faces = "\n".join(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in CUBE_FACES)
        rows = "\n".join(f"v {row}" for row in lines(turned).splitlines())
        path.write_text(f"o Room\n{rows}\n{faces}\n")
    else:
        rows = b"".join(struct.pack("<12fH", 0, 0, 0, *c.reshape(-1), 0) for c in corners)
        path.write_bytes(bytes(80) + struct.pack("<I", 12) + rows)
    return path


def volume(scene: Scene) -> float:
    return sum(signed_volume(mesh.vertices, mesh.faces) for mesh in scene.meshes)


@pytest.mark.parametrize("suffix", [".off", ".ply", ".obj", ".stl"])
def test_a_box_is_the_same_box_in_every_format(suffix: str, tmp_path: Path) -> None:
    scene = read_scene(write(tmp_path, suffix))
    assert scene.format == suffix[1:]
    assert scene.triangle_count == 12
    assert scene.size_m == pytest.approx((6, 4, 2.5), abs=1e-5)
    assert volume(scene) == pytest.approx(60.0, abs=1e-3)
    mesh = scene.meshes[0]
    assert area(mesh.vertices, mesh.faces) == pytest.approx(2 * (24 + 15 + 10), abs=1e-3)
    assert any("states no unit" in text for text in scene.warnings)
    assert any("which axis is up" in text for text in scene.warnings)


def test_quads_of_a_ply_and_its_colours(tmp_path: Path) -> None:
    path = ply(
        tmp_path,
        vertices="0 0 0 255 0 0\n2 0 0 255 0 0\n2 2 1 0 0 200\n0 2 1 0 0 200",
        faces="4 0 1 2 3",
        columns="property uchar red\nproperty uchar green\nproperty uchar blue",
    )
    scene = read_scene(path)
    mesh = scene.meshes[0]
    assert scene.triangle_count == 2
    assert mesh.colors is not None
    for vertex, color in zip(mesh.vertices, mesh.colors, strict=True):
        assert color.tolist() == ([255, 0, 0] if vertex[1] < 1 else [0, 0, 200])


def test_points_are_cubes_of_their_mean_colour_that_nobody_stands_on(tmp_path: Path) -> None:
    rows = "0.001 0 0 100 0 0\n0.002 0 0 200 0 0\n1.001 0 1 0 0 50"
    path = ply(
        tmp_path,
        vertices=rows,
        columns="property uchar red\nproperty uchar green\nproperty uchar blue",
    )
    scene = read_scene(path)
    (mesh,) = scene.meshes
    assert not mesh.is_collider
    assert scene.triangle_count == 24
    assert volume(scene) == pytest.approx(2 * 0.02**3, rel=1e-3)
    assert mesh.colors is not None
    assert {tuple(color) for color in mesh.colors.tolist()} == {(150, 0, 0), (0, 0, 50)}
    assert any("3 points are shown as cubes of 0.02 m" in text for text in scene.warnings)


def test_neighbouring_points_have_no_sides_between_them(tmp_path: Path) -> None:
    scene = read_scene(ply(tmp_path, vertices="0.001 0 0\n0.026 0 0\n0.046 0 0\n0.046 5 0"))
    # a bar of three cells has 14 sides of a cell, one cell alone has 6
    assert scene.triangle_count == 2 * (14 + 6)


def test_gaussian_splats_are_refused_in_words(tmp_path: Path) -> None:
    columns = "\n".join(f"property float {name}" for name in ("f_dc_0", "scale_0", "rot_0"))
    path = ply(tmp_path, vertices="0 0 0 0 0 0", columns=columns)
    assert "Gaussian splats, which have no surface" in read_failure(path).reason


def test_a_short_stl_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.stl"
    path.write_bytes(bytes(80) + struct.pack("<I", 10**9) + bytes(100))
    assert "1,000,000,000 triangles are announced" in read_failure(path).reason


class TestWavefront:
    OBJ = """mtllib a.mtl
o Table
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl plain red
f 1 2 5
usemtl oak
f 1/1 2/2 3/3 4/4
o Lamp
usemtl plain red
f 2 3 5
"""
    MTL = """newmtl plain red
Kd 1 0 0.5
d 0.25
Ke 0 1 0
newmtl oak
Kd 1 1 1
map_Kd wood.png
map_Bump bump.png
"""

    def scene(self, folder: Path, *, has_library: bool = True) -> Scene:
        if has_library:
            (folder / "a.mtl").write_text(self.MTL)
        (folder / "wood.png").write_bytes(png([[(9, 8, 7)]]))
        (folder / "a.obj").write_text(self.OBJ)
        return read_scene(folder / "a.obj")

    def test_objects_and_materials(self, tmp_path: Path) -> None:
        scene = self.scene(tmp_path)
        looks = {
            (mesh.name, scene.materials[mesh.material_index or 0].name): len(mesh.faces)
            for mesh in scene.meshes
        }
        assert looks == {
            ("Table", "plain red"): 1, ("Table", "oak"): 2, ("Lamp", "plain red"): 1
        }  # fmt: skip
        red = next(material for material in scene.materials if material.name == "plain red")
        # sRGB 0.5 is linear 0.2140
        assert red.base_color == pytest.approx((1, 0, 0.2140, 0.25), abs=1e-3)
        assert red.emissive_color == pytest.approx((0, 1, 0))
        oak = next(mesh for mesh in scene.meshes if len(mesh.faces) == 2)
        assert oak.uvs is not None
        wanted = [(x, z) for x, _, z in oak.vertices.tolist()]
        np.testing.assert_allclose(oak.uvs, wanted, atol=1e-6)
        assert scene.textures[0][0, 0].tolist() == [9, 8, 7, 255]
        assert "normal maps are not shown (oak)" in scene.not_shown

    def test_a_missing_library_and_picture_are_listed(self, tmp_path: Path) -> None:
        scene = self.scene(tmp_path, has_library=False)
        assert [missing.asset for missing in scene.missing_assets] == ["a.mtl"]
        (tmp_path / "a.mtl").write_text(self.MTL.replace("wood.png", "gone.png"))
        scene = read_scene(tmp_path / "a.obj")
        assert [missing.asset for missing in scene.missing_assets] == ["gone.png"]

    def test_a_library_outside_the_folder_is_not_read(self, tmp_path: Path) -> None:
        folder = tmp_path / "in"
        folder.mkdir()
        (tmp_path / "a.mtl").write_text(self.MTL)
        (folder / "a.obj").write_text(self.OBJ.replace("a.mtl", "../a.mtl"))
        scene = read_scene(folder / "a.obj")
        assert [outside.asset for outside in scene.outside_assets] == ["../a.mtl"]
        assert {mesh.name for mesh in scene.meshes} == {"Table", "Lamp"}


DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="img"><init_from>tex%20a.png</init_from></image></library_images>
<library_effects>
<effect id="fx"><profile_COMMON>
<newparam sid="s"><surface type="2D"><init_from>img</init_from></surface></newparam>
<newparam sid="sm"><sampler2D><source>s</source></sampler2D></newparam>
<technique sid="c"><lambert><emission><color>0 0 1 1</color></emission>
<diffuse><texture texture="sm" texcoord="UV"/></diffuse></lambert></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="wood"><instance_effect url="#fx"/></material>
</library_materials>
<library_geometries><geometry id="g" name="Table"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 100 200 0 0 200 0</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="u"><float_array id="ua" count="8">0 0 1 0 1 1 0 1</float_array>
<technique_common><accessor source="#ua" count="4" stride="2"><param name="S" type="float"/>
<param name="T" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="mat" count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="TEXCOORD" source="#u" offset="1" set="0"/>
<vcount>4</vcount><p>0 0 1 1 2 2 3 3</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs"><node id="n"><translate>0 0 75</translate>SCALE
<instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="mat" target="#m"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"""


@pytest.mark.parametrize("scale", ["", "<scale>-1 1 1</scale>"])
def test_collada_states_its_unit_and_places_its_parts(scale: str, tmp_path: Path) -> None:
    (tmp_path / "a.dae").write_text(DAE.replace("SCALE", scale))
    (tmp_path / "tex a.png").write_bytes(png([[(9, 8, 7)]]))
    scene = read_scene(tmp_path / "a.dae")
    (mesh,) = scene.meshes
    sign = -1 if scale else 1
    corners = [(0, 0), (sign, 0), (sign, 2), (0, 2)]
    assert {tuple(point) for point in np.round(mesh.vertices, 5).tolist()} == {
        (x, y, 0.75) for x, y in corners
    }
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    assert area(mesh.vertices, mesh.faces) == pytest.approx(2.0, abs=1e-5)
    assert mesh.uvs is not None
    wanted = np.column_stack([np.abs(mesh.vertices[:, 0]), mesh.vertices[:, 1] / 2])
    np.testing.assert_allclose(mesh.uvs, wanted, atol=1e-6)
    material = scene.materials[mesh.material_index or 0]
    assert (material.name, material.emissive_color) == ("wood", (0.0, 0.0, 1.0))
    assert scene.textures[0][0, 0].tolist() == [9, 8, 7, 255]
    assert not any("states no unit" in text for text in scene.warnings)


def test_every_form_is_read_in_a_process_of_little_memory(tmp_path: Path) -> None:
    """As command line and window read: what is taken into memory is what the file has."""
    paths = [write(tmp_path, suffix) for suffix in (".off", ".ply", ".obj", ".stl")]
    (tmp_path / "a.mtl").write_text(TestWavefront.MTL)
    (tmp_path / "wood.png").write_bytes(png([[(9, 8, 7)]]))
    (tmp_path / "tex a.png").write_bytes(png([[(9, 8, 7)]]))
    (tmp_path / "a.obj").write_text(TestWavefront.OBJ)
    (tmp_path / "a.dae").write_text(DAE.replace("SCALE", ""))
    for path in (*paths, tmp_path / "a.obj", tmp_path / "a.dae"):
        scene, alone = read_confined(path), read_scene(path)
        assert (scene.triangle_count, len(scene.textures)) == (
            alone.triangle_count, len(alone.textures)
        )  # fmt: skip


def test_a_damaged_collada_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.dae").write_text(DAE[:700])
    assert "cannot be read" in read_failure(tmp_path / "a.dae").reason


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.glb", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        ("a.blend", b"BLENDER-v300", "Blender file; open it in Blender"),
        ("a.fbx", b"Kaydara FBX Binary  \x00", "FBX file; open it in Blender"),
        ("a.las", b"LASF" + bytes(40), "LAS scan of points; export it as PLY"),
        ("a.e57", b"ASTM-E57" + bytes(40), "E57 scan"),
        ("a.mtlx", b'<?xml version="1.0"?>\n<materialx>', "MaterialX"),
        ("a.glb", b"<!doctype html><html>", "web page"),
        ("a.gz", b"\x1f\x8b\x08", "gzip archive; unpack it"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c", "7z archive; unpack it"),
    ],
)
def test_other_files_are_refused_with_their_true_kind(
    name: str, data: bytes, words: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert words in read_failure(path).reason


@pytest.mark.parametrize(
    ("inner", "words"),
    [("3D/3dmodel.model", "3MF file; open it in Blender"), ("house/a.glb", "zip archive; unpack")],
)
@pytest.mark.parametrize("suffix", [".zip", ".glb", ".3mf"])
def test_archives_are_refused_with_what_is_inside(
    inner: str, words: str, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"a{suffix}"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(inner, b"x")
    assert words in read_failure(path).reason


def test_the_window_offers_every_format() -> None:
    assert all(f"*{suffix}" in SCENE_FILTER for suffix in known_suffixes())
