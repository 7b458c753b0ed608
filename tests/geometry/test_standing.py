"""Nodes above the floor, nodes inside or under things, by boxes with known places."""

from __future__ import annotations

import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.scene.findings import Finding, FindingKind
from waypost.domain.scene.graph import (
    Edge,
    EdgeKind,
    NavigationGraph,
    Node,
    build_graph,
    move_nodes,
    set_edge_kind,
)
from waypost.domain.scene.scene import Storey
from waypost.geometry.graph_checks import check_graph
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.standing import object_in_the_way, put_down, standing_refusal
from waypost.geometry.storeys import find_storeys
from waypost.io.graphs.capnav_graph import project_to_floor
from waypost.services.frame_fitting import floor_below

HOUSE = scene(
    plate("floor", (0, 0), (10, 10), 0.0),
    box("slab", (0, 0, 2.6), (10, 10, 2.8)),
    box("wardrobe", (2, 4, 0), (3, 5, 2.1)),
    box("table", (5, 4, 0.7), (6, 5, 0.75)),
    box("wall", (0, 9, 0), (10, 9.1, 2.6)),
    box("platform", (7, 7, 0), (8, 8, 0.2)),
)


@pytest.fixture(scope="module")
def rays() -> RayIndex:
    return RayIndex.build(HOUSE)


def row(*places: tuple[float, float, float]) -> NavigationGraph:
    nodes = [Node(f"n{i}", f"N{i}", place) for i, place in enumerate(places)]
    edges = [Edge(f"e{i}", f"n{i}", f"n{i + 1}", EdgeKind.DOOR) for i in range(len(places) - 1)]
    return build_graph(nodes, edges)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ((1.0, 1.0, 0.0), ""),
        ((2.5, 4.5, 0.0), "wardrobe"),  # within a closed body
        ((4.0, 9.05, 0.0), "wall"),  # within a long one
        ((4.0, 8.95, 0.0), ""),  # before it
        ((4.0, 8.97, 0.0), "wall"),  # nearer than half of any agent
        ((5.5, 4.5, 0.0), "table"),  # under its top
        ((5.5, 4.5, 0.75), ""),  # on its top
        ((7.5, 7.5, 0.0), ""),  # sunk into a platform that one can stand upon
        ((20.0, 20.0, 0.0), None),  # without a floor
    ],
)
def test_what_is_in_the_way_of_a_probe(
    place: tuple[float, float, float], name: str | None, rays: RayIndex
) -> None:
    assert object_in_the_way(Node("n", "N", place), rays) == name


def test_a_low_probe_lands_under_a_table(rays: RayIndex) -> None:
    node = Node("n", "N", (5.5, 4.5, 0.0))
    assert object_in_the_way(node, rays, 0.6) == ""


def test_nodes_above_the_floor_are_found_with_their_height(rays: RayIndex) -> None:
    graph = row((1, 1, 0.04), (1, 2, 0.32), (1, 3, 0.49), (1, 4, 1.5), (7.5, 7.5, 0.3))
    found = {f.node_ids[0]: f.message for f in check_graph(graph, rays) if f.kind == "above_floor"}
    assert found == {
        "n1": "N1 is 0.32 m above the floor",
        "n2": "N2 is 0.49 m above the floor",
        "n4": "N4 is 0.10 m above the floor",
    }


def test_nodes_are_put_down_onto_what_is_below_them(rays: RayIndex) -> None:
    graph = row((1, 1, 0.02), (1, 2, 0.32), (1, 4, 1.5), (7.5, 7.5, 0.3), (20, 20, 1.0))
    places = put_down(graph, graph.nodes, rays)
    assert {key: place[2] for key, place in places.items()} == pytest.approx(
        {"n1": 0.0, "n2": 0.0, "n3": 0.2}, abs=1e-5
    )
    kinds = {f.kind for f in check_graph(move_nodes(graph, places), rays)}
    assert kinds == {FindingKind.NO_FLOOR}  # the node beside the house stays


@pytest.mark.parametrize(
    ("place", "kind", "said"),
    [
        ((5.5, 4.5, 0.75), EdgeKind.DOOR, "N0 stands on table, 0.75 m above the floor"),
        ((5.5, 4.5, 0.80), EdgeKind.DOOR, "N0 stands on table, 0.75 m above the floor"),
        ((5.5, 4.5, 0.75), EdgeKind.STAIRS, ""),  # somebody says that steps lead there
        ((7.5, 7.5, 0.2), EdgeKind.DOOR, ""),  # a step
        ((2.5, 4.5, 2.1), EdgeKind.DOOR, ""),  # as high as a gallery
        ((1.0, 1.0, 0.0), EdgeKind.DOOR, ""),
    ],
)
def test_a_node_on_furniture_is_found(
    place: tuple[float, float, float], kind: EdgeKind, said: str, rays: RayIndex
) -> None:
    graph = row(place, (1.0, 1.5, 0.0))
    graph = set_edge_kind(graph, "e0", kind)
    found = check_graph(graph, rays, storeys=(Storey("Ground floor", 0.0),))
    told = [f.message for f in found if f.kind is FindingKind.ON_FURNITURE]
    assert told == ([f"{said}, where no steps lead"] if said else [])
    # Without storeys nothing tells a table from a floor.
    assert not any(f.kind is FindingKind.ON_FURNITURE for f in check_graph(graph, rays))


def test_steps_and_ramps_lead_up_to_a_stage() -> None:
    steps = [box(f"step_{n}", (n * 0.3, 0, 0), (n * 0.3 + 0.3, 1, 0.2 * n)) for n in range(1, 5)]
    stage = box("stage", (1.5, 0, 0), (4, 1, 0.8))
    built = scene(plate("floor", (-5, -5), (5, 5), 0.0), *steps, stage)
    graph = row((3.0, 0.5, 0.8), (-1.0, 0.5, 0.0))
    ground = (Storey("Ground floor", 0.0),)
    assert not _on_furniture(graph, RayIndex.build(built), ground)
    without = scene(plate("floor", (-5, -5), (5, 5), 0.0), stage)
    assert _on_furniture(graph, RayIndex.build(without), ground)


def test_what_is_imported_over_a_table_stands_on_it_and_is_found(rays: RayIndex) -> None:
    """CapNav keeps the height of its slice plane, 1.4 m or so above the floor."""
    graph = row((5.5, 4.5, 1.4), (1.0, 1.5, 1.4))
    placed = project_to_floor(graph, floor_below(rays)).graph
    assert placed.nodes["n0"].position_m[2] == pytest.approx(0.75)
    (found,) = _on_furniture(placed, rays, find_storeys(HOUSE))
    assert found.node_ids == ("n0",)


def _on_furniture(
    graph: NavigationGraph, rays: RayIndex, storeys: tuple[Storey, ...]
) -> list[Finding]:
    found = check_graph(graph, rays, storeys=storeys)
    return [finding for finding in found if finding.kind is FindingKind.ON_FURNITURE]


def test_a_passage_to_where_nothing_can_stand_is_not_judged(rays: RayIndex) -> None:
    graph = row((1, 1, 0), (2.5, 4.5, 0), (5.5, 4.5, 0))
    wardrobe = standing_refusal(graph, ("n0", "n1"), rays, 1.7)
    assert wardrobe.startswith("Nothing 1 m high can stand at N1: wardrobe is in the way.")
    assert "table is in the way" in standing_refusal(graph, ("n0", "n2"), rays, 1.1)
    assert standing_refusal(graph, ("n0", "n2"), rays, 0.15) == ""
    aside = standing_refusal(row((20, 20, 0)), ("n0",), rays, 1.7)
    assert aside.startswith("There is no floor within 2.5 m under N0. Move the node")
    (finding,) = [f for f in check_graph(row((2.5, 4.5, 0)), rays) if f.kind == "no_room"]
    assert finding.message == "Nothing 1 m high can stand at N0: wardrobe is in the way"
