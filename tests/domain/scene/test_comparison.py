"""What is said of two scenes that are to be the same house."""

from __future__ import annotations

from dataclasses import replace

from worlds.box_scenes import box, scene

from waypost.domain.scene.comparison import scene_differences
from waypost.domain.scene.scene import Scene, Storey


def house(*, width_m: float = 6.0, x_m: float = 0.0, floors: tuple[float, ...] = (0.0,)) -> Scene:
    made = scene(box("all", (x_m, 0.0, 0.0), (x_m + width_m, 5.0, 2.6)))
    return replace(made, storeys=tuple(Storey(f"storey {z:g}", z) for z in floors))


def test_other_triangles_of_the_same_house_are_no_difference() -> None:
    other = replace(house(x_m=0.02), content_hash="other", format="usda")
    assert scene_differences(house(), other) == ()


def test_sizes_places_and_storeys_are_said() -> None:
    assert scene_differences(house(), house(width_m=600.0)) == (
        "the size was 6.00 × 5.00 × 2.60 m and is 600.00 × 5.00 × 2.60 m",
    )
    assert scene_differences(house(), house(x_m=1.5)) == (
        "its lowest corner lies elsewhere, by +1.50, +0.00, +0.00 m along x, y, z",
    )
    assert scene_differences(house(), house(floors=(0.0, 2.8))) == (
        "it had 1 storey (floor at 0.00 m) and has 2 (floors at 0.00, 2.80 m)",
    )
    assert scene_differences(house(floors=(0.1,)), house(floors=(0.0,))) == (
        "it had 1 storey (floor at 0.10 m) and has 1 (floor at 0.00 m)",
    )
