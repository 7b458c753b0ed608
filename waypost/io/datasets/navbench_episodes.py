"""NavBench execution tasks, and any list of paths with one instruction each, as JSON.

Source: NavBench/Evaluation_Code:Exec_code/datasets/annotations/NavBench_Easy.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import id_of, optional, read_records, split_of
from waypost.io.datasets.panorama_records import (
    CONVENTIONS,
    KNOWN,
    build_path_record,
    number_or_text,
    path_record,
)
from waypost.io.datasets.record_writing import writer_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "navbench"
KEEPS: Final = frozenset({Part.VIEWPOINTS, Part.HEADING, Part.DISTANCE})
"""What a record has a place for."""
_KNOWN: Final = (KNOWN | {"instruction", "instr_id"}) - {"instructions"}


def can_read(head: FileHead) -> bool:
    """Whether the first record is R2R's, with one instruction as text."""
    if not head.first_has("scan", "path_id", "path", "instruction"):
        return False
    return isinstance(head.first["instruction"], str)


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per record; its id is ``instr_id`` or, without one, ``path_id``."""
    split = level_of(path) or split_of(path)
    return read_records(
        path,
        log,
        lambda record: [episode_of(record, split, log, _NAME)],
        id_keys=("instr_id", "path_id"),
    )


def level_of(path: Path) -> str:
    """The level of difficulty that the name of a file states."""
    return next((level for level in ("easy", "medium", "hard") if level in path.name.lower()), "")


def episode_of(record: JsonValue, split: str, log: ReadLog, name: str) -> Episode:
    """The episode of one record.

    Raises:
        ReadError: Naming the place and what is wrong there.
    """
    own_id = optional(record, "instr_id")
    episode_id = id_of(record.field("path_id") if own_id is None else own_id, log)
    shared = path_record(record, log, known=_KNOWN, record_id=episode_id)
    said = Instruction(record.field("instruction").as_text())
    return shared.episode(name, split, episode_id, said)


def build_record(group: list[Episode]) -> dict[str, Any]:
    """A record of one episode.

    Raises:
        InputError: If it has no viewpoints.
    """
    (episode,) = group
    record = build_path_record(group)
    del record["instructions"]
    record["instruction"] = episode.instruction.text
    record["instr_id"] = number_or_text(episode.episode_id)
    return record


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="NavBench tasks",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS + "; the id of an episode is `instr_id`, counted within one file",
    source="NavBench/Evaluation_Code:Exec_code/datasets/annotations/NavBench_Easy.json",
    write=writer_of(_NAME, build_record, KEEPS, grouped=False),
    keys=("scan", "path_id", "path", "instruction"),
    dataset="NavBench",
    profile_key="navbench",
)
