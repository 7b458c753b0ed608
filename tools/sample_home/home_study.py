"""The study of the sample home: what two simulated people recorded, scored like any take.

Nobody's body is in these recordings: a script walks from node to node at constant speed. They show
what Record does with takes, and say in their header how they were made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from tools.recording_files import write_recording
from waypost.domain.base.frames import Vec3, quaternion_from_yaw
from waypost.domain.base.progress import exhaust
from waypost.domain.base.value_codec import encode
from waypost.domain.episode.episode import Episode
from waypost.domain.record.assignment import assign
from waypost.domain.record.recording import (
    LOST,
    SAMPLE_INTERVAL_NS,
    Recording,
    TakeEvent,
    start_pose,
    take_header,
)
from waypost.domain.record.study import (
    AssignmentKey,
    ConsentText,
    EpisodeKey,
    Study,
    StudyEpisode,
    StudyRules,
)
from waypost.domain.record.study_edits import (
    abandon_episode,
    add_participant,
    answer_questions,
    begin_episode,
    create_study,
    finish_episode,
    give_consent,
    know_paths,
)
from waypost.domain.record.take_rules import NEW_TAKE_RULES, TakeAnswers
from waypost.domain.record.trajectory import Trajectory, trajectory
from waypost.io.agent_files import shipped_agents
from waypost.io.atomic import write_text_atomic
from waypost.io.json_writing import json_line
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.io.scenes.open_scene import read_scene
from waypost.sample.navigation import PLACES
from waypost.sample.sample_project import GLB_FILE
from waypost.sample.sample_study import STUDY_FILE, TAKES_FOLDER
from waypost.services.study.episodes import StudyEpisodes, read_study_episodes, unknown_paths
from waypost.services.study.making import file_hash
from waypost.services.study.takes import take_of_file

EPISODES: Final = "runs/R2R_demo.json"
GRAPHS: Final = "runs/connectivity"
PRACTICE: Final = "5_0"
TAKEN: Final = ("1_0", "2_0", "3_0", "4_0")
"""Beside practice: one instruction of each path."""

BEGIN: Final = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
CONSENT: Final = (
    "This is a sample. In a study of your own, say here what is recorded, what it is used for, how"
    " long it is kept, and that one can stop at any time."
)
_STEP_S: Final = SAMPLE_INTERVAL_NS / 1e9
_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class HomeDrive:
    """One take: along which places, and what its driver answered."""

    participant: str
    episode_id: str
    way: tuple[str, ...]
    """Names of places; the last may be left out of a route, or another be in it."""

    answers: TakeAnswers
    gave_up: str = ""
    speed_mps: float = 1.0
    turn_radps: float = 1.2


ADA: Final = "P-4K7D"
BEN: Final = "P-9WRM"
DRIVES: Final = (
    HomeDrive(ADA, "5_0", ("Dining room", "Garden door", "Deck"), TakeAnswers(True, 5)),
    HomeDrive(
        ADA, "1_0", ("Entrance", "Hall", "Living room", "Sofa"), TakeAnswers(True, 4)
    ),
    HomeDrive(
        ADA, "3_0",
        ("Garden path", "Porch", "Entrance", "Stair foot", "Kitchen", "Kitchen island"),
        TakeAnswers(True, 3, "Right before the stairs, or right and before the stairs?"),
    ),
    HomeDrive(
        BEN, "5_0", ("Dining room", "Garden door", "Deck"), TakeAnswers(True, 4), speed_mps=0.8
    ),
    HomeDrive(
        BEN, "1_0", ("Entrance", "Hall", "Back hall", "Hall", "Living room", "Bookcase corner"),
        TakeAnswers(True, 2, "“Near end” of the sofa can be either."), speed_mps=0.8,
    ),
    HomeDrive(
        BEN, "4_0", ("Back hall", "Hall"), TakeAnswers(False, 5), "I am lost", 0.8,
    ),
)  # fmt: skip
"""In the order in which they were recorded."""


def write_home_study(folder: Path) -> Study:
    """Write takes and study of the sample into a folder that has its scene and episodes.

    Returns:
        The study.

    Raises:
        WriteError: If a file cannot be written.
    """
    study = _study(folder)
    episodes = exhaust(read_study_episodes(study, folder))
    scene_hash = read_scene(folder / GLB_FILE).content_hash
    for number, drive in enumerate(DRIVES):
        started = BEGIN + timedelta(minutes=5 * number)
        file = _write_take(folder, drive, _episode(episodes, drive), scene_hash, started)
        study = _with_take(study, folder, drive, file, episodes, started)
    parts = ("consent_texts", "episodes", "participants", "assignments", "takes")
    record = {
        "rules": None if study.rules is None else encode(study.rules),
        **{name: [encode(item) for item in getattr(study, name).values()] for name in parts},
    }
    write_text_atomic(folder / STUDY_FILE, json_line(record) + "\n")
    return study


def _study(folder: Path) -> Study:
    found = {e.episode_id: e for e in EPISODE_FORMATS.read(folder / EPISODES, ReadLog())}
    listed = [
        StudyEpisode(_key(found[own]), found[own].split, own == PRACTICE)
        for own in (PRACTICE, *TAKEN)
    ]
    rules = StudyRules(
        "Sample study",
        seed=1,
        episodes_per_participant=len(TAKEN),
        episodes_path=EPISODES,
        episodes_hash=file_hash(folder / EPISODES),
        connectivity_path=GRAPHS,
    )
    joined = BEGIN.isoformat()
    study = create_study(rules, listed, ConsentText(1, CONSENT, joined))
    for code in (ADA, BEN):
        study = give_consent(add_participant(study, code, joined), code, 1, joined)
    episodes = exhaust(read_study_episodes(study, folder))
    return assign(know_paths(study, unknown_paths(study, episodes)))[0]


def _key(episode: Episode) -> EpisodeKey:
    return EpisodeKey(episode.dataset, episode.scene_id, episode.episode_id)


def _episode(episodes: StudyEpisodes, drive: HomeDrive) -> Episode:
    return next(e for e in episodes.episodes.values() if e.episode_id == drive.episode_id)


def _write_take(
    folder: Path, drive: HomeDrive, episode: Episode, scene_hash: str, started: datetime
) -> Path:
    samples = _walked(drive, start_pose(episode)[1])
    header = take_header(
        episode,
        shipped_agents()["human"],
        scene_hash,
        participant=drive.participant,
        rules=NEW_TAKE_RULES,
    )
    end_ns = int(samples.times_ns[-1])
    lost = (TakeEvent(LOST, end_ns, end_ns, drive.gave_up),) if drive.gave_up else ()
    recording = Recording(
        samples,
        {**header, "started_utc": started.isoformat(), "made_by": "a script of the sample home"},
        lost,
        not drive.gave_up,
        drive.gave_up or "stopped by the participant",
    )
    file = folder / TAKES_FOLDER / f"{drive.participant}_{drive.episode_id}_take001.csv"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_recording(file, recording)
    return file


def _with_take(
    study: Study,
    folder: Path,
    drive: HomeDrive,
    file: Path,
    episodes: StudyEpisodes,
    started: datetime,
) -> Study:
    key = AssignmentKey(*_key(_episode(episodes, drive)), drive.participant)
    study = begin_episode(study, key, started.isoformat())
    take = take_of_file(study, folder, file, episodes.find, episodes.scenery_of)
    ended = (started + timedelta(seconds=take.summary.duration_ns / 1e9)).isoformat()
    if drive.gave_up:
        study = abandon_episode(study, key, drive.gave_up, ended, take)
    else:
        study = finish_episode(study, take, ended)
    return answer_questions(study, take.key, replace(drive.answers, answered_utc=ended))


def _walked(drive: HomeDrive, yaw_rad: float) -> Trajectory:
    """Samples of a walk: a turn at each place, then straight on to the next."""
    spots = {name: position for name, position, _ in PLACES}
    rows = list(_rows(drive, [spots[name] for name in drive.way], yaw_rad))
    count = len(rows)
    times = np.arange(count) * SAMPLE_INTERVAL_NS
    values: dict[str, Any] = {
        "times_ns": times,
        "wall_times_ns": times,
        "positions_m": [[round(float(v), _DIGITS) for v in row.position_m] for row in rows],
        "quaternions": [
            [round(v, _DIGITS) for v in quaternion_from_yaw(row.yaw_rad)] for row in rows
        ],
        "yaws_rad": [round(row.yaw_rad, _DIGITS) for row in rows],
        "camera_pitches_rad": np.zeros(count),
        "speeds_mps": [row.speed_mps for row in rows],
        "turn_rates_radps": [row.turn_radps for row in rows],
        "displacements_m": np.zeros(count),
        "contact_counts": np.zeros(count, int),
        "has_focus": np.ones(count, int),
        "actions": [row.action for row in rows],
    }
    return trajectory(count, **values)


@dataclass(frozen=True, slots=True)
class _Row:
    position_m: Vec3
    yaw_rad: float
    action: str = "idle"
    speed_mps: float = 0.0
    turn_radps: float = 0.0


def _rows(drive: HomeDrive, spots: Sequence[Vec3], yaw_rad: float) -> Iterator[_Row]:
    yield _Row(spots[0], yaw_rad)
    for start, end in pairwise(spots):
        ahead_rad = math.atan2(end[1] - start[1], end[0] - start[0])
        turn_rad = math.remainder(ahead_rad - yaw_rad, 2 * math.pi)
        rate_radps = math.copysign(drive.turn_radps, turn_rad)
        name = "turn_left" if turn_rad > 0 else "turn_right"
        for share in _shares(abs(turn_rad) / drive.turn_radps):
            yield _Row(start, yaw_rad + share * turn_rad, name, 0.0, rate_radps)
        yaw_rad = ahead_rad
        for share in _shares(math.dist(start, end) / drive.speed_mps):
            point = tuple(a + share * (b - a) for a, b in zip(start, end, strict=True))
            yield _Row((point[0], point[1], point[2]), yaw_rad, "forward", drive.speed_mps)
    for _ in _shares(0.5):
        yield _Row(spots[-1], yaw_rad)


def _shares(duration_s: float) -> Iterator[float]:
    """How far something has come at each sample of its duration; 1 at the last."""
    count = math.ceil(duration_s / _STEP_S - 1e-9)
    yield from (number / count for number in range(1, count + 1))
