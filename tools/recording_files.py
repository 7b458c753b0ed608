"""Takes as files: the CSV and the records that a recording session leaves."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

from waypost.domain.record.recording import SCHEMA, SCHEMA_VERSION, Recording
from waypost.domain.record.trajectory import UNKNOWN_NS
from waypost.io.atomic import write_bytes_atomic
from waypost.io.json_writing import json_line
from waypost.io.recordings.columns import COLUMNS, cells_of
from waypost.io.recordings.take_records import records_path


def write_recording(path: Path, recording: Recording) -> None:
    """Write the CSV and the records beside it; unknown values are empty cells.

    Values are written at full precision: reading gives an equal take. Files of that name are
    replaced.

    Raises:
        WriteError: If one cannot be written.
    """
    columns = cells_of(recording.trajectory)
    lines = [",".join(COLUMNS)]
    lines += [
        ",".join(map(_cell, row)) for row in zip(*(columns[name] for name in COLUMNS), strict=True)
    ]
    data = ("\n".join(lines) + "\n").encode()
    header = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, **recording.header}
    records: list[dict[str, Any]] = [{"kind": "header", "csv": path.name, **header}]
    records += [
        {
            "kind": event.kind,
            "time_ns": event.time_ns,
            "wall_time_ns": event.wall_time_ns,
            "detail": event.detail,
        }
        for event in recording.events
    ]
    records.append(_end(recording, data))
    text = "".join(json_line(record) + "\n" for record in records)
    write_bytes_atomic(records_path(path), text.encode())
    write_bytes_atomic(path, data)


def _end(recording: Recording, data: bytes) -> dict[str, Any]:
    samples = recording.trajectory
    times = {
        name: int(values[-1])
        for name, values in (("time_ns", samples.times_ns), ("wall_time_ns", samples.wall_times_ns))
        if len(values) and values[-1] != UNKNOWN_NS
    }
    return {
        "kind": "end",
        "complete": recording.is_complete,
        "reason": recording.reason,
        **times,
        "rows": len(samples),
        "csv_sha256": hashlib.sha256(data).hexdigest(),
    }


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    text = str(value)
    if any(mark in text for mark in ',"'):
        return '"' + text.replace('"', '""') + '"'
    return text
