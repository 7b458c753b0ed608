from __future__ import annotations

import pytest

from waypost.simulators.protocol import MoverSettings
from waypost.simulators.stair_guard import StairGuard

FORWARD = (1.0, 0.0)


def walk(guard, profile, start=0.0, length=3.0, step=0.01):
    """Move the front along +X over a floor profile; where the guard blocked, or None."""
    for index in range(round(length / step)):
        x = start + index * step
        guard.observe((x, 0.0), profile(x), FORWARD)
        if guard.is_blocking:
            return x
    return None


def flight(riser, tread):
    return lambda x: riser * max(0, int((x - 1.0) / tread) + 1) if x >= 1.0 else 0.0


@pytest.mark.parametrize("riser", [0.17, -0.17, 0.08])
def test_the_second_riser_of_a_flight_blocks(riser):
    guard = StairGuard(MoverSettings(), is_climber=False)
    assert walk(guard, flight(riser, 0.28)) == pytest.approx(1.28, abs=0.011)


def test_a_climber_is_never_blocked():
    assert walk(StairGuard(MoverSettings(), is_climber=True), flight(0.17, 0.28)) is None


@pytest.mark.parametrize(
    "profile",
    [
        lambda x: 0.0 if x < 1.0 else 0.17,
        lambda x: 0.17 if 1.0 <= x < 1.3 else 0.0,
        lambda x: 0.0 if x < 1.0 else 0.17 if x < 1.65 else 0.34,
        lambda x: 0.3 * x,
        lambda x: 0.04 * int(x / 0.28),
        lambda x: (0.10 if 1.0 <= x < 1.1 else 0.0) + (0.10 if 1.3 <= x < 1.4 else 0.0),
    ],
    ids=["kerb", "sill", "terraces", "slope", "roughness", "two sills"],
)
def test_what_is_no_flight_does_not_block(profile):
    assert walk(StairGuard(MoverSettings(), is_climber=False), profile) is None


def test_a_blocked_agent_may_slide_and_retreat_but_not_go_on():
    guard = StairGuard(MoverSettings(), is_climber=False)
    walk(guard, flight(0.17, 0.28))
    assert guard.ceiling_m == pytest.approx(0.17 + 0.05)
    assert guard.clip((1.0, 0.0), (1.0, 0.5)) == (0.0, 0.5)
    assert guard.clip((1.0, 0.1), (-1.0, 0.5)) == (-1.0, 0.5)
    assert guard.is_blocking
    assert guard.clip((0.94, 0.0), (1.0, 0.0)) == (1.0, 0.0)
    assert not guard.is_blocking
    assert guard.ceiling_m is None


def test_coming_back_to_the_same_riser_blocks_again():
    guard = StairGuard(MoverSettings(), is_climber=False)
    walk(guard, flight(0.17, 0.28))
    guard.clip((1.0, 0.0), FORWARD)
    guard.clip((0.9, 0.0), FORWARD)
    assert walk(guard, flight(0.17, 0.28), start=1.18) == pytest.approx(1.28, abs=0.011)


def test_a_void_ahead_is_no_riser():
    guard = StairGuard(MoverSettings(), is_climber=False)
    assert walk(guard, lambda x: None if x > 1.0 else 0.0) is None
