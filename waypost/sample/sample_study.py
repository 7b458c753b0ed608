"""The study of the sample home, which ships with its takes."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any, Final, TypeVar

from waypost.domain.base.value_codec import decode
from waypost.domain.record.study import (
    Assignment,
    ConsentText,
    Participant,
    Study,
    StudyEpisode,
    StudyRules,
    Take,
)

STUDY_FILE: Final = "study.json"
TAKES_FOLDER: Final = "takes"


def read_study(text: str) -> Study:
    """The study of the sample.

    Raises:
        ValueError: If the text is of another shape.
    """
    record = json.loads(text)
    consents = _items(ConsentText, record["consent_texts"])
    episodes = _items(StudyEpisode, record["episodes"])
    people = _items(Participant, record["participants"])
    assignments = _items(Assignment, record["assignments"])
    takes = _items(Take, record["takes"])
    return Study(
        decode(StudyRules, record["rules"]),
        MappingProxyType({one.version: one for one in consents}),
        MappingProxyType({one.key: one for one in episodes}),
        MappingProxyType({one.code: one for one in people}),
        MappingProxyType({one.key: one for one in assignments}),
        MappingProxyType({one.key: one for one in takes}),
    )


_Item = TypeVar("_Item")


def _items(kind: type[_Item], records: list[Any]) -> list[_Item]:
    return [decode(kind, record) for record in records]
