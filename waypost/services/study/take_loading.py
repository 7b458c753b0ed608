"""Reads a take from disk for looking at it; a generator, so that a job can do it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.episode import Episode
from waypost.domain.record.recording import EYE_HEIGHT_M, NOTE, Recording, as_run
from waypost.domain.record.study import Take
from waypost.domain.record.take_track import TakeTrack, take_track
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.agent_files import agent_of_table, shipped_agents
from waypost.io.file_reading import read_plain_bytes
from waypost.io.picture_sources.take_frames import TakeFrames
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import kept_frames
from waypost.services.replay.loading import unknown_episode

_DEFAULT_AGENT = "human"


@dataclass(frozen=True, eq=False, slots=True)
class SeenFrames:
    """Camera frames that were kept with a take, and the take as what they are pictures of."""

    source: TakeFrames
    replay: Replay
    """Its steps are the samples of the track."""


@dataclass(frozen=True, slots=True)
class LoadedTake:
    """A take with everything that its views need."""

    take: Take
    episode: Episode | None
    """What was to be driven; ``None`` if its file is not at hand."""

    recording: Recording
    track: TakeTrack
    profile: AgentProfile
    """As the header of the recording has it."""

    eye_height_m: float
    notes: tuple[str, ...] = ()
    """What to know before it is believed, one sentence each."""

    frames: SeenFrames | None = None
    """``None`` if no camera frames were kept with it, or they cannot be shown."""


def load_take(
    take: Take,
    file: Path,
    episode: Episode | None,
) -> Work[LoadedTake]:
    """Read the file of a take.

    Args:
        take: As the study lists it.
        file: Its samples.
        episode: Gives the reference.

    Yields:
        Progress.

    Raises:
        InputError: If there is nothing to look at, or the file cannot be read.
    """
    yield Progress(0.0, 2.0, f"Reading {file.name}")
    recording = read_recording(file)
    notes = list(recording.notes)
    notes += [mark.message for mark in recording.marks]
    notes += [event.detail for event in recording.events if event.kind == NOTE and event.detail]
    digest = hashlib.sha256(read_plain_bytes(file)).hexdigest()
    if take.content_hash and digest != take.content_hash:
        notes.append("the file was changed since it was scored")
    yield Progress(1.0, 2.0, f"Reading {file.name}")
    profile, problem = _profile(recording.header, str(file))
    frames, lack = _frames(file, recording, episode)
    return LoadedTake(
        take,
        episode,
        recording,
        take_track(recording, episode),
        profile,
        _eye_height_m(recording.header),
        tuple(dict.fromkeys((*notes, *problem, *lack))),
        frames,
    )


def _frames(
    file: Path, recording: Recording, episode: Episode | None
) -> tuple[SeenFrames | None, tuple[str, ...]]:
    folder = kept_frames(file)
    if folder is None:
        return None, ()
    run = as_run(recording)
    asked = episode or unknown_episode(run, run.episode_id)
    try:
        return SeenFrames(TakeFrames(folder), build_replay(asked, run)), ()
    except ReadError as error:
        return None, (f"its camera frames cannot be shown: {error}",)


def _profile(header: Mapping[str, Any], file: str) -> tuple[AgentProfile, tuple[str, ...]]:
    table = header.get("profile")
    if isinstance(table, Mapping):
        try:
            return agent_of_table(table, file), ()
        except InputError as error:
            return shipped_agents()[_DEFAULT_AGENT], (f"drawn as a person: {error}",)
    return shipped_agents()[_DEFAULT_AGENT], ("drawn as a person: the file names no agent",)


def _eye_height_m(header: Mapping[str, Any]) -> float:
    height = header.get("eye_height_m")
    if isinstance(height, bool) or not isinstance(height, int | float) or not 0.0 < height < 10.0:
        return EYE_HEIGHT_M
    return float(height)
