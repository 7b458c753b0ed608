"""Where the project of a run is kept that is opened on its own."""

from __future__ import annotations

from pathlib import Path

from waypost.domain.base.errors import StoreError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.run import run_name
from waypost.domain.project import SUFFIX, Project
from waypost.io.agent_files import shipped_agents
from waypost.services.project_places import place_in_data, takes_files
from waypost.services.relative_path import relative_path
from waypost.store.project_store import ProjectStore

RUNS_FOLDER = "runs"
"""In the user's data folder."""


def project_beside(results: Path, data_folder: Path) -> Path:
    """The project of a run: beside the results, or with the user's data where that is read-only.

    Args:
        results: File or folder of a run.
        data_folder: Where this user's data is kept.
    """
    name = run_name(results)
    beside = results.parent / f"{name}{SUFFIX}"
    if beside.exists() or takes_files(results.parent):
        return beside
    return place_in_data(data_folder, RUNS_FOLDER, name, results)


def make_project(path: Path, author: str, scene: Path | None = None) -> None:
    """Make a project without graph and labels unless there is one.

    Args:
        path: Of the project.
        author: Who makes it.
        scene: The scene that it shows, if there is one.

    Raises:
        StoreError: If it cannot be written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        scene_path = relative_path(path.parent, scene) if scene else ""
        project = Project(name=path.stem, scene_path=scene_path, agents=shipped_agents())
        ProjectStore.create(path, project, author).close()


def making_project(path: Path, author: str, scene: Path | None = None) -> Work[None]:
    """The same as ``make_project``, as a job.

    Raises:
        StoreError: If it cannot be written.
    """
    yield Progress(0.0, 0.0, f"Making {path.name}")
    try:
        make_project(path, author, scene)
    except OSError as error:
        raise StoreError(str(path), "file", f"cannot be written: {error.strerror}") from error
