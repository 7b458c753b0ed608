from __future__ import annotations

import pytest

from waypost.services.engine.pacing import StepPacer


def batches(pacer, times):
    return sum(pacer.take(t) for t in times)


def test_a_fast_machine_keeps_the_pace_of_the_clock():
    pacer = StepPacer(1 / 60)
    assert batches(pacer, [i / 1000 for i in range(1000)]) == 60


def test_a_slow_machine_slows_down_instead_of_jumping():
    pacer = StepPacer(1 / 60)
    # One look every 50 ms: at most one batch each, three would be needed.
    assert batches(pacer, [i * 0.05 for i in range(20)]) == 20


def test_a_short_delay_is_caught_up_and_a_long_one_forgotten():
    pacer = StepPacer(0.02, max_catch_up_s=0.1)
    assert pacer.take(0.0)
    after_short = [0.08 + i * 1e-4 for i in range(10)]
    assert batches(pacer, after_short) == 4
    after_long = [10.0 + i * 1e-4 for i in range(50)]
    assert batches(pacer, after_long) == 6


def test_wait_tells_when_the_next_batch_is_due():
    pacer = StepPacer(0.02)
    assert pacer.wait_s(5.0) == 0.0
    assert pacer.take(5.0)
    assert pacer.wait_s(5.005) == pytest.approx(0.015)
    assert pacer.wait_s(6.0) == 0.0
    pacer.restart()
    assert pacer.take(1.0)
