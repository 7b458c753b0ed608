from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import waypost.resources
from waypost.domain.base.errors import InputError
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.viewpoint_path import viewpoint_path
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph
from waypost.io.graphs.matterport_graphs import load_graph


def graph_of(spots: dict[str, tuple[float, float]], edges: str, **options) -> ViewpointGraph:
    """A flat graph with cameras 1.5 m up; edges as ``a-b b-c``."""
    names = tuple(spots)
    joined = np.zeros((len(names), len(names)), bool)
    for edge in edges.split():
        a, b = edge.split("-")
        joined[names.index(a), names.index(b)] = True
    positions = np.array([(*spots[name], 1.5) for name in names])
    options.setdefault("heights_m", np.full(len(names), 1.5))
    return build_viewpoint_graph("scan", names, positions, joined, **options)


def walk(*corners: tuple[float, float], step_m: float = 0.05):
    """Poses along straight lines between corners, on the floor."""
    points = [np.array([corners[0]])]
    for start, end in pairwise(corners):
        count = max(1, round(float(np.hypot(*np.subtract(end, start))) / step_m))
        points.append(np.linspace(start, end, count + 1)[1:])
    flat = np.concatenate(points)
    positions = np.column_stack([flat, np.zeros(len(flat))])
    return route(positions_m=positions, yaws_rad=np.arange(len(flat)) / 100.0)


LINE = graph_of({"a": (0, 0), "b": (2, 0), "c": (4, 0), "d": (6, 0)}, "a-b b-c c-d")


def test_a_walk_along_a_corridor_enters_each_viewpoint_half_a_metre_before_it():
    path = viewpoint_path(walk((0, 0), (5, 0)), LINE)
    assert path.route.viewpoint_ids == ("a", "b", "c")
    # 0.5 m before b is x = 1.5, which is sample 30 of 0.05 m each.
    assert path.samples == (0, 30, 70)
    assert path.route.yaws_rad is not None
    assert path.route.yaws_rad.tolist() == [0.0, 0.3, 0.7]
    assert path.filled == ()


def test_the_last_pose_belongs_to_the_nearest_viewpoint():
    assert viewpoint_path(walk((0, 0), (1.1, 0)), LINE).route.viewpoint_ids == ("a", "b")
    assert viewpoint_path(walk((0, 0), (0.9, 0)), LINE).route.viewpoint_ids == ("a",)


def test_swaying_in_the_middle_does_not_go_to_and_fro():
    sway = walk((0, 0), (1.1, 0), (0.95, 0), (1.1, 0), (0.95, 0), (1.1, 0), (2, 0))
    assert viewpoint_path(sway, LINE).route.viewpoint_ids == ("a", "b")


def names(graph: ViewpointGraph, *corners: tuple[float, float], start: str = "") -> str:
    return "".join(viewpoint_path(walk(*corners), graph, start).route.viewpoint_ids)


def test_a_viewpoint_beside_a_long_edge_is_not_visited():
    # Of the middle of a–b, w is 1.3 m away in the next room, and both ends are 1.8 m.
    rooms = {"a": (0, 0), "b": (3.6, 0), "c": (0, 1.3), "w": (1.8, 1.3), "d": (5.6, 0)}
    graph = graph_of(rooms, "a-b a-c c-w b-d")
    assert names(graph, (0, 0), (3.6, 0)) == "ab"
    assert names(graph, (3.6, 0), (0, 0)) == "ba"
    assert names(graph, (0, 0), (5.6, 0)) == "abd"
    # A step aside towards the wall changes nothing.
    assert names(graph, (0, 0), (1.5, 0.4), (2.1, 0.4), (3.6, 0)) == "ab"
    assert names(graph, (0, 0), (0, 1.3), (1.8, 1.3)) == "acw"


def test_a_doorway_between_two_rooms_is_passed_once():
    # Door at (2, 0); the viewpoints u and v on both sides of its wall are 1 m apart.
    rooms = {"a": (0, 0), "door": (2, 0), "b": (4, 0), "u": (1.5, 1.5), "v": (2.5, 1.5)}
    graph = graph_of(rooms, "a-door door-b a-u b-v")
    path = viewpoint_path(walk((0, 0), (2, 0.2), (4, 0)), graph)
    assert path.route.viewpoint_ids == ("a", "door", "b")
    assert path.filled == ()
    there = viewpoint_path(walk((0, 0), (1.5, 1.5), (0, 0), (4, 0), (2.5, 1.5)), graph)
    assert there.route.viewpoint_ids == ("a", "u", "a", "door", "b", "v")


@pytest.mark.parametrize(
    ("reached_m", "visited"),
    [(0.4, "a"), (0.5, "a"), (1.0, "a"), (1.4, "a"), (1.5, "aba"), (2.0, "aba")],
)
def test_turning_back_counts_from_half_a_metre_before_a_viewpoint(reached_m: float, visited: str):
    assert names(LINE, (0, 0), (reached_m, 0), (0, 0)) == visited


@pytest.mark.parametrize(("reached_m", "visited"), [(0.2, "a"), (0.5, "a"), (0.6, "aba")])
def test_turning_back_on_a_short_edge_counts_in_its_last_quarter(reached_m: float, visited: str):
    assert names(graph_of({"a": (0, 0), "b": (0.8, 0)}, "a-b"), (0, 0), (reached_m, 0), (0, 0)) == (
        visited
    )


def test_there_and_back_on_one_edge_visits_both_ends_each_time():
    assert names(LINE, (0, 0), (2, 0), (0, 0), (2, 0), (1.2, 0)) == "abab"
    assert names(LINE, (0, 0), (6, 0), (2, 0)) == "abcdcb"


@pytest.mark.parametrize("spot", [(0, 0), (0.4, 0.3), (-1, 0)])
def test_standing_still_visits_the_start_alone(spot: tuple[float, float]):
    still = route(positions_m=[(*spot, 0)] * 400, yaws_rad=np.linspace(0, 6, 400))
    path = viewpoint_path(still, LINE, "a")
    assert (path.route.viewpoint_ids, path.samples, path.filled) == (("a",), (0,), ())


def test_a_start_that_no_edge_leaves_is_the_whole_path():
    graph = graph_of({"a": (0, 0), "b": (2, 0), "c": (4, 0)}, "b-c")
    assert names(graph, (0, 0), (4, 0), start="a") == "a"


def test_a_corner_that_is_cut_is_still_passed():
    corner = graph_of({"a": (0, 0), "b": (3, 0), "c": (3, 3)}, "a-b b-c")
    assert names(corner, (0, 0), (2, 0), (3, 1), (3, 3)) == "abc"


def test_a_jump_is_filled_along_the_graph_and_reported():
    # From a straight to d, around b and c: they are never the nearest.
    graph = graph_of({"a": (0, 0), "b": (0, 4), "c": (2, 4), "d": (2, 0)}, "a-b b-c c-d")
    path = viewpoint_path(walk((0, 0), (2, 0), (2, -8), (2, 0), (2, 0.1)), graph)
    assert path.route.viewpoint_ids == ("a", "b", "c", "d")
    (move,) = path.filled
    assert (move.from_id, move.to_id, move.inserted) == ("a", "d", ("b", "c"))


def test_a_viewpoint_behind_a_wall_is_not_near():
    # b is 1 m away through the wall and 21 m along the graph.
    graph = graph_of({"a": (0, 0), "b": (3, 1), "c": (6, 0), "far": (20, 0)}, "a-c c-far far-b")
    path = viewpoint_path(walk((0, 0), (6, 0)), graph)
    assert path.route.viewpoint_ids == ("a", "c")
    assert path.filled == ()


def test_unreachable_and_excluded_viewpoints_are_never_taken():
    spots = {"a": (0, 0), "island": (2, 0), "ghost": (2, 0.1), "c": (4, 0)}
    graph = graph_of(spots, "a-c a-ghost", is_included=np.array([True, True, False, True]))
    assert viewpoint_path(walk((0, 0), (4, 0)), graph).route.viewpoint_ids == ("a", "c")


def test_the_start_of_the_episode_is_the_first_viewpoint():
    path = viewpoint_path(walk((1.8, 0), (2, 0)), LINE, "a")
    assert path.route.viewpoint_ids == ("a", "b")
    with pytest.raises(InputError, match="scan has no viewpoint nowhere"):
        viewpoint_path(walk((0, 0), (1, 0)), LINE, "nowhere")
    empty = graph_of({"a": (0, 0)}, "", is_included=np.array([False]))
    with pytest.raises(InputError, match="scan has no viewpoint"):
        viewpoint_path(walk((0, 0), (1, 0)), empty)
    with pytest.raises(InputError, match="without positions"):
        viewpoint_path(route(["a"]), LINE)


def test_storeys_are_told_apart_by_the_floor_under_the_camera():
    positions = np.array([(0, 0, 1.5), (2, 0, 1.5), (2, 0, 4.5)])
    joined = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)
    graph = build_viewpoint_graph("scan", ("a", "low", "high"), positions, joined)
    assert viewpoint_path(walk((0, 0), (2, 0)), graph).route.viewpoint_ids == ("a", "low")


@st.composite
def walks(draw):
    count = draw(st.integers(2, 7))
    spots = {f"v{i}": (draw(st.floats(-5, 5)), draw(st.floats(-5, 5))) for i in range(count)}
    edges = " ".join(f"v{draw(st.integers(0, i - 1))}-v{i}" for i in range(1, count))
    corner = st.tuples(st.floats(-6, 6), st.floats(-6, 6))
    corners = draw(st.lists(corner, min_size=2, max_size=5))
    return graph_of(spots, edges), walk(*corners, step_m=0.2)


@given(walks())
@settings(deadline=None)
def test_each_move_is_an_edge_of_the_graph(example):
    graph, poses = example
    path = viewpoint_path(poses, graph)
    indices = [graph.index[name] for name in path.route.viewpoint_ids]
    for here, there in pairwise(indices):
        assert there in graph.neighbours[here]
    assert list(path.samples) == sorted(path.samples)
    assert len(path.samples) == len(path.route)
    for move in path.filled:
        assert graph.index[move.to_id] not in graph.neighbours[graph.index[move.from_id]]
        assert path.samples[1:].count(move.sample) == len(move.inserted) + 1


SAMPLE = Path(waypost.resources.__path__[0]) / "sample" / "runs"
HOME = load_graph(SAMPLE / "connectivity", "home")


def along(graph: ViewpointGraph, ids: Sequence[str]) -> Route:
    """A walk exactly along edges, a pose every 0.05 m or nearer."""
    corners = [graph.floor_positions_m[graph.index[name]] for name in ids]
    points = [corners[0]]
    for start, end in pairwise(corners):
        count = max(1, math.ceil(float(np.linalg.norm(end - start)) / 0.05))
        points += [start + (end - start) * i / count for i in range(1, count + 1)]
    return route(positions_m=points)


@st.composite
def ways_through_the_home(draw: st.DrawFn) -> list[str]:
    """From viewpoint to viewpoint along edges, also to and fro."""
    way = [draw(st.sampled_from(HOME.viewpoint_ids))]
    for _ in range(draw(st.integers(1, 9))):
        near = sorted(HOME.neighbours[HOME.index[way[-1]]])
        way.append(HOME.viewpoint_ids[draw(st.sampled_from(near))])
    return way


@pytest.mark.heavy
@pytest.mark.no_cover
@given(ways_through_the_home())
def test_walking_edges_of_the_home_visits_their_ends_and_nothing_else(way: list[str]):
    path = viewpoint_path(along(HOME, way), HOME, way[0])
    assert list(path.route.viewpoint_ids) == way
    assert path.filled == ()


@pytest.mark.heavy
@pytest.mark.no_cover
@given(ways_through_the_home(), st.floats(0.05, 0.2), st.floats(0, 6.3))
def test_walking_a_little_beside_edges_of_the_home_visits_the_same(
    way: list[str], aside_m: float, towards_rad: float
):
    exact = along(HOME, way).positions_m
    assert exact is not None
    aside = aside_m * np.array([math.cos(towards_rad), math.sin(towards_rad), 0.0])
    path = viewpoint_path(route(positions_m=exact + aside), HOME, way[0])
    assert list(path.route.viewpoint_ids) == way


@pytest.mark.parametrize("towards_rad", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
def test_a_viewpoint_visited_at_the_very_end_is_not_lost(towards_rad: float):
    # Beside the edge, going there and back is nearly as far as staying at its first end.
    way = ["node_19", "node_26", "node_19", "node_6", "node_3", "node_6"]
    exact = along(HOME, way).positions_m
    assert exact is not None
    aside = 0.297 * np.array([math.cos(towards_rad), math.sin(towards_rad), 0.0])
    path = viewpoint_path(route(positions_m=exact + aside), HOME, way[0])
    assert list(path.route.viewpoint_ids) == way


@pytest.mark.realdata
def test_walking_every_other_real_path_visits_it_and_nothing_else(shared_data: Path):
    from waypost.io.datasets.r2r_episodes import read
    from waypost.io.graphs.matterport_graphs import has_graph
    from waypost.io.read_log import ReadLog

    folder = shared_data / "r2r"
    same = []
    read_all = read(folder / "R2R_val_unseen.json", ReadLog())
    for episode in [e for e in read_all if e.episode_id.endswith("_0")][1::2]:
        if not has_graph(folder / "connectivity", episode.scene_id):
            continue
        graph = load_graph(folder / "connectivity", episode.scene_id)
        wanted = episode.reference.viewpoint_ids
        path = viewpoint_path(along(graph, wanted), graph, episode.start_viewpoint_id)
        visited = path.route.viewpoint_ids
        assert (visited[0], visited[-1]) == (wanted[0], wanted[-1])
        assert length_m(graph, visited) == pytest.approx(length_m(graph, wanted), abs=0.01)
        same.append(visited == wanted)
    # In one, a viewpoint stands exactly on an edge of the path.
    assert (len(same), same.count(False)) == (391, 1)


def length_m(graph: ViewpointGraph, names: tuple[str, ...]) -> float:
    """Along edges; infinite where two are not joined."""
    return sum(
        float(graph.edge_lengths_m[graph.index[a], graph.index[b]]) for a, b in pairwise(names)
    )
