"""Bring episodes and runs of one id together without holding all of either in memory.

Small inputs stay in memory as one bucket. Large ones are dealt out by a hash of the episode id
into files, so that one bucket after the other, or several at once, fit into memory.
"""

from __future__ import annotations

import contextlib
import json
import math
import pickle
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Final

from waypost.domain.base.errors import WriteError
from waypost.domain.episode.episode import Episode, Goal, GoalObject, Instruction
from waypost.domain.episode.route import Route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun, RunEnd
from waypost.io.file_reading import open_for_reading

IN_MEMORY_BYTES = 32_000_000
"""Input up to this size is one bucket in memory."""

BUCKET_BYTES = 12_000_000
"""Input per bucket beyond that."""

MOST_BUCKETS = 256
"""Each is an open file while an input is dealt out."""

_GZIP_RATIO = 8
_BATCH = 16
"""Items pickled at once: enough to name each class once, few enough to wait in memory."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _read_only(members: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(members)


def _nothing() -> Mapping[Any, Any]:
    return _NOTHING


def _reduce_mapping(value: MappingProxyType[Any, Any]) -> tuple[Any, ...]:
    return (_read_only, (dict(value),)) if value else (_nothing, ())


def _by_constructor(kind: type[Any], **blank: object) -> Callable[[Any], tuple[Any, ...]]:
    """A reducer that calls the constructor; the fields of ``blank`` are left out of the pickle."""
    names = [part.name for part in fields(kind)]
    parts = attrgetter(*names)
    holes = [(names.index(name), value) for name, value in blank.items()]

    def reduce(value: Any) -> tuple[Any, ...]:
        found = list(parts(value))
        for place, empty in holes:
            found[place] = empty
        return kind, tuple(found)

    return reduce


_RUN_PARTS: Final = tuple(part.name for part in fields(EpisodeRun))
_SAID: Final = attrgetter("raw_text", "prompt", "observation", "thought", "plan", "options")
_UNSAID: Final = ("", "", "", "", "", ())


def _reduce_run(run: EpisodeRun) -> tuple[Any, ...]:
    """A run without what no score looks at, of which a digest tells whether two are the same."""
    parts = {name: getattr(run, name) for name in _RUN_PARTS} | {"extra": _NOTHING, "record": None}
    said = [_SAID(decision) for decision in run.decisions]
    if run.extra or any(each != _UNSAID for each in said):
        whole = json.dumps((dict(run.extra), said), sort_keys=True, default=repr)
        digest = blake2b(whole.encode(), digest_size=12).hexdigest()
        parts["extra"] = MappingProxyType({"digest": digest})
    return EpisodeRun, tuple(parts.values())


# No score looks at what is blank here. Frozen dataclasses pickle four times slower by themselves,
# read-only mappings not at all.
_REDUCERS: dict[type[Any], Callable[[Any], Any]] = {
    MappingProxyType: _reduce_mapping,
    Episode: _by_constructor(Episode, extra=_NOTHING, record=None),
    EpisodeRun: _reduce_run,
    Instruction: lambda value: (Instruction, (value.text,)),
    Decision: _by_constructor(
        Decision, raw_text="", prompt="", observation="", thought="", plan="", options=()
    ),
    **{kind: _by_constructor(kind) for kind in (Answer, Goal, GoalObject, Route, RunEnd)},
}


@dataclass(slots=True)
class Bucket:
    """Episodes of some ids and all runs of them; in memory, or in files of a shared folder."""

    episodes: list[Episode] | Path
    runs: list[list[EpisodeRun] | Path]
    """One per result file, in their order."""

    def read_episodes(self) -> Iterator[Episode]:
        """The episodes, in the order of their files."""
        yield from _items(self.episodes)

    def read_runs(self, index: int) -> Iterator[EpisodeRun]:
        """The runs of one result file, in its order."""
        yield from _items(self.runs[index])


@dataclass(slots=True)
class BucketDealer:
    """Deals items out to buckets; close it before the buckets are read.

    Args:
        count: Buckets.
        result_count: Result files.
        folder: Where buckets are kept; ``None`` keeps them in memory.
    """

    count: int
    result_count: int
    folder: Path | None
    buckets: list[Bucket] = field(default_factory=list)
    _open: dict[Path, IO[bytes]] = field(default_factory=dict)
    _waiting: dict[Path, list[Episode | EpisodeRun]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number in range(self.count):
            if self.folder is None:
                self.buckets.append(Bucket([], [[] for _ in range(self.result_count)]))
            else:
                paths = [self.folder / f"{number}-{run}" for run in range(self.result_count)]
                self.buckets.append(Bucket(self.folder / f"{number}-episodes", list(paths)))

    def add_episode(self, episode: Episode) -> None:
        """Put an episode into the bucket of its id."""
        self._put(self._bucket(episode.episode_id).episodes, episode)

    def add_run(self, index: int, run: EpisodeRun) -> None:
        """Put a run of one result file into the bucket of its episode."""
        self._put(self._bucket(run.episode_id).runs[index], run)

    def close(self) -> None:
        """Finish the files; items of a further input may follow."""
        try:
            for target, batch in self._waiting.items():
                self._write(target, batch)
            with self._refusals_named():
                for stream in self._open.values():
                    stream.flush()
        finally:
            self._waiting.clear()
            for stream in self._open.values():
                # What could not be written was said already.
                with contextlib.suppress(OSError):
                    stream.close()
            self._open.clear()

    def _bucket(self, episode_id: str) -> Bucket:
        if self.count == 1:
            return self.buckets[0]
        return self.buckets[zlib.crc32(episode_id.encode(errors="surrogatepass")) % self.count]

    def _put(self, target: list[Any] | Path, item: Episode | EpisodeRun) -> None:
        if isinstance(target, list):
            target.append(item)
            return
        batch = self._waiting.setdefault(target, [])
        batch.append(item)
        if len(batch) >= _BATCH:
            self._write(target, batch)
            batch.clear()

    def _write(self, target: Path, batch: list[Episode | EpisodeRun]) -> None:
        if not batch:
            return
        with self._refusals_named():
            stream = self._open.get(target)
            if stream is None:
                stream = self._open[target] = target.open("ab")
            pickler = pickle.Pickler(stream, protocol=pickle.HIGHEST_PROTOCOL)
            pickler.dispatch_table = _REDUCERS
            pickler.dump(batch)

    @contextlib.contextmanager
    def _refusals_named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            place = self.folder.parent if self.folder else Path()
            raise WriteError(str(place), error.strerror or str(error)) from error


@contextlib.contextmanager
def bucket_folder(place: Path | None) -> Iterator[Path]:
    """A folder for the files of buckets; nothing of it stays.

    Args:
        place: Where it is made; by default where the system keeps temporary files.

    Raises:
        WriteError: If it cannot be made; names the place and not what is in it.
    """
    home = place or Path(tempfile.gettempdir())
    try:
        made = tempfile.TemporaryDirectory(prefix="waypost-", dir=home, ignore_cleanup_errors=True)
    except OSError as error:
        raise WriteError(str(home), error.strerror or str(error)) from error
    with made as folder:
        yield Path(folder)


def bucket_count(paths: Iterable[Path]) -> int:
    """How many buckets the content of files and folders needs; 1 where it fits into memory."""
    size = sum(map(_size, paths))
    if size <= IN_MEMORY_BYTES:
        return 1
    return min(MOST_BUCKETS, max(2, math.ceil(size / BUCKET_BYTES)))


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(entry.stat().st_size for entry in path.rglob("*") if entry.is_file())
    if not path.exists():
        return 0
    with open_for_reading(path) as stream:
        is_packed = stream.read(2) == b"\x1f\x8b"
    return path.stat().st_size * (_GZIP_RATIO if is_packed else 1)


def _items(source: Iterable[Any] | Path) -> Iterator[Any]:
    if not isinstance(source, Path):
        yield from source
        return
    if not source.exists():
        return
    with source.open("rb") as stream:
        while True:
            try:
                yield from pickle.load(stream)  # noqa: S301 - our own file of this very run
            except EOFError:
                return
