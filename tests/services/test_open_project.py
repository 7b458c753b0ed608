"""Opening a project as a job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot
from stored_rows import change_rows

from waypost.domain.base.errors import ConflictError, ReadError
from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import Node, build_graph, describe_node
from waypost.services.jobs import Job
from waypost.services.open_project import LoadedProject, open_project_job
from waypost.store.project_store import ProjectStore

NODES = 2500


@pytest.fixture
def project() -> Project:
    """2,500 nodes in a row; with its 5 facts that makes 2,505 rows."""
    nodes = (Node(f"node_{n}", f"Place {n}", (float(n), 0.0, 0.0)) for n in range(NODES))
    return Project("Row", graph=build_graph(nodes, ()))


@pytest.fixture
def file(tmp_path: Path, project: Project) -> Path:
    """The project's file."""
    path = tmp_path / "row.waypost"
    ProjectStore.create(path, project, "ana").close()
    return path


def renamed(project: Project, name: str) -> Project:
    return set_graph(project, describe_node(project.graph, "node_1", name=name))


def is_held(file: Path) -> bool:
    """Whether this process has the file open."""
    return str(file) in {opened.path for opened in psutil.Process().open_files()}


def test_a_project_is_read_whole_and_lets_go_of_its_file(file: Path, project: Project) -> None:
    told: list[Progress] = []
    loaded = exhaust(open_project_job(file), told.append)
    assert loaded.project == project
    assert loaded.store.location == file
    assert told[0].fraction is None
    rows = [(progress.done, progress.total) for progress in told[1:]]
    assert rows == [(0, 2505), (5, 2505), (1005, 2505), (2005, 2505), (2505, 2505)]
    assert not is_held(file)


def test_what_a_job_has_read_is_saved_from_this_thread(
    file: Path, project: Project, qtbot: QtBot
) -> None:
    job = Job("Open", open_project_job(file))
    with qtbot.waitSignal(job.succeeded):
        job.start()
    loaded: LoadedProject = job.result
    loaded.store.save(project, renamed(project, "Cellar"), "ana")
    loaded.store.close()
    store = ProjectStore.open(file)
    assert store.load().graph.nodes["node_1"].name == "Cellar"
    store.close()


def test_others_may_write_while_it_is_read(file: Path, project: Project) -> None:
    work = open_project_job(file)
    for _ in range(3):
        next(work)
    other = ProjectStore.open(file)
    other.save(other.load(), renamed(project, "Cellar"), "ben")
    other.close()
    loaded = exhaust(work)
    assert loaded.project == project, "as it was when it was fetched"
    with pytest.raises(ConflictError, match="changed by ben"):
        loaded.store.save(project, renamed(project, "Pantry"), "ana")
    changed = replace(project, name="Flat")
    loaded.store.save(project, changed, "ana")
    assert loaded.store.load() == renamed(changed, "Cellar")
    loaded.store.close()


def test_giving_up_leaves_nothing_open(file: Path) -> None:
    for steps in range(1, 6):
        work = open_project_job(file)
        for _ in range(steps):
            next(work)
        work.close()
        assert not is_held(file)


def test_a_damaged_project_is_one_sentence(file: Path, qtbot: QtBot) -> None:
    change_rows(file, "UPDATE nodes SET payload = '[' WHERE node_id = 'node_1200'")
    job = Job("Open", open_project_job(file))
    with qtbot.waitSignal(job.failed) as failed:
        job.start()
    assert isinstance(failed.args[0], ReadError)
    assert str(failed.args[0]).startswith(f"{file}: nodes, row 1201: ")
    assert not is_held(file)
