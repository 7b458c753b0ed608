from __future__ import annotations

import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.scene.scene import Mesh, Scene
from waypost.geometry.storeys import find_storeys


def _walls(height: float, base: float = 0.0) -> list[Mesh]:
    return [
        box("west", (0, 0, base), (0.1, 8, base + height)),
        box("east", (9.9, 0, base), (10, 8, base + height)),
    ]


def _heights(found: Scene) -> list[tuple[str, float]]:
    return [
        (storey.name, pytest.approx(storey.floor_z_m, abs=0.006)) for storey in find_storeys(found)
    ]


def test_single_storey_with_furniture_and_flat_roof() -> None:
    house = scene(
        plate("floor", (0, 0), (10, 8), 0.0),
        *_walls(2.8),
        box("roof", (0, 0, 2.8), (10, 8, 3.0)),
        *[box(f"table {i}", (i, 1, 0.7), (i + 0.9, 7, 0.75)) for i in range(10)],
        *[box(f"wardrobe {i}", (i, 7, 0), (i + 0.5, 8, 2.1)) for i in range(10)],
    )
    assert _heights(house) == [("Ground floor", 0.0)]


def test_two_storeys_with_slab_between() -> None:
    house = scene(
        plate("ground", (0, 0), (10, 8), 0.0),
        *_walls(5.8),
        box("slab", (0, 0, 2.72), (10, 6, 2.98)),
        *[box(f"step {i}", (i * 0.3, 6, 0), (i * 0.3 + 0.3, 7, (i + 1) * 0.17)) for i in range(17)],
        box("roof", (0, 0, 5.6), (10, 8, 5.8)),
    )
    assert _heights(house) == [("Ground floor", 0.0), ("Floor 1", 2.98)]


def test_names_and_heights_in_a_far_frame() -> None:
    tower = scene(
        *[plate(f"floor {i}", (0, 0), (10, 8), 3.0 * i) for i in range(4)],
        *_walls(12.0),
        origin=(0.0, 0.0, 5000.0),
    )
    assert _heights(tower) == [
        ("Ground floor", 5000.0),
        ("Floor 1", 5003.0),
        ("Floor 2", 5006.0),
        ("Floor 3", 5009.0),
    ]


def test_sunken_room_belongs_to_its_storey() -> None:
    house = scene(
        plate("hall", (0, 0), (6, 8), 0.0), plate("pit", (6, 0), (10, 8), -0.5), *_walls(2.7)
    )
    assert _heights(house) == [("Ground floor", 0.0)]


def test_gallery_of_a_fifth_is_a_storey_and_a_landing_is_none() -> None:
    gallery = scene(
        plate("floor", (0, 0), (10, 8), 0.0), plate("gallery", (0, 0), (10, 1.8), 2.5), *_walls(5)
    )
    landing = scene(
        plate("floor", (0, 0), (10, 8), 0.0), plate("landing", (0, 0), (1.5, 1.5), 2.5), *_walls(5)
    )
    assert len(find_storeys(gallery)) == 2
    assert len(find_storeys(landing)) == 1


def test_rugs_do_not_lift_the_floor() -> None:
    house = scene(
        plate("floor", (0, 0), (10, 8), 0.0), plate("rug", (2, 2), (5, 5), 0.008), *_walls(2.7)
    )
    assert find_storeys(house)[0].floor_z_m == 0.0


def test_bare_plate_is_one_storey() -> None:
    assert _heights(scene(plate("floor", (0, 0), (3, 3), 1.25))) == [("Ground floor", 1.25)]


def test_nothing_has_no_storey() -> None:
    assert find_storeys(scene()) == ()


def test_a_lone_wall_has_no_storey() -> None:
    assert find_storeys(scene(Mesh("wall", *_standing()))) == ()


def _standing():
    flat = plate("", (0, 0), (3, 3), 0.0)
    return flat.vertices[:, [0, 2, 1]].copy(), flat.faces
