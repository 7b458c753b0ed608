"""Room-for-Room annotations: two R2R paths joined, so that the reference is not the shortest way.

Source: google-research/google-research:r4r/r4r_generate_data.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import Route
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import optional, read_records, split_of, texts_of
from waypost.io.datasets.panorama_records import (
    CONVENTIONS,
    KEYS,
    KNOWN,
    build_path_record,
    instructions_of,
    path_record,
)
from waypost.io.datasets.record_writing import writer_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "r4r"
_KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.HEADING, Part.DISTANCE, Part.ALTERNATIVES})
_KNOWN: Final = (KNOWN | {"shortest_path", "shortest_path_distance"}) - {"distance"}


def can_read(head: FileHead) -> bool:
    """Whether the first record is R2R's and says which two paths it joins."""
    return head.first_has("scan", "path_id", "path", "instructions") and (
        head.first_has("first_path_id") or head.first_has("shortest_path_distance")
    )


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per instruction, ``<path_id>_<k>``."""
    split = split_of(path)
    return read_records(
        path, log, lambda record: _episodes(record, split, log), id_keys=("path_id",)
    )


def _episodes(record: JsonValue, split: str, log: ReadLog) -> Iterator[Episode]:
    shared = path_record(record, log, known=_KNOWN, distance_key="shortest_path_distance")
    shortest = optional(record, "shortest_path")
    ways = {} if shortest is None else {"shortest": Route(texts_of(shortest))}
    for index, text in instructions_of(record):
        yield shared.episode(
            _NAME,
            split,
            f"{shared.path_id}_{index}",
            Instruction(text.as_text()),
            alternatives=MappingProxyType(ways),
        )


def _build(group: list[Episode]) -> dict[str, Any]:
    record = build_path_record(group)
    shortest = record.pop("distance", None)
    if shortest is not None:
        record["shortest_path_distance"] = shortest
    if "shortest" in group[0].alternatives:
        record["shortest_path"] = list(group[0].alternatives["shortest"].viewpoint_ids)
    return record


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="Room-for-Room annotations",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS
    + "; the shortest distance is `shortest_path_distance`, `distance` is the length of the path",
    source="google-research/google-research:r4r/r4r_generate_data.py",
    write=writer_of(_NAME, _build, _KEEPS),
    keys=(*KEYS, "first_path_id"),
    dataset="R4R",
    profile_key="r4r",
)
