"""One profile for each data set: takes of people and runs of models are scored by the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixtures.recorded_takes import walk
from fixtures.replay_examples import graph_episode, line_graph

from waypost.io.known_formats import EPISODE_FORMATS
from waypost.metrics.registry import PROFILES
from waypost.services.dataset_profiles import NAMED_PROFILES, dataset_profile
from waypost.services.replay.profiles import profile_for
from waypost.services.study.take_scoring import run_of_take

EPISODE = graph_episode("ABC")


def test_every_named_profile_exists() -> None:
    assert set(NAMED_PROFILES.values()) <= set(PROFILES)
    assert set(NAMED_PROFILES) <= {entry.name for entry in EPISODE_FORMATS}


@pytest.mark.parametrize("dataset", [entry.name for entry in EPISODE_FORMATS])
def test_a_person_is_scored_as_a_model_is(dataset: str) -> None:
    episode = replace(EPISODE, dataset=dataset)
    profile = PROFILES[dataset_profile(episode)]
    run = run_of_take(walk([(0, 0), (4, 0)]), episode, line_graph())
    assert bool(run.route.viewpoint_ids) is profile.needs_graph
    if profile.needs_graph:
        assert profile_for(episode, run) is profile
        assert run.route.viewpoint_ids == ("A", "B", "C")


@pytest.mark.parametrize(
    ("dataset", "key"),
    [("r2r", "r2r"), ("rxr", "r4r"), ("reverie", "reverie"), ("vlnce-r2r", "vlnce")],
)
def test_the_profile_is_the_one_that_the_field_uses(dataset: str, key: str) -> None:
    assert dataset_profile(replace(EPISODE, dataset=dataset)) == key


def test_episodes_in_positions_are_scored_as_vlnverse() -> None:
    from fixtures.recorded_takes import EPISODE as IN_POSITIONS

    episode = replace(IN_POSITIONS, dataset="vlnverse-fine")
    assert dataset_profile(episode) == "vlnverse"
    run = run_of_take(walk([(0, 0), (4, 0)]), episode, None)
    assert profile_for(episode, run).key == "vlnverse"
