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

from waypost.domain.episode.run import EpisodeRun
from waypost.io.item_format import ItemFormat

RunFormat = ItemFormat[EpisodeRun]
"""A kind of result file or log."""
