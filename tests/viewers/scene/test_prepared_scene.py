"""A scene is prepared for its views in steps, with the plan of every storey."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from worlds.box_scenes import body

from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.scene.scene import Material, Scene, Storey
from waypost.viewers.scene.prepared_scene import PreparedScene, prepare_scene

WHITE = (1.0, 1.0, 1.0, 1.0)


@pytest.fixture
def house() -> Scene:
    """Two storeys of 3 m; the lower wall is 2 m wide, the upper one 1 m."""
    meshes = (
        body("lower", (0.0, 0.0, 1.5), (2.0, 0.2, 3.0), 0),
        body("upper", (0.0, 0.0, 4.5), (1.0, 0.2, 3.0), 0),
    )
    picture = np.full((4, 4, 4), 200, dtype=np.uint8)
    storeys = (Storey("First floor", 3.0), Storey("Ground floor", 0.0))
    materials = (Material("m", WHITE, 0),)
    return Scene("s", "", "glb", meshes, materials, (picture, picture), storeys=storeys)


def prepared(scene: Scene) -> tuple[PreparedScene, list[Progress]]:
    seen: list[Progress] = []
    return exhaust(prepare_scene(scene), seen.append), seen


def test_every_mesh_texture_and_storey_is_a_step(house: Scene) -> None:
    result, seen = prepared(house)
    assert [progress.message for progress in seen] == [
        "Preparing lower",
        "Preparing upper",
        "Preparing texture 0",
        "Drawing the plans of the storeys",
        "Drawing the plans of the storeys",
    ]
    assert [level.shape for level in result.packed.textures[0]] == [
        (4, 4, 4),
        (2, 2, 4),
        (1, 1, 4),
    ]
    assert list(result.packed.textures) == [0]


def test_a_height_finds_the_plan_of_its_storey(house: Scene) -> None:
    result, _ = prepared(house)
    widths = {}
    for height_m in (-0.5, 0.0, 2.9, 3.0, 9.0):
        storey = result.storey_at(height_m)
        assert storey is not None
        widths[height_m] = (storey[0], round(float(np.ptp(storey[1].walls[..., 0])), 6))
    lower, upper = (0.0, 2.0), (3.0, 1.0)
    assert widths == {-0.5: lower, 0.0: lower, 2.9: lower, 3.0: upper, 9.0: upper}


def test_a_scene_without_storeys_has_the_plan_of_its_lowest_point(house: Scene) -> None:
    result, _ = prepared(replace(house, storeys=()))
    assert [floor for floor, _ in result.plans] == [0.0]


def test_a_scene_without_triangles_has_no_plan() -> None:
    result, _ = prepared(Scene("s", "", "glb", ()))
    assert result.storey_at(0.0) is None
