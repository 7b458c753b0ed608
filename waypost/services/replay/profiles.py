"""Which metric profile a replay is scored by where none was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.viewpoint_placing import needs_placing
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.logs.capnav_results import CAPNAV
from waypost.metrics.profile import GoalDistance, Profile
from waypost.metrics.registry import PROFILES
from waypost.metrics.space_case import straight_line
from waypost.metrics.stand_ins import with_placed_viewpoints, with_straight_lines

DEFAULT_PROFILES: Final[Mapping[str, str]] = MappingProxyType(
    {entry.name: entry.profile_key for entry in EPISODE_FORMATS if entry.profile_key}
)
"""Dataset → profile that is used unless another is chosen; others see ``default_profile``."""

_BY_DISTANCE: Final = frozenset({"", "r4r"})
"""Profiles of datasets in viewpoints whose success is a matter of distance alone, which a run in
positions has as well; ``""`` stands for R2R and whatever has no profile of its own."""

_IN_SPACE: Final = with_placed_viewpoints(with_straight_lines(PROFILES["vlnce"]))
"""For runs in positions of such datasets: in space, since their houses have several storeys."""


def default_profile(episode: Episode, run: EpisodeRun) -> str:
    """The profile of a dataset; otherwise by whether the run has viewpoints.

    A run that says nothing of its way is scored as the others of its episode are.
    """
    if episode.dataset in DEFAULT_PROFILES:
        return DEFAULT_PROFILES[episode.dataset]
    if run.answer.agent_key:
        return DEFAULT_PROFILES[CAPNAV]
    told = run.route if len(run.route) else episode.reference
    return "r2r" if told.viewpoint_ids else "vlnverse"


def profile_for(episode: Episode, run: EpisodeRun, chosen: Profile | None = None) -> Profile:
    """The profile that a run is scored by.

    Args:
        episode: What was asked, placed for the run or not yet.
        run: What was done.
        chosen: By the user; without, the dataset and the run decide. A run in positions of an
            episode in viewpoints is scored as VLN-CE does, with straight lines for the navmesh,
            where the dataset measures success by distance alone.
    """
    is_placed = episode.placing is not None or needs_placing(episode, run)
    if chosen is not None:
        return _placed(chosen) if is_placed and not chosen.needs_graph else chosen
    own = DEFAULT_PROFILES.get(episode.dataset, "")
    if is_placed and own in _BY_DISTANCE:
        return _IN_SPACE
    return PROFILES[default_profile(episode, run)]


def stand_in_of(profile: Profile) -> GoalDistance | None:
    """What stands in for the navmesh under a profile that ``profile_for`` gave."""
    return straight_line if profile is _IN_SPACE else None


@cache
def _placed(profile: Profile) -> Profile:
    return with_placed_viewpoints(profile)
