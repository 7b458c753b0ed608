"""A window at a batch of six instructions for three raters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.score_examples import book_of
from gui.user import User

from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore


@pytest.fixture
def batch_file(tmp_path: Path) -> Path:
    """A project without a scene: instructions need none."""
    file = tmp_path / "batch.waypost"
    ProjectStore.create(file, Project("batch", scoring=book_of()), "lea").close()
    return file


@pytest.fixture
def scoring(user: User, batch_file: Path) -> ScoreWorkspace:
    """The Score workspace, at which ana sits."""
    return at_batch(user, batch_file, "ana")


def at_batch(user: User, file: Path, name: str) -> ScoreWorkspace:
    """The workspace of somebody at a project with a batch."""
    bench = user.window.bench
    bench.change_settings(replace(bench.settings, annotator=name))
    before = bench.document
    bench.open_path(file)
    user.wait(lambda: bench.document is not before)
    user.press("Ctrl+4")
    user.wait(lambda: user.window.workspaces.shown.scope == "score")
    user.settle()
    workspace = user.window.workspaces.current
    assert isinstance(workspace, ScoreWorkspace)
    return workspace
