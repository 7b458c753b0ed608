"""Nodes above the floor, nodes inside or under things, by boxes with known places."""

from __future__ import annotations

import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.scene.findings import FindingKind
from waypost.domain.scene.graph import (
    Edge,
    EdgeKind,
    NavigationGraph,
    Node,
    build_graph,
    move_nodes,
)
from waypost.geometry.graph_checks import check_graph
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.standing import object_in_the_way, put_down, standing_refusal

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
