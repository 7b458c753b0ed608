"""What a run reader is; a new format is one module with one ``FORMAT`` record.

The rules of ``datasets.episode_format`` hold here too. Besides:

1. ``read(path, log)`` yields ``EpisodeRun``s. ``path`` may be a folder (``head.is_folder``) for
   formats that write one file per episode.
2. ``route`` holds every pose, start first, turns in place and repeats kept. What was asked at one
   moment is one ``Decision``; several hops of one decision are one ``Decision`` over several
   poses; a decision that led nowhere has ``first_pose == end_pose``.
3. Text of the model that names no valid move becomes a decision with a ``NO_MOVE`` event.
   Thoughts are attached by viewpoint and order; what matches no pose stays in the order as a
   decision with an ``UNMATCHED_TEXT`` event. Nothing is dropped.
4. Ids go through ``episode.normal_id``. Scores stated by the source go to ``reported``.
5. Duplicates are yielded as they come; ``app`` counts them (``domain.coverage``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from waypost.domain.run import EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.read_log import ReadLog

RunReader = Callable[[Path, ReadLog], Iterator[EpisodeRun]]
"""Raises ``ReadError`` when the file as a whole cannot be used."""

RunWriter = Callable[[Path, Iterable[EpisodeRun], ReadLog], None]
"""Writes runs in this format; what it cannot hold is said with ``ReadLog.add``.
Raises ``WriteError``, or ``InputError`` if a run lacks what the format needs."""


@dataclass(frozen=True, slots=True)
class RunFormat:
    """A kind of result file or log."""

    name: str
    """The word on the command line, e.g. ``r2r``."""

    title: str
    """For people, e.g. ``R2R submission``."""

    can_read: Callable[[FileHead], bool]
    read: RunReader
    conventions: str
    """Frame, headings, quaternion order and units, in one sentence."""

    source: str
    """Where the format is defined: ``owner/repo:path``."""

    write: RunWriter | None = None
