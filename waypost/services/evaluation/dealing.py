"""Read annotations and result files into buckets, each input by itself, here or in a worker."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.evaluation.buckets import BucketDealer
from waypost.services.evaluation.episode_checks import EpisodeChecks
from waypost.services.evaluation.executors import Executor
from waypost.services.evaluation.naming import named

_STEP = 10_000
ANNOTATIONS = -1
"""Number of the input that is all annotations; result files count from 0."""


@dataclass(frozen=True, slots=True)
class DealtInput:
    """What is known about an input once it was read."""

    format: str
    conventions: str
    log: ReadLog
    totals: dict[str, float | None] = field(default_factory=dict)
    """What the source states of all runs together; ``None`` for what is no finite number."""


@dataclass(frozen=True, slots=True)
class _Share:
    """One input for one worker."""

    source: RunSource
    number: int
    bucket_count: int
    folder: Path


def deal(
    source: RunSource, dealer: BucketDealer, executor: Executor
) -> Generator[Progress, None, list[DealtInput]]:
    """Deal all inputs; large ones side by side where the executor has several processes.

    Returns:
        What is known about the annotations, then about each result file.

    Raises:
        InputError: If a file cannot be used.
    """
    numbers = range(ANNOTATIONS, len(source.results))
    found: list[DealtInput] = []
    if dealer.folder is None or not executor.is_parallel:
        for number in numbers:
            dealt = yield from _deal_input(source, number, dealer)
            found.append(dealt)
        return found
    source = seen_by(executor, source)
    shares = [_Share(source, number, dealer.count, dealer.folder) for number in numbers]
    for done, dealt in enumerate(executor.run(_deal_share, shares), start=1):
        found.append(dealt)
        yield Progress(done, len(shares), f"{done} of {len(shares)} inputs read")
    return found


def seen_by(executor: Executor, source: RunSource) -> RunSource:
    """The files as workers find them: in a cluster their current folder may be another."""
    return source.under(Path.cwd()) if executor.url else source


def _deal_share(share: _Share) -> DealtInput:
    dealer = BucketDealer(share.bucket_count, len(share.source.results), share.folder)
    steps = _deal_input(share.source, share.number, dealer)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            dealt: DealtInput = end.value
            # What stands beside the items is of no use to the caller and may be large.
            dealt.log.document.clear()
            return dealt


def _deal_input(
    source: RunSource, number: int, dealer: BucketDealer
) -> Generator[Progress, None, DealtInput]:
    try:
        if number == ANNOTATIONS:
            return (yield from _deal_episodes(source, dealer))
        return (yield from _deal_runs(source, number, dealer))
    finally:
        dealer.close()


def _deal_episodes(
    source: RunSource, dealer: BucketDealer
) -> Generator[Progress, None, DealtInput]:
    formats: dict[str, None] = {}
    conventions: dict[str, None] = {}
    log = ReadLog.about(source)
    checks = EpisodeChecks(source.connectivity, log)
    done = 0
    for path in source.annotations:
        entry = EPISODE_FORMATS.find(path, source.annotation_format)
        formats[entry.name] = None
        conventions[entry.conventions] = None
        for episode in entry.read(path, log):
            dealer.add_episode(episode)
            checks.add(episode)
            done += 1
            if done % _STEP == 0:
                yield Progress(done, 0, f"{counted(done, 'episode')} read")
    if not done:
        raise InputError(f"{source.annotations[0]}: file: holds no episode that can be used")
    checks.finish()
    log.finish()
    yield Progress(done, 0, f"{counted(done, 'episode')} read")
    return DealtInput("; ".join(formats), "; ".join(conventions), log)


def _deal_runs(
    source: RunSource, index: int, dealer: BucketDealer
) -> Generator[Progress, None, DealtInput]:
    path = source.results[index]
    log = ReadLog()
    entry = RUN_FORMATS.find(path, source.result_format)
    runs = named(entry.read(path, log), source.annotations, source.annotation_format, log)
    for done, run in enumerate(runs, start=1):
        dealer.add_run(index, run)
        if done % _STEP == 0:
            yield Progress(done, 0, f"{path.name}: {counted(done, 'run')} read")
    log.finish()
    return DealtInput(entry.name, entry.conventions, log, log.stated_totals())
