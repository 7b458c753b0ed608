"""A project as large as they come: a graph of thousands of nodes and a study of a whole split."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from waypost.domain.base.progress import exhaust
from waypost.domain.project import Project
from waypost.domain.record.assignment import assign
from waypost.domain.record.study import (
    AssignmentKey,
    AssignmentState,
    Study,
    StudyRules,
    Take,
    TakeKey,
)
from waypost.domain.record.study_edits import add_participant, give_consent
from waypost.domain.record.take_quality import TakeSummary
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.io.agent_files import shipped_agents
from waypost.services.study.making import StudyWish, make_study
from waypost.store.project_store import ProjectStore

NODES = 10_000
EPISODES = 2_349
"""As many as the unseen validation split of R2R has."""

PEOPLE = 47
"""With 50 episodes each, every episode of the split is driven once."""

_NOW = "2026-01-05T10:00:00+00:00"
_TAKES = 1_200


def write_large_project(folder: Path, *, nodes: int = NODES, episodes: int = EPISODES) -> Path:
    """A project with a graph, its episodes and a study half done; returns the project file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "episodes.json"
    file.write_text(json.dumps([_episode(number) for number in range(episodes)]))
    wish = StudyWish(StudyRules("Whole split", 7), file, "I agree.")
    study = exhaust(make_study(wish, folder, _NOW)).study
    for number in range(PEOPLE):
        code = f"P-{number:04d}"
        study = give_consent(add_participant(study, code, _NOW), code, 1, _NOW)
    study = _with_takes(assign(study)[0])
    path = folder / "large.waypost"
    project = Project("Large", agents=shipped_agents(), graph=grid_graph(nodes), study=study)
    ProjectStore.create(path, project, "bench").close()
    return path


def grid_graph(count: int) -> NavigationGraph:
    """About this many nodes on a square grid of 1 m, each joined to the next on either axis."""
    side = max(2, round(math.sqrt(count)))
    nodes = [
        Node(f"node_{x * side + y}", f"Place {x} {y}", (float(x), float(y), 0.0))
        for x in range(side)
        for y in range(side)
    ]
    pairs = [
        (at, at + step)
        for at in range(side * side)
        for step in (1, side)
        if at + step < side * side and not (step == 1 and (at + 1) % side == 0)
    ]
    edges = [Edge(f"edge_{n}", f"node_{a}", f"node_{b}") for n, (a, b) in enumerate(pairs)]
    return build_graph(nodes, edges)


def _episode(number: int) -> dict[str, object]:
    start = [float(number % 90), float(number // 90), 0.0]
    end = [start[0] + 2.0, start[1], 0.0]
    return {
        "episode_id": f"{number}",
        "trajectory_id": f"{number}",
        "scan": "large",
        "scene_id": "vlnverse/large",
        "start_position": start,
        "start_rotation": [1.0, 0.0, 0.0, 0.0],
        "instruction": {"instruction_text": "Walk two metres.", "instruction_tokens": [0]},
        "reference_path": [start, end],
        "goals": {"position": end, "radius": 3.0},
        "info": {"geodesic_distance": 2.0},
    }


def _with_takes(study: Study) -> Study:
    chosen = list(study.assignments)[:_TAKES]
    takes = {take.key: take for take in map(_take, chosen)}
    done = {
        key: replace(study.assignments[key], state=AssignmentState.DONE, changed_utc=_NOW)
        for key in chosen
    }
    assignments = MappingProxyType({**study.assignments, **done})
    return replace(study, assignments=assignments, takes=MappingProxyType(takes))


def _take(key: AssignmentKey) -> Take:
    summary = TakeSummary(
        rows=400,
        duration_ns=20_000_000_000,
        wall_duration_ns=20_000_000_000,
        pause_ns=0,
        path_length_m=9.0,
        turned_rad=3.0,
        collision_count=1,
        strict_collision_count=0,
        focus_lost_ns=0,
        active_ns=19_000_000_000,
        has_stopped=True,
        is_complete=True,
    )
    scores = MappingProxyType({"SR": 1.0, "SPL": 0.8, "NE": 1.2})
    name = f"takes/{key.participant}_{key.episode_id}.csv"
    return Take(TakeKey(*key, 1), name, "0" * 64, _NOW, summary, scores)
