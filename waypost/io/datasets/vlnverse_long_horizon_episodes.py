"""VLNVerse's long-horizon episodes: goals to reach one after the other.

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
    has_stages,
    read_vlnverse,
    styles_of,
    text_of_any,
    vlnverse_record,
    vlnverse_writer,
)
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "vlnverse-long-horizon"


def can_read(head: FileHead) -> bool:
    """Whether the first record is VLNVerse's and has several goals or a list of stages."""
    record = vlnverse_record(head)
    return record is not None and has_stages(record)


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the episodes with their stages in order."""
    return read_vlnverse(path, log, _NAME, _instruction)


def _instruction(record: JsonValue) -> Instruction:
    return Instruction(text_of_any(record), styles=styles_of(record))


def _instruction_record(instruction: Instruction) -> dict[str, Any]:
    return {"instruction_text": dict(instruction.styles) or instruction.text}


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="VLNVerse, long-horizon",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS
    + ". "
    + NOT_SEEN
    + "with several `goals` in order, or a list `stages` (`sub_goals`, `subgoals`, `sub_tasks`,"
    " `subtasks`) of positions",
    source="arXiv:2512.19021; shape after william13077/IAmGoodNavigator:fine_grained_demo.json",
    write=vlnverse_writer(_NAME, _instruction_record, frozenset({Part.STYLES, Part.STAGES})),
    keys=(*KEYS, "stages"),
    dataset="VLNVerse",
)
