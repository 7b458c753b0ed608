"""Check episodes, graphs and runs without scoring them, as a generator that reports progress."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.heading_checks import HeadingCheck
from waypost.domain.episode.import_report import ImportKind, ImportReport
from waypost.domain.episode.path_checks import check_run
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.graphs import matterport_graphs
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.read_log import MOST_FINDINGS, ReadLog
from waypost.services.evaluation.buckets import Bucket, BucketDealer, bucket_count, bucket_folder
from waypost.services.evaluation.coverage import note_duplicate, note_foreign, unique_episodes
from waypost.services.evaluation.headings import add_episode
from waypost.services.evaluation.naming import named


@dataclass(frozen=True, slots=True)
class FileReport:
    """What was found about one file or folder."""

    source: str
    role: str
    """``annotations``, ``connectivity`` or ``results``."""

    format: str
    report: ImportReport


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
        scenes: set[str] = set()
        for path in source.annotations:
            entry_report = yield from _check_episodes(source, path, dealer, scenes)
            reports.append(entry_report)
        if source.connectivity is not None:
            reports.append(_check_graphs(source.connectivity, scenes))
        logs = []
        for index, path in enumerate(source.results):
            log = ReadLog()
            logs.append(log)
            entry = RUN_FORMATS.find(path, source.result_format)
            found = entry.read(path, log)
            runs = named(found, source.annotations, source.annotation_format, log)
            for done, run in enumerate(runs, start=1):
                dealer.add_run(index, run)
                if done % 10_000 == 0:
                    yield Progress(done, 0, f"{path.name}: {counted(done, 'run')} read")
        dealer.close()
        _note_repeated(dealer.buckets, reports)
        for index, path in enumerate(source.results):
            report = _check_results(source, dealer.buckets, index, logs[index])
            name = RUN_FORMATS.find(path, source.result_format).name
            reports.append(FileReport(str(path), "results", name, report))
            yield Progress(index + 1, len(source.results), f"{path.name} checked")
    return tuple(reports)


def _check_episodes(
    source: RunSource, path: Path, dealer: BucketDealer, scenes: set[str]
) -> Generator[Progress, None, FileReport]:
    log = ReadLog()
    check = HeadingCheck()
    entry = EPISODE_FORMATS.find(path, source.annotation_format)
    done = 0
    for done, episode in enumerate(entry.read(path, log), start=1):
        dealer.add_episode(episode)
        scenes.add(episode.scene_id)
        add_episode(check, episode, source.connectivity)
        if done % 10_000 == 0:
            yield Progress(done, 0, f"{path.name}: {counted(done, 'episode')} read")
    finding = check.finding()
    if finding is not None:
        log.extend([finding])
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


def _check_graphs(folder: Path, scenes: set[str]) -> FileReport:
    if not folder.is_dir():
        raise InputError(f"{folder}: file: is no folder")
    files = {matterport_graphs.scene_id_of(p): p for p in folder.glob("*_connectivity.json*")}
    wanted = sorted(scenes) if scenes else sorted(files)
    log = ReadLog()
    found = 0
    for scene_id in wanted:
        if scene_id not in files:
            message = f"there is no connectivity file of {scene_id}"
            log.add(ImportKind.MISSING, message, item_id=scene_id)
            continue
        try:
            matterport_graphs.read_connectivity(files[scene_id], log)
            found += 1
        except InputError as error:
            log.add(ImportKind.UNREADABLE, str(error), item_id=scene_id)
    report = ImportReport(
        expected=len(wanted),
        found=found,
        missing=log.counts[ImportKind.MISSING],
        unreadable=log.counts[ImportKind.UNREADABLE],
        findings=tuple(log.findings),
        findings_left_out=log.left_out,
        conventions=matterport_graphs.CONVENTIONS,
        warnings=tuple(log.warnings),
    )
    return FileReport(str(folder), "connectivity", "matterport", report)


def _check_results(
    source: RunSource, buckets: list[Bucket], index: int, log: ReadLog
) -> ImportReport:
    expected = found = 0
    for bucket in buckets:
        episodes = unique_episodes(bucket.read_episodes(), ReadLog())
        seen: dict[str, EpisodeRun] = {}
        for run in bucket.read_runs(index):
            _check_one(source, episodes, seen, run, log)
        expected += len(episodes)
        found += len(seen)
        for name in episodes:
            if name not in seen:
                log.add(ImportKind.MISSING, f"{name} has no run", item_id=name)
    log.finish()
    path = source.results[index]
    return ImportReport(
        expected=expected if source.annotations else None,
        found=found,
        missing=log.counts[ImportKind.MISSING],
        duplicated_identical=log.counts[ImportKind.DUPLICATED_IDENTICAL],
        duplicated_conflicting=log.counts[ImportKind.DUPLICATED_CONFLICTING],
        foreign=log.counts[ImportKind.FOREIGN] + log.counts[ImportKind.AMBIGUOUS_ID],
        unreadable=log.counts[ImportKind.UNREADABLE],
        findings=tuple(log.findings),
        findings_left_out=log.left_out,
        conventions=RUN_FORMATS.find(path, source.result_format).conventions,
        warnings=tuple(log.warnings),
    )


def _check_one(
    source: RunSource,
    episodes: dict[str, Episode],
    seen: dict[str, EpisodeRun],
    run: EpisodeRun,
    log: ReadLog,
) -> None:
    name = run.episode_id
    episode = episodes.get(name)
    if episode is None and source.annotations:
        note_foreign(name, episodes, log)
        return
    first = seen.setdefault(name, run)
    if first is not run:
        note_duplicate(first, run, log)
        return
    log.extend(list(check_run(episode, run, _graph(source, episode))))


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
