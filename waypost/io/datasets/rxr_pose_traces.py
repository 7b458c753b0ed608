"""RxR pose traces: where guide or follower stood and looked, at irregular moments.

Source: google-research-datasets/RxR:README.md, visualizations/first_person.html (row-major
camera-to-world matrices in a frame with Y up).
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.frames import FARTHEST_M, GLTF, TOO_FAR
from waypost.domain.episode.episode import Episode, Goal, Instruction, normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import Route, route
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_records import split_of
from waypost.io.datasets.panorama_records import RADIUS_M
from waypost.io.file_head import FileHead
from waypost.io.file_reading import open_for_reading
from waypost.io.foreign_errors import reader
from waypost.io.read_log import ReadLog

_NAME: Final = "rxr-pose-trace"
_FILE_NAME: Final = re.compile(r"(\d+)_(guide|follower)_pose_trace")
_ZIP_MAGIC: Final = b"PK\x03\x04"
_READ: Final = ("pano", "time", "extrinsic_matrix", "audio_time")
_MOST_BYTES: Final = 1 << 26
"""Of one array; ten minutes at 60 snapshots a second need a tenth of it."""

_MATRIX_TOLERANCE: Final = 1e-3


@dataclass(frozen=True, eq=False, slots=True)
class PoseTrace:
    """One person's look through one path."""

    trace_id: str
    """Instruction id of a guide, demonstration id of a follower; from the name of the file."""

    role: str
    """``guide``, ``follower``, or empty where the name of the file does not tell."""

    poses: Route
    """(n) viewpoint, camera position, yaw and elevation of each snapshot, scene frame."""

    times_s: NDArray[np.float64]
    """(n) seconds, never decreasing, in irregular steps. Read-only."""

    audio_times_s: NDArray[np.float64] | None
    """(n) how far the follower had heard the guide, seconds; ``None`` for guides. Read-only."""

    viewpoint_ids: tuple[str, ...]
    """The viewpoints in order, each stay once."""


def can_read(head: FileHead) -> bool:
    """Whether the file is a numpy archive with panoramas and camera matrices."""
    if head.is_folder or not head.start.startswith(_ZIP_MAGIC):
        return False
    try:
        with open_for_reading(head.path) as stream, zipfile.ZipFile(stream) as archive:
            return {"pano.npy", "time.npy", "extrinsic_matrix.npy"} <= set(archive.namelist())
    except (ReadError, zipfile.BadZipFile):
        return False


@reader
def read_pose_trace(path: Path) -> PoseTrace:
    """Read one pose trace; nothing in the file is ever run (no pickles).

    Raises:
        ReadError: If the archive is damaged or its arrays do not belong together.
    """
    try:
        parts = _arrays(path)
    except InputError:
        raise
    except Exception as error:  # zip, zlib and numpy raise whatever their decoders meet
        raise ReadError(str(path), "file", f"is no whole numpy archive: {error}") from error
    for name in ("pano", "time", "extrinsic_matrix"):
        if name not in parts:
            raise ReadError(str(path), name, "is missing")
    return _trace(path, parts)


def _arrays(path: Path) -> dict[str, Any]:
    with open_for_reading(path) as stream:
        with zipfile.ZipFile(stream) as archive:
            _check_sizes(path, archive)
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as arrays:
            names = set(arrays.files)
            return {name: np.asarray(arrays[name]) for name in _READ if name in names}


def _check_sizes(path: Path, archive: zipfile.ZipFile) -> None:
    for member in archive.infolist():
        is_read = member.filename.removesuffix(".npy") in _READ
        if is_read and member.file_size > _MOST_BYTES:
            raise ReadError(str(path), member.filename, "is larger than 64 MiB when unpacked")


def _trace(path: Path, parts: dict[str, Any]) -> PoseTrace:
    panos = parts["pano"].reshape(-1)
    if panos.dtype.kind not in "US":
        raise ReadError(str(path), "pano", "holds no text")
    count = panos.size
    if not count:
        raise ReadError(str(path), "pano", "is empty")
    times = _seconds(path, "time", parts["time"], count)
    # Not before: texts of no length take no bytes, and there can be any number of them.
    ids = tuple(
        text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text) for text in panos
    )
    if np.any(np.diff(times) < 0):
        late = int(np.argmax(np.diff(times) < 0)) + 1
        raise ReadError(str(path), f"time[{late}]", "goes back")
    audio = parts.get("audio_time")
    matrices = _numbers(path, "extrinsic_matrix", parts["extrinsic_matrix"])
    if matrices.size != count * 16:
        raise ReadError(str(path), "extrinsic_matrix", f"is not {count} matrices of 16 numbers")
    if (np.abs(matrices) > FARTHEST_M).any():
        raise ReadError(str(path), "extrinsic_matrix", f"holds a number {TOO_FAR}")
    named = _FILE_NAME.search(path.name)
    return PoseTrace(
        trace_id=normal_id(int(named[1])) if named else path.stem,
        role=named[2] if named else "",
        poses=_poses(path, ids, matrices.reshape(count, 4, 4)),
        times_s=times,
        audio_times_s=None if audio is None else _seconds(path, "audio_time", audio, count),
        viewpoint_ids=tuple(
            name for index, name in enumerate(ids) if index == 0 or ids[index - 1] != name
        ),
    )


def _poses(path: Path, ids: tuple[str, ...], cameras: NDArray[np.float64]) -> Route:
    """Poses of row-major camera-to-world matrices: Y up, looking along −Z."""
    axes = cameras[:, :3, :3]
    off = np.abs(np.einsum("nij,nik->njk", axes, axes) - np.eye(3)).max(axis=(1, 2))
    if np.any(off > _MATRIX_TOLERANCE):
        bad = int(np.argmax(off > _MATRIX_TOLERANCE))
        raise ReadError(str(path), f"extrinsic_matrix[{bad}]", "is no rotation with a position")
    looks = GLTF.to_scene(-axes[:, :, 2])
    positions = GLTF.to_scene(cameras[:, :3, 3])
    yaws = np.arctan2(looks[:, 1], looks[:, 0])
    return route(ids, positions, yaws, np.arcsin(np.clip(looks[:, 2], -1, 1)))


def _numbers(path: Path, name: str, array: Any) -> NDArray[np.float64]:
    if array.dtype.kind not in "fiu":
        raise ReadError(str(path), name, "holds no numbers")
    numbers = np.asarray(array, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ReadError(str(path), name, "holds NaN or infinity")
    return numbers


def _seconds(path: Path, name: str, array: Any, count: int) -> NDArray[np.float64]:
    seconds = _numbers(path, name, array).reshape(-1)
    if len(seconds) != count:
        raise ReadError(str(path), name, f"holds {len(seconds)} moments for {count} panoramas")
    seconds.flags.writeable = False
    return seconds


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the trace as one episode: the viewpoints as reference, all poses as dense reference."""
    trace = read_pose_trace(path)
    if not trace.role:
        log.add(
            ImportKind.NOTE,
            "the name of the file does not tell guide from follower, nor whose trace it is",
            item_id=trace.trace_id,
            value=path.name,
        )
    times: dict[str, Any] = {"role": trace.role, "times_s": trace.times_s}
    if trace.audio_times_s is not None:
        times["audio_times_s"] = trace.audio_times_s
    try:
        yield Episode(
            dataset=_NAME,
            split=split_of(path),
            episode_id=trace.trace_id,
            scene_id="",
            instruction=Instruction(""),
            reference=Route(trace.viewpoint_ids),
            goals=(Goal(trace.viewpoint_ids[-1], radius_m=RADIUS_M),),
            start_viewpoint_id=trace.viewpoint_ids[0],
            start_yaw_rad=_first(trace.poses.yaws_rad),
            geodesic_note="the file states no distance",
            source_id=trace.trace_id,
            dense_reference_m=trace.poses,
            extra=MappingProxyType(times),
        )
    except InputError as error:
        raise ReadError(str(path), "file", str(error)) from error


def _first(values: NDArray[np.float64] | None) -> float | None:
    return None if values is None else float(values[0])


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="RxR pose traces",
    can_read=can_read,
    read=read,
    conventions=(
        "row-major camera-to-world matrices with Y up, looking along −Z, metres; snapshots at"
        " irregular times in seconds (`extra.times_s`); scan and words are in the annotation with"
        " the id in the name of the file"
    ),
    source="google-research-datasets/RxR:README.md",
)
