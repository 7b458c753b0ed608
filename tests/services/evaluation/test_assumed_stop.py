"""Runs of a form that knows no STOP, as the server takes them that scores them."""

import math
from dataclasses import replace

import pytest
from worlds.vln_worlds import space_episode, space_run

from waypost.domain.episode.route import route
from waypost.domain.episode.run import RunEnd
from waypost.domain.episode.run_source import RunSource
from waypost.metrics.registry import PROFILES, find_profile
from waypost.services.evaluation.bucket_scores import STOP_ASSUMED
from waypost.services.evaluation.evaluate import described, score_in_memory

LINE_M = [(0, 0, 0), (2, 0, 0), (4, 0, 0), (6, 0, 0)]
EPISODE = space_episode(LINE_M, dense_reference_m=route(positions_m=LINE_M), geodesic_m=6.0)


def scores(end: RunEnd, *, assume_stop: bool):
    source = RunSource(profile_key="vlnce")
    runs = [[space_run(LINE_M, end=end)]]
    (found,) = score_in_memory(source, "straight-line", [EPISODE], runs, assume_stop=assume_stop)
    keys = [metric.key for metric in find_profile("vlnce").metrics]
    values = dict(zip(keys, (column[0] for column in found.columns), strict=True))
    return values, found.warnings


def test_it_counts_where_the_run_says_nothing():
    silent = RunEnd()
    values, warnings = scores(silent, assume_stop=True)
    assert [values[key] for key in ("SR", "SPL", "SDTW", "steps")] == [1, 1, 1, 4]
    assert warnings == (STOP_ASSUMED,)
    without, none = scores(silent, assume_stop=False)
    assert math.isnan(without["SR"])
    assert none == ()


@pytest.mark.parametrize("called", [True, False])
def test_what_the_run_says_counts_first(called):
    end = RunEnd(called_stop=called, action_count=9)
    values, warnings = scores(end, assume_stop=True)
    assert (values["SR"], values["steps"]) == (float(called), 9)
    assert warnings == ()
    counted, _ = scores(replace(end, called_stop=None), assume_stop=True)
    assert (counted["SR"], counted["steps"]) == (1, 9)


def test_name_and_definitions_say_so_where_it_matters():
    name, definitions = described(find_profile("vlnce"), "straight-line", assume_stop=True)
    assert name == "vlnce (stop assumed) (straight-line)"
    assert "assumed at the end" in definitions["SR"]
    assert "assumed" in definitions["steps"]
    for key, profile in PROFILES.items():
        told, _ = described(profile, "navmesh", assume_stop=True)
        assert told == (f"{key} (stop assumed)" if key == "vlnce" else key)
