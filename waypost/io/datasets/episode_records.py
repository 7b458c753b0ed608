"""What all readers of episode records do alike: loop, ids, headings, scenes, leftovers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import Vec3, yaw_from_r2r_heading
from waypost.domain.episode.episode import MEANS_UNKNOWN, Episode, normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.scene.graph import Extra
from waypost.io.file_head import FileHead
from waypost.io.foreign_errors import input_error
from waypost.io.item_reading import read_items
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

SPLITS: Final = (
    "val_train_seen",
    "val_unseen",
    "val_seen",
    "test_standard",
    "test_challenge",
    "train",
    "test",
    "val",
)
"""Names of splits, longer ones before those that they contain."""

_ANOTHER_SPELLING = re.compile(r"0+[0-9]+")


def read_records(
    path: Path,
    log: ReadLog,
    episodes_of: Callable[[JsonValue], Iterable[Episode]],
    *,
    id_keys: Sequence[str],
    under: str = "",
    as_lines: bool = False,
) -> Iterator[Episode]:
    """Yield the episodes of every record of a file; a bad record is reported and left out.

    Args:
        path: The file.
        log: Told of records that cannot be used.
        episodes_of: Makes the episodes of one record.
        id_keys: Keys of a record that may hold its id, for messages.
        under: Key that holds the records, see ``read_items``. ``log.document`` gets that key
            with ``None`` when the file is an object, so that it is written back as one.
        as_lines: See ``read_items``.

    Raises:
        ReadError: If the file as a whole cannot be used.
    """
    for item in read_items(path, log, under, as_lines=as_lines):
        if under and item.json.place.startswith(under):
            log.document.setdefault(under, None)
        try:
            episodes = list(episodes_of(item.json))
        except Exception as error:
            log.add(
                ImportKind.UNREADABLE,
                str(input_error(error, path, item.json.place)),
                item_id=_id_or_place(item.json, id_keys),
                value=item.json.place,
            )
            continue
        note_secret_goals(episodes, log)
        yield from episodes


def _id_or_place(record: JsonValue, id_keys: Sequence[str]) -> str:
    found = [record.value[key] for key in id_keys if record.has(key)]
    usable = [value for value in found if isinstance(value, str | int | float)]
    return normal_id(usable[0]) if usable else record.place


def id_of(value: JsonValue, log: ReadLog) -> str:
    """The normal form of an id; one with leading zeros is reported as ambiguous.

    Raises:
        ReadError: If it is neither text nor a number, or empty.
    """
    if isinstance(value.value, str):
        value.as_text()
    elif isinstance(value.value, bool) or not isinstance(value.value, int | float):
        raise value.error("is no id: neither text nor a number")
    text = normal_id(value.value)
    if not text:
        raise value.error("is empty")
    if _ANOTHER_SPELLING.fullmatch(text):
        plain = text.lstrip("0") or "0"
        log.add(
            ImportKind.AMBIGUOUS_ID,
            f"the id {text!r} is not the same as {plain!r}; runs must spell it as it stands here",
            item_id=text,
            value=text,
        )
    return text


def heading_to_yaw(heading: JsonValue, item_id: str, log: ReadLog) -> float:
    """Scene yaw of an R2R heading; the log notices angles that look like degrees.

    Raises:
        ReadError: If it is no finite number.
    """
    value = heading.as_number()
    log.note_angle("heading", value, item_id)
    return yaw_from_r2r_heading(value)


def geodesic_of(value: JsonValue | None, item_id: str, log: ReadLog) -> tuple[float | None, str]:
    """A stated shortest distance and, where there is none, why.

    Raises:
        ReadError: If it is something else than a number or null.
    """
    if value is None or value.value is None:
        return None, "the file states no distance"
    if isinstance(value.value, float) and not math.isfinite(value.value):
        log.add(
            ImportKind.NOT_FINITE,
            f"{value.place}: {value.value} is no distance",
            item_id=item_id,
            value=value.value,
        )
        return None, f"{value.value} in the file is no distance"
    number = value.as_number()
    if number < 0:
        log.add(
            ImportKind.UNKNOWN_VALUE,
            f"{value.place}: {number:g} is no distance; it is taken as unknown",
            item_id=item_id,
            value=f"{number:g}",
        )
        return None, f"{number:.17g}{MEANS_UNKNOWN}"
    return number, ""


def stated_geodesic(record: JsonValue, item_id: str, log: ReadLog) -> tuple[float | None, str]:
    """The shortest distance that the ``info`` of a record states; see ``geodesic_of``.

    Raises:
        ReadError: As ``geodesic_of``.
    """
    info = optional(record, "info")
    return geodesic_of(None if info is None else optional(info, "geodesic_distance"), item_id, log)


def optional(record: JsonValue, key: str) -> JsonValue | None:
    """The value of a key; ``None`` where it is missing or null."""
    if not record.has(key) or record.value[key] is None:
        return None
    return record.field(key)


def texts_of(value: JsonValue) -> tuple[str, ...]:
    """An array of strings.

    Raises:
        ReadError: If it is no array or holds something else.
    """
    return tuple(item.as_text() for item in value.items())


def point_of(value: JsonValue) -> Vec3:
    """An array of three coordinates, metres.

    Raises:
        ReadError: If it is something else.
    """
    numbers = [item.as_coordinate() for item in value.items()]
    if len(numbers) != 3:
        raise value.error(f"holds {len(numbers)} numbers, not 3")
    return (numbers[0], numbers[1], numbers[2])


def leftovers(record: JsonValue, known: frozenset[str]) -> Extra:
    """The members of a record that have no place in an episode, as they are."""
    return MappingProxyType({k: v for k, v in record.as_object().items() if k not in known})


def split_of(path: Path) -> str:
    """The split that the name of a file states, or that its folder is called; else empty."""
    name = path.name.lower()
    stated = (
        split for split in SPLITS if re.search(rf"(^|[^a-z]){split}([^a-z]|$)", name) is not None
    )
    folder = path.resolve().parent.name
    return next(stated, folder if folder in SPLITS else "")


def first_record(head: FileHead, under: str = "") -> Any:
    """The first record of a file: of an array, of JSON lines, or of the array under a key.

    Where other members fill the beginning of the file, it is read on up to the first record.
    """
    if head.is_folder or head.sample is None:
        return None
    if isinstance(head.sample, list):
        return head.first
    if not under:
        return None
    records = head.sample.get(under)
    if records is None and head.sample:
        return _first_read_on(head.path, under)
    if isinstance(records, list) and records:
        return records[0]
    return None


def _first_read_on(path: Path, under: str) -> Any:
    try:
        item = next(read_items(path, ReadLog(), under), None)
    except ReadError:
        return None
    return None if item is None else item.json.value


def note_secret_goals(episodes: Sequence[Episode], log: ReadLog) -> None:
    """Say once per record that a split publishes only where its episodes start."""
    secret = [episode for episode in episodes if not episode.has_ground_truth]
    if secret:
        name = secret[0].episode_id if len(secret) == 1 else secret[0].source_id
        log.add(ImportKind.NO_GROUND_TRUTH, f"{name} publishes only its start", item_id=name)
