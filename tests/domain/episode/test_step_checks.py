"""Poses that no action joins are found, where every action has a pose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds.vln_worlds import space_episode, space_run

from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.path_checks import check_run
from waypost.domain.episode.step_checks import FORWARD_STEP_M, check_steps, teleports
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.tags import TagKind, find_tags


def along(*gaps_m):
    points = [(0.0, 0.0, 0.0)]
    for gap in gaps_m:
        points.append((points[-1][0] + gap, 0.0, 0.0))
    return points


def walk(points, **fields):
    return space_run(points, forward_step_m=FORWARD_STEP_M, **fields)


def test_every_teleport_is_named_with_step_and_distance():
    found = list(check_run(None, walk(along(0.25, 0.25, 3.0, 0.25, 2.25))))
    assert [(f.kind, f.step, f.value) for f in found] == [
        (ImportKind.TELEPORT, 3, "3.00 m"),
        (ImportKind.TELEPORT, 5, "2.25 m"),
    ]
    assert all(f.is_problem for f in found)


def test_the_limit_of_the_server_is_below_three_quarters_of_a_metre():
    """It asserts distance < 0.75 m, heights included."""
    assert teleports(walk([(0, 0, 0), (0.7499, 0, 0)])) == []
    assert [t.step for t in teleports(walk([(0, 0, 0), (0.75, 0, 0)]))] == [1]
    assert [t.step for t in teleports(walk([(0, 0, 0), (0.6, 0, 0.5)]))] == [1]


def test_steps_a_little_too_long_are_said_once_and_need_no_repair():
    (finding,) = check_steps(walk(along(0.25, 0.4, 0.3, 0.25)))
    assert (finding.kind, finding.step, finding.value) == (ImportKind.LONG_STEP, 2, "0.40 m")
    assert finding.message.startswith("2 of 4 steps are longer")
    assert not finding.is_problem


def test_stairs_are_no_long_steps():
    """0.25 m ahead and 0.2 m up is 0.32 m in space and 0.25 m in plan."""
    assert list(check_steps(walk([(0.25 * n, 0, 0.2 * n) for n in range(5)]))) == []


@given(gaps=st.lists(st.floats(0, 5), max_size=12))
def test_forms_with_poses_of_whole_decisions_have_no_teleports(gaps):
    assert list(check_steps(space_run(along(*gaps)))) == []


@pytest.mark.parametrize(
    ("jump", "is_perfect"), [(0.25, True), (0.7, True), (0.75, False), (3, False)]
)
def test_a_run_that_teleports_is_never_perfect(jump, is_perfect):
    points = along(*[0.25] * 4, jump, *[0.25] * 4)
    episode = space_episode(points, start_position_m=points[0])
    tags = {tag.kind: tag for tag in find_tags(build_replay(episode, walk(points), None), True)}
    assert (TagKind.PERFECT in tags) == is_perfect
    assert (TagKind.TELEPORT in tags) != is_perfect
    if not is_perfect:
        assert tags[TagKind.TELEPORT].step == 5
        assert f"the longest {jump:.2f} m" in tags[TagKind.TELEPORT].reason


@pytest.mark.parametrize(("left_out", "is_perfect"), [(0, True), (4, True), (5, False), (8, False)])
def test_a_run_that_appears_on_the_way_or_at_the_goal_is_never_perfect(left_out, is_perfect):
    """One metre, four steps, is within what counts as on the reference."""
    points = along(*[0.25] * 8)
    episode = space_episode(points, start_position_m=points[0])
    tags = find_tags(build_replay(episode, walk(points[left_out:]), None), True)
    assert (TagKind.PERFECT in {tag.kind for tag in tags}) == is_perfect
