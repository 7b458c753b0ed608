"""Room-to-Room annotations: one record per path, one episode per instruction.

Source: peteanderson80/Matterport3DSimulator:tasks/R2R/data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import read_records, split_of
from waypost.io.datasets.panorama_records import (
    CONVENTIONS,
    KEYS,
    build_path_record,
    instructions_of,
    path_record,
)
from waypost.io.datasets.record_writing import writer_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.logs.language_models.msnav_objects import object_lists
from waypost.io.read_log import ReadLog

_NAME: Final = "r2r"
_KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.HEADING, Part.DISTANCE})
_NO_LISTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})


def can_read(head: FileHead) -> bool:
    """Whether the first record has R2R's keys and none of its descendants'."""
    return head.first_has("scan", "path_id", "path", "instructions") and not (
        head.first_has("objId") or head.first_has("chunk_view") or head.first_has("instruction")
    )


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per instruction, ``<path_id>_<k>``.

    The object lists that MSNav adds to a record belong to its first instruction.
    """
    split = split_of(path)
    return read_records(
        path, log, lambda record: _episodes(record, split, log), id_keys=("path_id",)
    )


def _episodes(record: JsonValue, split: str, log: ReadLog) -> Iterator[Episode]:
    shared = path_record(record, log)
    lists = object_lists(record)
    for index, text in instructions_of(record):
        yield shared.episode(
            _NAME,
            split,
            f"{shared.path_id}_{index}",
            Instruction(text.as_text()),
            object_lists=lists if index == 0 else _NO_LISTS,
        )


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="Room-to-Room annotations",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS,
    source="peteanderson80/Matterport3DSimulator:tasks/R2R/data",
    write=writer_of(_NAME, build_path_record, _KEEPS),
    keys=KEYS,
    dataset="R2R",
)
