"""Runs in positions of episodes in viewpoints: where those lie, and when that cannot be known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from waypost.domain.base.frames import GLTF as GLTF_FRAME
from waypost.domain.base.frames import SCENE as SCENE_FRAME
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.viewpoint_placing import (
    AMBIGUOUS,
    AT_CAMERAS,
    ELSEWHERE,
    LEAVES,
    NO_GRAPH,
    NO_HEIGHTS,
    ON_FLOOR,
    OTHERWISE,
    needs_placing,
    placed_for,
)
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.tags import TagKind, find_tags
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph

CAMERAS_M = [[10.0, 5.0, 1.5], [12.0, 5.0, 1.6], [12.0, 8.0, 4.4]]
HEIGHTS_M = [1.5, 1.6, 1.4]
FLOOR_M = [[10.0, 5.0, 0.0], [12.0, 5.0, 0.0], [12.0, 8.0, 3.0]]
"""By hand: each camera minus its height; C is upstairs."""

SCENE, GLTF, INVERSE = SCENE_FRAME.to_scene, GLTF_FRAME.to_scene, GLTF_FRAME.from_scene
SO_UNKNOWN = "so that the floor under it is unknown"


def graph(heights_m: Any = HEIGHTS_M) -> ViewpointGraph:
    joined = np.eye(3, k=1, dtype=bool)
    names, cameras = ("A", "B", "C"), np.array(CAMERAS_M)
    return build_viewpoint_graph("house", names, cameras, joined, heights_m=np.array(heights_m))


def episode(path: str = "ABC", **changes: Any) -> Episode:
    asked = Episode(
        "r2r",
        "val",
        "7_0",
        "house",
        Instruction("Go up."),
        reference=Route(tuple(path)),
        goals=(Goal(path[-1], radius_m=3.0),),
        start_viewpoint_id=path[0],
    )
    return replace(asked, **changes)


def run(*points_m: Any, **fields: Any) -> EpisodeRun:
    return EpisodeRun("7_0", route(positions_m=points_m), **fields)


def test_the_floor_under_cameras_for_a_run_on_the_floor() -> None:
    placed = placed_for(episode(), run([10.2, 5.0, 0.1], [12.0, 5.0, 0.0]), graph())
    assert placed.reference.positions_m is not None
    assert placed.reference.positions_m.round(9).tolist() == FLOOR_M
    assert placed.reference.viewpoint_ids == ("A", "B", "C")
    assert placed.goals[0].position_m == pytest.approx((12.0, 8.0, 3.0))
    assert placed.start_position_m == pytest.approx((10.0, 5.0, 0.0))
    assert placed.placing is not None
    assert placed.placing.note == ON_FLOOR
    assert placed.placing.is_placed
    assert placed.placing.no_heights == ""


def test_the_cameras_for_a_run_of_cameras() -> None:
    placed = placed_for(episode(), run([10.0, 5.0, 1.55]), graph())
    assert placed.reference.positions_m is not None
    assert placed.reference.positions_m.tolist() == CAMERAS_M
    assert placed.placing is not None
    assert (placed.placing.note, placed.placing.no_heights) == (AT_CAMERAS, "")


@pytest.mark.parametrize("above_m", [0.35, 0.88, 1.25, 2.0])
def test_a_body_somewhere_between_leaves_heights_unknown(above_m: float) -> None:
    placed = placed_for(episode(), run([10.0, 5.0, above_m]), graph())
    assert placed.reference.positions_m is not None
    assert placed.reference.positions_m.round(9).tolist() == FLOOR_M
    assert placed.placing is not None
    assert placed.placing.no_heights == NO_HEIGHTS


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        # The start A as (x, z, −y) of Habitat, read as if Z were up, and the other way round.
        ([10.0, 0.0, -5.0], f"{ELSEWHERE}; they would fit if they were Y up (habitat)"),
        ([10.0, -0.0, 5.0], f"{ELSEWHERE}; they would fit if they were Z up (scene)"),
        ([12.0, 5.0, 0.0], ELSEWHERE),
        ([10.0, 5.0, -3.0], ELSEWHERE),
        ([10.0, 5.0, 3.0], ELSEWHERE),
    ],
)
def test_a_run_that_begins_elsewhere_is_compared_with_nothing(
    first: list[float], reason: str
) -> None:
    placed = placed_for(episode(), run(first, [12.0, 5.0, 0.0]), graph())
    assert placed.placing is not None
    assert placed.placing.note == reason
    assert not placed.placing.is_placed
    replay = build_replay(placed, run(first, [12.0, 5.0, 0.0]))
    assert not len(replay.reference_points_m)
    assert not len(replay.goal_points_m)
    assert np.isnan(replay.to_goal_m).all()
    assert replay.on_reference is None


def test_an_unstated_frame_counts_only_where_the_start_tells_it() -> None:
    here = run([10.0, 5.0, 0.0], is_frame_stated=False)
    assert placed_for(episode(), here, graph()).placing is not None
    placed = placed_for(episode(), here, graph()).placing
    assert placed is not None
    assert placed.is_placed
    # Beside the axis where both readings meet, nothing tells.
    joined = np.zeros((1, 1), dtype=bool)
    flat = build_viewpoint_graph(
        "house", ("A",), np.array([[3.0, 0.2, 1.5]]), joined, heights_m=np.array([1.5])
    )
    asked = episode("A")
    for is_stated, note in ((True, ON_FLOOR), (False, AMBIGUOUS)):
        at_start = run([3.0, 0.2, 0.1], is_frame_stated=is_stated)
        placing = placed_for(asked, at_start, flat).placing
        assert placing is not None
        assert placing.note == note


def test_a_run_that_leaves_the_scan_is_not_known_to_be_in_its_frame() -> None:
    near, far = [12.0, 8.0, 7.9], [12.0, 8.0, 8.1]  # of the floor at C, 3 m up
    for end, is_placed in ((near, True), (far, False)):
        placing = placed_for(episode(), run([10.0, 5.0, 0.0], end), graph()).placing
        assert placing is not None
        assert placing.is_placed is is_placed
        assert placing.note == (ON_FLOOR if is_placed else LEAVES)


def test_what_the_graph_does_not_know_is_not_made_up() -> None:
    on_floor = run([10.0, 5.0, 0.0])
    notes = [
        placed_for(asked, on_floor, given).placing
        for asked, given in (
            (episode(), None),
            (episode("ABX"), graph()),
            (episode(), graph([1.5, 1.6, np.nan])),
            (episode("ABC", goals=(Goal("C"), Goal("Y"))), graph()),
        )
    ]
    assert [None if note is None else note.note for note in notes] == [
        NO_GRAPH,
        "the connectivity of house does not have the viewpoint X",
        f"the connectivity of house states no camera height of the viewpoint C, {SO_UNKNOWN}",
        "the connectivity of house does not have the viewpoint Y",
    ]
    assert all(note is not None and not note.is_placed for note in notes)


def test_nothing_is_placed_that_needs_no_placing() -> None:
    on_floor = run([10.0, 5.0, 0.0])
    known = episode("ABC", reference=route(("A", "B", "C"), FLOOR_M), goals=())
    walked = EpisodeRun("7_0", route(("A", "B"), [[0, 0, 0], [1, 1, 1]]))
    for asked, done in (
        (known, on_floor),
        (episode(), EpisodeRun("7_0", Route(("A", "B")))),
        (episode(), EpisodeRun("7_0")),
        (episode(), walked),
        (episode("A", has_ground_truth=False), on_floor),
    ):
        assert not needs_placing(asked, done)
        assert placed_for(asked, done, graph()) is asked


def test_a_replay_by_hand() -> None:
    # A to B, 3 m past it instead of upstairs: (15, 5, 0) is 3·√3 = 5.196 m from (12, 8, 3).
    done = run([10.0, 5.0, 0.0], [12.0, 5.0, 0.0], [15.0, 5.0, 0.0])
    replay = build_replay(placed_for(episode(), done, graph()), done)
    assert replay.to_goal_m.tolist() == pytest.approx([22**0.5, 18**0.5, 27**0.5])
    assert replay.on_reference is not None
    assert replay.on_reference.tolist() == [True, True, False]
    assert replay.first_deviation_step == 2
    assert replay.travelled_m.tolist() == [0.0, 2.0, 5.0]
    # DTW of the whole run: 0 + 0 + |(15, 5, 0) − C| = 3·√3, over three reference poses.
    assert replay.ndtw_so_far[-1] == pytest.approx(np.exp(-(27**0.5) / 9))
    tags = {tag.kind: tag.step for tag in find_tags(replay, False)}
    assert tags == {TagKind.WRONG_STOREY: 0}


def test_below_the_goal_is_not_at_it() -> None:
    done = run([10.0, 5.0, 0.0], [12.0, 5.0, 0.0], [12.0, 8.0, 0.0])
    replay = build_replay(placed_for(episode(), done, graph()), done)
    assert replay.to_goal_m[-1] == pytest.approx(3.0)


@pytest.mark.parametrize("above_m", [0.0, 0.88])
@pytest.mark.parametrize(
    ("read_as", "note"), [(SCENE, ON_FLOOR), (GLTF, OTHERWISE), (INVERSE, OTHERWISE)]
)
def test_a_run_that_begins_well_both_ways_is_told_by_where_it_goes(
    above_m: float, read_as: Any, note: str
) -> None:
    """From (0, 0, 0) 4 m along +Y over two viewpoints: the other way up it goes up or down."""
    cameras = np.array([[0.0, y, 1.5] for y in (0.0, 2.0, 4.0)])
    level = build_viewpoint_graph(
        "house", ("A", "B", "C"), cameras, np.eye(3, k=1, dtype=bool), heights_m=np.full(3, 1.5)
    )
    walk = np.array([[0.0, 0.1 * k, above_m] for k in range(41)])
    turned = run(*read_as(walk).tolist())
    placing = placed_for(episode(), turned, level).placing
    assert placing is not None
    assert placing.note == note
