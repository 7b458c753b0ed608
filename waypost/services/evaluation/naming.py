"""Bring runs whose logs know no ids to the episodes of the annotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.logs.instruction_ids import name_runs
from waypost.io.read_log import ReadLog


def named(
    runs: Iterable[EpisodeRun], annotations: tuple[Path, ...], annotation_format: str, log: ReadLog
) -> Iterator[EpisodeRun]:
    """Yield the runs; those without id get that of the episode with their instruction.

    The annotations are read once more, and only if some run lacks an id.
    """

    def episodes() -> Iterator[Episode]:
        for path in annotations:
            yield from EPISODE_FORMATS.find(path, annotation_format).read(path, ReadLog())

    return name_runs(runs, episodes, log)
