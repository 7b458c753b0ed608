"""Which metric profile a data set is scored by: in every window, table, report and export alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.episode import Episode
from waypost.io.known_formats import EPISODE_FORMATS

NAMED_PROFILES: Final[Mapping[str, str]] = MappingProxyType(
    {entry.name: entry.profile_key for entry in EPISODE_FORMATS if entry.profile_key}
)
"""Data set → profile that its format names; others see ``dataset_profile``."""


def dataset_profile(episode: Episode) -> str:
    """Key of the profile of an episode's data set: what everything is scored by that is told none.

    It is the one that its format names. Of the others, those in viewpoints are scored as R2R and
    those in positions as VLNVerse.
    """
    own = NAMED_PROFILES.get(episode.dataset)
    if own is not None:
        return own
    is_in_viewpoints = episode.start_viewpoint_id or episode.reference.viewpoint_ids
    return "r2r" if is_in_viewpoints else "vlnverse"
