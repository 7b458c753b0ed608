from __future__ import annotations

import base64
import json
import math
from pathlib import Path

import DracoPy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.scene_files import (
    CUBE_FACES,
    CUBE_POINTS,
    Gltf,
    cube_glb,
    read_failure,
    room_points,
    signed_volume,
)

from waypost.domain.scene.gaps import geometry_gaps, refusal_to_drive
from waypost.domain.scene.scene import AssetKind
from waypost.io.scenes.decode_scene import decode_at_once as read_scene
from waypost.io.scenes.decode_scene import decode_scene as open_scene


def test_a_cube_stands_on_its_feet_in_the_scene_frame(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.scene(gltf.node(mesh=gltf.mesh(CUBE_POINTS * np.float32([1, 3, 2])), name="box"))
    scene = read_scene(gltf.write(tmp_path / "box.glb"))
    # glTF y (3 m) becomes z, glTF z (0 to 2) becomes −y
    assert scene.bounds_m == ((0.0, -2.0, 0.0), (1.0, 0.0, 3.0))
    assert (scene.format, scene.source_up_axis, scene.metres_per_unit) == ("glb", "Y", 1.0)
    assert [mesh.name for mesh in scene.meshes] == ["box"]
    assert scene.triangle_count == 12
    assert signed_volume(scene.meshes[0].vertices, scene.meshes[0].faces) == pytest.approx(6.0)


def test_z_up_file_is_noticed_and_corrected_by_the_user(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.scene(gltf.node(mesh=gltf.mesh(*room_points(5, 4, 2.7))))
    path = gltf.write(tmp_path / "room.glb")
    lying = read_scene(path)
    assert any("floor looks vertical" in text and "may be Z" in text for text in lying.warnings)
    standing = read_scene(path, up_axis="Z")
    assert standing.size_m == pytest.approx((5.0, 4.0, 2.7))
    assert standing.source_up_axis == "Z"
    assert standing.warnings == ()


def test_unit_override_scales(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.scene(gltf.node(mesh=gltf.mesh(CUBE_POINTS * np.float32(300))))
    path = gltf.write(tmp_path / "cm.glb")
    assert any("implausible" in text for text in read_scene(path).warnings)
    scene = read_scene(path, metres_per_unit=0.01)
    assert scene.size_m == pytest.approx((3.0, 3.0, 3.0))
    assert scene.warnings == ()


def _turn(axis: int, angle: float) -> tuple[list[float], np.ndarray]:
    """Quaternion x, y, z, w and matrix of a turn about one axis."""
    quaternion = [0.0, 0.0, 0.0, math.cos(angle / 2)]
    quaternion[axis] = math.sin(angle / 2)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = math.cos(angle)
    matrix[i, j], matrix[j, i] = -math.sin(angle), math.sin(angle)
    return quaternion, matrix


_LENGTH = st.floats(-5, 5)
_SCALE = st.floats(0.2, 3).flatmap(lambda s: st.sampled_from([s, -s]))
_STEP = st.tuples(
    st.tuples(_LENGTH, _LENGTH, _LENGTH),
    st.integers(0, 2),
    st.floats(-math.pi, math.pi),
    st.tuples(_SCALE, _SCALE, _SCALE),
)


@given(steps=st.lists(_STEP, min_size=4, max_size=4))
@settings(max_examples=25, deadline=None)
def test_nested_transforms_equal_the_matrix_product(
    steps: list[tuple[tuple[float, ...], int, float, tuple[float, ...]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    gltf = Gltf()
    world = np.eye(4)
    child = gltf.node(mesh=gltf.mesh(), name="leaf")
    for translation, axis, angle, scale in steps:
        quaternion, turn = _turn(axis, angle)
        local = np.eye(4)
        local[:3, :3] = turn @ np.diag(scale)
        local[:3, 3] = translation
        world = local @ world
        child = gltf.node(
            translation=list(translation), rotation=quaternion, scale=list(scale), children=[child]
        )
    gltf.scene(child)
    scene = read_scene(gltf.write(tmp_path_factory.mktemp("nested") / "nested.glb"))
    points = CUBE_POINTS @ world[:3, :3].T + world[:3, 3]
    expected = np.column_stack([points[:, 0], -points[:, 2], points[:, 1]])
    low, high = scene.bounds_m
    size = float(np.abs(expected).max())
    np.testing.assert_allclose(low, expected.min(axis=0), atol=1e-5 * max(1.0, size))
    np.testing.assert_allclose(high, expected.max(axis=0), atol=1e-5 * max(1.0, size))
    volume = signed_volume(scene.meshes[0].vertices, scene.meshes[0].faces)
    assert volume == pytest.approx(abs(np.linalg.det(world[:3, :3])), rel=1e-2)


def test_one_mesh_used_twice_and_mirrored_is_not_inside_out(tmp_path: Path) -> None:
    gltf = Gltf()
    mesh = gltf.mesh()
    gltf.scene(
        gltf.node(mesh=mesh, name="left"), gltf.node(mesh=mesh, name="right", scale=[-1, 1, 1])
    )
    scene = read_scene(gltf.write(tmp_path / "pair.glb"))
    assert [mesh.name for mesh in scene.meshes] == ["left", "right"]
    for mesh in scene.meshes:
        assert signed_volume(mesh.vertices, mesh.faces) == pytest.approx(1.0)
    assert scene.bounds_m[0][0] == -1.0


def test_node_matrix_is_column_by_column(tmp_path: Path) -> None:
    gltf = Gltf()
    matrix = [2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 10, 20, 30, 1]
    gltf.scene(gltf.node(mesh=gltf.mesh(), matrix=matrix))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert scene.bounds_m == ((10.0, -34.0, 20.0), (12.0, -30.0, 23.0))


def test_primitives_are_told_apart_by_their_material(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.header["materials"] = [{"name": "wood"}, {}]
    position = gltf.accessor(CUBE_POINTS, "f4")
    faces = gltf.accessor(CUBE_FACES.reshape(-1), "u2")
    parts = [
        {"attributes": {"POSITION": position}, "indices": faces, "material": index}
        for index in (0, 1)
    ]
    gltf.scene(gltf.node(mesh=gltf.primitives(parts), name="table"))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert [mesh.name for mesh in scene.meshes] == ["table/wood", "table/1"]


def test_children_of_a_camera_node_are_kept(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.header["cameras"] = [
        {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1, "aspectRatio": 1}}
    ]
    leaf = gltf.node(mesh=gltf.mesh())
    gltf.scene(gltf.node(camera=0, children=[leaf], translation=[4, 0, 0]))
    assert read_scene(gltf.write(tmp_path / "camera.glb")).bounds_m[0][0] == 4.0


class TestSceneChoice:
    def _two_scenes(self) -> Gltf:
        gltf = Gltf()
        mesh = gltf.mesh()
        gltf.scene(gltf.node(mesh=mesh, name="first"))
        gltf.scene(gltf.node(mesh=mesh, name="second"))
        return gltf

    def test_marked_scene_is_opened(self, tmp_path: Path) -> None:
        gltf = self._two_scenes()
        gltf.header["scene"] = 1
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert [mesh.name for mesh in scene.meshes] == ["second"]

    def test_first_scene_is_opened_and_said_when_none_is_marked(self, tmp_path: Path) -> None:
        scene = read_scene(self._two_scenes().write(tmp_path / "a.glb"))
        assert [mesh.name for mesh in scene.meshes] == ["first"]
        assert any("2 scenes; scene 0 is shown" in text for text in scene.warnings)

    def test_all_nodes_are_opened_without_scenes(self, tmp_path: Path) -> None:
        gltf = self._two_scenes()
        del gltf.header["scenes"]
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert [mesh.name for mesh in scene.meshes] == ["first", "second"]

    def test_circle_of_nodes_is_refused(self, tmp_path: Path) -> None:
        gltf = Gltf()
        gltf.mesh()
        gltf.scene(gltf.node(children=[0], mesh=0))
        assert "circle" in read_failure(gltf.write(tmp_path / "a.glb")).reason


class TestExtensions:
    @pytest.mark.parametrize("name", ["MSFT_texture_dds", "EXT_structural_metadata", "ACME_x"])
    def test_required_and_unknown_is_refused_with_a_way_out(
        self, name: str, tmp_path: Path
    ) -> None:
        gltf = cube_glb()
        gltf.header["extensionsUsed"] = gltf.header["extensionsRequired"] = [name]
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert error.place == "extensionsRequired"
        assert name in error.reason
        assert "export it again" in error.reason or "convert its textures" in error.reason

    def test_optional_and_unknown_is_a_warning(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        gltf.header["extensionsUsed"] = ["EXT_mesh_features", "KHR_materials_ior"]
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        extension = [text for text in scene.warnings if "extension" in text]
        assert len(extension) == 1
        assert "EXT_mesh_features" in extension[0]

    def test_draco_is_decoded(self, tmp_path: Path) -> None:
        uvs = np.column_stack([CUBE_POINTS[:, 0], CUBE_POINTS[:, 1]]).astype("f8")
        data = DracoPy.encode(
            CUBE_POINTS * np.float32([2, 1, 1]),
            faces=CUBE_FACES.astype("u4"),
            tex_coord=uvs,
            preserve_order=True,
            quantization_bits=14,
        )
        ids = {a["attribute_type"]: a["unique_id"] for a in DracoPy.decode(data).attributes}
        position = ids[DracoPy.AttributeType.POSITION]
        tex_coord = ids[DracoPy.AttributeType.TEX_COORD]
        gltf = Gltf()
        gltf.header["extensionsUsed"] = gltf.header["extensionsRequired"] = [
            "KHR_draco_mesh_compression"
        ]
        gltf.header["accessors"] = [
            {"componentType": 5126, "count": 8, "type": "VEC3"},
            {"componentType": 5126, "count": 8, "type": "VEC2"},
            {"componentType": 5123, "count": 36, "type": "SCALAR"},
        ]
        draco = {
            "bufferView": gltf.view(data),
            "attributes": {"POSITION": position, "TEXCOORD_0": tex_coord},
        }
        primitive = {
            "attributes": {"POSITION": 0, "TEXCOORD_0": 1},
            "indices": 2,
            "extensions": {"KHR_draco_mesh_compression": draco},
        }
        gltf.scene(gltf.node(mesh=gltf.primitives([primitive])))
        scene = read_scene(gltf.write(tmp_path / "draco.glb"))
        assert scene.triangle_count == 12
        assert scene.size_m == pytest.approx((2.0, 1.0, 1.0), abs=1e-3)
        mesh = scene.meshes[0]
        assert mesh.uvs is not None
        # u is the file's x / 2, v = 1 − file's y, and file's y is the scene's z
        np.testing.assert_allclose(mesh.uvs[:, 0], mesh.vertices[:, 0] / 2, atol=1e-3)
        np.testing.assert_allclose(mesh.uvs[:, 1], 1 - mesh.vertices[:, 2], atol=1e-3)

    def test_damaged_draco_is_refused_rather_than_flat(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        gltf.header["extensionsRequired"] = ["KHR_draco_mesh_compression"]
        gltf.header["accessors"] += [
            {"componentType": 5126, "count": 8, "type": "VEC3"},
            {"componentType": 5123, "count": 36, "type": "SCALAR"},
        ]
        draco = {"bufferView": gltf.view(b"DRACOnonsense"), "attributes": {"POSITION": 0}}
        primitive = {
            "attributes": {"POSITION": 2},
            "indices": 3,
            "extensions": {"KHR_draco_mesh_compression": draco},
        }
        gltf.header["scenes"][0]["nodes"].append(gltf.node(mesh=gltf.primitives([primitive])))
        assert "Draco data" in read_failure(gltf.write(tmp_path / "a.glb")).reason


class TestBuffers:
    def test_interleaved_positions_without_normals(self, tmp_path: Path) -> None:
        rows = np.zeros((8, 6), dtype="<f4")
        rows[:, :3] = CUBE_POINTS
        rows[:, 3:] = 99.0
        gltf = Gltf()
        view = gltf.view(rows.tobytes(), byteStride=24)
        gltf.header["accessors"].append(
            {"bufferView": view, "componentType": 5126, "count": 8, "type": "VEC3"}
        )
        faces = gltf.accessor(CUBE_FACES.reshape(-1), "u2")
        primitive = {"attributes": {"POSITION": 0}, "indices": faces}
        gltf.scene(gltf.node(mesh=gltf.primitives([primitive])))
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert scene.triangle_count == 12
        assert scene.size_m == (1.0, 1.0, 1.0)

    def test_sparse_positions_are_put_in(self, tmp_path: Path) -> None:
        gltf = Gltf()
        moved = gltf.view(np.array([[1, 5, 1]], "<f4").tobytes())
        which = gltf.view(np.array([7], "<u2").tobytes())
        sparse = {
            "count": 1,
            "indices": {"bufferView": which, "componentType": 5123},
            "values": {"bufferView": moved},
        }
        position = gltf.accessor(CUBE_POINTS, "f4", sparse=sparse)
        faces = gltf.accessor(CUBE_FACES.reshape(-1), "u2")
        primitive = {"attributes": {"POSITION": position}, "indices": faces}
        gltf.scene(gltf.node(mesh=gltf.primitives([primitive])))
        assert read_scene(gltf.write(tmp_path / "a.glb")).size_m == (1.0, 1.0, 5.0)

    def test_quantized_positions_and_uvs_are_scaled(self, tmp_path: Path) -> None:
        gltf = Gltf()
        gltf.header["extensionsRequired"] = ["KHR_mesh_quantization"]
        position = gltf.accessor(CUBE_POINTS * 32767, "i2", normalized=True)
        uv = gltf.accessor(CUBE_POINTS[:, :2] * 65535, "u2", normalized=True)
        faces = gltf.accessor(CUBE_FACES.reshape(-1), "u2")
        primitive = {"attributes": {"POSITION": position, "TEXCOORD_0": uv}, "indices": faces}
        gltf.scene(gltf.node(mesh=gltf.primitives([primitive]), scale=[4, 4, 4]))
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert scene.size_m == (4.0, 4.0, 4.0)
        assert scene.meshes[0].uvs is not None
        assert scene.meshes[0].uvs.max() == 1.0

    def test_strip_without_indices(self, tmp_path: Path) -> None:
        gltf = Gltf()
        square = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [1, 2, 0]]
        primitive = {"attributes": {"POSITION": gltf.accessor(square, "f4")}, "mode": 5}
        gltf.scene(gltf.node(mesh=gltf.primitives([primitive])))
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert scene.triangle_count == 2
        assert scene.size_m == (1.0, 0.0, 2.0)

    def test_lines_and_points_are_left_out_and_said(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        primitive = {"attributes": {"POSITION": 0}, "mode": 1}
        gltf.header["scenes"][0]["nodes"].append(
            gltf.node(mesh=gltf.primitives([primitive], name="wires"))
        )
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert scene.triangle_count == 12
        assert "wires has lines, which are not shown" in scene.warnings

    def test_surfaces_that_are_not_read_are_gaps(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        primitive = {"attributes": {"POSITION": 0}, "mode": 6}
        gltf.header["scenes"][0]["nodes"].append(
            gltf.node(mesh=gltf.primitives([primitive], name="lid"))
        )
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert scene.triangle_count == 12
        assert geometry_gaps(scene) == ("lid",)
        assert refusal_to_drive(scene)

    @pytest.mark.parametrize("turned", [0.0, 30.0])
    def test_a_mesh_stands_where_its_joints_take_it(self, turned: float, tmp_path: Path) -> None:
        """Its own node does not count (glTF 2.0, 3.7.3); bent by joints it is not read."""
        gltf = cube_glb()
        half = math.radians(turned) / 2
        bone = gltf.node(rotation=[0.0, math.sin(half), 0.0, math.cos(half)])
        root = gltf.node(translation=[5.0, 0.0, 0.0], scale=[2.0, 2.0, 2.0], children=[bone])
        doll = gltf.node(mesh=gltf.mesh(), skin=0, translation=[-90.0, 0.0, 0.0], name="doll")
        bind = gltf.accessor(np.tile(np.eye(4).reshape(-1), 2), "f4")
        gltf.header["accessors"][bind] |= {"type": "MAT4", "count": 2}
        gltf.header["skins"] = [{"joints": [root, bone], "inverseBindMatrices": bind}]
        gltf.header["scenes"][0]["nodes"] += [root, doll]
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        if turned:
            assert [mesh.name for mesh in scene.meshes] == ["cube"]
            assert geometry_gaps(scene) == ("doll",)
        else:
            assert not geometry_gaps(scene)
            _, found = scene.meshes
            assert found.vertices.min(axis=0) == pytest.approx([5.0, -2.0, 0.0])
            assert found.vertices.max(axis=0) == pytest.approx([7.0, 0.0, 2.0])

    def test_a_joint_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        gltf.header["nodes"][0]["skin"] = 0
        gltf.header["skins"] = [{"joints": [7]}]
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert (error.place, error.reason) == (
            "skins[0].joints[0]",
            "names nodes[7], and there are 1",
        )

    def test_index_beyond_the_vertices_is_refused(self, tmp_path: Path) -> None:
        gltf = Gltf()
        gltf.scene(gltf.node(mesh=gltf.mesh(faces=[[0, 1, 8]]), name="bad"))
        error = read_failure(gltf.write(tmp_path / "a.glb"))
        assert (error.place, error.reason) == (
            "bad",
            "a triangle names a vertex that is not there",
        )

    def test_missing_external_buffer_is_listed_and_the_rest_opens(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        gltf.header["bufferViews"].append({"buffer": 1, "byteOffset": 0, "byteLength": 36})
        gltf.header["accessors"].append(
            {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"}
        )
        lost = gltf.primitives([{"attributes": {"POSITION": 2}}], name="lamp")
        gltf.header["scenes"][0]["nodes"].append(gltf.node(mesh=lost))
        path = gltf.write_gltf(tmp_path / "a.gltf")
        text = json.loads(path.read_text())
        text["buffers"].append({"byteLength": 36, "uri": "lost%20part.bin"})
        path.write_text(json.dumps(text))
        scene = read_scene(path)
        assert scene.triangle_count == 12
        (missing,) = scene.missing_assets
        assert (missing.asset, missing.wanted_by) == ("lost%20part.bin", "lamp")
        assert missing.kind is AssetKind.GEOMETRY

    def test_nothing_but_a_missing_buffer_is_refused(self, tmp_path: Path) -> None:
        path = cube_glb().write_gltf(tmp_path / "a.gltf")
        (tmp_path / "data.bin").unlink()
        assert "asks for data.bin, which is missing" in read_failure(path).reason

    def test_embedded_buffer_is_read_and_a_short_one_refused(self, tmp_path: Path) -> None:
        path = cube_glb().write_gltf(tmp_path / "a.gltf")
        text = json.loads(path.read_text())
        data = (tmp_path / "data.bin").read_bytes()
        for kept, is_whole in ((len(data), True), (20, False)):
            coded = base64.b64encode(data[:kept]).decode()
            text["buffers"][0]["uri"] = "data:application/octet-stream;base64," + coded
            path.write_text(json.dumps(text))
            if is_whole:
                assert read_scene(path).triangle_count == 12
            else:
                assert "truncated" in read_failure(path).reason
        text["buffers"][0]["uri"] = "data:application/octet-stream;base64,A"
        path.write_text(json.dumps(text))
        assert "cannot be read" in read_failure(path).reason

    def test_external_buffer_is_read(self, tmp_path: Path) -> None:
        scene = read_scene(cube_glb().write_gltf(tmp_path / "a.gltf", "наш buffer.bin"))
        assert scene.format == "gltf"
        assert scene.triangle_count == 12


def test_opening_can_be_cancelled_between_meshes(tmp_path: Path) -> None:
    gltf = Gltf()
    mesh = gltf.mesh()
    gltf.scene(*(gltf.node(mesh=mesh, name=f"cube {i}") for i in range(5)))
    steps = open_scene(gltf.write(tmp_path / "a.glb"))
    messages = [next(steps).message for _ in range(4)]
    steps.close()
    assert messages[0] == "Reading a.glb"
    assert messages[2:] == [f"Reading a.glb: object {number} of 5" for number in (1, 2)]
    with pytest.raises(StopIteration):
        next(steps)
