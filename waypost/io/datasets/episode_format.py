"""What an episode reader is; a new format is one module with one ``FORMAT`` record.

How to write one:

1. ``can_read(head)`` looks at ``head.sample`` (the beginning of the JSON document, already
   parsed) and says yes only to content that no other format has; the name of the file may break
   a tie, never decide alone.
2. ``read(path, log)`` is a generator: it loops over ``item_reading.read_items`` and yields one
   ``Episode`` after the other, keeping none. An item that cannot be used is reported with
   ``log.add(ImportKind.UNREADABLE, …)`` and skipped; ``ReadError`` only when the file as a whole
   is of no use. Positions are converted to the scene frame, headings to scene yaw.
3. Keys without a place in ``Episode`` go to ``extra`` unchanged; members of the document beside
   the items are in ``log.document``. ``write`` puts both back, so that nothing is lost.
4. ``conventions`` says in one sentence which frame, heading zero, sense, quaternion order and
   unit the reader assumes. It is shown with every import.

Then add the module to ``episode_registry.FORMATS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from waypost.domain.episode import Episode
from waypost.io.file_head import FileHead
from waypost.io.read_log import ReadLog

EpisodeReader = Callable[[Path, ReadLog], Iterator[Episode]]
"""Raises ``ReadError`` when the file as a whole cannot be used."""

EpisodeWriter = Callable[[Path, Iterable[Episode], ReadLog], None]
"""Writes episodes of this format back; ``ReadLog.document`` holds what stood beside them.
Raises ``WriteError``, or ``InputError`` if an episode lacks what the format needs."""


@dataclass(frozen=True, slots=True)
class EpisodeFormat:
    """A kind of episode file."""

    name: str
    """The word on the command line, e.g. ``r2r``."""

    title: str
    """For people, e.g. ``Room-to-Room annotations``."""

    can_read: Callable[[FileHead], bool]
    read: EpisodeReader
    conventions: str
    """Frame, headings, quaternion order and units, in one sentence."""

    source: str
    """Where the format is defined: ``owner/repo:path``."""

    write: EpisodeWriter | None = None
