"""Rooms, doorways and ways that free space speaks for, in houses whose plan is known."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from worlds.box_scenes import box, plate, scene

from waypost.domain.base.errors import Cancelled
from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import exhaust
from waypost.domain.scene import graph_proposal
from waypost.domain.scene.graph import EdgeKind, NavigationGraph
from waypost.domain.scene.graph_proposal import (
    GraphProposal,
    PlaceKind,
    ProposedEdge,
    ProposedNode,
    is_there,
    pending,
    with_proposed,
    with_rejected,
    without_rejected,
)
from waypost.domain.scene.scene import Mesh, Scene
from waypost.geometry.free_space import free_space_steps
from waypost.geometry.graph_checks import check_graph
from waypost.geometry.graph_proposals import propose_graph
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.storeys import find_storeys
from waypost.io.scenes.open_scene import read_scene
from waypost.sample.sample_project import write_sample

pytestmark = pytest.mark.heavy

WALLS = (
    box("south", (0, 0, 0), (8, 0.1, 2.6)),
    box("north", (0, 3.9, 0), (8, 4, 2.6)),
    box("west", (0, 0, 0), (0.1, 4, 2.6)),
    box("east", (7.9, 0, 0), (8, 4, 2.6)),
)


def two_rooms(door_m: float, lintel_m: float = 2.05) -> Scene:
    """Two rooms of 4 × 4 m with a door between them, whose middle is at (4, 2)."""
    low, high = 2 - door_m / 2, 2 + door_m / 2
    return scene(
        plate("Left floor", (0, 0), (4, 4), 0.0),
        plate("Right floor", (4, 0), (8, 4), 0.0),
        plate("ceiling", (0, 0), (8, 4), 2.6),
        *WALLS,
        box("wall", (3.95, 0, 0), (4.05, low, 2.6)),
        box("wall", (3.95, high, 0), (4.05, 4, 2.6)),
        box("lintel", (3.95, low, lintel_m), (4.05, high, 2.6)),
    )


def proposed(of: Scene) -> GraphProposal:
    return exhaust(propose_graph(of, RayIndex.build(of)))


@pytest.mark.parametrize("door_m", [0.7, 0.9, 1.6])
def test_a_node_in_each_room_one_in_the_doorway_and_edges_through_it(door_m: float) -> None:
    found = proposed(two_rooms(door_m))
    by_name = {node.name: node for node in found.nodes}
    assert set(by_name) == {"Left", "Right", "Doorway Left – Right"}
    x, y, z = by_name["Doorway Left – Right"].position_m
    assert (x, y) == pytest.approx((4.0, 2.0), abs=0.1)
    assert z == pytest.approx(0.0, abs=1e-3)
    assert by_name["Left"].position_m[0] == pytest.approx(2.0, abs=0.3)
    door = by_name["Doorway Left – Right"].key
    assert {frozenset((e.from_key, e.to_key)) for e in found.edges} == {
        frozenset((door, by_name["Left"].key)),
        frozenset((door, by_name["Right"].key)),
    }
    assert {edge.kind for edge in found.edges} == {EdgeKind.DOOR}


@pytest.mark.parametrize("door_m", [0.8, 1.2])
def test_an_opening_up_to_the_ceiling_is_a_doorway_too(door_m: float) -> None:
    found = proposed(two_rooms(door_m, lintel_m=2.599))
    (door,) = [node for node in found.nodes if node.kind is PlaceKind.DOORWAY]
    assert door.position_m[:2] == pytest.approx((4.0, 2.0), abs=0.15)
    assert sum(node.kind is PlaceKind.ROOM for node in found.nodes) == 2
    assert len(found.edges) == 2


def test_a_corridor_is_no_doorway() -> None:
    of = scene(
        plate("floor", (0, 0), (8, 1.2), 0.0),
        box("south", (0, -0.1, 0), (8, 0, 2.6)),
        box("north", (0, 1.2, 0), (8, 1.3, 2.6)),
        box("west", (-0.1, 0, 0), (0, 1.2, 2.6)),
        box("east", (8, 0, 0), (8.1, 1.2, 2.6)),
    )
    assert all(node.kind is not PlaceKind.DOORWAY for node in proposed(of).nodes)


def test_what_is_too_narrow_is_no_doorway() -> None:
    found = proposed(two_rooms(0.3))
    assert [node.kind for node in found.nodes] == [PlaceKind.ROOM, PlaceKind.ROOM]
    assert found.edges == ()


def test_a_window_is_no_doorway() -> None:
    opened = two_rooms(0.9)
    sill = box("wall under a window", (3.95, 1.5, 0), (4.05, 2.5, 0.9))
    found = proposed(scene(*opened.meshes, sill))
    assert [node.kind for node in found.nodes] == [PlaceKind.ROOM, PlaceKind.ROOM]


def test_furniture_parts_no_room_and_no_edge_goes_through_it() -> None:
    opened = two_rooms(0.9)
    sofa = box("sofa", (1.0, 1.2, 0), (3.2, 2.8, 0.8))
    of = scene(*opened.meshes, sofa)
    found = proposed(of)
    names = {node.name for node in found.nodes if node.kind is not PlaceKind.JUNCTION}
    assert names >= {"Left", "Right", "Doorway Left – Right"}
    assert sum(node.kind is PlaceKind.DOORWAY for node in found.nodes) == 1
    graph = with_proposed(NavigationGraph(), found, [edge.key for edge in found.edges])
    assert check_graph(graph, RayIndex.build(of)) == ()


def test_a_way_round_a_corner_has_a_junction_at_the_bend() -> None:
    of = scene(
        plate("floor", (0, 0), (9, 9), 0.0),
        box("south", (0, 0, 0), (9, 0.1, 2.6)),
        box("west", (0, 0, 0), (0.1, 9, 2.6)),
        box("north", (0, 8.9, 0), (1.5, 9, 2.6)),
        box("east", (8.9, 0, 0), (9, 1.5, 2.6)),
        box("block", (1.5, 1.5, 0), (9, 9, 2.6)),
    )
    found = proposed(of)
    graph = with_proposed(NavigationGraph(), found, [edge.key for edge in found.edges])
    assert len(graph.nodes) == len(found.nodes)
    assert check_graph(graph, RayIndex.build(of)) == ()
    ends = [node.position_m for node in graph.nodes.values()]
    assert any(x > 5 for x, _, _ in ends)
    assert any(y > 5 for _, y, _ in ends)


def test_rooms_of_the_raster_are_parted_above_the_door() -> None:
    of = two_rooms(0.9)
    space = exhaust(free_space_steps(RayIndex.build(of), *of.bounds_m, 0.0))
    left, right = (int(space.rooms[40, column]) for column in (40, 120))
    assert left != right
    assert min(left, right) > 0
    assert {left, right}.isdisjoint(space.outside)
    area_m2 = np.count_nonzero(space.rooms == left) * space.cell_m**2
    assert area_m2 == pytest.approx(3.85 * 3.8, rel=0.06)
    assert space.clearance_m[40, 40] == pytest.approx(1.9, abs=0.1)


def test_it_can_be_cancelled_and_says_how_far_it_is() -> None:
    of = two_rooms(0.9)
    work = propose_graph(of, RayIndex.build(of))
    first = next(work)
    assert first.message == "Looking for rooms, storey 1 of 1"
    with pytest.raises(Cancelled):
        work.throw(Cancelled("enough"))


def test_a_scene_without_any_depth_gives_nothing() -> None:
    """A wall alone, as in a file that holds one polygon."""
    corners = np.array([(0, 0, 0), (4, 0, 0), (4, 0, 2.6)], dtype=np.float32)
    wall = Mesh("wall", corners, np.array([[0, 1, 2]], dtype=np.int32))
    assert proposed(scene(wall)) == GraphProposal((), ())


def test_a_scene_without_floor_gives_nothing() -> None:
    found = proposed(scene(box("post", (0, 0, 0), (0.2, 0.2, 2.5))))
    assert found == GraphProposal()


class TestTaking:
    nodes = (
        ProposedNode("a", PlaceKind.ROOM, "Hall", (0.0, 0.0, 0.0)),
        ProposedNode("b", PlaceKind.DOORWAY, "Door", (3.0, 0.0, 0.0)),
    )
    proposal = GraphProposal(nodes, (ProposedEdge("a", "b", EdgeKind.DOOR),))

    def test_an_edge_brings_its_ends_and_nothing_is_made_twice(self) -> None:
        graph = with_proposed(NavigationGraph(), self.proposal, ["a|b"])
        assert [node.name for node in graph.nodes.values()] == ["Hall", "Door"]
        (edge,) = graph.edges.values()
        assert edge.kind is EdgeKind.DOOR
        assert all(is_there(graph, self.proposal, key) for key in ("a", "b", "a|b"))
        assert with_proposed(graph, self.proposal, ["a", "b", "a|b"]) == graph

    def test_a_node_near_by_is_the_same_place(self) -> None:
        graph = with_proposed(NavigationGraph(), self.proposal, ["a"])
        assert is_there(graph, self.proposal, "a")
        assert not is_there(graph, self.proposal, "b")
        assert not is_there(graph, self.proposal, "a|b")
        moved = GraphProposal(
            (ProposedNode("c", PlaceKind.ROOM, "Foyer", (0.2, 0.2, 0.0)), self.nodes[1]),
            (ProposedEdge("c", "b"),),
        )
        joined = with_proposed(graph, moved, ["c|b"])
        assert [node.name for node in joined.nodes.values()] == ["Hall", "Door"]

    def test_two_that_lie_near_each_other_are_told_apart(self) -> None:
        """A way may bend 0.2 m before the middle of a room, where the room cannot be seen yet."""
        bend = ProposedNode("c", PlaceKind.JUNCTION, "Bend", (0.2, 0.0, 0.0))
        ways = (ProposedEdge("b", "c"), ProposedEdge("c", "a"))
        proposal = GraphProposal((*self.nodes, bend), ways)
        empty = NavigationGraph()
        graph = with_proposed(empty, proposal, proposal.keys)
        assert [n.position_m for n in graph.nodes.values()] == [
            n.position_m for n in proposal.nodes
        ]
        assert len(graph.edges) == 2
        assert pending(graph, proposal) == ()
        assert pending(with_proposed(empty, proposal, ["a"]), proposal) == ("b", "c", "b|c", "c|a")
        assert pending(with_rejected(empty, proposal, ["c"]), proposal) == ("a", "b")
        rejected = with_rejected(empty, proposal, ["c|a"])
        assert pending(rejected, proposal) == ("a", "b", "c", "b|c")
        again = without_rejected(rejected, proposal, ["c|a"])
        assert pending(again, proposal) == proposal.keys

    def test_what_is_far_from_a_rejected_place_is_not_compared_with_all_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each step in the list looks anew: distances between all in threes would take seconds."""
        count = 40
        places = ((str(n), (2.0 * n, 0.0, 0.0)) for n in range(count))
        nodes = tuple(ProposedNode(key, PlaceKind.ROOM, key, at) for key, at in places)
        proposal = GraphProposal(nodes, ())
        rejected = with_rejected(NavigationGraph(), proposal, proposal.keys)
        compared = []

        def counted_distance(a: Vec3, b: Vec3) -> float:
            compared.append(a)
            return math.dist(a, b)

        monkeypatch.setattr(graph_proposal, "distance_m", counted_distance)
        assert pending(rejected, proposal) == ()
        assert len(compared) < 4 * count**2


SAMPLE_ROOMS = {
    "Hall", "Living room", "Kitchen", "Dining room", "Study", "Corridor", "Bathroom", "Bedroom",
    "Small bedroom", "Upper bathroom", "Landing", "Roof terrace",
}  # fmt: skip
SAMPLE_DOORS = {
    "Front door": (5.43, 0.05), "Kitchen doorway": (7.38, 1.0), "Living room door": (4.58, 4.1),
    "Kitchen and dining room": (8.6, 4.03), "Corridor": (4.6, 5.45), "Bathroom door": (5.43, 6.23),
    "Garden door": (8.6, 8.93),
}  # fmt: skip
"""Doorways of the ground floor, in plan."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, RayIndex]:
    folder = tmp_path_factory.mktemp("home")
    write_sample(folder)
    of = read_scene(Path(folder / "scenes" / "home.glb"))
    return of, RayIndex.build(of)


class TestSampleHome:
    def test_every_room_and_every_doorway_and_no_wall(self, home: tuple[Scene, RayIndex]) -> None:
        of, rays = home
        found = exhaust(propose_graph(of, rays))
        rooms = {node.name for node in found.nodes if node.kind is PlaceKind.ROOM}
        assert rooms >= SAMPLE_ROOMS
        doors = [n.position_m for n in found.nodes if n.kind is PlaceKind.DOORWAY]
        ground = [(x, y) for x, y, z in doors if z < 1.0]
        assert len(ground) == len(SAMPLE_DOORS)
        for name, place in SAMPLE_DOORS.items():
            assert sum(math.dist(place, door) < 0.25 for door in ground) == 1, name
        assert len(doors) - len(ground) == 4
        keys = [edge.key for edge in found.edges]
        graph = with_proposed(NavigationGraph(), found, keys)
        assert len(graph.nodes) == len(found.nodes), "every node is joined"
        walked = replace(
            graph, edges={k: replace(e, kind=EdgeKind.WALK) for k, e in graph.edges.items()}
        )
        kinds = {finding.kind.value for finding in check_graph(walked, rays)}
        assert kinds <= {"isolated_part"}, "storeys are joined by stairs, which a person draws"


@pytest.mark.realdata
def test_small_house_has_its_rooms_and_openings(shared_data: Path) -> None:
    of = read_scene(shared_data / "scenes" / "small_house" / "small_house.glb")
    rays = RayIndex.build(of)
    assert find_storeys(of)
    found = exhaust(propose_graph(of, rays))
    doors = [node.position_m for node in found.nodes if node.kind is PlaceKind.DOORWAY]
    # Between bedroom and living room, and twice onto the balcony.
    for place in ((-2.5, -1.1), (0.0, 3.2), (4.2, 3.2)):
        assert sum(math.dist(place, door[:2]) < 0.4 for door in doors) == 1
    assert len(doors) == 3
    rooms = [node.position_m for node in found.nodes if node.kind is PlaceKind.ROOM]
    for x, y in ((-6.0, 0.0), (3.0, -1.0), (1.5, 4.6)):
        assert any(math.dist((x, y), room[:2]) < 4.5 for room in rooms)
    graph = with_proposed(NavigationGraph(), found, [edge.key for edge in found.edges])
    assert (len(graph.nodes), len(graph.edges)) == (len(found.nodes), len(found.edges))
    assert check_graph(graph, rays) == ()
