"""Read a whole run for the table: rows appear while it goes on; replays are fetched one by one."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import ReadError, WriteError
from waypost.domain.base.progress import Progress
from waypost.domain.base.value_codec import decode, encode
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportFinding
from waypost.domain.episode.run import EpisodeRun, run_name, scores_only_note
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.run_rows import RunRows
from waypost.io.kept_records import NOWHERE, Place, RecordWriter, read_record
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs.run_format import RunFormat
from waypost.io.read_log import ReadLog
from waypost.io.run_cache import IndexedRun, RunCache, default_folder, discard
from waypost.services.asked_episodes import asked_id, find_episode
from waypost.services.guides import with_guide
from waypost.services.replay.finding import replay_one
from waypost.services.replay.loading import (
    ODD_RUNS,
    ReplayedEpisode,
    Replayer,
    fill_episodes,
    no_run_of,
    run_coverage,
    runs_of,
    unknown_episode,
)
from waypost.services.replay.profiles import rows_navmesh_note
from waypost.services.replay.row_making import GrowingRows
from waypost.services.replay.run_identity import source_identity

_OFTEN_S: Final = 0.1
_FIRST_ROWS: Final = 50
_GROWTH: Final = 2.0
_SHOWN_EVERY_S: Final = 2.0
"""Rows are shown anew when there are this many times more and so much time has passed: to show
them takes as long as to read a few hundred, and Python does one of both at a time."""

_PAINTED_S: Final = 0.08
"""Pause in which the window paints what was begun and each batch of new rows undisturbed."""

_SMALL_BYTES: Final = 3 << 20
"""Replays of a file up to this size are kept for the next time after all rows are shown; they
take some fifty times as much memory until then."""


@dataclass(frozen=True, slots=True)
class RowsProgress(Progress):
    """Progress of an index with what can be shown by now."""

    index: RunIndex | None = None
    """The index as far as it has come; ``None`` before the first row. ``index.rows`` is another
    object each time there are more rows."""


@dataclass(eq=False)
class KeptReplays:
    """Episodes and runs on disk, each found by its place; grows while a run is indexed."""

    file: Path | None = None
    """``None`` if nothing is kept."""

    places: dict[tuple[str, int], Place] = field(default_factory=dict)
    """Episode and attempt → where they stand in the file."""

    waiting: dict[tuple[str, int], ReplayedEpisode] = field(default_factory=dict)
    """Replays of a small file that are not on disk yet."""

    def find(self, episode_id: str, attempt: int) -> tuple[Episode, EpisodeRun] | None:
        """What a replay is made of; ``None`` if it is not kept or not readable any more."""
        waiting = self.waiting.get((episode_id, attempt))
        if waiting is not None:
            return waiting.replay.episode, waiting.replay.run
        place = self.places.get((episode_id, attempt), NOWHERE)
        if self.file is None or place == NOWHERE:
            return None
        try:
            episode, run = read_record(self.file, place)
            return decode(Episode, episode), decode(EpisodeRun, run)
        except (ReadError, TypeError, ValueError):
            return None  # a cache that was emptied meanwhile; the source still has the run


@dataclass(eq=False)
class RunIndex:
    """The rows of a run, and the way to the replay behind each; made by ``index_run``."""

    source: RunSource
    rows: RunRows
    format: str = ""
    conventions: str = ""
    coverage: Mapping[str, int] = field(default_factory=dict)
    """As in ``ReplayedRun``; empty while the run is being read."""

    findings: tuple[ImportFinding, ...] = ()
    warnings: tuple[str, ...] = ()
    is_from_cache: bool = False
    kept: KeptReplays = field(default_factory=KeptReplays, repr=False)
    replayer: Replayer | None = field(default=None, repr=False)
    """Graphs and profile; made when first needed."""

    @property
    def stands_on_nodes(self) -> bool:
        """Whether its rows depend on the graph of the project, as far as that is known."""
        if self.source.nodes is None:
            return False
        return self.replayer is None or self.replayer.uses_nodes

    def replayed(self, episode_id: str, attempt: int = 1) -> ReplayedEpisode:
        """The replay behind a row, from what was kept while indexing, else from the source.

        May be called from another thread, also while the index is still growing.

        Raises:
            InputError: If there is no such run, or the source cannot be read any more.
        """
        pair = self.kept.find(episode_id, attempt)
        if pair is None:
            return replay_one(self.source, episode_id, attempt)
        self.replayer = self.replayer or Replayer(self.source)
        episode, run = pair
        asked = with_guide(episode, self.source.annotations)
        return self.replayer.replayed(asked, run, attempt)


def index_run(
    source: RunSource, cache_folder: Path | None = None
) -> Generator[Progress, None, RunIndex]:
    """Read, score and tag every run of a file or folder; yields ``RowsProgress``.

    Memory holds the rows and, while reading, the annotations without their records. The replays
    go to the cache on disk, those of a small file after its rows were shown whole. From there the
    run opens at once the next time, as long as no file, the profile and this program have changed.

    Args:
        source: Files and profile.
        cache_folder: Instead of the user's cache folder.

    Raises:
        InputError: If a file as a whole cannot be used.
    """
    store = RunCache(cache_folder or default_folder())
    identity = yield from source_identity(source)
    found = store.load(identity)
    if found is not None:
        return _from_cache(source, found)
    time.sleep(_PAINTED_S)
    log = ReadLog.about(source)
    episodes = yield from _episodes(source, log)
    reading = _RunReading(source, episodes, log, store, identity)
    try:
        yield from reading.read()
        yield from reading.show_whole()
        return reading.finish()
    finally:
        reading.close()


def _from_cache(source: RunSource, found: IndexedRun) -> RunIndex:
    keys = (row.key for row in found.rows.rows)
    return RunIndex(
        source,
        found.rows,
        found.format,
        found.conventions,
        found.coverage,
        found.findings,
        found.warnings,
        is_from_cache=True,
        kept=KeptReplays(found.replays, dict(zip(keys, found.places, strict=True))),
    )


def _episodes(source: RunSource, log: ReadLog) -> Generator[Progress, None, dict[str, Episode]]:
    found: dict[str, Episode] = {}
    told = time.monotonic()
    for _ in fill_episodes(found, source, log):
        if time.monotonic() - told > _OFTEN_S:
            told = time.monotonic()
            yield RowsProgress(0, 0, f"{counted(len(found), 'episode')} read")
    yield RowsProgress(0, len(found), f"{counted(len(found), 'episode')} read")
    return found


def _is_small(results: Path) -> bool:
    """Whether all replays of a file can wait in memory; a packed one may hold any amount."""
    try:
        is_file, size = results.is_file(), results.stat().st_size
    except OSError:
        return False
    return is_file and size <= _SMALL_BYTES and not results.name.endswith(".gz")


def _let_go(table: dict[Any, Any]) -> None:
    """Empty a table one by one: all at once no other thread runs for 0.2 s."""
    while table:
        table.popitem()


class _RunReading:
    """The work on one run: rows so far, what is kept of each, when to tell.

    Args:
        source: Files and profile.
        episodes: By id; empty without annotations. Emptied by ``close``.
        log: Told by the readers.
        store: Where the run is kept.
        identity: Of the run in the cache; empty keeps nothing.
    """

    def __init__(
        self,
        source: RunSource,
        episodes: dict[str, Episode],
        log: ReadLog,
        store: RunCache,
        identity: str,
    ) -> None:
        self._source, self._episodes, self._log = source, episodes, log
        self._store, self._identity = store, identity
        self._replayer = Replayer(source)
        self._format: RunFormat = RUN_FORMATS.find(source.file, source.result_format)
        self._rows = GrowingRows()
        self._places: list[Place] = []
        self._attempts: dict[str, int] = {}
        self._asked: set[str] = set()
        self._digests: dict[str, bytes] = {}
        self._counts = dict.fromkeys(ODD_RUNS, 0)
        self._bare = 0
        self._is_small = _is_small(source.file)
        self._writer = self._begin()
        self._kept = KeptReplays(None if self._writer is None else self._writer.path)
        self._index = RunIndex(
            source,
            self._snapshot(is_whole=False),
            self._format.title,
            kept=self._kept,
            replayer=self._replayer,
        )

    def _begin(self) -> RecordWriter | None:
        try:
            return self._store.begin(self._identity)
        except WriteError as error:
            self._log.warn(f"{error}; replays are read from their source each time")
            return None

    def read(self) -> Generator[Progress, None, None]:
        """Take every run of the file."""
        told = shown = time.monotonic()
        due = _FIRST_ROWS
        total = len(self._episodes)
        found = self._format.read(self._source.file, self._log)
        runs = runs_of(self._source, found, self._episodes.values, self._log)
        for done, run in enumerate(runs, start=1):
            self._take(run, done)
            if done % 16 and done != _FIRST_ROWS:
                continue
            now = time.monotonic()
            is_due = len(self._rows.rows) >= due and now - shown > _SHOWN_EVERY_S
            has_more = is_due or done == _FIRST_ROWS
            if has_more:
                shown, due = now, round(len(self._rows.rows) * _GROWTH)
                self._show()
            if has_more or now - told > _OFTEN_S:
                told = now
                known = self._index if self._index.rows.rows else None
                yield RowsProgress(done, total, f"{counted(done, 'run')} read", known)
                if has_more:
                    time.sleep(_PAINTED_S)

    def show_whole(self) -> Generator[Progress, None, None]:
        """Show every row, then keep what is not on disk yet."""
        waiting = self._kept.waiting
        if not waiting:
            return
        self._index.rows = self._snapshot(is_whole=True)
        yield RowsProgress(1, 1, f"{counted(len(self._rows.rows), 'run')} read", self._index)
        time.sleep(_PAINTED_S)
        told = time.monotonic()
        keys = list(waiting)
        for number, key in enumerate(keys):
            shown = waiting[key]
            self._places[number] = self._keep(shown)
            if self._places[number] != NOWHERE:
                self._kept.places[key] = self._places[number]
            del waiting[key]
            if time.monotonic() - told > _OFTEN_S:
                told = time.monotonic()
                text = f"Keeping {counted(len(waiting), 'run')} for the next time"
                yield RowsProgress(number + 1, len(keys), text, self._index)

    def _take(self, run: EpisodeRun, done: int) -> None:
        name = self._replayer.id_of(run, done)
        episode = find_episode(self._episodes, name, run)
        if episode is None and self._episodes:
            self._counts["foreign"] += 1
            return
        attempt = self._attempts[name] = self._attempts.get(name, 0) + 1
        shown = self._replayer.replayed(episode or unknown_episode(run, name), run, attempt)
        self._bare += run.has_scores_only
        row = self._rows.add(shown)
        self._asked.add(asked_id(shown.replay.episode))
        if self._is_small:
            self._kept.waiting[row.key] = shown
            self._places.append(NOWHERE)
            return
        place = self._keep(shown)
        self._places.append(place)
        if place != NOWHERE:
            self._kept.places[row.key] = place

    def _keep(self, shown: ReplayedEpisode) -> Place:
        """Keep what the replay is made of, and notice whether it is a second one."""
        name = shown.replay.episode.episode_id
        try:
            run = json.dumps(encode(shown.replay.run), separators=(",", ":"))
        except (TypeError, ValueError):
            # Something in the record is no JSON value; the source still has it.
            self._compare(name, shown.attempt, repr(shown.replay.run))
            return NOWHERE
        self._compare(name, shown.attempt, run)
        if self._writer is None:
            return NOWHERE
        try:
            episode = json.dumps(encode(shown.replay.episode), separators=(",", ":"))
            return self._writer.append(f"[{episode},{run}]")
        except (TypeError, ValueError):
            return NOWHERE
        except WriteError as error:
            self._give_up(error)
            return NOWHERE

    def _compare(self, name: str, attempt: int, text: str) -> None:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        if attempt == 1:
            self._digests[name] = digest
            return
        is_same = self._digests[name] == digest
        self._counts["duplicated_identical" if is_same else "duplicated_conflicting"] += 1

    def _give_up(self, error: WriteError) -> None:
        if self._writer is not None:
            discard(self._writer)
        self._writer = self._kept.file = None
        self._log.warn(f"{error}; replays are read from their source each time")

    def _snapshot(self, *, is_whole: bool) -> RunRows:
        results, profile = self._source.file, self._rows.profile
        return RunRows(
            run_name(results),
            str(results),
            profile.key if profile else "",
            profile.title if profile else "",
            self._rows.columns,
            tuple(self._rows.rows),
            is_whole,
        )

    def _show(self) -> None:
        if self._writer is not None:
            try:
                self._writer.flush()
            except WriteError as error:
                self._give_up(error)
        self._index.rows = self._snapshot(is_whole=False)

    def finish(self) -> RunIndex:
        """The whole index, kept for the next time.

        Raises:
            InputError: If the file has no run of any episode asked for.
        """
        self._log.finish()
        if not self._rows.rows:
            raise no_run_of(self._source, self._log, self._counts["foreign"])
        index = self._index
        if not index.rows.is_whole:
            index.rows = self._snapshot(is_whole=True)
        index.conventions = self._format.conventions
        index.coverage = run_coverage(
            self._episodes, self._attempts, self._asked, self._counts, self._log
        )
        index.findings = tuple(self._log.findings)
        bare = scores_only_note(self._bare, len(self._rows.rows))
        notes = filter(None, (bare, rows_navmesh_note(index.rows), self._rows.note))
        index.warnings = (*self._log.oddities, *self._replayer.warnings, *notes)
        self._store_index()
        return index

    def _store_index(self) -> None:
        index, writer = self._index, self._writer
        if writer is None or not self._identity:
            return
        kept = IndexedRun(
            index.rows,
            index.format,
            index.conventions,
            index.coverage,
            index.findings,
            index.warnings,
            places=tuple(self._places),
        )
        self._writer = None
        try:
            self._kept.file = self._store.keep(self._identity, kept, writer)
        except WriteError as error:
            self._kept.file = None
            index.warnings += (f"{error}; the run is read anew the next time",)

    def close(self) -> None:
        """Give up what is unfinished, and what was only needed to read."""
        _let_go(self._kept.waiting)
        _let_go(self._episodes)
        if self._writer is not None:
            discard(self._writer)
            self._writer = self._kept.file = None
