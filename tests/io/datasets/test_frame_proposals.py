from __future__ import annotations

import numpy as np
import pytest

from waypost.domain.base.frames import CAPNAV, CAPNAV_SWAPPED, FRAMES, GLTF, SCENE, Vec3
from waypost.io.datasets.frame_proposals import clear_winner, propose_frame

BOUNDS = ((0.0, -8.0, 0.0), (6.0, 0.0, 3.0))
"""A one-storey house that lies right of, and before, the origin of its file."""

NODES = np.array([[1.0, -1.0, 1.2], [5.0, -1.0, 1.2], [5.0, -7.0, 1.2], [1.0, -7.0, 1.2]])


def floor(point: Vec3) -> float | None:
    """Height above the floor of the house, which is at 0."""
    is_inside = 0 <= point[0] <= 6 and -8 <= point[1] <= 0
    return point[2] if is_inside and point[2] >= -0.05 else None


@pytest.mark.parametrize("key", list(FRAMES))
def test_the_frame_that_fits_wins(key: str) -> None:
    positions = FRAMES[key].from_scene(NODES)
    ranked = propose_frame(positions, BOUNDS, floor)
    assert {proposal.frame.key for proposal in ranked} == set(FRAMES)
    assert ranked[0].frame.key == key
    assert ranked[0].score == 1.0
    winner = clear_winner(ranked)
    assert winner is not None
    assert winner.frame.key == key
    assert winner.explanation.endswith(
        "4 of 4 nodes inside the scene, 4 above a floor, 0 of 0 edges free"
    )


def test_a_mirrored_house_is_left_to_the_user() -> None:
    bounds = ((-3.0, -8.0, 0.0), (3.0, 0.0, 3.0))
    positions = CAPNAV.from_scene(np.array([[-2.0, -1.0, 1.2], [2.0, -7.0, 1.2]]))
    ranked = propose_frame(
        positions, bounds, lambda p: p[2] if abs(p[0]) <= 3 and -8 <= p[1] <= 0 else None
    )
    assert [(p.frame, p.score) for p in ranked[:2]] == [(CAPNAV, 1.0), (GLTF, 1.0)]
    assert clear_winner(ranked) is None


def test_free_edges_tell_mirrored_frames_apart() -> None:
    def is_clear(start: Vec3, end: Vec3) -> bool:
        # A wall at y = -4 with a door at x > 1.
        crosses = (start[1] + 4) * (end[1] + 4) < 0
        return not crosses or (start[0] > 1 and end[0] > 1)

    nodes = np.array([[2.0, -1.0, 1.2], [2.0, -7.0, 1.2], [-2.0, -1.0, 1.2]])
    ranked = propose_frame(
        GLTF.from_scene(nodes),
        ((-3.0, -8.0, 0.0), (3.0, 0.0, 3.0)),
        lambda p: p[2] if abs(p[0]) <= 3 and -8 <= p[1] <= 0 else None,
        edge_ends=[(0, 1), (0, 2)],
        clear_probe=is_clear,
    )
    assert [(p.frame, p.share_clear, p.score) for p in ranked[:2]] == [
        (GLTF, 1.0, 1.0),
        (CAPNAV, 0.5, 0.75),
    ]
    winner = clear_winner(ranked)
    assert winner is not None
    assert winner.frame is GLTF


def test_nothing_fits() -> None:
    ranked = propose_frame(NODES + 100.0, BOUNDS, floor)
    assert all(proposal.score == 0.0 for proposal in ranked)
    assert [p.frame for p in ranked] == [CAPNAV, CAPNAV_SWAPPED, GLTF, SCENE]
    assert clear_winner(ranked) is None


@pytest.mark.parametrize(
    ("height", "expected"),
    [(-0.2, 0.0), (-0.05, 1.0), (0.0, 1.0), (2.5, 1.0), (2.6, 0.0), (None, 0.0)],
)
def test_heights_above_the_floor_that_count(height: float | None, expected: float) -> None:
    ranked = propose_frame(NODES, BOUNDS, lambda point: height)
    assert {proposal.share_above_floor for proposal in ranked} == {expected}


def test_no_nodes() -> None:
    with pytest.raises(ValueError, match="a graph without nodes fits every frame"):
        propose_frame(np.empty((0, 3)), BOUNDS, floor)
