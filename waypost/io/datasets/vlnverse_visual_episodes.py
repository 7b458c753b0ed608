"""VLNVerse's visual-reference episodes: a picture shows the goal.

Source: arXiv:2512.19021; shape after william13077/IAmGoodNavigator:fine_grained_demo.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.vlnverse_records import (
    CONVENTIONS,
    KEYS,
    NOT_SEEN,
    instruction_member,
    read_vlnverse,
    styles_of,
    text_of_any,
    vlnverse_record,
    vlnverse_writer,
)
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "vlnverse-visual"
_KEYS: Final = (
    "reference_image",
    "goal_image",
    "image_goal",
    "instruction_image",
    "image_path",
    "image",
    "picture",
)


def can_read(head: FileHead) -> bool:
    """Whether the first record is VLNVerse's and names a picture."""
    record = vlnverse_record(head)
    return record is not None and isinstance(instruction_member(record, *_KEYS), str)


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the episodes; ``picture`` is what the file names, as it is."""
    return read_vlnverse(path, log, _NAME, _instruction)


def _instruction(record: JsonValue) -> Instruction:
    picture = instruction_member(record.as_object(), *_KEYS)
    if not isinstance(picture, str):
        raise record.error("names no picture")
    return Instruction(text_of_any(record), styles=styles_of(record), picture=picture)


def _instruction_record(instruction: Instruction) -> dict[str, Any]:
    return {"instruction_text": instruction.text, _KEYS[0]: instruction.picture}


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="VLNVerse, visual reference",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS
    + ". "
    + NOT_SEEN
    + "with a picture named by `reference_image`, `goal_image`, `image_goal`, `instruction_image`,"
    " `image_path`, `image` or `picture`",
    source="arXiv:2512.19021; shape after william13077/IAmGoodNavigator:fine_grained_demo.json",
    write=vlnverse_writer(_NAME, _instruction_record, frozenset({Part.PICTURE})),
    keys=(*KEYS, "reference_image"),
    dataset="VLNVerse",
)
