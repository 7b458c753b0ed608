from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.scene.findings import FindingKind
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node, build_graph
from waypost.geometry.graph_checks import check_graph, isolated_part_steps
from waypost.geometry.ray_index import RayIndex

HOUSE = scene(
    plate("floor", (0, 0), (10, 10), 0.0),
    box("wall", (4.9, 0, 0), (5.1, 8, 2.7)),
    box("sideboard", (2, 4, 0), (2.5, 6, 1.2)),
)


@pytest.fixture(scope="module")
def rays() -> RayIndex:
    return RayIndex.build(HOUSE)


def _graph(
    places: dict[str, tuple[float, float, float]], *edges: tuple[str, str, EdgeKind]
) -> NavigationGraph:
    return build_graph(
        [Node(key, key, position) for key, position in places.items()],
        [Edge(f"{a}{b}", a, b, kind) for a, b, kind in edges],
    )


def test_sound_graph_has_no_findings(rays: RayIndex) -> None:
    graph = _graph(
        {"a": (1, 1, 0), "b": (4, 1, 0), "c": (4, 9, 0), "d": (8, 9, 0)},
        ("a", "b", EdgeKind.WALK),
        ("b", "c", EdgeKind.WALK),
        ("c", "d", EdgeKind.WALK),
    )
    assert check_graph(graph, rays) == ()


def test_empty_graph_has_no_findings(rays: RayIndex) -> None:
    assert check_graph(NavigationGraph(), rays) == ()


def test_isolated_parts_are_all_but_the_largest() -> None:
    graph = _graph(
        {key: (i, 0, 0) for i, key in enumerate("abcdef")},
        ("a", "b", EdgeKind.WALK),
        ("c", "d", EdgeKind.WALK),
        ("d", "e", EdgeKind.WALK),
    )
    found = check_graph(graph, None)
    assert [(f.kind, f.node_ids, f.edge_ids) for f in found] == [
        (FindingKind.ISOLATED_PART, ("a", "b"), ("ab",)),
        (FindingKind.ISOLATED_PART, ("f",), ()),
    ]
    assert found[0].message == "a and 1 more are cut off from the rest"
    assert found[1].message == "f is not joined to anything"
    assert found[1].spot_m == (5, 0, 0)


def test_parts_of_a_large_graph_are_looked_for_in_steps() -> None:
    keys = [f"n{number}" for number in range(4001)]
    row = _graph(
        {key: (float(i), 0.0, 0.0) for i, key in enumerate(keys)},
        *((a, b, EdgeKind.WALK) for a, b in pairwise(keys)),
    )
    # One for every thousand edges, one for every thousand nodes.
    assert len(list(isolated_part_steps(row))) >= 8


def test_duplicate_names_ignore_case_and_blanks() -> None:
    graph = build_graph(
        [
            Node("n1", "Kitchen", (0, 0, 0)),
            Node("n2", "kitchen ", (1, 0, 0)),
            Node("n3", "Hall", (2, 0, 0)),
        ],
        [Edge("e1", "n1", "n2"), Edge("e2", "n2", "n3")],
    )
    (found,) = check_graph(graph, None)
    assert (found.kind, found.node_ids) == (FindingKind.DUPLICATE_NAME, ("n1", "n2"))
    assert found.message == "2 nodes are named Kitchen"


@pytest.mark.parametrize(
    ("z", "is_found"), [(0.0, False), (0.5, False), (0.51, True), (-0.29, False), (-0.31, True)]
)
def test_floor_is_searched_from_above_to_below(z: float, is_found: bool, rays: RayIndex) -> None:
    found = check_graph(_graph({"a": (1, 1, z)}), rays)
    assert any(f.kind is FindingKind.NO_FLOOR for f in found) is is_found


def test_node_beside_the_house_has_no_floor(rays: RayIndex) -> None:
    (found,) = check_graph(_graph({"a": (20, 1, 0)}), rays)
    assert (found.kind, found.node_ids) == (FindingKind.NO_FLOOR, ("a",))


ACROSS = {"a": (3.0, 1.0, 0.0), "b": (7.0, 1.0, 0.0)}
"""Two places with the wall between them."""


class TestWalls:
    def test_walk_edge_through_a_wall(self, rays: RayIndex) -> None:
        (found,) = check_graph(_graph(ACROSS, ("a", "b", EdgeKind.WALK)), rays)
        assert (found.kind, found.edge_ids) == (FindingKind.THROUGH_WALL, ("ab",))
        assert found.node_ids == ("a", "b")
        assert found.message == "a – b goes through a wall (wall)"
        assert found.spot_m == pytest.approx((4.9, 1.0, 0.4))

    def test_the_way_it_was_drawn_does_not_matter(self, rays: RayIndex) -> None:
        (found,) = check_graph(_graph(ACROSS, ("b", "a", EdgeKind.WALK)), rays)
        assert found.spot_m == pytest.approx((5.1, 1.0, 0.4))

    @pytest.mark.parametrize("kind", [EdgeKind.DOOR, EdgeKind.STAIRS, EdgeKind.ELEVATOR])
    def test_other_kinds_are_exempt(self, kind: EdgeKind, rays: RayIndex) -> None:
        assert check_graph(_graph(ACROSS, ("a", "b", kind)), rays) == ()

    def test_furniture_on_the_floor_is_named(self, rays: RayIndex) -> None:
        places = {"a": (1.0, 5.0, 0.0), "b": (4.0, 5.0, 0.0)}
        (found,) = check_graph(_graph(places, ("a", "b", EdgeKind.WALK)), rays)
        assert found.kind is FindingKind.THROUGH_OBSTACLE
        assert found.message == (
            "a – b goes through furniture or the wall under a window (sideboard)"
        )

    @pytest.mark.parametrize(
        ("low_m", "high_m", "kind"),
        [
            (0.0, 1.5, FindingKind.THROUGH_WALL),  # a partition, lower than any cut
            (0.0, 2.7, FindingKind.THROUGH_WALL),
            (0.0, 0.9, FindingKind.THROUGH_OBSTACLE),  # under a window
            (0.0, 0.45, FindingKind.THROUGH_OBSTACLE),  # a sofa
            (0.0, 0.3, None),  # some agents step over it
            (0.2, 2.7, None),  # the sweeper, 0.15 m high, drives under it
            (0.7, 2.7, None),  # a table
        ],
    )
    def test_what_no_agent_gets_under_or_over(
        self, low_m: float, high_m: float, kind: FindingKind | None
    ) -> None:
        built = scene(
            plate("floor", (0, 0), (10, 10), 0.0), box("thing", (4.9, 0, low_m), (5.1, 8, high_m))
        )
        found = check_graph(_graph(ACROSS, ("a", "b", EdgeKind.WALK)), RayIndex.build(built))
        assert [finding.kind for finding in found] == ([] if kind is None else [kind])

    def test_without_a_sweeper_what_is_under_a_bed_helps_nobody(self) -> None:
        built = scene(
            plate("floor", (0, 0), (10, 10), 0.0), box("bed", (4.9, 0, 0.2), (5.1, 8, 0.6))
        )
        rays = RayIndex.build(built)
        graph = _graph(ACROSS, ("a", "b", EdgeKind.WALK))
        (found,) = check_graph(graph, rays, lowest_m=1.2)
        assert found.kind is FindingKind.THROUGH_OBSTACLE

    def test_nodes_at_one_place(self, rays: RayIndex) -> None:
        places = {"a": (1.0, 1.0, 0.0), "b": (1.0, 1.0, 0.0)}
        assert check_graph(_graph(places, ("a", "b", EdgeKind.WALK)), rays) == ()


def test_rays_of_many_nodes_and_edges_are_cast_together(
    rays: RayIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    nodes = [
        Node(f"n{i}", f"Place {i}", (float(x), float(y), 0.0))
        for i, (x, y) in enumerate(rng.uniform(0, 10, (1000, 2)))
    ]
    edges = [Edge(f"e{i}", f"n{i}", f"n{(i * 7 + 1) % 1000}") for i in range(1, 1000)]
    edges += [Edge(f"f{i}", f"n{i}", f"n{(i + 500) % 1000}") for i in range(1000)]
    graph = build_graph(nodes, edges)
    sizes = []
    cast = RayIndex.first_hit_distances

    def counted(index: RayIndex, origins: Any, directions: Any) -> Any:
        sizes.append(len(origins))
        return cast(index, origins, directions)

    monkeypatch.setattr(RayIndex, "first_hit_distances", counted)
    found = check_graph(graph, rays)
    assert any(f.kind is FindingKind.THROUGH_WALL for f in found)
    # 1,000 nodes; a hundred of them by the 38 rays of a probe at a time; 1,999 edges at two
    # heights, a thousand edges at a time.
    assert sizes == [1000, *[3800] * 10, 2000, 1998]
