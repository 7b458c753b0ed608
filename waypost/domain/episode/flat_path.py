"""A run over viewpoints as leaderboards take it: one after the other, each a neighbour."""

from __future__ import annotations

import dataclasses
import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.scene.viewpoint_graph import ViewpointGraph


@dataclass(frozen=True, slots=True)
class FlatRun:
    """A run without decisions whose every pose is an entry of its own."""

    run: EpisodeRun
    inserted: int
    """Viewpoints between two that no edge joins, by the shortest way."""


def flat_run(run: EpisodeRun, graph: ViewpointGraph | None) -> FlatRun:
    """Take a run apart into single viewpoints and fill what it jumps over.

    An agent that goes back to a place it saw before is often logged at that place only. The
    shortest way there has the length that the scorer of R2R counts for such a move
    (peteanderson80/Matterport3DSimulator:tasks/R2R/eval.py).

    Args:
        run: Over viewpoints.
        graph: Of the scan; without it nothing is filled.

    Raises:
        InputError: If a viewpoint is not in the graph, or no way joins two of them.
    """
    names = run.route.viewpoint_ids
    poses: list[tuple[str, int | None]] = [(names[0], 0)] if names else []
    if graph is not None and names:
        _require(graph, names[0])
    for at, (here, there) in enumerate(itertools.pairwise(names), start=1):
        if graph is not None:
            poses += [(name, None) for name in _between(graph, here, there)]
        poses.append((there, at))
    made = route(
        [name for name, _ in poses],
        yaws_rad=_spread(run.route.yaws_rad, poses),
        elevations_rad=_spread(run.route.elevations_rad, poses),
    )
    flat = dataclasses.replace(run, route=made, decisions=(), samples=None, record=None)
    if len(made) != len(names):
        flat = dataclasses.replace(flat, times_s=None)
    return FlatRun(flat, len(made) - len(names))


def _between(graph: ViewpointGraph, here: str, there: str) -> tuple[str, ...]:
    _require(graph, there)
    if here == there or graph.index[there] in graph.neighbours[graph.index[here]]:
        return ()
    way = graph.path_between(here, there)
    if not way:
        raise InputError(f"no way in {graph.scene_id} leads from {here} to {there}")
    return way[1:-1]


def _require(graph: ViewpointGraph, name: str) -> None:
    place = graph.index.get(name)
    if place is None:
        raise InputError(f"{graph.scene_id} has no viewpoint {name}")
    if not graph.is_included[place]:
        raise InputError(f"{graph.scene_id} excludes the viewpoint {name}")


def _spread(
    values: NDArray[np.float64] | None, poses: list[tuple[str, int | None]]
) -> list[float] | None:
    """Angles of the poses that were there; NaN for those between."""
    if values is None:
        return None
    return [math.nan if at is None else float(values[at]) for _, at in poses]
