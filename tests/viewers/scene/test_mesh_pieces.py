"""Pieces of a batch: no triangle is lost, and nothing that may be seen is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from waypost.viewers.scene.camera import Extent, FlyCamera, TopCamera
from waypost.viewers.scene.frame_state import FrameState, frame_state
from waypost.viewers.scene.mesh_pieces import (
    PIECE_TRIANGLES,
    PieceBounds,
    cut_to_pieces,
    nearest_first,
    seen_pieces,
)

EXTENT = Extent((-10.0, -10.0, 0.0), (10.0, 10.0, 3.0))


def frame(camera: FlyCamera | TopCamera, cut_z: float | None = None) -> FrameState:
    return frame_state(
        camera.lens(320.0, 240.0, EXTENT),
        (0.0, 0.0, 0.0),
        size=(320, 240),
        cut_z=cut_z,
        colors=((0, 0, 0, 1), (0, 0, 0, 1)),
        dim=0.0,
        floors_m=[0.0],
    )


def scattered(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Small triangles all over the extent, in no order."""
    rng = np.random.default_rng(3)
    middles = rng.uniform(EXTENT.low, EXTENT.high, (count, 1, 3))
    positions = (middles + rng.normal(0, 0.02, (count, 3, 3))).reshape(-1, 3).astype(np.float32)
    return np.arange(3 * count, dtype=np.uint32), positions


def test_scattered_triangles_are_sorted_and_none_is_lost_or_turned() -> None:
    indices, positions = scattered(20 * PIECE_TRIANGLES + 7)
    cut, bounds = cut_to_pieces(indices, positions, may_sort=True)
    assert len(bounds.low) == len(bounds.high) == 21
    assert {tuple(t) for t in cut.reshape(-1, 3)} == {tuple(t) for t in indices.reshape(-1, 3)}
    assert np.median((bounds.high - bounds.low).prod(axis=1)) < 0.2 * 20 * 20 * 3


def test_the_order_of_what_is_blended_and_of_what_lies_together_stays() -> None:
    indices, positions = scattered(3 * PIECE_TRIANGLES)
    assert cut_to_pieces(indices, positions, may_sort=False)[0] is indices
    by_x = np.argsort(positions[::3, 0])
    ordered = indices.reshape(-1, 3)[by_x].ravel()
    assert cut_to_pieces(ordered, positions, may_sort=True)[0] is ordered


def test_the_boxes_hold_the_triangles_of_their_pieces() -> None:
    indices, positions = scattered(2 * PIECE_TRIANGLES + 5)
    cut, bounds = cut_to_pieces(indices, positions, may_sort=True)
    for number in range(3):
        start = number * PIECE_TRIANGLES * 3
        corners = positions[cut[start : start + PIECE_TRIANGLES * 3]]
        assert bounds.low[number] == pytest.approx(corners.min(axis=0), abs=0)
        assert bounds.high[number] == pytest.approx(corners.max(axis=0), abs=0)


@pytest.mark.parametrize("is_plan", [False, True])
def test_a_box_with_a_corner_in_the_view_is_never_left_out(is_plan: bool) -> None:
    rng = np.random.default_rng(5)
    kept = 0
    for _ in range(40):
        eye = tuple(rng.uniform(-9, 9, 3))
        camera: FlyCamera | TopCamera = FlyCamera(eye, rng.uniform(0, 6.3), rng.uniform(-1.4, 1.4))
        if is_plan:
            camera = TopCamera((eye[0], eye[1], 0.0), rng.uniform(0.5, 8))
        state = frame(camera)
        low = rng.uniform(-12, 12, (300, 3)).astype(np.float32)
        high = (low + rng.uniform(0, 3, (300, 3))).astype(np.float32)
        is_seen = seen_pieces(PieceBounds(low, high), state)
        corners = np.stack([np.where(np.array(pick), high, low) for pick in np.ndindex(2, 2, 2)])
        clip = np.concatenate([corners, np.ones((8, 300, 1))], axis=-1) @ state.clip_from_local
        inside = (np.abs(clip[..., :3]) <= clip[..., 3:]).all(axis=-1).any(axis=0)
        assert is_seen[inside].all()
        kept += int(is_seen.sum())
    assert 0 < kept < 40 * 300 * 0.6


def test_what_is_behind_beside_or_above_the_cut_is_left_out() -> None:
    ahead, behind, above = (2.0, -0.1, 1.0), (-2.0, -0.1, 1.0), (4.0, -0.1, 2.6)
    low = np.array([ahead, behind, above], dtype=np.float32)
    bounds = PieceBounds(low, low + np.float32(0.2))
    looking = FlyCamera((0.0, 0.0, 1.5), 0.0, 0.0)
    assert seen_pieces(bounds, frame(looking)).tolist() == [True, False, True]
    assert seen_pieces(bounds, frame(looking, 2.5)).tolist() == [True, False, False]
    beside = FlyCamera((0.0, 0.0, 1.5), math.pi / 2, 0.0)
    assert seen_pieces(bounds, frame(beside)).tolist() == [False] * 3


def test_the_nearest_comes_first_within_a_batch() -> None:
    low = np.array([(5, 0, 1), (3, 0, 1), (4, 0, 1), (1, 0, 1), (2, 0, 1)], dtype=np.float32)
    bounds = PieceBounds(low, low + np.float32(0.2))
    numbers, batch_of = np.array([0, 1, 2, 3, 4]), np.array([1, 1, 1, -2, -2])
    state = frame(FlyCamera((0.0, 0.0, 1.0), 0.0, 0.0))
    assert nearest_first(numbers, bounds, batch_of, state).tolist() == [1, 2, 0, 3, 4]
