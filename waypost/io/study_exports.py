"""What a study leaves for others: its takes with a manifest, and its tables as CSV and Parquet."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, Final

from waypost.domain.base.errors import InputError, ReadError, WriteError
from waypost.domain.record.study import Study, Take
from waypost.domain.record.study_progress import LeftOut
from waypost.domain.record.take_quality import (
    DEFAULT_LIMITS,
    FlagKind,
    QualityLimits,
    quality_flags,
)
from waypost.io.atomic import write_bytes_atomic, write_text_atomic
from waypost.io.file_reading import read_plain_bytes
from waypost.io.json_reading import read_json
from waypost.io.json_writing import write_json_file
from waypost.io.recordings.take_records import RECORDS_SUFFIX, records_path

Cell = str | int | float | bool | None
"""``None``: undefined; an empty cell in CSV, null in Parquet."""

SCHEMA: Final = "waypost-study-export"
MANIFEST_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
SUBMISSIONS: Final = ("vlnce-r2r.json", "vlnce-rxr.jsonl", "r2r.json")
"""How the names of submission files end: the key of a format and its suffix."""

ACTIVE_TIME_RULE: Final = (
    "wall time from the first sample, pauses and time without keyboard focus taken off; the clock"
    " stops 60 s after the last key"
)
"""Written beside every active time."""

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "'")


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns of one type each."""

    columns: tuple[tuple[str, type], ...]
    """Name, and ``str``, ``int``, ``float`` or ``bool``."""

    rows: tuple[tuple[Cell, ...], ...]


class CopyState(StrEnum):
    """What became of a take's file."""

    COPIED = "copied"
    MISSING = "missing"
    """There is no such file."""

    CHANGED = "changed"
    """The file is not the one that was recorded; it is not copied."""


@dataclass(frozen=True, slots=True)
class CopiedTake:
    """A take of an export."""

    take: Take
    state: CopyState
    file: str
    """POSIX path in the export folder; empty if it was not copied."""


def remove_earlier_export(folder: Path) -> int:
    """Remove the takes and submission files that an earlier export left in a folder.

    Whoever withdrew consent since then must not stay in it. A folder without the manifest of an
    export is left alone, and so is every file that an export does not write.

    Returns:
        How many files were removed.

    Raises:
        WriteError: If one cannot be removed.
    """
    if not _is_export(folder / MANIFEST):
        return 0
    found = [
        *folder.glob("takes/*/*_take*.csv"),
        *folder.glob(f"takes/*/*_take*{RECORDS_SUFFIX}"),
        *folder.glob("takes/*/*_take*.parquet"),
        *(path for kind in SUBMISSIONS for path in folder.glob(f"submissions/*_{kind}")),
    ]
    for path in found:
        try:
            path.unlink()
        except OSError as error:
            raise WriteError(str(path), error.strerror or str(error)) from error
    for place in {path.parent for path in found if path.parent.name != "submissions"}:
        # The name of a folder is a code; one with files of others stays.
        with suppress(OSError):
            place.rmdir()
    return len(found)


def _is_export(manifest: Path) -> bool:
    try:
        found = read_json(manifest).root.value
    except ReadError:
        return False
    return isinstance(found, dict) and found.get("schema") == SCHEMA


def copy_takes(root: Path, folder: Path, takes: Iterable[Take]) -> tuple[CopiedTake, ...]:
    """Copy the files of takes, the records beside each included, after checking their hashes.

    Args:
        root: Folder that the paths of takes resolve against.
        folder: Of the export; files go to ``takes/CODE/`` in it.
        takes: What to copy.

    Raises:
        WriteError: If a file cannot be written.
    """
    return tuple(_copy(root, folder, take) for take in takes)


def _copy(root: Path, folder: Path, take: Take) -> CopiedTake:
    source = root / PurePosixPath(take.path)
    try:
        data = read_plain_bytes(source)
    except ReadError:
        return CopiedTake(take, CopyState.MISSING, "")
    if hashlib.sha256(data).hexdigest() != take.content_hash:
        return CopiedTake(take, CopyState.CHANGED, "")
    name = export_name(take)
    target = folder / PurePosixPath(name)
    write_bytes_atomic(target, data)
    beside = records_path(source)
    if beside.is_file():
        write_bytes_atomic(records_path(target), read_plain_bytes(beside))
    return CopiedTake(take, CopyState.COPIED, name)


def export_name(take: Take) -> str:
    """POSIX path of a take in an export, in letters that every system allows.

    A digest keeps apart what would have one name after unsafe letters are replaced.
    """
    key = take.key
    digest = hashlib.sha256("\0".join(key[:3]).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    stem = "_".join(_safe(part) for part in (key.scene_id, key.episode_id))
    return f"takes/{_safe(key.participant)}/{stem[:80]}_{digest}_take{key.number}.csv"


def _safe(text: str) -> str:
    return _UNSAFE.sub("-", text).strip("-.") or "x"


def write_manifest(
    path: Path, study: Study, copied: Sequence[CopiedTake], left_out: Sequence[LeftOut]
) -> None:
    """Write which takes an export holds, what stands behind each, and why others are not in it.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_json_file(
        path,
        {
            "schema": SCHEMA,
            "schema_version": MANIFEST_VERSION,
            "study": "" if study.plan is None else study.plan.name,
            "consent_texts": [
                {"version": text.version, "sha256": text.text_hash}
                for text in study.consent_texts.values()
            ],
            "active_time_rule": ACTIVE_TIME_RULE,
            "takes": [_manifest_entry(study, entry) for entry in copied],
            "left_out": [{**_key_values(entry.key), "reason": entry.reason} for entry in left_out],
        },
    )


def _manifest_entry(study: Study, entry: CopiedTake) -> dict[str, Any]:
    take = entry.take
    consent = [
        given.version
        for given in study.participants[take.key.participant].consents
        if given.time_utc <= take.started_utc
    ]
    return {
        **_key_values(take.key),
        "file": entry.file,
        "state": entry.state.value,
        "sha256": take.content_hash,
        "started_utc": take.started_utc,
        "consent_version": max(consent, default=None),
    }


def _key_values(key: tuple[str, str, str, str, int]) -> dict[str, Any]:
    names = ("dataset", "scene_id", "episode_id", "participant", "take")
    return dict(zip(names, key, strict=True))


def score_table(
    study: Study, takes: Sequence[Take], limits: QualityLimits = DEFAULT_LIMITS
) -> Table:
    """One row per take: key, outcome, durations, flags, then each score and why it is undefined."""
    names = sorted({name for take in takes for name in take.scores})
    columns: list[tuple[str, type]] = [
        *((name, str) for name in ("participant", "dataset", "split", "scene_id", "episode_id")),
        ("take", int),
        ("place", int),
        *((name, str) for name in ("outcome", "reason", "started_utc")),
        *((name, float) for name in ("duration_s", "wall_duration_s", "pause_s", "active_s")),
        ("rows", int),
        *((name, float) for name in ("achieved_rate_hz", "path_length_m", "turned_rad")),
        ("collision_count", int),
        ("strict_collision_count", int),
        ("focus_lost_share", float),
        *((f"flag_{kind.value}", bool) for kind in FlagKind),
    ]
    for name in names:
        columns += [(name, float), (f"{name}_undefined", str)]
    rows = tuple(_score_row(study, take, names, limits) for take in takes)
    return Table((*columns, ("sha256", str)), rows)


def _score_row(
    study: Study, take: Take, names: Sequence[str], limits: QualityLimits
) -> tuple[Cell, ...]:
    key, summary = take.key, take.summary
    assignment = study.assignments[key.assignment]
    flags = {flag.kind for flag in quality_flags(summary, limits)}
    scores: list[Cell] = []
    for name in names:
        value = take.scores.get(name)
        note = take.score_notes.get(name, "the take was not scored")
        scores += [value, None if value is not None else note]
    return (
        key.participant,
        key.dataset,
        study.episodes[key.assignment.episode].split,
        key.scene_id,
        key.episode_id,
        key.number,
        assignment.place,
        assignment.state.value,
        assignment.reason,
        take.started_utc,
        summary.duration_ns / 1e9,
        summary.wall_duration_ns / 1e9,
        summary.pause_ns / 1e9,
        summary.active_ns / 1e9,
        summary.rows,
        summary.achieved_rate_hz,
        summary.path_length_m,
        summary.turned_rad,
        summary.collision_count,
        summary.strict_collision_count,
        summary.focus_lost_share,
        *(kind in flags for kind in FlagKind),
        *scores,
        take.content_hash,
    )


def write_table_csv(path: Path, table: Table) -> None:
    """Write a table for spreadsheets: UTF-8 with a byte order mark, texts safe to open.

    Raises:
        WriteError: If the file cannot be written.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([name for name, _ in table.columns])
    writer.writerows([_csv_cell(cell) for cell in row] for row in table.rows)
    try:
        write_text_atomic(path, "\ufeff" + stream.getvalue())
    except UnicodeEncodeError as error:
        raise InputError(f"{path}: a text holds half a character: {error.reason}") from error


def _csv_cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str):
        # A spreadsheet runs a text that begins like a formula; an apostrophe makes it text.
        return f"'{cell}" if cell.startswith(_FORMULA) else cell
    return repr(cell)


def write_table_parquet(
    path: Path, table: Table, metadata: Mapping[str, str] | None = None
) -> None:
    """Write a table as Parquet with the types of its columns.

    Args:
        path: The file.
        table: What to write.
        metadata: Texts by key to stand in the file beside the columns.

    Raises:
        WriteError: If the file cannot be written.
    """
    import pyarrow as pa  # noqa: PLC0415 - 0.2 s to import, needed by few commands
    import pyarrow.parquet as pq  # noqa: PLC0415

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    arrays = [
        pa.array([row[index] for row in table.rows], kinds[kind])
        for index, (_, kind) in enumerate(table.columns)
    ]
    stream = io.BytesIO()
    made = pa.Table.from_arrays(arrays, [name for name, _ in table.columns])
    if metadata:
        made = made.replace_schema_metadata(dict(metadata))
    pq.write_table(made, stream)
    write_bytes_atomic(path, stream.getvalue())
