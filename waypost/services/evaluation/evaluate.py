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
from waypost.domain.episode.run import EpisodeRun, run_name, scores_only_note
from waypost.domain.episode.run_source import RunSource
from waypost.domain.episode.stated_scores import (
    StatedRule,
    StatedScore,
    StatedSum,
    TotalCheck,
    check_totals,
    stated_scores,
    total_faults,
)
from waypost.io.atomic import target_of
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs.instruction_ids import name_runs
from waypost.io.read_log import MOST_FINDINGS, ReadLog
from waypost.io.score_parquet import ScoreParquetWriter
from waypost.metrics.aggregate import Aggregate, Comparison, aggregate, compare
from waypost.metrics.profile import Profile
from waypost.metrics.registry import find_profile
from waypost.metrics.stand_ins import (
    with_assumed_stop,
    with_navmeshes,
    with_placed_viewpoints,
    with_straight_lines,
)
from waypost.services.evaluation.answers import AnswerScores, score_answers
from waypost.services.evaluation.bucket_scores import (
    SCORES_ONLY,
    STRAIGHT_LINE,
    RunScores,
    score_bucket,
)
from waypost.services.evaluation.buckets import Bucket, BucketDealer, bucket_count, bucket_folder
from waypost.services.evaluation.dealing import DealtInput, deal, seen_by
from waypost.services.evaluation.executors import Executor
from waypost.services.navmesh_distances import check_navmeshes, navmesh_words

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


_OTHER_RUNS = ("duplicated_identical", "duplicated_conflicting", "foreign", "invalid")
"""Coverage counts of runs that are in a file and in none of its means."""


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """How to score, beside the profile."""

    goal_distance: str = "navmesh"
    """``straight-line`` to let straight lines stand in for the navmesh; said in definitions."""

    assume_stop: bool = False
    """Whether runs of forms that know no STOP called it at their end; said in definitions."""

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

    stated: dict[str, StatedScore]
    """What the source itself states of its runs, under its own names."""

    stated_rule: StatedRule | None = None
    """Whose mean that is, where the released code is known."""

    of_the_whole_run: dict[str, Aggregate] = field(default_factory=dict)
    """Scores that are no mean over episodes; empty for most profiles."""

    totals: dict[str, TotalCheck] = field(default_factory=dict)
    """What a source of scores alone states of all runs together, under its own names."""


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
    stated: dict[str, StatedSum] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)

    def add(self, scores: RunScores) -> None:
        for column, part in zip(self.columns, scores.columns, strict=True):
            column.append(part)
        for gaps, part in zip(self.gaps, scores.gaps, strict=False):
            gaps.append(part)
        for counter, reasons in zip(self.undefined, scores.reasons, strict=True):
            counter.update(reasons.values())
        self.coverage.update(scores.coverage)
        for key, told in scores.stated.items():
            self.stated.setdefault(key, StatedSum()).add(told)
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
    if profile.needs_labels:
        return (yield from _evaluate_answers(source, options, profile))
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


def _evaluate_answers(
    source: RunSource, options: EvaluationOptions, profile: Profile
) -> Generator[Progress, None, Evaluation]:
    scores: list[AnswerScores] = []
    with ExitStack() as stack:
        writer = _writer(source, options, profile, stack)
        for name, path in zip(run_names(source.results), source.results, strict=True):
            found = yield from score_answers(source, path)
            scores.append(found)
            if writer is not None:
                writer.write(name, found.episode_ids, found.columns, found.reasons)
    runs = (
        _answer_report(name, found, scores[0], options.seed)
        for name, found in zip(run_names(source.results), scores, strict=True)
    )
    formats = (EPISODE_FORMATS.find(path, source.annotation_format) for path in source.annotations)
    conventions = "; ".join(dict.fromkeys(entry.conventions for entry in formats))
    definitions = {metric.key: metric.definition for metric in profile.metrics} | {
        one.key: one.definition for one in profile.summaries
    }
    annotations = AnnotationReport(conventions, 0, 0, (), ())
    return Evaluation(profile, profile.key, definitions, tuple(runs), annotations)


def _answer_report(run: str, scores: AnswerScores, first: AnswerScores, seed: int) -> RunReport:
    replayed = scores.replayed
    keys = [metric.key for metric in replayed.profile.metrics]
    known = {**replayed.coverage, "invalid": replayed.coverage["unreadable"]}
    gaps = [] if scores is first else scores.gaps(first)
    return RunReport(
        run=run,
        source=replayed.source,
        format=replayed.format,
        conventions=replayed.conventions,
        coverage={name: known.get(name, 0) for name in COVERAGE},
        metrics={
            key: aggregate(column, dict(Counter(reasons.values())), seed)
            for key, column, reasons in zip(keys, scores.columns, scores.reasons, strict=True)
        },
        findings=replayed.findings[:MOST_FINDINGS],
        warnings=replayed.warnings,
        comparison={key: compare(gap, seed) for key, gap in zip(keys, gaps, strict=False)},
        stated={},
        of_the_whole_run=scores.of_the_whole_run(seed),
    )


def described(
    profile: Profile,
    goal_distance: str,
    *,
    has_graphs: bool = False,
    assume_stop: bool = False,
    navmeshes: Path | None = None,
) -> tuple[str, dict[str, str]]:
    """Name and definitions of a profile as they are computed.

    Args:
        profile: The profile.
        goal_distance: As in ``EvaluationOptions``.
        has_graphs: Whether graphs were given that tell where viewpoints lie.
        assume_stop: As in ``EvaluationOptions``.
        navmeshes: Folder of navmeshes or scenes, if one was given.
    """
    if assume_stop:
        profile = with_assumed_stop(profile)
    if goal_distance == STRAIGHT_LINE:
        profile = with_straight_lines(profile)
    elif navmeshes is not None:
        profile = with_navmeshes(profile, navmesh_words(navmeshes))
    if has_graphs and not profile.needs_graph:
        profile = with_placed_viewpoints(profile)
    return profile.key, {metric.key: metric.definition for metric in profile.metrics}


def _described(
    source: RunSource, options: EvaluationOptions, profile: Profile
) -> tuple[str, dict[str, str]]:
    has_graphs = source.connectivity is not None
    return described(
        profile,
        options.goal_distance,
        has_graphs=has_graphs,
        assume_stop=options.assume_stop,
        navmeshes=source.navmeshes,
    )


def _check(source: RunSource, profile: Profile) -> None:
    if not source.annotations or not source.results:
        raise InputError("annotations and results are needed")
    if profile.needs_labels and source.connectivity is None:
        raise InputError(
            f"the profile {profile.key} needs --connectivity, the folder of CapNav's graphs with"
            " the labels beside them"
        )
    _check_profile(profile, source.connectivity)
    if source.navmeshes is not None:
        check_navmeshes(source.navmeshes)


def _check_profile(profile: Profile, connectivity: Path | None) -> None:
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
    *,
    assume_stop: bool = False,
) -> list[RunScores]:
    """Score runs that are read already, as ``evaluate`` scores files that fit into memory.

    Args:
        source: Has the profile and the graphs; no files.
        goal_distance: As in ``EvaluationOptions``.
        episodes: What the runs answer.
        runs: Of one or several models.
        assume_stop: As in ``EvaluationOptions``.

    Raises:
        InputError: If there is no episode, or the profile is unknown or needs something else.
    """
    profile = find_profile(source.profile_key)
    if profile.needs_labels:
        raise InputError(
            f"the profile {profile.key} scores answers by labels; `waypost evaluate` does"
        )
    _check_profile(profile, source.connectivity)
    asked = list(episodes)
    if not asked:
        raise InputError("there is no episode")
    named = [list(name_runs(own, lambda: asked, ReadLog())) for own in runs]
    bucket = Bucket(asked, [*named])
    return score_bucket(source, goal_distance, bucket, assume_stop=assume_stop).runs


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
    score = functools.partial(
        score_bucket,
        seen_by(executor, source),
        options.goal_distance,
        assume_stop=options.assume_stop,
    )
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
    bare, found = sums.coverage[SCORES_ONLY], coverage["found"]
    if bare:
        log.add(ImportKind.NOTE, scores_only_note(bare, found), item_id=path.name)
    rule = RUN_FORMATS.find(path, dealt.format).stated_rule
    stated = stated_scores(sums.stated, found, rule)
    # Totals are of all runs of the file; with others than those scored they cannot be compared.
    is_whole = bare == found and not any(coverage[key] for key in _OTHER_RUNS)
    totals = dealt.totals if bare == found else {}
    checks = check_totals(totals, stated, found, rule if is_whole else None)
    for name, message in total_faults(checks):
        log.add(ImportKind.WRONG_TOTAL, message, item_id=path.name, value=name)
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
        stated=stated,
        stated_rule=rule,
        totals=checks,
    )
