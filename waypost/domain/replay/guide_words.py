"""Which words a guide spoke at which pose of the reference: by viewpoint, else by position."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from waypost.domain.episode.episode import Episode, TimedWord
from waypost.domain.episode.guide_trace import GuideStay
from waypost.domain.episode.route import Route
from waypost.domain.replay.columns import level

_SAME_PLACE_M: Final = 1.0
"""Panoramas moved onto a navigable floor stay within half a metre in plan (VLN-CE)."""

_SAME_HEIGHT_M: Final = 1.0


@dataclass(frozen=True, slots=True)
class SpokenWords:
    """What the guide said at one pose of the reference."""

    numbers: tuple[int, ...] = ()
    """Indexes into the timed words, ascending."""

    intervals_s: tuple[tuple[float, float], ...] = ()
    """From when until when the guide stood there; the last may end at infinity."""


def words_by_pose(episode: Episode) -> tuple[SpokenWords, ...] | None:
    """What was said at each pose of the reference.

    Of equal viewpoints in a row on the reference the last one has the words.

    Returns:
        One entry per pose; ``None`` if no stay of the guide is on the reference.
    """
    stays = episode.guide.stays if episode.guide is not None else ()
    poses = poses_of_stays(stays, episode.reference)
    if all(pose is None for pose in poses):
        return None
    starts_s = _starts(stays)
    numbers: dict[int | None, list[int]] = defaultdict(list)
    for number, stay in enumerate(stays_of_words(episode.instruction.words, starts_s)):
        numbers[None if stay is None else poses[stay]].append(number)
    intervals: dict[int | None, list[tuple[float, float]]] = defaultdict(list)
    for pose, interval in zip(poses, pairwise([*starts_s, math.inf]), strict=True):
        intervals[pose].append(interval)
    return tuple(
        SpokenWords(tuple(numbers[pose]), tuple(intervals[pose]))
        for pose in range(len(episode.reference))
    )


def stay_of_each_word(episode: Episode) -> tuple[GuideStay | None, ...]:
    """Where the guide stood when each timed word began; nothing without a pose trace.

    ``None`` stands for a word of which nothing tells.
    """
    stays = episode.guide.stays if episode.guide is not None else ()
    if not stays:
        return ()
    found = stays_of_words(episode.instruction.words, _starts(stays))
    return tuple(None if place is None else stays[place] for place in found)


def _starts(stays: Sequence[GuideStay]) -> list[float]:
    """When each stay begins; the first one with the recording."""
    return [0.0, *(max(0.0, stay.start_s) for stay in stays[1:])]


def stays_of_words(words: Sequence[TimedWord], starts_s: Sequence[float]) -> tuple[int | None, ...]:
    """The stay at which each word began.

    A word without a usable time belongs to a stay if the words around it leave no other.

    Args:
        words: With their times, in the order of the instruction.
        starts_s: Of the stays, ascending from 0, at least one.

    Returns:
        Per word an index into the stays, ``None`` where nothing tells.
    """
    starts = [_moment(word.start_s) for word in words]
    next_starts: list[float] = []
    later = math.inf
    for start_s in reversed(starts):
        next_starts.append(later)
        later = later if start_s is None else start_s
    found: list[int | None] = []
    before = 0
    for word, start_s, next_s in zip(words, starts, reversed(next_starts), strict=True):
        if start_s is None:
            after = _stay_at(starts_s, next_s)
            found.append(before if before == after else None)
            continue
        found.append(_stay_at(starts_s, start_s))
        end_s = _moment(word.end_s)
        before = _stay_at(starts_s, start_s if end_s is None else max(start_s, end_s))
    return tuple(found)


def _moment(seconds: float | None) -> float | None:
    return seconds if seconds is not None and 0 <= seconds < math.inf else None


def _stay_at(starts_s: Sequence[float], seconds: float) -> int:
    return bisect_right(starts_s, seconds) - 1


def poses_of_stays(stays: Sequence[GuideStay], reference: Route) -> tuple[int | None, ...]:
    """The pose of the reference at which the guide stood during each stay.

    By viewpoint where the reference names them, else by position. Where the reference comes by
    a place more than once, the pose nearest to the one before counts, ahead rather than back.
    """
    candidates = (
        _by_viewpoint(stays, reference.viewpoint_ids)
        if reference.viewpoint_ids
        else _by_position(stays, reference)
    )
    found: list[int | None] = []
    at = -1
    for poses in candidates:
        if not poses:
            found.append(None)
            continue
        ahead = bisect_left(poses, at)
        near = poses[max(ahead - 1, 0) : ahead + 1]
        at = near[-1] if near[-1] - at <= at - near[0] else near[0]
        found.append(at)
    return tuple(found)


def _by_viewpoint(stays: Sequence[GuideStay], names: tuple[str, ...]) -> list[list[int]]:
    ends: dict[str, list[int]] = {}
    for pose, name in enumerate(names):
        if names[pose + 1 : pose + 2] != (name,):
            ends.setdefault(name, []).append(pose)
    return [ends.get(stay.viewpoint_id, []) for stay in stays]


def _by_position(stays: Sequence[GuideStay], reference: Route) -> list[list[int]]:
    if reference.positions_m is None or not stays or not len(reference):
        return [[] for _ in stays]
    # Cameras stand above the floor that the reference lies on: heights are compared from the start.
    cameras = level(np.array([stay.position_m for stay in stays]))
    points = level(reference.positions_m)
    found = []
    for camera in cameras:
        off = points - camera
        gaps = np.hypot(off[:, 0], off[:, 1])
        near = (gaps <= _SAME_PLACE_M) & (np.abs(off[:, 2]) <= _SAME_HEIGHT_M)
        least = gaps[near].min() if near.any() else 0.0
        found.append(np.flatnonzero(near & (gaps <= least + 1e-6)).tolist())
    return found
