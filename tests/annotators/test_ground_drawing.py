"""An agent seen through its own eyes has no body in the way."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from waypost.annotators.graph.previews import LIFT_M
from waypost.annotators.traverse.agent_drawing import ground_drawing
from waypost.domain.traverse.agent import AgentProfile, BodyShape

BOX = AgentProfile("a", "A", BodyShape.BOX, 0.6, 1.0, 1.2, 0.02, False, True, True)


def test_a_box_is_its_outline_on_the_floor() -> None:
    drawing = ground_drawing(BOX, (2.0, 3.0, 1.0), 0.0)
    assert drawing.meshes == ()
    circle, outline = drawing.lines
    assert {round(p[0], 6) for p in outline.points} == {1.5, 2.5}
    assert {round(p[1], 6) for p in outline.points} == {2.7, 3.3}
    assert {round(p[2], 6) for p in (*outline.points, *circle.points)} == {1.0 + LIFT_M}
    radius_m = BOX.turning_circle_radius_m
    assert all(math.dist(p[:2], (2.0, 3.0)) == pytest.approx(radius_m) for p in circle.points)


def test_a_round_body_is_its_circle() -> None:
    drawing = ground_drawing(
        replace(BOX, shape=BodyShape.CYLINDER, depth_m=0.6), (0.0, 0.0, 0.0), 1.0
    )
    assert all(math.dist(p[:2], (0.0, 0.0)) == pytest.approx(0.3) for p in drawing.lines[1].points)
