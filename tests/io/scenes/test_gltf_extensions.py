"""Geometry that extensions of glTF hide, repeat, compress or bend; and chunks without padding."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import meshopt
import numpy as np
import pytest
from worlds.scene_files import CUBE_FACES, CUBE_POINTS, Gltf, cube_glb, read_failure, signed_volume

from waypost.domain.scene.scene import Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene

MESHOPT = "EXT_meshopt_compression"


def packed_view(gltf: Gltf, data: bytes, count: int, stride: int, mode: str) -> int:
    """A view whose data are only there compressed; buffer 1 has nothing, as gltfpack writes it."""
    inner = gltf.view(data)
    stored = gltf.header["bufferViews"][inner]
    packing = {
        "buffer": 0,
        "byteOffset": stored["byteOffset"],
        "byteLength": len(data),
        "byteStride": stride,
        "count": count,
        "mode": mode,
    }
    view = {"buffer": 1, "byteLength": count * stride, "extensions": {MESHOPT: packing}}
    gltf.header["bufferViews"].append(view)
    return len(gltf.header["bufferViews"]) - 1


def compressed_cube(points: bytes | None = None) -> Gltf:
    gltf = Gltf()
    if points is None:
        points = meshopt.encode_gltf_buffer(CUBE_POINTS, "ATTRIBUTES")
    corners = CUBE_FACES.reshape(-1).astype("u4")
    faces = meshopt.encode_gltf_buffer(corners, "TRIANGLES")
    gltf.header["accessors"] = [
        {"bufferView": packed_view(gltf, points, 8, 12, "ATTRIBUTES"), "componentType": 5126,
         "count": 8, "type": "VEC3"},
        {"bufferView": packed_view(gltf, faces, 36, 2, "TRIANGLES"), "componentType": 5123,
         "count": 36, "type": "SCALAR"},
    ]  # fmt: skip
    gltf.scene(gltf.node(mesh=gltf.primitives([{"attributes": {"POSITION": 0}, "indices": 1}])))
    gltf.header["extensionsRequired"] = gltf.header["extensionsUsed"] = [MESHOPT]
    return gltf


def write_with_fallback_buffer(gltf: Gltf, path: Path) -> Path:
    """As `Gltf.write_gltf`, with the buffer that only compressed views name."""
    gltf.write_gltf(path)
    header = json.loads(path.read_text())
    empty = {"byteLength": 1000, "extensions": {MESHOPT: {"fallback": True}}}
    header["buffers"].append(empty)
    path.write_text(json.dumps(header))
    return path


def volume(scene: Scene) -> float:
    return sum(signed_volume(mesh.vertices, mesh.faces) for mesh in scene.meshes)


class TestMeshopt:
    def test_a_compressed_cube_is_a_cube(self, tmp_path: Path) -> None:
        scene = read_scene(write_with_fallback_buffer(compressed_cube(), tmp_path / "a.gltf"))
        assert scene.bounds_m == pytest.approx(np.array([(0, -1, 0), (1, 0, 1)]), abs=1e-5)
        assert scene.triangle_count == 12
        assert volume(scene) == pytest.approx(1.0, abs=1e-5)
        assert not any("extension" in text for text in scene.warnings)

    def test_damaged_data_are_refused(self, tmp_path: Path) -> None:
        whole = meshopt.encode_gltf_buffer(CUBE_POINTS, "ATTRIBUTES")
        path = write_with_fallback_buffer(compressed_cube(whole[:-6]), tmp_path / "a.gltf")
        error = read_failure(path)
        assert error.place == "bufferViews[1]"
        assert "cannot be unpacked" in error.reason

    def test_announced_counts_are_not_believed(self, tmp_path: Path) -> None:
        gltf = compressed_cube()
        gltf.header["bufferViews"][1]["extensions"][MESHOPT]["count"] = 10**12
        path = write_with_fallback_buffer(gltf, tmp_path / "a.gltf")
        assert "announce 1,000,000,000,000 values" in read_failure(path).reason

    def test_a_whole_fallback_is_taken(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        packing = {"buffer": 7, "byteLength": 9, "byteStride": 12, "count": 8, "mode": "ATTRIBUTES"}
        gltf.header["bufferViews"][0]["extensions"] = {MESHOPT: packing}
        gltf.header["extensionsUsed"] = [MESHOPT]
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert scene.triangle_count == 12
        assert not any("extension" in text for text in scene.warnings)


class TestVisibility:
    def test_hidden_nodes_and_all_below_them_are_not_there(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        child = gltf.node(mesh=0, name="child", translation=[5, 0, 0])
        hidden = {"extensions": {"KHR_node_visibility": {"visible": False}}}
        gltf.header["scenes"][0]["nodes"].append(
            gltf.node(mesh=0, name="wall", children=[child], **hidden)
        )
        shown = {"extensions": {"KHR_node_visibility": {"visible": True}}}
        gltf.header["scenes"][0]["nodes"].append(
            gltf.node(mesh=0, name="seen", translation=[3, 0, 0], **shown)
        )
        gltf.header["extensionsRequired"] = ["KHR_node_visibility"]
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert [mesh.name for mesh in scene.meshes] == ["cube", "seen"]
        assert "hidden nodes are not shown (wall)" in scene.not_shown


class TestInstancing:
    def instanced(self, **attributes: int) -> dict[str, object]:
        return {"extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}}}

    def test_instances_stand_where_they_are_said_to(self, tmp_path: Path) -> None:
        gltf = Gltf()
        half = np.sqrt(0.5)
        attributes = {
            "TRANSLATION": gltf.accessor([[0, 0, 0], [10, 0, 0]], "f4"),
            "ROTATION": gltf.accessor([[0, 0, 0, 1], [0, half, 0, half]], "f4"),
            "SCALE": gltf.accessor([[1, 1, 1], [2, 3, 4]], "f4"),
        }
        node = gltf.node(
            mesh=gltf.mesh(), name="post", translation=[0, 7, 0], **self.instanced(**attributes)
        )
        gltf.scene(node)
        gltf.header["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert [mesh.name for mesh in scene.meshes] == ["post[0]", "post[1]"]
        # the second is scaled, turned by 90° about the file's Y: x → −z, z → x; Z here is its Y
        second = scene.meshes[1].vertices + np.float32(scene.origin_m)
        assert second.min(axis=0) == pytest.approx([10, 0, 7], abs=1e-5)
        assert second.max(axis=0) == pytest.approx([14, 2, 10], abs=1e-5)
        assert volume(scene) == pytest.approx(1 + 24, abs=1e-4)

    def test_instances_of_different_numbers_are_left_out_by_name(self, tmp_path: Path) -> None:
        gltf = cube_glb()
        attributes = {
            "TRANSLATION": gltf.accessor([[0, 0, 0], [10, 0, 0]], "f4"),
            "SCALE": gltf.accessor([[1, 1, 1]], "f4"),
        }
        node = gltf.node(mesh=0, name="post", **self.instanced(**attributes))
        gltf.header["scenes"][0]["nodes"].append(node)
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert [part.name for part in scene.left_out] == ["post"]
        assert scene.triangle_count == 12


class TestMorphs:
    @pytest.mark.parametrize(
        ("of_mesh", "of_node", "height"),
        [([0.5], None, 2.0), ([0.5], [1.0], 3.0), (None, None, 1.0), ([0.5], [0.0], 1.0)],
    )
    def test_default_weights_move_points(
        self, of_mesh: list[float] | None, of_node: list[float] | None, height: float,
        tmp_path: Path,
    ) -> None:  # fmt: skip
        gltf = Gltf()
        lift = [[0, 2 * y, 0] for _, y, _ in CUBE_POINTS.tolist()]
        primitive = {
            "attributes": {"POSITION": gltf.accessor(CUBE_POINTS, "f4")},
            "indices": gltf.accessor(CUBE_FACES.reshape(-1), "u2"),
            "targets": [{"POSITION": gltf.accessor(lift, "f4")}],
        }
        mesh = gltf.primitives([primitive], **({} if of_mesh is None else {"weights": of_mesh}))
        gltf.scene(gltf.node(mesh=mesh, **({} if of_node is None else {"weights": of_node})))
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert scene.size_m == pytest.approx((1, 1, height), abs=1e-5)


class TestChunks:
    def glb(self, *, is_padding_counted: bool, is_padded: bool) -> bytes:
        gltf = cube_glb()
        gltf.header["buffers"] = [{"byteLength": len(gltf.binary)}]
        text = json.dumps(gltf.header).encode()
        text += b" " * (1 - len(text) % 4)  # one more than a multiple of 4
        padding = b" " * (-len(text) % 4) if is_padded else b""
        size = len(text) + (len(padding) if is_padding_counted else 0)
        chunks = struct.pack("<II", size, 0x4E4F534A) + text + padding
        chunks += struct.pack("<II", len(gltf.binary), 0x004E4942) + bytes(gltf.binary)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    @pytest.mark.parametrize(
        ("is_padding_counted", "is_padded", "is_noted"),
        [(True, True, False), (False, True, True), (False, False, True)],
    )
    def test_padding_that_others_accept_is_accepted_with_a_note(
        self, is_padding_counted: bool, is_padded: bool, is_noted: bool, tmp_path: Path
    ) -> None:
        path = tmp_path / "a.glb"
        path.write_bytes(self.glb(is_padding_counted=is_padding_counted, is_padded=is_padded))
        scene = read_scene(path)
        assert scene.triangle_count == 12
        assert any("not padded" in text for text in scene.warnings) is is_noted
