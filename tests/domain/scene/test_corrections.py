"""A wrong axis or unit: what is proposed, and where nodes go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.scene.corrections import (
    carried_along,
    is_drawn_in,
    likely_unit,
    other_axis,
    stray_spots,
)
from waypost.domain.scene.graph import Node, build_graph
from waypost.domain.scene.scene import Mesh, Scene, Storey


def room(height: float, metres_per_unit: float = 1.0, up_axis: str = "Y") -> Scene:
    made = scene(box("room", (0.0, 0.0, 0.0), (6.0, 5.0, height)))
    storeys = (Storey("ground", 0.0),)
    return replace(made, metres_per_unit=metres_per_unit, source_up_axis=up_axis, storeys=storeys)


@pytest.mark.parametrize(
    ("height_m", "unit", "wanted"),
    [
        (250.0, 1.0, 0.01),
        (2500.0, 1.0, 0.001),
        (0.025, 0.01, 1.0),
        (98.0, 1.0, 0.0254),
        (8.2, 1.0, 0.3048),
        (2.5, 1.0, 0.01),
    ],
)
def test_the_unit_that_makes_a_storey_of_it_is_proposed(
    height_m: float, unit: float, wanted: float
) -> None:
    assert likely_unit(room(height_m, unit)) == wanted


def test_nodes_stay_at_their_place_in_the_file() -> None:
    graph = build_graph([Node("n", "N", (1.0, 2.0, 0.5))], [])
    before, after = room(2.5), room(2.5, up_axis="Z")
    assert other_axis(before) == "Z"
    # As Y-up the point (1, 0.5, −2) of the file is (1, 2, 0.5) here; as Z-up it is itself.
    assert carried_along(graph, before, after).nodes["n"].position_m == (1.0, 0.5, -2.0)
    smaller = room(2.5, metres_per_unit=0.01)
    moved = carried_along(graph, before, smaller).nodes["n"].position_m
    assert moved == pytest.approx((0.01, 0.02, 0.005), abs=1e-12)
    assert carried_along(carried_along(graph, before, after), after, before) == graph


def test_nodes_outside_the_scene_were_not_drawn_in_it() -> None:
    graph = build_graph([Node("n", "N", (1.0, 2.0, 0.5))], [])
    assert is_drawn_in(graph, room(2.5))
    assert not is_drawn_in(graph, scene(box("far", (50.0, 0.0, 0.0), (56.0, 5.0, 2.5))))
    assert not is_drawn_in(build_graph([], []), room(2.5))


@pytest.mark.parametrize("unit", [1.0, 0.001, 100.0])
def test_nodes_on_the_lowest_floor_were_drawn_in_the_scene(unit: float) -> None:
    floor = plate("floor", (0.0, 0.0), (6.0 * unit, 5.0 * unit), 0.3 * unit)
    flat = scene(floor, box("wall", (0.0, 0.0, 0.3 * unit), (6.0 * unit, 0.1 * unit, 3.0 * unit)))
    lowest = flat.bounds_m[0][2]
    # What a ray from a camera at some metres finds is rounded to 32 bits.
    on_it = [Node(f"n{n}", "N", (n * unit, unit, lowest - 3e-7 * unit)) for n in range(1, 4)]
    assert is_drawn_in(build_graph(on_it, []), flat)
    below = [Node("n", "N", (unit, unit, lowest - 0.5 * unit))]
    assert not is_drawn_in(build_graph(below, []), flat)


def test_stray_spots_are_the_vertices_away_from_the_house() -> None:
    points = np.array([[0, 0, 0], [6, 0, 0], [20_000, 1, 2], [300, 0, 0]], dtype=np.float32)
    faces = np.array([[0, 1, 2], [0, 1, 3]], dtype=np.int32)
    stray = Mesh("floor (stray)", points, faces, is_collider=False, is_stray=True)
    house = room(2.5)
    lost = replace(house, meshes=(*house.meshes, stray), origin_m=(10.0, 0.0, 0.0))
    assert stray_spots(lost) == ((20_010.0, 1.0, 2.0), (310.0, 0.0, 0.0))
    assert stray_spots(house) == ()
