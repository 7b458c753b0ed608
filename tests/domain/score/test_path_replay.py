"""The path of an instruction as a run: over viewpoints where it was made of them."""

from __future__ import annotations

import numpy as np

from waypost.domain.replay.map import MarkRole, goal_marks
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.path_replay import path_replay

POINTS = np.array([[0.0, 0.0, 1.5], [2.0, 0.0, 1.5], [2.0, 3.0, 1.5]])
GRAPH = build_viewpoint_graph(
    "scan", ("a", "b", "c"), POINTS, np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
)
PATH = ((0.0, 0.0, 1.5), (2.0, 0.0, 1.5), (2.0, 3.0, 1.5))


def test_a_path_of_viewpoints_goes_over_them() -> None:
    found = path_replay(InstructionText("i", "Go.", scene_id="scan", path_m=PATH), GRAPH)
    assert found.viewpoint_ids == ("a", "b", "c")
    assert found.positions_m.tolist() == POINTS.tolist()
    assert found.first_deviation_step is None
    assert [(m.role, m.radius_m) for m in goal_marks(found)] == [(MarkRole.GOAL, 0.0)]


def test_a_path_beside_the_viewpoints_stays_where_it_is() -> None:
    beside = (*PATH[:2], (2.0, 2.9, 1.5))
    found = path_replay(InstructionText("i", "Go.", path_m=beside), GRAPH)
    assert found.viewpoint_ids == ()
    assert found.positions_m.tolist() == [list(point) for point in beside]
    alone = path_replay(InstructionText("i", "Go.", path_m=PATH), None)
    assert alone.positions_m.tolist() == POINTS.tolist()
