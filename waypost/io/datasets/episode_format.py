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

Then add the module to ``known_formats.EPISODE_FORMATS``: nothing else names a format.
"""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.episode.episode import Episode
from waypost.io.item_format import ItemFormat, ItemWriter


@dataclass(frozen=True)
class EpisodeFormat(ItemFormat[Episode]):
    """A kind of episode file."""

    profile_key: str = ""
    """Metric profile of its data set; empty: by whether a run has viewpoints."""


EpisodeWriter = ItemWriter[Episode]
