"""Matterport3D connectivity files: ``<scan>_connectivity.json`` to and from viewpoint graphs.

Source: peteanderson80/Matterport3DSimulator:connectivity/README.md, tasks/R2R/utils.py.
"""

from __future__ import annotations

import math
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph
from waypost.io.foreign_errors import reader, reading
from waypost.io.json_reading import JsonDocument, JsonValue, read_json
from waypost.io.read_log import ReadLog

CONVENTIONS: Final = (
    "Matterport3D poses: row-major 4×4 camera to world, Z up, metres; positions are of the"
    " camera, the floor lies `height` below; edge lengths are straight lines between cameras"
)
_SUFFIX: Final = "_connectivity.json"
_MOST_FAULTS: Final = 3


@reader
def read_connectivity(path: Path, log: ReadLog) -> ViewpointGraph:
    """Read the graph of one scan; what is odd but usable is noted in the log.

    Raises:
        ReadError: Naming the first faults and how many more there are; nothing is half-imported.
    """
    return connectivity_of(read_json(path), path, log)


def is_connectivity(root: JsonValue) -> bool:
    """Whether parsed JSON is a connectivity file: its first entry has an image id and a pose."""
    first = root.value[0] if isinstance(root.value, list) and root.value else None
    return isinstance(first, dict) and {"image_id", "pose"} <= first.keys()


def connectivity_of(document: JsonDocument, path: Path, log: ReadLog) -> ViewpointGraph:
    """The graph of a parsed connectivity file; see ``read_connectivity``.

    Args:
        document: The whole file.
        path: It, of which the scan has its name.
        log: Told what is odd but usable.
    """
    for sentence in document.warnings:
        log.warn(sentence)
    entries = list(document.root.items())
    problems: list[ReadError] = []
    ids = _names(entries, problems)
    positions = np.array([_checked(_camera, entry, problems) for entry in entries])
    heights = np.array([_height(entry, log, problems) for entry in entries])
    included = np.array([_included(entry, problems) for entry in entries], dtype=bool)
    joined = _flags(entries, "unobstructed", problems)
    _flags([entry for entry in entries if entry.has("visible")], "visible", problems, len(entries))
    if problems:
        raise _joined(path, problems)
    scene_id = scene_id_of(path)
    _note_oddities(scene_id, ids, joined, included, log)
    return build_viewpoint_graph(
        scene_id,
        ids,
        positions.reshape(-1, 3),
        joined,
        heights_m=heights,
        is_included=included,
        records=tuple(entry.value for entry in entries),
    )


def scene_id_of(path: Path) -> str:
    """The scan that a connectivity file is named after."""
    return path.name.removesuffix(".gz").removesuffix(_SUFFIX).removesuffix(".json")


def connectivity_path(folder: Path, scene_id: str) -> Path:
    """Where a folder has the connectivity file of a scan, or would have it."""
    return folder / f"{scene_id}{_SUFFIX}"


def has_graph(folder: Path, scene_id: str) -> bool:
    """Whether a folder has the connectivity file of a scan."""
    return _path(folder, scene_id).is_file()


def load_graph(folder: Path, scene_id: str) -> ViewpointGraph:
    """The graph of a scan, read once per process as long as its file stays as it is.

    Raises:
        ReadError: If the folder has no file of the scan, or it cannot be used.
    """
    # Asked for every episode of a run: a path made of texts costs a tenth of one of Paths.
    place = f"{folder}/{scene_id}{_SUFFIX}"
    try:
        facts = os.stat(place)  # noqa: PTH116
    except OSError:
        with reading(folder):
            path = _path(folder, scene_id)
        try:
            facts = path.stat()
        except OSError:
            return read_connectivity(path, ReadLog())
        place = str(path)
    return _unchanged_graph(place, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=128)
def _unchanged_graph(place: str, _changed_ns: int, _size: int) -> ViewpointGraph:
    return read_connectivity(Path(place), ReadLog())


def _path(folder: Path, scene_id: str) -> Path:
    plain = connectivity_path(folder, scene_id)
    packed = folder / f"{scene_id}{_SUFFIX}.gz"
    return packed if not plain.is_file() and packed.is_file() else plain


def _joined(path: Path, problems: list[ReadError]) -> ReadError:
    """One sentence of many faults; one that stands in the way of several fields counts once."""
    faults = list(dict.fromkeys((error.place, error.reason) for error in problems))
    (place, reason), *others = faults[:_MOST_FAULTS]
    more = "".join(f"; {where} {what}" for where, what in others)
    left = len(faults) - _MOST_FAULTS
    rest = f"; and {left} more" if left > 0 else ""
    return ReadError(str(path), place, f"{reason}{more}{rest}")


def _names(entries: list[JsonValue], problems: list[ReadError]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    names = []
    for entry in entries:
        try:
            name = entry.field("image_id").as_text()
        except ReadError as error:
            problems.append(error)
            continue
        if name in seen:
            problems.append(entry.error(f"has the image_id {name} of {seen[name]}"))
        seen.setdefault(name, entry.place)
        names.append(name)
    return tuple(names)


def _camera(entry: JsonValue) -> tuple[float, float, float]:
    pose = entry.field("pose")
    numbers = [item.as_coordinate() for item in pose.items()]
    if len(numbers) != 16:
        raise pose.error(f"has {len(numbers)} numbers, not 16")
    return numbers[3], numbers[7], numbers[11]


def _checked(read: Any, entry: JsonValue, problems: list[ReadError]) -> Any:
    try:
        return read(entry)
    except ReadError as error:
        problems.append(error)
        return (math.nan, math.nan, math.nan)


def _height(entry: JsonValue, log: ReadLog, problems: list[ReadError]) -> float:
    if not entry.has("height") or entry.value["height"] is None:
        name = str(entry.value.get("image_id", "")) if isinstance(entry.value, dict) else ""
        log.add(
            ImportKind.NO_HEIGHT,
            f"viewpoint {name} states no camera height; its floor is unknown",
            item_id=name,
        )
        return math.nan
    try:
        return entry.field("height").as_coordinate()
    except ReadError as error:
        problems.append(error)
        return math.nan


def _included(entry: JsonValue, problems: list[ReadError]) -> bool:
    if not entry.has("included"):
        return True
    try:
        return entry.field("included").as_flag()
    except ReadError as error:
        problems.append(error)
        return False


def _flags(
    entries: list[JsonValue], key: str, problems: list[ReadError], count: int | None = None
) -> NDArray[np.bool_]:
    length = len(entries) if count is None else count
    table = np.zeros((len(entries), length), dtype=bool)
    for row, entry in enumerate(entries):
        try:
            flags = entry.field(key)
            values = flags.as_array()
            if len(values) != length:
                raise flags.error(f"has {len(values)} entries for {length} viewpoints")
            wrong = next((i for i, v in enumerate(values) if not isinstance(v, bool)), None)
            if wrong is not None:
                raise flags.error(f"entry {wrong} is neither true nor false")
            table[row] = values
        except ReadError as error:
            problems.append(error)
    return table


def _note_oddities(
    scene_id: str,
    ids: tuple[str, ...],
    joined: NDArray[np.bool_],
    included: NDArray[np.bool_],
    log: ReadLog,
) -> None:
    for i in np.flatnonzero(~included):
        log.add(
            ImportKind.EXCLUDED_VIEWPOINT,
            f"{scene_id}: {ids[i]} is excluded; it is shown but never routed over",
            item_id=ids[i],
            step=int(i),
        )
    for i in np.flatnonzero(joined.diagonal()):
        log.add(
            ImportKind.SELF_EDGE,
            f"{scene_id}: {ids[i]} is joined to itself, which is ignored",
            item_id=ids[i],
            step=int(i),
        )
    for i, j in zip(*np.nonzero(joined & ~joined.T), strict=True):
        log.add(
            ImportKind.ASYMMETRIC_EDGE,
            f"{scene_id}: {ids[i]} reaches {ids[j]} but not the other way round;"
            " it counts as an edge and is kept as it is",
            item_id=ids[i],
            step=int(i),
            value=f"{ids[i]} → {ids[j]}",
        )
