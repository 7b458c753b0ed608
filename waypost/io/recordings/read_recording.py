"""Reads one take, ours or a foreign program's, and says how far it can be trusted."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from waypost.domain.base.errors import ReadError
from waypost.domain.record.recording import Recording
from waypost.domain.record.trajectory import UNKNOWN_NS
from waypost.io.foreign_errors import reader
from waypost.io.recordings.columns import read_columns
from waypost.io.recordings.csv_table import CsvTable, read_csv_table
from waypost.io.recordings.parquet import read_parquet_recording
from waypost.io.recordings.take_records import (
    RECORDS_SUFFIX,
    TakeRecords,
    csv_path_of,
    read_records,
    records_path,
)


@reader
def read_recording(path: Path) -> Recording:
    """Read a take from a CSV, from the records beside it, or from Parquet.

    A CSV with records beside it is one of ours: it is complete only if the end record says so
    and counts as many rows. A last row without line end is left out there. Foreign CSVs are
    read with notes; rows not to be trusted are marked, none is repaired.

    Raises:
        ReadError: If there is no trajectory to read.
    """
    if path.suffix == ".parquet":
        return read_parquet_recording(path)
    if path.name.endswith(RECORDS_SUFFIX):
        path = csv_path_of(path)
    table = read_csv_table(path)
    beside = records_path(path)
    if not beside.exists():
        recording = _from_table(path, table)
        return replace(recording, reason="nothing beside the file says how the take ended")
    records = read_records(beside)
    notes = list(records.notes)
    if table.is_cut_off:
        notes.append(f"line {table.line_numbers[-1]} is cut off and was left out")
        table = replace(table, rows=table.rows[:-1], line_numbers=table.line_numbers[:-1])
    recording = _from_table(path, table)
    is_complete, reason = _ending(recording, records)
    digest = None if records.end is None else records.end.get("csv_sha256")
    if digest is not None and digest != hashlib.sha256(table.data).hexdigest():
        notes.append("the file was changed after it was recorded")
    return replace(
        recording,
        header=records.header,
        events=records.events,
        is_complete=is_complete,
        reason=reason,
        notes=(*recording.notes, *notes),
    )


def _from_table(path: Path, table: CsvTable) -> Recording:
    try:
        samples, marks, notes = read_columns(table)
    except ValueError as error:
        raise ReadError(str(path), "column names", str(error)) from error
    return Recording(samples, marks=marks, notes=(*table.notes, *notes))


def _ending(recording: Recording, records: TakeRecords) -> tuple[bool | None, str]:
    count = len(recording.trajectory)
    end = records.end
    if end is None:
        return False, (
            "the recording was cut off: its engine was killed or the power failed; "
            f"{_saved(recording)}"
        )
    reason = str(end.get("reason", ""))
    expected = end.get("rows")
    if expected is None:
        return False, f"{reason}; {_saved(recording)}"
    if expected != count:
        return False, f"the end record counts {expected} samples, the file holds {count}"
    is_complete = end.get("complete")
    return (is_complete if isinstance(is_complete, bool) else None), reason


def _saved(recording: Recording) -> str:
    samples = recording.trajectory
    if not len(samples) or samples.times_ns[-1] == UNKNOWN_NS:
        return "no sample was saved"
    return f"{len(samples)} samples up to {samples.times_ns[-1] / 1e9:.2f} s were saved"
