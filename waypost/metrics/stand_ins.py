"""Profiles as they are computed where something else stands in for what they are defined by."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from waypost.domain.episode.run import EpisodeRun
from waypost.metrics.profile import Profile

_STRAIGHT: Final = (
    ("shortest way over the navmesh", "straight line"),
    ("Shortest way over the navmesh", "Straight line (standing in for the navmesh)"),
    ("over the navmesh", "in a straight line (standing in for the navmesh)"),
)
_PLACED: Final = (
    " Where the episode names viewpoints only and the run positions only, the floor under their"
    " cameras (the cameras, for a run at camera height) stands for reference and goal."
)
_WITH_STOP: Final = "a called STOP included"
_STOP_CALLED: Final = "STOP was called"
_STOP_ASSUMED: Final = (
    "STOP was called (assumed at the end where the run does not say, as the servers do that take"
    " positions only)"
)
_STOP_COUNTED: Final = (
    "a called or assumed STOP included; where the run has positions only, each counts as one"
)
_OF_GRAPH: Final = " Its stated distance is then along the graph."
_NAMES_REFERENCE: Final = re.compile(r"goal|reference (path|point)")


def with_straight_lines(profile: Profile) -> Profile:
    """The profile with straight lines in place of the navmesh, which key and definitions say."""
    found = _redefined(profile, _as_straight)
    if found.metrics == profile.metrics:
        return profile
    title = f"{profile.title}, straight lines for the navmesh"
    return replace(found, key=f"{profile.key} (straight-line)", title=title)


def with_navmeshes(profile: Profile, words: str) -> Profile:
    """The profile with definitions that say which navmesh its distances are over."""
    return _redefined(
        profile, lambda text: text.replace("over the navmesh", f"over the navmesh ({words})")
    )


def with_assumed_stop(profile: Profile) -> Profile:
    """The profile for runs of forms that know no STOP, which key and definitions say.

    Profiles that need no STOP stay as they are.
    """
    if all(_STOP_CALLED not in metric.definition for metric in profile.metrics):
        return profile
    found = _redefined(
        profile,
        lambda text: text.replace(_STOP_CALLED, _STOP_ASSUMED).replace(_WITH_STOP, _STOP_COUNTED),
    )
    title = f"{profile.title}, STOP assumed"
    return replace(found, key=f"{profile.key} (stop assumed)", title=title)


def with_stop(run: EpisodeRun) -> EpisodeRun:
    """A run that calls STOP at its last position if its source does not say whether it did.

    Its positions then count as actions where the source counts none: each move, and the STOP.
    """
    end = run.end
    if end.called_stop is not None:
        return run
    counted = len(run.route) if end.action_count is None else end.action_count
    return replace(run, end=replace(end, called_stop=True, action_count=counted))


def with_placed_viewpoints(profile: Profile) -> Profile:
    """The profile with definitions that say where viewpoints lie for runs in positions."""
    return _redefined(profile, _as_placed)


def _redefined(profile: Profile, told: Callable[[str], str]) -> Profile:
    metrics = tuple(replace(one, definition=told(one.definition)) for one in profile.metrics)
    return replace(profile, metrics=metrics)


def _as_straight(definition: str) -> str:
    for wanted, stand_in in _STRAIGHT:
        definition = definition.replace(wanted, stand_in)
    return definition


def _as_placed(definition: str) -> str:
    if not _NAMES_REFERENCE.search(definition):
        return definition
    return definition + _PLACED + (_OF_GRAPH if "geodesic" in definition else "")
