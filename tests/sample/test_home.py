"""The home as built: sizes of the features, measured in the triangles with rays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sample.features import FEATURES

from tools.sample_home.home import build_home
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Scene
from waypost.geometry.graph_checks import check_graph
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.storeys import find_storeys
from waypost.sample.navigation import build_navigation
from waypost.sample.questions import TASKS


@pytest.fixture(scope="module")
def home() -> Scene:
    return build_home()


@pytest.fixture(scope="module")
def rays(home: Scene) -> RayIndex:
    return RayIndex.build(home)


def free_m(rays: RayIndex, origin: Vec3, direction: Vec3) -> float:
    """Free length from a point, in one direction and the opposite one."""
    away = np.array([direction, [-d for d in direction]], dtype=np.float64)
    starts = np.array([origin, origin], dtype=np.float64)
    return float(rays.first_hit_distances(starts, away).sum())


def points_of(home: Scene, name: str) -> np.ndarray:
    parts = [m.vertices for m in home.meshes if m.name == name or m.name.startswith(f"{name}: ")]
    return np.concatenate(parts).astype(np.float64)


def test_it_stays_within_its_budget(home: Scene) -> None:
    assert 20_000 < home.triangle_count <= 60_000
    low, high = home.bounds_m
    assert low[2] == pytest.approx(-0.27)
    assert high[2] == pytest.approx(2.72 + 2.5 + 0.24)


def test_every_triangle_has_an_area_and_a_finite_texture(home: Scene) -> None:
    for mesh in home.meshes:
        a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        assert areas.min() > 1e-8, mesh.name
        assert mesh.uvs is not None
        assert np.isfinite(mesh.uvs).all()


def test_mesh_names_are_unique(home: Scene) -> None:
    names = [mesh.name for mesh in home.meshes]
    assert len(set(names)) == len(names)


def test_storeys_are_found(home: Scene) -> None:
    heights = [storey.floor_z_m for storey in find_storeys(home)]
    assert heights == pytest.approx([0.0, 2.72], abs=0.005)


def test_the_graph_has_no_findings(rays: RayIndex) -> None:
    graph = build_navigation()
    assert check_graph(graph, rays) == ()
    assert len(graph.nodes) == 26
    assert {round(node.position_m[2], 2) for node in graph.nodes.values()} == {-0.15, 0.0, 2.72}


def test_nodes_stand_on_the_floor(rays: RayIndex) -> None:
    for node in build_navigation().nodes.values():
        x, y, z = node.position_m
        hit = rays.floor_below((x, y, z + 0.3), max_drop_m=0.5)
        assert hit is not None, node.name
        assert hit.point_m[2] == pytest.approx(z, abs=0.005), node.name


def test_nodes_leave_room_to_turn(rays: RayIndex) -> None:
    """0.65 m free all round, up to the height of a person; the corridor is the exception."""
    angles = np.linspace(0, math.tau, 72, endpoint=False)
    around = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
    for node in build_navigation().nodes.values():
        if node.name == "Corridor corner":
            continue
        for height in (0.05, 0.3, 0.7, 1.2, 1.65):
            start = np.add(node.position_m, (0, 0, height))
            distances = rays.first_hit_distances(np.tile(start, (72, 1)), around)
            assert distances.min() >= 0.65, (node.name, height, distances.argmin() * 5)


@pytest.mark.parametrize(
    ("place", "direction", "expected_m"),
    [
        ((4.6, 4.1, 1.0), (0, 1, 0), 0.80),
        ((4.6, 4.1, 3.7), (0, 1, 0), 0.90),
        ((5.45, 6.26, 1.0), (1, 0, 0), 0.68),
        ((5.45, 0.06, 1.0), (1, 0, 0), 1.0),
        ((3.825, 2.3, 0.39), (1, 0, 0), 0.75),
        ((3.0, 5.42, 0.04), (0, 1, 0), 0.80),
        ((1.8, 6.4, 0.04), (1, 0, 0), 0.80),
    ],
)
def test_clear_widths(rays: RayIndex, place: Vec3, direction: Vec3, expected_m: float) -> None:
    assert free_m(rays, place, direction) == pytest.approx(expected_m, abs=1e-5)


@pytest.mark.parametrize(
    ("place", "expected_m"),
    [((8.6, 8.94, 0.5), 0.02), ((7.4, 1.0, 0.5), 0.012), ((6.66, 2.4, 1.5), 0.34)],
)
def test_heights_of_bars_and_treads(rays: RayIndex, place: Vec3, expected_m: float) -> None:
    hit = rays.floor_below(place, max_drop_m=2.0)
    assert hit is not None
    assert hit.point_m[2] == pytest.approx(expected_m, abs=1e-5)


def test_the_stairs_climb_in_sixteen_equal_risers(rays: RayIndex) -> None:
    heights = [0.0]
    for number in range(15):
        start = (6.66, 2.0 + 0.27 * (number + 0.5), 0.17 * (number + 1) + 0.3)
        hit = rays.floor_below(start, max_drop_m=1.0)
        assert hit is not None
        heights.append(hit.point_m[2])
    assert np.diff([*heights, 2.72]) == pytest.approx(0.17, abs=1e-5)


def test_the_ramp_rises_at_five_degrees(home: Scene) -> None:
    points = points_of(home, "Ramp")
    run = np.ptp(points[:, 1])
    assert math.degrees(math.atan2(np.ptp(points[:, 2]), run)) == pytest.approx(5.0, abs=1e-3)


def test_the_lamp_hangs_at_one_metre_fifty(home: Scene) -> None:
    assert points_of(home, "Low lamp")[:, 2].min() == pytest.approx(1.5)


def test_there_is_headroom_for_a_person_all_the_way_up(rays: RayIndex) -> None:
    """A 0.6 m wide body stands on the highest tread under it."""
    for y in np.arange(1.6, 6.8, 0.05):
        treads = math.floor((float(y) + 0.3 - 2.0) / 0.27 + 1e-6) + 1
        tread = min(max(treads, 0), 16) * 0.17
        for offset in (-0.3, 0.0, 0.3):
            starts = np.array([[6.66, y + offset, tread + 0.01]])
            up = rays.first_hit_distances(starts, np.array([[0.0, 0.0, 1.0]]))[0]
            assert up > 1.75, (y, offset)


def test_every_feature_lies_on_edges_and_objects_that_exist(home: Scene) -> None:
    graph = build_navigation()
    ids = {node.name: node.node_id for node in graph.nodes.values()}
    names = {mesh.name for mesh in home.meshes}
    for feature in FEATURES:
        assert any(name.startswith(feature.object_name) for name in names), feature.key
        assert not set(feature.passes) & set(feature.stopped)
        for start, end in feature.edges:
            assert graph.edge_between(ids[start], ids[end]) is not None, feature.key


def test_every_task_names_places() -> None:
    names = {node.name for node in build_navigation().nodes.values()}
    for task in TASKS:
        assert {task.start, task.end, *task.intermediate} <= names
    assert len(TASKS) == 8
