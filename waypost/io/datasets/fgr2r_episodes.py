"""Fine-Grained R2R: R2R with sub-instructions and the part of the path each belongs to.

Source: YicongHong/Fine-Grained-R2R:README.md, data/FGR2R_val_unseen.json.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode, Instruction, Segment
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import optional, read_records, split_of
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

_NAME: Final = "fgr2r"
_KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.HEADING, Part.DISTANCE, Part.SEGMENTS})
_KNOWN: Final = KNOWN | {"new_instructions", "chunk_view"}
_LONGEST_LITERAL: Final = 1 << 20


def can_read(head: FileHead) -> bool:
    """Whether the first record has sub-instructions."""
    return head.first_has("scan", "path_id", "path", "instructions", "new_instructions")


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per instruction, ``<path_id>_<k>``."""
    split = split_of(path)
    return read_records(
        path, log, lambda record: _episodes(record, split, log), id_keys=("path_id",)
    )


def _episodes(record: JsonValue, split: str, log: ReadLog) -> Iterator[Episode]:
    shared = path_record(record, log, known=_KNOWN)
    parts = _sub_instructions(record.field("new_instructions"))
    views = optional(record, "chunk_view")
    view_lists = [] if views is None else list(views.items())
    for index, text in instructions_of(record):
        texts = list(parts[index].items()) if index < len(parts) else []
        places = view_lists[index] if index < len(view_lists) else None
        segments = _segments(texts, places, len(shared.reference))
        said = Instruction(text.as_text(), segments=segments)
        yield shared.episode(_NAME, split, f"{shared.path_id}_{index}", said)


def _sub_instructions(value: JsonValue) -> list[JsonValue]:
    """Sub-instructions of each instruction; the file holds them as the text of a Python list."""
    lists = value.value
    if isinstance(lists, str):
        if len(lists) > _LONGEST_LITERAL:
            raise value.error("is too long a text for a list")
        try:
            lists = ast.literal_eval(lists)
        except Exception as error:  # Python's parser raises whatever it is out of
            raise value.error("is no list in Python's notation") from error
    return list(JsonValue(lists, value.file, value.place).items())


def _segments(
    texts: list[JsonValue], views: JsonValue | None, pose_count: int
) -> tuple[Segment, ...]:
    if views is None:
        return ()
    places = list(views.items())
    if len(places) != len(texts):
        raise views.error(f"has {len(places)} parts, and the instruction has {len(texts)}")
    segments = []
    for text, place in zip(texts, places, strict=True):
        numbers = [item.as_number() for item in place.items()]
        is_in_path = len(numbers) == 2 and all(
            number.is_integer() and 1 <= number <= pose_count for number in numbers
        )
        if not is_in_path:
            raise place.error(f"is no part of a path of {pose_count} viewpoints, counted from 1")
        words = text.value
        sentence = words if isinstance(words, str) else " ".join(map(str, text.as_array()))
        # The file counts viewpoints from 1.
        segments.append(Segment(sentence, int(numbers[0]) - 1, int(numbers[1]) - 1))
    return tuple(segments)


def _build(group: list[Episode]) -> dict[str, Any]:
    if not all(episode.instruction.segments for episode in group):
        raise InputError("it has no sub-instructions")
    record = build_path_record(group)
    parts = [episode.instruction.segments for episode in group]
    record["new_instructions"] = repr([[part.text.split() for part in each] for each in parts])
    record["chunk_view"] = [
        [[part.first_pose + 1, part.last_pose + 1] for part in each] for each in parts
    ]
    return record


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="Fine-Grained R2R",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS + "; `chunk_view` counts viewpoints from 1, both ends included",
    source="YicongHong/Fine-Grained-R2R:README.md",
    write=writer_of(_NAME, _build, _KEEPS),
    keys=(*KEYS, "new_instructions"),
)
