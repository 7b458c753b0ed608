"""Writes what ``waypost sample`` copies: scenes of the home, runs to replay, and a study."""

from __future__ import annotations

from pathlib import Path

from tools.demo_runs import CAPNAV, write_capnav_answers, write_demo_runs
from tools.sample_home.home import build_home
from tools.sample_home.home_runs import ANSWERS, PATHS, SCAN
from tools.sample_home.home_study import write_home_study
from tools.scene_files.write_glb import write_glb
from tools.scene_files.write_usd import write_usd
from waypost.domain.episode.run_source import RunSource
from waypost.sample.navigation import build_navigation
from waypost.sample.questions import TASKS
from waypost.sample.sample_project import GLB_FILE, RUNS_FOLDER, USD_FILE


def write_sample_files(folder: Path) -> tuple[RunSource, ...]:
    """Write scenes, textures, episodes, runs of a scripted agent, and a study with takes.

    Args:
        folder: Made if missing; files of the same names are replaced.

    Returns:
        The runs as the project of the sample names them.

    Raises:
        WriteError: If a file cannot be written.
    """
    home = build_home()
    write_glb(home, folder / GLB_FILE)
    write_usd(home, folder / USD_FILE)
    graph = build_navigation()
    runs = write_demo_runs(folder / RUNS_FOLDER, SCAN, graph, PATHS, RUNS_FOLDER)
    capnav = f"{RUNS_FOLDER}/{CAPNAV}"
    write_home_study(folder)
    answers = write_capnav_answers(folder / capnav, SCAN, graph, TASKS, ANSWERS, capnav)
    return (*runs, answers)
