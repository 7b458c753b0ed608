"""VLNVerse's coarse-grained episodes: a goal in words, said in three styles.

Source: william13077/IAmGoodNavigator:coarse_grained_demo.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.vlnverse_records import (
    CONVENTIONS,
    KEYS,
    read_vlnverse,
    vlnverse_record,
    vlnverse_writer,
)
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "vlnverse-coarse"
_PREFERRED: Final = "formal"


def can_read(head: FileHead) -> bool:
    """Whether the first record is VLNVerse's and its instruction comes in several styles."""
    record = vlnverse_record(head)
    instruction = None if record is None else record.get("instruction")
    return isinstance(instruction, dict) and isinstance(instruction.get("instruction_text"), dict)


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the episodes; the first style is the text, all of them are in ``styles``."""
    return read_vlnverse(path, log, _NAME, _instruction)


def _instruction(record: JsonValue) -> Instruction:
    texts = record.field("instruction").field("instruction_text")
    styles = {style: text.as_text() for style, text in texts.entries()}
    if not styles:
        raise texts.error("holds no wording")
    return Instruction(
        styles.get(_PREFERRED, next(iter(styles.values()))), styles=MappingProxyType(styles)
    )


def _instruction_record(instruction: Instruction) -> dict[str, Any]:
    return {"instruction_text": dict(instruction.styles) or {_PREFERRED: instruction.text}}


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="VLNVerse, coarse-grained",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS + "; the text shown is the formal style unless another is chosen",
    source="william13077/IAmGoodNavigator:coarse_grained_demo.json",
    write=vlnverse_writer(_NAME, _instruction_record, frozenset({Part.STYLES})),
    keys=(*KEYS, "goals"),
    dataset="VLNVerse",
)
