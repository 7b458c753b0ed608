"""Which words of an instruction belong to a step, where the data says so; never a guess."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from waypost.domain.episode import TimedWord
from waypost.domain.replay import Replay
from waypost.domain.replay_reference import reference_pointers

_TOKEN: Final = re.compile(r"\w+", re.UNICODE)
_MOST_WORDS: Final = 5_000
_MOST_SKIPPED: Final = 4
"""So many words may stand between two parts, such as an “and then”."""

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
    viewpoint at which the guide said them, where the guide's pose trace is at hand (RxR): its
    viewpoints and ``times_s`` in the episode. Both tell of steps on the reference only.
    """
    told = replay.episode.instruction
    text = told.text or replay.run.instruction
    if not (told.segments or told.words):
        return StepInstruction(text, note=_WHOLE if text else "")
    if not replay.viewpoint_ids or replay.on_reference is None:
        return StepInstruction(text, note="Its parts belong to viewpoints of the reference only.")
    pointer = _pointers(replay)[index]
    if pointer is None:
        return StepInstruction(text, note="Off the reference: no part belongs to this place.")
    if told.segments:
        return _segment(replay, text, pointer)
    return _words(replay, text, pointer)


@lru_cache(maxsize=16)
def _pointers(replay: Replay) -> list[int | None]:
    return reference_pointers(replay.viewpoint_ids, replay.episode.reference.viewpoint_ids)


def _segment(replay: Replay, text: str, pointer: int) -> StepInstruction:
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


def _words(replay: Replay, text: str, pointer: int) -> StepInstruction:
    stays = _guide_stays(replay)
    if stays is None:
        note = "The words have times; no pose trace says where the guide stood when they were said."
        return StepInstruction(text, note=note)
    start_s, end_s = stays[pointer]
    words = replay.episode.instruction.words
    said = [
        number
        for number, word in enumerate(words)
        if word.start_s is not None and start_s <= word.start_s < end_s
    ]
    if not said:
        return StepInstruction(text, note="The guide said nothing at this viewpoint.")
    found = find_in_order(text, tuple(word.word for word in words))
    spans = _joined([span for number in said if (span := found[number]) is not None], text)
    return StepInstruction(
        text, spans, _sentence(words, said), f"said by the guide at {start_s:.1f}–{end_s:.1f} s"
    )


def _sentence(words: Sequence[TimedWord], numbers: Sequence[int]) -> str:
    return " ".join(words[number].word.strip() for number in numbers)


def _guide_stays(replay: Replay) -> tuple[tuple[float, float], ...] | None:
    """From when until when the guide stood at each reference viewpoint, seconds."""
    episode = replay.episode
    times = np.asarray(episode.extra.get("times_s", ()), dtype=float).reshape(-1)
    names, wanted = episode.dense_reference_m.viewpoint_ids, episode.reference.viewpoint_ids
    if not len(times) or len(names) != len(times):
        return None
    starts = [i for i, name in enumerate(names) if i == 0 or names[i - 1] != name]
    if tuple(names[i] for i in starts) != wanted:
        return None
    bounds = [float(times[i]) for i in starts[1:]] + [float("inf")]
    return tuple((float(times[i]), end) for i, end in zip(starts, bounds, strict=True))


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
    tokens = [
        (match.group().casefold(), match.start(), match.end()) for match in _TOKEN.finditer(text)
    ]
    if len(tokens) > _MOST_WORDS:
        return (None,) * len(parts)
    names = [token[0] for token in tokens]
    found: list[tuple[int, int] | None] = []
    at, reach = 0, _MOST_SKIPPED
    for part in parts:
        wanted = [word.casefold() for word in _TOKEN.findall(part)]
        place = _find(names, wanted, at, at + reach) if wanted else None
        if place is None:
            found.append(None)
            reach += len(wanted)
            continue
        at, reach = place + len(wanted), _MOST_SKIPPED
        found.append((tokens[place][1], tokens[at - 1][2]))
    return tuple(found)


def _find(names: list[str], wanted: list[str], first: int, last: int) -> int | None:
    last = min(last, len(names) - len(wanted))
    return next(
        (at for at in range(first, last + 1) if names[at : at + len(wanted)] == wanted), None
    )
