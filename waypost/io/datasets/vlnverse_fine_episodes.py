"""VLNVerse's fine-grained episodes: one step-by-step instruction each.

Source: william13077/IAmGoodNavigator:fine_grained_demo.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.vlnverse_records import (
    CONVENTIONS,
    KEYS,
    plain_instruction,
    read_vlnverse,
    vlnverse_record,
    vlnverse_writer,
)
from waypost.io.file_head import FileHead
from waypost.io.read_log import ReadLog

_NAME: Final = "vlnverse-fine"


def can_read(head: FileHead) -> bool:
    """Whether the first record is VLNVerse's and its instruction is one text."""
    record = vlnverse_record(head)
    instruction = None if record is None else record.get("instruction")
    return isinstance(instruction, dict) and isinstance(instruction.get("instruction_text"), str)


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the episodes."""
    return read_vlnverse(path, log, _NAME, plain_instruction)


def _instruction_record(instruction: Instruction) -> dict[str, Any]:
    return {"instruction_text": instruction.text}


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="VLNVerse, fine-grained",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS,
    source="william13077/IAmGoodNavigator:fine_grained_demo.json",
    write=vlnverse_writer(_NAME, _instruction_record),
    keys=(*KEYS, "goals", "reference_path"),
    dataset="VLNVerse",
)
