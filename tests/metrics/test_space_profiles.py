"""Every profile in continuous space against values computed by hand."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.vln_worlds import space_episode, space_run

from waypost.domain.episode.episode import Goal
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.metrics.profile import Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode
from waypost.metrics.space_case import straight_line

STRAIGHT = Scenery(goal_distance=straight_line)
LINE_M = [(0, 0, 0), (2, 0, 0), (4, 0, 0), (6, 0, 0)]


def score(profile_key, episode, run, scenery=STRAIGHT):
    profile = PROFILES[profile_key]
    scores = score_episode(profile, episode, run, scenery)
    return dict(zip([m.key for m in profile.metrics], scores.values, strict=True))


def reasons(profile_key, episode, run, scenery=STRAIGHT):
    profile = PROFILES[profile_key]
    scores = score_episode(profile, episode, run, scenery)
    return dict(zip([m.key for m in profile.metrics], scores.reasons, strict=True))


def ce_episode(**fields):
    return space_episode(
        LINE_M, **{"dense_reference_m": route(positions_m=LINE_M), "geodesic_m": 6.0, **fields}
    )


def test_vlnce_needs_stop():
    stopped = space_run(LINE_M, end=RunEnd(called_stop=True, action_count=4))
    found = score("vlnce", ce_episode(), stopped)
    assert found == {
        "TL": 6.0, "NE": 0.0, "OSR": 1.0, "SR": 1.0, "SPL": 1.0, "nDTW": 1.0, "SDTW": 1.0,
        "nDTW_fastdtw": 1.0, "steps": 4.0,
    }  # fmt: skip
    timed_out = score("vlnce", ce_episode(), space_run(LINE_M, end=RunEnd(called_stop=False)))
    assert (timed_out["SR"], timed_out["OSR"], timed_out["SPL"], timed_out["SDTW"]) == (0, 1, 0, 0)
    unknown = reasons("vlnce", ce_episode(), space_run(LINE_M))
    assert "STOP" in unknown["SR"]
    assert unknown["OSR"] == ""


def test_vlnce_repeats_are_dropped_and_the_dense_reference_counts():
    points = [p for p in LINE_M for _ in range(3)]
    found = score("vlnce", ce_episode(), space_run(points, end=RunEnd(called_stop=True)))
    assert found["nDTW"] == 1.0
    dense = route(positions_m=[(x / 4, 0, 0) for x in range(25)])
    sparse_run = space_run(LINE_M, end=RunEnd(called_stop=True))
    # Between two poses 2 m apart lie 7 dense points, 0.25 to 1.75 m away from the nearer:
    # 2 · (0.25 + 0.5 + 0.75) + 1 = 4 m for each of 3 gaps.
    found = score("vlnce", ce_episode(dense_reference_m=dense), sparse_run)
    assert found["nDTW"] == pytest.approx(math.exp(-12 / 75))


def test_vlnce_says_what_is_missing():
    run = space_run(LINE_M, end=RunEnd(called_stop=True))
    bare = reasons("vlnce", space_episode(LINE_M), run)
    assert "_gt" in bare["nDTW"]
    assert bare["SPL"] == ""
    assert score("vlnce", space_episode(LINE_M), run)["SPL"] == 1.0
    without = reasons("vlnce", ce_episode(), run, Scenery())
    assert without["NE"] == without["SR"] == "the navmesh of the scene was not given"
    assert without["TL"] == ""
    unreachable = Scenery(goal_distance=lambda scene, points, goal: np.full(len(points), np.inf))
    assert reasons("vlnce", ce_episode(), run, unreachable)["NE"] == "no way leads to the goal"


def test_vlnce_measures_height_and_open_nav_is_not_strict():
    up = space_run([(0, 0, 0), (6, 0, 3)], end=RunEnd(called_stop=True))
    found = score("vlnce", ce_episode(), up)
    assert (found["NE"], found["SR"], found["OSR"]) == (3.0, 0.0, 0.0)
    open_nav = score("open-nav", ce_episode(), up)
    assert (open_nav["SR"], open_nav["OSR"]) == (1.0, 1.0)
    assert open_nav["SPL"] == pytest.approx(6 / math.sqrt(45))
    flat = score("vlnverse", space_episode(LINE_M), up)
    assert (flat["NE"], flat["SR"]) == (0.0, 1.0)


def test_open_nav_collisions():
    run = space_run(LINE_M, end=RunEnd(action_count=8, collision_count=2))
    assert score("open-nav", ce_episode(), run)["collisions"] == 0.25
    assert "collisions" in reasons("open-nav", ce_episode(), space_run(LINE_M))["collisions"]
    uncounted = space_run(LINE_M, end=RunEnd(collision_count=2))
    assert "actions" in reasons("open-nav", ce_episode(), uncounted)["collisions"]


def test_vln_pe_oracle_leaves_out_the_start_and_takes_macro_ends():
    near_start = space_episode([(0, 0, 0), (2, 0, 0)])
    away = space_run([(0, 0, 0), (-2, 0, 0), (-4, 0, 0)])
    assert score("vln-pe", near_start, away)["OSR"] == 0.0
    assert score("vlnverse-human", near_start, away)["OSR"] == 1.0
    passing = space_run([(0, 0, 0), (1, 0, 0), (9, 0, 0)], samples=(2,))
    assert score("vln-pe", near_start, passing)["OSR"] == 0.0
    assert score("vln-pe", near_start, space_run([(0, 0, 0), (1, 0, 0), (9, 0, 0)]))["OSR"] == 1.0
    assert score("vln-pe", near_start, space_run([(0, 0, 0)]))["OSR"] == 0.0


def test_vln_pe_flags_and_nearness():
    episode = space_episode(LINE_M, geodesic_note="-1")
    fallen = space_run([(0, 3, 0), (6, 3, 0)], end=RunEnd(has_fallen=True, is_stuck=False))
    found = score("vln-pe", episode, fallen)
    assert (found["FR"], found["StR"]) == (1.0, 0.0)
    assert found["nearness"] == pytest.approx(math.exp(-9 / 18))
    assert (found["NE"], found["SR"]) == (3.0, 0.0)
    assert score("vln-pe", episode, space_run([(0, 0, 0)]))["SPL"] == 0.0
    assert "fell" in reasons("vln-pe", episode, space_run(LINE_M))["FR"]


def test_nearness_is_over_the_start_and_the_ends_of_macro_actions():
    """Two of five poses are 3 m off the line, between two ends of macro actions."""
    points = [(0, 0, 0), (2, 3, 0), (4, 0, 0), (4, 3, 0), (6, 0, 0)]
    for key in ("vln-pe", "vlnverse"):
        sampled = score(key, space_episode(LINE_M), space_run(points, samples=(2, 4)))
        assert sampled["nearness"] == 1.0
        every = score(key, space_episode(LINE_M), space_run(points))
        assert every["nearness"] == pytest.approx((3 + 2 * math.exp(-9 / 18)) / 5)
        # A macro action that ended at the first pose has it twice, as in the released code.
        twice = score(key, space_episode(LINE_M), space_run(points, samples=(0, 1)))
        assert twice["nearness"] == pytest.approx((2 + math.exp(-9 / 18)) / 3)


def test_a_run_ends_where_its_last_macro_action_did():
    """It fell 4 m past the goal in the middle of an action that began at the goal."""
    fell = space_run([(0, 0, 0), (6, 0, 0), (10, 0, 0)], samples=(1,))
    for key in ("vln-pe", "vlnverse"):
        found = score(key, space_episode(LINE_M), fell)
        assert (found["NE"], found["SR"], found["TL"]) == (0.0, 1.0, 10.0)
        unsaid = score(key, space_episode(LINE_M), space_run([(0, 0, 0), (6, 0, 0), (10, 0, 0)]))
        assert (unsaid["NE"], unsaid["SR"]) == (4.0, 0.0)


def test_a_run_none_of_whose_macro_actions_ended_has_no_error_and_no_success():
    """At the goal, but in the middle of its first action: SR 1 beside OSR 0 cannot be."""
    cut_off = space_run([(0, 0, 0), (6, 0, 0)], samples=())
    for key in ("vln-pe", "vlnverse"):
        found = score(key, space_episode(LINE_M), cut_off)
        assert (found["NE"], found["SR"], found["SPL"], found["OSR"]) == (None, None, None, 0.0)
        assert "no macro action" in reasons(key, space_episode(LINE_M), cut_off)["SR"]


def test_the_released_spl_takes_a_placeholder_as_a_distance():
    run = space_run([(0, 0, 0), (8, 0, 0), (6, 0, 0)])
    unknown = space_episode(LINE_M, geodesic_note="-1 in the file means unknown")
    found = score("vln-pe", unknown, run)
    assert (found["SPL"], found["SPL_InternNav"]) == (pytest.approx(6 / 10), pytest.approx(-1 / 10))
    stated = score("vln-pe", space_episode(LINE_M, geodesic_m=5.0), run)
    assert stated["SPL"] == stated["SPL_InternNav"] == 0.5
    assert score("vln-pe", unknown, space_run([(0, 0, 0)]))["SPL_InternNav"] == 0.0
    silent = reasons("vln-pe", space_episode(LINE_M, geodesic_note="the file states none"), run)
    assert silent["SPL_InternNav"] == "the file states no distance"


def test_open_nav_keeps_poses_at_which_the_agent_stood():
    """Twice more at (2, 1), 1 m off the line of four positions: 1 m or 3 m over 4 · 3 m."""
    still = space_run([(0, 0, 0), (2, 1, 0), (2, 1, 0), (2, 1, 0), (4, 0, 0), (6, 0, 0)])
    found = score("open-nav", ce_episode(), still)
    assert found["nDTW"] == pytest.approx(math.exp(-3 / 12))
    assert found["nDTW_exact"] == pytest.approx(math.exp(-1 / 12))


def test_nearness_is_blind_to_order_where_ndtw_is_not():
    episode = space_episode(LINE_M)
    back = score("vlnverse", episode, space_run(LINE_M[::-1]))
    assert back["nearness"] == 1.0
    assert back["nDTW"] < 0.4


def test_exactly_three_metres_in_plan():
    episode, run = space_episode(LINE_M), space_run([(0, 0, 0), (3, 0, 0)])
    assert score("vlnverse", episode, run)["SR"] == 0.0
    human = score("vlnverse-human", episode, run)
    assert human["SR"] == 1.0
    assert human["SPL"] == 1.0


def test_repeats_of_the_reference_count_in_the_human_demo_only():
    """One of the four reference points stands ten times, 2 m from the nearest pose of the run."""
    turning = [p for p in LINE_M for _ in range(10)]
    run = space_run(LINE_M)
    key = "vlnverse"
    assert score(key, space_episode(turning), run) == score(key, space_episode(LINE_M), run)
    own = score(key, space_episode(turning), space_run(turning))
    assert (own["SR"], own["SPL"], own["nDTW"], own["NE"]) == (1.0, 1.0, 1.0, 0.0)
    turns_once = [*LINE_M[:2], *[LINE_M[2]] * 10, LINE_M[3]]
    passes = space_run([LINE_M[0], LINE_M[1], LINE_M[3]])
    human = score("vlnverse-human", space_episode(turns_once), passes)
    assert human["nDTW"] == pytest.approx(math.exp(-20 / (3 * 13)))
    assert score(key, space_episode(turns_once), passes)["nDTW"] == pytest.approx(math.exp(-2 / 12))


def test_stated_geodesic_counts_where_there_is_one():
    run = space_run([(0, 0, 0), (0, 4, 0), (6, 4, 0), (6, 0, 0)])
    assert score("vlnverse", space_episode(LINE_M), run)["SPL"] == pytest.approx(6 / 14)
    stated = space_episode(LINE_M, geodesic_m=7.0)
    assert score("vlnverse", stated, run)["SPL"] == 0.5


def test_vlnverse_takes_the_length_of_a_rising_reference_in_space():
    """3 m along and 4 m up are 5 m; the agent walks 3 m and 7 m more in plan."""
    rising = space_episode([(0, 0, 0), (3, 0, 4)], geodesic_note="-1 in the file means unknown")
    run = space_run([(0, 0, 0), (0, 3.5, 0), (0, 0, 4), (3, 0, 4)])
    assert score("vlnverse", rising, run)["SPL"] == 0.5
    assert score("vln-pe", rising, run)["SPL"] == pytest.approx(0.3)


def test_stages_in_order():
    stages = tuple(Goal(position_m=(x, 0.0, 0.0)) for x in (20.0, 0.0, 20.0))
    episode = space_episode([(0, 0, 0), (20, 0, 0)], stages=stages)
    there = space_run([(0, 0, 0), (20, 0, 0)])
    and_back = space_run([(0, 0, 0), (20, 0, 0), (1, 0, 0)])
    thrice = space_run([(0, 0, 0), (20, 0, 0), (1, 0, 0), (19, 0, 0)])
    found = [score("vlnverse", episode, run)["SR_n"] for run in (there, and_back, thrice)]
    assert found == [pytest.approx(1 / 3), pytest.approx(2 / 3), 1.0]
    assert "stages" in reasons("vlnverse", space_episode(LINE_M), there)["SR_n"]
    lost = space_episode(LINE_M, stages=(Goal("x"),))
    assert "position" in reasons("vlnverse", lost, there)["SR_n"]


def test_runs_that_cannot_be_scored():
    profile = PROFILES["vlnverse"]
    empty = score_episode(profile, space_episode(LINE_M), space_run(np.zeros((0, 3))), STRAIGHT)
    assert empty.is_invalid
    secret = space_episode(LINE_M, has_ground_truth=False)
    assert "ground truth" in reasons("vlnverse", secret, space_run(LINE_M))["SR"]
    only_viewpoints = type(space_run(LINE_M))("1", route(["a", "b"]))
    assert "positions" in reasons("vlnverse", space_episode(LINE_M), only_viewpoints)["SR"]
    goalless = space_episode(LINE_M, reference=route(["a"]), goals=())
    found = reasons("vlnverse", goalless, space_run(LINE_M))
    assert "goal position" in found["NE"]
    assert "reference path" in found["nDTW"]
    ce = ce_episode(reference=route(["a"]), goals=())
    assert "goal position" in reasons("vlnce", ce, space_run(LINE_M))["NE"]


POINTS = st.lists(
    st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.just(0.0)), min_size=2, max_size=10
)


@settings(deadline=None)  # libraries are imported on first use
@given(POINTS, POINTS)
def test_ranges(reference, path):
    path = [reference[0], *path]
    run = space_run(path, end=RunEnd(called_stop=True))
    episode = space_episode(
        reference, geodesic_m=1.0, dense_reference_m=route(positions_m=reference)
    )
    for key in ("vlnce", "open-nav", "vln-pe", "vlnverse", "vlnverse-human"):
        found = score(key, episode, run)
        assert found["SPL"] is None or 0 <= found["SPL"] <= found["SR"]
        assert found["SR"] <= found["OSR"]
        if "nDTW" in found:
            assert 0 < found["nDTW"] <= 1
        if "nDTW_fastdtw" in found:
            assert found["nDTW_fastdtw"] <= found["nDTW"] + 1e-12
        if "nearness" in found:
            assert 0 <= found["nearness"] <= 1


@settings(deadline=None)  # libraries are imported on first use
@given(POINTS, st.integers(2, 6))
def test_resampling_a_path_keeps_its_length_and_ends(path, pieces):
    fine = [
        tuple(np.asarray(a) + (np.asarray(b) - np.asarray(a)) * i / pieces)
        for a, b in itertools.pairwise(path)
        for i in range(pieces)
    ] + [path[-1]]
    coarse = score("vlnverse", space_episode(path), space_run(path))
    resampled = score("vlnverse", space_episode(path), space_run(fine))
    assert resampled["TL"] == pytest.approx(coarse["TL"], abs=1e-9)
    assert resampled["NE"] == coarse["NE"]
    assert resampled["SR"] == coarse["SR"]
    assert resampled["nDTW"] <= coarse["nDTW"] + 1e-12


def test_scores_without_a_path_are_no_invalid_run():
    bare = EpisodeRun("1", reported={"NE": 1.0}, end=RunEnd(has_fallen=True, is_stuck=False))
    profile = PROFILES["vln-pe"]
    scores = score_episode(profile, space_episode(LINE_M), bare, Scenery())
    assert not scores.is_invalid
    found = dict(zip([m.key for m in profile.metrics], scores.values, strict=True))
    assert (found["FR"], found["StR"], found["NE"]) == (1.0, 0.0, None)
    assert "scores without a path" in reasons("vln-pe", space_episode(LINE_M), bare)["NE"]


def test_a_goal_without_place_is_the_end_of_the_reference():
    episode = ce_episode(goals=())
    assert score("vlnce", episode, space_run(LINE_M, end=RunEnd(called_stop=True)))["NE"] == 0.0


def test_standing_still_has_a_fidelity():
    found = score("vlnverse", space_episode(LINE_M), space_run([(0, 0, 0), (0, 0, 0)]))
    assert found["nDTW"] == pytest.approx(math.exp(-12 / 12))
    assert score("vlnverse", space_episode(LINE_M), space_run([(0, 0, 0)])) == found
