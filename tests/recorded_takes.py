"""Recordings of straight walks as the worker writes them, with known lengths and times."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from recording_files import write_recording
from study_examples import NOON

from waypost.domain.base.frames import quaternion_from_yaw
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.domain.record.assignment import assign
from waypost.domain.record.recording import Recording, TakeEvent
from waypost.domain.record.study import ConsentText, EpisodeKey, Study, StudyEpisode, StudyRules
from waypost.domain.record.study_edits import add_participant, create_study, give_consent
from waypost.domain.record.trajectory import trajectory

STEP_NS = 50_000_000


EPISODE = Episode(
    "r2r",
    "val_unseen",
    "1_0",
    "scanA",
    Instruction("go"),
    reference=route(positions_m=[(0, 0, 0), (4, 0, 0)]),
    goals=(Goal(position_m=(4.0, 0.0, 0.0), radius_m=3.0),),
)
"""Of a walk with the names it has by default: 4 m along +X."""

KEY = EpisodeKey("r2r", "scanA", "1_0")


def study_of_walks() -> Study:
    """``EPISODE``, assigned to P-AAAA, who has agreed."""
    rules = StudyRules("walk", 1, episodes_per_participant=1)
    study = create_study(rules, [StudyEpisode(KEY)], ConsentText(1, "I agree.", NOON))
    study = add_participant(study, "P-AAAA", NOON)
    return assign(give_consent(study, "P-AAAA", 1, NOON))[0]


def walk(
    corners: list[tuple[float, float]],
    *,
    episode_id: str = "1_0",
    scene_id: str = "scanA",
    dataset: str = "r2r",
    participant: str = "P-AAAA",
    step_m: float = 0.05,
    is_complete: bool = True,
    reason: str = "stop",
    events: tuple[TakeEvent, ...] = (),
    started_utc: str = "2026-11-28T12:00:00+00:00",
    **columns: Any,
) -> Recording:
    """A walk along straight lines on the floor, one sample per ``step_m``, facing ahead."""
    points, yaws = [corners[0]], [0.0]
    for (x, y), (u, v) in pairwise(corners):
        count = round(math.hypot(u - x, v - y) / step_m)
        yaw = math.atan2(v - y, u - x)
        points += [(x + (u - x) * i / count, y + (v - y) * i / count) for i in range(1, count + 1)]
        yaws += [yaw] * count
    yaws[0] = yaws[min(1, len(yaws) - 1)]
    count = len(points)
    times = np.arange(count) * STEP_NS
    values: dict[str, Any] = {
        "times_ns": times,
        "wall_times_ns": times,
        "positions_m": [(x, y, 0.0) for x, y in points],
        "quaternions": [quaternion_from_yaw(yaw) for yaw in yaws],
        "yaws_rad": yaws,
        "camera_pitches_rad": np.zeros(count),
        "speeds_mps": np.ones(count),
        "turn_rates_radps": np.zeros(count),
        "displacements_m": np.zeros(count),
        "contact_counts": np.zeros(count, int),
        "has_focus": np.ones(count, int),
        "actions": ["forward"] * count,
        **columns,
    }
    header = {
        "episode": {
            "dataset": dataset,
            "split": "val_unseen",
            "episode_id": episode_id,
            "scene_id": scene_id,
        },
        "participant": participant,
        "started_utc": started_utc,
    }
    return Recording(trajectory(count, **values), header, events, is_complete, reason)


def write_walk(path: Path, corners: list[tuple[float, float]], **options: Any) -> None:
    """Write a walk as a CSV with records beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_recording(path, walk(corners, **options))


SPOTS = {"va": (0, 0), "vb": (2, 0), "vc": (2, 2), "vd": (0, 2)}
"""Viewpoints of every scan, joined in a row: va – vb – vc – vd."""


def write_r2r(folder: Path, scans: list[str], instructions: int = 1) -> Path:
    """An R2R file with one path va → vb → vc per scan, and connectivity files beside it."""
    records = [
        {
            "distance": 4.0,
            "scan": scan,
            "path_id": number,
            "path": ["va", "vb", "vc"],
            "heading": math.pi / 2,
            "instructions": [f"Walk, number {i}." for i in range(instructions)],
        }
        for number, scan in enumerate(scans, 1)
    ]
    file = folder / "R2R_val_unseen.json"
    file.write_text(json.dumps(records))
    graphs = folder / "connectivity"
    graphs.mkdir(exist_ok=True)
    names = list(SPOTS)
    for scan in scans:
        entries = []
        for index, name in enumerate(names):
            joined = [abs(index - other) == 1 for other in range(len(names))]
            x, y = SPOTS[name]
            entries.append(
                {
                    "image_id": name,
                    "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 1.5, 0, 0, 0, 1],
                    "included": True,
                    "visible": joined,
                    "unobstructed": joined,
                    "height": 1.5,
                }
            )
        (graphs / f"{scan}_connectivity.json").write_text(json.dumps(entries))
    return file
