"""Where the spoken form of an instruction is, for data sets whose guides spoke, such as RxR.

RxR publishes the words with their times but no file names for the audio, so that recordings are
named by instruction id as its pose traces are (google-research-datasets/RxR:README.md:
``000031_guide_pose_trace.npz``), or stated in the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from waypost.domain.episode.episode import Episode

AUDIO_FOLDERS: Final = ("audio", "rxr_audio", "")
"""Looked into in this order, beside the file of the episodes."""

AUDIO_SUFFIXES: Final = (".wav", ".flac", ".ogg", ".opus", ".mp3", ".m4a")
AUDIO_KEYS: Final = ("audio", "audio_path", "audio_file")
"""Of a record that states its file, absolute or relative to the file of the episodes."""


def find_instruction_audio(episode: Episode, episodes_file: Path) -> Path | None:
    """The file in which an instruction is spoken; ``None`` if there is none.

    Args:
        episode: As it was read.
        episodes_file: Where it was read from.
    """
    folder = episodes_file.parent
    for key in AUDIO_KEYS:
        stated = episode.extra.get(key)
        if (
            isinstance(stated, str)
            and stated
            and "\0" not in stated
            and (folder / stated).is_file()
        ):
            return folder / stated
    for name in _names(episode.episode_id):
        for inner in AUDIO_FOLDERS:
            for suffix in AUDIO_SUFFIXES:
                path = folder / inner / f"{name}{suffix}"
                if path.is_file():
                    return path
    return None


def _names(own_id: str) -> Iterator[str]:
    if not own_id or any(mark in own_id for mark in "/\\\0"):
        return
    yield own_id
    if own_id.isdigit():
        yield f"{int(own_id):06d}"
        yield f"{int(own_id):06d}_guide"
        yield f"{int(own_id):06d}_guide_audio"
