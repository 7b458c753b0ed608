"""Bring the guide's pose trace to an episode with timed words when it is replayed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.guide_trace import GuideTrace
from waypost.io.datasets.guide_traces import find_guide_trace, read_guide_trace


def with_guide(episode: Episode, annotations: Sequence[Path]) -> Episode:
    """The episode with its guide, where the words have times and a trace lies beside them.

    Reads one file; what is damaged is told in ``guide.problem``.

    Args:
        episode: Any; those without timed words come back as they are.
        annotations: Files of the run's episodes.
    """
    if not episode.instruction.words:
        return episode
    for path in annotations:
        found = find_guide_trace(path, episode.split, episode.episode_id)
        if found is None:
            continue
        try:
            return dataclasses.replace(episode, guide=read_guide_trace(found))
        except ReadError as error:
            return dataclasses.replace(episode, guide=GuideTrace(problem=str(error)))
    return episode
