"""Walking exactly the reference path is perfect in every VLNVerse profile."""

import itertools
import json

import pytest

from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.metrics.profile import Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize("name", ["fine_grained_demo.json", "coarse_grained_demo.json"])
@pytest.mark.parametrize("profile_key", ["vlnverse", "vlnverse-human"])
def test_the_reference_as_a_run(shared_data, name, profile_key):
    path = shared_data / "vlnverse" / name
    episodes = list(EPISODE_FORMATS.read(path, ReadLog()))
    assert len({episode.source_id or episode.episode_id for episode in episodes}) == 10
    profile = PROFILES[profile_key]
    keys = [metric.key for metric in profile.metrics]
    for episode in episodes:
        run = EpisodeRun(episode.episode_id, episode.reference, end=RunEnd(called_stop=True))
        scores = score_episode(profile, episode, run, Scenery())
        found = dict(zip(keys, scores.values, strict=True))
        assert (found["SR"], found["SPL"], found["nDTW"], found["NE"]) == (1.0, 1.0, 1.0, 0.0)
        assert found["OSR"] == 1.0
        assert found["TL"] > 1.0


def test_the_references_do_repeat_points(shared_data):
    """What the test above says about duplicates is about something."""
    records = json.loads((shared_data / "vlnverse" / "fine_grained_demo.json").read_text())
    repeats = [sum(a == b for a, b in itertools.pairwise(r["reference_path"])) for r in records]
    assert max(repeats) >= 5
