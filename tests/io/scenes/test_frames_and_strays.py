"""Which way is up, how long a unit is and what lies far away: doubted only with good reason."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from worlds.box_scenes import box, plate
from worlds.scene_files import CUBE_FACES, CUBE_POINTS, Gltf, read_failure, usd_cube, usda

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Mesh, Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene

WALL_M = 0.1


def shell(width: float, depth: float, height: float, *, has_roof: bool = True) -> list[Mesh]:
    """Floor, walls and perhaps ceiling of thick boxes around a room at zero."""
    w, d, h, t = width, depth, height, WALL_M
    parts = [
        box("floor", (0, 0, -t), (w, d, 0)),
        box("south", (0, -t, 0), (w, 0, h)),
        box("north", (0, d, 0), (w, d + t, h)),
        box("west", (-t, 0, 0), (0, d, h)),
        box("east", (w, 0, 0), (w + t, d, h)),
    ]
    return [*parts, box("ceiling", (0, 0, h), (w, d, h + t))] if has_roof else parts


def tower(side: float, storeys: int, storey_m: float = 3.0) -> list[Mesh]:
    height = storeys * storey_m
    plates = [plate(f"floor {n}", (0, 0), (side, side), n * storey_m) for n in range(storeys)]
    return [*shell(side, side, height)[1:5], *plates]


def opened(meshes: list[Mesh], folder: Path, *, is_on_its_side: bool = False) -> Scene:
    """The meshes through a GLB; on its side what was along y comes to be up."""
    gltf = Gltf()
    nodes = []
    for mesh in meshes:
        x, y, z = mesh.vertices.T
        points = np.column_stack([x, y, z] if is_on_its_side else [x, z, -y])
        nodes.append(gltf.node(mesh=gltf.mesh(points, mesh.faces), name=mesh.name))
    gltf.scene(*nodes)
    return read_scene(gltf.write(folder / "a.glb"))


def is_doubted(scene: Scene) -> bool:
    return any("floor looks vertical" in text for text in scene.warnings)


UPRIGHT = {
    "room": shell(6, 4, 2.7),
    "corridor": shell(12, 1.2, 2.7),
    "long corridor": shell(40, 2.0, 2.6),
    "room without a roof": shell(6, 4, 2.7, has_roof=False),
    "square room without a roof": shell(4, 4, 3.0, has_roof=False),
    "tower": tower(5, 10),
    "tower of few floors": tower(4, 3, 3.5),
    "hollow tower": shell(5, 5, 30),
}


@pytest.mark.parametrize("name", UPRIGHT)
def test_upright_buildings_are_not_doubted(name: str, tmp_path: Path) -> None:
    assert not is_doubted(opened(UPRIGHT[name], tmp_path))


@pytest.mark.parametrize("size", [(6.0, 4.0, 2.7), (8.0, 5.0, 2.4), (20.0, 11.0, 3.0)])
def test_rooms_on_their_side_are_doubted(size: Vec3, tmp_path: Path) -> None:
    scene = opened(shell(*size), tmp_path, is_on_its_side=True)
    assert is_doubted(scene)
    assert any("may be Z, not Y" in text for text in scene.warnings)


class TestUnits:
    def chair(self, folder: Path, *, unit: float | None) -> None:
        chair = usd_cube("Chair")
        path = usda(folder / "chair.usda", chair, unit=unit)
        path.write_text(path.read_text().replace("(\n", '(\n    defaultPrim = "Chair"\n', 1))

    def house(
        self, folder: Path, more: str = "", corrected: float | None = None
    ) -> tuple[str, ...]:
        body = usd_cube("House", size=(600, 400, 270))
        body += f'def Xform "Seat" (references = @./chair.usda@) {{\n{more}\n}}'
        path = usda(folder / "a.usda", body, unit=0.01)
        warnings = read_scene(path, metres_per_unit=corrected).warnings
        return tuple(text for text in warnings if "implausible" not in text)

    @pytest.mark.parametrize(
        ("unit", "corrected", "words"),
        [
            (1.0, None, "100 times too small"),
            (0.001, None, "10 times too large"),
            (1.0, 0.001, "1000 times too small"),
        ],
    )
    def test_a_reference_of_another_unit_is_named_with_its_factor(
        self, unit: float, corrected: float | None, words: str, tmp_path: Path
    ) -> None:
        self.chair(tmp_path, unit=unit)
        (said,) = self.house(tmp_path, corrected=corrected)
        assert said.startswith("/Seat refers to ./chair.usda")
        assert words in said

    @pytest.mark.parametrize(
        ("unit", "corrected"), [(0.01, None), (None, None), (1.0, 1.0), (0.01, 1.0)]
    )
    def test_the_same_unit_and_none_are_not_named(
        self, unit: float | None, corrected: float | None, tmp_path: Path
    ) -> None:
        self.chair(tmp_path, unit=unit)
        assert self.house(tmp_path, corrected=corrected) == ()

    def test_a_scale_that_makes_up_for_it_is_not_named(self, tmp_path: Path) -> None:
        self.chair(tmp_path, unit=1.0)
        scaled = """double3 xformOp:scale = (100, 100, 100)
            uniform token[] xformOpOrder = ["xformOp:scale"]"""
        assert self.house(tmp_path, scaled) == ()

    @pytest.mark.parametrize("unit", ["0", "-1", "nan", "inf"])
    def test_a_unit_that_is_no_length_is_refused_in_words(self, unit: str, tmp_path: Path) -> None:
        path = usda(tmp_path / "a.usda", usd_cube("C"), unit=None)
        text = path.read_text().replace("(\n", f"(\n    metersPerUnit = {unit}\n", 1)
        path.write_text(text)
        error = read_failure(path)
        assert error.place == "metersPerUnit"
        assert "say what it is with --metres-per-unit" in error.reason


class TestStrays:
    def room(self, folder: Path, far: float, *, buildings: int = 1) -> Scene:
        meshes = [mesh for n in range(buildings) for mesh in self.moved(n * 500.0)]
        points = meshes[-1].vertices.copy()
        points[7] = (far, 0, 2.7)
        meshes[-1] = Mesh("ceiling", points, meshes[-1].faces)
        return opened(meshes, folder)

    def moved(self, by: float) -> list[Mesh]:
        offset = np.array([by, 0, 0], dtype=np.float32)
        return [Mesh(m.name, m.vertices + offset, m.faces) for m in shell(6, 5, 2.7)]

    def test_one_vertex_at_20_km_changes_neither_size_nor_storeys(self, tmp_path: Path) -> None:
        scene = self.room(tmp_path, 20_000.0)
        assert scene.size_m == pytest.approx((6.2, 5.2, 2.9), abs=1e-5)
        assert [storey.floor_z_m for storey in scene.storeys] == pytest.approx([0.0])
        assert scene.origin_m == (0.0, 0.0, 0.0)
        (stray,) = [mesh for mesh in scene.meshes if mesh.is_stray]
        assert stray.name == "ceiling (stray)"
        assert not stray.is_collider
        assert scene.triangle_count == 72
        (said,) = [text for text in scene.warnings if "stray" in text]
        assert "1 stray vertex" in said
        assert "20000" in said
        assert not any("implausible" in text for text in scene.warnings)

    def test_a_large_estate_has_no_strays(self, tmp_path: Path) -> None:
        meshes = [mesh for n in range(4) for mesh in self.moved(n * 500.0)]
        scene = opened(meshes, tmp_path)
        assert not any(mesh.is_stray for mesh in scene.meshes)
        assert scene.size_m[0] == pytest.approx(1506.2, abs=1e-3)

    def test_a_house_far_from_zero_has_no_strays(self, tmp_path: Path) -> None:
        gltf = Gltf()
        far = gltf.node(mesh=gltf.mesh(CUBE_POINTS, CUBE_FACES), translation=[2.6e6, 0, 0])
        gltf.scene(far)
        scene = read_scene(gltf.write(tmp_path / "a.glb"))
        assert not any(mesh.is_stray for mesh in scene.meshes)
        assert scene.size_m == pytest.approx((1, 1, 1), abs=1e-5)
