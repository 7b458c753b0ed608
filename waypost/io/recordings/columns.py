"""From the columns of a table, ours or another program's, to a trajectory with marked rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import FARTHEST_M, TOO_FAR, quaternion_from_yaw, yaw_from_quaternion
from waypost.domain.record.recording import MarkKind, RowMark
from waypost.domain.record.trajectory import UNKNOWN_COUNT, UNKNOWN_NS, Trajectory, trajectory
from waypost.io.recordings.csv_table import CsvTable

COLUMNS: Final = (
    "time_ns", "wall_time_ns", "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz", "yaw_rad",
    "camera_pitch_rad", "v_mps", "w_radps", "action", "contact_count", "displacement_m", "focus",
)  # fmt: skip
"""Of our own CSV, in this order; the worker writes the same."""

_OTHER_NAMES: Final = {
    "pos_x": "x_m", "pos_y": "y_m", "pos_z": "z_m", "x": "x_m", "y": "y_m", "z": "z_m",
    "position_x": "x_m", "position_y": "y_m", "position_z": "z_m", "tx": "x_m", "ty": "y_m",
    "tz": "z_m", "rot_w": "qw", "rot_x": "qx", "rot_y": "qy", "rot_z": "qz",
    "yaw": "yaw_rad", "pitch_rad": "camera_pitch_rad", "camera_pitch": "camera_pitch_rad",
    "v": "v_mps", "speed": "v_mps", "speed_mps": "v_mps", "time_s": "time_s", "t_s": "time_s",
    "t": "time_s", "time": "time_s", "sim_time_s": "time_s", "time_ms": "time_ms",
    "wall_time_s": "wall_time_s", "contacts": "contact_count", "collisions": "contact_count",
}  # fmt: skip
"""Lower-case name in foreign files → ours, or a name with a unit that is converted."""

_FRAME_NS: Final = 40_000_000
"""VLNVerse's human demo renders 25 frames per simulated second."""

_FLAGS: Final = {"true": "1", "false": "0"}
_LARGEST: Final = 2**63 - 1
_QUATERNION: Final = ("qw", "qx", "qy", "qz")
_POSITION: Final = ("x_m", "y_m", "z_m")


@dataclass(slots=True)
class _Columns:
    """The table by column, with what is found on the way."""

    cells: dict[str, list[str]]
    count: int
    line_numbers: tuple[int, ...]
    marks: dict[int, RowMark] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def mark(self, row: int, kind: MarkKind, what: str) -> None:
        self.marks.setdefault(row, RowMark(row, kind, f"line {self.line_numbers[row]}: {what}"))

    def floats(self, name: str) -> NDArray[np.float64]:
        values = np.full(self.count, np.nan)
        for row, cell in enumerate(self.cells.get(name, ())):
            if cell:
                try:
                    values[row] = float(cell)
                except ValueError:
                    self.mark(row, MarkKind.UNREADABLE, f"{name}: {cell[:40]!r} is no number")
        return values

    def integers(self, name: str, unknown: int, per_unit: int = 1) -> NDArray[np.int64]:
        values = np.full(self.count, unknown, np.int64)
        for row, cell in enumerate(self.cells.get(name, ())):
            if cell:
                number = _integer(cell, per_unit, unknown)
                if number is None:
                    self.mark(row, MarkKind.UNREADABLE, f"{name}: {cell[:40]!r} is no number")
                else:
                    values[row] = number
        return values


def read_columns(table: CsvTable) -> tuple[Trajectory, tuple[RowMark, ...], tuple[str, ...]]:
    """Sort the columns of a table into a trajectory.

    Nothing is repaired: a row with a missing, unreadable or infinite position, or whose time
    does not advance, keeps its values and gets a mark.

    Returns:
        The samples, the marked rows, and notes about what was assumed.

    Raises:
        ValueError: If the table has no position, or two columns of one meaning.
    """
    columns = _sorted_columns(table)
    missing = [name for name in _POSITION[:2] if name not in columns.cells]
    if missing:
        raise ValueError(f"there is no column for {missing[0]}; found {', '.join(table.names)}")
    if "z_m" not in columns.cells:
        columns.notes.append("there are no heights")
    times = _times(columns)
    walls = _in_nanoseconds(columns, "wall_time_ns", "wall_time_s", 1_000_000_000)
    positions = np.stack([columns.floats(name) for name in _POSITION], axis=1)
    quaternions, yaws, pitches = _orientation(columns, positions)
    samples = trajectory(
        columns.count,
        times_ns=times,
        wall_times_ns=walls,
        positions_m=positions,
        quaternions=quaternions,
        yaws_rad=yaws,
        camera_pitches_rad=pitches,
        speeds_mps=columns.floats("v_mps"),
        turn_rates_radps=columns.floats("w_radps"),
        displacements_m=columns.floats("displacement_m"),
        contact_counts=columns.integers("contact_count", UNKNOWN_COUNT),
        has_focus=np.clip(columns.integers("focus", UNKNOWN_COUNT), -1, 1),
        actions=columns.cells.get("action"),
    )
    _mark_gaps(columns, samples)
    marks = tuple(columns.marks[row] for row in sorted(columns.marks))
    return samples, marks, tuple(columns.notes)


def _sorted_columns(table: CsvTable) -> _Columns:
    columns = _Columns({}, len(table.rows), table.line_numbers)
    width, ignored = len(table.names), []
    for row, cells in enumerate(table.rows):
        if len(cells) != width:
            columns.mark(row, MarkKind.UNREADABLE, f"has {len(cells)} cells, not {width}")
    renamed = []
    for index, name in enumerate(table.names):
        key = name.lower()
        ours = key if key in COLUMNS else _OTHER_NAMES.get(key)
        if ours is None and key in {"look_x", "look_y", "look_z", "frame", "yaw_deg"}:
            ours = key
        if ours is None:
            ignored.append(name)
            continue
        if ours in columns.cells:
            raise ValueError(f"two columns mean {ours}: {name} is one of them")
        if ours != name:
            renamed.append(f"{name} is {ours}")
        columns.cells[ours] = [cells[index] if index < len(cells) else "" for cells in table.rows]
    if renamed:
        columns.notes.append("read by other names: " + ", ".join(renamed))
    if ignored:
        columns.notes.append("columns not read: " + ", ".join(ignored))
    known = [name for name in table.names if name in COLUMNS]
    if known != sorted(known, key=COLUMNS.index):
        columns.notes.append("columns stand in another order")
    return columns


def _times(columns: _Columns) -> NDArray[np.int64]:
    times = _in_nanoseconds(columns, "time_ns", "time_s", 1_000_000_000)
    if "time_ms" in columns.cells:
        times = columns.integers("time_ms", UNKNOWN_NS, 1_000_000)
    if not {"time_ns", "time_s", "time_ms"} & columns.cells.keys():
        if "frame" not in columns.cells:
            columns.notes.append("there are no times")
            return times
        columns.notes.append("times are frames of 40 ms, as VLNVerse's human demo draws them")
        times = columns.integers("frame", UNKNOWN_NS, _FRAME_NS)
    return times


def _in_nanoseconds(columns: _Columns, ours: str, other: str, per_unit: int) -> NDArray[np.int64]:
    if ours in columns.cells:
        return columns.integers(ours, UNKNOWN_NS)
    return columns.integers(other, UNKNOWN_NS, per_unit)


def _orientation(
    columns: _Columns, positions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    quaternions = np.stack([columns.floats(name) for name in _QUATERNION], axis=1)
    yaws, pitches = columns.floats("yaw_rad"), columns.floats("camera_pitch_rad")
    has_quaternion = all(name in columns.cells for name in _QUATERNION)
    if "yaw_rad" in columns.cells:
        pass
    elif "yaw_deg" in columns.cells:
        yaws = np.radians(columns.floats("yaw_deg"))
    elif has_quaternion:
        columns.notes.append("yaw is taken from the quaternion, in the order w, x, y, z")
        yaws = np.array([yaw_from_quaternion(*q) for q in quaternions.tolist()])
    elif {"look_x", "look_y", "look_z"} <= columns.cells.keys():
        yaws, pitches = _from_gaze(columns, positions)
    else:
        columns.notes.append("there are no headings")
    if not has_quaternion:
        quaternions = np.array([quaternion_from_yaw(yaw) for yaw in yaws.tolist()]).reshape(-1, 4)
        quaternions[np.isnan(yaws)] = np.nan
    return quaternions, yaws, pitches


def _from_gaze(
    columns: _Columns, positions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    gaze = np.stack([columns.floats(f"look_{axis}") for axis in "xyz"], axis=1)
    gaze[~np.isfinite(gaze).all(axis=1) | (np.abs(gaze) > FARTHEST_M).any(axis=1)] = np.nan
    lengths = np.sqrt((gaze**2).sum(axis=1))
    if np.nanmax(np.abs(lengths - 1.0), initial=0.0) > 0.01:
        columns.notes.append("look_x, look_y, look_z are read as the point looked at")
        with np.errstate(invalid="ignore"):
            gaze = gaze - positions
    else:
        columns.notes.append("look_x, look_y, look_z are read as the direction of gaze")
    columns.notes.append("heights are those of the camera, as VLNVerse's human demo logs them")
    return (
        np.arctan2(gaze[:, 1], gaze[:, 0]),
        np.arctan2(gaze[:, 2], np.hypot(gaze[:, 0], gaze[:, 1])),
    )


def _mark_gaps(columns: _Columns, samples: Trajectory) -> None:
    has_height = "z_m" in columns.cells
    finite = np.isfinite(samples.positions_m[:, : 3 if has_height else 2]).all(axis=1)
    for row in np.flatnonzero(~finite).tolist():
        columns.mark(row, MarkKind.NOT_FINITE, "a position is missing, NaN or infinite")
    is_far = (np.abs(samples.positions_m) > FARTHEST_M).any(axis=1)
    for row in np.flatnonzero(finite & is_far).tolist():
        columns.mark(row, MarkKind.UNREADABLE, f"a position is {TOO_FAR}")
    has_times = bool((samples.times_ns != UNKNOWN_NS).any())
    latest = UNKNOWN_NS
    for row, time in enumerate(samples.times_ns.tolist()):
        if time == UNKNOWN_NS and has_times:
            columns.mark(row, MarkKind.NOT_FINITE, "the time is missing or NaN")
        elif time <= latest and has_times:
            columns.mark(row, MarkKind.TIME_BACK, "time does not advance")
        elif row not in columns.marks:
            latest = max(latest, time)


def _integer(cell: str, per_unit: int, unknown: int) -> int | None:
    """An integer, whatever it is written as; ``unknown`` for NaN; ``None`` if it is no number."""
    try:
        number = int(_FLAGS.get(cell.lower(), cell)) * per_unit
    except ValueError:
        try:
            value = float(cell) * per_unit
        except ValueError:
            return None
        if not math.isfinite(value):
            return unknown
        number = round(value)
    return number if abs(number) <= _LARGEST else None


def cells_of(samples: Trajectory) -> dict[str, Iterable[Any]]:
    """The columns of our own CSV by name; ``None`` where a value is unknown."""
    return {name: _COLUMN_OF[name](samples) for name in COLUMNS}


def _known(values: NDArray[Any], unknown: int) -> list[int | None]:
    return [None if value == unknown else value for value in values.tolist()]


def _position(axis: int) -> Callable[[Trajectory], Iterable[Any]]:
    return lambda samples: samples.positions_m[:, axis].tolist()


def _part(index: int) -> Callable[[Trajectory], Iterable[Any]]:
    return lambda samples: samples.quaternions[:, index].tolist()


_COLUMN_OF: Final[dict[str, Callable[[Trajectory], Iterable[Any]]]] = {
    "time_ns": lambda s: _known(s.times_ns, UNKNOWN_NS),
    "wall_time_ns": lambda s: _known(s.wall_times_ns, UNKNOWN_NS),
    **{name: _position(axis) for axis, name in enumerate(_POSITION)},
    **{name: _part(index) for index, name in enumerate(_QUATERNION)},
    "yaw_rad": lambda s: s.yaws_rad.tolist(),
    "camera_pitch_rad": lambda s: s.camera_pitches_rad.tolist(),
    "v_mps": lambda s: s.speeds_mps.tolist(),
    "w_radps": lambda s: s.turn_rates_radps.tolist(),
    "action": lambda s: list(s.actions),
    "contact_count": lambda s: _known(s.contact_counts, UNKNOWN_COUNT),
    "displacement_m": lambda s: s.displacements_m.tolist(),
    "focus": lambda s: _known(s.has_focus, UNKNOWN_COUNT),
}
