"""Score result files against annotations, as a generator that reports progress."""

from __future__ import annotations

import functools
import json
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.errors import InputError
from waypost.domain.heading_checks import HeadingCheck
from waypost.domain.import_report import ImportFinding, ImportKind
from waypost.domain.progress import Progress
from waypost.io.datasets.episode_registry import find_episode_format
from waypost.io.logs.run_registry import find_run_format
from waypost.io.read_log import MOST_FINDINGS, ReadLog
from waypost.io.score_parquet import ScoreParquetWriter
from waypost.metrics.aggregate import Aggregate, Comparison, aggregate, compare
from waypost.metrics.profile import Profile
from waypost.metrics.registry import find_profile
from waypost.services.evaluation.bucket_scores import (
    STRAIGHT_LINE,
    RunScores,
    ScoringPlan,
    score_bucket,
)
from waypost.services.evaluation.buckets import Dealer, bucket_count
from waypost.services.evaluation.executors import run_tasks
from waypost.services.evaluation.headings import add_episode
from waypost.services.evaluation.naming import named

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
class EvaluationRequest:
    """What to score and how."""

    profile_key: str
    annotations: tuple[Path, ...]
    results: tuple[Path, ...]
    """One per run; the others are compared with the first."""

    connectivity: Path | None = None
    """Folder of ``<scan>_connectivity.json``."""

    annotation_format: str = ""
    """Name of the format; recognised by content without."""

    result_format: str = ""
    goal_distance: str = "navmesh"
    """``straight-line`` to let straight lines stand in for the navmesh; said in definitions."""

    per_episode: Path | None = None
    """Parquet file for the scores of every episode."""

    executor: str = ""
    workers: int = 0
    seed: int = 0
    scratch: Path | None = None
    """Where large inputs are dealt into buckets; shared by the workers of a cluster."""


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
class Evaluation:
    """The outcome: numbers that carry their definitions."""

    profile: Profile
    profile_name: str
    """Key of the profile, with the stand-in it was computed with, if any."""

    definitions: dict[str, str]
    """Metric → definition."""

    runs: tuple[RunReport, ...]
    annotation_findings: tuple[ImportFinding, ...]
    annotation_conventions: str
    warnings: tuple[str, ...]


@dataclass(slots=True)
class _Sums:
    """What the buckets of one result file add up to."""

    columns: list[list[NDArray[np.float64]]]
    gaps: list[list[NDArray[np.float64]]]
    undefined: list[Counter[str]]
    coverage: Counter[str] = field(default_factory=Counter)
    findings: list[ImportFinding] = field(default_factory=list)
    stated: dict[str, tuple[float, int]] = field(default_factory=dict)

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
        self.findings += scores.findings[: max(0, MOST_FINDINGS - len(self.findings))]


def evaluate(request: EvaluationRequest) -> Generator[Progress, None, Evaluation]:
    """Score; yields progress in items read, then in buckets scored.

    Raises:
        InputError: If the profile is unknown or a file cannot be used.
    """
    profile = find_profile(request.profile_key)
    _check(request, profile)
    logs = [ReadLog() for _ in request.results]
    annotation_log = ReadLog()
    with ExitStack() as stack:
        dealer = _dealer(request, stack)
        stack.callback(dealer.close)
        conventions = yield from _deal_episodes(request, dealer, annotation_log)
        formats = yield from _deal_runs(request, dealer, logs)
        dealer.close()
        sums = yield from _score(request, profile, dealer, stack)
    name, definitions = described(profile, request.goal_distance)
    reports = tuple(
        _report(request, profile, index, formats[index], logs[index], sums[index])
        for index in range(len(request.results))
    )
    return Evaluation(
        profile,
        name,
        definitions,
        reports,
        tuple(annotation_log.findings),
        conventions,
        tuple(annotation_log.warnings),
    )


def described(profile: Profile, goal_distance: str) -> tuple[str, dict[str, str]]:
    """Name and definitions of a profile as they are computed."""
    definitions = {metric.key: metric.definition for metric in profile.metrics}
    if goal_distance != STRAIGHT_LINE:
        return profile.key, definitions
    replaced = {
        key: text.replace("shortest way over the navmesh", "straight line")
        .replace("Shortest way over the navmesh", "Straight line (standing in for the navmesh)")
        .replace("over the navmesh", "in a straight line (standing in for the navmesh)")
        for key, text in definitions.items()
    }
    return (
        profile.key if replaced == definitions else f"{profile.key} ({STRAIGHT_LINE})"
    ), replaced


def _check(request: EvaluationRequest, profile: Profile) -> None:
    if not request.annotations or not request.results:
        raise InputError("annotations and results are needed")
    if profile.needs_graph and request.connectivity is None:
        raise InputError(
            f"the profile {profile.key} needs --connectivity, the folder of the scans' graphs"
        )
    if request.connectivity is not None and not request.connectivity.is_dir():
        raise InputError(f"{request.connectivity}: file: is no folder")


def _dealer(request: EvaluationRequest, stack: ExitStack) -> Dealer:
    count = bucket_count((*request.annotations, *request.results))
    if count == 1 and not request.executor:
        return Dealer(1, len(request.results), None)
    folder = stack.enter_context(
        tempfile.TemporaryDirectory(prefix="waypost-", dir=request.scratch)
    )
    return Dealer(max(2, count), len(request.results), Path(folder))


def _deal_episodes(
    request: EvaluationRequest, dealer: Dealer, log: ReadLog
) -> Generator[Progress, None, str]:
    conventions: dict[str, None] = {}
    check = HeadingCheck()
    done = 0
    for path in request.annotations:
        entry = find_episode_format(path, request.annotation_format)
        conventions[entry.conventions] = None
        for episode in entry.read(path, log):
            dealer.add_episode(episode)
            add_episode(check, episode, request.connectivity)
            done += 1
            if done % 10_000 == 0:
                yield Progress(done, 0, f"{done:,} episodes read")
    if not done:
        raise InputError(f"{request.annotations[0]}: file: holds no episode that can be used")
    doubt = check.finding()
    if doubt is not None:
        log.extend([doubt])
    log.finish()
    yield Progress(done, 0, f"{done:,} episodes read")
    return "; ".join(conventions)


def _deal_runs(
    request: EvaluationRequest, dealer: Dealer, logs: list[ReadLog]
) -> Generator[Progress, None, list[tuple[str, str]]]:
    formats = []
    for index, (path, log) in enumerate(zip(request.results, logs, strict=True)):
        entry = find_run_format(path, request.result_format)
        formats.append((entry.name, entry.conventions))
        found = entry.read(path, log)
        runs = named(found, request.annotations, request.annotation_format, log)
        for done, run in enumerate(runs, start=1):
            dealer.add_run(index, run)
            if done % 10_000 == 0:
                yield Progress(done, 0, f"{path.name}: {done:,} runs read")
        log.finish()
    return formats


def _score(
    request: EvaluationRequest, profile: Profile, dealer: Dealer, stack: ExitStack
) -> Generator[Progress, None, list[_Sums]]:
    keys = [metric.key for metric in profile.metrics]
    sums = [
        _Sums([[] for _ in keys], [[] for _ in keys], [Counter() for _ in keys])
        for _ in request.results
    ]
    writer = _writer(request, profile, keys, stack)
    plan = ScoringPlan(profile.key, request.connectivity, request.goal_distance)
    work = functools.partial(score_bucket, plan)
    results: Iterator[list[RunScores]] = run_tasks(
        work, dealer.buckets, request.executor, request.workers
    )
    names = run_names(request.results)
    for done, scores in enumerate(results, start=1):
        for name, total, part in zip(names, sums, scores, strict=True):
            total.add(part)
            if writer is not None:
                writer.write(name, part.episode_ids, part.columns, part.reasons)
        yield Progress(done, len(dealer.buckets), "scoring")
    return sums


def _writer(
    request: EvaluationRequest, profile: Profile, keys: list[str], stack: ExitStack
) -> ScoreParquetWriter | None:
    if request.per_episode is None:
        return None
    name, definitions = described(profile, request.goal_distance)
    metadata = {
        "waypost.profile": name,
        "waypost.definitions": json.dumps(definitions, ensure_ascii=False),
    }
    return stack.enter_context(ScoreParquetWriter(request.per_episode, keys, metadata))


def run_names(results: tuple[Path, ...]) -> list[str]:
    """A short name for each result file; whole paths where short ones would repeat."""
    stems = [path.name.split(".", 1)[0] or path.name for path in results]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in results]


def _report(
    request: EvaluationRequest,
    profile: Profile,
    index: int,
    entry: tuple[str, str],
    log: ReadLog,
    sums: _Sums,
) -> RunReport:
    seed = request.seed
    keys = [metric.key for metric in profile.metrics]
    coverage = {name: sums.coverage[name] for name in COVERAGE}
    coverage["invalid"] += log.counts[ImportKind.UNREADABLE]
    comparison: dict[str, Comparison] = {}
    if index > 0:
        comparison = {
            key: compare(np.concatenate(gaps), seed)
            for key, gaps in zip(keys, sums.gaps, strict=True)
        }
    return RunReport(
        run=run_names(request.results)[index],
        source=str(request.results[index]),
        format=entry[0],
        conventions=entry[1],
        coverage=coverage,
        metrics={
            key: aggregate(np.concatenate(column), dict(undefined), seed)
            for key, column, undefined in zip(keys, sums.columns, sums.undefined, strict=True)
        },
        findings=(*log.findings, *sums.findings)[:MOST_FINDINGS],
        warnings=tuple(log.warnings),
        comparison=comparison,
        stated={key: (total / n, n) for key, (total, n) in sums.stated.items()},
    )
