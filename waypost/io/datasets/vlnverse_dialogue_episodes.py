"""VLNVerse's dialogue episodes: the agent is told its way in a conversation.

Source: arXiv:2512.19021; shape after william13077/IAmGoodNavigator:fine_grained_demo.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction, Turn
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

_NAME: Final = "vlnverse-dialogue"
_KEYS: Final = ("dialogue", "dialog", "dialog_history", "dialogue_history", "conversation")
_WHO: Final = ("role", "speaker", "from")
_WHAT: Final = ("message", "content", "text", "utterance", "value")
_QUESTION: Final = ("question", "navigator")
_ANSWER: Final = ("answer", "oracle")


def can_read(head: FileHead) -> bool:
    """Whether the first record is VLNVerse's and holds a conversation."""
    record = vlnverse_record(head)
    return record is not None and isinstance(instruction_member(record, *_KEYS), list)


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield the episodes with their conversation."""
    return read_vlnverse(path, log, _NAME, _instruction)


def _instruction(record: JsonValue) -> Instruction:
    talk = instruction_member(record.as_object(), *_KEYS)
    turns = JsonValue(talk, record.file, f"{record.place}.{_KEYS[0]}")
    return Instruction(
        text_of_any(record),
        styles=styles_of(record),
        dialogue=tuple(said for turn in turns.items() for said in _turns(turn)),
    )


def _turns(turn: JsonValue) -> Iterator[Turn]:
    """What one entry says: a text, a role with a text, or a question with its answer."""
    if isinstance(turn.value, str):
        yield Turn("", turn.as_text())
        return
    members = turn.as_object()
    what = next((key for key in _WHAT if key in members), None)
    if what is not None:
        who = next((turn.text_of(key) for key in _WHO if key in members), "")
        yield Turn(who, turn.field(what).as_text())
        return
    if _QUESTION[0] not in members and _ANSWER[0] not in members:
        raise turn.error("says nothing")
    for key, role in (_QUESTION, _ANSWER):
        if key in members:
            yield Turn(role, turn.field(key).as_text())


def _instruction_record(instruction: Instruction) -> dict[str, Any]:
    turns = [{"role": turn.role, "message": turn.message} for turn in instruction.dialogue]
    return {"instruction_text": instruction.text, _KEYS[0]: turns}


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="VLNVerse, dialogue",
    can_read=can_read,
    read=read,
    conventions=CONVENTIONS
    + ". "
    + NOT_SEEN
    + "with a list `dialogue` (`dialog`, `dialog_history`, `dialogue_history`, `conversation`) of"
    " texts, of turns with role and message, or of questions with answers",
    source="arXiv:2512.19021; shape after william13077/IAmGoodNavigator:fine_grained_demo.json",
    write=vlnverse_writer(_NAME, _instruction_record, frozenset({Part.DIALOGUE})),
    keys=(*KEYS, "dialogue"),
    dataset="VLNVerse",
)
