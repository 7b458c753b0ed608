"""VLNVerse human demonstrations: one CSV of camera poses per episode, named by its id.

Source: william13077/IAmGoodNavigator:demo.py.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.frames import FARTHEST_M, TOO_FAR
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.io.file_head import FileHead
from waypost.io.logs.run_format import RunFormat, Way
from waypost.io.logs.run_records import files_in, first_file, read_folder
from waypost.io.logs.run_writing import open_text, positions_of
from waypost.io.logs.text_lines import read_lines
from waypost.io.read_log import ReadLog

_POSE: Final = ("pos_x", "pos_y", "pos_z", "look_x", "look_y", "look_z")
_COLUMNS: Final = (*_POSE, "frame")


def can_read(head: FileHead) -> bool:
    """Whether the first line names the columns, or a folder holds such a file."""
    if head.is_folder:
        file = first_file(head.path, "*.csv")
        return file is not None and _names_columns(next(read_lines(file, ReadLog()), ""))
    return _names_columns(head.text.split("\n", 1)[0])


def _names_columns(line: str) -> bool:
    return set(_POSE) <= {name.strip() for name in line.split(",")}


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per file."""
    if path.is_dir():
        yield from read_folder(files_in(path, "*.csv"), log, read)
        return
    episode_id = path.name.removesuffix(".gz").removesuffix(".csv")
    header, lines = _lines(path, log)
    is_whole = not lines or len(lines[-1][1]) >= len(header)
    if not is_whole:
        lines.pop()
        log.add(
            ImportKind.TRUNCATED,
            f"{path} ends in the middle of a line; its {len(lines)} complete poses were read",
            item_id=episode_id,
            step=len(lines),
        )
    for number, row in lines:
        if len(row) != len(header):
            reason = f"has {len(row)} values, not {len(header)}"
            raise ReadError(str(path), f"line {number}", reason)
    values = _numbers(lines, [header.index(name) for name in _POSE], path)
    body = [row for _, row in lines]
    extra = {
        name: [row[index] for row in body] for index, name in enumerate(header) if name not in _POSE
    }
    yield EpisodeRun(
        episode_id=episode_id,
        route=_route(values) if len(values) else EMPTY_ROUTE,
        end=RunEnd(called_stop=True, reason="Enter pressed") if is_whole else RunEnd(),
        extra=MappingProxyType(extra),
        record={"header": header, "rows": body},
    )


def _lines(path: Path, log: ReadLog) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of the columns, and every further line that is not empty with its number."""
    try:
        rows = list(csv.reader(read_lines(path, log)))
    except csv.Error as error:
        raise ReadError(str(path), "file", f"is no CSV: {error}") from error
    header = [name.strip() for name in rows[0]]
    missing = [name for name in _POSE if name not in header]
    if missing:
        raise ReadError(str(path), "line 1", f"lacks the column {missing[0]}")
    return header, [(number, row) for number, row in enumerate(rows[1:], start=2) if row]


def _numbers(
    lines: list[tuple[int, list[str]]], columns: list[int], path: Path
) -> NDArray[np.float64]:
    values = np.empty((len(lines), len(columns)))
    for index, (number, row) in enumerate(lines):
        for place, column in enumerate(columns):
            try:
                values[index, place] = float(row[column])
            except ValueError:
                values[index, place] = math.nan
            if not math.isfinite(values[index, place]):
                where = f"line {number}, {_POSE[place]}"
                raise ReadError(str(path), where, f"{row[column]!r} is no usable number")
            if abs(values[index, place]) > FARTHEST_M:
                where = f"line {number}, {_POSE[place]}"
                raise ReadError(str(path), where, f"{row[column]} is {TOO_FAR}")
    return values


def _route(values: NDArray[np.float64]) -> Route:
    look = values[:, 3:]
    level = np.hypot(look[:, 0], look[:, 1])
    has_yaw = level > 0
    yaws = np.where(has_yaw, np.arctan2(look[:, 1], look[:, 0]), np.nan)
    return route(
        positions_m=values[:, :3],
        yaws_rad=yaws,
        elevations_rad=np.arctan2(look[:, 2], level),
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write one run to a file, or each run to ``<id>.csv`` in a folder if it has no suffix.

    Raises:
        InputError: If a file is to hold several runs, or an id cannot name a file.
    """
    is_folder = path.suffix not in {".csv", ".gz"}
    for index, run in enumerate(runs):
        if not is_folder and index:
            raise InputError(f"{path}: a CSV holds one run; name a folder for several")
        if is_folder and ({"/", "\\"} & set(run.episode_id) or run.episode_id in {"", ".", ".."}):
            raise InputError(f"{path}: {run.episode_id!r} cannot name a file")
        table = run.record if _is_own(run.record) else _table(run)
        with open_text(path / f"{run.episode_id}.csv" if is_folder else path) as text:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(table["header"])
            writer.writerows(table["rows"])
    log.warn("a CSV of poses holds no thoughts, no scores and no way to end but Enter")


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() == {"header", "rows"}


def _table(run: EpisodeRun) -> dict[str, Any]:
    positions = positions_of(run, "a CSV of poses")
    count = len(positions)
    yaws = np.zeros(count) if run.route.yaws_rad is None else np.nan_to_num(run.route.yaws_rad)
    tilt = run.route.elevations_rad
    tilts = np.zeros(count) if tilt is None else np.nan_to_num(tilt)
    look = np.stack(
        [np.cos(yaws) * np.cos(tilts), np.sin(yaws) * np.cos(tilts), np.sin(tilts)], axis=1
    )
    rows = [
        [repr(value) for value in (*position, *direction)] + [str(index)]
        for index, (position, direction) in enumerate(
            zip(positions.tolist(), look.tolist(), strict=True)
        )
    ]
    return {"header": list(_COLUMNS), "rows": rows}


FORMAT: Final = RunFormat(
    name="vlnverse-csv",
    title="VLNVerse human demonstration (CSV of camera poses)",
    can_read=can_read,
    read=read,
    conventions=(
        "USD positions in metres, Z up, of the camera (1.5 m above the floor unless set"
        " otherwise); the look vector gives yaw and elevation; one sample in 50 frames; the file"
        " is written only when Enter ends the run"
    ),
    source="william13077/IAmGoodNavigator:demo.py",
    write=write,
    keys=("pos_x", "pos_y", "pos_z", "look_x", "look_y", "look_z"),
    dataset="VLNVerse",
    way=Way.POSITIONS,
    is_run_folder=can_read,
)
