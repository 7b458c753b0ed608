"""What the timeline and the curves of a replay show, made once per replay."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from waypost.domain.replay.replay import Replay
from waypost.domain.replay.tags import TAG_TITLES, Tag
from waypost.services.replay.cursor import Landmark, landmark_steps
from waypost.widgets.timeline_content import (
    TimelineContent,
    TimelineKind,
    TimelineMark,
    TimelineSpan,
)


def timeline_of(replay: Replay, tags: tuple[Tag, ...] = ()) -> TimelineContent:
    """Steps with spans off the reference and flags where something happened.

    Args:
        replay: What is replayed.
        tags: Computed tags; those with a step explain the flags there.
    """
    return TimelineContent(
        len(replay),
        replay.times_s,
        tuple(_off_spans(replay)),
        tuple(sorted(_marks(replay, tags), key=lambda mark: mark.index)),
    )


def _off_spans(replay: Replay) -> Iterator[TimelineSpan]:
    on = replay.on_reference
    if on is None:
        return
    edges = np.flatnonzero(np.diff(np.concatenate(([True], on, [True])).astype(np.int8)))
    for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield TimelineSpan(first, end - 1, TimelineKind.OFF_REFERENCE)


def _marks(replay: Replay, tags: tuple[Tag, ...]) -> Iterator[TimelineMark]:
    deviation = replay.first_deviation_step
    if deviation is not None:
        yield TimelineMark(deviation, TimelineKind.FIRST_DEVIATION, "first deviation")
    for step in landmark_steps(replay, Landmark.REVISIT):
        yield TimelineMark(step, TimelineKind.REVISIT, f"visit {int(replay.visits[step])} here")
    for step in landmark_steps(replay, Landmark.COLLISION):
        yield TimelineMark(step, TimelineKind.COLLISION, "collision")
    if len(replay) and replay.run.end.called_stop:
        yield TimelineMark(len(replay) - 1, TimelineKind.STOP, "the agent stopped")
    for tag in tags:
        if tag.step is not None:
            yield TimelineMark(tag.step, tag.kind.value, f"{TAG_TITLES[tag.kind]}: {tag.reason}")
