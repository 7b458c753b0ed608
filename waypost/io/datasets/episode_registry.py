"""The episode formats Waypost reads, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from waypost.domain.episode.episode import Episode
from waypost.io.datasets import (
    capnav_episodes,
    cvdn_episodes,
    fgr2r_episodes,
    navbench_episodes,
    navbench_tables,
    r2r_episodes,
    r4r_episodes,
    reverie_episodes,
    rxr_follower_episodes,
    rxr_guide_episodes,
    rxr_pose_traces,
    soon_episodes,
    vlnce_r2r_episodes,
    vlnce_rxr_episodes,
    vlnverse_coarse_episodes,
    vlnverse_dialogue_episodes,
    vlnverse_fine_episodes,
    vlnverse_long_horizon_episodes,
    vlnverse_visual_episodes,
)
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.format_choice import choose_format
from waypost.io.read_log import ReadLog

FORMATS: Final[tuple[EpisodeFormat, ...]] = (
    rxr_pose_traces.FORMAT,
    rxr_follower_episodes.FORMAT,
    rxr_guide_episodes.FORMAT,
    cvdn_episodes.FORMAT,
    soon_episodes.FORMAT,
    reverie_episodes.FORMAT,
    fgr2r_episodes.FORMAT,
    r4r_episodes.FORMAT,
    navbench_episodes.FORMAT,
    r2r_episodes.FORMAT,
    vlnverse_long_horizon_episodes.FORMAT,
    vlnverse_dialogue_episodes.FORMAT,
    vlnverse_visual_episodes.FORMAT,
    vlnverse_coarse_episodes.FORMAT,
    vlnverse_fine_episodes.FORMAT,
    vlnce_rxr_episodes.FORMAT,
    vlnce_r2r_episodes.FORMAT,
    capnav_episodes.FORMAT,
    navbench_tables.FORMAT,
)


def find_episode_format(path: Path, name: str = "") -> EpisodeFormat:
    """The format that a file shows by its content, or the one named.

    Raises:
        ReadError: If no format knows the content, or the name is unknown.
    """
    return choose_format(FORMATS, path, name, "episodes")


def read_episodes(path: Path, log: ReadLog, name: str = "") -> Iterator[Episode]:
    """Yield the episodes of a file of any known format.

    Raises:
        ReadError: If the file cannot be used.
    """
    return find_episode_format(path, name).read(path, log)
