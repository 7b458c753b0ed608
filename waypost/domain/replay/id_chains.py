"""Driven path and reference as short chains of ids, with what happened at each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from os.path import commonprefix
from typing import Final

import numpy as np

from waypost.domain.replay.reference import reference_pointers
from waypost.domain.replay.replay import Replay

_SHORTEST: Final = 4
_LONG: Final = 8


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One viewpoint of a chain."""

    text: str
    """Enough of the id to tell it from the others."""

    viewpoint_id: str
    step: int | None
    """The step that arrives here; ``None`` for reference viewpoints that were not followed to."""

    is_off: bool = False
    """Off the reference."""

    is_first_deviation: bool = False
    is_reached: bool = False
    """A reference viewpoint that was followed to."""


@lru_cache(maxsize=16)
def driven_chain(replay: Replay) -> tuple[ChainLink, ...]:
    """One link per arrival; empty without viewpoints."""
    if not replay.viewpoint_ids:
        return ()
    short = short_ids((*replay.viewpoint_ids, *replay.episode.reference.viewpoint_ids))
    flags, deviation = replay.on_reference, replay.first_deviation_step
    return tuple(
        ChainLink(
            short[replay.viewpoint_ids[step]],
            replay.viewpoint_ids[step],
            step,
            is_off=flags is not None and not flags[step],
            is_first_deviation=step == deviation,
        )
        for _, step in replay.moves
    )


@lru_cache(maxsize=16)
def reference_chain(replay: Replay) -> tuple[ChainLink, ...]:
    """One link per viewpoint of the reference; empty where it has none."""
    wanted = replay.episode.reference.viewpoint_ids
    if not wanted or not replay.episode.has_ground_truth:
        return ()
    short = short_ids((*replay.viewpoint_ids, *wanted))
    first: dict[int, int] = {}
    if replay.viewpoint_ids:
        for step, at in enumerate(reference_pointers(replay.viewpoint_ids, wanted)):
            if at is not None:
                first.setdefault(at, step)
    return tuple(
        ChainLink(short[name], name, first.get(index), is_reached=index in first)
        for index, name in enumerate(wanted)
    )


def current_link(links: tuple[ChainLink, ...], step: int) -> int | None:
    """Index of the link at which the agent is at a step."""
    for index in reversed(range(len(links))):
        arrived = links[index].step
        if arrived is not None and arrived <= step:
            return index
    return None


def short_ids(names: Iterable[str]) -> dict[str, str]:
    """Each id with as many of its first characters as tell all of them apart, at least 4.

    Of what all begin with, where that is long, only an ellipsis is left.
    """
    ordered = sorted(set(names))
    start = commonprefix(ordered) if len(ordered) > 1 else ""  # noqa: RUF071 - no paths
    start = start[: max(min(map(len, ordered), default=0) - _SHORTEST, 0)]
    if len(start) > _LONG:
        rest = {name: name.removeprefix(start) for name in ordered}
        is_long = max(map(len, rest.values())) > _LONG
        short = short_ids(rest.values()) if is_long else {}
        return {name: f"…{short.get(end, end)}" for name, end in rest.items()}
    shared = [
        next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        for a, b in pairwise(ordered)
    ]
    length = max([_SHORTEST, *(np.array(shared, dtype=int) + 1)]) if shared else _SHORTEST
    return {name: name[:length] for name in ordered}
