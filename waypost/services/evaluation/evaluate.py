"""Score result files against annotations, as a generator that reports progress."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.run import EpisodeRun, run_name
from waypost.domain.episode.run_source import RunSource
from waypost.io.atomic import target_of
from waypost.io.logs.instruction_ids import name_runs
from waypost.io.read_log import MOST_FINDINGS, ReadLog
from waypost.io.score_parquet import ScoreParquetWriter
from waypost.metrics.aggregate import Aggregate, Comparison, aggregate, compare
from waypost.metrics.profile import Profile
from waypost.metrics.registry import find_profile
from waypost.metrics.stand_ins import with_placed_viewpoints, with_straight_lines
from waypost.services.evaluation.bucket_scores import (
    STRAIGHT_LINE,
    RunScores,
    score_bucket,
)
from waypost.services.evaluation.buckets import Bucket, BucketDealer, bucket_count, bucket_folder
from waypost.services.evaluation.dealing import DealtInput, deal, seen_by
from waypost.services.evaluation.executors import Executor

COVERAGE = (
    "expected",
    "found",
    "missing",
    "duplicated_identical",
    "duplicated_conflicting",
    "foreign",
    "invalid",
)
"""Names of the coverage counts, in the order of reports."""


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """How to score, beside the profile."""

    goal_distance: str = "navmesh"
    """``straight-line`` to let straight lines stand in for the navmesh; said in definitions."""

    per_episode: Path | None = None
    """Parquet file for the scores of every episode."""

    executor: str = ""
    workers: int = 0
    seed: int = 0
    scratch: Path | None = None
    """Where large inputs are dealt into buckets. The workers of a cluster must see this folder and
    all files by the same paths."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What is known about one result file."""

    run: str
    """Name to show: the file without suffixes."""

    source: str
    format: str
    conventions: str
    coverage: dict[str, int]
    """By the names in ``COVERAGE``; ``found`` counts expected episodes with a run, ``invalid``
    runs that the profile cannot score and records that cannot be read."""

    metrics: dict[str, Aggregate]
    findings: tuple[ImportFinding, ...]
    warnings: tuple[str, ...]
    comparison: dict[str, Comparison]
    """With the first run; empty for the first."""

    stated: dict[str, tuple[float, int]]
    """Mean and count of the scores that the source itself states, under its own names."""


@dataclass(frozen=True, slots=True)
class AnnotationReport:
    """What is known about the annotations."""

    conventions: str
    duplicated_identical: int
    """Further episodes of an id that say the same."""

    duplicated_conflicting: int
    """Further episodes of an id that say otherwise; the first counts."""

    findings: tuple[ImportFinding, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcome: numbers that carry their definitions."""

    profile: Profile
    profile_name: str
    """Key of the profile, with the stand-in it was computed with, if any."""

    definitions: dict[str, str]
    """Metric → definition."""

    runs: tuple[RunReport, ...]
    annotations: AnnotationReport


@dataclass(slots=True)
class _Sums:
    """What the buckets of one result file add up to."""

    columns: list[list[NDArray[np.float64]]]
    gaps: list[list[NDArray[np.float64]]]
    undefined: list[Counter[str]]
    coverage: Counter[str] = field(default_factory=Counter)
    findings: list[ImportFinding] = field(default_factory=list)
    stated: dict[str, tuple[float, int]] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)

    def add(self, scores: RunScores) -> None:
        for column, part in zip(self.columns, scores.columns, strict=True):
            column.append(part)
        for gaps, part in zip(self.gaps, scores.gaps, strict=False):
            gaps.append(part)
        for counter, reasons in zip(self.undefined, scores.reasons, strict=True):
            counter.update(reasons.values())
        self.coverage.update(scores.coverage)
        for key, (addend, count) in scores.stated.items():
            total, n = self.stated.get(key, (0.0, 0))
            self.stated[key] = (total + addend, n + count)
        self.warnings |= dict.fromkeys(scores.warnings)
        self.findings += scores.findings[: max(0, MOST_FINDINGS - len(self.findings))]


def evaluate(
    source: RunSource, options: EvaluationOptions | None = None
) -> Generator[Progress, None, Evaluation]:
    """Score; yields progress in items read, then in buckets scored.

    Args:
        source: Result files, profile, and what they are judged against.
        options: How.

    Raises:
        InputError: If the profile is unknown or a file cannot be used.
    """
    options = options or EvaluationOptions()
    profile = find_profile(source.profile_key)
    _check(source, profile)
    if options.per_episode is not None:
        # Not only after an hour of scoring.
        target_of(options.per_episode)
    name, definitions = _described(source, options, profile)
    with ExitStack() as stack:
        executor = Executor(options.executor, options.workers)
        stack.callback(executor.close)
        dealer = _dealer(source, options, stack)
        annotations, *dealt = yield from deal(source, dealer, executor)
        sums = yield from _score(source, options, dealer, executor, annotations.log)
    return Evaluation(
        profile,
        name,
        definitions,
        tuple(
            _report(run, path, profile, done, total, options.seed)
            for run, path, done, total in zip(
                run_names(source.results), source.results, dealt, sums, strict=True
            )
        ),
        AnnotationReport(
            annotations.conventions,
            annotations.log.counts[ImportKind.DUPLICATED_IDENTICAL],
            annotations.log.counts[ImportKind.DUPLICATED_CONFLICTING],
            tuple(annotations.log.findings),
            tuple(annotations.log.warnings),
        ),
    )


def described(
    profile: Profile, goal_distance: str, *, has_graphs: bool = False
) -> tuple[str, dict[str, str]]:
    """Name and definitions of a profile as they are computed.

    Args:
        profile: The profile.
        goal_distance: As in ``EvaluationOptions``.
        has_graphs: Whether graphs were given that tell where viewpoints lie.
    """
    if goal_distance == STRAIGHT_LINE:
        profile = with_straight_lines(profile)
    if has_graphs and not profile.needs_graph:
        profile = with_placed_viewpoints(profile)
    return profile.key, {metric.key: metric.definition for metric in profile.metrics}


def _described(
    source: RunSource, options: EvaluationOptions, profile: Profile
) -> tuple[str, dict[str, str]]:
    has_graphs = source.connectivity is not None
    return described(profile, options.goal_distance, has_graphs=has_graphs)


def _check(source: RunSource, profile: Profile) -> None:
    if not source.annotations or not source.results:
        raise InputError("annotations and results are needed")
    _check_profile(profile, source.connectivity)


def _check_profile(profile: Profile, connectivity: Path | None) -> None:
    if profile.needs_labels:
        raise InputError(
            f"the profile {profile.key} scores answers by labels; `waypost report RUN --json` does"
        )
    if profile.needs_graph and connectivity is None:
        raise InputError(
            f"the profile {profile.key} needs --connectivity, the folder of the scans' graphs"
        )
    if connectivity is not None and not connectivity.is_dir():
        raise InputError(f"{connectivity}: file: is no folder")


def score_in_memory(
    source: RunSource,
    goal_distance: str,
    episodes: Iterable[Episode],
    runs: Iterable[Iterable[EpisodeRun]],
) -> list[RunScores]:
    """Score runs that are read already, as ``evaluate`` scores files that fit into memory.

    Args:
        source: Has the profile and the graphs; no files.
        goal_distance: As in ``EvaluationOptions``.
        episodes: What the runs answer.
        runs: Of one or several models.

    Raises:
        InputError: If there is no episode, or the profile is unknown or needs something else.
    """
    _check_profile(find_profile(source.profile_key), source.connectivity)
    asked = list(episodes)
    if not asked:
        raise InputError("there is no episode")
    named = [list(name_runs(own, lambda: asked, ReadLog())) for own in runs]
    return score_bucket(source, goal_distance, Bucket(asked, [*named])).runs


def metric_means(scores: RunScores, seed: int = 0) -> list[Aggregate]:
    """Each metric of the profile over the episodes where it is defined."""
    return [
        aggregate(column, dict(Counter(reasons.values())), seed)
        for column, reasons in zip(scores.columns, scores.reasons, strict=True)
    ]


def _dealer(source: RunSource, options: EvaluationOptions, stack: ExitStack) -> BucketDealer:
    count = bucket_count((*source.annotations, *source.results))
    if count == 1 and not options.executor:
        return BucketDealer(1, len(source.results), None)
    folder = stack.enter_context(bucket_folder(options.scratch))
    return BucketDealer(max(2, count), len(source.results), folder)


def _score(
    source: RunSource,
    options: EvaluationOptions,
    dealer: BucketDealer,
    executor: Executor,
    annotation_log: ReadLog,
) -> Generator[Progress, None, list[_Sums]]:
    profile = find_profile(source.profile_key)
    keys = [metric.key for metric in profile.metrics]
    sums = [
        _Sums([[] for _ in keys], [[] for _ in keys], [Counter() for _ in keys])
        for _ in source.results
    ]
    score = functools.partial(score_bucket, seen_by(executor, source), options.goal_distance)
    results = executor.run(score, dealer.buckets)
    names = run_names(source.results)
    with ExitStack() as stack:
        writer = _writer(source, options, profile, stack)
        for done, scores in enumerate(results, start=1):
            annotation_log.extend(scores.repeated)
            for name, total, part in zip(names, sums, scores.runs, strict=True):
                total.add(part)
                if writer is not None:
                    writer.write(name, part.episode_ids, part.columns, part.reasons)
            yield Progress(done, len(dealer.buckets), "scoring")
    return sums


def _writer(
    source: RunSource, options: EvaluationOptions, profile: Profile, stack: ExitStack
) -> ScoreParquetWriter | None:
    if options.per_episode is None:
        return None
    name, definitions = _described(source, options, profile)
    keys = [metric.key for metric in profile.metrics]
    metadata = {
        "waypost.profile": name,
        "waypost.definitions": json.dumps(definitions, ensure_ascii=False),
    }
    return stack.enter_context(ScoreParquetWriter(options.per_episode, keys, metadata))


def run_names(results: tuple[Path, ...]) -> list[str]:
    """A short name for each result file; whole paths where short ones would repeat."""
    stems = [run_name(path) for path in results]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in results]


def _report(
    run: str, path: Path, profile: Profile, dealt: DealtInput, sums: _Sums, seed: int
) -> RunReport:
    log = dealt.log
    keys = [metric.key for metric in profile.metrics]
    coverage = {name: sums.coverage[name] for name in COVERAGE}
    coverage["invalid"] += log.counts[ImportKind.UNREADABLE]
    return RunReport(
        run=run,
        source=str(path),
        format=dealt.format,
        conventions=dealt.conventions,
        coverage=coverage,
        metrics={
            key: aggregate(np.concatenate(column), dict(undefined), seed)
            for key, column, undefined in zip(keys, sums.columns, sums.undefined, strict=True)
        },
        findings=(*log.findings, *sums.findings)[:MOST_FINDINGS],
        warnings=(*log.warnings, *sums.warnings),
        comparison={
            key: compare(np.concatenate(gaps), seed)
            for key, gaps in zip(keys, sums.gaps, strict=True)
            if gaps
        },
        stated={key: (total / n, n) for key, (total, n) in sums.stated.items()},
    )
