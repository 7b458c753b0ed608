"""Which episodes lead along the same path: other instructions of it, and the way back.

Whoever drove a path knows the way; a second episode along it would measure memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import numpy as np
from networkx.utils import UnionFind
from numpy.typing import NDArray

from waypost.domain.episode.episode import Episode
from waypost.domain.replay.columns import distinct
from waypost.domain.replay.reference import follow_line

SAME_M: Final = 0.5
"""Paths in positions are the same if their ends are no further apart than this and neither leaves
the line of the other by more: the way back is often planned anew."""


def path_ids(episodes: Sequence[Episode]) -> list[str]:
    """For each episode, the id of the first one that leads along the same path, either way.

    Viewpoints must be the same ones; positions may differ by ``SAME_M``. Where the path is not
    published, episodes of one record (R2R's instructions of one path) count as the same. Only
    episodes of one scene can have the same path, so the scene belongs to the id.
    """
    groups = UnionFind(range(len(episodes)))
    for scene in _by_scene(episodes):
        for same in (*_by_names(episodes, scene), *_by_record(episodes, scene)):
            groups.union(*same)
        for first, second in _by_line(episodes, scene):
            groups.union(first, second)
    firsts: dict[int, str] = {}
    return [
        firsts.setdefault(groups[place], episode.episode_id)
        for place, episode in enumerate(episodes)
    ]


def _by_scene(episodes: Sequence[Episode]) -> list[list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for place, episode in enumerate(episodes):
        found.setdefault((episode.dataset, episode.scene_id), []).append(place)
    return list(found.values())


def _by_names(episodes: Sequence[Episode], scene: Sequence[int]) -> list[list[int]]:
    """Episodes through the same viewpoints, forth or back, turns in place not counted."""
    found: dict[tuple[str, ...], list[int]] = {}
    for place in scene:
        names = tuple(name for name, _ in groupby(episodes[place].reference.viewpoint_ids))
        if len(names) > 1:
            found.setdefault(min(names, names[::-1]), []).append(place)
    return list(found.values())


def _by_record(episodes: Sequence[Episode], scene: Sequence[int]) -> list[list[int]]:
    """Episodes of one record whose path is not published."""
    found: dict[str, list[int]] = {}
    for place in scene:
        episode = episodes[place]
        if len(episode.reference) < 2 and episode.source_id:
            found.setdefault(episode.source_id, []).append(place)
    return list(found.values())


def _by_line(episodes: Sequence[Episode], scene: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of episodes along the same line in space."""
    lines: dict[bytes, tuple[int, NDArray[np.float64]]] = {}
    for place in scene:
        told = episodes[place].reference
        if told.viewpoint_ids or told.positions_m is None:
            continue
        points = distinct(told.positions_m)
        if len(points) < 2:
            continue
        known = lines.setdefault(points.tobytes(), (place, points))
        if known[0] != place:
            yield known[0], place
    kept = list(lines.values())
    if len(kept) < 2:
        return
    begins = np.array([points[0] for _, points in kept])
    ends = np.array([points[-1] for _, points in kept])
    for a, b in _pairs_near(begins, ends):
        if _are_near(kept[a][1], kept[b][1]):
            yield kept[a][0], kept[b][0]


def _pairs_near(
    begins: NDArray[np.float64], ends: NDArray[np.float64]
) -> Iterator[tuple[int, int]]:
    """Pairs of lines whose ends are near each other, in the same order or in the other one."""
    for a in range(len(begins) - 1):
        forth = _near(begins[a + 1 :], begins[a]) & _near(ends[a + 1 :], ends[a])
        back = _near(begins[a + 1 :], ends[a]) & _near(ends[a + 1 :], begins[a])
        for offset in np.flatnonzero(forth | back):
            yield a, a + 1 + int(offset)


def _near(points: NDArray[np.float64], point: NDArray[np.float64]) -> NDArray[np.bool_]:
    is_near: NDArray[np.bool_] = np.linalg.norm(points - point, axis=1) <= SAME_M
    return is_near


def _are_near(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    pairs = ((one, other), (other, one))
    return all(bool(follow_line(a, b, SAME_M, SAME_M).all()) for a, b in pairs)
