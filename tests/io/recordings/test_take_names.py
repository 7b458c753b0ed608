from __future__ import annotations

import pytest

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.recordings.take_names import take_file_name


@pytest.mark.parametrize(
    ("episode_id", "participant", "name"),
    [
        ("kujiale_0010_4_4", "P-2345", "P-2345_kujiale_0010_4_4.csv"),
        ("a/b:c d", "", "a-b-c-d.csv"),
        ("../../etc", "", "etc.csv"),
        ("向前", "", "take.csv"),
        ("x" * 300, "", "x" * 120 + ".csv"),
    ],
)
def test_names_are_safe_on_every_system(episode_id, participant, name):
    episode = Episode("d", "s", episode_id, "scene", Instruction(""))
    assert take_file_name(episode, participant) == name
