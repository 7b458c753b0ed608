"""A profile is data: which scores a benchmark reports, how each is defined, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.traverse.judged_graph import JudgedGraph

GoalDistance = Callable[[str, NDArray[np.float64], Vec3], NDArray[np.float64]]
"""(scene id, (N, 3) points, goal) → (N,) metres from each point to the goal, infinite without
a way; all in the scene frame."""


@dataclass(frozen=True, slots=True)
class Scenery:
    """What a scan contributes to scoring."""

    graph: ViewpointGraph | None = None
    goal_distance: GoalDistance | None = None
    """Navmesh geodesic or a stated stand-in; ``None``: scores that need it are undefined."""

    judged: JudgedGraph | None = None
    """Who can travel it, for questions about that."""

    no_graph: str = "the connectivity of the scan was not given"
    """Why there is no graph, where there is none."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One score of one episode."""

    key: str
    """Short name as papers print it, e.g. ``SPL``."""

    definition: str
    """What exactly is computed, in one or two sentences."""

    unit: str
    """``m``, ``fraction`` or ``count``."""

    source: str
    """Who defines it so: ``owner/repo:path`` or a paper."""

    score: Callable[[Any], float]
    """From the case of the profile; raises ``UndefinedScoreError``."""

    is_higher_better: bool | None = True
    """``None`` where neither is better."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One score of a whole run that is no mean over its episodes."""

    key: str
    definition: str
    source: str
    counted: str
    """Key of the metric whose defined values are what it rests on."""

    score: Callable[[Mapping[str, NDArray[np.float64]]], float]
    """From (N,) values per metric, NaN where undefined; raises ``UndefinedScoreError``."""

    unit: str = "fraction"


@dataclass(frozen=True, slots=True)
class Profile:
    """The scores of one benchmark, as it defines them."""

    key: str
    """The word on the command line, e.g. ``r2r``."""

    title: str
    """For people."""

    metrics: tuple[Metric, ...]
    make_case: Callable[[Episode, EpisodeRun, Scenery], Any]
    """Prepares what the metrics of one episode share; raises ``UndefinedScoreError``."""

    needs_graph: bool
    """Whether runs are scored on a viewpoint graph."""

    notes: str = ""
    """What is to be known about all its scores."""

    summaries: tuple[Summary, ...] = ()
    """Scores of a whole run, beside the means."""

    success_key: str = "SR"
    """The metric that says whether a run succeeded."""

    needs_labels: bool = False
    """Whether runs are answers that are scored by who can travel which edge."""
