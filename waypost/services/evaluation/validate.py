"""Check episodes, graphs and runs without scoring them, as a generator that reports progress."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind, ImportReport
from waypost.domain.episode.path_checks import check_run
from waypost.domain.episode.run import EpisodeRun, scores_only_note
from waypost.domain.episode.run_ids import told_apart
from waypost.domain.episode.run_source import RunSource
from waypost.domain.episode.server_rules import ServerVerdict
from waypost.domain.episode.stated_scores import (
    StatedSum,
    add_stated,
    check_totals,
    stated_scores,
    total_faults,
)
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.graphs import matterport_graphs
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs.language_models.capnav_results import CAPNAV
from waypost.io.logs.run_format import RunFormat
from waypost.io.read_log import MOST_FINDINGS, ReadLog
from waypost.services.evaluation.answer_checks import AnswerChecks
from waypost.services.evaluation.buckets import Bucket, BucketDealer, bucket_count, bucket_folder
from waypost.services.evaluation.coverage import note_duplicate, note_foreign, unique_episodes
from waypost.services.evaluation.episode_checks import EpisodeChecks
from waypost.services.evaluation.graph_checks import check_graphs
from waypost.services.evaluation.naming import named
from waypost.services.evaluation.server_checks import ServerChecks


@dataclass(frozen=True, slots=True)
class FileReport:
    """What was found about one file or folder."""

    source: str
    role: str
    """``annotations``, ``connectivity`` or ``results``."""

    format: str
    report: ImportReport
    servers: tuple[ServerVerdict, ...] = ()
    """Whether the servers that take such results would refuse these."""


def validate(source: RunSource) -> Generator[Progress, None, tuple[FileReport, ...]]:
    """Check everything given; yields progress in items.

    Raises:
        InputError: If nothing was given or a file as a whole cannot be used.
    """
    if not (source.annotations or source.results or source.connectivity):
        raise InputError("nothing to check: give --annotations, --connectivity or --results")
    reports: list[FileReport] = []
    with ExitStack() as stack:
        count = bucket_count((*source.annotations, *source.results))
        folder = None
        if count > 1:
            folder = stack.enter_context(bucket_folder(None))
        dealer = BucketDealer(count, len(source.results), folder)
        stack.callback(dealer.close)
        asked = _Asked()
        for path in source.annotations:
            entry_report = yield from _check_episodes(source, path, dealer, asked)
            reports.append(entry_report)
        if source.connectivity is not None:
            name, graphs = check_graphs(source.connectivity, asked.scenes, asked.questions)
            reports.append(FileReport(str(source.connectivity), "connectivity", name, graphs))
        results = []
        for index in range(len(source.results)):
            one = yield from _deal_results(source, index, dealer, asked)
            results.append(one)
        dealer.close()
        _note_repeated(dealer.buckets, reports)
        for index, one in enumerate(results):
            report = _check_results(source, dealer.buckets, index, one)
            verdicts = one.servers.verdicts(one.answers.log)
            place = str(source.results[index])
            reports.append(FileReport(place, "results", one.format.name, report, verdicts))
            yield Progress(index + 1, len(results), f"{source.results[index].name} checked")
    return tuple(reports)


@dataclass(slots=True)
class _Asked:
    """What the annotations turned out to hold."""

    scenes: set[str] = field(default_factory=set)
    datasets: set[str] = field(default_factory=set)
    questions: dict[str, Episode] = field(default_factory=dict)
    """Of CapNav, by id; the first of an id counts."""


@dataclass(slots=True)
class _Results:
    """What is known about a result file once it was read."""

    format: RunFormat
    servers: ServerChecks
    answers: AnswerChecks
    stated: dict[str, StatedSum] = field(default_factory=dict)
    """Scores that the file states of its runs."""

    runs: int = 0

    @property
    def has_totals_only(self) -> bool:
        """Whether the file states totals of all runs and no single one: then none is missing."""
        log = self.answers.log
        is_read = not log.counts[ImportKind.UNREADABLE]
        return not self.runs and is_read and bool(log.stated_totals())


def _deal_results(
    source: RunSource, index: int, dealer: BucketDealer, asked: _Asked
) -> Generator[Progress, None, _Results]:
    path, log = source.results[index], ReadLog()
    entry = RUN_FORMATS.find(path, source.result_format)
    has_graphs = source.connectivity is not None
    servers = ServerChecks(entry.name, frozenset(asked.datasets), has_graphs)
    answers = AnswerChecks(asked.questions, log)
    found = servers.read(entry.read(path, log))
    runs = named(found, source.annotations, source.annotation_format, log)
    one = _Results(entry, servers, answers)
    for done, run in enumerate(told_apart(runs, source), start=1):
        one.runs = done
        add_stated(one.stated, run.reported)
        if not answers.take(run):
            dealer.add_run(index, run)
        if done % 10_000 == 0:
            yield Progress(done, 0, f"{path.name}: {counted(done, 'run')} read")
    if not log.counts[ImportKind.UNREADABLE]:
        _note_wrong_totals(one, path, log)
    return one


def _note_wrong_totals(one: _Results, path: Path, log: ReadLog) -> None:
    rule = one.format.stated_rule
    scores = stated_scores(one.stated, one.runs, rule)
    checks = check_totals(log.stated_totals(), scores, one.runs, rule)
    for name, message in total_faults(checks):
        log.add(ImportKind.WRONG_TOTAL, message, item_id=path.name, value=name)


def _check_episodes(
    source: RunSource, path: Path, dealer: BucketDealer, asked: _Asked
) -> Generator[Progress, None, FileReport]:
    log = ReadLog.about(source)
    checks = EpisodeChecks(source.connectivity, log)
    entry = EPISODE_FORMATS.find(path, source.annotation_format)
    asked.datasets.add(entry.name)
    done = 0
    for done, episode in enumerate(entry.read(path, log), start=1):
        dealer.add_episode(episode)
        asked.scenes.add(episode.scene_id)
        if episode.dataset == CAPNAV:
            asked.questions.setdefault(episode.episode_id, episode)
        checks.add(episode)
        if done % 10_000 == 0:
            yield Progress(done, 0, f"{path.name}: {counted(done, 'episode')} read")
    checks.finish()
    log.finish()
    report = ImportReport(
        found=done,
        unreadable=log.counts[ImportKind.UNREADABLE],
        findings=tuple(log.findings),
        findings_left_out=log.left_out,
        conventions=entry.conventions,
        warnings=tuple(log.warnings),
    )
    return FileReport(str(path), "annotations", entry.name, report)


def _note_repeated(buckets: list[Bucket], reports: list[FileReport]) -> None:
    """Add the episodes that come twice to the report on the last annotations."""
    last = max(
        (at for at, entry in enumerate(reports) if entry.role == "annotations"), default=None
    )
    if last is None:
        return
    log = ReadLog()
    for bucket in buckets:
        unique_episodes(bucket.read_episodes(), log)
    entry = reports[last]
    found = (*entry.report.findings, *log.findings)
    report = replace(
        entry.report,
        duplicated_identical=log.counts[ImportKind.DUPLICATED_IDENTICAL],
        duplicated_conflicting=log.counts[ImportKind.DUPLICATED_CONFLICTING],
        findings=found[:MOST_FINDINGS],
        findings_left_out=entry.report.findings_left_out
        + log.left_out
        + len(found[MOST_FINDINGS:]),
    )
    reports[last] = replace(entry, report=report)


def _check_results(
    source: RunSource, buckets: list[Bucket], index: int, one: _Results
) -> ImportReport:
    log, answered = one.answers.log, one.answers.answered
    expected = bare = foreign = 0
    found = len(answered)
    for bucket in buckets:
        episodes = unique_episodes(bucket.read_episodes(), ReadLog())
        seen: dict[str, EpisodeRun] = {}
        for run in bucket.read_runs(index):
            foreign += not _check_one(source, episodes, seen, run, log)
        bare += sum(run.has_scores_only for run in seen.values())
        expected += len(episodes)
        found += len(seen)
        for name in () if one.has_totals_only else episodes:
            if name not in seen and name not in answered:
                log.add(ImportKind.MISSING, f"{name} has no run", item_id=name)
    log.finish()
    path = source.results[index]
    if bare:
        log.add(ImportKind.NOTE, scores_only_note(bare, found), item_id=path.name)
    return ImportReport(
        expected=expected if source.annotations and not one.has_totals_only else None,
        found=found,
        missing=log.counts[ImportKind.MISSING],
        duplicated_identical=log.counts[ImportKind.DUPLICATED_IDENTICAL],
        duplicated_conflicting=log.counts[ImportKind.DUPLICATED_CONFLICTING],
        foreign=foreign,
        unreadable=log.counts[ImportKind.UNREADABLE],
        findings=tuple(log.findings),
        findings_left_out=log.left_out,
        conventions=one.format.conventions,
        warnings=tuple(log.warnings),
    )


def _check_one(
    source: RunSource,
    episodes: dict[str, Episode],
    seen: dict[str, EpisodeRun],
    run: EpisodeRun,
    log: ReadLog,
) -> bool:
    """Check a run; whether it is of an episode asked for."""
    name = run.episode_id
    episode = episodes.get(name)
    if episode is None and source.annotations:
        note_foreign(name, episodes, log)
        return False
    # Of runs without id nobody knows which are of one episode.
    first = seen.setdefault(name or f"without id {len(seen)}", run)
    if first is run:
        log.extend(list(check_run(episode, run, _graph(source, episode))))
    else:
        note_duplicate(first, run, log)
    return True


def _graph(source: RunSource, episode: Episode | None) -> ViewpointGraph | None:
    folder = source.connectivity
    if folder is None or episode is None:
        return None
    try:
        if matterport_graphs.has_graph(folder, episode.scene_id):
            return matterport_graphs.load_graph(folder, episode.scene_id)
    except InputError:
        return None  # the report on the graphs says why
    return None
