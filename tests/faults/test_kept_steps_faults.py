"""Killed at any moment, Waypost opens a project as it was shown, with steps that can be undone."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from import_path import IMPORT_PATH
from stored_rows import stored_rows

from waypost.documents.kept_steps import MOST_STEPS, History, read_history
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.faults
PROGRAMS = Path(__file__).parent / "programs"


def killed(folder: Path, seed: int, way: str, heard: int, after_s: float) -> list[str]:
    """Let a session go on for some lines and a moment more, then kill it; what it said."""
    arguments = [sys.executable, PROGRAMS / "undo_session.py", folder / "house.waypost"]
    session = subprocess.Popen(
        [*arguments, folder / "steps.sqlite", str(seed), way],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": IMPORT_PATH},
    )
    assert session.stdout is not None
    lines = [session.stdout.readline() for _ in range(heard)]
    time.sleep(after_s)
    session.kill()
    lines += session.stdout.read().splitlines()
    session.stdout.close()
    assert session.wait() == -9
    return [line.strip("\n") for line in lines if line.count("\t") == 2]


def reopened(folder: Path) -> tuple[Project, History]:
    store = ProjectStore.open(folder / "house.waypost")
    project = store.load()
    history = read_history(folder / "steps.sqlite", project, store.changes_since)
    store.close()
    return project, history


def states_back(project: Project, history: History) -> list[str]:
    """The names that the project has while every step is taken back."""
    names = []
    for step in reversed(history.steps[: history.done]):
        found = step.taken(project, forward=False)
        assert found.left_out == ()
        project = found.project
        names.append(project.name)
    return names


@pytest.mark.parametrize("way", ["wait", "go"])
def test_kill_9_at_any_moment_leaves_the_last_state_and_its_steps(tmp_path: Path, way: str) -> None:
    chance = random.Random(way)
    ProjectStore.create(tmp_path / "house.waypost", Project("House"), "ana").close()
    for seed in range(5):
        lines = killed(tmp_path, seed, way, chance.randint(3, 25), chance.uniform(0.0, 0.05))
        project, history = reopened(tmp_path)
        name, index, count = lines[-1].split("\t")
        assert history.dropped == ()
        if (tmp_path / "steps.sqlite").exists():
            assert stored_rows(tmp_path / "steps.sqlite", "PRAGMA integrity_check") == [("ok",)]
        found = states_back(project, history)
        assert all(n == "House" or n.startswith("House ") for n in found)
        assert found[-1:] in ([], ["House"]) or len(found) == MOST_STEPS
        if way == "wait" and project.name == name:
            # Killed between two edits: every step is there.
            assert (history.done, len(history.steps)) == (int(index), int(count))


def test_an_undone_state_reopens_undone_though_the_window_was_killed_at_once(
    tmp_path: Path,
) -> None:
    """Undo after a submit, then a kill within a second: the file has what was on the screen."""
    ProjectStore.create(tmp_path / "house.waypost", Project("House"), "ana").close()
    for seed in (0, 10, 17):  # whose twelfth gesture is an undo
        shown, _, _ = killed(tmp_path, seed, "12", 12, 0.0)[-1].split("\t")
        project, _ = reopened(tmp_path)
        assert project.name == shown
