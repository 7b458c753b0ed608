"""Which words of an instruction belong to a step, where the data says so; never a guess."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category

import numpy as np

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.episode import TimedWord
from waypost.domain.replay.columns import level, positions_of
from waypost.domain.replay.guide_words import SpokenWords, words_by_pose
from waypost.domain.replay.reference import nearest_in_order, reference_pointers
from waypost.domain.replay.replay import Replay

_TOKEN: Final = re.compile(r"\w+", re.UNICODE)
_JOINERS: Final = "\u200c\u200d"
_MOST_WORDS: Final = 5_000
_MOST_SKIPPED: Final = 4
"""So many words may stand between two parts, such as an “and then”."""

_MOST_STAYS: Final = 3
"""So many visits of the guide to one place are told with their times."""

_OFF: Final = "Off the reference: no part belongs to this place."
_WHOLE: Final = "The data does not say which words belong to which step."


@dataclass(frozen=True, slots=True)
class StepInstruction:
    """The instruction as it stands at one step."""

    text: str
    """The whole instruction."""

    spans: tuple[tuple[int, int], ...] = ()
    """(start, end) of the characters that belong to this step."""

    part: str = ""
    """The sub-instruction or the words of this step as the data has them; empty if none."""

    source: str = ""
    """What ``part`` is, e.g. ``sub-instruction 2 of 4``."""

    note: str = ""
    """Why nothing is marked; empty if something is."""


def instruction_of_step(replay: Replay, index: int) -> StepInstruction:
    """The instruction with the part that belongs to a step.

    Sub-instructions belong to stretches of the reference (Fine-Grained R2R), timed words to the
    place of the reference at which the guide said them, where the guide's pose trace is at hand
    (RxR). Both tell of steps on the reference only.
    """
    told = replay.episode.instruction
    text = told.text or replay.run.instruction
    if told.segments:
        return _segment(replay, text, index)
    if told.words:
        return _words(replay, text, index)
    return StepInstruction(text, note=_WHOLE if text else "")


@lru_cache(maxsize=16)
def _pointers(replay: Replay) -> list[int | None]:
    return reference_pointers(replay.viewpoint_ids, replay.episode.reference.viewpoint_ids)


@lru_cache(maxsize=16)
def _places(replay: Replay) -> list[int | None] | None:
    """Pose of the reference that each step is at; ``None`` where the run has no place on it."""
    reference = replay.episode.reference
    if replay.on_reference is None:
        return None
    if replay.viewpoint_ids and reference.viewpoint_ids:
        return _pointers(replay)
    points = positions_of(reference, replay.graph)
    if not len(points) or not np.isfinite(points).all() or not replay.has_positions:
        return None
    near = nearest_in_order(level(replay.positions_m), level(points))
    return [
        at if is_on else None for at, is_on in zip(near, replay.on_reference.tolist(), strict=True)
    ]


def _segment(replay: Replay, text: str, index: int) -> StepInstruction:
    if not replay.viewpoint_ids or replay.on_reference is None:
        return StepInstruction(text, note="Its parts belong to viewpoints of the reference only.")
    pointer = _pointers(replay)[index]
    if pointer is None:
        return StepInstruction(text, note=_OFF)
    segments = replay.episode.instruction.segments
    here = [
        number
        for number, part in enumerate(segments)
        if part.first_pose <= pointer < part.last_pose
        or part.first_pose == pointer == part.last_pose
    ]
    if not here and pointer == len(replay.episode.reference) - 1:
        here = [number for number, part in enumerate(segments) if part.last_pose == pointer]
    if not here:
        return StepInstruction(text, note="No sub-instruction covers this part of the reference.")
    found = find_in_order(text, tuple(part.text for part in segments))
    spans = tuple(span for number in here if (span := found[number]) is not None)
    numbers = " and ".join(str(number + 1) for number in here)
    return StepInstruction(
        text,
        spans,
        " ".join(segments[number].text for number in here),
        f"sub-instruction {numbers} of {len(segments)}",
    )


def _words(replay: Replay, text: str, index: int) -> StepInstruction:
    said, places = _spoken(replay), _places(replay)
    if said is None or places is None:
        return StepInstruction(text, note=_why_not_placed(replay))
    place = places[index]
    if place is None:
        return StepInstruction(text, note=_OFF)
    words, numbers = replay.episode.instruction.words, said[place].numbers
    if not numbers:
        return StepInstruction(text, note="The guide said nothing at this place.")
    found = find_in_order(text, tuple(word.word for word in words))
    spans = _joined([span for number in numbers if (span := found[number]) is not None], text)
    return StepInstruction(
        text, spans, _sentence(words, numbers), _said_when(said[place].intervals_s)
    )


def _why_not_placed(replay: Replay) -> str:
    guide = replay.episode.guide
    if guide is None:
        return "The words have times; no pose trace says where the guide stood when they were said."
    if guide.problem:
        return f"The words have times, but not the place where they were said: {guide.problem}."
    if _spoken(replay) is None:
        return "The guide's pose trace nowhere meets the reference."
    return "The words belong to places of the reference, on which this run cannot be laid."


@lru_cache(maxsize=16)
def _spoken(replay: Replay) -> tuple[SpokenWords, ...] | None:
    return words_by_pose(replay.episode)


def _said_when(intervals_s: Sequence[tuple[float, float]]) -> str:
    """The stays of the guide in words, those beyond the third counted."""
    parts = [
        f"at {start_s:.1f}–{end_s:.1f} s" if end_s < math.inf else f"from {start_s:.1f} s on"
        for start_s, end_s in intervals_s[:_MOST_STAYS]
    ]
    more = len(intervals_s) - len(parts)
    return f"said by the guide {' and '.join(parts)}" + (
        f" and {counted(more, 'time')} more" if more else ""
    )


def _sentence(words: Sequence[TimedWord], numbers: Sequence[int]) -> str:
    return " ".join(words[number].word.strip() for number in numbers)


def _joined(spans: list[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
    """Spans with nothing but spaces and marks between them as one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and not _TOKEN.search(text, joined[-1][1], start):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


@lru_cache(maxsize=64)
def find_in_order(text: str, parts: tuple[str, ...]) -> tuple[tuple[int, int] | None, ...]:
    """Where parts stand in a text, one after the other, by their words alone.

    Punctuation, spaces and case may differ, as they do where a data set was tokenised. A part
    whose words do not all follow each other there, within a few words of the part before, has
    no place.
    """
    tokens = _tokens(text)
    if len(tokens) > _MOST_WORDS:
        return (None,) * len(parts)
    names = [token[0] for token in tokens]
    found: list[tuple[int, int] | None] = []
    at, reach = 0, _MOST_SKIPPED
    for part in parts:
        wanted = [word for word, _, _ in _tokens(part)]
        place = _find(names, wanted, at, at + reach) if wanted else None
        if place is None:
            found.append(None)
            reach += len(wanted)
            continue
        at, reach = place + len(wanted), _MOST_SKIPPED
        found.append((tokens[place][1], tokens[at - 1][2]))
    return tuple(found)


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """Words with where they begin and end; vowel signs, as of Hindi and Telugu, belong to them."""
    places: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while end < len(text) and (text[end] in _JOINERS or category(text[end])[0] == "M"):
            end += 1
        if places and places[-1][1] == start:
            start = places.pop()[0]
        places.append((start, end))
    return [(text[start:end].casefold(), start, end) for start, end in places]


def _find(names: list[str], wanted: list[str], first: int, last: int) -> int | None:
    last = min(last, len(names) - len(wanted))
    return next(
        (at for at in range(first, last + 1) if names[at : at + len(wanted)] == wanted), None
    )
