"""Which words of a spoken instruction a participant heard when, and where they stood."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from waypost.domain.episode.episode import TimedWord
from waypost.domain.record.recording import VOICE_PAUSE, VOICE_PLAY, Recording, usable_rows
from waypost.domain.record.trajectory import UNKNOWN_NS


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the audio that was played without a break."""

    from_s: float
    """Place in the audio, seconds since its beginning."""

    wall_begin_ns: int
    """On the clock of the take's samples."""

    wall_end_ns: int


@dataclass(frozen=True, slots=True)
class HeardWord:
    """One hearing of one word."""

    number: int
    """Index into the timed words."""

    hearing: int | None
    """From 1: the how many-th time it was played; ``None`` if it never was."""

    sample: int | None
    """Index of the last sample before the word began; ``None`` if it was never played."""


def played_stretches(recording: Recording) -> tuple[Stretch, ...]:
    """What was played of the spoken instruction, in order.

    One that nobody paused goes on to the end of the take. An event that tells no place in the
    audio is left out.
    """
    walls = recording.trajectory.wall_times_ns[usable_rows(recording)]
    last_ns = int(walls[-1]) if len(walls) else 0
    ends = [event for event in recording.events if event.kind in {VOICE_PLAY, VOICE_PAUSE}]
    found = []
    for event, following in zip(ends, [*ends[1:], None], strict=True):
        from_s = _place_s(event.detail)
        if event.kind != VOICE_PLAY or from_s is None:
            continue
        until_ns = max(last_ns, event.wall_time_ns)
        end_ns = until_ns if following is None else following.wall_time_ns
        found.append(Stretch(from_s, event.wall_time_ns, end_ns))
    return tuple(found)


def _place_s(detail: str) -> float | None:
    try:
        place_s = float(detail)
    except ValueError:
        return None
    return place_s if 0 <= place_s < math.inf else None


def heard_words(recording: Recording, words: Sequence[TimedWord]) -> tuple[HeardWord, ...]:
    """Every hearing of every word, by word and then in the order heard; once where never heard.

    A word is heard if it begins while its part of the audio plays. The voice goes on while the
    take is paused, so that the wall clock tells when that is.
    """
    rows = usable_rows(recording)
    walls = recording.trajectory.wall_times_ns[rows]
    is_timed = bool(len(walls)) and not bool((walls == UNKNOWN_NS).any())
    stretches = played_stretches(recording) if is_timed else ()
    found: list[HeardWord] = []
    for number, word in enumerate(words):
        times_ns = list(_heard_ns(word, stretches))
        for hearing, wall_ns in enumerate(times_ns, 1):
            place = max(0, int(np.searchsorted(walls, wall_ns, side="right")) - 1)
            found.append(HeardWord(number, hearing, int(rows[place])))
        if not times_ns:
            found.append(HeardWord(number, None, None))
    return tuple(found)


def _heard_ns(word: TimedWord, stretches: Sequence[Stretch]) -> Iterator[int]:
    if word.start_s is None or not 0 <= word.start_s < math.inf:
        return
    for stretch in stretches:
        after_ns = round((word.start_s - stretch.from_s) * 1e9)
        if 0 <= after_ns < stretch.wall_end_ns - stretch.wall_begin_ns:
            yield stretch.wall_begin_ns + after_ns
