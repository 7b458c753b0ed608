"""Right headings are never doubted, however few; wrong ones are as soon as chance cannot do it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.episode.heading_checks import OTHER_READINGS, HeadingCheck, degrees_finding
from waypost.domain.episode.import_report import ImportKind

SEEDS = st.integers(0, 2**32 - 1)
WRITTEN_AS = {
    "turning the other way": lambda yaw: -yaw,
    "pointing backwards": lambda yaw: yaw + math.pi,
    "zero a quarter turn to the left": lambda yaw: yaw - math.pi / 2,
    "zero a quarter turn to the right": lambda yaw: yaw + math.pi / 2,
    "zero at +Y and clockwise, as in R2R": lambda yaw: math.pi / 2 - yaw,
}
"""Reading → what stands in a file for a scene yaw."""


def checked(yaws, steps):
    check = HeadingCheck()
    for number, (yaw, step) in enumerate(zip(yaws, steps, strict=True)):
        check.add(str(number), float(yaw), float(step))
    return check.finding()


@given(seed=SEEDS, count=st.integers(1, 60))
def test_headings_that_point_anywhere_are_left_alone(seed, count):
    generator = np.random.default_rng(seed)
    yaws, steps = generator.uniform(-math.pi, math.pi, (2, count))
    assert checked(yaws, steps) is None


@given(seed=SEEDS, count=st.integers(1, 60), parts=st.sampled_from([4, 12]))
def test_headings_of_a_grid_are_left_alone(seed, count, parts):
    """Quarter turns along streets of a grid meet exactly in one of four cases."""
    generator = np.random.default_rng(seed)
    yaws = generator.integers(0, parts, count) * math.tau / parts
    steps = generator.integers(0, 4, count) * math.pi / 2
    assert checked(yaws + generator.uniform(0, 1e-4, count), steps) is None


@given(seed=SEEDS, count=st.integers(1, 60), spread=st.sampled_from([0.001, 0.2, 1.0]))
def test_agents_that_face_their_way_are_left_alone(seed, count, spread):
    generator = np.random.default_rng(seed)
    steps = generator.uniform(-math.pi, math.pi, count)
    assert checked(steps + generator.uniform(-spread, spread, count), steps) is None


@pytest.mark.parametrize("name", OTHER_READINGS)
@pytest.mark.parametrize(("count", "spread"), [(8, 0.001), (10, 0.2), (40, 1.2)])
def test_another_frame_is_noticed(name, count, spread):
    generator = np.random.default_rng(3)
    steps = generator.uniform(-math.pi, math.pi, count)
    faced = steps + generator.uniform(-spread, spread, count)
    finding = checked([WRITTEN_AS[name](yaw) for yaw in faced], steps)
    assert finding is not None
    assert (finding.kind, finding.value) == (ImportKind.HEADING_MISMATCH, name)
    assert f"of {count} different starts, but agree in {count} if" in finding.message


def test_a_reading_of_the_file_itself_is_named():
    check = HeadingCheck()
    for number, direction in enumerate(np.random.default_rng(3).uniform(2, 4, 40)):
        check.add(str(number), 0.0, direction, {"as (x, y, z, w)": direction})
    finding = check.finding()
    assert finding is not None
    assert (finding.value, finding.item_id) == ("as (x, y, z, w)", "0")


def test_instructions_of_one_path_are_one_start():
    """Three instructions of ten paths that happen to point backwards are ten starts, not thirty."""
    check = HeadingCheck()
    for number in range(30):
        step = (number // 3) * 0.6
        check.add(str(number), step + math.pi + 0.6 * math.sin(number // 3), step)
    assert check.count == 10
    assert check.finding() is None


def test_no_start_says_nothing():
    assert HeadingCheck().finding() is None


def test_degrees_in_a_field_of_radians():
    finding = degrees_finding("7", 359.0, "heading")
    assert finding is not None
    assert finding.kind == ImportKind.DEGREES_FOR_RADIANS
    assert "looks like degrees" in finding.message
    assert degrees_finding("7", 6.28, "heading") is None
    assert degrees_finding("7", 2.1 * math.tau / 2, "heading") is None
