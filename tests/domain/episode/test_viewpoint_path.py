from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError
from waypost.domain.episode.route import route
from waypost.domain.episode.viewpoint_path import viewpoint_path
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph


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


def test_a_walk_along_a_corridor_enters_each_viewpoint_past_the_middle():
    path = viewpoint_path(walk((0, 0), (5, 0)), LINE)
    assert path.route.viewpoint_ids == ("a", "b", "c")
    # Nearer by more than 0.25 m from x = 1.125 on, which is sample 23 of 0.05 m each.
    assert path.samples == (0, 23, 63)
    assert path.route.yaws_rad is not None
    assert path.route.yaws_rad.tolist() == [0.0, 0.23, 0.63]
    assert path.filled == ()


def test_the_last_pose_belongs_to_the_nearest_viewpoint():
    assert viewpoint_path(walk((0, 0), (1.1, 0)), LINE).route.viewpoint_ids == ("a", "b")
    assert viewpoint_path(walk((0, 0), (0.9, 0)), LINE).route.viewpoint_ids == ("a",)


def test_swaying_in_the_middle_does_not_go_to_and_fro():
    sway = walk((0, 0), (1.1, 0), (0.95, 0), (1.1, 0), (0.95, 0), (1.1, 0), (2, 0))
    assert viewpoint_path(sway, LINE).route.viewpoint_ids == ("a", "b")


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
        assert path.samples.count(move.sample) == len(move.inserted) + 1


@pytest.mark.realdata
def test_walking_every_real_path_ends_right_and_hardly_longer(shared_data: Path):
    from waypost.io.datasets.r2r_episodes import read
    from waypost.io.graphs.matterport_graphs import has_graph, load_graph
    from waypost.io.read_log import ReadLog

    folder = shared_data / "r2r"
    ratios = []
    for episode in read(folder / "R2R_val_unseen.json", ReadLog()):
        if not episode.episode_id.endswith("_0"):
            continue
        if not has_graph(folder / "connectivity", episode.scene_id):
            continue
        graph = load_graph(folder / "connectivity", episode.scene_id)
        wanted = episode.reference.viewpoint_ids
        corners = [graph.floor_positions_m[graph.index[name]] for name in wanted]
        points = [
            start + (end - start) * t
            for start, end in pairwise(corners)
            for t in np.linspace(0, 1, 40, endpoint=False)
        ]
        poses = route(positions_m=[*points, corners[-1]])
        visited = viewpoint_path(poses, graph, episode.start_viewpoint_id).route.viewpoint_ids
        assert (visited[0], visited[-1]) == (wanted[0], wanted[-1])
        ratios.append(length_m(graph, visited) / length_m(graph, wanted))
    assert len(ratios) == 783
    assert np.median(ratios) < 1.03
    assert np.percentile(ratios, 95) < 1.26


def length_m(graph: ViewpointGraph, names: tuple[str, ...]) -> float:
    """Along edges; infinite where two are not joined."""
    return sum(
        float(graph.edge_lengths_m[graph.index[a], graph.index[b]]) for a, b in pairwise(names)
    )
