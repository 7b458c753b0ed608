"""A study in the small house: a practice episode and two that count, with two participants."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from pathlib import Path

from gui.house import write_house

from waypost.domain.record.assignment import assign
from waypost.domain.record.study import ConsentText, EpisodeKey, Study, StudyEpisode, StudyRules
from waypost.domain.record.study_edits import add_participant, create_study, give_consent
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog
from waypost.store.project_store import ProjectStore

CODE = "P-7K3D"
NEWCOMER = "P-2345"
START_M = (-2.5, -1.0, 0.0)
START_YAW_RAD = math.pi / 2
INSTRUCTION = "Go ahead to the wall, turn right, pass the door and stop in the kitchen."
NOW = "2026-01-05T10:00:00+00:00"


def episode(own_id: str) -> dict[str, object]:
    """An episode as VLNVerse writes it: from the hall ahead, 2 m along +Y."""
    x, y, z = START_M
    half = START_YAW_RAD / 2
    return {
        "episode_id": own_id,
        "trajectory_id": own_id,
        "scan": "house",
        "scene_id": "vlnverse/house",
        "start_position": [x, y, z],
        "start_rotation": [math.cos(half), 0.0, 0.0, math.sin(half)],
        "instruction": {"instruction_text": INSTRUCTION, "instruction_tokens": [0]},
        "reference_path": [[x, y, z], [x, y + 1.0, z], [x, y + 2.0, z]],
        "goals": {"position": [x, y + 2.0, z], "radius": 3.0},
        "info": {"geodesic_distance": 2.0},
    }


def study_of(episodes_file: Path, break_after: int, *, can_look: bool = False) -> Study:
    """The study of a file; its first episode is practice."""
    found = list(EPISODE_FORMATS.read(episodes_file, ReadLog()))
    listed = [
        StudyEpisode(EpisodeKey(e.dataset, e.scene_id, e.episode_id), e.split, number == 0)
        for number, e in enumerate(found)
    ]
    rules = StudyRules(
        "Kitchen study",
        seed=7,
        episodes_per_participant=2,
        break_after_episodes=break_after,
        episodes_path=episodes_file.name,
        episodes_hash=hashlib.sha256(episodes_file.read_bytes()).hexdigest(),
        can_look=can_look,
    )
    study = create_study(rules, listed, ConsentText(1, "I agree to be recorded.", NOW))
    for code in (CODE, NEWCOMER):
        study = add_participant(study, code, NOW)
    return assign(give_consent(study, CODE, 1, NOW))[0]


def write_study(folder: Path, *, break_after: int = 10, can_look: bool = False) -> Path:
    """A project with the house and the study; returns the project file."""
    path = write_house(folder)
    episodes_file = folder / "episodes.json"
    episodes_file.write_text(json.dumps([episode(f"house_{n}") for n in (1, 2, 3)]))
    store = ProjectStore.open(path)
    project = store.load()
    study = study_of(episodes_file, break_after, can_look=can_look)
    store.save(project, replace(project, study=study), "ana", "Create study")
    store.close()
    return path
