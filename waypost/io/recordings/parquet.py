"""A take as Parquet: the columns of the CSV, typed, with everything else in the metadata."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from waypost.domain.base.errors import ReadError
from waypost.domain.record.recording import SCHEMA, MarkKind, Recording, RowMark, TakeEvent
from waypost.domain.record.trajectory import UNKNOWN_COUNT, UNKNOWN_NS, trajectory
from waypost.io.atomic import write_bytes_atomic
from waypost.io.file_reading import open_for_reading
from waypost.io.foreign_errors import reading
from waypost.io.json_writing import json_line
from waypost.io.recordings.columns import COLUMNS, cells_of

_KINDS: Final = {
    "time_ns": pa.int64(),
    "wall_time_ns": pa.int64(),
    "action": pa.string(),
    "contact_count": pa.int64(),
    "focus": pa.int8(),
}
MOST_ROWS: Final = 4_000_000
"""Of a recording: nine hours at 120 samples a second."""

_LONGEST_ACTION: Final = 200
_META: Final = SCHEMA.encode()


def write_parquet_recording(path: Path, recording: Recording) -> None:
    """Write a take as one Parquet file; unknown integers are null, unknown floats NaN.

    Raises:
        WriteError: If it cannot be written.
    """
    columns = cells_of(recording.trajectory)
    meta = {
        "header": dict(recording.header),
        "events": [asdict(event) for event in recording.events],
        "is_complete": recording.is_complete,
        "reason": recording.reason,
        "marks": [asdict(mark) for mark in recording.marks],
        "notes": list(recording.notes),
    }
    table = pa.table(
        {name: pa.array(columns[name], _KINDS.get(name, pa.float64())) for name in COLUMNS}
    ).replace_schema_metadata({_META: json_line(meta).encode()})
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    write_bytes_atomic(path, buffer.getvalue())


def read_parquet_recording(path: Path) -> Recording:
    """Read a take that ``write_parquet_recording`` wrote.

    Raises:
        ReadError: If it cannot be read or is something else.
    """
    file = str(path)
    with open_for_reading(path) as stream:
        try:
            table = _table(stream, file)
        except (OSError, pa.ArrowException) as error:
            reason = str(error).split("\n", 1)[0]
            raise ReadError(file, "file", f"is no readable Parquet file: {reason}") from error
    meta = (table.schema.metadata or {}).get(_META)
    if meta is None or table.column_names != list(COLUMNS):
        raise ReadError(file, "metadata", f"is not a {SCHEMA}")
    with reading(file, "metadata"):
        return _recording(table, json.loads(meta))


def _table(stream: BinaryIO, file: str) -> Any:
    """The whole table; equal values pack without end, so both dimensions are looked at first."""
    facts = pq.read_metadata(stream)
    if facts.num_rows > MOST_ROWS:
        raise ReadError(file, "header", f"says {facts.num_rows:,} rows, more than {MOST_ROWS:,}")
    texts = [name for name in facts.schema.names if name == "action"]
    table = pq.read_table(stream, read_dictionary=texts)
    if texts:
        kinds = table.column("action").unify_dictionaries().chunks
        longest = max((len(str(word)) for kind in kinds[:1] for word in kind.dictionary), default=0)
        if longest > _LONGEST_ACTION:
            raise ReadError(file, "action", f"holds a name of {longest:,} characters")
    return table


def _recording(table: Any, meta: dict[str, Any]) -> Recording:
    def floats(*names: str) -> Any:
        parts = [table.column(n).cast(pa.float64()).to_numpy() for n in names]
        return parts[0] if len(parts) == 1 else np.stack(parts, axis=1)

    def integers(name: str, unknown: int) -> Any:
        return [unknown if v is None else v for v in table.column(name).to_pylist()]

    samples = trajectory(
        len(table),
        times_ns=integers("time_ns", UNKNOWN_NS),
        wall_times_ns=integers("wall_time_ns", UNKNOWN_NS),
        positions_m=floats("x_m", "y_m", "z_m"),
        quaternions=floats("qw", "qx", "qy", "qz"),
        yaws_rad=floats("yaw_rad"),
        camera_pitches_rad=floats("camera_pitch_rad"),
        speeds_mps=floats("v_mps"),
        turn_rates_radps=floats("w_radps"),
        displacements_m=floats("displacement_m"),
        contact_counts=integers("contact_count", UNKNOWN_COUNT),
        has_focus=integers("focus", UNKNOWN_COUNT),
        actions=table.column("action").to_pylist(),
    )
    return Recording(
        samples,
        MappingProxyType(meta["header"]),
        tuple(TakeEvent(**event) for event in meta["events"]),
        meta["is_complete"],
        meta["reason"],
        tuple(RowMark(m["row"], MarkKind(m["kind"]), m["message"]) for m in meta["marks"]),
        tuple(meta["notes"]),
    )
