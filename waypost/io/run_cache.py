"""Indexed runs on disk, so that a run opens at once the second time; damage is never trusted.

A folder holds, for each run, ``<identity>.rows`` (the table and where each replay stands) and the
replays themselves in a file that it names. The first is written last; whatever does not fit
together counts as not there. Nothing here is ever executed or unpickled.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import secrets
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import platformdirs

from waypost.domain.base.errors import ReadError, WriteError
from waypost.domain.base.value_codec import decode, encode
from waypost.domain.episode.import_report import ImportFinding
from waypost.domain.replay.run_rows import RunRows
from waypost.io.atomic import write_bytes_atomic
from waypost.io.file_reading import read_plain_bytes
from waypost.io.foreign_errors import reading
from waypost.io.kept_records import Place, RecordWriter
from waypost.io.run_rows_codec import BLOCK, decode_rows, encode_rows

MOST_BYTES: Final = 2 << 30
"""The cache is kept below this; what was not used for the longest time goes first."""

MOST_REPLAY_BYTES: Final = 1 << 30
"""Replays of one run beyond this are not kept; they are read from the source when asked for."""

_VERSION: Final = 1
_BEFORE_ROWS: Final = 2
"""Lines before the first block of rows."""

_ROWS: Final = ".rows"
_REPLAYS: Final = ".replays"
_UNFINISHED: Final = ".unfinished"
_DAY_S: Final = 86_400.0


@dataclass(frozen=True, eq=False, slots=True)
class IndexedRun:
    """What is known about a whole result file without reading it."""

    rows: RunRows
    format: str
    conventions: str
    coverage: Mapping[str, int]
    """As in ``ReplayedRun``."""

    findings: tuple[ImportFinding, ...] = ()
    warnings: tuple[str, ...] = ()
    replays: Path | None = None
    """File of the replays; ``None`` if none are kept."""

    places: tuple[Place, ...] = field(default=(), repr=False)
    """One per row: where its replay stands."""


def default_folder() -> Path:
    """Where the user's cache is on this machine."""
    return Path(platformdirs.user_cache_dir("waypost", appauthor=False)) / "runs"


@dataclass(frozen=True, slots=True)
class RunCache:
    """The indexed runs in a folder."""

    folder: Path

    def load(self, identity: str) -> IndexedRun | None:
        """The run of an identity; ``None`` if it is not there whole and undamaged."""
        if not identity:
            return None
        file = self._rows(identity)
        try:
            with reading(file):
                lines = zlib.decompress(read_plain_bytes(file, MOST_BYTES)).splitlines()
                found = self._decoded(json.loads(lines[0]), lines[1:])
        except ReadError:
            return None
        with contextlib.suppress(OSError):
            file.touch()
            if found.replays is not None:
                found.replays.touch()
        return found

    def _rows(self, identity: str) -> Path:
        return self.folder / f"{identity}{_ROWS}"

    def _decoded(self, value: Any, lines: list[bytes]) -> IndexedRun:
        if value["version"] != _VERSION:
            raise ValueError("is of another version")
        replays = self.folder / str(value["replays"])
        if replays.suffix != _REPLAYS or replays.parent != self.folder:
            raise ValueError("names no file of replays")
        if replays.stat().st_size != value["replay_bytes"]:
            raise ValueError("the replays are not whole")
        places: list[Place] = []
        rows = decode_rows(_blocks(lines, places))
        if len(places) != len(rows) or value["row_count"] != len(rows):
            raise ValueError("rows and replays do not belong together")
        return IndexedRun(
            rows,
            str(value["format"]),
            str(value["conventions"]),
            MappingProxyType({str(key): int(count) for key, count in value["coverage"].items()}),
            tuple(decode(ImportFinding, finding) for finding in value["findings"]),
            tuple(map(str, value["warnings"])),
            replays,
            tuple(places),
        )

    def begin(self, identity: str) -> RecordWriter:
        """A new file for the replays of a run.

        Raises:
            WriteError: If the folder cannot be written.
        """
        name = f"{identity or 'unknown'}-{secrets.token_hex(4)}{_UNFINISHED}"
        return RecordWriter(self.folder / name, MOST_REPLAY_BYTES)

    def keep(self, identity: str, run: IndexedRun, replays: RecordWriter) -> Path:
        """Keep a run whose replays were written; the writer is closed.

        Returns:
            Where the replays are now.

        Raises:
            WriteError: If the disk is full or the like; the unfinished file goes.
        """
        final = replays.path.with_suffix(_REPLAYS)
        target = self._rows(identity)
        try:
            replays.close()
            packed = _packed(run, {"replays": final.name, "replay_bytes": replays.byte_count})
            replays.path.replace(final)
            write_bytes_atomic(target, packed)
        except (OSError, ValueError, WriteError) as error:
            discard(replays)
            with contextlib.suppress(OSError):
                final.unlink(missing_ok=True)
            raise WriteError(str(target), str(error)) from error
        for other in self.folder.glob(f"{identity}-*{_REPLAYS}"):
            if other != final:
                with contextlib.suppress(OSError):
                    other.unlink()
        self.shrink(MOST_BYTES, {target, final})
        return final

    def shrink(self, most_bytes: int, spared: set[Path]) -> None:
        """Delete what was used least lately until the rest is small enough; errors are ignored.

        What a killed program left unfinished on an earlier day goes as well.
        """
        with contextlib.suppress(OSError):
            files = {file: file.stat() for file in self.folder.iterdir() if file.is_file()}
            total = sum(facts.st_size for facts in files.values())
            yesterday = time.time() - _DAY_S
            for file, facts in sorted(files.items(), key=lambda entry: entry[1].st_mtime):
                is_left = file.suffix == _UNFINISHED and facts.st_mtime < yesterday
                if file not in spared and (is_left or total > most_bytes):
                    total -= facts.st_size
                    with contextlib.suppress(OSError):
                        file.unlink()


def _blocks(lines: list[bytes], places: list[Place]) -> Iterator[Any]:
    """What the lines hold, one at a time; where the replays stand goes to ``places``."""
    for line in lines:
        block = json.loads(line)
        places += [(int(first), int(count)) for first, count in block.get("places", ())]
        yield block


def _packed(run: IndexedRun, replays: dict[str, Any]) -> bytes:
    """JSON lines: facts, what holds for all rows, then the rows in blocks with their places."""
    head = {
        "version": _VERSION,
        **replays,
        "row_count": len(run.rows),
        "format": run.format,
        "conventions": run.conventions,
        "coverage": dict(run.coverage),
        "findings": [encode(finding) for finding in run.findings],
        "warnings": list(run.warnings),
    }
    packer = zlib.compressobj(1)
    parts = []
    for number, value in enumerate(itertools.chain([head], encode_rows(run.rows))):
        if number >= _BEFORE_ROWS:
            start = (number - _BEFORE_ROWS) * BLOCK
            value["places"] = run.places[start : start + BLOCK]
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
        parts.append(packer.compress(f"{text}\n".encode()))
    return b"".join([*parts, packer.flush()])


def discard(replays: RecordWriter) -> None:
    """Give up an unfinished file of replays."""
    with contextlib.suppress(WriteError):
        replays.close()
    with contextlib.suppress(OSError):
        replays.path.unlink(missing_ok=True)
