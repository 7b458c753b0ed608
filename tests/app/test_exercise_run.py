"""The copy that is practised on is gone whenever somebody leaves, also while it is being made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from faults.processes import wait_until
from patience import PATIENCE_S
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from waypost.app.shell.workbench import Workbench
from waypost.app.window.start import exercise_run
from waypost.app.window.start.exercise_run import ExerciseRun
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
from waypost.services.jobs import Job, JobRunner
from waypost.services.settings import SettingsFile
from waypost.store.project_store import ProjectStore


class View(QObject):
    """As much of a view as an exercise asks for."""

    camera_changed = Signal()


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Workbench]:
    jobs = JobRunner()
    made = Workbench(SettingsFile(tmp_path / "settings.toml"), jobs, tmp_path / "data")
    ProjectStore.create(tmp_path / "own.waypost", Project("own"), "ada").close()
    made.open_project(tmp_path / "own.waypost")
    qtbot.waitUntil(made.has_project)
    yield made
    made.close()
    assert not jobs.shutdown(PATIENCE_S)


@pytest.mark.parametrize("does_close", [True, False], ids=["closed", "left"])
def test_a_copy_that_is_being_made_goes(
    bench: Workbench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, does_close: bool
) -> None:
    jobs: list[Job] = []
    folders: list[Path] = []

    def making(folder: Path) -> Work[None]:
        """Writes on for a while after it was called off."""
        folders.append(folder)
        yield Progress(0.0, 0.0, "Making a copy")
        wait_until(lambda: bool(jobs) and jobs[0].is_cancel_asked)
        (folder / "scenes").mkdir(parents=True)
        yield Progress(0.0, 0.0, "Making a copy")

    monkeypatch.setattr(exercise_run, "_making_copy", making)
    run = ExerciseRun(bench, SimpleNamespace(view=View()))  # type: ignore[arg-type]
    run.begin(SimpleNamespace(steps=()))  # type: ignore[arg-type]
    assert bench.opening is not None
    jobs.append(bench.opening)
    qtbot.waitUntil(lambda: bool(folders))
    if does_close:
        run.close()
    else:
        with qtbot.waitSignal(run.ended):
            run.end()
    assert not folders[0].exists()
    assert bench.project.name == "own"
