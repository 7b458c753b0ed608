"""RxR guide annotations: spoken instructions in four languages with the time of every word.

Source: google-research-datasets/RxR:README.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction, TimedWord
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_parts import Part
from waypost.io.datasets.episode_records import id_of, optional, read_records, split_of
from waypost.io.datasets.panorama_records import (
    CONVENTIONS,
    build_path_record,
    number_or_text,
    path_record,
)
from waypost.io.datasets.record_writing import writer_of
from waypost.io.file_head import FileHead
from waypost.io.json_reading import JsonValue
from waypost.io.read_log import ReadLog

_NAME: Final = "rxr"
_KEEPS: Final = frozenset(
    {Part.VIEWPOINTS, Part.HEADING, Part.DISTANCE, Part.LANGUAGE, Part.WORD_TIMES}
)
_KNOWN: Final = frozenset(
    {"split", "instruction_id", "language", "path_id", "scan", "path", "heading"}
    | {"instruction", "timed_instruction", "distance"}
)


def can_read(head: FileHead) -> bool:
    """Whether the first record has an instruction id, a language and a path of viewpoints."""
    return head.line_has("instruction_id", "language", "scan", "path_id", "instruction")


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per line; its id is the instruction id."""
    split = split_of(path)
    return read_records(
        path,
        log,
        lambda record: [_episode(record, split, log)],
        id_keys=("instruction_id",),
        as_lines=True,
    )


def _episode(record: JsonValue, split: str, log: ReadLog) -> Episode:
    episode_id = id_of(record.field("instruction_id"), log)
    shared = path_record(record, log, known=_KNOWN, record_id=episode_id)
    said = Instruction(
        record.field("instruction").as_text(),
        language=record.text_of("language"),
        words=timed_words(optional(record, "timed_instruction")),
    )
    return shared.episode(_NAME, record.text_of("split") or split, episode_id, said)


def timed_words(value: JsonValue | None) -> tuple[TimedWord, ...]:
    """The words of a ``timed_instruction``; some have no times.

    Raises:
        ReadError: Naming the word that is none.
    """
    if value is None:
        return ()
    return tuple(
        TimedWord(
            item.field("word").as_text(), _seconds(item, "start_time"), _seconds(item, "end_time")
        )
        for item in value.items()
    )


def _seconds(word: JsonValue, key: str) -> float | None:
    found = optional(word, key)
    if found is None or (isinstance(found.value, float) and math.isnan(found.value)):
        return None
    return found.as_number()


def words_record(words: Iterable[TimedWord]) -> list[dict[str, Any]]:
    """A ``timed_instruction`` of words."""
    return [
        {"word": word.word}
        | {
            key: value
            for key, value in (("start_time", word.start_s), ("end_time", word.end_s))
            if value is not None
        }
        for word in words
    ]


def _build(group: list[Episode]) -> dict[str, Any]:
    (episode,) = group
    path = build_path_record(group)
    del path["instructions"]
    return {
        "split": episode.split,
        "instruction_id": number_or_text(episode.episode_id),
        "language": episode.instruction.language,
        **path,
        "instruction": episode.instruction.text,
        "timed_instruction": words_record(episode.instruction.words),
    }


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="RxR guide annotations",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS
    + "; times of words in seconds since the recording began; the id of an episode is the"
    " instruction id",
    source="google-research-datasets/RxR:README.md",
    write=writer_of(_NAME, _build, _KEEPS, grouped=False, as_lines=True),
    keys=("instruction_id", "language", "scan", "path_id", "instruction"),
    dataset="RxR",
    profile_key="r4r",
)
