"""What the readers of run files share: one bad record never stops the others."""

from __future__ import annotations

import fnmatch
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import FARTHEST_M
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.foreign_errors import input_error, reading
from waypost.io.item_reading import Item, read_items
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_IDS: Final = ("episode_id", "instr_id", "instruction_id", "inst_idx", "prompt_file", "id")

Builder = Callable[[Item, ReadLog], EpisodeRun]
"""Makes one run of one item; raises ``InputError`` if it cannot."""

SeveralBuilder = Callable[[Item, ReadLog], Iterable[EpisodeRun]]
"""The same for an item that may hold several."""


def read_records(
    path: Path,
    log: ReadLog,
    build: Builder,
    *,
    under: str = "",
    as_lines: bool = False,
    is_beside: Callable[[Any], bool] = lambda _: False,
) -> Iterator[EpisodeRun]:
    """Yield the run of every item that has one; the others are reported as unreadable.

    Args:
        path: A JSON file of any shape that ``read_items`` knows.
        log: Told what cannot be used.
        build: Makes a run of an item.
        under: See ``read_items``.
        as_lines: See ``read_items``.
        is_beside: Whether an object is no item but stands beside them, such as totals; it goes to
            ``log.document``.

    Raises:
        ReadError: If the file as a whole cannot be used.
    """
    yield from read_several(
        path,
        log,
        lambda item, told: (build(item, told),),
        under=under,
        as_lines=as_lines,
        is_beside=is_beside,
    )


def read_several(
    path: Path,
    log: ReadLog,
    build: SeveralBuilder,
    *,
    under: str = "",
    as_lines: bool = False,
    is_beside: Callable[[Any], bool] = lambda _: False,
) -> Iterator[EpisodeRun]:
    """``read_records`` for items that may hold several runs; one that fails spoils its item.

    Args:
        path: As there.
        log: As there.
        build: Makes the runs of an item.
        under: As there.
        as_lines: As there.
        is_beside: As there.

    Raises:
        ReadError: If the file as a whole cannot be used.
    """
    for item in read_items(path, log, under, as_lines=as_lines):
        if is_beside(item.json.value):
            log.document |= item.json.as_object()
            continue
        try:
            runs = tuple(build(item, log))
        except Exception as error:
            refused = input_error(error, path, item.json.place)
            placed = refused if isinstance(refused, ReadError) else item.json.error(str(refused))
            log.add(
                ImportKind.UNREADABLE,
                str(placed),
                item_id=_name_of(item),
                value=item.json.place,
            )
            continue
        yield from runs


def _name_of(item: Item) -> str:
    """The id of a record that could not be used, as far as it has one; else its place."""
    record = item.json.value
    if not item.key and isinstance(record, dict):
        for key in _IDS:
            if isinstance(record.get(key), str | int | float):
                return normal_id(record[key])
    return item.key or item.json.place


def read_folder(
    files: Iterable[Path], log: ReadLog, read: Callable[[Path, ReadLog], Iterator[EpisodeRun]]
) -> Iterator[EpisodeRun]:
    """Yield the runs of several files; a file that cannot be used is reported, not raised."""
    for file in files:
        try:
            with reading(file):
                yield from read(file, log)
        except ReadError as error:
            log.add(ImportKind.UNREADABLE, str(error), item_id=file.stem, value=file.name)


def top_record(head: FileHead) -> dict[str, Any]:
    """The first record of an array or of JSON lines, or the lone object itself; else empty."""
    value = head.sample if isinstance(head.sample, dict) and not head.is_lines else head.first
    return value if isinstance(value, dict) else {}


def first_file(folder: Path, pattern: str) -> Path | None:
    """Some file below a folder that matches a pattern, hidden ones left out."""
    found = (file for file in folder.glob(pattern) if file.is_file())
    return next((file for file in found if not file.name.startswith(".")), None)


def files_in(folder: Path, pattern: str) -> list[Path]:
    """All files below a folder that match a pattern, in the order of their names."""
    if "/" not in pattern:
        # Asked of 100,000 logs, a listing is ten times as quick as a look at every file.
        fits = re.compile(fnmatch.translate(pattern)).match
        with os.scandir(folder) as listing:
            names = [e.name for e in listing if fits(e.name) and e.is_file()]
        return [folder / name for name in sorted(names) if not name.startswith(".")]
    found = (file for file in folder.glob(pattern) if file.is_file())
    return sorted(file for file in found if not file.name.startswith("."))


def others(record: Mapping[str, Any], known: frozenset[str]) -> Mapping[str, Any]:
    """The members of a record that have no place in a run."""
    return MappingProxyType({key: value for key, value in record.items() if key not in known})


def reported_scores(
    record: JsonValue,
    log: ReadLog,
    item_id: str,
    skip: frozenset[str] = frozenset(),
    known: frozenset[str] = frozenset(),
) -> Mapping[str, float | None]:
    """The numbers of an object by their own names; a list with one number counts as it.

    NaN and infinities become ``None`` and are reported; what is no number is left out.

    Args:
        record: The object.
        log: Told of NaN and infinities.
        item_id: Whose scores they are.
        skip: Names of numbers that are no scores.
        known: Names of scores, of which ``null`` is an unknown one, as files written here have it.
    """
    scores: dict[str, float | None] = {}
    for name, value in record.as_object().items():
        single = value[0] if isinstance(value, list) and len(value) == 1 else value
        if single is None and name in known:
            scores[name] = None
        if name in skip or not isinstance(single, int | float):
            continue
        try:
            score = float(single)
        except OverflowError:
            score = math.inf
        if not math.isfinite(score):
            log.add(
                ImportKind.NOT_FINITE,
                f"{item_id} reports {name} as {score}, which counts as unknown",
                item_id=item_id,
                value=f"{name} = {score}",
            )
        scores[name] = score if math.isfinite(score) else None
    return MappingProxyType(scores)


def read_rows(value: JsonValue, width: int) -> NDArray[np.float64]:
    """An array of rows of ``width`` finite numbers, e.g. positions in metres, as (N, width).

    Raises:
        ReadError: Naming the first row or number that is none, or is no coordinate of a place.
    """
    rows = value.as_array()
    try:
        array = np.array(rows)
    except (OverflowError, TypeError, ValueError):
        array = np.empty(0, dtype=object)
    if array.dtype.kind in "if" and array.shape == (len(rows), width) and _is_usable(array):
        return array.astype(np.float64)
    for row in value.items():
        if len(row.as_array()) != width:
            raise row.error(f"has {len(row.as_array())} numbers, not {width}")
        for number in row.items():
            number.as_coordinate()
    return np.array(rows, dtype=np.float64).reshape(-1, width)


def read_angles(value: JsonValue) -> list[float]:
    """An array of numbers; ``null`` stands for an unknown one and becomes NaN.

    Raises:
        ReadError: Naming the first entry that is neither.
    """
    numbers = value.as_array()
    if all(type(number) is float and math.isfinite(number) for number in numbers):
        return numbers
    return [math.nan if item.value is None else item.as_number() for item in value.items()]


def _is_usable(array: NDArray[Any]) -> bool:
    # Of no value to compare with, NaN is refused here too.
    return bool((np.abs(array) <= FARTHEST_M).all())
