"""The JSON lines beside a take's CSV: its header, what happened, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import ReadError, WriteError
from waypost.domain.record.recording import SCHEMA, SCHEMA_VERSION, TakeEvent
from waypost.io.file_reading import decode_text, read_file_bytes
from waypost.io.foreign_errors import reader

RECORDS_SUFFIX: Final = ".take.jsonl"


@dataclass(frozen=True, slots=True)
class TakeRecords:
    """What the lines say."""

    header: Mapping[str, Any]
    """Without the keys ``kind`` and ``csv``."""

    events: tuple[TakeEvent, ...] = ()
    end: Mapping[str, Any] | None = None
    """The first end record; ``None``: the take was cut off."""

    notes: tuple[str, ...] = field(default=())


def records_path(csv_path: Path) -> Path:
    """The file of records beside a CSV."""
    return csv_path.with_name(csv_path.stem + RECORDS_SUFFIX)


def csv_path_of(records: Path) -> Path:
    """The CSV beside a file of records."""
    return records.with_name(records.name.removesuffix(RECORDS_SUFFIX) + ".csv")


@reader
def read_records(path: Path) -> TakeRecords:
    """Read the records of a take; a line that was cut off is noted and left out.

    Raises:
        ReadError: If the file is missing, is no record of a take or of a later version.
    """
    text = decode_text(read_file_bytes(path).rstrip(b"\x00"), str(path))
    notes: list[str] = []
    records: list[dict[str, Any]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            notes.append(f"{path.name}: line {number} is damaged or cut off and was left out")
            continue
        if not isinstance(record, dict):
            raise ReadError(str(path), f"line {number}", "is not a JSON object")
        records.append(record)
    header = _header(path, records)
    events = tuple(_event(path, record) for record in records[1:] if record.get("kind") != "end")
    end = next((record for record in records[1:] if record.get("kind") == "end"), None)
    return TakeRecords(MappingProxyType(header), events, end, tuple(notes))


def add_missing_end(csv_path: Path, reason: str) -> bool:
    """Write down why a take has no end, in place of a worker that could not.

    The count of rows is left out: only the CSV knows it.

    Returns:
        Whether a record was added; false if the take has an end.

    Raises:
        ReadError: If the records cannot be read.
        WriteError: If the record cannot be written.
    """
    path = records_path(csv_path)
    if read_records(path).end is not None:
        return False
    line = json.dumps({"kind": "end", "complete": False, "reason": reason}) + "\n"
    try:
        with path.open("rb+") as stream:
            data = stream.read()
            # A line that was cut off stays apart from ours.
            stream.write(b"\n" * (not data.endswith(b"\n")) + line.encode())
    except OSError as error:
        raise WriteError(str(path), error.strerror or str(error)) from error
    return True


def _header(path: Path, records: list[dict[str, Any]]) -> dict[str, Any]:
    first = records[0] if records else {}
    if first.get("kind") != "header" or first.get("schema") != SCHEMA:
        raise ReadError(str(path), "line 1", f"is not the header of a {SCHEMA}")
    version = first.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ReadError(str(path), "line 1", f"schema version {version!r} is none")
    if version > SCHEMA_VERSION:
        raise ReadError(
            str(path),
            "line 1",
            f"schema version {version} is newer than this program, which knows {SCHEMA_VERSION}",
        )
    return {key: value for key, value in first.items() if key not in {"kind", "csv"}}


def _event(path: Path, record: dict[str, Any]) -> TakeEvent:
    try:
        return TakeEvent(
            str(record["kind"]),
            int(record["time_ns"]),
            int(record["wall_time_ns"]),
            str(record.get("detail", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ReadError(str(path), "events", f"one lacks kind or times: {error}") from error
