from __future__ import annotations

from dataclasses import replace

import pytest

from waypost.domain.base.errors import InputError
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType

CHAIR = AgentProfile(
    key="wheelchair",
    name="Wheelchair",
    shape=BodyShape.BOX,
    width_m=0.6,
    depth_m=0.8,
    height_m=1.2,
    step_limit_m=0.013,
    climbs_stairs=False,
    opens_doors=True,
    operates_elevators=True,
)


def test_turning_circle_of_a_box_is_half_its_diagonal() -> None:
    assert CHAIR.turning_circle_radius_m == pytest.approx(0.5)


def test_turning_circle_of_a_round_body_is_its_radius() -> None:
    body = replace(CHAIR, shape=BodyShape.CYLINDER, depth_m=0.6)
    assert body.turning_circle_radius_m == pytest.approx(0.3)


def test_turning_circle_of_a_car_reaches_its_outer_corner() -> None:
    car = replace(CHAIR, drive=DriveType.CAR_LIKE, min_turning_radius_m=0.5)
    assert car.turning_circle_radius_m == pytest.approx((0.8**2 + 0.4**2) ** 0.5)


def test_hash_follows_behaviour_not_words() -> None:
    assert replace(CHAIR, name="Chair", description="x", key="c").profile_hash == CHAIR.profile_hash
    # Of whatever colour it is drawn, what is measured stays true.
    assert replace(CHAIR, colour="#12ab34").profile_hash == CHAIR.profile_hash == "c87cc36fcabb605b"
    for change in (
        {"width_m": 0.61},
        {"step_limit_m": 0.02},
        {"climbs_stairs": True},
        {"opens_doors": False},
        {"drive": DriveType.HOLONOMIC},
        {"top_speed_mps": 1.1},
        {"wheel_diameter_m": 0.1},
        {"contact_width_m": 0.02},
        {"contact_places_m": ((0.1, 0.2),)},
        {"largest_gap_m": 0.05},
    ):
        assert replace(CHAIR, **change).profile_hash != CHAIR.profile_hash, change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width_m": 0.0}, "width_m: 0 is outside 0.01 to 10"),
        ({"colour": "red"}, "colour: 'red' is not #rrggbb"),
        ({"colour": "#12345"}, "colour: '#12345' is not #rrggbb"),
        ({"height_m": float("inf")}, "height_m: inf is outside 0.01 to 10"),
        ({"height_m": float("nan")}, "height_m: nan is outside 0.01 to 10"),
        ({"key": ""}, "key: must be letters, digits, - or _"),
        ({"step_limit_m": 1.2}, "step_limit_m: must be less than the height"),
        ({"shape": BodyShape.CYLINDER}, "depth_m: a round body is as deep as it is wide"),
        (
            {"shape": BodyShape.CAPSULE, "width_m": 1.3, "depth_m": 1.3},
            "height_m: a capsule is at least as high as it is wide",
        ),
        (
            {"drive": DriveType.CAR_LIKE},
            "min_turning_radius_m: a car-like drive needs one above 0",
        ),
        ({"largest_gap_m": 2.5}, "largest_gap_m: 2.5 is outside 0 to 2"),
        (
            {"contact_places_m": ((0.1, float("nan")),)},
            "contact_places_m: a place lies more than 10 m from the middle",
        ),
        ({"min_turning_radius_m": 1.0}, "min_turning_radius_m: only a car-like drive has one"),
    ],
)
def test_impossible_bodies_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        replace(CHAIR, **change)
    assert str(caught.value) == message


def test_a_profile_that_says_nothing_of_wheels_has_the_digest_of_before() -> None:
    assert CHAIR.profile_hash == "c87cc36fcabb605b"


def test_a_caster_of_125_mm_that_sinks_13_mm_passes_the_75_mm_of_ada_1002_4_3() -> None:
    gap_m = replace(CHAIR, wheel_diameter_m=0.125).passable_gap_m
    assert gap_m == pytest.approx(0.0763, abs=5e-5)
    assert replace(CHAIR, wheel_diameter_m=0.125, largest_gap_m=0.05).passable_gap_m == 0.05


def test_no_wheel_sinks_deeper_than_its_axle() -> None:
    tall = replace(CHAIR, step_limit_m=0.3, wheel_diameter_m=0.2)
    assert tall.passable_gap_m == pytest.approx(0.2)


def test_a_foot_passes_its_width_and_nothing_is_guessed() -> None:
    assert replace(CHAIR, contact_width_m=0.1).passable_gap_m == 0.1
    assert CHAIR.passable_gap_m is None
