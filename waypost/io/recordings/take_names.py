"""What the file of a take is called."""

from __future__ import annotations

import re

from waypost.domain.episode.episode import Episode

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 120


def take_file_name(episode: Episode, participant: str = "") -> str:
    """``[PARTICIPANT_]EPISODE.csv`` in letters that every system allows; takes are numbered."""
    parts = [participant, episode.episode_id]
    stem = "_".join(_UNSAFE.sub("-", part).strip("-.") for part in parts if part)
    return (stem[:_LONGEST] or "take") + ".csv"
