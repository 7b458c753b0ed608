"""Which metric profile a replay is scored by where none was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.viewpoint_placing import needs_placing
from waypost.domain.replay.run_rows import RunRows
from waypost.io.logs.language_models.capnav_results import CAPNAV
from waypost.metrics.profile import GoalDistance, Profile
from waypost.metrics.registry import PROFILES, find_profile
from waypost.metrics.space_case import NO_NAVMESH, straight_line
from waypost.metrics.stand_ins import with_placed_viewpoints, with_straight_lines
from waypost.services.dataset_profiles import NAMED_PROFILES, dataset_profile

_BY_DISTANCE: Final = frozenset({"", "r4r"})
"""Profiles of datasets in viewpoints whose success is a matter of distance alone, which a run in
positions has as well; ``""`` stands for R2R and whatever has no profile of its own."""

_STANDING_IN: Final = {
    key: found
    for key, profile in PROFILES.items()
    if (found := with_straight_lines(profile)) is not profile
}
"""Key of a profile that is defined over the navmesh → the one with straight lines in its place."""

_STRAIGHT: Final = {found.key: found for found in _STANDING_IN.values()}
REPLAY_PROFILES: Final[Mapping[str, Profile]] = MappingProxyType({**PROFILES, **_STRAIGHT})
"""What runs can be replayed under: every profile, and those that are defined over the navmesh with
straight lines in its place as well."""

_IN_SPACE: Final = with_placed_viewpoints(_STANDING_IN["vlnce"])
"""For runs in positions of such datasets: in space, since their houses have several storeys."""


def find_replay_profile(key: str) -> Profile:
    """The profile of a key among those of ``REPLAY_PROFILES``.

    Raises:
        InputError: If there is none.
    """
    return _STRAIGHT[key] if key in _STRAIGHT else find_profile(key)


def default_profile(episode: Episode, run: EpisodeRun) -> str:
    """The profile of a data set; where no format names one, by whether the run has viewpoints.

    A run that says nothing of its way is scored as the others of its episode are.
    """
    is_named = episode.dataset in NAMED_PROFILES
    if run.answer.agent_key and not is_named:
        return NAMED_PROFILES[CAPNAV]
    if is_named or not len(run.route):
        return dataset_profile(episode)
    return "r2r" if run.route.viewpoint_ids else "vlnverse"


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
    own = NAMED_PROFILES.get(episode.dataset, "")
    if is_placed and own in _BY_DISTANCE:
        return _IN_SPACE
    return PROFILES[default_profile(episode, run)]


def over_navmesh(profile: Profile) -> Profile:
    """The profile of ``profile_for`` where the navmesh of the scene was given."""
    return _placed(PROFILES["vlnce"]) if profile is _IN_SPACE else profile


def stand_in_of(profile: Profile) -> GoalDistance | None:
    """What stands in for the navmesh under a profile that ``profile_for`` gave."""
    return straight_line if profile.key in _STRAIGHT else None


def straight_key(profile_key: str) -> str:
    """Key of a profile with straight lines in place of the navmesh; empty where it needs none."""
    found = _STANDING_IN.get(profile_key)
    return "" if found is None else found.key


def navmesh_note(profile_key: str, reasons: Iterable[str]) -> str:
    """What to say of a run whose success is unknown without navmeshes; empty where none is.

    Args:
        profile_key: Of the profile that it is scored by.
        reasons: One per episode: why success is undefined; empty where it is defined.
    """
    told, stand_in = tuple(reasons), straight_key(profile_key)
    lacking = told.count(NO_NAVMESH)
    if not stand_in or not lacking:
        return ""
    whose = "" if lacking == len(told) else f" of {lacking:,} of {counted(len(told), 'episode')}"
    return f"success{whose} is unknown: {NO_NAVMESH}; the profile {stand_in} does without one"


def rows_navmesh_note(rows: RunRows) -> str:
    """``navmesh_note`` of the rows of a run that count."""
    if not straight_key(rows.profile_key):
        return ""
    success = PROFILES[rows.profile_key].success_key
    place = [column.key for column in rows.columns].index(success)
    return navmesh_note(rows.profile_key, (row.reasons[place] for row in rows.rows if row.counts))


def other_profiles_note(scored_by: Mapping[str, int], profile_key: str) -> str:
    """What to say of runs that another profile scores than the one over all; empty where none is.

    Args:
        scored_by: Key of a profile → runs with a path that it scores.
        profile_key: Of the profile whose metrics are shown.
    """
    others = {key: count for key, count in scored_by.items() if count and key != profile_key}
    if not others:
        return ""
    runs, total = sum(others.values()), sum(scored_by.values())
    verb = "is" if runs == 1 else "are"
    return (
        f"{runs:,} of {counted(total, 'run')} {verb} scored by {' and '.join(sorted(others))}, not"
        f" by {profile_key}: what these define otherwise is undefined in its columns and in no mean"
    )


@cache
def _placed(profile: Profile) -> Profile:
    return with_placed_viewpoints(profile)
