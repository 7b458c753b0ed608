"""VLN-PE and VLNVerse evaluation databases: LMDB with one msgpack record per path key.

Nothing stored is ever executed: numpy values are rebuilt from their bytes, pickled ones refused.
Source: InternRobotics/InternNav:internnav/evaluator/utils/data_collector.py, result_logger.py.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from waypost.domain.base.errors import InputError, ReadError, WriteError
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.io.confined.ask_child import ask_child, pieces_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.run_records import (
    files_in,
    read_angles,
    read_folder,
    read_rows,
    reported_scores,
)
from waypost.io.read_log import ReadLog

_DATA: Final = "data.mdb"
_MISSING: Final = "needs two more libraries: pip install 'waypost[lmdb]'"
_FAILED: Final = {"fall": "has_fallen", "stuck": "is_stuck"}
_STOPPED: Final = frozenset({"success", "not_reach_goal"})
_ENDED: Final = ("called_stop", "has_fallen", "is_stuck")
"""What is known of an end, as records written here have it beside InternNav's keys: the reason
alone tells it of InternNav's own ends only."""

_NOT_SCORES: Final = frozenset(
    {"episode_id", "trajectory_id", "fail_reason", "reference_path", *_ENDED}
)
_BESIDE: Final = ("timestamp_", "eval_rank_")
_NUMBERS: Final = re.compile(r"[<>|=]?[biuf]\d{1,2}")
"""Types of numpy that hold numbers only; others may hold pickled objects."""


def can_read(head: FileHead) -> bool:
    """Whether a folder is an LMDB database or holds databases, one for each rank."""
    return head.is_folder and (_DATA in head.names or bool(_databases(head.path)))


def _databases(folder: Path) -> list[Path]:
    return [file.parent for file in files_in(folder, f"*.lmdb/{_DATA}")]


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per path key, in the order of the keys.

    Raises:
        ReadError: If the database cannot be opened or the libraries are missing.
    """
    if not (path / _DATA).is_file():
        return read_folder(_databases(path), log, read)
    return _read_database(path, log)


def _libraries() -> tuple[Any, Any]:
    """The two optional libraries, which only this format needs."""
    return importlib.import_module("lmdb"), importlib.import_module("msgpack")


def _read_database(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    try:
        msgpack = importlib.import_module("msgpack")
    except ImportError as error:
        raise ReadError(str(path), "file", _MISSING) from error
    if importlib.util.find_spec("lmdb") is None:
        raise ReadError(str(path), "file", _MISSING)
    for key, packed in _records(path):
        place = key.decode("utf-8", errors="replace")
        try:
            record = _unpack(msgpack, packed, place, path)
            if place.startswith(_BESIDE):
                log.document[place] = _plain(record.value)
            else:
                yield _run(key, packed, record, log)
        except InputError as error:
            log.add(ImportKind.UNREADABLE, str(error), item_id=place, value=place)


def _records(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """Keys and packed values, one by one from a child: the library maps the file."""
    for piece in pieces_of(ask_child("lmdb", path, {})):
        if len(piece.parts) != 2:
            raise ReadError(str(path), "file", "cannot be read: its reader answered nonsense")
        yield piece.parts[0], piece.parts[1]


def _unpack(msgpack: Any, value: bytes, key: str, path: Path) -> JsonValue:
    def rebuilt(table: dict[Any, Any]) -> Any:
        if b"nd" not in table:
            return table
        return _numpy_value(table, key, path)

    try:
        record = msgpack.unpackb(value, raw=False, strict_map_key=False, object_hook=rebuilt)
    except (msgpack.UnpackException, ValueError) as error:
        raise ReadError(str(path), key, f"is no msgpack record: {error}") from error
    return JsonValue(record, str(path), key)


def _numpy_value(table: dict[Any, Any], key: str, path: Path) -> Any:
    """A number or an array from the bytes that msgpack-numpy stores."""
    kind, data = table.get(b"type"), table.get(b"data")
    if not isinstance(kind, str) or not _NUMBERS.fullmatch(kind) or not isinstance(data, bytes):
        raise ReadError(str(path), key, f"holds an array of {kind!r}, which is never loaded")
    try:
        array = np.frombuffer(data, dtype=np.dtype(kind))
        shape = tuple(table.get(b"shape") or ())
        return array.reshape(shape) if table[b"nd"] else array[0].item()
    except (IndexError, TypeError, ValueError) as error:
        raise ReadError(str(path), key, f"holds a damaged array: {error}") from error


def _plain(value: Any) -> Any:
    """A value with lists for arrays."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {str(name): _plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _run(key: bytes, packed: bytes, record: JsonValue, log: ReadLog) -> EpisodeRun:
    members = {name: value for name, value in record.as_object().items() if name != "episode_data"}
    info = JsonValue(_plain(members.pop("info", {})), record.file, f"{record.place}.info")
    episode_id = normal_id(info.as_object().get("episode_id", record.place))
    reported = reported_scores(info, log, episode_id, _NOT_SCORES)
    reason = record.text_of("fail_reason") or info.text_of("fail_reason")
    walked = _route(record)
    if not len(walked) and log.counts[ImportKind.NOTE] == 0:
        log.add(
            ImportKind.NOTE,
            "the database states scores and no trajectory; they cannot be scored again",
            item_id=record.file,
        )
    extra = {str(name): _plain(value) for name, value in members.items()}
    extra |= {name: value for name, value in info.value.items() if name not in {*reported, *_ENDED}}
    extra["path_key"] = record.place
    return EpisodeRun(
        episode_id=episode_id,
        route=walked,
        end=_end(reason, info.value),
        reported=reported,
        instruction=text if isinstance(text := record.value.get("instruction"), str) else "",
        extra=MappingProxyType(extra),
        record={"key": key, "msgpack": packed},
    )


def _end(reason: str, info: dict[str, Any]) -> RunEnd:
    ended: dict[str, bool | None] = {}
    if reason:
        ended = {field: reason == word for word, field in _FAILED.items()}
        ended["called_stop"] = True if reason in _STOPPED else None
    is_own = reason in {*_FAILED, *_STOPPED}
    for name in _ENDED:
        if isinstance(told := info.get(name), bool):
            ended[name] = told
        elif name in info and not is_own:
            ended[name] = None  # a reason of another program says nothing of falls
    return RunEnd(reason=reason, **ended)


def _route(record: JsonValue) -> Route:
    """The robot's poses where a record of collected data has them."""
    data = record.value.get("episode_data")
    robot = data.get("robot_info") if isinstance(data, dict) else None
    if not isinstance(robot, dict) or "position" not in robot:
        return EMPTY_ROUTE
    place = f"{record.place}.episode_data.robot_info"
    rows = JsonValue(_plain(robot["position"]), record.file, f"{place}.position")
    positions = read_rows(rows, 3)
    if not len(positions):
        return EMPTY_ROUTE
    yaws = read_angles(JsonValue(_plain(robot.get("yaw", [])), record.file, f"{place}.yaw"))
    return route(positions_m=positions, yaws_rad=yaws if len(yaws) == len(positions) else None)


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the runs into a new database; records read from one are put back byte for byte.

    Raises:
        WriteError: If there is something at the path or the libraries are missing.
    """
    try:
        lmdb, msgpack = _libraries()
    except ImportError as error:
        raise WriteError(str(path), _MISSING) from error
    if path.exists():
        raise WriteError(str(path), "there is something of that name already")
    try:
        path.mkdir(parents=True)
        with lmdb.open(str(path), map_size=1 << 36, subdir=True) as database:
            for run in runs:
                key, packed = _packed(run, msgpack)
                with database.begin(write=True) as transaction:
                    if not transaction.put(key, packed, overwrite=False):
                        raise InputError(f"{path}: {run.episode_id} comes twice")
            with database.begin(write=True) as transaction:
                for name, value in log.document.items():
                    if name.startswith(_BESIDE):
                        transaction.put(name.encode(), msgpack.packb(value, use_bin_type=True))
    except (OSError, lmdb.Error) as error:
        raise WriteError(str(path), str(error)) from error
    log.warn(f"{path.name} holds reported scores and how runs ended; all else stays behind")


def _packed(run: EpisodeRun, msgpack: Any) -> tuple[bytes, bytes]:
    record = run.record
    if isinstance(record, dict) and record.keys() == {"key", "msgpack"}:
        return record["key"], record["msgpack"]
    reason = run.end.reason
    info = {
        **run.reported,
        "episode_id": run.episode_id,
        "fail_reason": reason,
        **{name: getattr(run.end, name) for name in _ENDED},
    }
    whole = {
        "info": info,
        "finish_status": "success" if reason == "success" else "fail",
        "fail_reason": reason,
    }
    return run.episode_id.encode(), msgpack.packb(whole, use_bin_type=True)


FORMAT: Final = RunFormat(
    name="vlnpe-lmdb",
    title="VLN-PE and VLNVerse evaluation database (LMDB)",
    can_read=can_read,
    read=read,
    conventions=(
        "USD positions in metres, Z up, and yaw in radians counter-clockwise from +X where"
        " trajectories were collected; otherwise scores only, as the source states them: its ndtw"
        " is no DTW, and TL counts every physics step"
    ),
    source="InternRobotics/InternNav:internnav/evaluator/utils/data_collector.py",
    write=write,
    is_run_folder=can_read,
    reads_below=True,
)
