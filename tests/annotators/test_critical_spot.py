"""The picture of a critical spot has the numbers of its measure and the walls of its scene."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from worlds.box_scenes import box, scene

from waypost.annotators.palette import STATE_COLORS
from waypost.annotators.traverse.critical_spot import body_at_spot, spot_plan, spot_words
from waypost.annotators.traverse.measure_drawing import measure_drawing
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, PassageState, Reason, Verdict
from waypost.io.agent_files import shipped_agents
from waypost.viewers.scene.drawing import MarkerShape

WHEELCHAIR = shipped_agents()["wheelchair"]
START, END = (0.0, 0.0, 0.0), (4.0, 0.0, 0.0)
NARROW = PassageMeasure(
    Passage("a", "b", "wheelchair"), Verdict.DOES_NOT, Verdict.DOES_NOT, Reason.TOO_NARROW,
    "Needs 0.70 m, has 0.66 m.", at_m=(2.0, 0.0, 0.0), contacts=("wall_left", "wall_right"),
    clear_width_m=0.66, clear_width_at_m=(2.0, 0.0, 0.0),
)  # fmt: skip


def room() -> Scene:
    """A door of 0.66 m at x = 2, a sill of 1 cm in it, a beam above, and a wall far away."""
    return scene(
        box("floor", (-1.0, -3.0, -0.1), (9.0, 3.0, 0.0)),
        box("wall_left", (1.95, 0.33, 0.0), (2.05, 3.0, 2.5)),
        box("wall_right", (1.95, -3.0, 0.0), (2.05, -0.33, 2.5)),
        box("sill", (1.97, -0.33, 0.0), (2.03, 0.33, 0.01)),
        box("beam", (1.95, -0.33, 2.0), (2.05, 0.33, 2.5)),
        box("far", (8.0, -3.0, 0.0), (8.1, 3.0, 2.5)),
    )


def test_the_door_the_body_and_the_way_are_true_to_size() -> None:
    spot = spot_plan(room(), NARROW, WHEELCHAIR, START, END)
    assert spot is not None
    # The wheelchair is 0.70 m wide and 1.00 m deep and heads along +X, its middle in the door.
    assert sorted((round(x, 6), round(y, 6)) for x, y in spot.footprint) == [
        (1.5, -0.35), (1.5, 0.35), (2.5, -0.35), (2.5, 0.35),
    ]  # fmt: skip
    assert math.dist(*spot.across) == pytest.approx(spot.width_m) == pytest.approx(0.70)
    assert spot.gap == ((2.0, 0.0), 0.66)
    assert (spot.at, spot.at_colour) == ((2.0, 0.0), "does_not")
    # What is 0.33 m to both sides reaches into the body's heights; the sill and the beam do not.
    inner = np.abs(spot.plan.walls[..., 1])
    assert inner.min() == pytest.approx(0.33)
    stepped_over = spot.plan.furniture[np.abs(spot.plan.furniture[..., 1]).max(axis=1) < 0.3301]
    assert {round(float(x), 3) for x in stepped_over[..., 0].ravel()} >= {1.97, 2.03}
    assert 8.0 not in spot.plan.walls[..., 0]
    assert len(spot.touched)
    assert spot.obstacle in {"wall_left", "wall_right"}
    assert spot.obstacle_at is not None
    assert abs(spot.obstacle_at[1]) == pytest.approx(0.33)
    assert "the body is 0.70 m wide, the way 0.66 m" in spot_words(spot, NARROW)


def test_what_is_as_high_as_the_agent_and_what_it_cannot_step_over_block() -> None:
    tall = replace(WHEELCHAIR, height_m=2.1)
    spot = spot_plan(room(), NARROW, tall, START, END)
    assert spot is not None
    assert (np.ptp(spot.plan.walls[..., 1], axis=1) > 0.6).any()  # the beam, across the door
    low = replace(WHEELCHAIR, step_limit_m=0.005)
    stopped = spot_plan(room(), replace(NARROW, contacts=("sill",)), low, START, END)
    assert stopped is not None
    assert stopped.obstacle == "sill"


def test_the_body_stands_on_the_path_with_the_heading_that_it_has_there() -> None:
    path = ((0.0, 0.0, 0.0), (2.0, 1.0, 0.0), (4.0, 0.0, 0.0))
    turned = replace(
        NARROW, answer=Verdict.TRAVELS, reason=None, path_m=path, at_m=(1.0, 0.6, 0.0),
        headings_rad=(0.0, 0.8, -0.8),
    )  # fmt: skip
    body = body_at_spot(turned, WHEELCHAIR, START, END)
    assert body is not None
    # The foot of (1.0, 0.6) on the line of (2, 1): (1.04, 0.52), 0.52 of the way.
    assert body.floor_m == pytest.approx((1.04, 0.52, 0.0))
    assert body.yaw_rad == pytest.approx(0.52 * 0.8)
    unkept = body_at_spot(replace(turned, headings_rad=()), WHEELCHAIR, START, END)
    assert unkept is not None
    assert unkept.yaw_rad == pytest.approx(math.atan2(1.0, 2.0))


def test_a_gap_beside_the_edge_has_the_body_in_it_and_nothing_critical_has_no_picture() -> None:
    aside = body_at_spot(replace(NARROW, at_m=(2.0, 1.5, 0.0)), WHEELCHAIR, START, END)
    assert aside is not None
    assert aside.floor_m == (2.0, 1.5, 0.0)
    touched = body_at_spot(replace(NARROW, at_m=(2.0, 0.33, 1.2)), WHEELCHAIR, START, END)
    assert touched is not None
    assert touched.floor_m == pytest.approx((2.0, 0.0, 0.0))
    nothing = replace(NARROW, at_m=None)
    assert spot_plan(room(), nothing, WHEELCHAIR, START, END) is None


def test_only_what_does_not_travel_has_a_red_cross() -> None:
    (blocked,) = measure_drawing(NARROW).markers
    assert (blocked.shape, blocked.color) == (
        MarkerShape.CROSS,
        STATE_COLORS[PassageState.DOES_NOT],
    )
    wide = replace(NARROW, answer=Verdict.TRAVELS)
    (free,) = measure_drawing(wide).markers
    assert (free.shape, free.color) == (MarkerShape.DIAMOND, STATE_COLORS[PassageState.TRAVELS])
    spot = spot_plan(room(), wide, WHEELCHAIR, START, END)
    assert spot is not None
    assert spot.at_colour == "travels"
