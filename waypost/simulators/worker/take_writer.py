"""The two files of one take, written by a thread so that a slow disk never delays a step."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from pathlib import Path
from typing import Any

from waypost.simulators.worker.appended_file import AppendedFile

WRITE_EVERY_S = 0.2
"""Samples reach the operating system this often, whether or not requests come in."""

RECORDS_SUFFIX = ".take.jsonl"
"""Ending of the file beside the CSV: the header, what happened, and the end record."""

_FRAMES_SUFFIX = ".frames"
"""Ending of the folder of camera frames beside the CSV, which the window may make."""

_MOST_TAKES = 100_000


class TakeWriter:
    """Appends samples to a CSV and records to the JSON lines beside it.

    The end record goes out only after the last sample has: a file with an end record is whole.
    """

    def __init__(self, wished_path: str, columns: tuple[str, ...], header: dict[str, Any]) -> None:
        """Create the files of the next free take and write header and column names.

        Args:
            wished_path: ``DIR/NAME.csv``; the take becomes ``DIR/NAME_take001.csv``, …
            columns: First line of the CSV.
            header: First record; the name of the CSV is added.

        Raises:
            OSError: If the folder or the files cannot be made or written; none stays behind.
        """
        self._csv, self._records = _open_next(wished_path)
        self.path = self._csv.path
        self.row_count = 0
        self._digest = hashlib.sha256()
        self._end: dict[str, Any] | None = None
        self._is_end_added = False
        self._is_done = False
        self._flush_lock = threading.Lock()
        self._wake = threading.Event()
        self._is_given_up = False
        self._add(",".join(columns) + "\n")
        self.add_record({"kind": "header", "csv": Path(self.path).name, **header})
        if not self.flush():
            self._remove()
            raise OSError(self.problem)
        self._thread = threading.Thread(target=self._run, name="take writer", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str:
        """Why not everything is in the files, or empty."""
        return self._csv.problem or self._records.problem

    @property
    def unsaved_rows(self) -> int:
        """Samples that are only in memory; 1 where the end record is all that is missing.

        Until that is in its file, whoever reads the take finds one that was cut off.
        """
        is_end_missing = self._end is not None and not self._is_done
        return max(min(self.row_count, self._csv.unsaved_lines), int(is_end_missing))

    @property
    def is_saved(self) -> bool:
        """Whether everything, the end record included, is in the files."""
        if self._end is not None:
            return self._is_done
        return self._csv.is_saved and self._records.is_saved

    def add_row(self, line: str) -> None:
        """Append a sample, without its line end."""
        self._add(line + "\n")
        self.row_count += 1

    def add_record(self, record: dict[str, Any]) -> None:
        """Append a record to the JSON lines."""
        self._records.add(_line(record))

    def end(self, record: dict[str, Any]) -> bool:
        """Add the end record, which counts the rows, and close the files.

        Returns:
            Whether everything is in the files; if not, the thread goes on trying.
        """
        self._end = {
            "kind": "end",
            **record,
            "rows": self.row_count,
            "csv_sha256": self._digest.hexdigest(),
        }
        is_saved = self.flush()
        self._wake.set()
        if is_saved:
            self._thread.join()
        return is_saved

    def flush(self) -> bool:
        """Give everything to the operating system.

        Returns:
            Whether that worked.
        """
        with self._flush_lock:
            # Looked at before the samples: of an end that comes later the last may not be written.
            end = self._end
            is_written = self._csv.write()
            if is_written and end is not None and not self._is_end_added:
                self._records.add(_line(end))
                self._is_end_added = True
            is_written = self._records.write() and is_written
            self._is_done = is_written and self._is_end_added
            return is_written

    def give_up(self) -> None:
        """Try a last time and let go of the files; what is unsaved then is lost."""
        self.flush()
        self._is_given_up = True
        self._wake.set()
        self._thread.join()

    def _add(self, text: str) -> None:
        data = text.encode()
        self._digest.update(data)
        self._csv.add(data)

    def _run(self) -> None:
        self.flush()
        while not self._is_given_up and not self._is_done:
            self._wake.wait(WRITE_EVERY_S)
            self._wake.clear()
            self.flush()
        self._csv.close()
        self._records.close()

    def _remove(self) -> None:
        for file in (self._csv, self._records):
            file.close()
            with contextlib.suppress(OSError):
                Path(file.path).unlink()


def _open_next(wished_path: str) -> tuple[AppendedFile, AppendedFile]:
    """Create both files under the first number of which nothing is there, frames included."""
    wished = Path(wished_path).absolute()
    stem = str(wished.with_suffix("") if wished.suffix == ".csv" else wished)
    wished.parent.mkdir(parents=True, exist_ok=True)
    for number in range(1, _MOST_TAKES):
        name = f"{stem}_take{number:03d}"
        # Frames of a take that somebody has deleted are none of another take.
        if os.path.lexists(name + _FRAMES_SUFFIX):
            continue
        try:
            records = AppendedFile(name + RECORDS_SUFFIX)
        except FileExistsError:
            continue
        try:
            return AppendedFile(name + ".csv"), records
        except OSError as error:
            records.close()
            Path(records.path).unlink()
            if not isinstance(error, FileExistsError):
                raise
    raise FileExistsError(f"{stem}: has {_MOST_TAKES} takes")


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, allow_nan=False).encode() + b"\n"
