"""Write the sample home as a project folder, the same bytes at every run."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tools.demo_runs import CAPNAV, write_capnav_answers, write_demo_runs
from tools.sample_home.home import build_home
from tools.sample_home.home_runs import ANSWERS, PATHS, SCAN
from tools.scene_files.write_glb import write_glb
from tools.scene_files.write_usd import write_usd
from waypost.domain.base.errors import InputError
from waypost.domain.causes.replay_book import ReplayBook, RunSource
from waypost.domain.project import Project
from waypost.io.agent_files import shipped_agents
from waypost.sample.navigation import build_navigation
from waypost.sample.questions import TASKS
from waypost.store.project_store import ProjectStore

PROJECT_FILE: Final = "home.waypost"
GLB_FILE: Final = "scenes/home.glb"
USD_FILE: Final = "scenes/home.usda"
RUNS_FOLDER: Final = "runs"
AUTHOR: Final = "sample"
MADE_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Rows of the sample carry this time, so that the file does not depend on the clock."""


def sample_project(runs: tuple[RunSource, ...] = ()) -> Project:
    """The project: scene, graph, tasks and the shipped agents; nothing labelled yet.

    Args:
        runs: To replay.
    """
    book = ReplayBook(MappingProxyType({source.name: source for source in runs}))
    return Project(
        name="Sample home",
        scene_path=GLB_FILE,
        graph=build_navigation(),
        agents=shipped_agents(),
        tasks=TASKS,
        replay=book,
    )


def write_sample_runs(folder: Path) -> tuple[RunSource, ...]:
    """Write episodes in the home, and runs of an agent that follows a script.

    Args:
        folder: Of the project.

    Raises:
        WriteError: If a file cannot be written.
    """
    graph = build_navigation()
    runs = write_demo_runs(folder / RUNS_FOLDER, SCAN, graph, PATHS, RUNS_FOLDER)
    capnav = f"{RUNS_FOLDER}/{CAPNAV}"
    answers = write_capnav_answers(folder / capnav, SCAN, graph, TASKS, ANSWERS, capnav)
    return (*runs, answers)


def write_sample(folder: Path, *, overwrite: bool = False) -> Path:
    """Write project, scenes, textures and runs to replay.

    Args:
        folder: Made if missing.
        overwrite: Replace the sample's files in a folder that is not empty; other files stay.

    Returns:
        The project file.

    Raises:
        InputError: If the folder cannot be used, or is not empty and ``overwrite`` is not set.
        WriteError: If a scene file cannot be written.
        StoreError: If the project file cannot be written.
    """
    _check_folder(folder, overwrite=overwrite)
    scene = build_home()
    write_glb(scene, folder / GLB_FILE)
    write_usd(scene, folder / USD_FILE)
    path = folder / PROJECT_FILE
    project = sample_project(write_sample_runs(folder))
    store = ProjectStore.create(path, project, AUTHOR, clock=lambda: MADE_AT, overwrite=overwrite)
    store.close()
    return path


def _check_folder(folder: Path, *, overwrite: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: folder: there is a file of that name")
    try:
        is_used = folder.is_dir() and any(folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: folder: cannot be read: {error.strerror}") from error
    if is_used and not overwrite:
        raise InputError(f"{folder}: folder: is not empty; --force replaces the sample in it")
