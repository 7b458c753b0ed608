"""Put the sample home into a folder: its files come with Waypost, its project is made there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Final

from waypost.domain.base.errors import InputError
from waypost.domain.causes.replay_book import ReplayBook
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.io.agent_files import shipped_agents
from waypost.io.atomic import write_bytes_atomic
from waypost.sample.navigation import build_navigation
from waypost.sample.questions import TASKS
from waypost.sample.sample_scores import sample_scores
from waypost.sample.sample_study import STUDY_FILE, TAKES_FOLDER, read_study
from waypost.store.project_store import ProjectStore

PROJECT_FILE: Final = "home.waypost"
GLB_FILE: Final = "scenes/home.glb"
USD_FILE: Final = "scenes/home.usda"
SCENES_FOLDER: Final = "scenes"
RUNS_FOLDER: Final = "runs"
AUTHOR: Final = "sample"
MADE_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Rows of the sample carry this time, so that the file does not depend on the clock."""

_PLACE: Final = RunSource((), (Path("runs/R2R_demo.json"),), Path("runs/connectivity"))
RUNS: Final = (
    *(
        replace(_PLACE, results=(Path("runs", file),), name=f"Scripted agent, {form} form")
        for form, file in (
            ("open", "scripted_open.jsonl"),
            ("NavGPT", "scripted_navgpt.json"),
            ("MapGPT", "scripted_mapgpt"),
        )
    ),
    RunSource(
        (Path("runs/capnav/scripted"),),
        (Path("runs/capnav/home-QA.json"),),
        name="Scripted answers, CapNav form",
    ),
)
"""Of an agent that follows a script, in the folder of the project."""


def sample_project(runs: tuple[RunSource, ...] = RUNS, rater: str = "") -> Project:
    """The project: scene, graph, tasks, the shipped agents, a study and a batch to score.

    Nothing is labelled yet.

    Args:
        runs: To replay.
        rater: Who is to score the batch beside two simulated raters; empty for nobody.
    """
    book = ReplayBook(MappingProxyType({source.name: source for source in runs}))
    return Project(
        name="Sample home",
        scene_path=GLB_FILE,
        graph=build_navigation(),
        agents=shipped_agents(),
        tasks=TASKS,
        replay=book,
        study=read_study((_shipped() / STUDY_FILE).read_text(encoding="utf-8")),
        scoring=sample_scores(rater),
    )


def write_sample_runs(folder: Path) -> tuple[RunSource, ...]:
    """Write episodes in the home, and runs of an agent that follows a script.

    Args:
        folder: Of the project.

    Raises:
        WriteError: If a file cannot be written.
    """
    _copy(_shipped() / RUNS_FOLDER, folder / RUNS_FOLDER)
    return RUNS


def write_sample(folder: Path, rater: str = "", *, overwrite: bool = False) -> Path:
    """Write project, scenes, textures, runs, a study with its takes, and a batch to score.

    Args:
        folder: Made if missing.
        rater: Who is to score the batch beside two simulated raters; empty for nobody.
        overwrite: Replace the sample's files in a folder that is not empty; other files stay.

    Returns:
        The project file.

    Raises:
        InputError: If the folder cannot be used, or is not empty and ``overwrite`` is not set.
        WriteError: If a scene or a run cannot be written.
        StoreError: If the project file cannot be written.
    """
    _check_folder(folder, overwrite=overwrite)
    _copy(_shipped() / SCENES_FOLDER, folder / SCENES_FOLDER)
    project = sample_project(write_sample_runs(folder), rater)
    _copy(_shipped() / TAKES_FOLDER, folder / TAKES_FOLDER)
    path = folder / PROJECT_FILE
    store = ProjectStore.create(path, project, AUTHOR, clock=lambda: MADE_AT, overwrite=overwrite)
    store.close()
    return path


def _shipped() -> Traversable:
    return resources.files("waypost.resources") / "sample"


def _copy(source: Traversable, target: Path) -> None:
    for item in source.iterdir():
        if item.is_dir():
            _copy(item, target / item.name)
        else:
            write_bytes_atomic(target / item.name, item.read_bytes())


def _check_folder(folder: Path, *, overwrite: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: folder: there is a file of that name")
    try:
        is_used = folder.is_dir() and any(folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: folder: cannot be read: {error.strerror}") from error
    if is_used and not overwrite:
        raise InputError(f"{folder}: folder: is not empty; --force replaces the sample in it")
