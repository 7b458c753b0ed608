"""Find one run of an episode in a result file and replay it, reading no more than that needs."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.read_log import ReadLog
from waypost.services.asked_episodes import find_episode
from waypost.services.guides import with_guide
from waypost.services.replay.loading import (
    ReplayedEpisode,
    Replayer,
    episodes_by_id,
    runs_of,
    unknown_episode,
)

READ_ON_BYTES: Final = 16 << 20
"""Of a file up to this size ``find_replay`` tells what is damaged after the episode, too."""

_PACKED: Final = 10
"""A packed file may hold so many times its size."""

_TOLD_EVERY: Final = 200


def replay_one(source: RunSource, episode_id: str, attempt: int = 1) -> ReplayedEpisode:
    """All of ``find_replay`` at once."""
    return exhaust(find_replay(source, episode_id, attempt))


def find_replay(
    source: RunSource,
    episode_id: str,
    attempt: int = 1,
    warnings: list[str] | None = None,
) -> Generator[Progress, None, ReplayedEpisode]:
    """Read until an episode is found and replay it; yields progress in runs.

    Args:
        source: Files and profile.
        episode_id: As runs name it; ``7`` finds ``"7"``.
        attempt: Which run of the episode, where the file has several.
        warnings: Takes what ``ReplayedRun.warnings`` says. For that a result file of up to
            ``READ_ON_BYTES`` is read to its end; of a larger one, of annotations and of folders
            only what was read is said, and of the larger file that it goes on.

    Raises:
        InputError: If a file cannot be used, or there is no such episode or attempt.
    """
    name = normal_id(episode_id)
    asked_log, log = ReadLog.about(source), ReadLog()
    episodes = episodes_by_id(source, asked_log, only=name)
    book = Replayer(source)
    count = 0
    entry = RUN_FORMATS.find(source.file, source.result_format)
    found = entry.read(source.file, log)
    runs = runs_of(source, found, lambda: episodes_by_id(source, ReadLog()).values(), log)
    for number, run in enumerate(runs, start=1):
        if number % _TOLD_EVERY == 0:
            yield Progress(number, 0, f"{counted(number, 'run')} read")
        if book.id_of(run, number) != name:
            continue
        count += 1
        if count == attempt:
            episode = find_episode(episodes, name, run)
            if episode is None and source.annotations:
                reason = f"has no episode {name}, which the run names"
                raise InputError(f"{source.annotations[0]}: file: {reason}{_why(asked_log, name)}")
            asked = with_guide(episode or unknown_episode(run, name), source.annotations)
            shown = book.replayed(asked, run, attempt)
            if warnings is not None:
                if source.file.is_file():
                    _read_on(source.file, runs, log)
                warnings += dict.fromkeys((*asked_log.oddities, *log.oddities, *book.warnings))
            return shown
    if count:
        has = f"has {counted(count, 'run')}"
        raise InputError(f"{source.file}: episode {name}: {has}, counted from 1, not {attempt}")
    raise InputError(f"{source.file}: file: has no run of episode {name}{_why(log, name)}")


def _read_on(path: Path, runs: Iterator[EpisodeRun], log: ReadLog) -> None:
    """Read the rest of a file for what is to be said of it; damage there harms no run before."""
    most = READ_ON_BYTES // _PACKED if path.name.endswith(".gz") else READ_ON_BYTES
    try:
        if path.stat().st_size <= most:
            deque(runs, maxlen=0)
        elif next(runs, None) is not None:
            log.warn(
                f"{path}: is large and was read as far as this run; nothing after it was looked"
                " at. waypost validate and waypost report read all of it"
            )
    except ReadError as error:
        log.warn(str(error))


def _why(log: ReadLog, name: str) -> str:
    """What reading met that may be why an id was not found: first what is said of this id."""
    found = [finding for finding in log.findings if finding.kind in _LOST]
    if not found:
        return ""
    first = next((finding for finding in found if finding.item_id == name), found[0])
    more = log.counts[first.kind] - 1
    rest = f" (and {more} more)" if more and first.item_id != name else ""
    return f"; {first.message}{rest}"


_LOST: Final = frozenset({ImportKind.UNREADABLE, ImportKind.TRUNCATED})
