"""Profiles as they are computed where something else stands in for what they are defined by."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

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
_OF_GRAPH: Final = " Its stated distance is then along the graph."
_NAMES_REFERENCE: Final = re.compile(r"goal|reference (path|point)")


def with_straight_lines(profile: Profile) -> Profile:
    """The profile with straight lines in place of the navmesh, which key and definitions say."""
    found = _redefined(profile, _as_straight)
    if found.metrics == profile.metrics:
        return profile
    title = f"{profile.title}, straight lines for the navmesh"
    return replace(found, key=f"{profile.key} (straight-line)", title=title)


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
