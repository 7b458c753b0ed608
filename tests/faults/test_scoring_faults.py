"""A submission taken back stays so, however soon the process is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from import_path import IMPORT_PATH
from score_examples import book_of

from waypost.domain.project import Project
from waypost.domain.score.sheet import SheetState
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.faults


def test_an_undone_submission_is_undone_after_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "scores.waypost"
    ProjectStore.create(file, Project("scores", scoring=book_of()), "lea").close()
    session = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("scoring_session.py"), file],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": IMPORT_PATH},
    )
    assert session.stdout is not None
    assert session.stdout.readline() == b"submitted\n"
    assert session.stdout.readline() == b"undone\n"
    session.kill()
    session.stdout.close()
    assert session.wait() == -9
    with closing(ProjectStore.open(file)) as store:
        sheet = store.load().scoring.sheet("demo", "i0", "ana")
    assert (sheet.state, dict(sheet.scores)) == (SheetState.OPEN, {"clarity": 4, "accuracy": 4})
