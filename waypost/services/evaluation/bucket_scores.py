"""Score all runs of one bucket; runs in whichever process the executor chooses."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.domain.episode.stated_scores import StatedSum, add_stated
from waypost.domain.episode.step_checks import check_steps
from waypost.domain.episode.viewpoint_placing import needs_placing, placed_for, placing_warning
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.graphs.matterport_graphs import has_graph, load_graph
from waypost.io.read_log import ReadLog
from waypost.metrics.profile import Profile, Scenery
from waypost.metrics.registry import find_profile
from waypost.metrics.scoring import score_episode
from waypost.metrics.space_case import straight_line
from waypost.metrics.stand_ins import with_stop
from waypost.services.evaluation.buckets import Bucket
from waypost.services.evaluation.coverage import note_duplicate, note_foreign, unique_episodes
from waypost.services.navmesh_distances import goal_distance_over

STOP_ASSUMED = "runs do not say whether STOP was called; it is assumed at their end"
"""Said of a result file in which that was so."""

SCORES_ONLY = "scores_only"
"""Name of the count of runs that state scores and no path; they are among those found."""

STRAIGHT_LINE = "straight-line"
"""Goal distance that stands in for the navmesh."""


@dataclass(frozen=True, eq=False, slots=True)
class RunScores:
    """Scores and coverage of one result file on the ids of one bucket."""

    episode_ids: list[str]
    columns: list[NDArray[np.float64]]
    """One (N,) array per metric, NaN where undefined."""

    reasons: list[dict[int, str]]
    """One per metric: row → why it is undefined."""

    coverage: Counter[str]
    """Counts by the names of the report: expected, found, missing, …"""

    findings: list[ImportFinding]
    gaps: list[NDArray[np.float64]]
    """One per metric: this run minus the first, where both are defined."""

    stated: dict[str, StatedSum]
    """Each score that the source itself states."""

    warnings: tuple[str, ...] = ()
    """What stood in for something that was not given."""


@dataclass(frozen=True, slots=True)
class BucketScores:
    """What one bucket comes to."""

    runs: list[RunScores]
    """One per result file, in their order."""

    repeated: list[ImportFinding]
    """Episodes that the annotations hold more than once."""


@dataclass(slots=True)
class _Tally:
    """One result file while it is being scored."""

    seen: dict[str, EpisodeRun] = field(default_factory=dict)
    coverage: Counter[str] = field(default_factory=Counter)
    log: ReadLog = field(default_factory=ReadLog)
    ids: list[str] = field(default_factory=list)
    values: list[tuple[float | None, ...]] = field(default_factory=list)
    reasons: list[tuple[str, ...]] = field(default_factory=list)
    stated: dict[str, StatedSum] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)
    stops: int = 0
    """Runs whose STOP was assumed."""


def score_bucket(
    source: RunSource, goal_distance: str, bucket: Bucket, *, assume_stop: bool = False
) -> BucketScores:
    """Score all runs of a bucket.

    Args:
        source: Has the profile and the graphs.
        goal_distance: ``navmesh`` or ``straight-line``.
        bucket: With episodes and runs.
        assume_stop: Whether runs whose source does not say so called STOP at their end.
    """
    profile = find_profile(source.profile_key)

    @functools.cache
    def scenery_of(scene_id: str) -> Scenery:
        graph = _graph(source, scene_id) if profile.needs_graph else None
        if goal_distance == STRAIGHT_LINE:
            return Scenery(graph, straight_line)
        return Scenery(graph, goal_distance_over(source.navmeshes, scene_id))

    log = ReadLog()
    episodes = unique_episodes(bucket.read_episodes(), log)
    finished: list[RunScores] = []
    for index in range(len(bucket.runs)):
        tally = _Tally()
        for run in bucket.read_runs(index):
            if assume_stop and run.end.called_stop is None:
                run = with_stop(run)  # noqa: PLW2901 - the run as it is scored
                tally.stops += 1
            _take(source, profile, episodes, scenery_of, run, tally)
        _count_missing(episodes, tally)
        if tally.stops:
            tally.warnings.setdefault(STOP_ASSUMED)
        finished.append(_finish(profile, tally, finished[0] if finished else None))
    return BucketScores(finished, log.findings)


def _take(
    source: RunSource,
    profile: Profile,
    episodes: dict[str, Episode],
    scenery_of: Callable[[str], Scenery],
    run: EpisodeRun,
    tally: _Tally,
) -> None:
    name = run.episode_id
    episode = episodes.get(name)
    if episode is None:
        tally.coverage["foreign"] += 1
        note_foreign(name, episodes, tally.log)
        return
    first = tally.seen.get(name)
    if first is not None:
        tally.coverage[note_duplicate(first, run, tally.log)] += 1
        return
    tally.seen[name] = run
    tally.log.extend([found for found in check_steps(run) if found.is_problem])
    tally.coverage[SCORES_ONLY] += run.has_scores_only
    add_stated(tally.stated, run.reported)
    if not profile.needs_graph and needs_placing(episode, run):
        episode = placed_for(episode, run, _graph(source, episode.scene_id))
        if episode.placing is not None and episode.placing.is_placed:
            tally.warnings.setdefault(placing_warning(episode.placing))
    scores = score_episode(profile, episode, run, scenery_of(episode.scene_id))
    if scores.is_invalid:
        tally.coverage["invalid"] += 1
    tally.ids.append(name)
    tally.values.append(scores.values)
    tally.reasons.append(scores.reasons)


def _graph(source: RunSource, scene_id: str) -> ViewpointGraph | None:
    if source.connectivity is None or not scene_id or not has_graph(source.connectivity, scene_id):
        return None
    return load_graph(source.connectivity, scene_id)


def _count_missing(episodes: dict[str, Episode], tally: _Tally) -> None:
    tally.coverage["expected"] += len(episodes)
    tally.coverage["found"] += len(tally.seen)
    tally.coverage["missing"] += len(episodes) - len(tally.seen)
    for name in episodes:
        if name not in tally.seen:
            tally.log.add(ImportKind.MISSING, f"{name} has no run", item_id=name)


def _finish(profile: Profile, tally: _Tally, first: RunScores | None) -> RunScores:
    count = len(profile.metrics)
    table = np.array(
        [[math.nan if v is None else v for v in row] for row in tally.values], dtype=np.float64
    ).reshape(-1, count)
    columns = [np.ascontiguousarray(table[:, i]) for i in range(count)]
    reasons: list[dict[int, str]] = [{} for _ in range(count)]
    for row in np.flatnonzero(np.isnan(table).any(axis=1)).tolist():
        for place, reason in zip(reasons, tally.reasons[row], strict=True):
            if reason:
                place[row] = reason
    gaps = [] if first is None else _gaps(first, tally.ids, columns)
    return RunScores(
        tally.ids,
        columns,
        reasons,
        tally.coverage,
        tally.log.findings,
        gaps,
        tally.stated,
        tuple(tally.warnings),
    )


def _gaps(
    first: RunScores, ids: list[str], columns: list[NDArray[np.float64]]
) -> list[NDArray[np.float64]]:
    rows = {name: row for row, name in enumerate(first.episode_ids)}
    shared = [(rows[name], row) for row, name in enumerate(ids) if name in rows]
    mine = np.array([row for _, row in shared], dtype=np.int64)
    theirs = np.array([row for row, _ in shared], dtype=np.int64)
    gaps = (own[mine] - other[theirs] for own, other in zip(columns, first.columns, strict=True))
    return [gap[~np.isnan(gap)] for gap in gaps]
