"""RxR-Habitat episodes: RxR walked freely, guide and follower, dense paths in a second file.

Source: jacobkrantz/VLN-CE:README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import first_record, id_of, optional
from waypost.io.datasets.habitat_records import (
    CONVENTIONS,
    KEYS,
    build_habitat,
    habitat_writer,
    has_habitat_keys,
    read_habitat,
)
from waypost.io.datasets.panorama_records import number_or_text
from waypost.io.datasets.rxr_guide_episodes import timed_words, words_record
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "vlnce-rxr"
_FOLLOWER: Final = "follower"


def can_read(head: FileHead) -> bool:
    """Whether the first record is VLN-CE's and its instruction has an id and a language."""
    record = first_record(head, "episodes")
    return has_habitat_keys(record) and {"instruction_id", "language"} <= set(record["instruction"])


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the episodes; ``X_gt.json.gz`` beside ``X.json.gz`` gives the dense paths."""
    return read_habitat(path, log, _NAME, _instruction)


def _instruction(record: JsonValue) -> tuple[Instruction, str]:
    value = record.field("instruction")
    return (
        Instruction(
            value.text_of("instruction_text"),
            language=value.text_of("language"),
            words=timed_words(optional(value, "timed_instruction")),
        ),
        _id(record, value),
    )


def _id(record: JsonValue, instruction: JsonValue) -> str:
    """The instruction's id; of a follower with that of the demonstration, else of the episode.

    Several people may follow one instruction, and no prediction of a guide's episode may be taken
    for one of theirs. Where no record states the role, files are named ``<split>_<role>.json.gz``.
    """
    name = id_of(instruction.field("instruction_id"), ReadLog())
    info = optional(record, "info")
    stated = "" if info is None else info.text_of("role")
    if (stated or Path(record.file).name.split(".")[0].rpartition("_")[2]) != _FOLLOWER:
        return name
    own = optional(instruction, "demonstration_id") or record.field("episode_id")
    return f"{name}_{id_of(own, ReadLog())}"


def _build(group: list[Episode]) -> dict[str, Any]:
    (episode,) = group
    words = episode.instruction
    instruction = {
        "instruction_id": number_or_text(episode.episode_id),
        "instruction_text": words.text,
        "language": words.language,
        "timed_instruction": words_record(words.words),
    }
    return build_habitat(episode, instruction)


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="RxR-Habitat episodes",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS
    + "; the id of an episode is its instruction id, which predictions use, and a follower's is"
    " <instruction id>_<demonstration id>; `_gt` is looked up by the file's own episode id",
    source="jacobkrantz/VLN-CE:README.md",
    write=habitat_writer(_NAME, _build, frozenset({Part.LANGUAGE, Part.WORD_TIMES})),
    keys=(*KEYS, "goals", "reference_path"),
    dataset="RxR-CE",
    profile_key="vlnce",
)
