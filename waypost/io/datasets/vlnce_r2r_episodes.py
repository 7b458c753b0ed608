"""VLN-CE's R2R episodes: R2R walked freely in Habitat, dense expert paths in a second file.

Source: jacobkrantz/VLN-CE:README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_records import first_record
from waypost.io.datasets.habitat_records import (
    CONVENTIONS,
    KEYS,
    build_habitat,
    habitat_writer,
    has_habitat_keys,
    read_habitat,
)
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "vlnce-r2r"


def can_read(head: FileHead) -> bool:
    """Whether the first record is VLN-CE's and its instruction is R2R's: a text, no language."""
    record = first_record(head, "episodes")
    return has_habitat_keys(record) and isinstance(
        record["instruction"].get("instruction_text"), str
    )


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the episodes; ``X_gt.json.gz`` beside ``X.json.gz`` gives the dense paths."""
    return read_habitat(path, log, _NAME, _instruction)


def _instruction(record: JsonValue) -> tuple[Instruction, str]:
    return Instruction(record.field("instruction").field("instruction_text").as_text()), ""


def _build(group: list[Episode]) -> dict[str, Any]:
    (episode,) = group
    return build_habitat(episode, {"instruction_text": episode.instruction.text})


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="VLN-CE R2R episodes",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS,
    source="jacobkrantz/VLN-CE:README.md",
    write=habitat_writer(_NAME, _build, frozenset()),
    keys=(*KEYS, "goals", "reference_path"),
    dataset="R2R-CE",
    profile_key="vlnce",
)
